"""A write whose call ended unclearly is settled by reading, as soon as something can be read."""

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api import errors
from dashboard.shared.vault import Unreadable
from dashboard.writes import failures, operations, outbox, recovery
from dashboard.writes.models import State, Write
from dashboard.writes.operations import NotRead
from dashboard.writes.outbox import Intent
from tests.moments import Freeze
from tests.writes.conftest import Platform, later, registered, reload

pytestmark = pytest.mark.django_db

LOST = errors.Unreachable("tests.note", sent=True)


@pytest.mark.parametrize(
    "error", [LOST, *(errors.PlatformDown("tests.note", status) for status in (500, 502, 503, 504))]
)
def test_an_unclear_end_is_settled_by_reading_and_never_sent_again(
    platform: Platform, intent: Intent, error: errors.CallError
) -> None:
    platform.error = error
    write = outbox.perform(intent)
    assert (write.state, Entry.objects.get().outcome) == (State.UNCONFIRMED, Outcome.UNCONFIRMED)
    recovery.follow(later(write, 3))
    assert (reload(write).state, Entry.objects.get().outcome) == (State.DONE, Outcome.DONE)
    assert platform.notes == ["hello"]


@pytest.mark.parametrize(("seconds", "state"), [(19, State.UNCONFIRMED), (21, State.REFUSED)])
def test_a_write_that_reads_do_not_find_counts_as_lost_twenty_seconds_after_its_call_ended(
    platform: Platform, intent: Intent, seconds: float, state: State
) -> None:
    platform.error, platform.arrives = LOST, False
    write = outbox.perform(intent)
    Write.objects.filter(pk=write.pk).update(sent_at=timezone.now() - timedelta(minutes=5))
    recovery.follow(later(write, seconds))
    assert reload(write).state == state
    assert reload(write).reason == (failures.NOT_RECEIVED if state == State.REFUSED else "Unreachable")


def test_a_read_that_fails_or_cannot_tell_leaves_it_open(platform: Platform, intent: Intent) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    platform.readable = False
    recovery.follow(later(write, 60))
    platform.readable, platform.tells = True, False
    recovery.follow(later(write, 600))
    assert reload(write).state == State.UNCONFIRMED
    assert reload(write).due_at is not None


@pytest.mark.parametrize(
    ("unreadable", "soon"),
    [
        (NotRead(), True),
        (errors.PlatformDown("tests.read", 503), True),
        (errors.Unreachable("tests.read", sent=True), True),
        (errors.Unreachable("tests.read", sent=False), True),
        (errors.RateLimited("tests.read", 429), True),
        (errors.BadToken("tests.read", 401), False),
        (Unreadable(), False),
        (None, False),
    ],
)
def test_an_old_write_is_looked_after_within_thirty_seconds_where_nothing_could_be_read(
    platform: Platform, intent: Intent, unreadable: Exception | None, soon: bool
) -> None:
    """Where the platform answered, or asks for something that a person has to do, its age decides: ten minutes here."""
    platform.error = LOST
    write = outbox.perform(intent)
    platform.readable, platform.tells = unreadable is None, False
    platform.unreadable = unreadable or platform.unreadable
    recovery.follow(later(write, 3600))
    due, in_31_seconds = reload(write).due_at, timezone.now() + timedelta(seconds=31)
    assert due is not None
    assert (due < in_31_seconds) is soon
    platform.readable = platform.tells = True
    recovery.follow(later(write, 600))
    assert reload(write).state == State.DONE


def test_write_whose_place_was_taken_by_something_newer_is_done_and_not_shown(
    platform: Platform, intent: Intent
) -> None:
    platform.error, platform.replaced = LOST, True
    write = outbox.perform(intent)
    recovery.follow(later(write, 3))
    ended = reload(write)
    assert (ended.state, ended.reason, ended.shown) == (State.DONE, failures.REPLACED, False)
    assert Entry.objects.get().outcome == Outcome.DONE


def test_look_at_a_settled_write_reads_nothing_and_gives_it_back(platform: Platform, intent: Intent) -> None:
    write = outbox.perform(intent)
    platform.readable, platform.unreadable = False, AssertionError("It was read")
    assert outbox.settle_by_reading(write) is write
    assert write.state == State.DONE


@pytest.mark.parametrize(("hours", "asked"), [(-0.01, False), (0.01, True)])
def test_author_is_asked_how_a_write_ended_once_reading_has_not_told_for_long(
    platform: Platform, intent: Intent, hours: float, asked: bool
) -> None:
    platform.error, platform.tells = LOST, False
    write = outbox.perform(intent)
    assert not outbox.may_decide(write)
    ended_at = timezone.now() - outbox.STAYS_OPEN - timedelta(hours=hours)
    Write.objects.filter(pk=write.pk).update(ended_at=ended_at)
    assert outbox.may_decide(reload(write)) is asked


def test_look_at_an_unconfirmed_write_that_no_read_can_settle_leaves_it_to_its_author(
    platform: Platform, intent: Intent
) -> None:
    registered(settle=None)
    platform.error = LOST
    write = outbox.perform(intent)
    assert outbox.settle_by_reading(write) is write
    assert (write.state, reload(write).state) == (State.UNCONFIRMED, State.UNCONFIRMED)
    assert outbox.may_decide(write)


@pytest.mark.parametrize(
    ("age", "soon", "wait"),
    [
        (None, False, 2),
        (4, False, 2),
        (10, False, 5),
        (10, True, 5),
        (61, True, 30),
        (600, False, 300),
        (2 * 3600, False, 600),
        (48 * 3600 - 1, False, 600),
        (48 * 3600, False, None),
        (48 * 3600, True, None),
    ],
)
def test_looks_are_rarer_the_older_the_write_and_end_after_two_days(
    platform: Platform, age: int | None, soon: bool, wait: int | None, freeze: Freeze
) -> None:
    now = freeze(timezone.now())
    write = Write(operation="tests.note", ended_at=None if age is None else now - timedelta(seconds=age))
    due = operations.next_look(write, soon=soon)
    assert due == (None if wait is None else now + timedelta(seconds=wait))


def test_no_look_is_planned_where_the_settings_let_nothing_be_read(platform: Platform) -> None:
    registered(readable=lambda: False)
    assert operations.next_look(Write(operation="tests.note")) is None
