"""Of all who have one question at the same moment, one asks; the others are woken by its end."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context

import pytest
from django.core.cache import cache

from dashboard.upstream import turns, visit
from dashboard.upstream.turns import Turn

TURN = "reading:account:question"


@pytest.fixture(autouse=True)
def nothing_held() -> Iterator[None]:
    cache.clear()
    yield
    turns._held.clear()
    turns._ended.clear()
    turns._awaited.clear()
    cache.clear()


@pytest.fixture
def page_visit() -> Iterator[visit.PageVisit]:
    here = visit.begin()
    yield here
    here.end()


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.monotonic()
    work()
    return (time.monotonic() - begun) * 1000


def test_of_many_who_ask_at_once_one_has_the_turn() -> None:
    with ThreadPoolExecutor(max_workers=8) as threads:
        states = list(threads.map(lambda _number: turns.take(TURN), range(8)))
    assert sorted(state.name for state in states) == ["FIRST"] + ["OF_ANOTHER"] * 7


def test_who_takes_a_turn_after_another_is_told_so_and_later_is_the_first_again() -> None:
    assert turns.take(TURN) is Turn.FIRST
    turns.end(TURN, is_written=True)
    assert turns.take(TURN) is Turn.AFTER_ANOTHER
    turns.end(TURN, is_written=True)
    cache.delete(turns._trace(TURN))  # its time is over
    assert turns.take(TURN) is Turn.FIRST


def test_who_waits_in_the_same_process_is_woken_by_the_end_and_looks_at_nothing_until_then() -> None:
    assert turns.take(TURN) is Turn.FIRST
    ending = threading.Timer(0.2, turns.end, [TURN], {"is_written": True})
    ending.start()
    assert 150 < milliseconds(lambda: turns.wait(TURN, 60)) < 30_000
    assert turns.take(TURN) is Turn.AFTER_ANOTHER


def test_who_waits_for_a_turn_that_does_not_end_waits_no_longer_than_it_said() -> None:
    turns.take(TURN)
    assert 90 < milliseconds(lambda: turns.wait(TURN, 0.1)) < 30_000


def test_who_waits_for_another_process_looks_again_after_a_moment() -> None:
    cache.add(TURN, 1, 60)
    assert turns.take(TURN) is Turn.OF_ANOTHER
    assert milliseconds(lambda: turns.wait(TURN, 60)) < 30_000


def test_turn_whose_answer_is_not_written_ends_for_this_process_at_once_and_for_others_with_the_page(
    page_visit: visit.PageVisit,
) -> None:
    turns.take(TURN)
    turns.end(TURN, is_written=False)
    assert cache.get(TURN) and turns.take(TURN) is Turn.AFTER_ANOTHER, "this process does not wait for its own page"
    assert turns.take(TURN) is Turn.OF_ANOTHER, "one thread has it"
    page_visit.end()
    assert cache.get(TURN), "whoever has taken it meanwhile ends it"
    turns.end(TURN, is_written=True)
    assert cache.get(TURN) is None


def test_turn_that_nobody_takes_again_ends_for_all_with_its_page_and_leaves_its_trace(
    page_visit: visit.PageVisit,
) -> None:
    turns.take(TURN)
    turns.end(TURN, is_written=False)
    page_visit.end()
    assert cache.get(TURN) is None and turns.take(TURN) is Turn.AFTER_ANOTHER


def test_turn_that_two_pages_had_ends_for_others_when_both_have_gone_whichever_writes_the_answer(
    page_visit: visit.PageVisit,
) -> None:
    """Where the first to go ended it, another process asked the platform for what the second was about to write."""
    turns.take(TURN)
    turns.end(TURN, is_written=False)

    def read_again() -> None:
        second = visit.begin()
        assert turns.take(TURN) is Turn.AFTER_ANOTHER
        turns.end(TURN, is_written=False)
        second.end()

    Context().run(read_again)
    assert cache.get(TURN), "the first page has not written it yet"
    page_visit.end()
    assert cache.get(TURN) is None and not turns._awaited
