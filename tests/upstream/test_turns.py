"""Of all who have one question at the same moment, one asks; the others are woken by its end."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context

import pytest
from django.core.cache import cache

from dashboard.upstream import parallel, reads
from dashboard.upstream.reads import Turn

TURN = "reading:account:question"


@pytest.fixture(autouse=True)
def nothing_held() -> Iterator[None]:
    cache.clear()
    yield
    reads._turns_held.clear()
    reads._ended.clear()
    reads._awaited.clear()
    cache.clear()


@pytest.fixture
def page_visit() -> Iterator[parallel.PageVisit]:
    here = parallel.begin_visit()
    yield here
    here.end()


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.monotonic()
    work()
    return (time.monotonic() - begun) * 1000


def test_of_many_who_ask_at_once_one_has_the_turn() -> None:
    with ThreadPoolExecutor(max_workers=8) as threads:
        states = list(threads.map(lambda _number: reads.acquire_turn(TURN), range(8)))
    assert sorted(state.name for state in states) == ["FIRST"] + ["OF_ANOTHER"] * 7


def test_who_takes_a_turn_after_another_is_told_so_and_later_is_the_first_again() -> None:
    assert reads.acquire_turn(TURN) is Turn.FIRST
    reads.release_turn(TURN, is_written=True)
    assert reads.acquire_turn(TURN) is Turn.AFTER_ANOTHER
    reads.release_turn(TURN, is_written=True)
    cache.delete(reads._trace(TURN))  # its time is over
    assert reads.acquire_turn(TURN) is Turn.FIRST


def test_who_waits_in_the_same_process_is_woken_by_the_end_and_looks_at_nothing_until_then() -> None:
    assert reads.acquire_turn(TURN) is Turn.FIRST
    ending = threading.Timer(0.2, reads.release_turn, [TURN], {"is_written": True})
    ending.start()
    assert 150 < milliseconds(lambda: reads.wait_for_turn(TURN, 60)) < 30_000
    assert reads.acquire_turn(TURN) is Turn.AFTER_ANOTHER


def test_who_waits_for_a_turn_that_does_not_end_waits_no_longer_than_it_said() -> None:
    reads.acquire_turn(TURN)
    assert 90 < milliseconds(lambda: reads.wait_for_turn(TURN, 0.1)) < 30_000


def test_who_waits_for_another_process_looks_again_after_a_moment() -> None:
    cache.add(TURN, 1, 60)
    assert reads.acquire_turn(TURN) is Turn.OF_ANOTHER
    assert milliseconds(lambda: reads.wait_for_turn(TURN, 60)) < 30_000


def test_turn_whose_answer_is_not_written_ends_for_this_process_at_once_and_for_others_with_the_page(
    page_visit: parallel.PageVisit,
) -> None:
    reads.acquire_turn(TURN)
    reads.release_turn(TURN, is_written=False)
    assert cache.get(TURN) and reads.acquire_turn(TURN) is Turn.AFTER_ANOTHER, (
        "this process does not wait for its own page"
    )
    assert reads.acquire_turn(TURN) is Turn.OF_ANOTHER, "one thread has it"
    page_visit.end()
    assert cache.get(TURN), "whoever has taken it meanwhile ends it"
    reads.release_turn(TURN, is_written=True)
    assert cache.get(TURN) is None


def test_turn_that_nobody_takes_again_ends_for_all_with_its_page_and_leaves_its_trace(
    page_visit: parallel.PageVisit,
) -> None:
    reads.acquire_turn(TURN)
    reads.release_turn(TURN, is_written=False)
    page_visit.end()
    assert cache.get(TURN) is None and reads.acquire_turn(TURN) is Turn.AFTER_ANOTHER


def test_turn_that_two_pages_had_ends_for_others_when_both_have_gone_whichever_writes_the_answer(
    page_visit: parallel.PageVisit,
) -> None:
    """Where the first to go ended it, another process asked the platform for what the second was about to write."""
    reads.acquire_turn(TURN)
    reads.release_turn(TURN, is_written=False)

    def read_again() -> None:
        second = parallel.begin_visit()
        assert reads.acquire_turn(TURN) is Turn.AFTER_ANOTHER
        reads.release_turn(TURN, is_written=False)
        second.end()

    Context().run(read_again)
    assert cache.get(TURN), "the first page has not written it yet"
    page_visit.end()
    assert cache.get(TURN) is None and not reads._awaited
