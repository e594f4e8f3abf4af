"""Background reading has its share of the calls of a minute, and a pause holds back what can wait: nothing else is held back."""

from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import Settings

from dashboard.platform_api.errors import OverBudget, RateLimited
from dashboard.platform_api.request import Request
from dashboard.upstream import budget
from dashboard.upstream.budget import Budget
from tests.moments import replace_time

READ, WRITE = Request("videos.list", "GET", ("videos",)), Request("lives.start", "POST", ("lives",))


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def time(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    standing = Clock()
    replace_time(monkeypatch, "dashboard.upstream.budget", time=standing.time)
    return standing


@pytest.fixture
def ten(settings: Settings, clock: Clock) -> Budget:
    """A platform that takes ten calls a minute, of which six are for background reading."""
    settings.PLATFORM_CALLS_PER_MINUTE = 10
    return Budget("a token")


def leave(calls: Budget, times: int = 20) -> int:
    """How many of so many background reads leave at once."""
    with budget.background():
        return sum(calls.admit(READ) is None for _time in range(times))


def test_background_reads_have_six_tenths_of_a_minute_and_others_are_not_counted(ten: Budget, clock: Clock) -> None:
    assert leave(ten) == 6
    for _time in range(30):
        assert ten.admit(READ) is None
        assert ten.admit(WRITE) is None
        with budget.can_wait():
            assert ten.admit(READ) is None
    clock.at += 10
    with budget.background():
        error = ten.admit(READ)
    assert isinstance(error, OverBudget)
    assert error.retry_after == 50
    clock.at += 50
    assert leave(ten) == 6


def test_smallest_budget_still_lets_background_reading_call(settings: Settings, clock: Clock) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 1
    assert leave(Budget("x")) == 1


@pytest.mark.parametrize(("counted_by", "left"), [("address", 0), ("token", 6)])
def test_two_tokens_share_the_budget_of_the_installation_unless_tokens_are_counted(
    ten: Budget, settings: Settings, counted_by: str, left: int
) -> None:
    settings.PLATFORM_CALLS_COUNTED_BY = counted_by
    leave(ten)
    assert leave(Budget("another token")) == left


@pytest.mark.parametrize(("asked", "seconds"), [(None, 10), (0.0, 1), (30.0, 30), (10**9, 3600)])
def test_a_pause_stops_what_can_wait_of_its_account_and_nobody_else(
    ten: Budget, clock: Clock, asked: float | None, seconds: float
) -> None:
    assert ten.slow_down(READ, asked) == seconds
    for waiting in (budget.can_wait, budget.background):
        for request in (READ, WRITE):
            with waiting():
                error = ten.admit(request)
            assert type(error) is RateLimited
            assert error.retry_after == pytest.approx(seconds)
    assert ten.admit(READ) is None
    assert ten.admit(WRITE) is None
    assert ten.paused_until() == clock.at + seconds
    with budget.can_wait():
        assert Budget("another token").admit(READ) is None
        assert Budget("").admit(READ) is None
        clock.at += seconds + 0.1
        assert ten.admit(READ) is None


@pytest.mark.parametrize("inner", [budget.can_wait, budget.background])
def test_background_reading_stays_background_whatever_it_calls(ten: Budget, inner: Any) -> None:
    outer: AbstractContextManager[None] = budget.background()
    with outer, inner():
        assert sum(ten.admit(READ) is None for _time in range(9)) == 6


def test_a_shorter_pause_does_not_end_a_longer_one(ten: Budget, clock: Clock) -> None:
    ten.slow_down(READ, 30)
    clock.at += 1
    assert ten.slow_down(READ, 2) == 29
    assert ten.slow_down(READ, 60) == 60


def test_without_a_token_a_pause_is_that_of_one_link(ten: Budget) -> None:
    one, other = (Request("public_review.comments", "GET", ("public-video-review", name, "x")) for name in "ab")
    guests = Budget("")
    guests.slow_down(one, 30)
    with budget.can_wait():
        assert guests.admit(one) is not None
        assert guests.admit(other) is None


def test_cache_that_fails_stops_no_call(ten: Budget, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any, **_options: Any) -> Any:
        raise ValueError

    monkeypatch.setattr(cache, "incr", fail)
    assert leave(ten) == 20
