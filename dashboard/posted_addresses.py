"""Addresses that only take a form: opened by hand, by a reload or by a link, they lead to the page they belong to."""

from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import Resolver404, ResolverMatch, resolve

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
