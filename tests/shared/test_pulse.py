"""The platform's pulse: trouble is several failures in a row, and ends with the first success."""

from collections.abc import Callable

import pytest

from dashboard.platform_api.sending import Call
from dashboard.upstream import platform_health

Pass = Callable[[float], None]


@pytest.fixture
def pass_by(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """A clock that stands still, for the cache too; `pass_by(seconds)` moves it."""
    now = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: now)

    def move(seconds: float) -> None:
        nonlocal now
        now += seconds

    return move


def call(error: str | None = None, operation: str = "videos.list", milliseconds: float = 50) -> None:
    platform_health.observe([Call(operation, "GET", None if error else 200, milliseconds, error)])


def test_below_the_threshold_there_is_no_trouble() -> None:
    for _count in range(platform_health.TROUBLE_AFTER - 1):
        call("Unreachable")
    assert not platform_health.in_trouble()


def test_at_the_threshold_there_is_trouble_whatever_failed() -> None:
    for number in range(platform_health.TROUBLE_AFTER):
        call("PlatformDown", f"operation.{number}")
    assert platform_health.in_trouble()


def test_trouble_ends_with_the_first_success() -> None:
    for _count in range(platform_health.TROUBLE_AFTER + 2):
        call("Unreachable")
    call()
    assert not platform_health.in_trouble()


def test_a_refusal_is_an_answer_not_trouble() -> None:
    for _count in range(10):
        call("Refused")
    assert not platform_health.in_trouble()
    assert platform_health.operations()[0].failures == 0


def test_each_operation_has_its_own_latency_and_failures() -> None:
    for milliseconds in (10, 30, 20):
        call(milliseconds=milliseconds)
    call("RateLimited", "folders.list")
    folders, videos = platform_health.operations()
    assert (videos.operation, videos.median, videos.calls, videos.failures) == ("videos.list", 20, 3, 0)
    assert (folders.failures, folders.last_error) == (1, "RateLimited")


def test_trouble_ends_by_itself_two_minutes_after_the_last_failure(pass_by: Pass) -> None:
    for _count in range(platform_health.TROUBLE_AFTER):
        call("Unreachable")
    pass_by(119)
    assert platform_health.in_trouble()
    pass_by(2)
    assert not platform_health.in_trouble()


def test_failures_that_lie_further_apart_than_two_minutes_are_no_trouble(pass_by: Pass) -> None:
    for _count in range(platform_health.TROUBLE_AFTER + 2):
        call("Unreachable")
        pass_by(121)
    assert not platform_health.in_trouble()


def test_trouble_is_counted_from_its_first_failure_and_for_ten_minutes_at_most(pass_by: Pass) -> None:
    begun = 1_800_000_000.0
    for _count in range(6):
        call("Unreachable")
        pass_by(100)
    assert platform_health.load_whole().since == begun
    call("Unreachable")
    assert platform_health.load_whole().since == begun + 600


def test_operation_is_forgotten_an_hour_after_its_last_call(pass_by: Pass) -> None:
    call()
    pass_by(3_599)
    assert [known.calls for known in platform_health.operations()] == [1]
    pass_by(2)
    assert platform_health.operations() == []
    call()
    assert [known.calls for known in platform_health.operations()] == [1], "it begins anew"


def test_whole_platform_keeps_the_last_latency_through_failures() -> None:
    call(milliseconds=70)
    call("Unreachable", milliseconds=5_000)
    assert (platform_health.load_whole().milliseconds, platform_health.load_whole().failures) == (70, 1)


def test_calls_that_are_counted_together_are_counted_as_one_after_another() -> None:
    outcomes: tuple[tuple[str, str | None], ...] = (
        ("videos.list", None), ("folders.list", "Unreachable"), ("videos.list", "RateLimited"), ("videos.list", "Unreachable"),
    )  # fmt: skip
    platform_health.observe([Call(operation, "GET", None, 50, error) for operation, error in outcomes])
    folders, videos = platform_health.operations()
    assert (folders.calls, folders.failures, videos.calls, videos.failures) == (1, 1, 3, 2)
    assert videos.last_error == "Unreachable" and videos.last_success is not None
    assert platform_health.load_whole().failures == 1, "a 429 is an answer"
