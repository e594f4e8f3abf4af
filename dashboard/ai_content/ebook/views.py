"""The eBook: its text with a live preview, its summary, its cover, and the choice between a text and an HTML that differ."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.ai_content import drafts, responses, undo_steps
from dashboard.ai_content import messages as sentences
from dashboard.ai_content import pages as frames
from dashboard.ai_content.decorators import opened, resumed
from dashboard.ai_content.drafts import Made, Working
from dashboard.ai_content.ebook import markdown, pages, pasted, patches, texts
from dashboard.ai_content.ebook.texts import COVER, COVER_KEYS, SUMMARY, TEXT
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules.package import JSON, TEXT_MOST, Block, Package, mark, part, same, text_of
from dashboard.ai_content.rules.quiz import kept_text, put
from dashboard.shared.http import OwnerRequest


@require_http_methods(["GET", "POST"])
def ebook(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """The page, and what its three forms send."""
    view = _keep if request.method == "POST" else _show
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@opened
def _show(request: OwnerRequest, editor: Editor) -> HttpResponse:
    return _page(editor, editor.working(Block.EBOOK))


@resumed
def _keep(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Keep the text, the summary or the cover, whichever form this is."""
    name = request.POST.get("part", "")
    shown = editor.working(Block.EBOOK).values.get(TEXT)
    try:
        work = editor.edit(Block.EBOOK, lambda w: _cover(w, request) if name == "cover" else _text(w, name, request))
    except drafts.Stale:
        return _stale(editor, name)
    except patches.Mismatch:
        return HttpResponse(status=409)
    except TooLong as error:
        return _refused(editor, error)
    if not request.htmx:
        return responses.go(editor, "ebook")
    marks = pages.ebook_page(editor, work)
    listed: list[responses.Part] = [("ai_content/_ebook_kept.html", {"page": marks, "part": name})]
    if name == "text":
        changed = "patch_check" in request.POST  # refused unless made from the shown text
        listed.append(_preview_part(marks.preview, text_of(shown) if changed else None, text_of(work.values.get(TEXT))))
    return responses.parts(editor, *listed)


def _preview_part(preview: pages.Preview, shown: str | None, text: str) -> responses.Part:
    """The preview of `text`, or only what changes in the editor's preview, which stands for the text `shown`."""
    if shown is not None and (change := pages.build_preview_change(shown, text)):
        return "ai_content/_preview_change.html", {"change": change}
    return "ai_content/_preview.html", {"preview": preview, "answer": True}


def _text(work: Working, name: str, request: OwnerRequest) -> Made | None:
    """The text or the summary as it was typed."""
    key = TEXT if name == "text" else SUMMARY
    before = work.values.get(key)
    after = kept_text(before, _typed(request, key, before))
    if same(after, before):
        return None
    if len(text_of(after)) > TEXT_MOST:
        raise TooLong(key, text_of(after))
    _check(request, before)
    values = dict(work.values)
    put(values, key, after)
    return _made(work, values, "text" if key == TEXT else "summary")


def _typed(request: OwnerRequest, key: str, before: JSON) -> str:
    """The text as it was typed; where only what changed was sent, made of it and the text that it was made from.

    Raises `patches.Mismatch` when that is not the text that is there now.
    """
    if "patch_check" not in request.POST:
        return request.POST.get(key, "")
    if request.POST.get("seen") != mark(before):
        raise patches.Mismatch
    return patches.patched(text_of(before), request.POST)


def _cover(work: Working, request: OwnerRequest) -> Made | None:
    """The lines of the cover; other keys of it stay."""
    before = work.values.get(COVER)
    known = before if isinstance(before, dict) else {}
    after: Package = dict(known)
    for key in COVER_KEYS:
        if key in request.POST:
            put(after, key, _line(known.get(key), request.POST[key]))
    if same(after, known):
        return None
    _check(request, before)
    return _made(work, {**work.values, COVER: after}, "cover")


