"""What is told about a call, and what never is."""

import logging
import traceback
from itertools import product

import httpx
import pytest

from dashboard.platform_api import Call, Platform, errors, open_http
from tests.house.sources import assert_none
from tests.platform_api.conftest import Answering, Recorder, error_of
from tests.platform_api.operations import CONFIG, LINK, OPERATIONS, REVIEWER, TOKEN, VIDEO

PRIVATE = (TOKEN, REVIEWER, VIDEO, "example", "token=")


def test_a_call_is_one_line_of_operation_status_and_milliseconds(
    answering: Answering, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answering(httpx.Response(200, json={"id": "1"})).videos.get(VIDEO)
    (line,) = [record.getMessage() for record in caplog.records if record.name.startswith("dashboard.platform_api")]
    operation, status, outcome, milliseconds, unit = line.split()
    assert (operation, status, outcome, unit) == ("videos.get", "200", "ok", "ms")
    assert int(milliseconds) >= 0


def test_no_log_line_of_anyone_holds_an_address_or_a_token(
    answering: Answering, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    offenders = []
    for operation, status in product(OPERATIONS, (200, 401, 503)):
        caplog.clear()
        error_of(operation, answering(httpx.Response(status, json={"id": "1", "message": f"{TOKEN} {REVIEWER}"})))
        lines = [record.getMessage() for record in caplog.records]
        if not lines or any(word in line for word in PRIVATE for line in lines):
            offenders.append(f"{operation} {status}: {lines}")
    assert_none(offenders)


@pytest.mark.parametrize("failure", [httpx.ReadTimeout("x"), httpx.Response(500, json={"message": "no"})], ids=repr)
def test_a_traceback_shows_no_token(failure: Exception | httpx.Response, answering: Answering) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        if isinstance(failure, Exception):
            raise failure
        return failure

    with pytest.raises(errors.CallError) as raised:
        answering(handle).public_review.comments(LINK, REVIEWER)
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None
    shown = "".join(traceback.TracebackException.from_exception(raised.value, capture_locals=True).format())
    ours = shown[shown.index("reviews.py") :]
    assert TOKEN not in ours


def test_every_attempt_is_observed(answering: Answering, recorder: Recorder) -> None:
    answers = iter([httpx.Response(503), httpx.Response(200, json={"id": "1"})])
    answering(lambda request: next(answers)).videos.get(VIDEO)
    first, second = recorder.calls
    assert (first.operation, first.method, first.status, first.error, first.attempt) == (
        "videos.get",
        "GET",
        503,
        "PlatformDown",
        1,
    )
    assert (second.status, second.error, second.attempt) == (200, None, 2)
    assert first.milliseconds >= 0


def test_a_call_without_answer_is_observed_without_status(answering: Answering, recorder: Recorder) -> None:
    def lost(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("lost")

    with pytest.raises(errors.Unreachable):
        answering(lost).lives.start("live")
    (call,) = recorder.calls
    assert (call.status, call.error) == (None, "Unreachable")


def test_an_observer_that_fails_is_logged_and_breaks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def broken(call: Call) -> None:
        raise RuntimeError("disk full")

    http = open_http(
        CONFIG, httpx.MockTransport(lambda request: httpx.Response(200, json={"id": "1", "title": "Read"}))
    )
    assert Platform(CONFIG, http, TOKEN, observe=broken).videos.get(VIDEO).title == "Read"
    assert "observing videos.get failed" in caplog.text


@pytest.mark.parametrize("name", ["httpx", "httpcore"])
def test_the_http_client_s_own_loggers_are_silenced(name: str) -> None:
    logging.getLogger(name).setLevel(logging.DEBUG)
    open_http(CONFIG, httpx.MockTransport(lambda request: httpx.Response(200))).close()
    assert not logging.getLogger(name).isEnabledFor(logging.INFO)
