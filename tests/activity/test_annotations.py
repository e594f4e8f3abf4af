"""Marks on charts: what the account did in the days that are shown, each on its day or hour."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from dashboard.accounts.models import Account
from dashboard.activity import recorder
from dashboard.activity.models import Entry, Outcome
from dashboard.shared.ranges import Bucket, Days

pytestmark = pytest.mark.django_db

SAO_PAULO = ZoneInfo("America/Sao_Paulo")
WEEK = Days(date(2026, 11, 2), date(2026, 11, 8))
NOON = datetime(2026, 11, 4, 12, tzinfo=UTC)


@pytest.fixture
def account() -> UUID:
    return UUID(str(Account.objects.create(name="Estúdio Maré", fingerprint="a").pk))


def record(
    account: UUID,
    at: datetime = NOON,
    operation: str = "comparisons.start",
    outcome: str = Outcome.DONE,
    target: str = "",
) -> None:
    entry = Entry.objects.create(account_id=account, actor="Ana", operation=operation, outcome=outcome, target=target)
    Entry.objects.filter(pk=entry.pk).update(at=at)


def test_marks_begin_and_end_with_the_days_of_the_readers_zone(account: UUID) -> None:
    first, last = datetime(2026, 11, 2, tzinfo=SAO_PAULO), datetime(2026, 11, 9, tzinfo=SAO_PAULO)
    for at in (first - timedelta(seconds=1), first, last - timedelta(seconds=1), last):
        record(account, at)
    events = recorder.list_events(account, WEEK, SAO_PAULO)
    assert [event.at.isoformat() for event in events] == ["2026-11-02T00:00:00-03:00", "2026-11-08T23:59:59-03:00"]


def test_marks_show_only_what_was_done_and_may_move_what_people_watch(account: UUID) -> None:
    for outcome in Outcome:
        record(account, operation="lives.start", outcome=outcome)
    record(account, operation="folders.rename")
    assert [event.operation for event in recorder.list_events(account, WEEK, SAO_PAULO)] == ["lives.start"]
    assert set(recorder.list_annotated()) == {
        "comparisons.start", "comparisons.finish", "lives.start", "review_links.create", "funnels.add_videos"
    }  # fmt: skip


def test_marks_of_one_target_leave_out_the_others(account: UUID) -> None:
    record(account, NOON, target="mine")
    record(account, NOON + timedelta(hours=1), target="another")
    events = recorder.list_events(account, WEEK, SAO_PAULO, target="mine")
    assert [event.at.hour for event in events] == [9]
    assert len(recorder.list_events(account, WEEK, SAO_PAULO)) == 2


def test_marks_of_another_account_are_not_shown(account: UUID) -> None:
    other = Account.objects.create(name="Another", fingerprint="b")
    record(UUID(str(other.pk)))
    assert recorder.list_events(account, WEEK, SAO_PAULO) == []


def test_marks_are_at_most_twelve_and_the_oldest_come_first(account: UUID) -> None:
    for minute in reversed(range(14)):
        record(account, NOON + timedelta(minutes=minute))
    assert [event.at.minute for event in recorder.list_events(account, WEEK, SAO_PAULO)] == list(range(12))


def test_mark_stands_on_its_day_and_is_named_with_it() -> None:
    days = tuple(Bucket(day, None, True, True) for day in WEEK)
    event = recorder.Event(NOON.astimezone(SAO_PAULO), "comparisons.start")
    assert [(mark.index, mark.text) for mark in recorder.marked([event], days)] == [(2, "Nov 4, A/B test started")]


def test_mark_stands_on_its_hour_where_the_chart_is_by_hour_and_nowhere_outside_of_it() -> None:
    hours = tuple(Bucket(date(2026, 11, 4), hour, True, True) for hour in range(24))
    inside = recorder.Event(NOON.astimezone(SAO_PAULO), "comparisons.start")
    outside = recorder.Event((NOON + timedelta(days=1)).astimezone(SAO_PAULO), "comparisons.start")
    assert [mark.index for mark in recorder.marked([outside, inside], hours)] == [9]
