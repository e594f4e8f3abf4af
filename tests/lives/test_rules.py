"""The stage of a live out of its status and what was sent, what it allows, and the paths of folders."""

from datetime import UTC, datetime, timedelta

import pytest

from dashboard.lives.rules import (
    FORGOTTEN_AFTER,
    LATE_AFTER,
    Attempt,
    Stage,
    build_folder_paths,
    can_finish,
    get_stage,
    should_offer_finish,
)
from dashboard.platform_api.folders import Folder
from dashboard.platform_api.lives import Live

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
JUST_LATER = timedelta(microseconds=1)


def make_live(status: str, *, is_scheduled: bool = False, is_told: bool = True) -> Live:
    source: dict[str, str | None] = {"id": "1", "status": status}
    if is_told:
        source["scheduled_at"] = "2026-11-21T12:00:00Z" if is_scheduled else None
    return Live.from_json(source)


def sent(age: timedelta, *, confirmed: bool = True) -> Attempt:
    return Attempt(NOW - age, confirmed)


@pytest.mark.parametrize(
    ("live", "start", "stage"),
    [
        (make_live("offline", is_scheduled=True), None, Stage.SCHEDULED),
        (make_live("offline"), None, Stage.UNSCHEDULED),
        (make_live("offline", is_told=False), None, Stage.UNDATED),
        (make_live("offline"), sent(LATE_AFTER), Stage.WAITING),
        (make_live("offline"), sent(LATE_AFTER + JUST_LATER), Stage.LATE),
        (make_live("offline"), sent(LATE_AFTER, confirmed=False), Stage.UNCONFIRMED),
        (make_live("online"), sent(LATE_AFTER, confirmed=False), Stage.ON_AIR),
        (make_live(""), sent(LATE_AFTER), Stage.ACCEPTED),
        (make_live(""), None, Stage.OTHER),
        (make_live("paused"), sent(LATE_AFTER), Stage.OTHER),
        (make_live("finished"), sent(LATE_AFTER, confirmed=False), Stage.FINISHED),
    ],
)
def test_stage_follows_from_the_status_and_the_start(live: Live, start: Attempt | None, stage: Stage) -> None:
    assert get_stage(live, start, NOW) == stage


@pytest.mark.parametrize(
    ("live", "finish", "stage"),
    [
        (make_live("online"), sent(LATE_AFTER), Stage.FINISHING),
        (make_live("online"), sent(LATE_AFTER + JUST_LATER), Stage.LINGERING),
        (make_live("online"), sent(FORGOTTEN_AFTER), Stage.LINGERING),
        (make_live("online"), sent(FORGOTTEN_AFTER + JUST_LATER), Stage.ON_AIR),
        (make_live("online"), sent(LATE_AFTER, confirmed=False), Stage.FINISH_UNCONFIRMED),
        (make_live(""), sent(LATE_AFTER), Stage.FINISH_ACCEPTED),
        (make_live("offline"), sent(LATE_AFTER), Stage.FINISHED),
        (make_live("offline", is_scheduled=True), sent(LATE_AFTER), Stage.SCHEDULED),
        (make_live("paused"), sent(LATE_AFTER), Stage.OTHER),
    ],
)
def test_stage_after_a_finish_until_the_live_is_on_again(live: Live, finish: Attempt, stage: Stage) -> None:
    assert get_stage(live, None, NOW, finish) == stage


@pytest.mark.parametrize(
    ("status", "stage", "can", "is_offered"),
    [
        ("online", Stage.ON_AIR, True, True),
        ("offline", Stage.LATE, True, True),
        ("offline", Stage.SCHEDULED, True, False),
        ("online", Stage.LINGERING, True, True),
        ("online", Stage.FINISHING, False, False),
        ("online", Stage.FINISH_UNCONFIRMED, False, False),
        ("finished", Stage.ON_AIR, False, False),
        ("offline", Stage.FINISHED, False, False),
    ],
)
def test_finish_is_offered_where_the_live_may_be_on_air_and_none_is_under_way(
    status: str, stage: Stage, can: bool, is_offered: bool
) -> None:
    live = make_live(status)
    assert (can_finish(live, stage), should_offer_finish(live, stage)) == (can, is_offered)


def test_paths_of_folders_end_at_a_ring_of_parents() -> None:
    ring = [
        Folder.from_json({"id": "a", "name": "A", "parent_folder_id": "b"}),
        Folder.from_json({"id": "b", "name": "", "parent_folder_id": "a"}),
        Folder.from_json({"id": "c", "name": "C", "parent_folder_id": "unknown"}),
    ]
    assert build_folder_paths(ring) == {"a": "b / A", "b": "A / b", "c": "C"}
