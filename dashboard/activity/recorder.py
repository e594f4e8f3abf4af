"""What features ask of Activity: who acts, which rows can be undone and how, what happened. The outbox makes the rows."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.operations import name_of
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest

if TYPE_CHECKING:
    from dashboard.writes.models import Write

SECRET_KEYS = frozenset({"token", "authorization", "password", "stream_key", "rtmp"})


def first_done(account_id: uuid.UUID, operation: str, target: str) -> datetime | None:
    """When `operation` was first done to `target`, as far as this installation knows."""
    rows = Entry.objects.filter(account_id=account_id, operation=operation, target=target, outcome=Outcome.DONE)
    return rows.order_by("at").values_list("at", flat=True).first()


Undo = Callable[[HttpRequest, Entry], "Write | None"]


class NotUndone(Exception):
    """Raised by an undo that sends nothing, with the reason as a sentence for people: the platform was never asked."""


Holds = Callable[[Entry], bool]
UNDO: dict[str, Undo] = {}
"""How each operation that can be undone is undone. Features fill it from their `undo.py`, which their `apps.py` name."""
ONLY: dict[str, Holds] = {}
"""Of those, the ones that can be undone only where the row itself says so."""


def undoes(operation: str, *, only: Holds | None = None) -> Callable[[Undo], Undo]:
    """Register how `operation` is undone: the function sends the opposite call and returns its write.

    It may raise a `PlatformError` or `NotUndone`; the Activity page shows it. With `only`, rows that it denies cannot be
    undone: it is asked for every row of a page, so it looks at the row and at nothing else. A feature's `undo.py` is
    named in its `apps.py`.
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
    return [_build_happened(entry) for entry in Entry.objects.filter(account_id=account_id)[:most]]


def _build_happened(entry: Entry) -> Happened:
    return Happened(
        address=address("activity:entry", entry.pk),
        at=entry.at,
        actor=entry.actor,
        operation=name_of(entry.operation),
        label=entry.label or entry.target,
        outcome=entry.outcome,
        undo=address("activity:undo", entry.pk) if can_undo(entry) else "",
    )


def list_refused(account_id: uuid.UUID, since: datetime, most: int) -> list[Happened]:
    """Writes of an account that the platform refused since a moment, newest first."""
    rows = Entry.objects.filter(account_id=account_id, outcome=Outcome.REFUSED, at__gt=since)
    return [_build_happened(entry) for entry in rows[:most]]


def has_done(account_id: uuid.UUID, operation: str) -> bool:
    """Whether this account has ever done `operation` from here."""
    return Entry.objects.filter(account_id=account_id, operation=operation, outcome=Outcome.DONE).exists()


def actor_of(request: HttpRequest | None, account: Account) -> str:
    """Who acts: the name given at sign-in, else the account."""
    return str((request.session.get(access.PERSON) if request else "") or account.name)


def record_choice(
    request: OwnerRequest, operation: str, target: str, label: str, *, before: dict[str, Any], after: dict[str, Any]
) -> Entry:
    """Note a choice that is kept here: nothing is sent to the platform, so no outbox makes its row."""
    return Entry.objects.create(
        account_id=request.account.pk,
        actor=actor_of(request, request.account)[:120],
        operation=operation,
        target=target,
        label=label[:300],
        before=before,
        after=after,
        outcome=Outcome.DONE,
    )


def masked(value: Any) -> Any:
    """The value without secrets and with everything JSON can hold."""
    if isinstance(value, dict):
        return {str(k): "•••" if str(k).lower() in SECRET_KEYS else masked(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [masked(entry) for entry in value]
    return str(value) if isinstance(value, uuid.UUID) or hasattr(value, "isoformat") else value
