"""After a restore nothing that was open leaves by itself; a person may send it, or reading tells that it arrived."""

import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.activity.models import Entry, Outcome
from dashboard.writes import outbox, recovery
from dashboard.writes.failures import RESTORED
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from dashboard.writes.pages import load_notices
from tests.writes.conftest import NAME, Platform, registered, reload

pytestmark = pytest.mark.django_db


def test_every_open_write_is_doubted_and_none_that_has_ended(platform: Platform, intent: Intent) -> None:
    made = {state: Write.objects.create(state=state, due_at=timezone.now(), **fields(intent)) for state in State}
    assert recovery.doubt_restored() == 2
    after = {state: reload(write) for state, write in made.items()}
    assert {state for state, write in after.items() if write.reason == RESTORED} == {State.HELD, State.SENDING}
    assert after[State.HELD].state == after[State.SENDING].state == State.UNCONFIRMED
    ended = (State.UNCONFIRMED, State.DONE, State.REFUSED, State.CANCELLED)
    assert [after[state].state for state in ended] == list(ended)
    assert list(Entry.objects.values_list("outcome", flat=True)) == [Outcome.UNCONFIRMED] * 2
    for write in after.values():
        Write.objects.filter(pk=write.pk).update(due_at=timezone.now())
        recovery.follow(reload(write))
    assert platform.notes == []


def test_one_that_arrived_is_found_and_one_that_did_not_can_be_sent_by_a_person(
    platform: Platform, intent: Intent
) -> None:
    arrived, _new = outbox.begin(intent, hold=timedelta(minutes=1))
    other, _new = outbox.begin(replace(intent, key=uuid.uuid4(), request={"text": "other"}), hold=timedelta(minutes=1))
    platform.notes.append("hello")
    recovery.doubt_restored()
    Write.objects.update(due_at=timezone.now(), ended_at=timezone.now() - timedelta(minutes=2))
    for write in (arrived, other):
        recovery.follow(reload(write))
    assert (reload(arrived).state, reload(other).state) == (State.DONE, State.REFUSED)
    assert outbox.send_again(reload(other)).state == State.DONE
    assert platform.notes == ["hello", "other"]


def test_where_nothing_can_be_read_a_person_is_asked_and_told_why(platform: Platform, intent: Intent) -> None:
    registered(settle=None)
    write, _new = outbox.begin(intent, hold=timedelta(minutes=1))
    recovery.doubt_restored()
    assert reload(write).due_at is None
    assert write.account is not None
    (notice,) = load_notices(write.account, NAME, back="/")
    assert notice.confirm and notice.send_again
    assert "restored from a backup" in notice.sentence and "Check on the platform" in notice.sentence


def fields(intent: Intent) -> dict[str, object]:
    return vars(replace(intent, key=uuid.uuid4()))
