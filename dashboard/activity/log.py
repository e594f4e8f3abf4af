"""Queries of the activity log: filtered, newest first, in pages whose cost does not grow with the log."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone

from dashboard.activity.models import Entry

PAGE = 50
PEOPLE_SHOWN = 30
FEW = 2_000
"""Rows that are sorted sooner than the newest of them are met on a walk from the newest of all."""
LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True)
class LogFilter:
    """What of the log is wanted. `thing` is an id, or how a name begins; `day` is a day in the reader's zone."""

    operation: str = ""
    person: str = ""
    thing: str = ""
    outcome: str = ""
    day: date | None = None


def list_entries(account_id: UUID, log_filter: LogFilter) -> QuerySet[Entry]:
    """The rows of one account that match, newest first. Each filter has an index that ends in the time."""
    rows = Entry.objects.filter(account_id=account_id)
    if log_filter.thing:
        rows = _filter_by_thing(rows, log_filter.thing)
    if log_filter.operation:
        rows = rows.filter(operation=log_filter.operation)
    if log_filter.person:
        rows = rows.filter(actor=log_filter.person)
    if log_filter.outcome:
        rows = rows.filter(outcome=log_filter.outcome)
    if log_filter.day:
        begin = timezone.make_aware(datetime.combine(log_filter.day, time.min))
        end = timezone.make_aware(datetime.combine(log_filter.day + timedelta(days=1), time.min))
        rows = rows.filter(at__gte=begin, at__lt=end)
    return rows


def _filter_by_thing(rows: QuerySet[Entry], thing: str) -> QuerySet[Entry]:
    """Rows of an id, or of names that begin so.

    The index of names finds a few rows at once and then sorts them. Where many names begin so, that sorting costs more than
    walking from the newest row until a page is full: an expression keeps the database from taking that index.
    """
    begins = Q(label__gte=thing, label__lt=thing + LAST_CHARACTER)
    if rows.filter(begins).order_by().values("label")[: FEW + 1].count() <= FEW:
        return rows.filter(Q(target=thing) | begins)
    return rows.alias(name=Concat("label", Value(""))).filter(
        Q(target=thing) | Q(name__gte=thing, name__lt=thing + LAST_CHARACTER)
    )


def get_page(rows: QuerySet[Entry], after: Entry | None) -> tuple[list[Entry], bool]:
    """The next PAGE rows after `after` (None: from the newest), and whether there are more."""
    if after is not None:
        rows = rows.filter(Q(at__lt=after.at) | Q(at=after.at, id__lt=after.id)).filter(at__lte=after.at)
    entries_read = list(rows[: PAGE + 1])
    return entries_read[:PAGE], len(entries_read) > PAGE


def find_entry(account_id: UUID, entry_id: str) -> Entry | None:
    """One row of this account, or None for anything else that an address may hold."""
    try:
        return Entry.objects.filter(account_id=account_id, pk=entry_id).first()
    except (ValueError, ValidationError):
        return None


def list_people(account_id: UUID) -> list[str]:
    """Who has acted, by name. Jumps from name to name through the index instead of reading every row."""
    return list(_iterate_people(account_id))


def _iterate_people(account_id: UUID) -> Iterator[str]:
    last = ""
    for _count in range(PEOPLE_SHOWN):
        name = (
            Entry.objects.filter(account_id=account_id, actor__gt=last)
            .order_by("actor")
            .values_list("actor", flat=True)
            .first()
        )
        if name is None:
            return
        yield name
        last = name
