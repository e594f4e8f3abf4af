"""When an unconfirmed write is looked after by reading: soon at first, rarer with its age, and at last by a person alone."""

from datetime import datetime, timedelta

from django.utils import timezone

from dashboard.writes.models import Write
from dashboard.writes.operations import operation_of

FIRST_LOOK = timedelta(seconds=2)
SLOWEST_LOOK = timedelta(minutes=10)
SLOWEST_UNREAD = timedelta(seconds=30)
"""The same while nothing could be read: it may be readable at any moment, and its age says nothing about that."""
LAST_LOOK = timedelta(days=2)
"""An unconfirmed write that no read can settle in this time is left to a person."""


def next_look(write: Write, *, soon: bool = False) -> datetime | None:
    """When `write` is looked after next; None where nothing can be read, and once it is too old.

    `soon`: the last look read nothing, because the platform was away or somebody else was reading.
    """
    operation = operation_of(write)
    if operation.settle is None or not operation.readable():
        return None
    now = timezone.now()
    age = now - (write.ended_at or now)
    return now + rarer(age, SLOWEST_UNREAD if soon else SLOWEST_LOOK) if age < LAST_LOOK else None


def rarer(age: timedelta, slowest: timedelta = SLOWEST_LOOK) -> timedelta:
    """How long until something of this age is looked after again."""
    return min(max(FIRST_LOOK, age / 2), slowest)
