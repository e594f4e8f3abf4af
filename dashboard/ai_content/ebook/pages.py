"""What the eBook's templates get."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content.drafts import Working
from dashboard.ai_content.ebook import html, texts
from dashboard.ai_content.ebook.texts import COVER, COVER_KEYS, SUMMARY, TEXT
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules.alignment import opcodes
from dashboard.ai_content.rules.package import Block, Package, mark, part, text_of
from dashboard.ai_content.text_diff import Piece, marked
from dashboard.shared import formats

LARGE = 200_000


@dataclass(frozen=True)
class Field:
    """A text field of the eBook, and the mark of the value it was made from."""

    value: str
    seen: str
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
class Preview:
    """templates/ai_content/_preview.html: how the text reads; `large` says why nothing is shown."""

    html: SafeString
    outline: tuple[OutlineRow, ...]
    facts: str
    large: str


@dataclass(frozen=True)
class Line:
    """One block of text in the difference between Markdown and HTML; `kind` is same, text or html."""

    kind: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Drift:
    """Text and HTML disagree: both, and how they differ."""

    lines: tuple[Line, ...]
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
    text: Field
    summary: Field
    cover: tuple[CoverField, ...]
    cover_seen: str
    cover_stale: bool
    preview: Preview
    drift: Drift | None


def ebook_page(
    editor: Editor, work: Working, typed: dict[str, str] | None = None, refused: dict[str, str] | None = None
) -> EbookPage:
    """The page. `typed` are fields as they were typed here, because another window has changed them meanwhile, or
    because of what `refused` says about them."""
    values, unsent, why = work.values, typed or {}, refused or {}
    return EbookPage(
        address=editor.address("ebook"),
        paste=editor.address("paste"),
        print=editor.address("print"),
        there=bool(values),
        editable=isinstance(values.get(TEXT, ""), str) and isinstance(values.get(COVER, {}), dict),
        text=_field(values, TEXT, unsent, why),
        summary=_field(values, SUMMARY, unsent, why),
        cover=tuple(_cover(values, unsent)),
        cover_seen=mark(values.get(COVER)),
        cover_stale="cover" in unsent,
        preview=preview(text_of(values.get(TEXT))),
        drift=_drift(editor, work),
    )


def _field(values: Package, key: str, unsent: dict[str, str], why: dict[str, str]) -> Field:
    now, error = text_of(values.get(key)), why.get(key, "")
    stale = now if key in unsent and not error else ""
    return Field(unsent.get(key, now), mark(values.get(key)), stale, error)


def _cover(values: Package, unsent: dict[str, str]) -> list[CoverField]:
    found = values.get(COVER)
    known = found if isinstance(found, dict) else {}
    names = {
        "kicker": _("Kicker"),
        "title": _("Title"),
        "subtitle": _("Subtitle"),
        "edition_label": _("Edition label"),
    }
    return [CoverField(key, names[key], unsent.get(key, text_of(known.get(key)))) for key in COVER_KEYS]


def preview(text: str) -> Preview:
    """How a Markdown text reads. A very large one is not made while somebody types."""
    if len(text) > html.PREVIEW_MOST:
        said = _("The text is too long to be shown while you write. Open the print view to read it.")
        return Preview(mark_safe(""), (), facts(text), said)
    return Preview(_join_blocks(html.render_blocks(text).blocks), _build_outline(text), facts(text), "")


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
        facts=facts(after),
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


def facts(text: str) -> str:
    """Words, and the minutes they take to read."""
    count = html.word_count(text)
    minutes = max(1, round(count / 220))
    counted = ngettext("%(count)s word", "%(count)s words", count) % {"count": formats.number(count)}
    read = ngettext("%(count)s minute to read", "%(count)s minutes to read", minutes) % {"count": minutes}
    return f"{counted}, {read}"


def _drift(editor: Editor, work: Working) -> Drift | None:
    base = part(work.base, Block.EBOOK)
    decided = work.draft is not None and work.draft.choice == texts.DECIDED
    if decided or len(text_of(base.get(TEXT))) > html.PREVIEW_MOST or not texts.disagree(base):
        return None
    from_text = html.blocks(html.from_markdown(text_of(base.get(TEXT))))
    from_html = html.blocks(text_of(base.get(texts.HTML)))
    lines: list[Line] = []
    for code, a, b, c, d in opcodes(from_text, from_html):
        if code == "equal":
            lines += [Line("same", (Piece("same", line),)) for line in from_text[a:b]]
        else:
            lines += _sides(from_text[a:b], from_html[c:d])
    return Drift(tuple(_context(lines)), editor.address("keep"))


def _sides(texts: list[str], markups: list[str]) -> list[Line]:
    """What differs, each paragraph above its counterpart, with the words marked that are only in one of them."""
    found = []
    for text, markup in zip_longest(texts, markups):
        pieces = marked(text, markup) if text and markup else ()
        for kind, own, side in (("text", text, "gone"), ("html", markup, "new")):
            if own is not None:
                parts = tuple(piece for piece in pieces if piece.kind in ("same", side))
                whole = "".join(piece.text for piece in parts) == own
                found.append(Line(kind, parts if whole else (Piece(side, own),)))
    return found


def _context(lines: list[Line], around: int = 1) -> list[Line]:
    """The differing lines with one same line on each side."""
    near = {at + step for at, line in enumerate(lines) if line.kind != "same" for step in range(-around, around + 1)}
    return [line for at, line in enumerate(lines) if at in near] or lines[:6]


@dataclass(frozen=True)
class PrintPage:
    """templates/ai_content/print.html."""

    title: str
    kicker: str
    subtitle: str
    edition: str
    summary: str
    html: SafeString
    back: str
    lang: str


def print_page(editor: Editor, work: Working) -> PrintPage:
    """The eBook as it is typed, ready to be printed: cover, summary, text."""
    values = work.values
    found = values.get(COVER)
    cover = found if isinstance(found, dict) else {}
    base = part(work.base, Block.EBOOK)
    try:
        sent = texts.outgoing(values, base, work.draft.choice if work.draft else "")
    except texts.Undecided:
        sent = values
    made = html.clean(text_of(sent.get(texts.HTML)) or html.from_markdown(text_of(values.get(TEXT))))
    return PrintPage(
        title=text_of(cover.get("title")) or editor.document.title,
        kicker=text_of(cover.get("kicker")),
        subtitle=text_of(cover.get("subtitle")),
        edition=text_of(cover.get("edition_label")),
        summary=text_of(values.get(SUMMARY)),
        html=mark_safe(made),  # noqa: S308  (cleaned by nh3)
        back=editor.address("ebook"),
        lang=editor.document.lang,
    )
