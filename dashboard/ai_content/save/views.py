"""Review, save, decide what became of an unconfirmed save, and merge."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from dashboard import clients
from dashboard.ai_content import conflicts, drafts, responses, saving, writes
from dashboard.ai_content import pages as frames
from dashboard.ai_content.decorators import kept, opened
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules.merging import Side
from dashboard.ai_content.rules.package import payload
from dashboard.ai_content.save import pages
from dashboard.ai_content.saving import Outcome, Result
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.writes import outbox
from dashboard.writes.requests import is_current

STATUS = {
    Outcome.BLOCKED: 422,
    Outcome.REFUSED: 422,
    Outcome.BUSY: 409,
    Outcome.OPEN: 409,
    Outcome.UNREACHABLE: 503,
    Outcome.UNCONFIRMED: 504,
}


@require_http_methods(["GET", "POST"])
def save(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """What would leave, and the save itself."""
    view = _send if request.method == "POST" else _review
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@opened
def _review(request: OwnerRequest, editor: Editor) -> HttpResponse:
    return _page(editor)


def _page(editor: Editor, result: Result | None = None, **more: object) -> HttpResponse:
    editor.document.refresh_from_db()
    context = {"shell": frames.frame(editor, "save"), "page": pages.save_page(editor, result), **more}
    status = STATUS.get(result.outcome, 200) if result else 200
    return render(editor.request, "ai_content/save.html", context, status=status)


@kept
def _send(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Send everything. What did not go through is said on the review page, with everything typed still there."""
    if dry_run.asked(request):
        return _dry_run(editor)
    result = saving.save(request, editor.document)
    editor.__dict__.pop("drafts", None)
    if result.outcome is Outcome.CLASH:
        return responses.go(editor, "merge")
    if result.outcome is Outcome.SAVED:
        return _saved(editor, result)
    if result.outcome is Outcome.NOTHING:
        messages.info(request, _("There is nothing to send: the platform has everything."))
        return _onwards(editor)
    if request.htmx:
        _say(editor, result)
        return responses.go(editor, "save")
    return _page(editor, result)


def _dry_run(editor: Editor) -> HttpResponse:
    """The request as it would leave now."""
    try:
        package = drafts.composed(editor.package, editor.drafts)
    except Undecided:
        return _page(editor)
    body = payload(package, str(editor.document.video_id), editor.document.lang or None)
    preview = clients.platform(editor.request).preview(lambda platform: platform.ai_workflow.save_package(body))
    return _page(editor, dry_run=dry_run.show(preview))


def _say(editor: Editor, result: Result) -> None:
    """What the review page, to which a htmx save leads, cannot find out by itself."""
    shown = pages.save_page(editor, result)
    if shown.trouble:
        messages.error(editor.request, f"{shown.trouble} {shown.trouble_next}".strip())


def _saved(editor: Editor, result: Result) -> HttpResponse:
    if result.version is not None:
        editor.opened = conflicts.after_save(editor.opened, result.version)
    if not editor.request.htmx:
        messages.success(editor.request, _("Saved. Viewers get it as soon as it has spread."))
        return _onwards(editor)
    shown = frames.pulse(editor)
    response = responses.parts(editor, ("ai_content/_pulse.html", {"pulse": shown, "answer": True}))
    return trigger_client_event(response, "ai-content:saved")


def _onwards(editor: Editor) -> HttpResponse:
    """Back to the section the save was pressed in."""
    section = editor.request.POST.get("section", "")
    name = section if section in ("ebook", "mindmap", "quiz", "versions") else "language"
    if editor.request.htmx:
        return responses.go(editor, name)
    return redirect(editor.address(name))


@require_POST
@kept
def arrived(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The person says that an unconfirmed save arrived: its drafts are done."""
    write = writes.find_open(editor.document)
    if write is not None and is_current(request, write):
        outbox.confirm(write)
    return _onwards(editor)


@require_POST
@kept
def again(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The person says that an unconfirmed save did not arrive: the same is sent once more."""
    write = writes.find_open(editor.document)
    if write is None or not is_current(request, write):
        return _onwards(editor)
    result = saving.send_again(request, editor.document, write)
    if result.outcome is Outcome.SAVED:
        messages.success(request, _("Saved. Viewers get it as soon as it has spread."))
    elif result.outcome is Outcome.CLASH:
        messages.warning(request, _("Somebody else changed this language after that save. It was not sent again."))
        return responses.go(editor, "merge")
    elif result.outcome in (Outcome.REFUSED, Outcome.UNREACHABLE) and result.error is not None:
        explained = refusals.explain(result.error)
        messages.error(request, explained.whole)
    return _onwards(editor)


@require_http_methods(["GET", "POST"])
@opened
def merge(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Both changes side by side; what both touched is chosen here, nothing is overwritten unseen."""
    left = editor.behind
    if not left:
        return responses.go(editor, "save")
    found = conflicts.clash(editor.opened, left)
    choices = {c.key: Side(request.POST[c.key]) for c in found.conflicts if request.POST.get(c.key) in set(Side)}
    moved_on = request.method == "POST" and request.POST.get("seen") != str(editor.opened.version.pk)
    missing = any(conflict.key not in choices for conflict in found.conflicts)
    if request.method == "GET" or moved_on or missing:
        errors = request.method == "POST" and not moved_on
        page = pages.merge_page(editor, found, choices, errors=errors, moved_on=moved_on)
        status = 200 if request.method == "GET" else 409 if moved_on else 422
        context = {"shell": frames.frame(editor, "merge"), "page": page}
        return render(request, "ai_content/merge.html", context, status=status)
    conflicts.settle(conflicts.clash(editor.opened, left, choices))
    drafts.changed(editor.document, tab="", actor="", place="merged")
    if request.POST.get("then") == "save":
        return _send(request, editor.document.video_id, editor.word)
    messages.success(request, _("Merged into your draft. Look at what changes, then save."))
    return redirect(editor.address("save"))
