"""Pages that belong to no feature: the front door, the state of the installation, the theme, and errors."""

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from dashboard import clients
from dashboard.accounts.access import public
from dashboard.shared.http import own_path, way_back

THEMES = ("light", "dark")


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
    """200 when database, cache and platform are reachable, 503 otherwise; each named with ok or unreachable."""
    states = {"database": _database_answers(), "cache": _cache_answers(), "platform": clients.platform_answers()}
    body = {name: "ok" if ok else "unreachable" for name, ok in states.items()}
    return JsonResponse(body, status=200 if all(states.values()) else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _cache_answers() -> bool:
    try:
        cache.set("readyz", "ok", 5)
        return bool(cache.get("readyz") == "ok")
    except OSError:  # redis errors of a lost connection are ConnectionErrors
        return False


@public
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Remember light or dark in a cookie; anything else follows the system again. Leads back to where the person was."""
    response = HttpResponseRedirect(way_back(request))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=60 * 60 * 24 * 365, samesite="Lax")
    else:
        response.delete_cookie("theme")
    return response


@public
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Remember the language of the pages in a cookie; one that there is not changes nothing. Leads back."""
    response = HttpResponseRedirect(way_back(request, own_path(request, request.headers.get("Referer", "")) or "/"))
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            samesite="Lax",
        )
    return response


@public
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request could not be understood at all."""
    return render(request, "errors/400.html", status=400)


@public
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Not for this account."""
    return render(request, "errors/403.html", status=403)


@public
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No such page, or nothing of this account at it."""
    return render(request, "errors/404.html", status=404)


@public
def server_error(request: HttpRequest) -> HttpResponse:
    """Our own mistake. Rendered without context processors: they may be what broke."""
    return HttpResponse(_plain("errors/500.html"), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token was missing or old: say how to send it again, with what was typed kept by the browser."""
    return render(request, "errors/csrf.html", status=403)


def _plain(template: str) -> str:
    from django.template.loader import render_to_string

    return render_to_string(template)
