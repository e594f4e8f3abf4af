"""A thing that somebody opened by its id: from its own read, from the list, or with nothing known but the id.

Reads of one thing are only assumed. Where a platform does not have them, what is documented can be done all the same: the id
is all that it needs.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from dashboard.platform_api import Operations
from dashboard.platform_api.errors import (
    CallError,
    Missing,
    NotAllowed,
    PlatformError,
    Refused,
    is_unreadable,
)
from dashboard.shared.addresses import find_thing
from dashboard.shared.text import parse_uuid

T = TypeVar("T")
Read: TypeAlias = Callable[[Callable[[Operations], Any]], Any]
"""How a call is read: `reads.of(request).get`, or `read_with(platform)`."""


class Identified(Protocol):
    """A record with its id."""

    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=Identified)


class Source(StrEnum):
    """Where it is known from."""

    READ = "read"
    LISTED = "listed"
    PUBLIC = "public"
    """From its public file alone."""
    ID = "id"
    """From nowhere: the platform shows neither it nor a list that holds it."""


@dataclass(frozen=True)
class Opened(Generic[T]):
    """A record, and where it is known from."""

    record: T
    source: Source
    error: CallError | None = None
    """Why its public file could not be read, where nothing else is known and it may be there in a minute."""

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known but the id."""
        return self.source is Source.ID


@dataclass(frozen=True)
class Kind(Generic[R]):
    """How things of one kind are read. `name`: what the platform calls one, in English."""

    name: str
    get: Callable[[Operations, str], R]
    list: Callable[[Operations], Sequence[R]]
    blank: Callable[[str], R]
    """The record of which nothing is known but its id."""


def read_with(platform: Operations) -> Read:
    """Reads of this platform, past what is known."""
    return lambda call: call(platform)


def open_thing(read: Read, kind: Kind[R], thing_id: str) -> Opened[R]:
    """What is known of the thing of this id.

    Raises `Missing` where the platform says that it has none, and the error of a read that may bring more in a minute.
    """
    try:
        return Opened(read(lambda platform: kind.get(platform, thing_id)), Source.READ)
    except CallError as error:
        if not is_untold(error):
            raise
        listed = _find_listed(read, kind, thing_id)
        if listed is None and _is_surely_missing(error, kind, thing_id):
            raise
    return Opened(kind.blank(thing_id), Source.ID) if listed is None else Opened(listed, Source.LISTED)


def is_untold(error: CallError) -> bool:
    """Whether an error of a read means that the platform does not tell, now or in a minute."""
    return is_unreadable(error) or isinstance(error, Missing | NotAllowed | Refused)


def _find_listed(read: Read, kind: Kind[R], thing_id: str) -> R | None:
    try:
        listed: Sequence[R] = read(kind.list)
    except PlatformError:
        return None
    return next((record for record in listed if record.id.casefold() == thing_id.casefold()), None)


def _is_surely_missing(error: CallError, kind: Kind[Any], thing_id: str) -> bool:
    """Whether the platform speaks of the thing, and not of an address that it does not have; or the id can be none."""
    if not parse_uuid(thing_id):
        return True
    thing = find_thing(thing_id)
    if thing is not None and thing.kind != kind.name:
        return True
    return speaks_of(error, kind.name)


def speaks_of(error: CallError, name: str) -> bool:
    """Whether the platform says that it has no such thing: it looked for one, so that it has the read."""
    match = re.search(rf"\b{name}\b.*\bnot (?:found|exist)", error.message, re.IGNORECASE)
    return isinstance(error, Missing | Refused) and match is not None
