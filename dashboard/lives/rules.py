"""What a live may do, and where it stands between the press and the air (sections 3, 4.9, 7)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from dashboard.platform_api.records.lives import Live
from dashboard.platform_api.vocabulary import LiveStatus

LATE_AFTER = timedelta(seconds=90)
"""An encoder that publishes needs less; then the page advises."""
FINISHED = frozenset({LiveStatus.FINISHED, LiveStatus.FINISHED_IMPORTED})


class Fact(StrEnum):
    """What is known of a condition."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Stage(StrEnum):
    """Where a live stands, from the platform's status and our own record of the press."""

    SCHEDULED = "scheduled"
    UNSCHEDULED = "unscheduled"
    UNDATED = "undated"
    """Offline, and the platform does not say whether it is scheduled."""
    WAITING = "waiting"
    LATE = "late"
    UNCONFIRMED = "unconfirmed"
    ACCEPTED = "accepted"
    """The start was accepted, and the platform does not say what became of it."""
    ON_AIR = "on_air"
    FINISHED = "finished"
    OTHER = "other"


MOVING = frozenset({Stage.WAITING, Stage.LATE, Stage.UNCONFIRMED})
"""Stages that may change by themselves within seconds: the page keeps asking."""


@dataclass(frozen=True)
class Pressed:
    """Our record of a start: when, and whether the platform said yes."""

    at: datetime
    confirmed: bool


def stage(live: Live, pressed: Pressed | None, now: datetime) -> Stage:
    """The stage of `live`. A press counts until the platform says that it is on air or over."""
    if live.status == LiveStatus.ONLINE:
        return Stage.ON_AIR
    if live.status in FINISHED:
        return Stage.FINISHED
    if pressed is not None and not pressed.confirmed:
        return Stage.UNCONFIRMED
    if live.status != LiveStatus.OFFLINE:
        return Stage.ACCEPTED if pressed and not live.status else Stage.OTHER
    if live.scheduled_at is not None:
        return Stage.SCHEDULED
    if pressed is None:
        return Stage.UNSCHEDULED if live.is_schedule_told else Stage.UNDATED
    return Stage.LATE if now - pressed.at > LATE_AFTER else Stage.WAITING


def is_offline(live: Live) -> Fact:
    """Whether it is offline. A state that no document names tells nothing."""
    if live.status == LiveStatus.OFFLINE:
        return Fact.YES
    return Fact.NO if live.status == LiveStatus.ONLINE or live.status in FINISHED else Fact.UNKNOWN


def is_scheduled(live: Live) -> Fact:
    """Whether it is scheduled. An empty schedule means that it is not, where the live is offline [7]."""
    if live.scheduled_at is not None:
        return Fact.YES
    return Fact.NO if live.is_schedule_told and live.status == LiveStatus.OFFLINE else Fact.UNKNOWN


def may_start(live: Live, stage: Stage | None = None) -> bool:
    """Whether nothing that is documented forbids a start: the live has to be offline and scheduled, else it is refused.

    While a start is on its way there is no other one.
    """
    return Fact.NO not in (is_offline(live), is_scheduled(live)) and stage not in (Stage.WAITING, Stage.UNCONFIRMED)
