"""The stage of a live, and whether it can be started or finished (sections 3, 4.9, 7)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from dashboard.platform_api.folders import Folder
from dashboard.platform_api.lives import Live
from dashboard.platform_api.vocabulary import LiveStatus

LATE_AFTER = timedelta(seconds=90)
"""Normal encoders are on air sooner. After this the page says what to check."""
FORGOTTEN_AFTER = timedelta(hours=1)
"""A live that is on air this long after an accepted finish counts as a new broadcast."""
FINISHED = frozenset({LiveStatus.FINISHED, LiveStatus.FINISHED_IMPORTED})


class Fact(StrEnum):
    """Whether a condition is met, as far as the platform says."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Stage(StrEnum):
    """Stage of a live, from the platform's status and the writes sent from here."""

    SCHEDULED = "scheduled"
    UNSCHEDULED = "unscheduled"
    UNDATED = "undated"
    """Offline, and the platform does not say whether it is scheduled."""
    WAITING = "waiting"
    LATE = "late"
    UNCONFIRMED = "unconfirmed"
    ACCEPTED = "accepted"
    """The start was accepted, and the platform does not tell the live's status."""
    ON_AIR = "on_air"
    FINISHING = "finishing"
    LINGERING = "lingering"
    """The finish was accepted more than `LATE_AFTER` ago, and the live is still on air."""
    FINISH_UNCONFIRMED = "finish_unconfirmed"
    FINISH_ACCEPTED = "finish_accepted"
    """The finish was accepted, and the platform does not tell the live's status."""
    FINISHED = "finished"
    OTHER = "other"


AFTER_FINISH = frozenset({Stage.FINISHING, Stage.LINGERING, Stage.FINISH_UNCONFIRMED, Stage.FINISH_ACCEPTED})
POLLED_STAGES = frozenset(
    {Stage.WAITING, Stage.LATE, Stage.UNCONFIRMED, Stage.FINISHING, Stage.LINGERING, Stage.FINISH_UNCONFIRMED}
)
"""Stages that can change without a request from here: the page polls."""


@dataclass(frozen=True)
class Attempt:
    """A start or a finish sent from here: when, and whether the platform accepted it."""

    at: datetime
    confirmed: bool


def get_stage(live: Live, start: Attempt | None, now: datetime, finish: Attempt | None = None) -> Stage:
    """The stage of `live`. `start` counts until the platform says that the live is on air or over; `finish` counts first."""
    if live.status in FINISHED:
        return Stage.FINISHED
    if finish is not None and (after := _get_stage_after_finish(finish, live, now)) is not None:
        return after
    if live.status == LiveStatus.ONLINE:
        return Stage.ON_AIR
    if start is not None and not start.confirmed:
        return Stage.UNCONFIRMED
    if live.status != LiveStatus.OFFLINE:
        return Stage.ACCEPTED if start and not live.status else Stage.OTHER
    if live.scheduled_at is not None:
        return Stage.SCHEDULED
    if start is None:
        return Stage.UNSCHEDULED if live.is_schedule_told else Stage.UNDATED
    return Stage.LATE if now - start.at > LATE_AFTER else Stage.WAITING


def _get_stage_after_finish(finish: Attempt, live: Live, now: datetime) -> Stage | None:
    """The stage after a finish; None once it is outdated: the live is scheduled or on air again."""
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
    """Whether the live is offline; unknown for a status that is not documented."""
    if live.status == LiveStatus.OFFLINE:
        return Fact.YES
    return Fact.NO if live.status == LiveStatus.ONLINE or live.status in FINISHED else Fact.UNKNOWN


def is_scheduled(live: Live) -> Fact:
    """Whether the live is scheduled. For an offline live an empty schedule means no [7]."""
    if live.scheduled_at is not None:
        return Fact.YES
    return Fact.NO if live.is_schedule_told and live.status == LiveStatus.OFFLINE else Fact.UNKNOWN


def can_start(live: Live, stage: Stage | None = None) -> bool:
    """Whether the documented conditions of a start (offline and scheduled) may be met and none is in progress."""
    return Fact.NO not in (is_offline(live), is_scheduled(live)) and stage not in (
        Stage.WAITING,
        Stage.UNCONFIRMED,
        *AFTER_FINISH,
    )


def is_on_air(live: Live) -> Fact:
    """Whether the live is on air; unknown for a status that is not documented."""
    if live.status == LiveStatus.ONLINE:
        return Fact.YES
    return Fact.NO if live.status == LiveStatus.OFFLINE or live.status in FINISHED else Fact.UNKNOWN


def can_finish(live: Live, stage: Stage) -> bool:
    """Whether the live is not over and no finish is in progress. The conditions of a finish are not documented."""
    over = (Stage.FINISHED, Stage.FINISHING, Stage.FINISH_UNCONFIRMED)
    return live.status not in FINISHED and stage not in over


def should_offer_finish(live: Live, stage: Stage) -> bool:
    """Whether the live's page links to the finish form: it is on air, or may be."""
    may_be = (Stage.ON_AIR, Stage.LATE, Stage.ACCEPTED, Stage.LINGERING, Stage.FINISH_ACCEPTED, Stage.OTHER)
    return can_finish(live, stage) and stage in may_be


def build_folder_paths(folders: Iterable[Folder]) -> dict[str, str]:
    """Paths of names ("Courses / 2026") by folder id, sorted."""
    by_id = {folder.id: folder for folder in folders}
    paths = {folder.id: " / ".join(reversed(list(_iterate_names_to_root(folder, by_id)))) for folder in by_id.values()}
    return dict(sorted(paths.items(), key=lambda item: item[1].casefold()))


def _iterate_names_to_root(folder: Folder, by_id: Mapping[str, Folder]) -> Iterator[str]:
    """The folder's name, then those of its ancestors. Stops at a cycle of parents."""
    visited_ids: set[str] = set()
    parent: Folder | None = folder
    while parent is not None and parent.id not in visited_ids:
        visited_ids.add(parent.id)
        yield parent.name or parent.id
        parent = by_id.get(parent.parent_folder_id or "")
