"""What a live may do, and its stage between a press and the air, and after its finish (sections 3, 4.9, 7)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from dashboard.platform_api.records.folders import Folder
from dashboard.platform_api.records.lives import Live
from dashboard.platform_api.vocabulary import LiveStatus

LATE_AFTER = timedelta(seconds=90)
"""An encoder that publishes needs less; then the page advises."""
FORGOTTEN_AFTER = timedelta(hours=1)
"""After this a live that is on air is a new broadcast, and not one that an accepted finish left on air."""
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
    FINISHING = "finishing"
    LINGERING = "lingering"
    """Its finish was accepted a while ago, and it is still on air."""
    FINISH_UNCONFIRMED = "finish_unconfirmed"
    FINISH_ACCEPTED = "finish_accepted"
    """The finish was accepted, and the platform does not say what became of it."""
    FINISHED = "finished"
    OTHER = "other"


AFTER_FINISH = frozenset({Stage.FINISHING, Stage.LINGERING, Stage.FINISH_UNCONFIRMED, Stage.FINISH_ACCEPTED})
MOVING = frozenset(
    {Stage.WAITING, Stage.LATE, Stage.UNCONFIRMED, Stage.FINISHING, Stage.LINGERING, Stage.FINISH_UNCONFIRMED}
)
"""Stages that may change by themselves within seconds: the page keeps asking."""


@dataclass(frozen=True)
class Pressed:
    """Our record of a start or a finish: when, and whether the platform said yes."""

    at: datetime
    confirmed: bool


def stage(live: Live, pressed: Pressed | None, now: datetime, finish: Pressed | None = None) -> Stage:
    """The stage of `live`. A press counts until the platform says that it is on air or over; `finish`, after any start."""
    if live.status in FINISHED:
        return Stage.FINISHED
    if finish is not None and (after := _stage_after(finish, live, now)) is not None:
        return after
    if live.status == LiveStatus.ONLINE:
        return Stage.ON_AIR
    if pressed is not None and not pressed.confirmed:
        return Stage.UNCONFIRMED
    if live.status != LiveStatus.OFFLINE:
        return Stage.ACCEPTED if pressed and not live.status else Stage.OTHER
    if live.scheduled_at is not None:
        return Stage.SCHEDULED
    if pressed is None:
        return Stage.UNSCHEDULED if live.is_schedule_told else Stage.UNDATED
    return Stage.LATE if now - pressed.at > LATE_AFTER else Stage.WAITING


def _stage_after(finish: Pressed, live: Live, now: datetime) -> Stage | None:
    """The stage after a finish; None where it says nothing any more: the live is scheduled or on air again."""
    if not finish.confirmed:
        return Stage.FINISH_UNCONFIRMED
    if live.status == LiveStatus.ONLINE:
        age = now - finish.at
        if age > FORGOTTEN_AFTER:
            return None
        return Stage.LINGERING if age > LATE_AFTER else Stage.FINISHING
    if not live.status:
        return Stage.FINISH_ACCEPTED
    return Stage.FINISHED if live.status == LiveStatus.OFFLINE and live.scheduled_at is None else None


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
    return Fact.NO not in (is_offline(live), is_scheduled(live)) and stage not in (
        Stage.WAITING,
        Stage.UNCONFIRMED,
        *AFTER_FINISH,
    )


def is_on_air(live: Live) -> Fact:
    """Whether it is on air. A state that no document names tells nothing."""
    if live.status == LiveStatus.ONLINE:
        return Fact.YES
    return Fact.NO if live.status == LiveStatus.OFFLINE or live.status in FINISHED else Fact.UNKNOWN


def may_finish(live: Live, stage: Stage) -> bool:
    """Whether a finish can be of use: what finishing needs is documented nowhere, so only what is over forbids it.

    While a finish is on its way there is no other one.
    """
    over = (Stage.FINISHED, Stage.FINISHING, Stage.FINISH_UNCONFIRMED)
    return live.status not in FINISHED and stage not in over


def offers_finish(live: Live, stage: Stage) -> bool:
    """Whether its page leads to finishing: it is on air, or may be."""
    may_be = (Stage.ON_AIR, Stage.LATE, Stage.ACCEPTED, Stage.LINGERING, Stage.FINISH_ACCEPTED, Stage.OTHER)
    return may_finish(live, stage) and stage in may_be


def folder_paths(folders: Iterable[Folder]) -> dict[str, str]:
    """The folders by id, each with the names of those above it, in the order of these paths."""
    by_id = {folder.id: folder for folder in folders}
    paths = {folder.id: " / ".join(reversed(list(_names_up(folder, by_id)))) for folder in by_id.values()}
    return dict(sorted(paths.items(), key=lambda item: item[1].casefold()))


def _names_up(folder: Folder, by_id: Mapping[str, Folder]) -> Iterator[str]:
    """Its name and those above it. Folders that name each other as parents end where they began."""
    seen: set[str] = set()
    above: Folder | None = folder
    while above is not None and above.id not in seen:
        seen.add(above.id)
        yield above.name or above.id
        above = by_id.get(above.parent_folder_id or "")
