"""Addresses at which there is no page lead to the one that is meant: those that only take a form, opened by hand, by a
reload or by a link, and those that a mail program, a chat or a scanner wrote otherwise than we do.
"""

from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.urls import Resolver404, ResolverMatch, resolve

from dashboard.shared.pasted_addresses import list_paths

Answer = Callable[[HttpRequest], HttpResponse]

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
