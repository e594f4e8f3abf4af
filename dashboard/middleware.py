"""What every answer carries, what happens when the platform is in trouble, and where an address without a page leads.

Addresses that only take a form are opened by hand, by a reload or by a link, and those that a mail program, a chat or a
scanner wrote differ from ours: both lead to the page that is meant.
"""

import zoneinfo
from collections.abc import Callable, Iterator
from math import ceil

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import timezone

from dashboard import memory
from dashboard.accounts import pending_form
from dashboard.platform_api import errors
from dashboard.shared import http, refusals
from dashboard.shared.text import list_paths

Answer = Callable[[HttpRequest], HttpResponse]

OPENLY_CACHED = frozenset({"sandbox:platform"})
"""Addresses whose answers are not ours: those of the embedded platform, which says itself how long they last."""


def keep_calls_in_one_block(get_response: Answer) -> Answer:
    """What a page computes costs the same however many calls lie around it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return memory.call_in_one_block(get_response, request)

    return middleware


def content_security_policy(get_response: Answer) -> Answer:
    """A strict policy: everything from this host, media and the embedded player from where the platform serves them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        hosts = getattr(response, "media_hosts", ())
        # A real platform serves stills and films from hosts of its own choice; the embedded one from ours.
        policy = http.policy_header(hosts, any_https=not settings.PLATFORM_EMBEDDED)
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        return response

    return middleware


def keep_pages_private(get_response: Answer) -> Answer:
    """No cache keeps what a page, a file or a part says: after signing out, or behind a shared proxy, nobody finds it.

    A view that says something else about its answer is believed; static files and the demo's media are answered before.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match is None or match.view_name not in OPENLY_CACHED:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return middleware


def refuse_nul_in_addresses(get_response: Answer) -> Answer:
    """No address of ours holds a NUL: it is not found, before a database or the platform is asked for it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path:
            raise Http404
        return get_response(request)

    return middleware


def activate_time_zone(get_response: Answer) -> Answer:
    """Show times in the reader's zone, which `js/zone.js` writes into a cookie; UTC until it is known."""

    def middleware(request: HttpRequest) -> HttpResponse:
        name = request.COOKIES.get("zone", "")
        try:
            timezone.activate(zoneinfo.ZoneInfo(name) if name else zoneinfo.ZoneInfo("UTC"))
        except (ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
            timezone.activate(zoneinfo.ZoneInfo("UTC"))
        return get_response(request)

    return middleware


class PlatformTroubleMiddleware:
    """Turns an error of the platform that no view caught into the page that says what happened and what to do."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """401 keeps what was typed and leads to sign-in; everything else is a page with the next step."""
        if not isinstance(exception, errors.CallError):
            return None
        if isinstance(exception, errors.BadToken) and getattr(request, "account", None):
            return pending_form.to_sign_in(request, refused=True)
        match = request.resolver_match
        names_something = bool((match and match.kwargs) or request.GET or request.POST)
        if isinstance(exception, errors.Missing) and names_something and not refusals.is_not_offered(exception):
            raise Http404 from exception
        home = reverse("overview:overview")
        explained = refusals.explain(exception, reading=request.method in {"GET", "HEAD"})
        context = {"explained": explained, "again": request.get_full_path(), "home": home}
        desk = getattr(request, "account", None) and request.path.startswith(home)
        template = "platform_trouble_desk.html" if desk else "platform_trouble.html"
        response = render(request, template, context, status=refusals.status_of(exception))
        if isinstance(exception, errors.RateLimited) and exception.retry_after is not None:
            response.headers["Retry-After"] = str(ceil(exception.retry_after))
        return response


FOR_PROGRAMS = frozenset({"sandbox:platform"})
"""Addresses whose callers are programs: the embedded platform refuses a wrong method as the platform does."""


def lead_from_posted_addresses(get_response: Answer) -> Answer:
    """Answer a reading of an address that takes only forms with a redirect to the nearest page above it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        reads = request.method in {"GET", "HEAD"}
        if response.status_code != 405 or not reads or match is None or match.view_name in FOR_PROGRAMS:
            return response
        onward = HttpResponseRedirect(page_above(request.path))
        onward.headers["Allow"] = response.headers.get("Allow", "POST")
        return onward

    return middleware


def lead_from_pasted_addresses(get_response: Answer) -> Answer:
    """Answer the reading of an address that is not found with a redirect to the same one, on this host, without what a full
    stop, a bracket, a quote or a scanner left around it, and one whose parameters came as `&amp;` with them parted.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        query = request.META.get("QUERY_STRING", "")
        reads = request.method in {"GET", "HEAD"}
        if reads and "&amp;" in query:
            return HttpResponsePermanentRedirect("/" + request.get_full_path().replace("&amp;", "&").lstrip("/"))
        response = get_response(request)
        meant = _find_meant(request) if reads and response.status_code == 404 else None
        if not meant:
            return response
        return HttpResponsePermanentRedirect(f"{meant}{'?' + query if query else ''}")

    return middleware


def _find_meant(request: HttpRequest) -> str | None:
    """A page of ours under a path that is not the one asked for; where that led to a view, one with less in it."""
    match, most = request.resolver_match, len(request.path.rstrip("/"))
    if "\0" in request.path or (match is not None and match.view_name in FOR_PROGRAMS):
        return None
    paths = (path for path in list_paths(request.path) if match is None or len(path.rstrip("/")) < most)
    return next(filter(_known, paths), None)


def page_above(path: str) -> str:
    """The nearest address above `path` that is one of ours; the front door when there is none."""
    return next((above for above in _above(path) if _known(above)), "/")


def _above(path: str) -> Iterator[str]:
    """`/a/b/c/` → `/a/b`, `/a/b/`, `/a`, `/a/`."""
    parts = path.strip("/").split("/")[:-1]
    while parts:
        joined = "/" + "/".join(parts)
        yield joined
        yield f"{joined}/"
        parts.pop()


def _known(path: str) -> ResolverMatch | None:
    try:
        return resolve(path)
    except Resolver404:
        return None
