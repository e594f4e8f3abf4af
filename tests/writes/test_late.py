"""Late presses, earlier attempts and unreadable tokens change nothing of a write that they may not change."""

import uuid
from dataclasses import replace

import pytest

from dashboard.platform_api import errors
from dashboard.shared.vault import Unreadable
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from tests.moments import at_statement
from tests.writes.conftest import Platform, reload

pytestmark = pytest.mark.django_db

LOST = errors.Unreachable("tests.note", sent=True)


def test_key_that_another_request_stored_at_the_same_moment_is_one_write(platform: Platform, intent: Intent) -> None:
    others: list[tuple[Write, bool]] = []
    with at_statement("SAVEPOINT", lambda: others.append(outbox.begin(intent))):  # it looked before this one is stored
        second, is_second_new = outbox.begin(intent)
    ((first, is_first_new),) = others
    assert (second.pk, is_first_new, is_second_new) == (first.pk, True, False)


def test_change_of_state_by_an_earlier_attempt_changes_nothing_and_learns_how_it_stands(
    platform: Platform, intent: Intent
) -> None:
    write, _new = outbox.begin(intent)
    stale = reload(write)
    Write.objects.filter(pk=write.pk).update(state=State.SENDING, attempt=1)
    assert not outbox.move(stale, State.REFUSED, reason="late")
    assert (reload(write).state, reload(write).reason) == (State.SENDING, "")
    assert (stale.state, stale.attempt) == (State.SENDING, 1)


def test_stored_token_that_cannot_be_read_sends_nothing_and_holds_the_write(platform: Platform, intent: Intent) -> None:
    def fail(write: Write) -> None:
        raise Unreadable

    platform.during = fail
    write, _new = outbox.begin(intent)
    outbox.deliver(write)
    assert (write.state, write.reason, platform.notes) == (State.HELD, "BadToken", [])


def test_who_confirms_or_dismisses_late_is_shown_how_the_write_stands(platform: Platform, intent: Intent) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    late, later_still = reload(write), reload(write)
    outbox.note_found(write, "seen")
    outbox.confirm(late)
    outbox.dismiss(later_still)
    assert (late.state, late.result) == (State.DONE, {"answer": "seen"})
    assert later_still.state == State.DONE


def test_dismissed_write_is_shown_no_longer(platform: Platform, intent: Intent) -> None:
    platform.error = LOST
    write = outbox.perform(intent)
    other = outbox.perform(replace(intent, key=uuid.uuid4()))
    outbox.dismiss(write)
    assert (write.shown, reload(write).shown, reload(other).shown) == (False, False, True)
    assert write.state == State.UNCONFIRMED, "how it ended is still looked for"
