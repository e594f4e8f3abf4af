"""Pages that belong to no feature: the front door, the state of the installation, the theme, and errors."""

import re
import sys

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_POST, require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from dashboard import databases, gauges, installation, navigation
from dashboard.accounts.access import public
from dashboard.accounts.models import Account
from dashboard.shared.addresses import Thing, find_thing, video_address
from dashboard.shared.http import own_path, way_back
from dashboard.shared.text import parse_uuid
from dashboard.upstream.library import known_videos

THEMES = ("light", "dark")
ASKED = {
    "lives": "live",
    "ab-tests": "ab_test",
    "playlists": "playlist",
    "funnels": "funnel",
    "videos": "video",
    "ai-content": "video",
}
"""What the ids are of that addresses have below a word."""


@public
@require_safe
def front_door(request: HttpRequest) -> HttpResponse:
    """Sign in, or the dashboard for whoever already is."""
    return redirect("overview:overview" if getattr(request, "account", None) else "accounts:sign_in")


@public
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process answers."""
    return HttpResponse("ok", content_type="text/plain")


@public
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when our own parts work, 503 otherwise; each named. The platform is not asked: without it the portal still reads."""
    readiness = installation.readiness()
    return JsonResponse(readiness.parts, status=200 if readiness.ready else 503)


@public
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics for whoever says METRICS_TOKEN, where one is set; without METRICS there is no such page."""
    if not settings.METRICS:
        raise Http404
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    if settings.METRICS_TOKEN and not constant_time_compare(bearer, settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    return HttpResponse(gauges.render_metrics(), content_type=CONTENT_TYPE_PLAIN_0_0_4)


@public
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Remember light or dark in a cookie; anything else follows the system again. Leads back to where the person was."""
    response = HttpResponseRedirect(way_back(request))
    theme_name = request.POST.get("theme", "")
    if theme_name in THEMES:
        response.set_cookie("theme", theme_name, max_age=60 * 60 * 24 * 365, samesite="Lax")
    else:
        response.delete_cookie("theme")
    return response


@public
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Remember the language of the pages in a cookie; one that there is not changes nothing. Leads back."""
    response = HttpResponseRedirect(way_back(request, own_path(request, request.headers.get("Referer", "")) or "/"))
    code = request.POST.get("language", "")
    if code in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
        )
    return response


@public
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request could not be understood at all, or its session could not be kept."""
    return databases.answer(request, exception) or render(request, "errors/400.html", status=400)


@public
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Not for this account."""
    return render(request, "errors/403.html", status=403)


@public
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No such page, or nothing of this account at it: whoever is signed in is led back to the place it would be in."""
    match = request.resolver_match
    if getattr(request, "account", None) and not (match and set(match.app_names) & settings.PUBLIC_APPS):
        context = {
            "place": navigation.find_current_place(request.path),
            "thing": find_thing(request.get_full_path()) or _find_video(request),
            "asked": next((ASKED[part] for part in request.path.split("/") if part in ASKED), ""),
        }
        return render(request, "errors/404_desk.html", context, status=404)
    return render(request, "errors/404.html", status=404)


def _find_video(request: HttpRequest) -> Thing | None:
    """The video whose id an address has, where the account is known to have one of that id. Nothing is read."""
    account: Account = request.account  # type: ignore[attr-defined]  # signed in
    ids = [found for text in re.split("[/=&]", request.get_full_path()) if (found := parse_uuid(text))]
    known = known_videos(account.pk, map(str, ids))
    return next((Thing("video", video_address(video)) for video, _title in known.values()), None)


@public
def server_error(request: HttpRequest) -> HttpResponse:
    """The database's trouble, or our own mistake. Rendered without context processors: they may be what broke."""
    return databases.answer(request, sys.exc_info()[1]) or HttpResponse(_plain("errors/500.html"), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token was missing or old: say how to send it again, with what was typed kept by the browser."""
    return render(request, "errors/csrf.html", status=403)


def _plain(template: str) -> str:
    from django.template.loader import render_to_string

    return render_to_string(template)
