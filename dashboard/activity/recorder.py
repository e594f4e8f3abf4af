"""What features ask of Activity: who acts, which rows can be undone and how, what happened. The outbox makes the rows."""

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.feature import list_features
from dashboard.shared.addresses import address
from dashboard.shared.charts.figures import day
from dashboard.shared.charts.plot import Mark
from dashboard.shared.http import OwnerRequest
from dashboard.shared.ranges import Bucket, Days, get_day_start

if TYPE_CHECKING:
    from dashboard.writes.models import Write


@cache
def list_names() -> Mapping[str, str]:
    """The name (a msgid) of every operation that a feature sends, by the platform client's method."""
    return {operation: name for feature in list_features() for operation, name in feature.operation_names.items()}


@cache
def list_annotated() -> tuple[str, ...]:
    """The operations that charts mark, because they may change what people watch."""
    return tuple(operation for feature in list_features() for operation in feature.annotated_operations)


def name_of(operation: str) -> str:
    """“A/B test finished”; an operation without a name as it is."""
    names = list_names()
    return _(names[operation]) if operation in names else operation


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
"""How each operation that can be undone is undone. Features fill it from a module that their `apps.py` name."""
ONLY: dict[str, Holds] = {}
"""Of those, the ones that can be undone only where the row itself says so."""


def undoes(operation: str, *, only: Holds | None = None) -> Callable[[Undo], Undo]:
    """Register how `operation` is undone: the function sends the opposite call and returns its write.

    It may raise a `PlatformError` or `NotUndone`; the Activity page shows it. With `only`, rows that it denies cannot be
    undone: it is asked for every row of a page, so it looks at the row and at nothing else. The feature's module is
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


SHOWN = 12
"""More marks than this cover the line they explain."""


@dataclass(frozen=True)
class Event:
    """Something that was done: when, in the zone of the page, and which operation of the activity log."""

    at: datetime
    operation: str

    @property
    def words(self) -> str:
        return name_of(self.operation)


def list_events(
    account_id: UUID, days: Days, zone: ZoneInfo, *, operations: Collection[str] | None = None, target: str = ""
) -> list[Event]:
    """What was done in those days, oldest first."""
    start, end = get_day_start(days.start, zone), get_day_start(days.end + timedelta(days=1), zone)
    rows = Entry.objects.filter(
        account_id=account_id,
        operation__in=list_annotated() if operations is None else operations,
        at__gte=start,
        at__lt=end,
        outcome=Outcome.DONE,
    )
    if target:
        rows = rows.filter(target=target)
    events = rows.order_by("at").values_list("at", "operation")[:SHOWN]
    return [Event(at.astimezone(zone), operation) for at, operation in events]


def marked(events: Sequence[Event], buckets: tuple[Bucket, ...]) -> tuple[Mark, ...]:
    """The events as marks over `buckets`, each named with its day."""
    places = {(bucket.day, bucket.hour): index for index, bucket in enumerate(buckets)}
    marks = []
    for event in events:
        date = event.at.date()
        index = places.get((date, None), places.get((date, event.at.hour)))
        if index is not None:
            marks.append(Mark(index, f"{day(date)}, {event.words}"))
    return tuple(marks)
