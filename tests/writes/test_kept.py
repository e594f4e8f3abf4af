"""What the row of a write keeps, in each state, for those who read it later: people, Activity and the worker."""

import uuid
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from dashboard.activity.models import Entry
from dashboard.platform_api import errors
from dashboard.writes import failures, outbox, tasks
from dashboard.writes.models import LABEL_MAX, NAME_MAX, SUBJECT_MAX, State, Write
from dashboard.writes.operations import NotWanted
from dashboard.writes.outbox import Intent
from tests.moments import measure_span, replace_time
from tests.writes.conftest import Platform, registered, reload

pytestmark = pytest.mark.django_db

LOST = errors.Unreachable("tests.note", sent=True)


def test_the_same_key_again_is_said_to_be_no_new_write(platform: Platform, intent: Intent) -> None:
    first, is_new = outbox.begin(intent)
    second, is_second_new = outbox.begin(intent)
    assert (second.pk, is_new, is_second_new) == (first.pk, True, False)
    assert second.account == intent.account


def test_texts_that_are_too_long_are_cut_and_secrets_before_and_after_are_masked(
    platform: Platform, intent: Intent
) -> None:
    secret = {"password": "1234", "name": "Ana"}
    long = replace(intent, actor="a" * 500, subject="s" * 500, label="l" * 500, before=secret, after=secret)
    write = reload(outbox.begin(long)[0])
    assert (len(write.actor), len(write.subject), len(write.label)) == (NAME_MAX, SUBJECT_MAX, LABEL_MAX)
    assert write.before == write.after == {"password": "•••", "name": "Ana"}


def test_a_write_to_be_sent_at_once_is_found_by_the_worker_a_moment_later(platform: Platform, intent: Intent) -> None:
    with measure_span() as span:
        write, _new = outbox.begin(intent)
    assert span.holds(reload(write).due_at, later=outbox.ORPHANED)


@pytest.mark.parametrize("ends", ["cancelled", "not wanted", "done"])
def test_what_ended_as_its_author_expects_is_not_shown_again(platform: Platform, intent: Intent, ends: str) -> None:
    def decline(write: Write) -> None:
        raise NotWanted

    if ends == "not wanted":
        registered(send=decline)
    write, _new = outbox.begin(intent)
    outbox.cancel(write) if ends == "cancelled" else outbox.deliver(write)
    assert reload(write).shown is False
    assert write.shown is False
    assert reload(write).settled_at is not None


def test_an_answer_that_cannot_be_read_ended_when_it_came(platform: Platform, intent: Intent) -> None:
    def unreadable(write: Write, answer: object) -> None:
        raise ValueError(answer)

    registered(keep=unreadable)
    with measure_span() as span:
        write = reload(outbox.perform(intent))
    assert span.holds(write.ended_at)
    assert write.due_at is not None, "it is looked after by reading"
    assert (write.settled_at, write.shown) == (None, True)


@pytest.mark.parametrize(("author", "ends"), [("", State.HELD), ("7", State.REFUSED)])
def test_refused_token_holds_the_account_s_write_and_ends_that_of_a_reviewer(
    platform: Platform, intent: Intent, author: str, ends: State
) -> None:
    platform.error, platform.arrives = errors.BadToken("tests.note", 401), False
    with suppress(errors.BadToken):  # a form says why its write ended
        outbox.perform(replace(intent, author=author))
    assert Write.objects.get().state == ends


def test_pruning_leaves_activity_of_writes_that_have_not_ended(
    platform: Platform, intent: Intent, settings: Settings
) -> None:
    platform.error, platform.arrives = LOST, False
    outbox.perform(intent)
    for target in ("young", "old"):
        Entry.objects.create(account_id=uuid.UUID(intent.scope), operation="tests.note", target=target)
    days = timedelta(settings.RETENTION_DAYS)
    Entry.objects.exclude(target="young").update(at=timezone.now() - days - timedelta(hours=1))
    Entry.objects.filter(target="young").update(at=timezone.now() - days + timedelta(hours=1))
    tasks.prune_history.call()
    assert {entry.target for entry in Entry.objects.all()} == {"s", "young"}


