"""A change of one write touches no other, and none that is in another state or attempt than it was made for."""

import uuid
from dataclasses import replace
from typing import Any

import pytest

from dashboard.platform_api import errors
from dashboard.upstream import clients
from dashboard.writes import failures, operations, outbox
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from tests.writes.conftest import NAME, Platform, registered, reload

pytestmark = pytest.mark.django_db

LOST = errors.Unreachable(NAME, sent=True)


@pytest.fixture
def unclear(platform: Platform, intent: Intent) -> Write:
    """A write that is not confirmed, beside another one."""
    platform.error = LOST
    outbox.perform(replace(intent, key=uuid.uuid4(), request={"text": "beside"}))
    write = outbox.perform(intent)
    platform.error = None
    return write


def put(write: Write, state: State, **fields: Any) -> Write:
    """The write as its row would be in another state."""
    Write.objects.filter(pk=write.pk).update(state=state, **fields)
    return reload(write)


def beside() -> State:
    """How the other write stands."""
    return State(Write.objects.get(request={"text": "beside"}).state)


@pytest.mark.parametrize("act", ["send_again", "renew", "confirm", "note_found", "settle_by_reading"])
def test_what_happens_to_one_write_happens_to_no_other(unclear: Write, act: str) -> None:
    getattr(outbox, act)(unclear)
    assert beside() == State.UNCONFIRMED
    assert reload(unclear).state in (State.DONE, State.HELD)


@pytest.mark.parametrize("act", ["renew", "confirm"])
def test_what_is_being_sent_is_neither_renewed_nor_confirmed(unclear: Write, act: str) -> None:
    write = put(unclear, State.SENDING)
    getattr(outbox, act)(write)
    assert reload(write).state == State.SENDING


def test_a_held_write_of_another_attempt_is_not_sent_by_who_knows_an_earlier_one(
    platform: Platform, intent: Intent
) -> None:
    stale, _new = outbox.begin(intent)
    Write.objects.update(attempt=3)
    assert outbox.deliver(stale).attempt == 3
    assert (stale.state, platform.notes) == (State.HELD, [])


def test_only_what_was_begun_without_a_time_and_still_waits_is_released(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent, hold=None)
    assert not outbox.release(put(write, State.CANCELLED, due_at=None))
    assert reload(write).due_at is None
    assert outbox.release(put(write, State.HELD, due_at=None))


def test_a_refused_write_is_sent_again_only_where_nothing_of_it_arrived(platform: Platform, intent: Intent) -> None:
    write, _new = outbox.begin(intent)
    refused = put(write, State.REFUSED, reason="Refused")
    assert outbox.send_again(refused).pk == write.pk
    assert (refused.state, platform.notes, Write.objects.count()) == (State.REFUSED, [], 1)
    lost = put(write, State.REFUSED, reason=failures.NOT_RECEIVED)
    again = outbox.send_again(lost)
    assert again.pk != write.pk and again.state == State.DONE
    assert again.request == write.request
    assert outbox.send_again(put(write, State.REFUSED, reason=failures.NOT_RECEIVED)).pk == again.pk, "two presses"
    assert platform.notes == ["hello"]


def test_what_is_done_is_not_dismissed(platform: Platform, intent: Intent) -> None:
    write = put(outbox.perform(intent), State.DONE, shown=True)
    outbox.dismiss(write)
    assert reload(write).shown


def test_a_read_that_does_not_say_what_was_made_leaves_it_to_later_reads(unclear: Write) -> None:
    def unreadable(write: Write, answer: object) -> None:
        raise ValueError(answer)

    registered(keep=unreadable)
    outbox.settle_by_reading(unclear)
    kept = reload(unclear)
    assert (kept.state, kept.reason) == (State.UNCONFIRMED, failures.UNREADABLE)
    assert kept.due_at is not None


def test_a_rehearsal_shows_the_call_and_stores_nothing(platform: Platform, intent: Intent) -> None:
    class Shown(Exception):
        """Instead of `Rehearsed`."""

    def show(write: Write) -> None:
        raise Shown(write.operation, write.request)

    registered(send=show)
    with clients.rehearsing(), pytest.raises(Shown) as raised:
        outbox.perform(intent)
    assert raised.value.args == (NAME, {"text": "hello"})
    assert not Write.objects.exists()


def test_every_change_of_state_is_told_to_the_reads_of_its_subject_and_its_feature(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked: list[tuple[object, ...]] = []
    states: list[str] = []
    monkeypatch.setattr("dashboard.upstream.store.mark_changed", lambda *about: marked.append(about))
    registered(changed=lambda write: states.append(write.state))
    write = outbox.perform(intent)
    assert set(marked) == {(write.account_id, NAME, "s")}
    assert states == ["held", "sending", "done"]


def test_a_write_that_no_feature_knows_any_more_has_no_page(platform: Platform) -> None:
    assert operations.page_of(Write(operation="gone.away")) == ""
    assert operations.page_of(Write(operation=NAME)) == ""
    registered(page=lambda write: "/there/")
    assert operations.page_of(Write(operation=NAME)) == "/there/"
    with pytest.raises(ValueError, match="registered twice"):
        operations.register(operations.registered(NAME))
