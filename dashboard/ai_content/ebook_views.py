"""The eBook: text with preview, summary, cover, and the choice between text and HTML where they differ."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeAlias

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.ai_content import ebook_html, ebook_markdown, pages
from dashboard.ai_content.ebook_html import COVER, COVER_KEYS, SUMMARY, TEXT
from dashboard.ai_content.ebook_markdown import LETTERS_MOST, convert_paste
from dashboard.ai_content.editor import BlockContent, Edit, Editor, StaleForm, replace_block
from dashboard.ai_content.rules.difference import Piece, diff_texts, list_opcodes
from dashboard.ai_content.rules.package import TEXT_MOST, Block, Package, get_mark, get_part, get_text, is_same
from dashboard.ai_content.rules.quiz import apply_typed_text, normalize_line_ends, set_key
from dashboard.platform_api.values import JSON
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest


class Mismatch(Exception):
    """The patch does not fit the stored text: the client sends the whole text."""


def apply_patch(before: str, fields: Mapping[str, str]) -> str:
    """The text after a patch: its first `patch_from` and last `patch_to` UTF-16 units with `patch_text` between them.

    `patch_check` is the CRC-32 of the outcome as UTF-16. Raises `Mismatch` when it is not that.
    """
    units = _encode_units(before)
    start, end = _parse_number(fields.get("patch_from", "")), _parse_number(fields.get("patch_to", ""))
    if 2 * (start + end) > len(units):
        raise Mismatch
    outcome = units[: 2 * start] + _encode_units(fields.get("patch_text", "")) + units[len(units) - 2 * end :]
    if f"{zlib.crc32(outcome):x}" != fields.get("patch_check"):
        raise Mismatch
    return outcome.decode("utf-16-le", "surrogatepass")


def _encode_units(text: str) -> bytes:
    """Text as scripts count it: line ends as \\n, two bytes a unit."""
    return normalize_line_ends(text).encode("utf-16-le", "surrogatepass")


def _parse_number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Mismatch
    return int(text)


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


def _list_cover(values: Package, unsent: dict[str, str]) -> list[tuple[str, str, str]]:
    """The key, name and value of each line of the cover."""
    names = {
        "kicker": _("Kicker"),
        "title": _("Title"),
        "subtitle": _("Subtitle"),
        "edition_label": _("Edition label"),
    }
    return [(key, names[key], unsent.get(key, value)) for key, value in ebook_html.get_cover(values).items()]


def build_preview(text: str, *, as_viewers: bool = False) -> dict[str, Any]:
    """How a Markdown text reads, or how viewers see it. A very large one is not made while somebody types."""
    is_large = len(text) > ebook_html.PREVIEW_MOST
    rendered = ebook_html.render_blocks("" if is_large else text)
    return {
        "html": _join_blocks(rendered.blocks),
        "outline": rendered.headings,
        "facts": format_facts(text),
        "is_large": is_large,
        "blocks": [_build_viewed_block(block) for block in ebook_html.render_for_player(text)]
        if as_viewers and not is_large
        else None,
    }


def _build_viewed_block(block: ebook_html.PlayerBlock) -> tuple[SafeString, str]:
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
    if max(len(before), len(after)) > ebook_html.PREVIEW_MOST:
        return None
    old, new = ebook_html.render_blocks(before), ebook_html.render_blocks(after)
    start, end = _count_equal_ends(old.blocks, new.blocks)
    added = new.blocks[start : len(new.blocks) - end]
    first, last = start + 1, len(old.blocks) - end  # of the blocks to remove, counted from 1
    place = f"afterend:#preview-text > :nth-child({start})" if start else "afterbegin:#preview-text"
    return {
        "removed": f"#preview-text > :nth-child(n+{first}):nth-child(-n+{last})" if first <= last else "",
        "inserted_at": place if added else "",
        "html": _join_blocks(added),
        "outline": None if new.headings == old.headings else new.headings,
        "facts": format_facts(after),
    }


def _count_equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many blocks are equal at the start, and how many of the others at the end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - start
    end = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    return start, end


def format_facts(text: str) -> str:
    """Words, and the minutes they take to read."""
    count = ebook_html.count_words(text)
    minutes = max(1, round(count / 220))
    counted = ngettext("%(count)s word", "%(count)s words", count) % {"count": formats.number(count)}
    read = ngettext("%(count)s minute to read", "%(count)s minutes to read", minutes) % {"count": minutes}
    return f"{counted}, {read}"


def _list_drift(content: BlockContent) -> list[DriftLine]:
    """How text and HTML differ, line by line; empty where they do not, or where somebody has decided."""
    base = get_part(content.base, Block.EBOOK)
    decided = content.draft is not None and content.draft.choice == ebook_html.DECIDED
    if decided or len(get_text(base.get(TEXT))) > ebook_html.PREVIEW_MOST or not ebook_html.has_drift(base):
        return []
    from_text = ebook_html.list_blocks(ebook_html.render_markdown(get_text(base.get(TEXT))))
    from_html = ebook_html.list_blocks(get_text(base.get(ebook_html.HTML)))
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
        sent = ebook_html.build_outgoing(values, base, content.draft.choice if content.draft else "")
    except ebook_html.Undecided:
        sent = values
    markup = get_text(sent.get(ebook_html.HTML)) or ebook_html.render_markdown(get_text(values.get(TEXT)))
    return _join_blocks([ebook_html.clean_html(markup)])


@require_http_methods(["GET", "POST"])
@pages.with_document
def ebook(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The page, and what its three forms send."""
    if request.method == "POST":
        return _store_part(request, editor)
    page = build_ebook(editor, editor.get_content(Block.EBOOK))
    return pages.render_page(editor, "ebook", "ai_content/ebook.html", **page)


