"""What a review link may be [4.4, 8], how it stands, and which one a change can go through. Reasons, never sentences."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Protocol, TypeVar

from dashboard.platform_api.reviews import ReviewLink
from dashboard.platform_api.vocabulary import (
    LINK_MAX_DAYS,
    LINK_NAME,
    LINK_NAME_MAX,
    USER_NAME,
    USER_NAME_MAX,
    LinkStatus,
)

MARGIN: Final = timedelta(minutes=10)
"""Kept free below the limit: a form waits before it is sent, and the platform has a clock of its own."""
PRESET_DAYS: Final = (1, 3, 7, 14, LINK_MAX_DAYS)
PRESET_FIRST: Final = 7
LEAST_OPEN: Final = timedelta(minutes=5)
CLOSING: Final = timedelta(hours=24)
METER_FROM: Final = 25
"""From this many of 30 comments the meter warns."""
CLOCKS_DIFFER: Final = timedelta(minutes=5)


class State(StrEnum):
    """How a link stands."""

    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"
    INACTIVE = "inactive"


USABLE: Final = frozenset({State.OPEN, State.CLOSING})


class Reason(StrEnum):
    """Why something is not taken."""

    NAME_EMPTY = "name-empty"
    NAME_TOO_LONG = "name-too-long"
    NAME_FORBIDDEN = "name-forbidden"
    CLOSES_UNREADABLE = "closes-unreadable"
    CLOSES_NEVER_IS = "closes-never-is"
    CLOSES_PAST = "closes-past"
    CLOSES_TOO_FAR = "closes-too-far"
    LINK_UNREADABLE = "link-unreadable"
    ALL_CLOSED = "all-closed"
    STATUS_LOCKED = "status-locked"


@dataclass(frozen=True)
class Problem:
    """One thing wrong. For a character: which, and its place counted from 1."""

    reason: Reason
    character: str = ""
    place: int = 0
    limit: int = 0


class LinkLike(Protocol):
    """What these rules look at of a link."""

    name: str
    status: str
    expires_at: datetime | None
    allow_comment: bool
    allow_status_edit: bool
    show_resolved: bool


AnyLink = TypeVar("AnyLink", bound=LinkLike)


def state_of(link: LinkLike, now: datetime) -> State:
    """Any status but `active` is inactive [2.3], also past its time: reviewers cannot read what was switched off."""
    if link.status != LinkStatus.ACTIVE:
        return State.INACTIVE
    if link.expires_at is not None and link.expires_at <= now:
        return State.CLOSED
    soon = link.expires_at is not None and link.expires_at <= now + CLOSING
    return State.CLOSING if soon else State.OPEN


def check_name(name: str) -> list[Problem]:
    """What is wrong with a link's name [4.4]: up to three of the characters that the platform refuses."""
    if not name:
        return [Problem(Reason.NAME_EMPTY)]
    if len(name) > LINK_NAME_MAX:
        return [Problem(Reason.NAME_TOO_LONG, place=len(name), limit=LINK_NAME_MAX)]
    wrong = [(place, char) for place, char in enumerate(name, 1) if not LINK_NAME.fullmatch(char)]
    return [Problem(Reason.NAME_FORBIDDEN, char, place) for place, char in wrong[:3]]


def suggest_name(title: str) -> str:
    """The video's title as a link may be called: `Serra Alta, launch film` as `Serra Alta launch film`."""
    plain = unicodedata.normalize("NFC", re.sub(r"\.(mp4|mov|mkv|webm|avi|m4v)$", "", title, flags=re.IGNORECASE))
    cleaned = "".join(char if LINK_NAME.fullmatch(char) else " " for char in plain)
    return " ".join(cleaned.split())[:LINK_NAME_MAX].strip()


def clean_person_name(name: str) -> str:
    """A person's or an account's name as a comment may be signed [4.7]."""
    cleaned = "".join(char if USER_NAME.fullmatch(char) else " " for char in name)
    return " ".join(cleaned.split())[:USER_NAME_MAX].strip()


def list_presets(now: datetime) -> list[tuple[int, datetime]]:
    """Days and moment of each offered closing time; the longest stays a margin below the limit."""
    whole = now.replace(second=0, microsecond=0)
    latest = whole + timedelta(days=LINK_MAX_DAYS) - MARGIN
    return [(days, min(whole + timedelta(days=days), latest)) for days in PRESET_DAYS]


def check_closes(at: datetime, now: datetime) -> Problem | None:
    """Whether a link may close at `at` [8]; one that closes within minutes helps nobody."""
    if at < now + LEAST_OPEN:
        return Problem(Reason.CLOSES_PAST)
    if at > now + timedelta(days=LINK_MAX_DAYS):
        return Problem(Reason.CLOSES_TOO_FAR, limit=LINK_MAX_DAYS)
    return None


def build_payload(name: str, closes: datetime, switches: Mapping[str, bool]) -> dict[str, Any]:
    """The body of the call [4.4]: milliseconds since the epoch, every switch said."""
    return {"link_name": name, "expires_at": to_milliseconds(closes), **switches}


def to_milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)


SWITCHES: Final = ("allow_comment", "allow_status_edit", "show_resolved")


def is_same(payload: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two calls ask for the same link: a form that was loaded a little later closes a little later."""
    apart = abs(payload["expires_at"] - other["expires_at"])
    return apart <= CLOCKS_DIFFER.total_seconds() * 1000 and all(
        payload[name] == other[name] for name in ("link_name", *SWITCHES)
    )


def find_created(request: Mapping[str, Any], since: datetime, records: Iterable[ReviewLink]) -> ReviewLink | None:
    """The link that a call without an answer made after all: the one that is exactly what was sent, and new."""
    for link in records:
        same = link.name == request["link_name"] and all(getattr(link, name) == request[name] for name in SWITCHES)
        closes = link.expires_at is not None and to_milliseconds(link.expires_at) == request["expires_at"]
        new = link.created_at is None or link.created_at >= since - CLOCKS_DIFFER
        if same and closes and new:
            return link
    return None


def select_usable(links: Iterable[AnyLink], now: datetime) -> AnyLink | Reason:
    """The link that the owner's change of a status can go through: open, and letting status be changed [4.8]."""
    usable = [link for link in links if state_of(link, now) in USABLE]
    if not usable:
        return Reason.ALL_CLOSED
    allowing = [link for link in usable if link.allow_status_edit]
    return allowing[0] if allowing else Reason.STATUS_LOCKED
