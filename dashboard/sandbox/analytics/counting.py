"""From a number of views to what the platform counts, and running totals from which every period is a difference.

A report over hours must add up to the report over days, and that to the total. So nothing is rounded per row: a label has
one running number of views, every count is a steady function of it, and a row is the difference of two points.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Final, NamedTuple

from dashboard.sandbox.analytics.account import chance
from dashboard.sandbox.analytics.rhythm import hours_passed, passed
from dashboard.sandbox.period import Period

METRICS: Final = ("view", "unique_view", "play", "unique_play")
Counts = tuple[int, int, int, int]
NOTHING: Final[Counts] = (0, 0, 0, 0)


CLASSES: Final = ("first and played", "first, not played", "again and played", "again, not played")
"""What a visit is. Each visit is one of them, so labels that share them out never count more plays than views."""
PLAYED: Final = (True, False, True, False)
Classes = tuple[int, int, int, int]
NO_VISITS: Final[Classes] = (0, 0, 0, 0)


class Habits(NamedTuple):
    """How the viewers of one label behave: parts from 0 to 1."""

    unique: float
    """Views that are somebody's first."""
    plays: float
    """First views that lead to a play."""
    again: float
    """Further views that lead to a play."""
    phase: float
    """Where the slow waves start, so that no two labels move together."""


def habits(key: str, plays: float | None = None) -> Habits:
    """Habits that are always the same for a key.

    `plays` sets the play rate of a video instead. Then four of five views are somebody's first of that video on that day: who
    loads the page of an A/B test again may see another variant, and counts in both. Each load is played as often as the first.
    """
    if plays is not None:
        return Habits(0.8, plays, plays, 6.28 * chance(key, "phase"))
    rate = 0.36 + 0.16 * chance(key, "plays")
    return Habits(
        0.76 + 0.08 * chance(key, "unique"), rate, 0.30 + 0.1 * chance(key, "again"), 6.28 * chance(key, "phase")
    )


def _part(whole: int, rate: float, phase: float, wave: float) -> int:
    """About `rate` of `whole`, swinging slowly around it; it never falls and never grows faster than `whole` does."""
    swing = 0.3 * min(rate, 1 - rate) * wave
    return int(rate * whole + swing * (math.sin(whole / wave + phase) - math.sin(phase)))


def counts(views: int, how: Habits) -> Counts:
    """view, unique_view, play, unique_play after so many views. A play has a view; a unique play has a unique view."""
    unique = _part(views, how.unique, how.phase, 170.0)
    unique_play = _part(unique, how.plays, how.phase + 1, 110.0)
    return views, unique, unique_play + _part(views - unique, how.again, how.phase + 2, 60.0), unique_play


def plus(first: Counts, other: Counts) -> Counts:
    """What was counted in both together."""
    return first[0] + other[0], first[1] + other[1], first[2] + other[2], first[3] + other[3]


def minus(later: Counts, earlier: Counts) -> Counts:
    """What was counted in between."""
    return later[0] - earlier[0], later[1] - earlier[1], later[2] - earlier[2], later[3] - earlier[3]


def classes_of(counts: Counts) -> Classes:
    """The visits by what they were."""
    view, unique_view, play, unique_play = counts
    again = play - unique_play
    return unique_play, unique_view - unique_play, again, view - unique_view - again


def counts_of(visits: Classes) -> Counts:
    """What the platform counts of visits."""
    first_played, first_left, again_played, again_left = visits
    first = first_played + first_left
    return first + again_played + again_left, first, first_played + again_played, first_played


def share_out(total: int, borders: Sequence[float], start: float) -> list[int]:
    """Split `total` by the running weights `borders`: whole numbers that add up to it. `start`, below 1, shifts the rounding."""
    if not borders or borders[-1] <= 0:
        return [0] * len(borders)
    scale = total / borders[-1]
    marks = [int(border * scale + start) for border in borders]
    marks[-1] = total
    return [after - before for before, after in zip([0, *marks], marks, strict=False)]


class Ledger:
    """Running views of every label of a report, day by day.

    `split(day)` gives the views of each label on that whole day; it is asked once for every day from `first` to today.
    """

    def __init__(self, first: date, now: datetime, labels: int, split: Callable[[date], Sequence[int]]) -> None:
        self.first = first
        self.days = max(0, (now.date() - first).days + 1)
        self._running: list[list[int]] = [[0] * labels]
        for number in range(self.days):
            today = split(first + timedelta(days=number))
            self._running.append([before + views for before, views in zip(self._running[-1], today, strict=True)])

    def on(self, label: int, day: date) -> int:
        """Views of a label on a whole day."""
        number = (day - self.first).days
        return self._running[number + 1][label] - self._running[number][label] if 0 <= number < self.days else 0

    def at(self, label: int, day: date, hour: float = 0.0) -> int:
        """Views of a label from the beginning until an hour of a day."""
        number = (day - self.first).days
        if number < 0:
            return 0
        if number >= self.days:
            return self._running[-1][label]
        before = self._running[number][label]
        start = (label * 0.618034 + number * 0.754878) % 1  # else every rare visitor would come at the same hour
        return before + int(passed(hour) * (self._running[number + 1][label] - before) + start)

    def until(self, label: int, day: date, now: datetime) -> int:
        """Views from the beginning until the end of `day`, or until `now` when that is earlier."""
        last = min(day, now.date())
        return self.at(label, last, hours_passed(last, now))

    def known(self, period: Period) -> Period | None:
        """The part of the period for which there are numbers, None when there are none."""
        start = max(period.start, self.first)
        end = min(period.end, self.first + timedelta(days=self.days - 1))
        return Period(start, end) if start <= end else None

    def days_of(self, period: Period) -> Iterator[date]:
        """The days of the period for which there are numbers."""
        if known := self.known(period):
            yield from known.days()


class PlaceLedger:
    """What was counted of every label, kept by class of visit. A day's labels add up to the day's videos, in every count."""

    def __init__(self, visits: Ledger, labels: int) -> None:
        self._visits, self._labels = visits, labels
        self.known, self.days_of = visits.known, visits.days_of

    def at(self, label: int, day: date, hour: float = 0.0) -> Counts:
        """Counts of a label from the beginning until an hour of a day."""
        read, labels = self._visits.at, self._labels
        return counts_of(
            (
                read(label, day, hour),
                read(label + labels, day, hour),
                read(label + 2 * labels, day, hour),
                read(label + 3 * labels, day, hour),
            )
        )

    def until(self, label: int, day: date, now: datetime) -> Counts:
        """Counts from the beginning until the end of `day`, or until `now` when that is earlier."""
        last = min(day, now.date())
        return self.at(label, last, hours_passed(last, now))


def borders(weights: Sequence[float]) -> list[float]:
    """Running sum of weights, for `share_out`."""
    return list(accumulate(weights))
