"""What a view can rely on in its request, and the answers htmx needs."""

from typing import TYPE_CHECKING, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from dashboard.shared.content_policy import source_of

if TYPE_CHECKING:
    from dashboard.accounts.models import Account

Response = TypeVar("Response", bound=HttpResponse)


class PageRequest(HttpRequest):
    """Any request: htmx details are there."""

    htmx: HtmxDetails


class OwnerRequest(PageRequest):
    """A request of a signed-in account: AccountRequiredMiddleware has set `account`."""

    account: "Account"


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


def allow_media(response: Response, *addresses: str | None) -> Response:
    """Let this page show pictures, films and players from where these addresses are, and from nowhere else."""
    hosts = {source_of(address or "") for address in addresses} - {""}
    response.media_hosts = getattr(response, "media_hosts", set()) | hosts  # type: ignore[attr-defined]  # read by the policy
    return response
