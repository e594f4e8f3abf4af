"""A request waits a moment for the answer to what it sends. A platform that hangs keeps neither it nor the others."""

import logging
import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from django.db import transaction
from pytest_django import Settings

from dashboard.platform_api import circuits, errors
from dashboard.upstream import parallel
from dashboard.writes import beside, operations, outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import Operation
from dashboard.writes.outbox import Intent
from tests import forgetting
from tests.moments import replace_time
from tests.writes.conftest import NAME, Platform, registered, reload

pytestmark = pytest.mark.django_db(transaction=True)

WAIT, PLENTY = 0.2, 20.0
OTHER = "tests.other"


@pytest.fixture(autouse=True)
def in_request(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A request of a server, whose machine may be slow."""
    settings.READ_SIDE_BY_SIDE = True
    monkeypatch.setattr(beside, "ANSWER_WAIT", PLENTY)
    monkeypatch.setattr(beside, "_circuits", circuits.Circuits())
    parallel.begin_visit()
    yield
    forgetting.forget_visit()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request waits `WAIT` seconds, and a call that takes as long is stuck."""
    monkeypatch.setattr(beside, "ANSWER_WAIT", WAIT)
    monkeypatch.setattr(circuits, "STUCK_SECONDS", WAIT / 2)


@pytest.fixture
def release(platform: Platform, hurried: None) -> Iterator[threading.Event]:
    """The platform answers nothing until this is set. At the end all that was sent is over."""
    answers = threading.Event()
    platform.during = lambda write: assert_set(answers)
    yield answers
    answers.set()
    until(lambda: not Write.objects.filter(state=State.SENDING).exists())


def assert_set(event: threading.Event) -> None:
    assert event.wait(20)


def until(is_true: Callable[[], bool]) -> None:
    for _look in range(400):
        if is_true():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came")


def another(intent: Intent, **changes: object) -> Intent:
    return replace(intent, key=uuid.uuid4(), **changes)  # type: ignore[arg-type]  # fields of Intent


def hang(intent: Intent) -> None:
    """Fill the places of an operation with calls that get no answer."""
    for _call in range(circuits.MOST_STUCK):
        assert outbox.perform(another(intent)).state == State.SENDING


def test_a_request_goes_on_without_the_answer_and_the_write_ends_by_itself(
    platform: Platform, release: threading.Event, intent: Intent
) -> None:
    write = outbox.perform(intent)
    assert (write.state, reload(write).state) == (State.SENDING, State.SENDING)
    release.set()
    until(lambda: reload(write).state == State.DONE)
    assert reload(write).result == {"answer": "note 1"}
    assert write.state == State.SENDING, "what the request has in its hands does not change under it"
    assert platform.notes == ["hello"]


def test_a_request_that_has_waited_for_an_answer_does_not_wait_again(
    release: threading.Event, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = outbox.perform(intent)
    monkeypatch.setattr(beside, "ANSWER_WAIT", PLENTY)
    replace_time(monkeypatch, "dashboard.writes.beside", sleep=lambda seconds: pytest.fail("it waits"))
    outbox.wait_for_answer(write)
    assert write.state == State.SENDING


def test_a_second_press_waits_for_the_answer_to_the_first_one(
    platform: Platform, release: threading.Event, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox.perform(intent)
    monkeypatch.setattr(beside, "ANSWER_WAIT", PLENTY)
    threading.Timer(0.1, release.set).start()
    assert outbox.perform(intent).state == State.DONE
    assert platform.notes == ["hello"]


def test_what_is_answered_in_time_is_known_to_the_request(platform: Platform, intent: Intent) -> None:
    write = outbox.perform(intent)
    assert (write.state, write.result) == (State.DONE, {"answer": "note 1"})
    platform.error, platform.arrives = errors.Refused(NAME, 400, "Too long."), False
    with pytest.raises(errors.Refused, match="Too long"):
        outbox.perform(another(intent))


def test_while_calls_of_an_operation_hang_the_next_one_is_kept_for_the_worker(
    platform: Platform, release: threading.Event, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang(intent)
    write = outbox.perform(another(intent))
    assert (write.state, write.reason) == (State.HELD, "Unreachable")
    assert write.due_at is not None
    release.set()
    until(lambda: len(platform.notes) == circuits.MOST_STUCK)
    monkeypatch.setattr(beside, "ANSWER_WAIT", PLENTY)
    until(lambda: not beside._circuits._by_operation[NAME].begun)
    assert outbox.perform(another(intent)).state == State.DONE, "now it is sent again"


def test_where_an_operation_does_not_wait_the_form_says_that_nothing_was_sent(
    platform: Platform, release: threading.Event, intent: Intent
) -> None:
    hang(intent)
    registered(waits=False)
    with pytest.raises(errors.Unreachable) as refused:
        outbox.perform(another(intent))
    assert not refused.value.sent
    assert platform.notes == []


def test_an_operation_that_hangs_does_not_hold_up_another_one(
    release: threading.Event, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang(intent)
    monkeypatch.setattr(beside, "ANSWER_WAIT", PLENTY)
    operations._registered[OTHER] = Operation(OTHER, lambda write: "there", lambda write, answer: None, None)
    assert outbox.perform(another(intent, operation=OTHER)).state == State.DONE


def test_what_fails_when_nobody_waits_any_more_is_logged(
    platform: Platform, hurried: None, intent: Intent, caplog: pytest.LogCaptureFixture
) -> None:
    answers = threading.Event()

    def fail(write: Write) -> None:
        assert_set(answers)
        raise ZeroDivisionError

    platform.during = fail
    assert outbox.perform(intent).state == State.SENDING
    with caplog.at_level(logging.ERROR):
        answers.set()
        until(lambda: "what a request has not waited for failed" in caplog.text)
    assert "ZeroDivisionError" in caplog.text


def test_a_mistake_of_ours_in_time_is_raised(platform: Platform, intent: Intent) -> None:
    platform.during = lambda write: 1 // 0  # type: ignore[assignment]  # it never returns
    with pytest.raises(ZeroDivisionError):
        outbox.perform(intent)


def test_whoever_is_in_no_request_or_in_a_transaction_sends_on_the_spot(platform: Platform, intent: Intent) -> None:
    threads: list[threading.Thread] = []
    platform.during = lambda write: threads.append(threading.current_thread())
    outbox.perform(intent)
    with transaction.atomic():
        outbox.perform(another(intent))
    forgetting.forget_visit()
    outbox.perform(another(intent))
    here = threading.current_thread()
    assert [thread is here for thread in threads] == [False, True, True]
