"""Days and hours of the calendar, in any time zone: what ranges are made of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones


@dataclass(frozen=True, order=True)
class Days:
    """A run of whole calendar days, both ends included. Never empty."""

    start: date
    end: date

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError("a run of days has at least one day")

    def __len__(self) -> int:
        return (self.end - self.start).days + 1

    def __iter__(self) -> Iterator[date]:
        return (self.start + timedelta(days=step) for step in range(len(self)))

    def __contains__(self, day: object) -> bool:
        return isinstance(day, date) and self.start <= day <= self.end

    def moved(self, days: int) -> "Days":
        """The same number of days, `days` later (earlier when negative)."""
        shift = timedelta(days=days)
        return Days(self.start + shift, self.end + shift)

    def touches(self, other: "Days") -> bool:
        return self.start <= other.end and other.start <= self.end


@lru_cache(maxsize=4096)
def list_hours(day: date, zone: ZoneInfo) -> tuple[int, ...]:
    """The hours that the wall clock of `zone` shows on `day`: usually 0 to 23, without the hour that is skipped.

    Empty for a day that a zone left out (Samoa, 30 December 2011).
    """
    moment, end = get_day_start(day, zone), get_day_start(day + timedelta(days=1), zone)
    if end - moment == timedelta(days=1):
        return tuple(range(24))
    hours: dict[int, None] = {}
    while moment < end:
        hours[moment.astimezone(zone).hour] = None
        moment += timedelta(minutes=30)
    return tuple(hours)


def get_day_start(day: date, zone: ZoneInfo) -> datetime:
    """The first moment of `day` in `zone`, in UTC, also where daylight saving skips or repeats midnight."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def parse_day(text: str) -> date | None:
    """`2026-11-20` as a date; None for anything else, without guessing."""
    if not _ISO_DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@lru_cache(maxsize=1)
def list_zone_names() -> frozenset[str]:
    """Every name of the time zone database."""
    return frozenset(available_timezones())
