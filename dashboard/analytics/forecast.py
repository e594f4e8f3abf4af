"""Forecast of a month's traffic by weekday and trend, with a range measured on earlier forecasts. Pure.

The range is not taken from a formula about days that come independently. The forecast is made again for earlier days,
with only what was known then, and its errors are what the range is made of: days that resemble each other, growth and
weekly rhythm are in them. How often such ranges held in earlier months is counted the same way, and is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import exp, log, sqrt
from typing import Final

from django.utils.functional import cached_property

HISTORY_DAYS: Final = 400
"""Days that are looked at: a year and a little, as far as one question to the platform reaches."""

SEASON_DAYS: Final = 56
BASE_DAYS: Final = 28
"""The fewest days a forecast needs."""

STEP: Final = 7
"""Earlier forecasts are made every so many days: closer ones would only repeat each other."""

QUIET: Final = 0.05
"""A weekday with less than this part of a usual day says nothing about growth."""

LEAST_BLOCKS: Final = 3
"""A range needs so many stretches of its length in the past, else nobody can tell how wide it is."""

QUANTILES: Final = ((3, 1.638), (4, 1.533), (5, 1.476), (6, 1.440), (8, 1.397), (10, 1.372), (15, 1.341), (30, 1.310))
"""Student's t at 90 % by degrees of freedom: four of five lie between it and its opposite."""

MONTHS_LEAST: Final = 3
"""Fewer earlier months say nothing about how often a range holds."""


@dataclass(frozen=True)
class Projection:
    """What a month will come to: so far, most likely, and a range made to hold four times of five.

    `held` of `months` earlier ranges, made on the same day of their month, held the truth.
    """

    so_far: float
    likely: float
    low: float
    high: float
    days_left: int
    held: int
    months: int


@dataclass(frozen=True)
class ForecastInterval:
    """The sum of the days to come: most likely, and the range."""

    likely: float
    low: float
    high: float


class History:
    """Whole days in a row, the last one just before today."""

    def __init__(self, values: Sequence[float], first: date) -> None:
        self.values = values
        self.first = first
        self._errors: dict[tuple[str, int, int], float] = {}
        self._factors: dict[int, list[float]] = {}

    @cached_property
    def sums(self) -> list[float]:
        """Running sums: the total of days `a` to `b` is `sums[b] - sums[a]`."""
        sums = [0.0]
        for value in self.values:
            sums.append(sums[-1] + value)
        return sums

    def grain(self, origin: int) -> float:
        """A hundredth of a usual day of the last weeks: what a quiet stretch is compared with instead of zero."""
        return self.total(origin - BASE_DAYS, origin) / BASE_DAYS / 100 or 1.0

    def total(self, start: int, end: int) -> float:
        return self.sums[end] - self.sums[start]

    def interval(self, origin: int, days: int) -> ForecastInterval | None:
        """The sum of `days` days from `origin` on, out of the days before it. None with too little to go by."""
        blocks = (origin - BASE_DAYS) / days
        if blocks < LEAST_BLOCKS:
            return None
        origins = range(BASE_DAYS, origin - days + 1, STEP)
        best, spread = "", 0.0
        for method in METHODS:
            squares = [self.error(method, earlier, days) ** 2 for earlier in origins]
            deviation = sqrt(sum(squares) / len(squares))
            if not best or deviation < spread:
                best, spread = method, deviation
        likely = self.forecast(best, origin, days)
        width = get_quantile(blocks) * spread * sqrt(1 + 1 / blocks)
        return ForecastInterval(likely, likely * exp(-width), likely * exp(width))

    def error(self, method: str, origin: int, days: int) -> float:
        """By how much a forecast missed what came, as a logarithm of their ratio."""
        key = (method, origin, days)
        if key not in self._errors:
            grain = self.grain(origin)
            came = self.total(origin, origin + days) + grain
            self._errors[key] = log(came / (self.forecast(method, origin, days) + grain))
        return self._errors[key]

    def forecast(self, method: str, origin: int, days: int) -> float:
        """The sum of `days` days from `origin` on by one method, from the days before only."""
        factors, length = self.factors(origin), METHODS[method]
        window = range(origin - length, origin)
        growth = self.growth(origin, factors) if method == "trend" else 0.0
        usual = sum(exp(growth * (at - origin)) * factors[self.weekday(at)] for at in window)
        coming = sum(exp(growth * at) * factors[self.weekday(origin + at)] for at in range(days))
        return self.total(origin - length, origin) * coming / usual if usual else 0.0

    def growth(self, origin: int, factors: Sequence[float]) -> float:
        """What is added to the logarithm each day over the last weeks, weekdays taken out: least squares."""
        grain = self.grain(origin)
        days = [at for at in range(origin - BASE_DAYS, origin) if factors[self.weekday(at)] >= QUIET]
        if len(days) < BASE_DAYS // 2:
            return 0.0
        middle = sum(days) / len(days)
        logs = [log(self.values[at] / factors[self.weekday(at)] + grain) for at in days]
        spread = sum((at - middle) ** 2 for at in days)
        return sum((at - middle) * value for at, value in zip(days, logs, strict=True)) / spread

    def weekday(self, at: int) -> int:
        return (self.first.weekday() + at) % 7

    def factors(self, origin: int) -> list[float]:
        """How much of a usual day each weekday has, from the last weeks; one of each where nothing was counted."""
        if origin not in self._factors:
            sums = [0.0] * 7
            for at in range(origin - min(SEASON_DAYS, origin // 7 * 7), origin):
                sums[self.weekday(at)] += self.values[at]
            mean = sum(sums) / 7
            self._factors[origin] = [total / mean for total in sums] if mean else [1.0] * 7
        return self._factors[origin]


METHODS: Final[Mapping[str, int]] = {"month": 28, "week": 7, "trend": 28}
"""The level of the last four weeks, of the last week, and the trend of the last four: what missed least is taken."""


def get_quantile(blocks: float) -> float:
    """Student's t for four of five, for so many independent stretches."""
    return next((value for freedom, value in reversed(QUANTILES) if blocks >= freedom), QUANTILES[0][1])


def project_month(by_day: Mapping[date, float], start: date, today: date, last_day: date) -> Projection | None:
    """The traffic of today's month at its end, from the whole days of `start` to yesterday. None with too few of them."""
    start = max(start, today - timedelta(days=HISTORY_DAYS))
    count = (today - start).days
    history = History([by_day.get(start + timedelta(days=at), 0.0) for at in range(max(count, 0))], start)
    left = (last_day - today).days + 1
    interval = history.interval(count, left)
    so_far_days = today.day - 1
    if interval is None or so_far_days > count:
        return None
    so_far = history.total(count - so_far_days, count)
    held, months = back_test(history, today)
    likely = so_far + interval.likely
    return Projection(
        so_far, likely, so_far + interval.low, high=so_far + interval.high, days_left=left, held=held, months=months
    )


def back_test(history: History, today: date) -> tuple[int, int]:
    """How many earlier months ended within the range that could be given on the same day of the month; of how many."""
    held = months = 0
    first_of_month = today.replace(day=1)
    while True:
        end = (first_of_month - history.first).days
        first_of_month = (first_of_month - timedelta(days=1)).replace(day=1)
        begin = (first_of_month - history.first).days
        origin = min(begin + today.day - 1, end - 1)
        interval = history.interval(origin, end - origin) if origin > 0 else None
        if interval is None:
            return held, months
        months += 1
        held += interval.low <= history.total(origin, end) <= interval.high
