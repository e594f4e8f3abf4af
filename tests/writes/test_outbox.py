"""One write is sent once and settled once, whoever sends, dies, or comes late."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api import errors
from dashboard.writes import failures, outbox, recovery
from dashboard.writes.models import State, Write
from dashboard.writes.operations import NotWanted
from dashboard.writes.outbox import Intent
from tests.moments import replace_time
from tests.writes.conftest import Platform, later, registered, reload

pytestmark = pytest.mark.django_db

LOST = errors.Unreachable("tests.note", sent=True)
NOT_CONNECTED = errors.Unreachable("tests.note", sent=False)


def test_the_same_key_is_one_write_with_the_first_outcome(platform: Platform, intent: Intent) -> None:
    first = outbox.perform(intent)
    second = outbox.perform(replace(intent, request={"text": "other"}))
    assert second.pk == first.pk
    assert platform.notes == ["hello"]
    assert second.result == {"answer": "note 1"}


def test_two_scopes_with_one_key_are_two_writes(platform: Platform, intent: Intent) -> None:
    outbox.perform(intent)
    outbox.perform(replace(intent, scope="another"))
    assert len(platform.notes) == 2


def test_a_held_write_leaves_when_it_is_due_and_not_before(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    recovery.follow(write)
    assert platform.notes == []
    recovery.follow(later(write, 4.9))
    assert platform.notes == []
    recovery.follow(later(write, 0.2))
    assert platform.notes == ["hello"]


def test_a_cancelled_write_never_leaves(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    assert outbox.cancel(write)
    recovery.follow(later(write, 10))
    outbox.deliver(reload(write))
    assert platform.notes == []
    assert reload(write).state == State.CANCELLED


def test_a_write_that_is_not_wanted_any_more_is_cancelled_and_not_in_activity(
    platform: Platform, intent: Intent
) -> None:
    def decline(write: Write) -> None:
        raise NotWanted

    registered(send=decline)
    write, _new = outbox.begin(intent)
    outbox.deliver(write)
    assert reload(write).state == State.CANCELLED
    assert not Entry.objects.exists()


def test_a_write_without_a_time_waits_until_it_is_released(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=None)
    recovery.follow(later(write, 3600))
    assert platform.notes == []
    assert outbox.release(write, after=timedelta(seconds=30))
    assert not outbox.release(write)
    recovery.follow(later(write, 29))
    assert platform.notes == []
    recovery.follow(later(write, 2))
    assert platform.notes == ["hello"]


def test_release_of_one_write_leaves_the_others_waiting(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=None)
    other, _new = outbox.begin(replace(intent, key=uuid.uuid4()), hold=None)
    assert outbox.release(write)
    assert reload(write).due_at is not None and reload(other).due_at is None


def test_what_was_sent_meanwhile_is_not_cancelled(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    outbox.deliver(reload(write))
    assert not outbox.cancel(write)
    assert write.state == State.DONE


@pytest.mark.parametrize("error", [NOT_CONNECTED, errors.RateLimited("tests.note", 429)])
def test_what_was_certainly_not_received_waits_and_is_sent_later(
    platform: Platform, intent: Intent, error: errors.CallError
) -> None:
    platform.error, platform.arrives = error, False
    write, _new = outbox.begin(intent)
    outbox.deliver(write)
    assert (write.state, Entry.objects.get().outcome) == (State.HELD, Outcome.WAITING)
    platform.error = None
    recovery.follow(later(write, 6))
    assert platform.notes == ["hello"]
    assert Entry.objects.get().outcome == Outcome.DONE


def test_of_two_that_settle_at_once_the_second_changes_nothing(platform: Platform, intent: Intent) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    one, other = later(write, 30), reload(write)
    outbox.settle_by_reading(one)
    platform.notes.clear()  # the other one's read is older, or the comment was hidden in between
    outbox.settle_by_reading(other)
    assert reload(write).state == State.DONE


def test_a_sender_that_died_is_given_up_and_its_write_settled(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent)

    def die(write: Write) -> None:
        raise KeyboardInterrupt

    platform.during = die
    with pytest.raises(KeyboardInterrupt):
        outbox.deliver(write)
    assert reload(write).state == State.SENDING
    assert recovery.recover() == 0, "its call may still be out"
    later(write, 21)
    assert recovery.recover() == 1
    assert reload(write).state == State.UNCONFIRMED
    recovery.follow(later(write, 21))
    assert (reload(write).state, reload(write).reason) == (State.REFUSED, failures.NOT_RECEIVED)


@pytest.mark.parametrize(
    ("says", "seconds"), [({}, 15), ({"calls": 3}, 35), ({"longest_reads": 20.0}, 35), ({"calls": 2}, 25)]
)
def test_a_sender_counts_as_dead_only_after_the_longest_time_that_its_operation_says(
    platform: Platform, intent: Intent, settings: Settings, says: dict[str, Any], seconds: int
) -> None:
    settings.PLATFORM_TIMEOUT = 10
    registered(**says)
    alive: list[bool] = []

    def look_around(sending: Write) -> None:
        later(sending, seconds - 1)
        recovery.recover()
        alive.append(reload(sending).state == State.SENDING)
        later(sending, 2)
        recovery.recover()
        alive.append(reload(sending).state == State.SENDING)

    platform.during = look_around
    outbox.perform(intent)
    assert alive == [True, False]


def test_an_answer_that_comes_after_its_sender_was_given_up_still_counts(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent)

    def given_up(sending: Write) -> None:
        later(sending, 60)
        recovery.recover()

    platform.during = given_up
    outbox.deliver(write)
    assert reload(write).state == State.DONE


def test_an_answer_of_an_earlier_attempt_does_not_touch_a_later_one(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent)

    def sent_again_meanwhile(sending: Write) -> None:
        platform.during = None
        later(sending, 60)
        recovery.recover()
        outbox.send_again(reload(sending))

    platform.during = sent_again_meanwhile
    outbox.deliver(write)
    assert reload(write).state == State.DONE
    assert reload(write).attempt == 2
    assert reload(write).result == {"answer": "note 1"}, "what the second attempt brought"


def test_a_refusal_is_final_and_told_again_under_the_same_key(platform: Platform, intent: Intent) -> None:
    platform.error, platform.arrives = errors.Refused("tests.note", 400, "Too long"), False
    for _press in range(2):
        with pytest.raises(errors.Refused, match="Too long"):
            outbox.perform(intent)
    platform.error = None
    with pytest.raises(errors.Refused):
        outbox.perform(intent)
    assert platform.notes == []
    assert Entry.objects.get().outcome == Outcome.REFUSED


def test_a_token_that_is_refused_keeps_the_write_for_the_same_form_after_sign_in(
    platform: Platform, intent: Intent
) -> None:
    registered(waits=False)
    platform.error, platform.arrives = errors.BadToken("tests.note", 401), False
    with pytest.raises(errors.BadToken):
        outbox.perform(intent)
    assert reload(Write.objects.get()).due_at is None, "it is not sent by itself"
    platform.error = None
    assert outbox.perform(intent).state == State.DONE
    assert platform.notes == ["hello"]


def test_without_a_connection_an_operation_that_does_not_wait_is_refused_at_once(
    platform: Platform, intent: Intent
) -> None:
    registered(waits=False)
    platform.error, platform.arrives = NOT_CONNECTED, False
    with pytest.raises(errors.Unreachable) as raised:
        outbox.perform(intent)
    assert raised.value.sent is False
    assert reload(Write.objects.get()).state == State.REFUSED


def test_an_answer_that_does_not_say_what_was_made_is_unconfirmed(platform: Platform, intent: Intent) -> None:
    def unreadable(write: Write, answer: object) -> None:
        raise ValueError(answer)

    registered(keep=unreadable)
    write = outbox.perform(intent)
    assert (write.state, write.reason) == (State.UNCONFIRMED, failures.UNREADABLE)


def test_what_a_feature_keeps_and_the_outcome_are_written_together(platform: Platform, intent: Intent) -> None:
    def fail_after_keeping(write: Write, answer: object) -> None:
        Entry.objects.create(account_id=uuid.uuid4(), actor="x", operation="kept")
        raise ValueError

    registered(keep=fail_after_keeping)
    outbox.perform(intent)
    assert not Entry.objects.filter(operation="kept").exists()


def test_a_person_may_settle_or_send_again_what_nothing_can_read(platform: Platform, intent: Intent) -> None:
    registered(settle=None)
    platform.error, platform.arrives = LOST, False
    write = outbox.perform(intent)
    assert write.due_at is None
    platform.error = None
    outbox.send_again(write)
    assert (write.state, platform.notes) == (State.DONE, ["hello"])
    outbox.confirm(write)
    outbox.send_again(write)
    assert platform.notes == ["hello"]


def test_confirmed_by_a_person_it_is_done_in_activity_too(platform: Platform, intent: Intent) -> None:
    registered(settle=None)
    platform.error = LOST
    write = outbox.perform(intent)
    outbox.confirm(write)
    assert (write.state, Entry.objects.get().outcome) == (State.DONE, Outcome.DONE)
    assert (reload(write).shown, reload(write).reason) == (False, failures.CONFIRMED_BY_PERSON)


def test_a_write_whose_process_died_before_sending_is_found(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent)
    assert recovery.recover() == 0
    later(write, 21)
    assert recovery.recover() == 1
    recovery.follow(reload(write))
    assert platform.notes == ["hello"]


@pytest.mark.parametrize(
    ("waits", "hours", "state"),
    [
        (True, 1, State.DONE),
        (True, 24 * 7 - 1, State.DONE),
        (True, 24 * 7 + 1, State.REFUSED),
        (False, 1, State.REFUSED),
    ],
)
def test_an_old_orphan_is_sent_only_where_its_operation_waits_and_within_a_week(
    platform: Platform, intent: Intent, waits: bool, hours: int, state: State
) -> None:
    registered(waits=waits)
    write, _new = outbox.begin(intent)
    recovery.follow(later(write, 3600 * hours))
    assert reload(write).state == state


def test_secrets_are_masked_in_what_activity_keeps(platform: Platform, intent: Intent) -> None:
    write = outbox.perform(replace(intent, after={"password": "1234", "name": "Ana"}))
    assert Entry.objects.get().after == write.after == {"password": "•••", "name": "Ana"}


def test_a_refusal_after_an_unclear_attempt_is_settled_by_reading(platform: Platform, intent: Intent) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    platform.error, platform.arrives = errors.Refused("tests.note", 400, "There is one already"), False
    outbox.send_again(write)
    assert write.state == State.UNCONFIRMED
    recovery.follow(later(write, 30))
    assert (reload(write).state, platform.notes) == (State.DONE, ["hello"])


def test_a_write_that_may_have_arrived_is_not_cancelled(platform: Platform, intent: Intent) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    platform.error = NOT_CONNECTED
    platform.arrives = False
    outbox.send_again(write)
    assert write.state == State.HELD
    assert not outbox.cancel(write)
    recovery.follow(later(write, 30))
    assert reload(write).state == State.DONE


def test_one_that_its_author_sends_again_late_is_not_taken_for_forgotten(platform: Platform, intent: Intent) -> None:
    registered(waits=False, settle=None)
    platform.error, platform.arrives = LOST, False
    write = later(outbox.perform(intent), 3600)
    Write.objects.filter(pk=write.pk).update(state=State.HELD, due_at=timezone.now(), reason="")
    platform.error = None
    recovery.follow(reload(write))
    assert (reload(write).state, platform.notes) == (State.DONE, ["hello"])


def test_an_unconfirmed_write_that_is_sent_once_more_with_something_newer_is_settled_by_that_alone(
    platform: Platform, intent: Intent
) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    stale = reload(write)
    assert outbox.renew(write, request={"text": "newer"})
    assert not outbox.renew(stale, request={"text": "of another press"})
    platform.arrives = False
    outbox.deliver(write)
    recovery.follow(later(write, 25))
    assert (reload(write).state, platform.notes) == (State.REFUSED, ["hello"]), "the earlier text is not looked for"


def test_a_read_made_for_something_else_settles_a_write_once(platform: Platform, intent: Intent) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    outbox.note_found(reload(write), "seen")
    outbox.note_found(reload(write), "seen again")
    assert (reload(write).state, reload(write).result) == (State.DONE, {"answer": "seen"})
    assert Entry.objects.get().outcome == Outcome.DONE


def test_answer_of_a_write_that_a_read_settled_meanwhile_is_not_kept_again(platform: Platform, intent: Intent) -> None:
    kept: list[Any] = []
    registered(keep=lambda write, answer: kept.append(answer))
    platform.during = lambda write: outbox.note_found(reload(write), "seen by a read")
    write = outbox.perform(intent)
    assert (write.state, kept) == (State.DONE, ["seen by a read"])


def test_activity_tells_how_many_milliseconds_the_call_took(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter([100.0, 101.5])
    replace_time(monkeypatch, "dashboard.writes.outbox", perf_counter=lambda: next(seconds))
    outbox.perform(intent)
    assert Entry.objects.get().milliseconds == 1_500
