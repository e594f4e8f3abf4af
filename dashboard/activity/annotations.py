"""What the account did, as marks on charts: read out of the activity log."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from dashboard.activity.models import Entry, Outcome
from dashboard.activity.operations import list_annotated, name_of
from dashboard.shared.charts.figures import day
from dashboard.shared.charts.plot import Mark
from dashboard.shared.ranges import Bucket, Days, get_day_start

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


def happened(
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
