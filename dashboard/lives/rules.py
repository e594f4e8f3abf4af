"""What a live may do, and where it stands between the press and the air (sections 3, 4.9, 7)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from dashboard.platform_api.records.lives import Live
from dashboard.platform_api.vocabulary import LiveStatus

LATE_AFTER = timedelta(seconds=90)
"""An encoder that publishes needs less; then the page advises."""
FINISHED = frozenset({LiveStatus.FINISHED, LiveStatus.FINISHED_IMPORTED})


class Stage(StrEnum):
    """Where a live stands, from the platform's status and our own record of the press."""

    SCHEDULED = "scheduled"
    UNSCHEDULED = "unscheduled"
    WAITING = "waiting"
    LATE = "late"
    UNCONFIRMED = "unconfirmed"
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
    """The stage of `live`. A press counts while the platform still says offline."""
    if live.status == LiveStatus.ONLINE:
        return Stage.ON_AIR
    if live.status in FINISHED:
        return Stage.FINISHED
    if live.status != LiveStatus.OFFLINE:
        return Stage.OTHER
    if live.scheduled_at is not None:
        return Stage.UNCONFIRMED if pressed and not pressed.confirmed else Stage.SCHEDULED
    if pressed is None:
        return Stage.UNSCHEDULED
    return Stage.LATE if now - pressed.at > LATE_AFTER else Stage.WAITING


def may_start(live: Live) -> bool:
    """Only an offline live that is scheduled can be started early; the rest the platform refuses with 400."""
    return live.status == LiveStatus.OFFLINE and live.scheduled_at is not None
