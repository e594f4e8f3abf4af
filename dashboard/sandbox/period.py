"""The days an analytics question is about."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Period:
    """First and last day, both included."""

    start: date
    end: date

    def days(self) -> Iterator[date]:
        """Yield every day in order."""
        for offset in range((self.end - self.start).days + 1):
            yield self.start + timedelta(days=offset)
