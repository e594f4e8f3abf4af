"""The platform's pulse: trouble is several failures in a row, and ends with the first success."""

from dashboard.platform_api.sending import Call
from dashboard.upstream import platform_health


def call(error: str | None = None, operation: str = "videos.list", milliseconds: float = 50) -> None:
    platform_health.observe(Call(operation, "GET", None if error else 200, milliseconds, error))


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
