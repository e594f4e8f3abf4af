"""Getting started: one page after the first sign-in, and what is pressed on it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.getting_started import pages
from dashboard.getting_started.models import Setup
from dashboard.platform_api.errors import BadToken
from dashboard.shared.http import OwnerRequest, allow_media, unchanged
from dashboard.upstream import capabilities, clients, reads
from dashboard.upstream.parallel import Failed

LIST_LIMIT = 20
"""Videos among which one is looked for that can be played."""


@require_safe
def getting_started(request: OwnerRequest) -> HttpResponse:
    """What works here, the address to allow, a video to try, and the links made elsewhere."""
    videos = reads.of(request).gather(videos=lambda platform: platform.videos.list(page=1, limit=LIST_LIMIT))["videos"]
    if isinstance(videos, Failed) and isinstance(videos.error, BadToken):
        raise videos.error
    film = pages.find_playable(videos)
    context = {
        **_list_works(request),
        "film": film,
        "missing": "" if film else pages.explain_missing(videos),
        "setup": Setup.objects.filter(account=request.account).first() or Setup(),
        "fails": request.GET.get("plays") == "no",
        "host": request.get_host(),
        "embedded": clients.embedded(),
    }
    response = render(request, "getting_started/getting_started.html", context)
    return allow_media(response, film.player_url, film.mp4_url, film.hls_url) if film else response


@require_safe
def works(request: OwnerRequest) -> HttpResponse:
    """The table of what works, once something is known; 204 until then."""
    context = _list_works(request)
    return render(request, "getting_started/_works.html", context) if context["is_known"] else unchanged()


@require_POST
def played(request: OwnerRequest) -> HttpResponse:
    """A video was seen to play: the script of the page saw it, or a person says so."""
    setup, _created = Setup.objects.update_or_create(account=request.account, defaults={"played_at": timezone.now()})
    if request.htmx:
        return render(request, "getting_started/_played.html", {"setup": setup})
    return redirect(reverse("getting_started:getting_started") + "#check")


@require_POST
def finish(request: OwnerRequest) -> HttpResponse:
    """Leave it: the overview leads there no more."""
    Setup.objects.update_or_create(account=request.account, defaults={"finished_at": timezone.now()})
    messages.success(request, _("This account is set up. You find this page again under Platform health."))
    return redirect("overview:overview")


def _list_works(request: OwnerRequest) -> dict[str, object]:
    tried = capabilities.rows_of(request.account.pk)
    return {"parts": [(part, *pages.describe_part(part, tried)) for part in pages.PARTS], "is_known": bool(tried)}