def _line(before: JSON, typed: str) -> JSON:
    """An absent line stays absent while nothing is written in it."""
    return before if before is None and not typed else kept_text(before, typed)


def _check(request: OwnerRequest, before: JSON) -> None:
    """Raises `Stale` when the form was made from something else than what is there now."""
    seen = request.POST.get("seen", "")
    if seen and seen != mark(before):
        raise drafts.Stale


def _made(work: Working, values: Package, code: str, choice: str | None = None) -> Made:
    typing = code in ("text", "summary", "cover")
    if code == "text" and work.draft is not None and work.draft.choice == texts.EXACT:
        choice = texts.DECIDED  # the text is not that version's any more, so its HTML is not either
    return Made(
        values,
        code,
        place=undo_steps.whole(work),
        before=work.values,
        choice=choice,
        one_place=code if typing else "",
    )


class TooLong(Exception):
    """More was typed than an eBook may have: the key of the field, and what is in it."""


def _refused(editor: Editor, error: TooLong) -> HttpResponse:
    """The field with what was typed, and how long it may be. Nothing of it is kept here."""
    key, typed = error.args
    work, refused = editor.working(Block.EBOOK), {key: sentences.ebook_too_long()}
    if editor.request.htmx:
        shown = pages.ebook_page(editor, work, {key: typed}, refused)
        part = {"page": shown, "part": "text" if key == TEXT else "summary"}
        return responses.parts(editor, ("ai_content/_ebook_stale.html", part), status=422)
    return _page(editor, work, {key: typed}, status=422, refused=refused)


def _stale(editor: Editor, name: str) -> HttpResponse:
    """Another window changed the field: the page with what was typed, and what it says now."""
    posted = editor.request.POST
    keys = ("cover", *COVER_KEYS) if name == "cover" else (TEXT if name == "text" else SUMMARY,)
    typed = {key: posted.get(key, "") for key in keys if key in posted or key == "cover"}
    if editor.request.htmx:
        shown = pages.ebook_page(editor, editor.working(Block.EBOOK), typed)
        return responses.parts(editor, ("ai_content/_ebook_stale.html", {"page": shown, "part": name}), status=422)
    return _page(editor, editor.working(Block.EBOOK), typed, status=422)


def _page(
    editor: Editor,
    work: Working,
    typed: dict[str, str] | None = None,
    status: int = 200,
    refused: dict[str, str] | None = None,
) -> HttpResponse:
    context = {"shell": frames.frame(editor, "ebook"), "page": pages.ebook_page(editor, work, typed, refused)}
    return render(editor.request, "ai_content/ebook.html", context, status=status)


@require_POST
@resumed
def keep(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Text and HTML disagree: keep the text (the HTML is made from it), or the HTML (the text is made from it)."""
    from_html = request.POST.get("what") == "html"

    def decide(work: Working) -> Made:
        base = part(work.base, Block.EBOOK)
        values = dict(work.values)
        if from_html:
            values[TEXT] = markdown.from_html(text_of(base.get(texts.HTML)))
        return _made(work, values, "html_kept" if from_html else "markdown_kept", texts.DECIDED)

    editor.edit(Block.EBOOK, decide)
    if from_html:
        messages.success(request, _("The text is made from the HTML now. Undo takes it back."))
    else:
        messages.success(request, _("The HTML will be made from the text. Undo takes it back."))
    return responses.go(editor, "ebook")


@require_POST
@resumed
def paste(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Markdown of what was copied from a word processor; nothing where plain text says as much. Changes nothing."""
    markup = request.POST.get("html", "")
    text = pasted.to_markdown(markup) if len(markup) <= pasted.LETTERS_MOST else ""
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
@resumed
def print_(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The eBook on paper, drafts included."""
    return render(request, "ai_content/print.html", {"page": pages.print_page(editor, editor.working(Block.EBOOK))})
