"""Pages of the eBook."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content.ebook import html, texts
from dashboard.ai_content.ebook.texts import COVER, COVER_KEYS, SUMMARY, TEXT
from dashboard.ai_content.editor import BlockContent, Editor
from dashboard.ai_content.rules.alignment import list_opcodes
from dashboard.ai_content.rules.package import Block, Package, get_mark, get_part, get_text
from dashboard.ai_content.text_diff import Piece, diff_texts
from dashboard.shared import formats

LARGE = 200_000
VIEWERS = "viewers"
"""Value of `view` in the address: the preview is what the player shows."""


@dataclass(frozen=True)
class EbookField:
    """A text field of the eBook, and the mark of the value it was made from."""

    value: str
    mark: str
    stale: str
    """What it says now, when another window changed it while this was typed."""
    error: str = ""
    """Why what was typed was not kept."""


@dataclass(frozen=True)
class OutlineRow:
    """A heading."""

    level: int
    text: str
    line: int


@dataclass(frozen=True)
class TextPreview:
    """templates/ai_content/_preview.html: how the text reads; `large` says why nothing is shown."""

    html: SafeString
    outline: tuple[OutlineRow, ...]
    facts: str
    large: str
    blocks: tuple[tuple[SafeString, str], ...] | None = None
    """As viewers see it: each block, and what of it is shown as signs. None: the preview of the text."""


@dataclass(frozen=True)
class DriftLine:
    """One block of text in the difference between Markdown and HTML; `kind` is same, text or html."""

    kind: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Drift:
    """The difference between text and HTML."""

    lines: tuple[DriftLine, ...]
    keep: str


@dataclass(frozen=True)
class CoverField:
    """One line of the cover."""

    key: str
    name: str
    value: str


@dataclass(frozen=True)
class EbookPage:
    """templates/ai_content/ebook.html."""

    address: str
    paste: str
    print: str
    there: bool
    editable: bool
    text: EbookField
    summary: EbookField
    cover: tuple[CoverField, ...]
    cover_seen: str
    cover_stale: bool
    preview: TextPreview
    as_viewers: bool
    """Whether the preview is what the player shows."""
    drift: Drift | None


def build_ebook_page(
    editor: Editor, content: BlockContent, typed: dict[str, str] | None = None, refused: dict[str, str] | None = None
) -> EbookPage:
    """The page. `typed` are fields as they were typed here, because another window has changed them meanwhile, or
    because of what `refused` says about them."""
    values, unsent, why = content.values, typed or {}, refused or {}
    as_viewers = editor.request.GET.get("view") == VIEWERS
    return EbookPage(
        address=editor.address("ebook") + (f"?view={VIEWERS}" if as_viewers else ""),
        paste=editor.address("paste"),
        print=editor.address("print"),
        there=bool(values),
        editable=isinstance(values.get(TEXT, ""), str) and isinstance(values.get(COVER, {}), dict),
        text=_build_field(values, TEXT, unsent, why),
        summary=_build_field(values, SUMMARY, unsent, why),
        cover=tuple(_build_cover(values, unsent)),
        cover_seen=get_mark(values.get(COVER)),
        cover_stale="cover" in unsent,
        preview=build_preview(get_text(values.get(TEXT)), as_viewers=as_viewers),
        as_viewers=as_viewers,
        drift=_build_drift(editor, content),
    )


def _build_field(values: Package, key: str, unsent: dict[str, str], why: dict[str, str]) -> EbookField:
    now, error = get_text(values.get(key)), why.get(key, "")
    stale = now if key in unsent and not error else ""
    return EbookField(unsent.get(key, now), get_mark(values.get(key)), stale, error)


def _build_cover(values: Package, unsent: dict[str, str]) -> list[CoverField]:
    value = values.get(COVER)
    known = value if isinstance(value, dict) else {}
    names = {
        "kicker": _("Kicker"),
        "title": _("Title"),
        "subtitle": _("Subtitle"),
        "edition_label": _("Edition label"),
    }
    return [CoverField(key, names[key], unsent.get(key, get_text(known.get(key)))) for key in COVER_KEYS]


def build_preview(text: str, *, as_viewers: bool = False) -> TextPreview:
    """How a Markdown text reads, or how viewers see it. A very large one is not made while somebody types."""
    if len(text) > html.PREVIEW_MOST:
        sentence = _("The text is too long to be shown while you write. Open the print view to read it.")
        return TextPreview(SafeString(""), (), format_facts(text), sentence)
    shown = _join_blocks(html.render_blocks(text).blocks)
    blocks = tuple(map(_build_viewed_block, html.render_for_player(text))) if as_viewers else None
    return TextPreview(shown, _build_outline(text), format_facts(text), "", blocks)


def _build_viewed_block(block: html.PlayerBlock) -> tuple[SafeString, str]:
    names = {
        "table": _("table"),
        "em": _("italics"),
        "ordered_list": _("numbers"),
        "blockquote": _("quotation"),
        "code": _("code"),
        "s": _("strikethrough"),
        "image": _("image"),
        "hr": _("line"),
        "heading": _("heading below level 3"),
        "bullet_list": _("list with * or +"),
        "strong": _("bold with __"),
    }
    what = ", ".join(names[name] for name in block.lost)
    return _join_blocks([block.html]), _("Shown as signs: %(what)s") % {"what": what} if what else ""


def _join_blocks(blocks: Sequence[str]) -> SafeString:
    return mark_safe("".join(blocks))  # noqa: S308  (cleaned by nh3)


def _build_outline(text: str) -> tuple[OutlineRow, ...]:
    return tuple(OutlineRow(heading.level, heading.text, heading.line) for heading in html.render_blocks(text).headings)


@dataclass(frozen=True)
class PreviewChange:
    """templates/ai_content/_preview_change.html: what a change of the text changes in its preview."""

    removed: str
    """Selects the blocks to remove; "" where there are none."""
    inserted_at: str
    """Where the new blocks are inserted, as a value of `hx-swap-oob`; "" where there are none."""
    html: SafeString
    outline: tuple[OutlineRow, ...] | None
    """All headings where any of them, or its line, has changed; None where none has."""
    facts: str


def build_preview_change(before: str, after: str) -> PreviewChange | None:
    """What differs in the preview of two texts; None where one of them is too long to be shown."""
    if max(len(before), len(after)) > html.PREVIEW_MOST:
        return None
    old, new = html.render_blocks(before).blocks, html.render_blocks(after).blocks
    start, end = _count_equal_ends(old, new)
    added, outline = new[start : len(new) - end], _build_outline(after)
    place = f"afterend:#preview-text > :nth-child({start})" if start else "afterbegin:#preview-text"
    return PreviewChange(
        removed=_select_blocks(start + 1, len(old) - end),
        inserted_at=place if added else "",
        html=_join_blocks(added),
        outline=None if outline == _build_outline(before) else outline,
        facts=format_facts(after),
    )


def _select_blocks(first: int, last: int) -> str:
    """A selector of the blocks `first` to `last` of the preview, counted from 1; "" where there are none."""
    return f"#preview-text > :nth-child(n+{first}):nth-child(-n+{last})" if first <= last else ""


def _count_equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many blocks are equal at the start, and how many of the others at the end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - start
    end = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    return start, end


def format_facts(text: str) -> str:
    """Words, and the minutes they take to read."""
    count = html.count_words(text)
    minutes = max(1, round(count / 220))
    counted = ngettext("%(count)s word", "%(count)s words", count) % {"count": formats.number(count)}
    read = ngettext("%(count)s minute to read", "%(count)s minutes to read", minutes) % {"count": minutes}
    return f"{counted}, {read}"


def _build_drift(editor: Editor, content: BlockContent) -> Drift | None:
    base = get_part(content.base, Block.EBOOK)
    decided = content.draft is not None and content.draft.choice == texts.DECIDED
    if decided or len(get_text(base.get(TEXT))) > html.PREVIEW_MOST or not texts.has_drift(base):
        return None
    from_text = html.list_blocks(html.render_markdown(get_text(base.get(TEXT))))
    from_html = html.list_blocks(get_text(base.get(texts.HTML)))
    lines: list[DriftLine] = []
    for code, a, b, c, d in list_opcodes(from_text, from_html):
        if code == "equal":
            lines += [DriftLine("same", (Piece("same", line),)) for line in from_text[a:b]]
        else:
            lines += _build_sides(from_text[a:b], from_html[c:d])
    return Drift(tuple(_keep_context(lines)), editor.address("keep"))


def _build_sides(texts: list[str], markups: list[str]) -> list[DriftLine]:
    """What differs, each paragraph above its counterpart, with the words marked that are only in one of them."""
    lines = []
    for text, markup in zip_longest(texts, markups):
        pieces = diff_texts(text, markup) if text and markup else ()
        for kind, own, side in (("text", text, "gone"), ("html", markup, "new")):
            if own is not None:
                parts = tuple(piece for piece in pieces if piece.kind in ("same", side))
                whole = "".join(piece.text for piece in parts) == own
                lines.append(DriftLine(kind, parts if whole else (Piece(side, own),)))
    return lines


def _keep_context(lines: list[DriftLine], around: int = 1) -> list[DriftLine]:
    """The differing lines with one same line on each side."""
    near = {at + step for at, line in enumerate(lines) if line.kind != "same" for step in range(-around, around + 1)}
    return [line for at, line in enumerate(lines) if at in near] or lines[:6]


@dataclass(frozen=True)
class EbookPrintPage:
    """templates/ai_content/print.html."""

    title: str
    kicker: str
    subtitle: str
    edition: str
    summary: str
    html: SafeString
    back: str
    lang: str


def build_print_page(editor: Editor, content: BlockContent) -> EbookPrintPage:
    """The eBook as it is typed, ready to be printed: cover, summary, text."""
    values = content.values
    value = values.get(COVER)
    cover = value if isinstance(value, dict) else {}
    base = get_part(content.base, Block.EBOOK)
    try:
        sent = texts.build_outgoing(values, base, content.draft.choice if content.draft else "")
    except texts.Undecided:
        sent = values
    rendered = html.clean_html(get_text(sent.get(texts.HTML)) or html.render_markdown(get_text(values.get(TEXT))))
    return EbookPrintPage(
        title=get_text(cover.get("title")) or editor.document.title,
        kicker=get_text(cover.get("kicker")),
        subtitle=get_text(cover.get("subtitle")),
        edition=get_text(cover.get("edition_label")),
        summary=get_text(values.get(SUMMARY)),
        html=_join_blocks([rendered]),
        back=editor.address("ebook"),
        lang=editor.document.lang,
    )
