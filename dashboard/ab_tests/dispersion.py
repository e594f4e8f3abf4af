"""Two variants compared within each day, and how far the daily numbers scatter beyond the chance of single people. Pure.

Each day is compared by itself and the days are added up by their size: a split that was changed in the middle of a test, or a
week in which everybody played more, moves both variants alike. What the daily numbers show beyond chance widens the range:

jumps      days on which one variant's rate jumps: differences of single days scatter more than their people explain
repeats    people counted on several days: neighbouring days resemble each other, in what people did and in how they were split
unknown    in the first weeks too few days are known to see either: a range starts out wider and narrows as days come in
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, sqrt
from typing import Final

from dashboard.ab_tests.statistics import Arm, Interval, Mixture, calculate_best_estimate, calculate_lift_range

LAGS: Final = (1.0, 1.0, 0.8, 0.4)
"""How much days that are 1, 2, 3 and 4 days apart count towards repeats."""
_LOST: Final = 1.6 * sum(LAGS)
_NOTICED: Final = 1.65
_TOTAL_SPLIT: Final = 0.2
_ROTATED: Final = 0.5
"""A split less random than half of chance is a rotation and says nothing about repeated people."""


@dataclass(frozen=True)
class Widening:
    """The factors by which a variance exceeds that of people who are counted once."""

    jumps: float = 1.0
    repeats: float = 0.0
    unknown: float = 0.0

    @property
    def factor(self) -> float:
        return self.jumps * (1 + max(self.repeats, self.unknown))


@dataclass(frozen=True)
class Contrast:
    """`second` against `first`: their rates, weighted day by day, and the variances of both."""

    first: float
    second: float
    variances: tuple[float, float]
    days: int
    widening: Widening

    @property
    def difference(self) -> float:
        return self.second - self.first

    @property
    def variance(self) -> float:
        """Variance of the difference, with everything that was measured."""
        return sum(self.variances) * self.widening.factor

    @property
    def best(self) -> float:
        return calculate_best_estimate(self.difference, self.variance)

    def log_evidence(self, mixture: Mixture) -> float:
        return mixture.log_evidence(self.difference, self.variance) if self.variance > 0 else 0.0

    def range(self, mixture: Mixture, alpha: float) -> Interval:
        """The always-valid range of the difference."""
        half = mixture.reach(self.variance, alpha)
        return Interval(max(-1.0, self.difference - half), min(1.0, self.difference + half))

    def lift(self, mixture: Mixture, alpha: float) -> Interval:
        """The always-valid range of the lift over the first variant."""
        if self.variance <= 0:
            return Interval(-1.0, float("inf"))
        wide = (self.variances[0] * self.widening.factor, self.variances[1] * self.widening.factor)
        return calculate_lift_range(
            self.first, self.second, wide, mixture.reach(self.variance, alpha) / sqrt(self.variance)
        )


def compare_days(
    days: Sequence[tuple[Arm, Arm]], mixture: Mixture, alpha: float = 0.05, share: float = 0.5
) -> Contrast:
    """Two variants by day, in the order of the days. `share` of both's people was meant for the second one."""
    days = [(first_arm, second_arm) for first_arm, second_arm in days if first_arm.viewers and second_arm.viewers]
    sizes = [
        first_arm.viewers * second_arm.viewers / (first_arm.viewers + second_arm.viewers)
        for first_arm, second_arm in days
    ]
    if not days:
        return Contrast(0.0, 0.0, (0.0, 0.0), 0, Widening())
    whole = sum(sizes)
    first = sum(size * first_arm.rate for size, (first_arm, _second_arm) in zip(sizes, days, strict=True)) / whole
    second = sum(size * second_arm.rate for size, (_first_arm, second_arm) in zip(sizes, days, strict=True)) / whole
    variances = tuple(
        sum(size * size * _calculate_spread(day[place]) for size, day in zip(sizes, days, strict=True)) / whole**2
        for place in (0, 1)
    )
    variance = sum(variances)
    if variance <= 0:
        return Contrast(first, second, (variances[0], variances[1]), len(days), Widening())
    off = [
        size * (second_arm.rate - first_arm.rate - second + first)
        for size, (first_arm, second_arm) in zip(sizes, days, strict=True)
    ]
    played = calculate_resemblance(off, variance * whole**2)
    jumps = _calculate_jumps(played[0], len(days), (mixture.reach(variance, alpha) / sqrt(variance)) ** 2)
    widening = Widening(jumps, _calculate_repeats(days, played, share), get_unknown_share(len(days)))
    return Contrast(first, second, (variances[0], variances[1]), len(days), widening)


def get_unknown_share(days: int) -> float:
    """How much larger a variance is taken while few days are known: by 250 % after a week, by 31 % after two."""
    return 2.5 * (7 / days) ** 3 if days else 0.0


def calculate_resemblance(off: Sequence[float], expected: float) -> list[float]:
    """Autocovariance of daily deviations at lags 0 to 4, as shares of the `expected` sum of squares."""
    return [
        sum(value * later for value, later in zip(off, off[apart:], strict=False)) / expected
        for apart in range(len(LAGS) + 1)
    ]


def _calculate_spread(arm: Arm) -> float:
    """Variance of one day's rate."""
    return arm.rate * (1 - arm.rate) / max(arm.viewers - 1, 1)


def _calculate_jumps(scatter: float, days: int, reach: float) -> float:
    """The factor by which days scatter more than their people explain; 1 within chance.

    A scatter that is measured from few days is itself uncertain: the factor is Student's, for the same evidence.
    """
    if days < 2:
        return 1.0
    factor = scatter * days / (days - 1)
    if factor <= 1 + _NOTICED * sqrt(2 / (days - 1)):
        return 1.0
    return factor * (days - 1) * expm1(reach / days) / reach


def _calculate_repeats(days: Sequence[tuple[Arm, Arm]], played: Sequence[float], share: float) -> float:
    """By how much people who are counted on several days enlarge the variance, from what was played and how it was split."""
    near = sum_resemblance(played)
    near += (played[0] + near) * _LOST / len(days)  # deviations from a mean of few days hide some of their resemblance
    near /= max(1.0, played[0])
    people = sum(first_arm.viewers + second_arm.viewers for first_arm, second_arm in days)
    off = [second_arm.viewers - share * (first_arm.viewers + second_arm.viewers) for first_arm, second_arm in days]
    expected = share * (1 - share) * people
    split = calculate_resemblance(off, expected)
    if split[0] < _ROTATED:
        return max(0.0, near)
    total = max(0.0, sum(off) ** 2 / expected - 1)
    return max(0.0, (near + sum_resemblance(split) / max(1.0, split[0])) / 2 + _TOTAL_SPLIT * total)


def sum_resemblance(resemblances: Sequence[float]) -> float:
    """The share of the variance that comes from neighbouring days."""
    return 2 * sum(weight * near for weight, near in zip(LAGS, resemblances[1:], strict=True))
