"""The embedded platform's clock, the one place that knows what time it is and how to wait, and how long its promises take.

Tests replace the clock (`set_clock(Frozen(...))`): then time stands still, `travel` moves it, and waiting moves it as well.
The specification gives no durations and no conditions for ERROR or SKIPPED [3]: see `assumptions`.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol
from uuid import UUID

from dashboard.platform_api.vocabulary import JobStatus, JobType
from dashboard.sandbox.models import Option, Video


class Clock(Protocol):
    """What the embedded platform needs of time."""

    def now(self) -> datetime:
        """Return the aware time."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class Wall:
    """The computer's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Frozen:
    """A clock that moves only when it is told to, for tests."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.travel(seconds)

    def travel(self, seconds: float) -> None:
        """Move forward (or back, when negative)."""
        self.at += timedelta(seconds=seconds)


_clock: Clock = Wall()


def set_clock(clock: Clock) -> None:
    """Use this clock from now on, in the whole process."""
    global _clock
    _clock = clock


def now() -> datetime:
    """Return the platform's aware time, in UTC, in whole milliseconds: what it writes is what it reads back."""
    at = _clock.now()
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def sleep(seconds: float) -> None:
    """Wait, unless the clock is a test's: then time moves instead."""
    if seconds > 0:
        _clock.sleep(seconds)


def travel(seconds: float) -> None:
    """Move a test's clock.

    Raises RuntimeError with the computer's clock, which nobody moves.
    """
    if not isinstance(_clock, Frozen):
        raise RuntimeError("Only a frozen clock can be moved: set_clock(Frozen(...)) first.")
    _clock.travel(seconds)


ASSISTANT_READY_AFTER: Final = timedelta(minutes=2)
LIVE_ONLINE_AFTER: Final = timedelta(seconds=20)
SUB_ACCOUNT_READY_AFTER: Final = timedelta(seconds=30)
CDN_DELAY: Final = "cdn_delay_seconds"
CDN_DELAY_SECONDS: Final = 8.0
CDN_IGNORES_QUERY: Final = "cdn_ignores_query"

FAILING_LANGUAGE: Final = "sw"
SKIPPED_LANGUAGE: Final = "ta"


def job_seconds(job_id: UUID) -> tuple[int, int]:
    """Return how many seconds a job waits and then runs: 2 to 5, then 6 to 35, always the same for one id."""
    return 2 + job_id.int % 4, 6 + (job_id.int >> 8) % 30


def job_outcome(video: Video, job_type: str, to_lang: str) -> tuple[str, str]:
    """Return how a job will end, and the reason where it does not finish."""
    if job_type == JobType.TRANSCRIPTION:
        if video.audio == Video.Audio.SILENT:
            return JobStatus.SKIPPED, "No speech was found in the audio"
        if video.audio == Video.Audio.BROKEN:
            return JobStatus.ERROR, "The audio could not be read"
    elif to_lang == FAILING_LANGUAGE:
        return JobStatus.ERROR, "The translation could not be completed"
    elif to_lang == SKIPPED_LANGUAGE:
        return JobStatus.SKIPPED, "The source subtitle has too little text"
    return JobStatus.FINISHED, ""


def cdn_delay() -> timedelta:
    """Return how long the public AI files answer with the old version after a write."""
    return timedelta(seconds=option(CDN_DELAY, CDN_DELAY_SECONDS))


def cdn_ignores_query() -> bool:
    """Say whether a query string, which usually leads past a CDN's cache, leads nowhere."""
    return bool(option(CDN_IGNORES_QUERY, 0))


def option(name: str, default: float) -> float:
    """Return a number of the fault panel."""
    row = Option.objects.filter(pk=name).first()
    return row.value if row else default


def set_option(name: str, value: float) -> None:
    """Set a number of the fault panel."""
    Option.objects.update_or_create(pk=name, defaults={"value": value})
