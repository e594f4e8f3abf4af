"""The two runs of days of a comparison. Labels, totals, files, charts and questions to the platform are made of them."""

from dataclasses import dataclass
from datetime import date, timedelta

from dashboard.shared.days import Days


@dataclass(frozen=True)
class ComparisonWindows:
    """What a page shows, adds up and compares, exactly as it is asked of the platform.

    `shown` is what is drawn; `counted` is what totals add up: the days of `shown` that are over, or all of them where
    none is over yet (`partial`). `past` is what the counted days are drawn beside: as many days, `shift` days earlier.
    """

    shown_days: Days
    counted: Days
    past: Days | None
    shift: int
    partial: bool

    @property
    def compared(self) -> Days | None:
        """The days that totals are compared with. None where only unfinished days are counted: nothing equals them."""
        return None if self.partial else self.past

    @property
    def unfinished(self) -> Days | None:
        """The days that are shown and not added up."""
        start = self.counted.end + timedelta(days=1)
        return Days(start, self.shown_days.end) if start <= self.shown_days.end else None

    def partner(self, day: date) -> date | None:
        """The day that `day` is compared with; None for a day that is compared with nothing."""
        if self.past is None or day not in self.counted:
            return None
        return day - timedelta(days=self.shift)


def get_comparison_windows(shown_days: Days, against: Days | None, settled: date) -> ComparisonWindows:
    """The windows of a range. `against` is what was chosen to compare with; days before `settled` are over."""
    partial = shown_days.start >= settled
    counted = shown_days if partial else Days(shown_days.start, min(shown_days.end, settled - timedelta(days=1)))
    shift = 0 if against is None else (shown_days.start - against.start).days
    return ComparisonWindows(shown_days, counted, None if against is None else counted.moved(-shift), shift, partial)
