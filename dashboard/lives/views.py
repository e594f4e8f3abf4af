"""Lives: the list by state, one live on its way to the air, its early start, and its finish."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard import clients
from dashboard.lives import pages, rules, writes
from dashboard.lives.writes import FINISH, LIVES, START
from dashboard.platform_api.errors import BadToken, PlatformError, Refused
from dashboard.platform_api.records.lives import Live
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest, go, go_to_typed, unchanged
from dashboard.shared.listing import listing
from dashboard.upstream import reads
from dashboard.upstream.single_records import Opened, open_thing
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.pages import load_notices, not_offered
from dashboard.writes.requests import is_current


@require_safe
def lives(request: OwnerRequest) -> HttpResponse:
    """Every live with its stage, filtered by the address."""
    if wanted := request.GET.get("id", "").strip():
        return go_to_typed("lives:live", wanted)
    listed, now = listing(lambda: reads.of(request).get(lambda platform: platform.lives.list())), timezone.now()
    presses = writes.load_presses(request.account, listed.found)
    staged = [(live, writes.get_stage(live, presses.get(live.id, writes.NO_PRESSES), now)) for live in listed.found]
    context = {
        "page": pages.lives_page(staged, request.GET.get("state", ""), listed),
        "writes": load_notices(request.account, writes.CREATE, back=request.get_full_path()),
    }
    return render(request, "lives/lives.html", context, status=listed.status)


@require_safe
def live(request: OwnerRequest, live_id: str) -> HttpResponse:
    """One live: its schedule, its stage, and the three steps to the air."""
    return render(request, "lives/live.html", {"page": _page(request, live_id)})


@require_safe
def progress(request: OwnerRequest, live_id: str) -> HttpResponse:
    """The polled part: 204 while nothing changed; without a trigger once nothing moves any more."""
    page = _page(request, live_id)
    if request.GET.get("v") == page.version:
        return unchanged()
    return render(request, "lives/_progress.html", {"page": page})


@require_http_methods(["GET", "POST"])
def start(request: OwnerRequest, live_id: str) -> HttpResponse:
    """The preflight, and the press that starts the live before its time."""
    key = writes.get_next_key(request.account, live_id)
    opened = _open(request, live_id, anew=True)
    found = opened.record
    presses = writes.find_presses(request.account, found)
    last, pressed = presses.start, writes.pressed(found, presses.start)
    stage = writes.get_stage(found, presses, timezone.now())
    page = pages.start_page(found, stage, last)
    context = {"page": page}
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda platform: platform.lives.start(live_id))
        return render(request, "lives/start.html", {**context, "dry_run": dry_run.show(preview)})
    is_repeated = stage is not rules.Stage.SCHEDULED and request.POST.get("seen", "") != page.seen
    if request.method == "POST" and pressed is not None and (is_repeated or not page.allowed):
        return redirect("lives:live", live_id)  # the form came again: its page says what became of the first press
    if request.method == "GET" or not page.allowed:
        return render(request, "lives/start.html", context, status=200 if request.method == "GET" else 409)
    try:
        writes.start_live(request, found, key)
    except PlatformError as error:
        return render(request, "lives/start.html", {**context, "refusal": refusals.explain(error)}, status=422)
    return redirect("lives:live", live_id)


@require_http_methods(["GET", "POST"])
def finish(request: OwnerRequest, live_id: str) -> HttpResponse:
    """What finishing means, and the press that takes the live off the air for good."""
    key = writes.get_next_key(request.account, live_id, FINISH)
    found = _open(request, live_id, anew=True).record
    presses = writes.find_presses(request.account, found)
    page = pages.finish_page(found, writes.get_stage(found, presses, timezone.now()), presses)
    context: dict[str, Any] = {"page": page, "not_offered": not_offered(request.account, FINISH)}
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda platform: platform.lives.finish(live_id))
        return render(request, "lives/finish.html", {**context, "dry_run": dry_run.show(preview)})
    is_repeated = request.POST.get("seen", "") != page.seen
    if request.method == "POST" and writes.finished(presses) is not None and (is_repeated or not page.allowed):
        return redirect("lives:live", live_id)  # the form came again: its page says what became of the first press
    if request.method == "GET" or not page.allowed:
        return render(request, "lives/finish.html", context, status=200 if request.method == "GET" else 409)
    try:
        writes.finish_live(request, found, key)
    except PlatformError as error:
        return render(request, "lives/finish.html", {**context, "refusal": refusals.explain(error)}, status=422)
    return redirect("lives:live", live_id)


@require_POST
def arrived(request: OwnerRequest, live_id: str, operation: str = START) -> HttpResponse:
    """The person says that an unconfirmed start, or finish, was accepted."""
    write = _press_or_404(request, live_id, operation)
    if is_current(request, write):
        outbox.confirm(write)
    return go(request, "lives:live", live_id)


@require_POST
def again(request: OwnerRequest, live_id: str, operation: str = START) -> HttpResponse:
    """The person says that an unconfirmed start, or finish, did not arrive: it is sent once more."""
    write = _press_or_404(request, live_id, operation)
    if is_current(request, write):
        outbox.send_again(write)
        if isinstance(write.raised, BadToken):
            raise write.raised
        if write.state == State.REFUSED and write.raised is not None:
            explained = refusals.explain(write.raised)
            messages.error(request, explained.whole)
    return go(request, "lives:live", live_id)


def _press_or_404(request: OwnerRequest, live_id: str, operation: str) -> Write:
    write = writes.find_press(request.account, live_id, operation)
    if write is None:
        raise Http404
    return write


def _open(request: OwnerRequest, live_id: str, *, anew: bool = False) -> Opened[Live]:
    """What is known of the live. What the platform does not take for an identifier is nothing that exists."""
    reader = reads.anew(request) if anew else reads.of(request)
    try:
        return open_thing(reader.get, LIVES, live_id)
    except Refused as error:
        raise Http404 from error


def _page(request: OwnerRequest, live_id: str) -> pages.LivePage:
    opened = _open(request, live_id)
    return pages.live_page(opened, writes.find_presses(request.account, opened.record), timezone.now())
