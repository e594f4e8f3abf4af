"""What a view can rely on in its request, the answers htmx needs, the content security policy, and requests shown instead of sent.

The policy has fixed directives, and hosts of the platform where its films and stills are. An address that came from outside becomes
a source only as scheme, ASCII host and port. Anything else would change the rest of the header: a `;` begins another directive, and
one letter outside ASCII makes browsers ignore the whole policy.

A form offers to show the request that it would send with `components/_dry_run_button.html`; its view asks `is_dry_run(request)`, and
if so renders the form again with `dry_run=show_request(platform.preview(…))`, which `components/_dry_run.html` prints: tokens masked,
as text and as `curl`. Nothing is sent and nothing typed is lost.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit, urlunsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from dashboard.platform_api.request import Preview
from dashboard.shared.addresses import address

if TYPE_CHECKING:
    from dashboard.accounts.models import Account


Response = TypeVar("Response", bound=HttpResponse)
ROW_MOST = 2**63 - 1
"""The highest key of a row that a database has."""
PAGE_MOST = 100_000
"""The last page of a list that an address can name."""
LONGEST_ADDRESS = 4_000
"""Characters of an address that somebody is led back to: a header has to hold it."""


class PageRequest(HttpRequest):
    """Any request: htmx details are there."""

    htmx: HtmxDetails


class OwnerRequest(PageRequest):
    """A request of a signed-in account: AccountRequiredMiddleware has set `account`."""

    account: "Account"


def whole_number(text: str, most: int) -> int | None:
    """A number from 0 to `most` in the digits 0 to 9; None for anything else.

    `isdigit` alone lets in `²`, which is no number, and thousands of digits, which Python does not read.
    """
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    return number if digits and (number := int(text)) <= most else None


def page_number(text: str) -> int:
    """The page of a list that an address names; the first one where it names none."""
    return whole_number(text, PAGE_MOST) or 1


def unchanged() -> HttpResponse:
    """The answer of a poll that brings nothing new: 204, which htmx does not swap (a 304 would wipe the list).

    Its policy is the shortest there is: the page's own would be most of the bytes of an answer without a body.
    """
    return HttpResponse(status=204, headers={"Content-Security-Policy": "default-src 'none'"})


def go(request: HttpRequest, to: str, *args: object) -> HttpResponse:
    """Lead the person to `to` (name or address), as a redirect htmx follows as a whole page too."""
    response = redirect(to, *args)
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(response["Location"])
    return response


def go_to_typed(name: str, typed: str) -> HttpResponse:
    """Lead to the page `name` of an identifier that somebody typed; 404 for one that no address can hold."""
    if page := address(name, typed):
        return HttpResponseRedirect(page)
    raise Http404


def own_path(request: HttpRequest, location: str) -> str:
    """The path and query of an address of this site; "" for one of anywhere else, and for what is no address.

    A bare word is none either: `redirect` would take it for the name of a view.
    """
    safe = url_has_allowed_host_and_scheme(location, {request.get_host()}, require_https=request.is_secure())
    if not safe or len(location) > LONGEST_ADDRESS:
        return ""
    try:
        parts = urlsplit(location)
    except ValueError:
        return ""
    path = urlunsplit(("", "", parts.path, parts.query, parts.fragment))
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else ""


def way_back(request: HttpRequest, otherwise: str = "/") -> str:
    """Where the person was: `next` of the form or of the address, when that is a path of this site."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    return own_path(request, address) or otherwise


def allow_media(response: Response, *addresses: str | None) -> Response:
    """Let this page show pictures, films and players from where these addresses are, and from nowhere else."""
    hosts = {source_of(link or "") for link in addresses} - {""}
    response.media_hosts = getattr(response, "media_hosts", set()) | hosts  # type: ignore[attr-defined]  # read by the policy
    return response


PRINTED = re.compile(r"[^\x00-\x1f\x7f]*")
"""Nothing that `urlsplit` takes out in silence: line ends and other control characters."""
HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", re.ASCII)
FIXED = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types default parsing",
)


def source_of(address: str) -> str:
    """`https://host` or `https://host:port` of an address, its host in ASCII; "" for ours and for what is no plain host."""
    if not PRINTED.fullmatch(address):
        return ""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or "@" in parts.netloc or not HOST.fullmatch(host) or port == 0:
        return ""
    plain = port is None or (parts.scheme, port) in {("http", 80), ("https", 443)}
    return f"{parts.scheme}://{host}" if plain else f"{parts.scheme}://{host}:{port}"


def policy_header(sources: Iterable[str], *, any_https: bool) -> str:
    """The content security policy as a header. `sources` come from `source_of`; `any_https` lets stills and films in from every encrypted host."""
    hosts = "".join(f" {source}" for source in sorted(sources))
    media = (" https:" if any_https else "") + hosts
    return "; ".join(
        (*FIXED, f"img-src 'self' data: blob:{media}", f"media-src 'self' blob:{media}", f"frame-src 'self'{hosts}")
    )


DRY_RUN = "_dry_run"


@dataclass(frozen=True)
class DryRun:
    """One request for reading: its first line, its headers, its body indented, and the same as a shell command."""

    operation: str
    line: str
    headers: tuple[str, ...]
    body: str
    curl: str


def is_dry_run(request: HttpRequest) -> bool:
    """Whether the person pressed “Show the request” instead of sending."""
    return request.method == "POST" and DRY_RUN in request.POST


def show_request(preview: Preview) -> DryRun:
    """A preview of the platform client, ready to be printed."""
    return DryRun(
        operation=preview.operation,
        line=f"{preview.method} {preview.url}",
        headers=tuple(f"{name}: {value}" for name, value in preview.headers.items()),
        body="" if preview.body is None else json.dumps(json.loads(preview.body), ensure_ascii=False, indent=2),
        curl=preview.curl(),
    )
