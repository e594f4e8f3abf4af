"""Review, save, confirm or resend an unconfirmed save, and merge."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from dashboard.ai_content import conflicts, drafts
from dashboard.ai_content.decorators import with_fresh_document, with_known_document
from dashboard.ai_content.ebook.texts import Undecided
from dashboard.ai_content.editor import Editor, compose
from dashboard.ai_content.messages import group_changes
from dashboard.ai_content.pages import build_pulse, redirect_to, render_page, render_parts
from dashboard.ai_content.rules.merge import Side
from dashboard.ai_content.rules.package import build_payload
from dashboard.ai_content.save import pages, submit
from dashboard.ai_content.save.queries import find_open
from dashboard.ai_content.versions.store import build_spreading
from dashboard.ai_content.writes import SaveOutcome, SaveResult
from dashboard.shared import dry_run, formats, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.requests import is_current

STATUS = {
    SaveOutcome.BLOCKED: 422,
    SaveOutcome.REFUSED: 422,
    SaveOutcome.BUSY: 409,
    SaveOutcome.OPEN: 409,
    SaveOutcome.UNREACHABLE: 503,
    SaveOutcome.UNCONFIRMED: 504,
}


@require_http_methods(["GET", "POST"])
def save(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """The review page, and the save."""
    view = _send if request.method == "POST" else _render_review
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@with_fresh_document
def _render_review(request: OwnerRequest, editor: Editor) -> HttpResponse:
    return _render_page(editor)


def _render_page(editor: Editor, result: SaveResult | None = None, **more: object) -> HttpResponse:
    editor.document.refresh_from_db()
    status = STATUS.get(result.outcome, 200) if result else 200
    return render_page(editor, "save", "ai_content/save.html", status, **pages.build_review(editor, result), **more)


@with_known_document
def _send(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Save; errors are shown on the review page, drafts stay."""
    if dry_run.asked(request):
        return _render_dry_run(editor)
    result = submit.save_drafts(request, editor.document)
    editor.reload_drafts()
    if result.outcome is SaveOutcome.CLASH:
        return redirect_to(editor, "merge")
    if result.outcome is SaveOutcome.SAVED:
        return _render_saved(editor, result)
    if result.outcome is SaveOutcome.NOTHING:
        messages.info(request, _("No changes to send."))
        return _redirect_back(editor)
    if result.outcome is SaveOutcome.SENDING:  # the page says so, and follows
        return _redirect_back(editor)
    if request.htmx:
        _add_message(editor, result)
        return redirect_to(editor, "save")
    return _render_page(editor, result)


def _render_dry_run(editor: Editor) -> HttpResponse:
    """Show the request without sending it."""
    try:
        package = compose(editor.package, editor.drafts)
    except Undecided:
        return _render_page(editor)
    body = build_payload(package, str(editor.document.video_id), editor.document.lang or None)
    preview = clients.platform(editor.request).preview(lambda platform: platform.ai_workflow.save_package(body))
    return _render_page(editor, dry_run=dry_run.show(preview))


def _add_message(editor: Editor, result: SaveResult) -> None:
    """Add a message with the error, which the review page after a redirect does not know."""
    trouble, trouble_next = pages.format_trouble(result)
    if trouble:
        messages.error(editor.request, f"{trouble} {trouble_next}".strip())


def _render_saved(editor: Editor, result: SaveResult) -> HttpResponse:
    if result.version is not None:
        editor.opened = build_spreading(editor.opened, result.version)
    if not editor.request.htmx:
        messages.success(editor.request, _("Saved. Viewers will get it soon."))
        return _redirect_back(editor)
    pulse = build_pulse(editor)
    response = render_parts(editor, ("ai_content/_pulse.html", {"pulse": pulse, "answer": True}))
    return trigger_client_event(response, "ai-content:saved")


def _redirect_back(editor: Editor) -> HttpResponse:
    """Redirect to the section where Save was pressed."""
    section = editor.request.POST.get("section", "")
    name = section if section in ("ebook", "mindmap", "quiz", "versions") else "language"
    if editor.request.htmx:
        return redirect_to(editor, name)
    return redirect(editor.address(name))


@require_POST
@with_known_document
def arrived(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Confirm that an unconfirmed save arrived."""
    write = find_open(editor.document)
    if write is not None and is_current(request, write):
        outbox.confirm(write)
    return _redirect_back(editor)


@require_POST
@with_known_document
def again(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Resend an unconfirmed save that did not arrive."""
    write = find_open(editor.document)
    if write is None or not is_current(request, write):
        return _redirect_back(editor)
    result = submit.resend(request, editor.document, write)
    if result.outcome is SaveOutcome.SAVED:
        messages.success(request, _("Saved. Viewers will get it soon."))
    elif result.outcome is SaveOutcome.CLASH:
        messages.warning(request, _("Somebody else changed this language after that save. It was not sent again."))
        return redirect_to(editor, "merge")
    elif result.outcome in (SaveOutcome.REFUSED, SaveOutcome.UNREACHABLE) and result.error is not None:
        explained = refusals.explain(result.error)
        messages.error(request, explained.whole)
    return _redirect_back(editor)


@require_http_methods(["GET", "POST"])
@with_fresh_document
def merge(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Merge drafts with somebody else's change; conflicts are decided on this page."""
    left = editor.behind
    if not left:
        return redirect_to(editor, "save")
    clash = conflicts.build_clash(editor.opened, left)
    choices = {c.key: Side(request.POST[c.key]) for c in clash.conflicts if request.POST.get(c.key) in set(Side)}
    moved_on = request.method == "POST" and request.POST.get("seen") != str(editor.opened.version.pk)
    missing = any(conflict.key not in choices for conflict in clash.conflicts)
    if request.method == "GET" or moved_on or missing:
        questions, errors = pages.build_questions(clash, choices), request.method == "POST" and not moved_on
        return render_page(
            editor,
            "merge",
            "ai_content/merge.html",
            200 if request.method == "GET" else 409 if moved_on else 422,
            theirs=group_changes(clash.theirs),
            mine=group_changes(change for each in clash.blocks for change in each.mine),
            questions=questions,
            errors=errors,
            missing=[each for each in questions if errors and each.side is None],
            moved_on=moved_on,
            when=formats.moment(editor.opened.version.at, "short"),
        )
    conflicts.settle_clash(conflicts.build_clash(editor.opened, left, choices))
    drafts.note_change(editor.document, tab="", actor="", place="merged")
    if request.POST.get("then") == "save":
        return _send(request, editor.document.video_id, editor.word)
    messages.success(request, _("Merged into your draft. Review the changes, then save."))
    return redirect(editor.address("save"))
