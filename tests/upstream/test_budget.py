"""In no minute more calls leave than the budget has, whatever process they come from, and the urgent ones go first."""

import os
import signal
import subprocess
import sys
import time
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import hypothesis
import pytest
from django.conf import settings as configured
from django.core.cache import cache
from hypothesis import strategies
from pytest_django import Settings

from dashboard.platform_api.errors import OverBudget, RateLimited
from dashboard.platform_api.request import Request
from dashboard.upstream import budget
from dashboard.upstream.budget import SLOT, Budget, Kind
from tests.installation.test_redis_outage import Redis, redis
from tests.upstream.budget_process import SPEED

__all__ = ["redis"]

HOST = "platform.example"
READ, WRITE = Request("videos.list", "GET", ("videos",)), Request("lives.start", "POST", ("lives",))


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = 1_000_000.0

    def time(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    standing = Clock()
    monkeypatch.setattr(budget, "time", standing)
    return standing


@pytest.fixture
def ten(settings: Settings, clock: Clock) -> Budget:
    """A budget of ten calls a minute."""
    settings.PLATFORM_CALLS_PER_MINUTE = 10
    return Budget("a token")


def leave(calls: Budget, request: Request = READ, times: int = 1) -> int:
    """How many of so many calls leave at once."""
    return sum(calls.admit(request, HOST) is None for _time in range(times))


def in_another_process(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """`act` where nothing is known of what this process has seen, and of which it learns nothing."""
    with monkeypatch.context() as other:
        other.setattr(budget, "_looks", {})
        other.setattr(budget, "_past", {})
        act()


def most_in_a_minute(moments: list[float]) -> int:
    """The largest number of moments in any sixty seconds."""
    moments = sorted(moments)
    return max((number + 1 - bisect_right(moments, at - 60) for number, at in enumerate(moments)), default=0)


def test_writes_have_the_whole_budget_pages_nine_tenths_and_background_six(ten: Budget) -> None:
    with budget.background():
        assert leave(ten, times=20) == 6
    assert leave(ten, times=20) == 3
    assert leave(ten, WRITE, times=20) == 1
    use = ten.use(HOST)
    assert (use.limit, use.calls) == (10, {Kind.WRITE: 1, Kind.PAGE: 3, Kind.BACKGROUND: 6})


def test_call_that_is_refused_counts_for_nothing(ten: Budget) -> None:
    assert leave(ten, times=50) == 9
    assert sum(ten.use(HOST).calls.values()) == 9


def test_refusal_says_when_the_next_call_may_leave(ten: Budget, clock: Clock) -> None:
    leave(ten, times=4)
    clock.at += 30
    leave(ten, times=5)
    error = ten.admit(READ, HOST)
    assert isinstance(error, OverBudget)
    assert error.retry_after is not None
    assert 30 <= error.retry_after <= 30 + 3 * SLOT
    clock.at += error.retry_after
    assert leave(ten, times=10) == 4


def test_what_another_process_has_counted_a_moment_ago_lets_no_call_too_many_leave(
    ten: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert leave(ten, times=3) == 3
    in_another_process(monkeypatch, lambda: leave(ten, times=5))
    assert leave(ten, times=20) == 1


def test_what_another_process_has_counted_at_the_end_of_a_slot_counts_in_the_next_one(
    ten: Budget, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.at += SLOT - clock.at % SLOT - budget.LOOK_LASTS / 4
    assert leave(ten, times=3) == 3
    in_another_process(monkeypatch, lambda: leave(ten, times=6))
    clock.at += budget.LOOK_LASTS / 2
    assert leave(ten, times=20) == 0


def test_pause_that_another_process_was_told_stops_calls_a_moment_later(
    ten: Budget, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(ten)
    in_another_process(monkeypatch, lambda: ten.slow_down(30.0, HOST))
    clock.at += 2 * budget.LOOK_LASTS
    assert type(ten.admit(READ, HOST)) is RateLimited


def test_calls_of_a_page_look_once_and_count_each(ten: Budget) -> None:
    with patch.object(Budget, "_ask", autospec=True, side_effect=Budget._ask) as ask:
        assert leave(ten, times=5) == 5
    assert ask.call_count == 1
    assert sum(ten.use(HOST).calls.values()) == 5


def test_looks_of_many_accounts_are_not_all_kept(settings: Settings, clock: Clock) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 10_000
    for number in range(budget.LOOKS_MOST + 5):
        leave(Budget(f"token {number}"))
    assert len(budget._looks) <= budget.LOOKS_MOST


def test_smallest_budget_still_lets_everybody_call(ten: Budget, settings: Settings) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 1
    with budget.background():
        assert leave(Budget("x"), times=3) == 1


def test_hosts_have_budgets_of_their_own(ten: Budget) -> None:
    leave(ten, times=20)
    assert ten.admit(READ, "data.example") is None


@pytest.mark.parametrize(("counted_by", "left"), [("address", 0), ("token", 9)])
def test_two_tokens_share_the_budget_of_the_installation_unless_tokens_are_counted(
    ten: Budget, settings: Settings, counted_by: str, left: int
) -> None:
    settings.PLATFORM_CALLS_COUNTED_BY = counted_by
    leave(ten, times=20)
    assert leave(Budget("another token"), times=20) == left


@pytest.mark.parametrize(("asked", "seconds"), [(None, 10), (0.0, 1), (30.0, 30), (10**9, 3600)])
def test_a_pause_stops_everything_of_its_account_and_nobody_else(
    ten: Budget, clock: Clock, asked: float | None, seconds: float
) -> None:
    assert ten.slow_down(asked, HOST) == seconds
    for host in (HOST, "data.example"):
        for request in (READ, WRITE):
            error = ten.admit(request, host)
            assert type(error) is RateLimited
            assert error.retry_after == pytest.approx(seconds)
    assert ten.use(HOST).paused_until == clock.at + seconds
    assert Budget("another token").admit(READ, HOST) is None
    assert Budget("").admit(READ, HOST) is None
    clock.at += seconds + 0.1
    assert ten.admit(READ, HOST) is None
    assert ten.use(HOST).paused_until is None


def test_pauses_that_name_no_time_grow_and_those_of_calls_that_were_out_together_do_not(
    ten: Budget, clock: Clock
) -> None:
    pauses = []
    for _time in range(5):
        pauses.append(ten.slow_down(None, HOST))
        clock.at += 1
        assert ten.slow_down(None, HOST) == pauses[-1] - 1
        clock.at += pauses[-1]
    assert pauses == [10, 20, 40, 60, 60]


def test_a_shorter_pause_does_not_end_a_longer_one(ten: Budget, clock: Clock) -> None:
    ten.slow_down(30, HOST)
    clock.at += 1
    assert ten.slow_down(2, HOST) == 29
    assert ten.slow_down(60, HOST) == 60


def test_cache_that_fails_stops_no_call(ten: Budget, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any, **_options: Any) -> Any:
        raise ValueError

    monkeypatch.setattr(cache, "get_many", lambda names: {})
    monkeypatch.setattr(cache, "incr", fail)
    assert leave(ten, times=30) == 30


STEPS = strategies.lists(
    strategies.tuples(strategies.floats(0, 45), strategies.sampled_from(list(Kind)), strategies.integers(1, 12)),
    max_size=40,
)


@hypothesis.given(steps=STEPS, limit=strategies.integers(1, 30))
def test_in_no_minute_more_calls_leave_than_the_budget_has(steps: list[tuple[float, Kind, int]], limit: int) -> None:
    clock = Clock()
    cache.clear()
    budget.forget()
    left: dict[Kind, list[float]] = {kind: [] for kind in Kind}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "time", clock)
        patch.setattr(configured, "PLATFORM_CALLS_PER_MINUTE", limit)
        calls = Budget("a token")
        for seconds, kind, times in steps:
            clock.at += seconds
            token = budget._kind.set(kind)
            for _time in range(times):
                error = calls.admit(WRITE if kind is Kind.WRITE else READ, HOST)
                if error is None:
                    left[kind].append(clock.at)
                else:
                    assert error.retry_after is not None
                    assert 0 < error.retry_after <= 60 + 2 * SLOT
            budget._kind.reset(token)
    assert most_in_a_minute([at for moments in left.values() for at in moments]) <= limit
    background = max(1, int(limit * 0.6))
    assert most_in_a_minute(left[Kind.BACKGROUND]) <= background


@pytest.mark.parametrize("killed", [False, True])
def test_processes_share_one_budget_even_when_one_is_killed(tmp_path: Path, killed: bool) -> None:
    """Four processes call as fast as they may for two minutes of a clock that runs thirty times as fast."""
    file, limit = str(tmp_path / "cache.sqlite3"), 40
    kinds = ("write", "page", "page", "background")
    started = [start(file, limit, 130, kind) for kind in kinds]
    if killed:
        time.sleep(2)
        os.kill(started[1].pid, signal.SIGKILL)
    outputs = [process.communicate(timeout=60)[0] for process in started]
    moments = {n: [float(line) for line in text.split()] for n, text in enumerate(outputs)}
    every = [at for one in moments.values() for at in one]
    assert most_in_a_minute(every) <= limit
    assert most_in_a_minute(every) >= limit - 2, "it is used"
    assert most_in_a_minute(moments[3]) <= limit * 0.6
    assert len(every) >= 2 * limit


@pytest.mark.loopback
def test_calls_go_on_when_redis_is_gone_and_this_machine_counts(tmp_path: Path, redis: Redis) -> None:
    file, limit = str(tmp_path / "cache.sqlite3"), 40
    address = f"redis://127.0.0.1:{redis.port}/0"
    started = [start(file, limit, 200, kind, address) for kind in ("write", "page")]
    lines = [process.stdout.readline() for process in started if process.stdout]
    redis.end()
    gone_at = time.time() * SPEED
    every = [float(line) for line in lines]
    for process in started:
        every += [float(line) for line in process.communicate(timeout=60)[0].split()]
        assert process.returncode == 0
    assert most_in_a_minute([at for at in every if at < gone_at]) <= limit
    assert most_in_a_minute([at for at in every if at > gone_at + 60]) <= limit
    assert [at for at in every if at > gone_at + 60], "they go on"


def start(file: str, limit: int, seconds: float, kind: str, redis: str = "") -> "subprocess.Popen[str]":
    """A process that calls as fast as it may."""
    command = [sys.executable, "-m", "tests.upstream.budget_process", file, str(limit), str(seconds), kind, redis]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
