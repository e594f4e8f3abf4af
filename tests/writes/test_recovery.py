"""What the worker takes up again, and how a write stands whose sender died or that a backup brought back."""

import contextlib
import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.upstream.models import Capability, KnownAnswer
from dashboard.writes import failures, operations, outbox, pages, recovery, schedule, tasks
from dashboard.writes.models import Recurrence, State, Write
from dashboard.writes.operations import Found
from dashboard.writes.outbox import Intent
from tests.moments import measure_span
from tests.writes.conftest import Platform, later, registered, reload

pytestmark = pytest.mark.django_db


def due(intent: Intent, seconds: float, state: State = State.HELD) -> Write:
    """A write that was due so many seconds ago."""
    write, _new = outbox.begin(replace(intent, key=uuid.uuid4()))
    due_at = timezone.now() - timedelta(seconds=seconds)
    Write.objects.filter(pk=write.pk).update(due_at=due_at, state=state, attempt=1)
    return reload(write)


@pytest.mark.parametrize(
    ("state", "seconds", "taken"),
    [
        (State.HELD, 14, False),
        (State.HELD, 16, True),
        (State.HELD, -1, False),
        (State.UNCONFIRMED, 14, False),
        (State.UNCONFIRMED, 16, True),
        (State.SENDING, 1, True),
        (State.SENDING, -1, False),
    ],
)
def test_a_write_is_taken_up_again_once_its_task_is_overdue_or_its_sender_dead(
    platform: Platform, intent: Intent, state: State, seconds: float, taken: bool
) -> None:
    write = due(intent, seconds, state)
    with measure_span() as span:
        assert recovery.recover() == taken
    due_at = reload(write).due_at
    if taken:
        assert due_at is not None and due_at <= span.ended + timedelta(seconds=2), (
            "now, or once its own task had its turn"
        )


def test_the_longest_overdue_are_taken_up_first(platform: Platform, intent: Intent) -> None:
    young, old = due(intent, 20), due(intent, 90)
    assert recovery.recover(most=1) == 1
    assert reload(young).due_at == young.due_at
    assert reload(old).due_at != old.due_at


@pytest.mark.parametrize("way", ["recover", "follow"])
def test_a_write_whose_sender_died_ended_now_and_says_why(platform: Platform, intent: Intent, way: str) -> None:
    platform.readable = False
    write = due(intent, 1, State.SENDING)
    with measure_span() as span:
        recovery.recover() if way == "recover" else recovery.follow(write)
    kept = reload(write)
    assert (kept.state, kept.reason) == (State.UNCONFIRMED, failures.SENDER_DIED)
    assert span.holds(kept.ended_at)
    assert kept.due_at is not None, "reading tells"
    assert platform.notes == []


def test_a_write_that_moved_on_meanwhile_is_not_given_up(platform: Platform, intent: Intent) -> None:
    stale = due(intent, 1, State.SENDING)
    Write.objects.filter(pk=stale.pk).update(state=State.DONE)
    recovery.follow(stale)
    assert (stale.state, reload(stale).reason) == (State.DONE, "")


@pytest.mark.parametrize(
    ("waits", "attempt", "reason", "days", "given_up"),
    [
        (True, 1, "Unreachable", 8, True),
        (True, 1, "", 8, False),
        (True, 1, "Unreachable", 6, False),
        (True, 0, "", 8, True),
        (False, 0, "", 1, True),
        (False, 1, "", 1, False),
    ],
)
def test_a_write_is_given_up_after_a_week_unless_its_author_has_just_sent_it_again(
    platform: Platform, intent: Intent, waits: bool, attempt: int, reason: str, days: int, given_up: bool
) -> None:
    registered(waits=waits)
    write = later(due(intent, 0), days * 86_400)
    Write.objects.filter(pk=write.pk).update(attempt=attempt, reason=reason)
    recovery.follow(reload(write))
    kept = reload(write)
    assert (kept.state, kept.reason) == ((State.REFUSED, failures.NOT_SENT) if given_up else (State.DONE, ""))


def test_a_write_that_a_backup_brought_back_is_another_attempt_and_looked_after(
    platform: Platform, intent: Intent
) -> None:
    write = due(intent, 0)
    Write.objects.filter(pk=write.pk).update(shown=False)
    with measure_span() as span:
        recovery.doubt_restored()
    kept = reload(write)
    assert (kept.attempt, kept.shown, kept.reason) == (2, True, failures.RESTORED)
    assert span.holds(kept.ended_at)
    assert kept.due_at is not None and kept.due_at >= span.began


