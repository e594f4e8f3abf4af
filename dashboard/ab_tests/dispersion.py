"""Two variants compared within each day, and how far the daily numbers scatter beyond the chance of single loads. Pure.

Each day is compared by itself and the days are added up by their size: a week in which everybody played more moves both
variants alike. The player draws a variant anew for every load of a page, so that people who come back, and who are counted in
several variants, are no dependence between the variants: only what is drawn is compared. What widens the range:

jumps      days on which one variant's rate jumps: differences of single days scatter more than their loads explain
unknown    in the first weeks too few days are known to see jumps: a range starts out wider and narrows as days come in
carried    people who had seen another variant before: what they saw may change what they do, as much as is looked for
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, sqrt
from typing import Final

from dashboard.ab_tests.statistics import Arm, Interval, Mixture, calculate_best_estimate, calculate_lift_range

_NOTICED: Final = 1.65


@dataclass(frozen=True)
class Widening:
    """The factors by which a variance exceeds that of single loads."""

    jumps: float = 1.0
    unknown: float = 0.0

    @property
    def factor(self) -> float:
        return self.jumps * (1 + self.unknown)


@dataclass(frozen=True)
class Contrast:
    """`second` against `first`: their rates, weighted day by day, the variances of both, and the difference that may come from
    people who had seen another variant before.
    """

    first: float
    second: float
    variances: tuple[float, float]
    days: int
    widening: Widening
    carried: float = 0.0

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
        """The evidence of what is left of the difference without what may be carried over."""
        left = max(0.0, abs(self.difference) - self.carried)
        return mixture.log_evidence(left, self.variance) if self.variance > 0 else 0.0

    def reach(self, mixture: Mixture, alpha: float) -> float:
        """Half the width of the always-valid range."""
        return mixture.reach(self.variance, alpha) + self.carried

    def range(self, mixture: Mixture, alpha: float) -> Interval:
        """The always-valid range of the difference."""
        half = self.reach(mixture, alpha)
        return Interval(max(-1.0, self.difference - half), min(1.0, self.difference + half))

    def lift(self, mixture: Mixture, alpha: float) -> Interval:
        """The always-valid range of the lift over the first variant."""
        if self.variance <= 0:
            return Interval(-1.0, float("inf"))
        wide = (self.variances[0] * self.widening.factor, self.variances[1] * self.widening.factor)
        return calculate_lift_range(self.first, self.second, wide, self.reach(mixture, alpha) / sqrt(self.variance))


def compare_days(
    days: Sequence[tuple[Arm, Arm]], mixture: Mixture, alpha: float = 0.05, carried: float = 0.0
) -> Contrast:
    """Two variants by day, in the order of the days. `carried` is the difference that other variants seen before may make."""
    days = [(first_arm, second_arm) for first_arm, second_arm in days if first_arm.loads and second_arm.loads]
    sizes = [
        first_arm.loads * second_arm.loads / (first_arm.loads + second_arm.loads) for first_arm, second_arm in days
    ]
    if not days:
        return Contrast(0.0, 0.0, variances=(0.0, 0.0), days=0, widening=Widening())
    whole = sum(sizes)
    first = sum(size * first_arm.rate for size, (first_arm, _second_arm) in zip(sizes, days, strict=True)) / whole
    second = sum(size * second_arm.rate for size, (_first_arm, second_arm) in zip(sizes, days, strict=True)) / whole
    variances = tuple(
        sum(size * size * _calculate_spread(day[place]) for size, day in zip(sizes, days, strict=True)) / whole**2
        for place in (0, 1)
    )
    variance = sum(variances)
    if variance <= 0:
        return Contrast(first, second, variances=(variances[0], variances[1]), days=len(days), widening=Widening())
    scatter = sum(
        (size * (second_arm.rate - first_arm.rate - second + first)) ** 2
        for size, (first_arm, second_arm) in zip(sizes, days, strict=True)
    ) / (variance * whole**2)
    jumps = _calculate_jumps(scatter, len(days), (mixture.reach(variance, alpha) / sqrt(variance)) ** 2)
    widening = Widening(jumps, get_unknown_share(len(days)))
    return Contrast(
        first, second, variances=(variances[0], variances[1]), days=len(days), widening=widening, carried=carried
    )


def get_unknown_share(days: int) -> float:
    """How much larger a variance is taken while few days are known: by 250 % after a week, by 31 % after two."""
    return 2.5 * (7 / days) ** 3 if days else 0.0


def _calculate_spread(arm: Arm) -> float:
    """Variance of one day's rate."""
    return arm.rate * (1 - arm.rate) / max(arm.loads - 1, 1)


def _calculate_jumps(scatter: float, days: int, reach: float) -> float:
    """The factor by which days scatter more than their loads explain; 1 within chance.

    A scatter that is measured from few days is itself uncertain: the factor is Student's, for the same evidence.
    """
    if days < 2:
        return 1.0
    factor = scatter * days / (days - 1)
    if factor <= 1 + _NOTICED * sqrt(2 / (days - 1)):
        return 1.0
    return factor * (days - 1) * expm1(reach / days) / reach
