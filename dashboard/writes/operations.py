"""What a feature says about a write: how it is sent, how its answer is kept, how an unclear end is settled by reading.

A feature registers its operations in its module `writes` and names that in its `apps.py`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from dashboard.platform_api.errors import Unreachable
from dashboard.upstream import store
from dashboard.writes.models import OPEN, State, Write

MARGIN: Final = 5.0
"""Seconds for everything in a sending that is no call, such as waiting for the database."""


@dataclass(frozen=True)
class Found:
    """A read shows that the write arrived; `answer` is what `keep` gets, like the answer that never came."""

    answer: Any = None


class Absence(Enum):
    """A read that does not show the write."""

    ABSENT = "absent"
    """It is not there. Shortly after the call it may still arrive; later it was never received."""
    UNKNOWN = "unknown"
    """The read cannot tell. A person decides."""
    SUPERSEDED = "superseded"
    """A later write of the same thing is done: nothing can tell any more, and nothing depends on it."""


ABSENT: Final = Absence.ABSENT
UNKNOWN: Final = Absence.UNKNOWN
SUPERSEDED: Final = Absence.SUPERSEDED


class NotWanted(Exception):
    """Raised by `send` before anything left: what was asked for is there already, or must not be made any more."""


class NotRead(Exception):
    """Raised by `settle` where another has to end first: whoever reads just now, or died at it, or a later write."""


@dataclass(frozen=True)
class Operation:
    """How the writes of one operation of the platform client are handled.

    - `send(write)` makes the one call and returns its answer. Raises the `PlatformError` of the call; `NotWanted` instead
      of a call cancels the write.
    - `keep(write, answer)` stores the answer, and sets `write.result`, `write.after` and `write.subject` where there is
      something to say. It runs in the transaction that settles the write. A `ValueError` means that the answer does not
      say what was made.
    - `settle(write)` reads whether an unconfirmed write arrived: `Found`, or why it is not found. Raises `PlatformError` when
      the platform cannot be read now, `NotRead` when another reader or write has to end first. None where nothing can be
      read.
    - `changed(write)` runs in the transaction of every change of state, to let those who watch know.
    - `page(write)` is the address where a person sees how it stands, and decides where nothing can be read; "" without one.
    - `readable()` says whether `settle` can be asked at all now, as the settings are.
    - `confirmed(write)` brings what is kept here up to date when a person says that an unconfirmed write arrived.
    - `calls`, `longest_reads`: how many calls `send` makes one after the other at most, and how many seconds it reads before
      them; a sender that is out for longer counts as dead.
    - `waits`: what could not be sent is kept and sent later by the worker. Otherwise it is refused, and told at the form.
    """

    name: str
    send: Callable[[Write], Any]
    keep: Callable[[Write, Any], None] = lambda write, answer: None
    settle: Callable[[Write], Found | Absence] | None = None
    changed: Callable[[Write], None] = lambda write: None
    page: Callable[[Write], str] = lambda write: ""
    readable: Callable[[], bool] = lambda: True
    confirmed: Callable[[Write], None] = lambda write: None
    waits: bool = False
    calls: int = 1
    longest_reads: float = 0

    def longest_send(self) -> timedelta:
        """How long a sender can be out: no call lasts longer than PLATFORM_TIMEOUT, its retries included."""
        return timedelta(seconds=self.calls * settings.PLATFORM_TIMEOUT + self.longest_reads + MARGIN)


_registered: dict[str, Operation] = {}


def register(operation: Operation) -> None:
    """Let writes of `operation.name` be sent. Once per name."""
    if operation.name in _registered:
        raise ValueError(f"{operation.name} is registered twice")
    _registered[operation.name] = operation


def registered(name: str) -> Operation:
    """How writes of operation `name` are handled. Raises `KeyError` for one that no feature registered."""
    return _registered[name]


def operation_of(write: Write) -> Operation:
    """How `write` is handled. One that this version does not know waits for a version that does, or for a person."""
    return _registered.get(write.operation) or Operation(write.operation, _send_unknown, waits=True)


def is_known(write: Write) -> bool:
    """Whether a feature of this version registered its operation."""
    return write.operation in _registered


def _send_unknown(write: Write) -> None:
    raise Unreachable(write.operation, sent=False)


def page_of(write: Write) -> str:
    """The address where a person looks after `write`; "" where its feature names none."""
    return operation_of(write).page(write)


def tell_of_change(write: Write) -> None:
    """What the platform says of the write's subject is another now, or may be: pages read it anew before they show it."""
    if write.account_id is not None:
        store.mark_changed(write.account_id, write.operation, write.subject)
    operation_of(write).changed(write)


def is_superseded(write: Write, others: Iterable[Write]) -> bool:
    """Whether one of `others`, which change all that `write` does, was sent after it and is done.

    What is there now is then the later one's, whether `write` arrived or not. Raises `NotRead` while such a one is open:
    how it ends decides.
    """
    later = [other for other in others if _came_after(other, write)]
    if any(other.state in OPEN for other in later):
        raise NotRead
    return any(other.state == State.DONE for other in later)


def select_overlapping(write: Write, others: Iterable[Write]) -> list[Write]:
    """Those of `others` that were sent before `write` and whose end was not known when it was begun."""
    return [
        other
        for other in others
        if not _came_after(other, write)
        and other.attempt
        and (other.settled_at is None or (other.state == State.DONE and other.settled_at > write.created_at))
    ]


def _came_after(other: Write, write: Write) -> bool:
    return (other.sent_at or other.created_at) > (write.sent_at or write.created_at)


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
