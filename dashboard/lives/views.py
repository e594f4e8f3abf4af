"""Lives: the list by stage, the page of one live, its early start and its finish."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.lives import writes
from dashboard.lives.pages import LiveState, get_badge
from dashboard.lives.rules import Stage
from dashboard.lives.writes import FINISH, START
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken, PlatformError, Refused
from dashboard.platform_api.lives import Live
from dashboard.shared import http, refusals
from dashboard.shared.http import OwnerRequest, allow_media, go, go_to_typed, unchanged
from dashboard.shared.refusals import listing
from dashboard.upstream import clients, reads
from dashboard.upstream.single_records import Opened
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.pages import load_notices, not_offered
from dashboard.writes.requests import is_current


@require_safe
def lives(request: OwnerRequest) -> HttpResponse:
    """All lives with their stages; `?state=` filters, `?id=` opens one."""
    if live_id := request.GET.get("id", "").strip():
        return go_to_typed("lives:live", live_id)
    result, now = listing(lambda: reads.of(request).get(lambda platform: platform.lives.list())), timezone.now()
    sent_writes = writes.load_sent_writes(request.account, result.found)
    states = [LiveState(live, sent_writes.get(live.id, writes.NOTHING_SENT), now) for live in result.found]
    counts = Counter(state.stage for state in states)
    chosen = request.GET.get("state", "")
    context = {
        "page": result,
        "states": sorted((state for state in states if chosen in ("", state.stage)), key=lambda state: state.order),
        "stages": [(stage, get_badge(stage)[0], counts[stage]) for stage in Stage if counts[stage]],
        "chosen": chosen,
        "writes": load_notices(request.account, writes.CREATE, back=request.get_full_path()),
    }
    return render(request, "lives/lives.html", context, status=result.status)


@require_safe
def live(request: OwnerRequest, live_id: str) -> HttpResponse:
    """One live: its schedule, its stage, and the three steps until it is on air."""
    context = _build_context(request, live_id)
    return allow_media(render(request, "lives/live.html", context), context["live"].thumbnail_url)


@require_safe
def progress(request: OwnerRequest, live_id: str) -> HttpResponse:
    """The polled part: 204 while nothing changed; it stops polling once the stage can no longer change by itself."""
    context = _build_context(request, live_id)
    if request.GET.get("v") == context["state"].version:
        return unchanged()
    return render(request, "lives/_progress.html", context)


@require_http_methods(["GET", "POST"])
def start(request: OwnerRequest, live_id: str) -> HttpResponse:
    """The conditions of an early start; posted, starts the live before its time."""
    return _confirm_and_send(request, live_id, START, lambda platform: platform.lives.start(live_id))


@require_http_methods(["GET", "POST"])
def finish(request: OwnerRequest, live_id: str) -> HttpResponse:
    """What finishing means; posted, finishes the live for good."""
    return _confirm_and_send(request, live_id, FINISH, lambda platform: platform.lives.finish(live_id))


def _confirm_and_send(
    request: OwnerRequest, live_id: str, operation: str, call: Callable[[Operations], object]
) -> HttpResponse:
    """The page that asks before a live is started or finished, its dry run (of `call`), and the request itself.

    A form that is posted again after its first post was sent leads to the live, whose page shows the result.
    """
    key = writes.get_next_key(request.account, live_id, operation)
    live = _open_live(request, live_id, fresh=True).record
    state = LiveState(live, writes.find_sent_writes(request.account, live), timezone.now())
    if operation == START:
        template, allowed, attempt, last = "lives/start.html", state.can_start, state.start, state.sent_writes.start
    else:
        template, allowed, attempt, last = "lives/finish.html", state.can_finish, state.finish, state.sent_writes.finish
    seen = str(last.pk) if last else ""  # a form that is posted a second time has an older one
    context: dict[str, Any] = {"state": state, "live": live, "seen": seen}
    context["not_offered"] = not_offered(request.account, operation)
    if http.is_dry_run(request):
        return render(
            request, template, {**context, "dry_run": http.show_request(clients.platform(request).preview(call))}
        )
    is_posted, is_repeated = request.method == "POST", request.POST.get("seen", "") != seen
    if is_posted and attempt is not None and (is_repeated or not allowed):
        return redirect("lives:live", live_id)
    if not is_posted or not allowed:
        return render(request, template, context, status=409 if is_posted else 200)
    try:
        (writes.start_live if operation == START else writes.finish_live)(request, live, key)
    except PlatformError as error:
        return render(request, template, {**context, "refusal": refusals.explain(error)}, status=422)
    return redirect("lives:live", live_id)


@require_POST
def arrived(request: OwnerRequest, live_id: str, operation: str = START) -> HttpResponse:
    """Confirm an unconfirmed start or finish on the word of its author."""
    write = _get_write_or_404(request, live_id, operation)
    if is_current(request, write):
        outbox.confirm(write)
    return go(request, "lives:live", live_id)


@require_POST
def again(request: OwnerRequest, live_id: str, operation: str = START) -> HttpResponse:
    """Send an unconfirmed start or finish again; its author says that it did not arrive."""
    write = _get_write_or_404(request, live_id, operation)
    if is_current(request, write):
        outbox.send_again(write)
        if isinstance(write.raised, BadToken):
            raise write.raised
        if write.state == State.REFUSED and write.raised is not None:
            explained = refusals.explain(write.raised)
            messages.error(request, explained.whole)
    return go(request, "lives:live", live_id)


def _get_write_or_404(request: OwnerRequest, live_id: str, operation: str) -> Write:
    write = writes.find_last_write(request.account, live_id, operation)
    if write is None:
        raise Http404
    return write


def _open_live(request: OwnerRequest, live_id: str, *, fresh: bool = False) -> Opened[Live]:
    """Read the live, past the cache with `fresh`. Raises `Http404` for an id that the platform refuses."""
    reader = reads.anew(request) if fresh else reads.of(request)
    try:
        return writes.open_live(reader.get, request.account, live_id)
    except Refused as error:
        raise Http404 from error


def _build_context(request: OwnerRequest, live_id: str) -> dict[str, Any]:
    """templates/lives/live.html and its polled part."""
    opened = _open_live(request, live_id)
    state = LiveState(opened.record, writes.find_sent_writes(request.account, opened.record), timezone.now())
    trouble = refusals.explain(opened.error, reading=True).sentence if opened.error else ""
    return {"state": state, "live": opened.record, "lookup": opened, "trouble": trouble}
