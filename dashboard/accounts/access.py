"""Who is signed in: the session holds the ids of connected accounts and which one is in use, never a token."""

import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest

from dashboard.accounts.models import Account

IN_USE = "account"
CONNECTED = "accounts"
PERSON = "person"

View = TypeVar("View", bound=Callable[..., Any])


def public(view: View) -> View:
    """Mark a view that needs no account. Everything else leads to sign-in."""
    view.public = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def current(request: HttpRequest) -> Account | None:
    """The account in use, if it still exists."""
    chosen = request.session.get(IN_USE)
    return Account.objects.select_related("parent").filter(pk=chosen).first() if chosen else None


def connected(request: HttpRequest) -> list[Account]:
    """The accounts connected in this browser, by name."""
    return list(Account.objects.filter(pk__in=request.session.get(CONNECTED, [])))


def use(request: HttpRequest, account: Account) -> None:
    """Sign in with `account`: a new session key, the same kept work."""
    request.session.cycle_key()
    ids = [entry for entry in request.session.get(CONNECTED, []) if entry != str(account.pk)]
    request.session[CONNECTED] = [*ids, str(account.pk)]
    request.session[IN_USE] = str(account.pk)


def may_use(request: HttpRequest, account_id: uuid.UUID) -> bool:
    """Whether `account_id` was connected in this browser."""
    return str(account_id) in request.session.get(CONNECTED, [])


def leave(request: HttpRequest, account: Account) -> None:
    """Forget one account in this browser; another connected one takes its place."""
    rest = [entry for entry in request.session.get(CONNECTED, []) if entry != str(account.pk)]
    request.session[CONNECTED] = rest
    request.session[IN_USE] = rest[-1] if rest else None
