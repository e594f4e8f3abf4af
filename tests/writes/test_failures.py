"""What an error says of a write: whether it can have arrived, how long to wait, and the same error told again later."""

from datetime import timedelta

import pytest
from pytest_django import Settings

from dashboard.platform_api import errors
from dashboard.writes import failures
from dashboard.writes.models import Write
from dashboard.writes.operations import Operation

NAME = "tests.note"


@pytest.mark.parametrize("kind", failures._KINDS.values(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("sent", [True, False])
def test_an_error_is_told_again_with_its_operation_status_and_words(kind: type[errors.CallError], sent: bool) -> None:
    error = failures.rebuild_error(kind.__name__, NAME, 418, "I am a teapot", sent=sent)
    assert type(error) is kind
    assert (error.operation, error.status, error.message) == (NAME, 418, "I am a teapot")
    if isinstance(error, errors.Unreachable):
        assert error.sent is sent


def test_a_word_that_is_no_error_is_none() -> None:
    assert failures.rebuild_error(failures.NOT_RECEIVED, NAME, None, "", sent=True) is None


@pytest.mark.parametrize(
    ("error", "not_received", "ambiguous"),
    [
        (errors.Unreachable(NAME, sent=False), True, False),
        (errors.Unreachable(NAME, sent=True), False, True),
        (errors.RateLimited(NAME, 429), True, False),
        (errors.OverBudget(NAME), True, False),
        (errors.PlatformDown(NAME, 503), False, True),
        (errors.Refused(NAME, 400), False, False),
        (errors.BadToken(NAME, 401), False, False),
        (errors.Missing(NAME, 404), False, False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_what_can_have_arrived_is_no_other_than_what_has_no_clear_answer(
    error: errors.CallError, not_received: bool, ambiguous: bool
) -> None:
    assert failures.certainly_not_received(error) is not_received
    assert failures.is_ambiguous(error) is ambiguous


@pytest.mark.parametrize(
    ("error", "attempt", "seconds"),
    [
        *(
            (errors.Unreachable(NAME, sent=False), attempt, pause)
            for attempt, pause in enumerate((5, 10, 20, 40, 60), 1)
        ),
        (errors.Unreachable(NAME, sent=False), 9, 60),
        (errors.RateLimited(NAME, 429, retry_after=7), 3, 7),
        (errors.RateLimited(NAME, 429, retry_after=900), 1, 300),
        (errors.BadToken(NAME, 401), 1, 300),
    ],
)
def test_pauses_grow_to_a_minute_or_are_as_the_platform_asks_for_up_to_five(
    error: errors.CallError, attempt: int, seconds: float
) -> None:
    assert failures.pause_after(error, attempt) == seconds


def test_a_sender_is_out_for_its_calls_its_reads_and_five_seconds(settings: Settings) -> None:
    settings.PLATFORM_TIMEOUT = 20.0
    operation = Operation(NAME, lambda write: None, calls=2, longest_reads=30)
    assert operation.longest_send() == timedelta(seconds=75)


@pytest.mark.parametrize(("label", "called"), [("My list", "My list"), ("", "p1")])
def test_a_write_is_called_by_its_label_or_else_its_subject(label: str, called: str) -> None:
    assert str(Write(operation=NAME, subject="p1", label=label)) == f"{NAME} {called} (held)"
