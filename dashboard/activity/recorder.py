"""Recording a write: the row is there before the call leaves, and says how it ended after."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.operations import name_of
from dashboard.platform_api.errors import PlatformDown, PlatformError, Unreachable
from dashboard.shared.addresses import address

if TYPE_CHECKING:
    from dashboard.writes.models import Write

SECRET_KEYS = frozenset({"token", "authorization", "password", "stream_key", "rtmp"})


@contextmanager
def recorded(
    request: HttpRequest | None,
    operation: str,
    *,
    target: str = "",
    label: str = "",
    before: Any = None,
    after: Any = None,
    account: Account | None = None,
    actor: str = "",
    undoes: Entry | None = None,
) -> Iterator[Entry]:
    """Write the row of `operation` ("comparison.finish"), let the body call the platform, then complete the row.

    The body may set `entry.after` to what the platform answered. A refusal is recorded as refused; an answer that never
    came stays unconfirmed. The error is raised on. `account` and `actor` are for writes of people without an account
    (reviewers), whose words may leave in somebody else's request or in none; else they come from the request.
    """
    owner: Account = account or request.account  # type: ignore[union-attr]  # set by AccountRequiredMiddleware
    entry = Entry.objects.create(
        account_id=owner.pk,
        actor=(actor or actor_of(request, owner))[:120],
        operation=operation,
        target=target[:200],
        label=label[:300],
        before=masked(before),
        after=masked(after),
        undoes=undoes,
    )
    started = time.perf_counter()
    try:
        yield entry
        entry.outcome = Outcome.DONE
    except PlatformError as error:
        entry.status, entry.message = error.status, error.message
        entry.outcome = Outcome.UNCONFIRMED if ambiguous(error) else Outcome.REFUSED
        raise
    finally:
        entry.after = masked(entry.after)
        entry.milliseconds = int((time.perf_counter() - started) * 1000)
        entry.save()


def first_done(account_id: uuid.UUID, operation: str, target: str) -> datetime | None:
    """When `operation` was first done to `target`, as far as this installation knows."""
    rows = Entry.objects.filter(account_id=account_id, operation=operation, target=target, outcome=Outcome.DONE)
    return rows.order_by("at").values_list("at", flat=True).first()


Undo = Callable[[HttpRequest, Entry], "Write | None"]


class NotUndone(Exception):
    """Raised by an undo that sends nothing, with the reason as a sentence for people: the platform was never asked."""


Holds = Callable[[Entry], bool]
UNDO: dict[str, Undo] = {}
"""How each operation that can be undone is undone. Features fill it from their `undo.py`."""
ONLY: dict[str, Holds] = {}
"""Of those, the ones that can be undone only where the row itself says so."""


def undoes(operation: str, *, only: Holds | None = None) -> Callable[[Undo], Undo]:
    """Register how `operation` is undone: the function sends the opposite call and returns its write.

    It may raise a `PlatformError` or `NotUndone`; the Activity page shows it. With `only`, rows that it denies cannot be
    undone: it is asked for every row of a page, so it looks at the row and at nothing else. A feature's `undo.py` is
    imported at start.
    """

    def register(undo: Undo) -> Undo:
        UNDO[operation] = undo
        if only is not None:
            ONLY[operation] = only
        return undo

    return register


def can_undo(entry: Entry) -> bool:
    """The platform allows the opposite call, the write was done, and what was before is known."""
    if entry.operation not in UNDO or entry.outcome != Outcome.DONE or entry.before is None:
        return False
    return entry.operation not in ONLY or ONLY[entry.operation](entry)


@dataclass(frozen=True)
class Happened:
    """One recorded write for other pages: what, to what, when, how it ended, and where it can be undone ("": nowhere)."""

    address: str
    at: datetime
    actor: str
    operation: str
    label: str
    outcome: str
    undo: str


def happened(account_id: uuid.UUID, most: int) -> list[Happened]:
    """The newest writes of an account, newest first, `operation` in the reader's language."""
    return [
        Happened(
            address=address("activity:entry", entry.pk),
            at=entry.at,
            actor=entry.actor,
            operation=name_of(entry.operation),
            label=entry.label or entry.target,
            outcome=entry.outcome,
            undo=address("activity:undo", entry.pk) if can_undo(entry) else "",
        )
        for entry in Entry.objects.filter(account_id=account_id)[:most]
    ]


def has_done(account_id: uuid.UUID, operation: str) -> bool:
    """Whether this account has ever done `operation` from here."""
    return Entry.objects.filter(account_id=account_id, operation=operation, outcome=Outcome.DONE).exists()


def ambiguous(error: PlatformError) -> bool:
    """Whether the platform may have done it all the same: the request left, and no clear answer came back."""
    if isinstance(error, Unreachable):
        return error.sent
    return isinstance(error, PlatformDown)


def actor_of(request: HttpRequest | None, account: Account) -> str:
    """Who acts: the name given at sign-in, else the account."""
    return str((request.session.get(access.PERSON) if request else "") or account.name)


def masked(value: Any) -> Any:
    """The value without secrets and with everything JSON can hold."""
    if isinstance(value, dict):
        return {str(k): "•••" if str(k).lower() in SECRET_KEYS else masked(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [masked(entry) for entry in value]
    return str(value) if isinstance(value, uuid.UUID) or hasattr(value, "isoformat") else value
