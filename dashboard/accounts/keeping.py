"""Work that was typed when the session or the token ended: kept in the session, offered again after sign-in."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

KEPT = "kept"
MOST = 2_500_000
"""Characters kept at most: an AI package of 2 MB fits."""

NEVER_KEPT = frozenset({"csrfmiddlewaretoken", "token"})


@dataclass(frozen=True)
class Kept:
    """A form that did not leave: where it was going, on which page it stood, and its fields in order."""

    action: str
    page: str
    fields: tuple[tuple[str, str], ...]
    account: str | None

    @property
    def readable(self) -> tuple[tuple[str, str], ...]:
        """The fields a person wrote, for reading before sending again."""
        return tuple((name, value) for name, value in self.fields if value and not name.startswith("_"))


def to_sign_in(request: HttpRequest, *, refused: bool = False) -> HttpResponse:
    """Lead to sign-in and back. What a POST carried is kept; `refused` says that the platform turned the token down."""
    page = request.get_full_path()
    if request.method == "POST":
        page = _page_of(request)
        keep(request, page)
    elif getattr(request, "htmx", False):
        page = _local_path(request.headers.get("HX-Current-URL", "")) or page
    query = {"next": page} | ({"refused": request.session.get("account") or ""} if refused else {})
    target = f"{reverse('accounts:sign_in')}?{urlencode(query)}"
    return HttpResponseClientRedirect(target) if getattr(request, "htmx", False) else redirect(target)


def keep(request: HttpRequest, page: str) -> None:
    """Keep what this POST carried."""
    fields = [(name, value) for name, values in request.POST.lists() for value in values if name not in NEVER_KEPT]
    if sum(len(name) + len(str(value)) for name, value in fields) > MOST:
        return
    kept: dict[str, Any] = {
        "action": request.get_full_path(),
        "page": page,
        "fields": fields,
        "account": request.session.get("account"),
    }
    request.session[KEPT] = kept


def kept(request: HttpRequest) -> Kept | None:
    """What is kept for the account in use, if anything."""
    found = request.session.get(KEPT)
    if not found or found["account"] not in {None, request.session.get("account")}:
        return None
    return Kept(found["action"], found["page"], tuple((n, str(v)) for n, v in found["fields"]), found["account"])


def let_go(request: HttpRequest) -> None:
    """Forget the kept work: it was sent, or the person discarded it."""
    request.session.pop(KEPT, None)


def _page_of(request: HttpRequest) -> str:
    """The page whose form this was."""
    return _local_path(request.headers.get("Referer", ""), request.get_host()) or request.path


def _local_path(address: str, host: str = "") -> str:
    parts = urlsplit(address)
    if host and parts.netloc != host:
        return ""
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
