"""Reads are tried again, writes are not; and nothing waits longer than it may."""

import itertools
import time
from collections.abc import Iterator

import httpx
import pytest

from dashboard.platform_api import errors
from tests.house.sources import assert_none
from tests.moments import replace_time
from tests.platform_api.conftest import Answering, Handler, Recorder, error_of
from tests.platform_api.operations import OPERATIONS, VIDEO

READS = sorted(name for name, example in OPERATIONS.items() if example.method in ("GET", "HEAD"))
WRITES = sorted(set(OPERATIONS) - set(READS))


def failing(*failures: Exception | httpx.Response) -> Handler:
    """Fails in this order, then answers well."""
    return _failing(iter(failures))


def always(failure: Exception | httpx.Response) -> Handler:
    return _failing(itertools.repeat(failure))


def _failing(remaining: Iterator[Exception | httpx.Response]) -> Handler:
    def handle(request: httpx.Request) -> httpx.Response:
        failure = next(remaining, None)
        if isinstance(failure, Exception):
            raise failure
        return failure or httpx.Response(
            200,
            json={"id": "1", "status": True, "videos": [], "vtt": "WEBVTT", "lang": "en", "key": "color", "text": "x"},
        )

    return handle


NEVER_CONNECTED = [
    httpx.ConnectError("x"),
    httpx.ConnectTimeout("x"),
    httpx.PoolTimeout("x"),
    httpx.ProxyError("x"),
]
LOST = [httpx.ReadError("x"), httpx.WriteError("x"), httpx.RemoteProtocolError("x"), httpx.CloseError("x")]
TIMED_OUT = [httpx.ReadTimeout("x"), httpx.WriteTimeout("x")]
BUSY = [httpx.Response(status) for status in (502, 503, 504)]
TOO_MANY = httpx.Response(429)
HELPED: list[Exception | httpx.Response] = [*NEVER_CONNECTED, *LOST, *BUSY]
"""After these another attempt may go well."""
UNCLEAR: list[Exception | httpx.Response] = [*LOST, *TIMED_OUT, *BUSY, TOO_MANY, httpx.Response(500)]
"""After these a write may have arrived."""


def test_every_read_is_tried_twice_more(answering: Answering, recorder: Recorder) -> None:
    offenders = []
    for name, failure in itertools.product(READS, HELPED):
        recorder.requests.clear()
        error = error_of(name, answering(failing(failure, failure)))
        if error or len(recorder.requests) != 3:
            offenders.append(f"{name} after {failure!r}: {len(recorder.requests)} attempts, {error!r}")
    assert len(READS) > 25
    assert_none(offenders)


@pytest.mark.parametrize("failure", HELPED, ids=repr)
def test_after_the_third_failure_the_error_is_raised(
    failure: Exception | httpx.Response, answering: Answering, recorder: Recorder
) -> None:
    with pytest.raises(errors.CallError):
        answering(always(failure)).videos.get(VIDEO)
    assert len(recorder.requests) == 3
    assert [call.attempt for call in recorder.calls] == [1, 2, 3]


@pytest.mark.parametrize(
    "failure", [*TIMED_OUT, httpx.UnsupportedProtocol("x"), httpx.Response(500), TOO_MANY], ids=repr
)
def test_a_read_that_another_try_cannot_help_is_not_tried_again(
    failure: Exception | httpx.Response, answering: Answering, recorder: Recorder
) -> None:
    with pytest.raises(errors.CallError):
        answering(always(failure)).videos.get(VIDEO)
    assert len(recorder.requests) == 1


def test_no_write_that_may_have_arrived_is_sent_again(answering: Answering, recorder: Recorder) -> None:
    offenders = []
    for name, failure in itertools.product(WRITES, UNCLEAR):
        recorder.requests.clear()
        error = error_of(name, answering(always(failure)))
        right = error and isinstance(error, errors.Unreachable) is isinstance(failure, Exception)
        if not right or len(recorder.requests) != 1 or not getattr(error, "sent", True):
            offenders.append(f"{name} after {failure!r}: {len(recorder.requests)} attempts, {error!r}")
    assert len(WRITES) > 15
    assert_none(offenders)
    assert recorder.pauses == []


def test_every_write_is_sent_again_when_the_connection_was_never_made(answering: Answering, recorder: Recorder) -> None:
    offenders = []
    for name, failure in itertools.product(WRITES, NEVER_CONNECTED):
        recorder.requests.clear()
        error = error_of(name, answering(always(failure)))
        if not isinstance(error, errors.Unreachable) or error.sent or len(recorder.requests) != 3:
            offenders.append(f"{name} after {failure!r}: {len(recorder.requests)} attempts, {error!r}")
    assert_none(offenders)


def test_a_write_that_arrives_at_the_second_try_is_not_sent_a_third_time(
    answering: Answering, recorder: Recorder
) -> None:
    with pytest.raises(errors.Unreachable) as raised:
        OPERATIONS["lives.start"].call(answering(failing(httpx.ConnectError("no"), httpx.ReadError("lost"))))
    assert len(recorder.requests) == 2
    assert raised.value.sent is True


def test_pauses_grow_and_are_left_to_chance(answering: Answering, recorder: Recorder) -> None:
    platform = answering(always(httpx.Response(503)))
    for _ in range(30):
        with pytest.raises(errors.PlatformDown):
            platform.videos.get(VIDEO)
    first, second = recorder.pauses[::2], recorder.pauses[1::2]
    assert all(0.05 <= pause <= 0.1 for pause in first)
    assert all(0.2 <= pause <= 0.4 for pause in second)
    assert len(set(recorder.pauses)) > 10


def test_a_short_wait_that_the_platform_asks_for_is_honoured(answering: Answering, recorder: Recorder) -> None:
    answering(failing(httpx.Response(429, headers={"Retry-After": "2"}))).videos.get(VIDEO)
    assert recorder.pauses == [2.0]


def test_after_a_429_nothing_is_tried_again_within_a_second(answering: Answering, recorder: Recorder) -> None:
    answering(failing(httpx.Response(429, headers={"Retry-After": "0"}))).videos.get(VIDEO)
    assert recorder.pauses == [1.0]


def test_a_long_wait_is_told_instead_of_waited_for(answering: Answering, recorder: Recorder) -> None:
    with pytest.raises(errors.RateLimited) as raised:
        answering(always(httpx.Response(429, headers={"Retry-After": "2.1"}))).videos.get(VIDEO)
    assert raised.value.retry_after == 2.1
    assert (len(recorder.requests), recorder.pauses) == (1, [])


def test_no_second_try_starts_after_the_time_is_up(
    answering: Answering, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(time.monotonic(), 4.0)  # every look at the clock is 4 s later; the time-out is 10 s
    replace_time(monkeypatch, "dashboard.platform_api.sending", monotonic=lambda: next(clock))
    with pytest.raises(errors.Unreachable):
        answering(always(httpx.ConnectError("no"))).videos.get(VIDEO)
    assert len(recorder.requests) == 1