def test_a_broken_row_is_named_in_the_log_and_keeps_no_other_waiting(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = due(intent, 90), due(intent, 60)
    enqueue = tasks.enqueue

    def fail_once(write: Write) -> None:
        if write.pk == broken.pk:
            raise LookupError
        enqueue(write)

    monkeypatch.setattr(tasks, "enqueue", fail_once)
    with measure_span() as span:
        assert recovery.recover() == 2
    later_at = reload(broken).due_at
    assert later_at is not None and later_at > span.began, "and no open write is forgotten"
    assert reload(whole).due_at is not None
    assert f"write {broken.pk} of tests.note cannot be followed" in caplog.text


def look_for_hours(write: Write, hours: float) -> int:
    """Let the worker look after a write for so long, in steps of 5 s with their tasks. How often it was put in again."""
    times = 0
    for _turn in range(int(hours * 720)):
        write = later(write, 5)
        times += recovery.recover()
        with contextlib.suppress(Exception):  # a task that fails is the queue's affair
            tasks.follow_write.call(str(write.pk))
    return times


@pytest.mark.parametrize("state", [State.SENDING, State.UNCONFIRMED])
@pytest.mark.parametrize("unknown", [False, True])
def test_a_write_that_nothing_can_settle_is_a_person_s_and_not_put_in_again(
    platform: Platform, intent: Intent, state: State, unknown: bool
) -> None:
    write = due(intent, 16, state)
    if unknown:
        operations._registered.clear()
    else:
        registered(settle=None)
    assert look_for_hours(write, 0.1) <= 1
    kept = reload(write)
    assert (kept.state, kept.due_at) == (State.UNCONFIRMED, None)
    assert outbox.may_decide(kept)
    notice = pages.build_notice(kept, "/")
    assert notice.confirm and notice.send_again and "keep checking" not in notice.sentence
    assert "Check on the platform whether it arrived." in notice.sentence
    outbox.confirm(kept)
    assert reload(write).state == State.DONE


def test_a_held_write_of_an_unknown_operation_waits_ever_longer_for_a_version_that_knows_it(
    platform: Platform, intent: Intent
) -> None:
    write, known = due(intent, 16), dict(operations._registered)
    Write.objects.update(attempt=0)
    operations._registered.clear()
    assert look_for_hours(write, 1) < 20
    assert (reload(write).state, reload(write).attempt) == (State.HELD, 0)
    assert look_for_hours(write, 1) <= 6
    operations._registered.update(known)
    recovery.follow(later(write, 600))
    assert (reload(write).state, platform.notes) == (State.DONE, ["hello"])


def test_a_held_write_of_an_unknown_operation_is_told_as_lost_after_a_week(platform: Platform, intent: Intent) -> None:
    write = due(intent, 16)
    Write.objects.update(attempt=0)
    operations._registered.clear()
    recovery.follow(later(write, 8 * 86_400))
    assert (reload(write).state, reload(write).reason) == (State.REFUSED, failures.NOT_SENT)


def test_a_write_whose_reading_breaks_is_looked_after_ever_more_rarely_and_then_a_person_s(
    platform: Platform, intent: Intent, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(write: Write) -> Found:
        raise TypeError

    registered(settle=break_down)
    write = due(intent, 16, State.SENDING)
    assert look_for_hours(write, 0.5) < 5
    assert reload(write).due_at is not None
    assert f"write {write.pk} of tests.note cannot be settled" in caplog.text
    recovery.follow(later(write, 2 * 86_400))
    assert (reload(write).state, reload(write).due_at) == (State.UNCONFIRMED, None)


def test_a_write_whose_task_fails_is_put_in_again_ever_more_rarely(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(write: Write) -> None:
        raise TypeError

    monkeypatch.setattr(recovery, "follow", break_down)
    write = due(intent, 16, State.UNCONFIRMED)
    assert look_for_hours(write, 1) < 20
    assert reload(write).due_at is not None


def test_a_sending_that_breaks_counts_as_out_until_its_lease_is_over(platform: Platform, intent: Intent) -> None:
    def breaks(write: Write) -> None:
        raise RuntimeError("a mistake of ours, after the call")

    registered(send=breaks)
    write, _new = outbox.begin(intent, hold=timedelta(seconds=1))
    Write.objects.update(due_at=timezone.now() - timedelta(hours=1))
    with pytest.raises(RuntimeError):
        tasks.follow_write.call(str(write.pk))
    kept = reload(write)
    assert kept.state == State.SENDING and kept.due_at is not None and kept.sent_at is not None
    assert kept.due_at - kept.sent_at == operations.operation_of(write).longest_send()


def test_a_turn_is_one_worker_s_until_its_time_comes_again() -> None:
    assert schedule.quiet_seconds() is None
    with measure_span() as span:
        assert schedule.take_turn("sweep", timedelta(minutes=5))
    assert not schedule.take_turn("sweep", timedelta(minutes=5))
    assert schedule.take_turn("other", timedelta(minutes=5))
    row = Recurrence.objects.get(name="sweep")
    assert span.holds(row.due_at, later=timedelta(minutes=5))
    Recurrence.objects.filter(name="sweep").update(due_at=timezone.now())
    with measure_span() as span:
        assert schedule.take_turn("sweep", timedelta(minutes=5))
    assert not schedule.take_turn("sweep", timedelta(minutes=5)), "again not before its time"


@pytest.mark.parametrize(("ago", "quiet"), [(0, 5), (60, 65), (-5, 0), (-65, 60), (-31 * 86_400, 31 * 86_400 - 5)])
def test_the_queue_is_quiet_since_the_last_turn_of_any_worker(ago: int, quiet: int) -> None:
    Recurrence.objects.create(name=schedule.RECOVER, due_at=timezone.now() - timedelta(seconds=ago))
    seconds = schedule.quiet_seconds()
    assert seconds is not None and quiet - 1 <= seconds < quiet + 5


@pytest.mark.parametrize("ahead", [timedelta(minutes=6), timedelta(days=31)])
def test_a_turn_that_a_clock_ran_ahead_with_is_due_now(ahead: timedelta) -> None:
    Recurrence.objects.create(name="sweep", due_at=timezone.now() + ahead)
    assert schedule.take_turn("sweep", timedelta(minutes=5))
    assert not schedule.take_turn("sweep", timedelta(minutes=5))
    in_five_minutes = timezone.now() + timedelta(minutes=5)
    assert Recurrence.objects.get().due_at <= in_five_minutes


def test_a_clock_that_is_set_back_a_moment_brings_no_turn_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(schedule, "get_now", lambda: now)
    assert schedule.take_turn("sweep", timedelta(minutes=5))
    now -= timedelta(milliseconds=600)
    assert not schedule.take_turn("sweep", timedelta(minutes=5))


@pytest.mark.parametrize("state", [State.HELD, State.SENDING, State.UNCONFIRMED])
def test_a_write_that_a_clock_ran_ahead_with_ends_as_soon_as_it_is_right_again(
    platform: Platform, intent: Intent, state: State
) -> None:
    write = later(due(intent, 0, state), -31 * 86_400)
    if state == State.UNCONFIRMED:
        Write.objects.update(ended_at=write.due_at)
    with measure_span() as span:
        assert recovery.recover() == 1
    kept = reload(write)
    for moment in (kept.due_at, kept.created_at, kept.sent_at, kept.ended_at):
        assert moment is None or moment <= span.ended + timedelta(seconds=2)
    recovery.follow(later(kept, 30))
    assert reload(write).state == (State.DONE if state == State.HELD else State.REFUSED), "and reading tells at once"


def test_an_unconfirmed_write_that_ended_in_the_future_is_not_looked_after_every_two_seconds(
    platform: Platform, intent: Intent
) -> None:
    platform.readable = False
    write = due(intent, -2, State.UNCONFIRMED)
    Write.objects.update(ended_at=timezone.now() + timedelta(days=31))
    with measure_span() as span:
        assert recovery.recover() == 1
    ended_at = reload(write).ended_at
    assert ended_at is not None and ended_at <= span.ended


def test_a_write_that_is_held_for_its_time_is_not_taken_for_one_of_a_wrong_clock(
    platform: Platform, intent: Intent
) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(hours=25))
    assert recovery.recover() == 0
    assert reload(write).due_at == write.due_at


def test_a_sender_whose_clock_is_two_minutes_ahead_is_not_given_up_while_it_sends(
    platform: Platform, intent: Intent
) -> None:
    write = due(intent, -140, State.SENDING)
    Write.objects.update(
        created_at=timezone.now() + timedelta(minutes=2), sent_at=timezone.now() + timedelta(minutes=2)
    )
    assert recovery.recover() == 0
    kept = reload(write)
    assert (kept.state, kept.due_at) == (State.SENDING, write.due_at)


def test_a_settled_write_of_a_wrong_clock_keeps_no_later_one_from_beginning(
    platform: Platform, intent: Intent, account: Account
) -> None:
    write = outbox.perform(intent)
    ahead = timezone.now() + timedelta(days=31)
    Write.objects.update(created_at=ahead, sent_at=ahead, settled_at=ahead)
    with measure_span() as span:
        recovery.recover()
    kept = reload(write)
    assert kept.settled_at is not None and kept.sent_at is not None
    assert max(kept.settled_at, kept.sent_at, kept.created_at) <= span.ended


def test_an_answer_that_was_read_by_a_wrong_clock_is_replaced_by_the_next_one(account: Account) -> None:
    ahead = timezone.now() + timedelta(days=31)
    KnownAnswer.objects.create(
        account=account, operation="videos.get", digest="d", body=b"", size=0, read_at=ahead, changed_at=ahead
    )
    Capability.objects.create(account=account, operation="lives.list", state="found", checked_at=ahead)
    with measure_span() as span:
        recovery.recover()
    assert KnownAnswer.objects.get().read_at <= span.ended
    assert Capability.objects.get().checked_at <= span.ended
