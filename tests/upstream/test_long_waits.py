"""Whatever hangs, half of a process's threads are free: past a page's patience only some of its requests wait on."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
from django.db import connections
from pytest_django import Settings

from dashboard import gunicorn
from dashboard.upstream import parallel
from dashboard.upstream.parallel import Late, Outcome, Ready
from tests import forgetting

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])  # threads of the pools may have connections open

MOST = 2


@pytest.fixture(autouse=True)
def few_long_waits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.READ_SIDE_BY_SIDE = True
    settings.PAGE_PATIENCE_MS = 20
    monkeypatch.setattr(parallel, "_long_waits", threading.BoundedSemaphore(MOST))


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """What hangs does so until this is set."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def requests() -> Iterator[ThreadPoolExecutor]:
    """Threads of a server."""
    with ThreadPoolExecutor(max_workers=8) as pool:
        yield pool


def in_request(work: Callable[[], Any]) -> Any:
    parallel.begin_visit()
    try:
        return work()
    finally:
        parallel.end_visit()
        forgetting.forget_visit()
        connections.close_all()


def until(is_true: Callable[[], bool]) -> None:
    for _look in range(400):
        if is_true():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def no_place_is_left() -> bool:
    if parallel._long_waits.acquire(blocking=False):
        parallel._long_waits.release()
        return False
    return True


def hang(release: threading.Event) -> dict[str, Any]:
    return parallel.gather(60, slow=lambda: release.wait(60))


def test_so_many_requests_wait_as_long_as_they_need_and_the_next_one_for_a_page_s_patience(
    release: threading.Event, requests: ThreadPoolExecutor
) -> None:
    first = [requests.submit(in_request, lambda: hang(release)) for _ in range(MOST)]
    until(no_place_is_left)
    begun = time.monotonic()
    assert requests.submit(in_request, lambda: hang(release)).result(60) == {"slow": Late()}
    assert time.monotonic() - begun < 30
    release.set()
    assert [request.result(10) for request in first] == [{"slow": Ready(True)}] * MOST
    assert not no_place_is_left()


def test_request_that_takes_each_answer_as_it_comes_has_no_second_patience(
    release: threading.Event, requests: ThreadPoolExecutor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PAGE_PATIENCE_MS = 200
    given: dict[str, Outcome] = {}
    ends: set[float] = set()
    wait = parallel._await

    def note(future: Future[Outcome], until: float) -> Outcome:
        ends.add(until)
        return wait(future, until)

    def give(names: dict[Future[Outcome], str], until: float, each: Callable[[str, Outcome], object]) -> None:
        ends.add(until)
        in_time(names, until, each)

    in_time = parallel._give
    monkeypatch.setattr(parallel, "_await", note)
    monkeypatch.setattr(parallel, "_give", give)

    def read() -> dict[str, Outcome]:
        return parallel.gather_each({"slow": partial(release.wait, 60), "quick": lambda: 1}, 60, given.__setitem__)

    with ExitStack() as places:
        for _ in range(MOST):
            places.enter_context(parallel._long_waits)
        outcomes = requests.submit(in_request, read).result(60)
    assert len(ends) == 1, "both looks end at the same moment"
    assert outcomes == {"slow": Late(), "quick": Ready(1)} and given == {"quick": Ready(1)}


def test_what_a_page_can_do_without_takes_such_a_place_too(
    release: threading.Event, requests: ThreadPoolExecutor
) -> None:
    def read() -> tuple[int, dict[str, Outcome]]:
        return parallel.beside(lambda: 1, 20, slow=lambda: release.wait(20))

    first = [requests.submit(in_request, read) for _ in range(MOST)]
    until(no_place_is_left)
    assert requests.submit(in_request, read).result(10) == (1, {"slow": Late()})
    release.set()
    assert [request.result(10) for request in first] == [(1, {"slow": Ready(True)})] * MOST


def test_a_write_that_a_request_waits_for_takes_such_a_place_too(
    release: threading.Event, requests: ThreadPoolExecutor
) -> None:
    def send() -> bool:
        return parallel.finish_within(lambda: assert_set(release), 20)

    first = [requests.submit(in_request, send) for _ in range(MOST)]
    until(no_place_is_left)
    assert requests.submit(in_request, send).result(10) is False
    release.set()
    assert [request.result(10) for request in first] == [True] * MOST


def assert_set(event: threading.Event) -> None:
    assert event.wait(20)


def test_what_comes_within_a_page_s_patience_needs_no_place(settings: Settings, requests: ThreadPoolExecutor) -> None:
    settings.PAGE_PATIENCE_MS = 10_000
    with ExitStack() as places:
        for _ in range(MOST):
            places.enter_context(parallel._long_waits)
        found = requests.submit(in_request, lambda: parallel.gather(20, quick=lambda: "here")).result(10)
    assert found == {"quick": Ready("here")}


def test_the_worker_waits_as_long_as_it_is_told(release: threading.Event, requests: ThreadPoolExecutor) -> None:
    with ExitStack() as places:
        for _ in range(MOST):
            places.enter_context(parallel._long_waits)
        waiting = requests.submit(hang, release)
        time.sleep(0.2)
        assert not waiting.done()
        release.set()
        assert waiting.result(10) == {"slow": Ready(True)}


def test_half_of_a_server_s_threads_may_wait_so_long() -> None:
    assert gunicorn.threads == parallel.LONG_WAITS * 2