def test_an_error_is_kept_with_its_status_and_words_until_the_write_is_done(platform: Platform, intent: Intent) -> None:
    platform.error, platform.arrives = errors.PlatformDown("tests.note", 503, "Maintenance"), False
    write = reload(outbox.perform(intent))
    assert (write.reason, write.status, write.message) == ("PlatformDown", 503, "Maintenance")
    platform.error = None
    sent = reload(outbox.send_again(write))
    assert (sent.state, sent.reason, sent.status, sent.message) == (State.DONE, "", None, "")


def test_one_that_is_sent_again_is_shown_without_the_words_of_its_first_end(platform: Platform, intent: Intent) -> None:
    platform.error = errors.PlatformDown("tests.note", 503, "Maintenance")
    write = outbox.perform(intent)
    outbox.dismiss(write)
    with measure_span() as span:
        assert outbox.renew(write, request={"text": "newer"})
    kept = reload(write)
    assert (kept.state, kept.shown, kept.reason, kept.message) == (State.HELD, True, "", "")
    assert kept.request == {"text": "newer"}
    assert span.holds(kept.due_at)
    assert not outbox.renew(write), "it is not unconfirmed any more"


def test_a_lost_write_is_told_again_under_its_key_as_one_that_never_left(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent)
    Write.objects.filter(pk=write.pk).update(state=State.REFUSED, reason=failures.NOT_RECEIVED)
    with pytest.raises(errors.Unreachable) as raised:
        outbox.perform(intent)
    assert (raised.value.operation, raised.value.sent) == ("tests.note", False)
    assert platform.notes == []


def test_a_second_press_waits_for_the_answer_of_the_first(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, _new = outbox.begin(intent)
    Write.objects.filter(pk=write.pk).update(state=State.SENDING, attempt=1)
    passed = [100.0]

    def sleep(seconds: float) -> None:
        passed[0] += seconds
        if passed[0] > 102:
            Write.objects.filter(pk=write.pk).update(state=State.DONE)

    replace_time(monkeypatch, "dashboard.writes.beside", monotonic=lambda: passed[0], sleep=sleep)
    assert outbox.perform(intent).state == State.DONE
    assert 102 < passed[0] < 102.2
    assert platform.notes == []


def test_a_second_press_waits_three_seconds_and_no_longer(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, _new = outbox.begin(intent)
    Write.objects.filter(pk=write.pk).update(state=State.SENDING, attempt=1)
    passed = [100.0]

    def sleep(seconds: float) -> None:
        passed[0] += seconds

    replace_time(monkeypatch, "dashboard.writes.beside", monotonic=lambda: passed[0], sleep=sleep)
    assert outbox.perform(intent).state == State.SENDING
    assert 103 <= passed[0] < 103.2


def test_a_refusal_of_a_sending_that_may_have_arrived_before_waits_for_a_read(
    platform: Platform, intent: Intent
) -> None:
    platform.error, platform.tells = LOST, False
    write = outbox.perform(intent)
    platform.error, platform.arrives = errors.Refused("tests.note", 400, "Too long"), False
    outbox.send_again(write)
    kept = reload(write)
    assert (kept.state, kept.attempt, kept.message) == (State.UNCONFIRMED, 2, "Too long")
    assert kept.due_at is not None


def test_what_was_confirmed_by_a_person_says_so_and_is_not_shown(platform: Platform, intent: Intent) -> None:
    told: list[Write] = []
    registered(confirmed=told.append)
    platform.error = LOST
    write = outbox.perform(intent)
    outbox.confirm(write)
    outbox.confirm(write)
    kept = reload(write)
    assert (kept.state, kept.reason, kept.shown) == (State.DONE, failures.CONFIRMED_BY_PERSON, False)
    assert told == [write], "once"


def test_activity_is_told_of_whom_what_and_by_whom(platform: Platform, intent: Intent) -> None:
    undone = Entry.objects.create(account_id=uuid.uuid4(), actor="x", operation="tests.note")
    write = outbox.perform(replace(intent, before={"name": "a"}, after={"name": "b"}, undoes=undone))
    entry = Entry.objects.get(undoes=undone)
    assert (entry.account_id, entry.actor, entry.operation) == (write.account_id, "Ana", "tests.note")
    assert (entry.target, entry.label, entry.before, entry.after) == ("s", "hello", {"name": "a"}, {"name": "b"})
