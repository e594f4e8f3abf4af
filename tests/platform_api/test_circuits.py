"""An operation that hangs or fails takes no thread from the others."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest

from dashboard.platform_api import Circuits, Platform, PlatformConfig, errors, open_http
from dashboard.platform_api.circuits import (
    FAILURES,
    LONGEST_OPEN,
    MOST_IN_FLIGHT,
    MOST_STUCK,
    MOST_STUCK_IN_ALL,
    OPEN_SECONDS,
    STUCK_SECONDS,
)

HOST = "http://platform.test"
CONFIG = PlatformConfig(HOST, HOST, HOST, HOST, HOST, timeout=5)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def circuits(clock: Clock) -> Circuits:
    return Circuits(clock)


def fail(circuits: Circuits, times: int, operation: str = "videos.get") -> None:
    for _time in range(times):
        entered = circuits.enter(operation)
        assert entered is not None
        circuits.leave(operation, entered, failed=True)


def test_an_operation_is_not_asked_for_a_while_after_failures_in_a_row(circuits: Circuits, clock: Clock) -> None:
    fail(circuits, FAILURES - 1)
    assert circuits.open_operations() == []
    fail(circuits, 1)
    assert circuits.open_operations() == ["videos.get"]
    assert circuits.enter("videos.get") is None
    assert circuits.enter("videos.list") is not None
    clock.now += OPEN_SECONDS - 0.01
    assert circuits.enter("videos.get") is None
    clock.now += 0.02
    assert circuits.enter("videos.get") is not None


def test_one_read_tries_whether_an_operation_works_again(circuits: Circuits, clock: Clock) -> None:
    fail(circuits, FAILURES)
    clock.now += OPEN_SECONDS
    tries = circuits.enter("videos.get")
    assert tries is not None
    assert circuits.enter("videos.get") is None
    circuits.leave("videos.get", tries, failed=False)
    assert circuits.enter("videos.get") is not None
    assert circuits.enter("videos.get") is not None


def test_a_try_that_fails_doubles_the_pause_up_to_a_limit(circuits: Circuits, clock: Clock) -> None:
    fail(circuits, FAILURES)
    for pause in (OPEN_SECONDS, LONGEST_OPEN, LONGEST_OPEN):
        clock.now += pause - 0.01
        assert circuits.enter("videos.get") is None
        clock.now += 0.02
        fail(circuits, 1)


def test_a_success_in_between_starts_the_count_anew(circuits: Circuits) -> None:
    fail(circuits, FAILURES - 1)
    entered = circuits.enter("videos.get")
    assert entered is not None
    circuits.leave("videos.get", entered, failed=False)
    fail(circuits, FAILURES - 1)
    assert circuits.open_operations() == []


def test_an_operation_with_stuck_reads_gets_no_more_of_them(circuits: Circuits, clock: Clock) -> None:
    entered = [circuits.enter("lives.list") for _read in range(MOST_STUCK)]
    clock.now += STUCK_SECONDS
    assert circuits.enter("lives.list") is not None
    clock.now += 0.01
    assert circuits.enter("lives.list") is None
    assert circuits.enter("videos.list") is not None
    first = entered[0]
    assert first is not None
    circuits.leave("lives.list", first, failed=False)
    assert circuits.enter("lives.list") is not None


def test_nothing_is_asked_while_reads_of_many_operations_are_stuck(circuits: Circuits, clock: Clock) -> None:
    for place in range(MOST_STUCK_IN_ALL):
        assert circuits.enter(f"operation.{place}") is not None
    clock.now += STUCK_SECONDS + 0.01
    assert circuits.enter("another.one") is None


@pytest.fixture
def hanging() -> Iterator[tuple[Platform, threading.Event, list[str]]]:
    """A platform that answers nothing before the event is set, and what it was asked."""
    release, asked = threading.Event(), list[str]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.method} {request.url.path}")
        release.wait(5)
        return httpx.Response(200, json={"id": "1"})

    yield Platform(CONFIG, open_http(CONFIG, httpx.MockTransport(answer)), "token", circuits=Circuits()), release, asked
    release.set()


def test_more_reads_than_the_bound_wait_a_moment_and_then_fail_unsent(
    hanging: tuple[Platform, threading.Event, list[str]],
) -> None:
    platform, release, asked = hanging
    failed: list[errors.Unreachable] = []

    def read() -> None:
        try:
            platform.lives.get("1")
        except errors.Unreachable as error:
            failed.append(error)

    threads = [threading.Thread(target=read) for _read in range(MOST_IN_FLIGHT + 2)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 10
    while len(failed) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [error.sent for error in failed] == [False, False]
    assert len(asked) == MOST_IN_FLIGHT
    release.set()
    for thread in threads:
        thread.join()


def test_a_write_is_sent_whatever_its_reads_do() -> None:
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.method)
        return httpx.Response(503)

    http = open_http(CONFIG, httpx.MockTransport(answer))
    platform = Platform(CONFIG, http, "token", sleep=lambda seconds: None, circuits=Circuits())
    for _read in range(FAILURES + 1):
        with suppress(errors.CallError):
            platform.lives.get("1")
    reads = sent.count("GET")
    for _write in range(2):
        with suppress(errors.CallError):
            platform.lives.start("1")
    assert sent[reads:] == ["POST", "POST"] or sent[reads:] == ["PUT", "PUT"]
    assert reads == FAILURES * 3


def test_a_refusal_of_the_platform_is_no_failure_of_its_operation() -> None:
    http = open_http(
        CONFIG, httpx.MockTransport(lambda request: httpx.Response(500, json={"error": "Playlist not owned"}))
    )
    circuits = Circuits()
    platform = Platform(CONFIG, http, "token", circuits=circuits)
    for _read in range(FAILURES * 2):
        with suppress(errors.CallError):
            platform.lives.get("1")
    assert circuits.open_operations() == []
