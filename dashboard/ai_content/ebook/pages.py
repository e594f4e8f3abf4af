"""Pages of the eBook."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeAlias

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

VIEWERS = "viewers"
"""Value of `view` in the address: the preview is what the player shows."""


DriftLine: TypeAlias = tuple[str, tuple[Piece, ...]]
"""One block of text in the difference between Markdown and HTML: same, text or html, and its pieces."""


@dataclass(frozen=True)
class EbookField:
    """A text field of the eBook, and the mark of the value it was made from."""

    value: str
    mark: str
    stale: str
    """What it says now, when another window changed it while this was typed."""
    error: str = ""
    """Why what was typed was not kept."""


def build_ebook(
    editor: Editor, content: BlockContent, typed: dict[str, str] | None = None, refused: dict[str, str] | None = None
) -> dict[str, Any]:
    """What templates/ai_content/ebook.html shows.

    `typed` are fields as they were typed here, because another window has changed them meanwhile, or because of what
    `refused` says about them.
    """
    values, unsent, why = content.values, typed or {}, refused or {}
    as_viewers = editor.request.GET.get("view") == VIEWERS
    return {
        "here": editor.address("ebook") + (f"?view={VIEWERS}" if as_viewers else ""),
        "is_there": bool(values),
        "is_editable": isinstance(values.get(TEXT, ""), str) and isinstance(values.get(COVER, {}), dict),
        "text": _build_field(values, TEXT, unsent, why),
        "summary": _build_field(values, SUMMARY, unsent, why),
        "cover": _list_cover(values, unsent),
        "cover_mark": get_mark(values.get(COVER)),
        "cover_stale": "cover" in unsent,
        "preview": build_preview(get_text(values.get(TEXT)), as_viewers=as_viewers),
        "as_viewers": as_viewers,
        "drift": _list_drift(content),
    }


def _build_field(values: Package, key: str, unsent: dict[str, str], why: dict[str, str]) -> EbookField:
    now, error = get_text(values.get(key)), why.get(key, "")
    stale = now if key in unsent and not error else ""
    return EbookField(unsent.get(key, now), get_mark(values.get(key)), stale, error)


def get_cover(values: Package) -> dict[str, str]:
    """The lines of the cover; "" for those that it lacks."""
    value = values.get(COVER)
    known = value if isinstance(value, dict) else {}
    return {key: get_text(known.get(key)) for key in COVER_KEYS}


def _list_cover(values: Package, unsent: dict[str, str]) -> list[tuple[str, str, str]]:
    """The key, name and value of each line of the cover."""
    names = {
        "kicker": _("Kicker"),
        "title": _("Title"),
        "subtitle": _("Subtitle"),
        "edition_label": _("Edition label"),
    }
    return [(key, names[key], unsent.get(key, value)) for key, value in get_cover(values).items()]


def build_preview(text: str, *, as_viewers: bool = False) -> dict[str, Any]:
    """How a Markdown text reads, or how viewers see it. A very large one is not made while somebody types."""
    is_large = len(text) > html.PREVIEW_MOST
    rendered = html.render_blocks("" if is_large else text)
    return {
        "html": _join_blocks(rendered.blocks),
        "outline": rendered.headings,
        "facts": format_facts(text),
        "is_large": is_large,
        "blocks": [_build_viewed_block(block) for block in html.render_for_player(text)]
        if as_viewers and not is_large
        else None,
    }


def _build_viewed_block(block: html.PlayerBlock) -> tuple[SafeString, str]:
    """A block as viewers see it, and what of it is shown as signs."""
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


def build_preview_change(before: str, after: str) -> dict[str, Any] | None:
    """What templates/ai_content/_preview_change.html changes in the preview; None where a text is too long to be shown.

    `removed` selects the blocks to remove, `inserted_at` is a value of `hx-swap-oob`, both "" where there are none; all
    headings are the `outline` where any of them, or its line, has changed.
    """
    if max(len(before), len(after)) > html.PREVIEW_MOST:
        return None
    old, new = html.render_blocks(before), html.render_blocks(after)
    start, end = _count_equal_ends(old.blocks, new.blocks)
    added = new.blocks[start : len(new.blocks) - end]
    place = f"afterend:#preview-text > :nth-child({start})" if start else "afterbegin:#preview-text"
    return {
        "removed": _select_blocks(start + 1, len(old.blocks) - end),
        "inserted_at": place if added else "",
        "html": _join_blocks(added),
        "outline": None if new.headings == old.headings else new.headings,
        "facts": format_facts(after),
    }


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


def _list_drift(content: BlockContent) -> list[DriftLine]:
    """How text and HTML differ, line by line; empty where they do not, or where somebody has decided."""
    base = get_part(content.base, Block.EBOOK)
    decided = content.draft is not None and content.draft.choice == texts.DECIDED
    if decided or len(get_text(base.get(TEXT))) > html.PREVIEW_MOST or not texts.has_drift(base):
        return []
    from_text = html.list_blocks(html.render_markdown(get_text(base.get(TEXT))))
    from_html = html.list_blocks(get_text(base.get(texts.HTML)))
    lines: list[DriftLine] = []
    for code, a, b, c, d in list_opcodes(from_text, from_html):
        if code == "equal":
            lines += [("same", (Piece("same", line),)) for line in from_text[a:b]]
        else:
            lines += _build_sides(from_text[a:b], from_html[c:d])
    return _keep_context(lines)


def _build_sides(texts: list[str], markups: list[str]) -> list[DriftLine]:
    """What differs, each paragraph above its counterpart, with the words marked that are only in one of them."""
    lines: list[DriftLine] = []
    for text, markup in zip_longest(texts, markups):
        pieces = diff_texts(text, markup) if text and markup else ()
        for kind, own, side in (("text", text, "gone"), ("html", markup, "new")):
            if own is not None:
                parts = tuple(piece for piece in pieces if piece.kind in ("same", side))
                whole = "".join(piece.text for piece in parts) == own
                lines.append((kind, parts if whole else (Piece(side, own),)))
    return lines


def _keep_context(lines: list[DriftLine], around: int = 1) -> list[DriftLine]:
    """The differing lines with one same line on each side."""
    near = {at + step for at, line in enumerate(lines) if line[0] != "same" for step in range(-around, around + 1)}
    return [line for at, line in enumerate(lines) if at in near] or lines[:6]


def render_book(content: BlockContent) -> SafeString:
    """The HTML of the eBook as it is typed, ready to be printed."""
    values = content.values
    base = get_part(content.base, Block.EBOOK)
    try:
        sent = texts.build_outgoing(values, base, content.draft.choice if content.draft else "")
    except texts.Undecided:
        sent = values
    markup = get_text(sent.get(texts.HTML)) or html.render_markdown(get_text(values.get(TEXT)))
    return _join_blocks([html.clean_html(markup)])