def _store_part(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Keep the text, the summary or the cover, whichever form this is."""
    name = request.POST.get("part", "")
    text_before = editor.get_content(Block.EBOOK).values.get(TEXT)
    try:
        content = editor.edit(
            Block.EBOOK, lambda w: _edit_cover(w, request) if name == "cover" else _edit_text(w, name, request)
        )
    except StaleForm:
        return _render_stale(editor, name)
    except Mismatch:
        return HttpResponse(status=409)
    except TextTooLong as error:
        key, typed = error.args
        part, why = "text" if key == TEXT else "summary", {key: pages.format_ebook_limit()}
        return _render_unsaved(editor, part, {key: typed}, why)
    page = build_ebook(editor, content)
    if not request.htmx:
        return redirect(page["here"])
    listed: list[pages.Part] = [("ai_content/_ebook_kept.html", {**page, "part": name})]
    if name == "text":
        is_patch = "patch_check" in request.POST and not page["as_viewers"]  # refused unless made from the shown text
        text = get_text(content.values.get(TEXT))
        if is_patch and (change := build_preview_change(get_text(text_before), text)):
            listed.append(("ai_content/_preview_change.html", change))
        else:
            listed.append(("ai_content/_preview.html", {"preview": page["preview"], "answer": True}))
    return pages.render_parts(editor, *listed)


def _edit_text(content: BlockContent, name: str, request: OwnerRequest) -> Edit | None:
    """The text or the summary as it was typed."""
    key = TEXT if name == "text" else SUMMARY
    before = content.values.get(key)
    after = apply_typed_text(before, _get_typed_text(request, key, before))
    if is_same(after, before):
        return None
    if len(get_text(after)) > TEXT_MOST:
        raise TextTooLong(key, get_text(after))
    _check_mark(request, before)
    values = dict(content.values)
    set_key(values, key, after)
    return _build_edit(content, values, "text" if key == TEXT else "summary")


def _get_typed_text(request: OwnerRequest, key: str, before: JSON) -> str:
    """The text as it was typed; where only what changed was sent, made of it and the text that it was made from.

    Raises `Mismatch` when that is not the text that is there now.
    """
    if "patch_check" not in request.POST:
        return request.POST.get(key, "")
    if request.POST.get("seen") != get_mark(before):
        raise Mismatch
    return apply_patch(get_text(before), request.POST)


def _edit_cover(content: BlockContent, request: OwnerRequest) -> Edit | None:
    """The lines of the cover; other keys of it stay."""
    before = content.values.get(COVER)
    known = before if isinstance(before, dict) else {}
    after: Package = dict(known)
    for key in COVER_KEYS:
        if key in request.POST:
            set_key(after, key, apply_typed_text(known.get(key), request.POST[key]))
    if is_same(after, known):
        return None
    _check_mark(request, before)
    return _build_edit(content, {**content.values, COVER: after}, "cover")


def _check_mark(request: OwnerRequest, before: JSON) -> None:
    """Raise `StaleForm` where the value has changed since the form was rendered."""
    form_mark = request.POST.get("seen", "")
    if form_mark and form_mark != get_mark(before):
        raise StaleForm


def _build_edit(content: BlockContent, values: Package, code: str, choice: str | None = None) -> Edit:
    typing = code in ("text", "summary", "cover")
    if code == "text" and content.draft is not None and content.draft.choice == ebook_html.EXACT:
        choice = ebook_html.DECIDED  # the text is not that version's any more, so its HTML is not either
    return replace_block(content, values, code, choice=choice, field=code if typing else "")


class TextTooLong(Exception):
    """The text is longer than allowed: the key of the field, and its text."""


def _render_stale(editor: Editor, name: str) -> HttpResponse:
    """422: another window changed the field. Shows what was typed, and the text now."""
    posted = editor.request.POST
    keys = ("cover", *COVER_KEYS) if name == "cover" else (TEXT if name == "text" else SUMMARY,)
    typed = {key: posted.get(key, "") for key in keys if key in posted or key == "cover"}
    return _render_unsaved(editor, name, typed)


def _render_unsaved(
    editor: Editor, part: str, typed: dict[str, str], refused: dict[str, str] | None = None
) -> HttpResponse:
    """422: the part with what was typed. Nothing is saved."""
    page = build_ebook(editor, editor.get_content(Block.EBOOK), typed, refused)
    if editor.request.htmx:
        return pages.render_parts(editor, ("ai_content/_ebook_stale.html", {**page, "part": part}), status=422)
    return pages.render_page(editor, "ebook", "ai_content/ebook.html", 422, **page)


@require_POST
@pages.with_stored_document
def keep(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Text and HTML disagree: keep the text (the HTML is made from it), or the HTML (the text is made from it)."""
    from_html = request.POST.get("what") == "html"

    def decide(content: BlockContent) -> Edit:
        base = get_part(content.base, Block.EBOOK)
        values = dict(content.values)
        if from_html:
            values[TEXT] = ebook_markdown.convert_html(get_text(base.get(ebook_html.HTML)))
        return _build_edit(content, values, "html_kept" if from_html else "markdown_kept", ebook_html.DECIDED)

    editor.edit(Block.EBOOK, decide)
    if from_html:
        messages.success(request, _("The text was generated from the HTML. You can undo this."))
    else:
        messages.success(request, _("The HTML will be generated from the text. You can undo this."))
    return pages.redirect_to(editor, "ebook")


@require_POST
@pages.with_stored_document
def paste(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Markdown of what was copied from a word processor; nothing where plain text says as much. Changes nothing."""
    markup = request.POST.get("html", "")
    text = convert_paste(markup) if len(markup) <= LETTERS_MOST else ""
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
@pages.with_stored_document
def print_(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The eBook for printing, with drafts."""
    content, document = editor.get_content(Block.EBOOK), editor.document
    context = {
        "cover": ebook_html.get_cover(content.values),
        "title": document.title,
        "summary": get_text(content.values.get(SUMMARY)),
        "html": render_book(content),
        "back": editor.address("ebook"),
        "lang": document.lang,
    }
    return render(request, "ai_content/print.html", context)
