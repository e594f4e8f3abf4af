"""How the platform is doing, from the calls that pages made in the last hour."""

from datetime import UTC, datetime
from math import ceil
from time import time

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.health import pages, probing
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.upstream import capabilities, clients, platform_health
from dashboard.upstream.budget import Budget, background_calls


@require_safe
def health(request: OwnerRequest) -> HttpResponse:
    """Per operation: last success, latency, failures, pauses it asked for."""
    calls = Budget(request.account.token)
    until = calls.paused_until()
    tried = capabilities.rows_of(request.account.pk)
    since = datetime.fromtimestamp(platform_health.load_whole().since, UTC)
    context = {
        "address": _("the embedded platform") if clients.embedded() else clients.config().base_url,
        "operations": list(pages.list_operations(platform_health.operations())),
        "failing_since": since if platform_health.in_trouble() else None,
        "pause": formats.time_of_day(datetime.fromtimestamp(ceil(until), UTC), seconds=True) if until > time() else "",
        "limit": background_calls() if settings.PLATFORM_CALLS_PER_MINUTE else 0,
        "background": min(calls.count_background(), background_calls()),
        "cache_away": getattr(cache, "away", False),
        "reads": list(pages.list_reads(tried)),
        "checked_at": max((read.checked_at for read in tried.values()), default=None),
    }
    return render(request, "health/health.html", context)


@require_safe
def banner(request: OwnerRequest) -> HttpResponse:
    """What an open page asks while it says that there is trouble: nothing new, or nothing left to say."""
    return unchanged() if platform_health.in_trouble() else HttpResponse()


@require_POST
def probe(request: OwnerRequest) -> HttpResponse:
    """Try once more what this platform has for this account."""
    probing.probe(request.account)
    messages.success(request, _("Checked what this platform has for this account."))
    return redirect(reverse("health:health") + "#offers-title")
