"""What becomes of a start, a finish and a creation whose answer never came, by what the platform says afterwards."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.lives import writes
from dashboard.lives.rules import LATE_AFTER, Attempt, Stage
from dashboard.lives.writes import CREATE, FINISH, START, SentWrites
from dashboard.platform_api.lives import Live
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Found
from tests.answering import answer_with
from tests.lives.test_create import FORM
from tests.moments import Freeze

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
TIME = "2026-11-21T12:00:00Z"
ONLINE = {"status": "online", "scheduled_at": TIME}
OFFLINE = {"status": "offline", "scheduled_at": TIME}
CLEARED = {"status": "offline", "scheduled_at": None}


@pytest.fixture(autouse=True)
def clock(freeze: Freeze) -> None:
    freeze(NOW)


def make_write(account: Account, operation: str, state: State = State.UNCONFIRMED, **fields: Any) -> Write:
    request = {"live_id": "live", "title": "Harvest", "scheduled_time": TIME}
    values = {"subject": "live", "request": request, "attempt": 1} | fields
    return Write.objects.create(account=account, scope="s", key=uuid4(), operation=operation, state=state, **values)


@pytest.mark.parametrize(
    ("operation", "before", "live", "settled"),
    [
        (START, {"scheduled_at": "2026-11-21T12:00:00+00:00"}, CLEARED, Found()),
        (START, {"scheduled_at": "2026-11-21T12:00:00+00:00"}, ONLINE, Found()),
        (START, {"scheduled_at": "2026-11-21T12:00:00+00:00"}, OFFLINE, ABSENT),
        (START, {"scheduled_at": "2026-11-20T12:00:00+00:00"}, OFFLINE, UNKNOWN),
        (START, None, OFFLINE, UNKNOWN),
        (START, {"scheduled_at": "2026-11-21T12:00:00+00:00"}, {"status": "paused", "scheduled_at": TIME}, UNKNOWN),
        (START, None, {"status": "offline"}, UNKNOWN),
        (FINISH, {"status": "online"}, CLEARED, Found()),
        (FINISH, {"status": "offline"}, CLEARED, UNKNOWN),
        (FINISH, None, CLEARED, UNKNOWN),
        (FINISH, None, {"status": "finished"}, Found()),
    ],
)
def test_start_and_finish_are_settled_by_what_the_live_says(
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
    operation: str,
    before: dict[str, str] | None,
    live: dict[str, Any],
    settled: object,
) -> None:
    answer_with(monkeypatch, lambda _request: {"id": "live", **live}, "lives.get")
    settle = writes.settle_start if operation == START else writes.settle_finish
    assert settle(make_write(account, operation, before=before, ended_at=NOW)) == settled


@pytest.mark.parametrize(
    ("age", "is_ended", "settled"),
    [
        (LATE_AFTER, True, UNKNOWN),
        (LATE_AFTER + timedelta(seconds=1), True, ABSENT),
        (LATE_AFTER + timedelta(seconds=1), False, ABSENT),
    ],
)
def test_live_that_is_on_air_long_after_its_finish_was_not_finished(
    account: Account, monkeypatch: pytest.MonkeyPatch, age: timedelta, is_ended: bool, settled: object
) -> None:
    answer_with(monkeypatch, lambda _request: {"id": "live", "status": "online"}, "lives.get")
    write = make_write(account, FINISH, before={"status": "online"})
    write.created_at, write.ended_at = (NOW, NOW - age) if is_ended else (NOW - age, None)
    assert writes.settle_finish(write) == settled


@pytest.mark.parametrize(
    ("created_at", "title", "is_found"),
    [
        (NOW - writes.CLOCKS_DIFFER, "Harvest", True),
        (NOW - writes.CLOCKS_DIFFER - timedelta(seconds=1), "Harvest", False),
        (NOW, "Another", False),
    ],
)
def test_creation_is_found_by_title_time_and_age(
    account: Account, monkeypatch: pytest.MonkeyPatch, created_at: datetime, title: str, is_found: bool
) -> None:
    listed = {"id": "new", "title": title, "scheduled_at": TIME, "created_at": created_at.isoformat()}
    answer_with(monkeypatch, lambda _request: [listed], "lives.list")
    write = make_write(account, CREATE, subject="", sent_at=NOW)
    assert isinstance(writes.settle_creation(write), Found) is is_found
    write.sent_at, write.created_at = None, NOW
    assert isinstance(writes.settle_creation(write), Found) is is_found


def test_live_that_another_creation_made_is_not_found_again_but_one_that_was_finished_is(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {"id": "new", "title": "Harvest", "scheduled_at": TIME, "created_at": NOW.isoformat()}
    answer_with(monkeypatch, lambda _request: [listed], "lives.list")
    write = make_write(account, CREATE, subject="", sent_at=NOW)
    other = make_write(account, FINISH, State.DONE, subject="new")
    assert isinstance(writes.settle_creation(write), Found)
    Write.objects.filter(pk=other.pk).update(operation=CREATE)
    assert writes.settle_creation(write) == ABSENT


def make_live(status: str, scheduled_at: str | None = None, *, is_told: bool = True) -> Live:
    return Live.from_json({"id": "live", "status": status, **({"scheduled_at": scheduled_at} if is_told else {})})


@pytest.mark.parametrize(
    ("state", "live", "attempt"),
    [
        (State.DONE, make_live("offline"), Attempt(NOW, True)),
        (State.DONE, make_live("offline", is_told=False), Attempt(NOW, True)),
        (State.DONE, make_live("offline", TIME), None),
        (State.REFUSED, make_live("offline"), None),
        (State.UNCONFIRMED, make_live("offline"), Attempt(NOW, True)),
        (State.UNCONFIRMED, make_live("offline", is_told=False), Attempt(NOW, False)),
        (State.UNCONFIRMED, make_live("offline", TIME), Attempt(NOW, False)),
    ],
)
def test_start_counts_as_accepted_once_the_schedule_is_cleared(
    account: Account, state: State, live: Live, attempt: Attempt | None
) -> None:
    assert writes.get_start_attempt(live, SentWrites(make_write(account, START, state, sent_at=NOW))) == attempt


def test_finish_counts_until_a_later_start(account: Account) -> None:
    finish = make_write(account, FINISH, State.DONE, sent_at=NOW)
    start = make_write(account, START, State.DONE, sent_at=NOW)
    start.created_at = finish.created_at
    assert writes.get_finish_attempt(make_live("online"), SentWrites(start, finish)) == Attempt(NOW, True)
    start.created_at = finish.created_at + timedelta(microseconds=1)
    assert writes.get_finish_attempt(make_live("online"), SentWrites(start, finish)) is None
    assert writes.get_stage(make_live("online"), SentWrites(start, finish), NOW) == Stage.ON_AIR
    start.state = State.REFUSED
    assert writes.get_stage(make_live("online"), SentWrites(start, finish), NOW) == Stage.FINISHING


def test_last_writes_are_those_of_each_live_and_of_lives_alone(account: Account) -> None:
    mine, other = (make_write(account, START, State.DONE, subject=live) for live in ("live", "other"))
    finish = make_write(account, FINISH, State.DONE)
    make_write(account, "playlists.delete", State.DONE)
    Write.objects.filter(pk=other.pk).update(created_at=NOW + timedelta(seconds=1))
    other.refresh_from_db()
    lives = [Live.from_json({"id": live}) for live in ("live", "other")]
    assert writes.load_sent_writes(account, lives) == {"live": SentWrites(mine, finish), "other": SentWrites(other)}
    assert writes.find_last_write(account, "live", START) == mine


@pytest.mark.parametrize(("subject", "page"), [("5f0c5a1e", "/dashboard/lives/5f0c5a1e/"), ("", "/dashboard/lives/")])
def test_page_of_a_write_is_that_of_its_live(account: Account, subject: str, page: str) -> None:
    assert writes.get_page(make_write(account, CREATE, subject=subject)) == page


def test_activity_keeps_the_schedule_before_a_start_and_what_a_creation_became(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # the real clock
    owner.post(f"/dashboard/lives/{cast['lives']['scheduled']}/start/")
    start = Entry.objects.get(operation=START)
    assert start.before and start.before["scheduled_at"]
    owner.post(f"/dashboard/lives/{cast['lives']['online']}/finish/")
    assert Entry.objects.get(operation=FINISH).before == {"status": "online"}
    page = owner.post("/dashboard/lives/create/", FORM)["Location"]
    creation = Entry.objects.get(operation=CREATE)
    assert creation.after and creation.after["title"] == FORM["title"] and creation.after["id"] in page
