"""How the platform is doing, from the calls that pages made in the last hour."""

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard import clients
from dashboard.health import pages
from dashboard.shared import pulse
from dashboard.shared.http import OwnerRequest, unchanged


@require_safe
def health(request: OwnerRequest) -> HttpResponse:
    """Per operation: last success, latency, failures, pauses it asked for."""
    address = _("the embedded platform") if clients.embedded() else clients.config().base_url
    page = pages.health_page(
        pulse.operations(),
        pulse.whole(),
        trouble=pulse.in_trouble(),
        address=address,
        cache_away=getattr(cache, "away", False),
    )
    return render(request, "health/health.html", {"page": page})


@require_safe
def banner(request: OwnerRequest) -> HttpResponse:
    """What an open page asks while it says that there is trouble: nothing new, or nothing left to say."""
    return unchanged() if pulse.in_trouble() else HttpResponse()
