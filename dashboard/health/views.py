"""How the platform is doing, from the calls that pages made in the last hour."""

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard import clients
from dashboard.health import pages
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.upstream import capabilities, platform_health, probing
from dashboard.upstream.budget import Budget


@require_safe
def health(request: OwnerRequest) -> HttpResponse:
    """Per operation: last success, latency, failures, pauses it asked for."""
    address = _("the embedded platform") if clients.embedded() else clients.config().base_url
    page = pages.build_health_page(
        platform_health.operations(),
        platform_health.load_whole(),
        Budget(request.account.token),
        trouble=platform_health.in_trouble(),
        address=address,
        cache_away=getattr(cache, "away", False),
        capabilities=capabilities.rows_of(request.account.pk),
    )
    return render(request, "health/health.html", {"page": page})


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
