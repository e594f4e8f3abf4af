"""The embedded platform's clock: the one place that knows what time it is and how to wait.

Tests replace it (`set_clock(Frozen(...))`): then time stands still, `travel` moves it, and waiting moves it as well.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


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
