"""Who is signed in: the session holds the ids of connected accounts and which one is in use, never a token.

Deny by default: every address that is not public leads to sign-in and back to where the person was going.
"""

import uuid
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from dashboard.accounts import access, devices, pending_form
from dashboard.accounts.models import Account
from dashboard.shared.ranges import list_zone_names
from dashboard.shared.vault import Unreadable
from dashboard.upstream import parallel

IN_USE = "account"
CONNECTED = "accounts"
PERSON = "person"
DISCONNECTIONS = "disconnections"
"""By account: how often it had been disconnected when this browser connected it."""

View = TypeVar("View", bound=Callable[..., Any])


def public(view: View) -> View:
    """Mark a view that needs no account. Everything else leads to sign-in."""
    view.public = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def current(request: HttpRequest) -> Account | None:
    """The account in use, if it is still connected."""
    account_id = request.session.get(IN_USE)
    if not account_id:
        return None
    account = next(iter(Account.objects.connected().filter(pk=account_id).order_by()), None)  # no order of one
    return account if account and _lasts(request, account) else None


def connected(request: HttpRequest) -> list[Account]:
    """The accounts connected in this browser, by name."""
    accounts = Account.objects.connected().filter(pk__in=request.session.get(CONNECTED, []))
    return [account for account in accounts if _lasts(request, account)]


def use(request: HttpRequest, account: Account) -> None:
    """Sign in with `account`: a new session key, the same kept work."""
    session_before = request.session.session_key
    request.session.cycle_key()
    ids = [entry for entry in request.session.get(CONNECTED, []) if entry != str(account.pk)]
    request.session[CONNECTED] = [*ids, str(account.pk)]
    request.session[IN_USE] = str(account.pk)
    before = request.session.get(DISCONNECTIONS, {})
    request.session[DISCONNECTIONS] = {**before, str(account.pk): account.disconnections}
    devices.add(request, account, session_before=session_before, person=request.session.get(PERSON, ""))


def note_seen(request: HttpRequest, account: Account) -> None:
    """Keep, every few minutes, that the person in this browser is here."""
    devices.note_seen(request, account, lambda: connected(request))


def sign_out(request: HttpRequest) -> None:
    """Forget who is signed in, in this browser."""
    devices.forget(request.session.session_key)
    request.session.flush()


def sign_out_elsewhere(request: HttpRequest, account: Account) -> int:
    """Sign every other browser out of `account`; returns how many were listed."""
    count = devices.sign_out_everywhere(account, but=request.session.session_key)
    before = request.session.get(DISCONNECTIONS, {})
    request.session[DISCONNECTIONS] = {**before, str(account.pk): account.disconnections}
    return count


def may_use(request: HttpRequest, account_id: uuid.UUID) -> bool:
    """Whether `account_id` is connected in this browser."""
    return account_id in {account.pk for account in connected(request)}


def _lasts(request: HttpRequest, account: Account) -> bool:
    """Whether nobody deleted the token since this browser connected the account."""
    return bool(request.session.get(DISCONNECTIONS, {}).get(str(account.pk), 0) == account.disconnections)


def leave(request: HttpRequest, account: Account) -> None:
    """Forget one account in this browser; another connected one takes its place."""
    devices.forget(request.session.session_key, account)
    rest = [str(other.pk) for other in connected(request) if other.pk != account.pk]
    request.session[CONNECTED] = rest
    request.session[IN_USE] = rest[-1] if rest else None


Answer = Callable[[HttpRequest], HttpResponse]


class AccountRequiredMiddleware:
    """Sets `request.account` (or None) and guards every view not marked with `access.public`."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.account = access.current(request)  # type: ignore[attr-defined]  # read through OwnerRequest
        activate_zone(request.account)  # type: ignore[attr-defined]  # set above
        session_key = request.session.session_key
        response = self.get_response(request)
        if request.account:  # type: ignore[attr-defined]  # set above
            pending_form.remember_who_types(request, response, str(request.account.pk))  # type: ignore[attr-defined]  # set above
        if request.account and request.session.session_key == session_key:  # type: ignore[attr-defined]  # set above
            parallel.afterwards(_note_seen, (request, request.account))  # type: ignore[attr-defined]  # set above
        pending_form.settle(request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Let public views through, and signed-in people; everybody else signs in first."""
        match = request.resolver_match
        if getattr(view, "public", False) or (match and set(match.app_names) & settings.PUBLIC_APPS):
            return None
        account = request.account  # type: ignore[attr-defined]  # set above
        if account is None:
            return pending_form.to_sign_in(request)
        try:
            _ = account.token
        except Unreadable:
            return pending_form.to_sign_in(request, refused=True)
        return None


def activate_zone(account: Account | None) -> None:
    """Show times in the account's zone, where it has one; else in the reader's, which is active already."""
    if account is not None and account.zone in list_zone_names():
        timezone.activate(ZoneInfo(account.zone))


def _note_seen(requests: Sequence[tuple[HttpRequest, Account]]) -> None:
    """Keep that the people who sent these requests were here: nobody waits for it."""
    for request, account in requests:
        access.note_seen(request, account)
