"""Lives: the list by state, one live on its way to the air, and its early start."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard import clients
from dashboard.lives import pages, rules, starting
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.platform_api.records.lives import Live
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest, go_to_typed, unchanged
from dashboard.shared.listing import listing
from dashboard.shared.single_flight import forget, shared_read

INTERVAL = 2.0
"""Seconds for which one read of a live serves everybody who watches it."""


@require_safe
def lives(request: OwnerRequest) -> HttpResponse:
    """Every live with its stage, filtered by the address."""
    if wanted := request.GET.get("id", "").strip():
        return go_to_typed("lives:live", wanted)
    listed, now = listing(clients.platform(request).lives.list), timezone.now()
    staged = [(live, rules.stage(live, starting.pressed(request, live), now)) for live in listed.found]
    page = pages.lives_page(staged, request.GET.get("state", ""), listed)
    return render(request, "lives/lives.html", {"page": page}, status=listed.status)


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
    found = clients.platform(request).lives.get(live_id)
    stage = rules.stage(found, starting.pressed(request, found), timezone.now())
    context = {"page": pages.start_page(found, stage, key=found.id)}
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda platform: platform.lives.start(live_id))
        return render(request, "lives/start.html", {**context, "dry_run": dry_run.show(preview)})
    if request.method == "GET" or stage is not rules.Stage.SCHEDULED:
        return render(request, "lives/start.html", context, status=200 if request.method == "GET" else 409)
    try:
        begun = starting.press(request, found)
    except BadToken:
        raise
    except PlatformError as error:
        return render(request, "lives/start.html", {**context, "refusal": refusals.explain(error)}, status=422)
    forget(_key(request, live_id))
    if not begun:
        messages.info(request, _("This live was started already. Nothing was sent again."))
    return redirect("lives:live", live_id)


def _page(request: OwnerRequest, live_id: str) -> pages.LivePage:
    found: Live = shared_read(_key(request, live_id), INTERVAL, lambda: clients.platform(request).lives.get(live_id))
    return pages.live_page(found, starting.pressed(request, found), timezone.now())


def _key(request: OwnerRequest, live_id: str) -> str:
    return f"{request.account.pk}:live:{live_id}"
