"""The eBook: text with preview, summary, cover, and the choice between text and HTML where they differ."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.ai_content.decorators import with_fresh_document, with_stored_document
from dashboard.ai_content.ebook import markdown, pages, patches, texts
from dashboard.ai_content.ebook.paste import LETTERS_MOST, convert_paste
from dashboard.ai_content.ebook.texts import COVER, COVER_KEYS, SUMMARY, TEXT
from dashboard.ai_content.editor import BlockContent, Edit, Editor, StaleForm, describe_block
from dashboard.ai_content.messages import format_ebook_limit
from dashboard.ai_content.pages import Part, redirect_to, render_page, render_parts
from dashboard.ai_content.rules.package import TEXT_MOST, Block, Package, get_mark, get_part, get_text, is_same
from dashboard.ai_content.rules.quiz import apply_typed_text, set_key
from dashboard.platform_api.values import JSON
from dashboard.shared.http import OwnerRequest


@require_http_methods(["GET", "POST"])
def ebook(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """The page, and what its three forms send."""
    view = _store_part if request.method == "POST" else _render_editor
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@with_fresh_document
def _render_editor(request: OwnerRequest, editor: Editor) -> HttpResponse:
    page = pages.build_ebook(editor, editor.get_content(Block.EBOOK))
    return render_page(editor, "ebook", "ai_content/ebook.html", **page)


@with_stored_document
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
    except patches.Mismatch:
        return HttpResponse(status=409)
    except TextTooLong as error:
        return _render_refused(editor, error)
    page = pages.build_ebook(editor, content)
    if not request.htmx:
        return redirect(page["here"])
    listed: list[Part] = [("ai_content/_ebook_kept.html", {**page, "part": name})]
    if name == "text":
        is_patch = "patch_check" in request.POST and not page["as_viewers"]  # refused unless made from the shown text
        text = get_text(content.values.get(TEXT))
        if is_patch and (change := pages.build_preview_change(get_text(text_before), text)):
            listed.append(("ai_content/_preview_change.html", change))
        else:
            listed.append(("ai_content/_preview.html", {"preview": page["preview"], "answer": True}))
    return render_parts(editor, *listed)


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

    Raises `patches.Mismatch` when that is not the text that is there now.
    """
    if "patch_check" not in request.POST:
        return request.POST.get(key, "")
    if request.POST.get("seen") != get_mark(before):
        raise patches.Mismatch
    return patches.apply_patch(get_text(before), request.POST)


def _edit_cover(content: BlockContent, request: OwnerRequest) -> Edit | None:
    """The lines of the cover; other keys of it stay."""
    before = content.values.get(COVER)
    known = before if isinstance(before, dict) else {}
    after: Package = dict(known)
    for key in COVER_KEYS:
        if key in request.POST:
            set_key(after, key, _apply_line(known.get(key), request.POST[key]))
    if is_same(after, known):
        return None
    _check_mark(request, before)
    return _build_edit(content, {**content.values, COVER: after}, "cover")


def _apply_line(before: JSON, typed: str) -> JSON:
    """An absent line stays absent while nothing is written in it."""
    return before if before is None and not typed else apply_typed_text(before, typed)


def _check_mark(request: OwnerRequest, before: JSON) -> None:
    """Raise `StaleForm` where the value has changed since the form was rendered."""
    form_mark = request.POST.get("seen", "")
    if form_mark and form_mark != get_mark(before):
        raise StaleForm


def _build_edit(content: BlockContent, values: Package, code: str, choice: str | None = None) -> Edit:
    typing = code in ("text", "summary", "cover")
    if code == "text" and content.draft is not None and content.draft.choice == texts.EXACT:
        choice = texts.DECIDED  # the text is not that version's any more, so its HTML is not either
    return Edit(
        values,
        code,
        place=describe_block(content),
        before=content.values,
        choice=choice,
        field=code if typing else "",
    )


class TextTooLong(Exception):
    """The text is longer than allowed: the key of the field, and its text."""


def _render_refused(editor: Editor, error: TextTooLong) -> HttpResponse:
    """422: the field with what was typed, and its limit. Nothing is saved."""
    key, typed = error.args
    return _render_unsaved(editor, "text" if key == TEXT else "summary", {key: typed}, {key: format_ebook_limit()})


def _render_stale(editor: Editor, name: str) -> HttpResponse:
    """422: another window changed the field. Shows what was typed, and the text now."""
    posted = editor.request.POST
    keys = ("cover", *COVER_KEYS) if name == "cover" else (TEXT if name == "text" else SUMMARY,)
    typed = {key: posted.get(key, "") for key in keys if key in posted or key == "cover"}
    return _render_unsaved(editor, name, typed)


def _render_unsaved(
    editor: Editor, part: str, typed: dict[str, str], refused: dict[str, str] | None = None
) -> HttpResponse:
    page = pages.build_ebook(editor, editor.get_content(Block.EBOOK), typed, refused)
    if editor.request.htmx:
        return render_parts(editor, ("ai_content/_ebook_stale.html", {**page, "part": part}), status=422)
    return render_page(editor, "ebook", "ai_content/ebook.html", 422, **page)


@require_POST
@with_stored_document
def keep(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Text and HTML disagree: keep the text (the HTML is made from it), or the HTML (the text is made from it)."""
    from_html = request.POST.get("what") == "html"

    def decide(content: BlockContent) -> Edit:
        base = get_part(content.base, Block.EBOOK)
        values = dict(content.values)
        if from_html:
            values[TEXT] = markdown.convert_html(get_text(base.get(texts.HTML)))
        return _build_edit(content, values, "html_kept" if from_html else "markdown_kept", texts.DECIDED)

    editor.edit(Block.EBOOK, decide)
    if from_html:
        messages.success(request, _("The text was generated from the HTML. You can undo this."))
    else:
        messages.success(request, _("The HTML will be generated from the text. You can undo this."))
    return redirect_to(editor, "ebook")


@require_POST
@with_stored_document
def paste(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Markdown of what was copied from a word processor; nothing where plain text says as much. Changes nothing."""
    markup = request.POST.get("html", "")
    text = convert_paste(markup) if len(markup) <= LETTERS_MOST else ""
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
@with_stored_document
def print_(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The eBook for printing, with drafts."""
    content, document = editor.get_content(Block.EBOOK), editor.document
    context = {
        "cover": pages.get_cover(content.values),
        "title": document.title,
        "summary": get_text(content.values.get(SUMMARY)),
        "html": pages.render_book(content),
        "back": editor.address("ebook"),
        "lang": document.lang,
    }
    return render(request, "ai_content/print.html", context)
