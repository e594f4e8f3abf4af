"""Who is signed in: the session holds the ids of connected accounts and which one is in use, never a token."""

import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest

from dashboard.accounts import devices
from dashboard.accounts.models import Account

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
