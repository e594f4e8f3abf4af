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
def _review(request: OwnerRequest, hand: Editor) -> HttpResponse:
    return _page(hand)


def _page(hand: Editor, result: Result | None = None, **more: object) -> HttpResponse:
    hand.document.refresh_from_db()
    context = {"shell": frames.frame(hand, "save"), "page": pages.save_page(hand, result), **more}
    status = STATUS.get(result.outcome, 200) if result else 200
    return render(hand.request, "ai_content/save.html", context, status=status)


@kept
def _send(request: OwnerRequest, hand: Editor) -> HttpResponse:
    """Send everything. What did not go through is said on the review page, with everything typed still there."""
    if dry_run.asked(request):
        return _dry_run(hand)
    result = saving.save(request, hand.document)
    hand.__dict__.pop("drafts", None)
    if result.outcome is Outcome.CLASH:
        return responses.go(hand, "merge")
    if result.outcome is Outcome.SAVED:
        return _saved(hand, result)
    if result.outcome is Outcome.NOTHING:
        messages.info(request, _("There is nothing to send: the platform has everything."))
        return _onwards(hand)
    if request.htmx:
        _say(hand, result)
        return responses.go(hand, "save")
    return _page(hand, result)


def _dry_run(hand: Editor) -> HttpResponse:
    """The request as it would leave now."""
    try:
        package = drafts.composed(hand.package, hand.drafts)
    except Undecided:
        return _page(hand)
    body = payload(package, str(hand.document.video_id), hand.document.lang or None)
    preview = clients.platform(hand.request).preview(lambda platform: platform.ai_workflow.save_package(body))
    return _page(hand, dry_run=dry_run.show(preview))


def _say(hand: Editor, result: Result) -> None:
    """What the review page, to which a htmx save leads, cannot find out by itself."""
    shown = pages.save_page(hand, result)
    if shown.trouble:
        messages.error(hand.request, f"{shown.trouble} {shown.trouble_next}".strip())


def _saved(hand: Editor, result: Result) -> HttpResponse:
    if result.version is not None:
        hand.opened = conflicts.after_save(hand.opened, result.version)
    if not hand.request.htmx:
        messages.success(hand.request, _("Saved. Viewers get it as soon as it has spread."))
        return _onwards(hand)
    shown = frames.pulse(hand)
    response = responses.parts(hand, ("ai_content/_pulse.html", {"pulse": shown, "answer": True}))
    return trigger_client_event(response, "ai-content:saved")


def _onwards(hand: Editor) -> HttpResponse:
    """Back to the section the save was pressed in."""
    section = hand.request.POST.get("section", "")
    name = section if section in ("ebook", "mindmap", "quiz", "versions") else "language"
    if hand.request.htmx:
        return responses.go(hand, name)
    return redirect(hand.address(name))


@require_POST
@kept
def arrived(request: OwnerRequest, hand: Editor) -> HttpResponse:
    """The person says that an unconfirmed save arrived: its drafts are done."""
    write = writes.find_open(hand.document)
    if write is not None and is_current(request, write):
        outbox.confirm(write)
    return _onwards(hand)


@require_POST
@kept
def again(request: OwnerRequest, hand: Editor) -> HttpResponse:
    """The person says that an unconfirmed save did not arrive: the same is sent once more."""
    write = writes.find_open(hand.document)
    if write is None or not is_current(request, write):
        return _onwards(hand)
    result = saving.send_again(request, hand.document, write)
    if result.outcome is Outcome.SAVED:
        messages.success(request, _("Saved. Viewers get it as soon as it has spread."))
    elif result.outcome is Outcome.CLASH:
        messages.warning(request, _("Somebody else changed this language after that save. It was not sent again."))
        return responses.go(hand, "merge")
    elif result.outcome in (Outcome.REFUSED, Outcome.UNREACHABLE) and result.error is not None:
        explained = refusals.explain(result.error)
        messages.error(request, explained.whole)
    return _onwards(hand)


@require_http_methods(["GET", "POST"])
@opened
def merge(request: OwnerRequest, hand: Editor) -> HttpResponse:
    """Both changes side by side; what both touched is chosen here, nothing is overwritten unseen."""
    left = hand.behind
    if not left:
        return responses.go(hand, "save")
    found = conflicts.clash(hand.opened, left)
    choices = {c.key: Side(request.POST[c.key]) for c in found.conflicts if request.POST.get(c.key) in set(Side)}
    moved_on = request.method == "POST" and request.POST.get("seen") != str(hand.opened.version.pk)
    missing = any(conflict.key not in choices for conflict in found.conflicts)
    if request.method == "GET" or moved_on or missing:
        errors = request.method == "POST" and not moved_on
        page = pages.merge_page(hand, found, choices, errors=errors, moved_on=moved_on)
        status = 200 if request.method == "GET" else 409 if moved_on else 422
        context = {"shell": frames.frame(hand, "merge"), "page": page}
        return render(request, "ai_content/merge.html", context, status=status)
    conflicts.settle(conflicts.clash(hand.opened, left, choices))
    drafts.changed(hand.document, tab="", actor="", place="merged")
    if request.POST.get("then") == "save":
        return _send(request, hand.document.video_id, hand.word)
    messages.success(request, _("Merged into your draft. Look at what changes, then save."))
    return redirect(hand.address("save"))
