"""What a view can rely on in its request, and the answers htmx needs."""

from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit, urlunsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from dashboard.shared.addresses import address
from dashboard.shared.content_policy import source_of

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
