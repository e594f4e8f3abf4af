"""The sequential engine behind an A/B read-out, in plain Python: what a difference says, however often one looks.

Evidence is a likelihood ratio: how much better the numbers fit real differences (a mixture of them, whose scale is set once,
at the start of the test) than none. Where there is none, it ever exceeds 1/alpha in at most a share `alpha` of tests, at
whatever moments one looks (Ville's inequality); the range is every difference against which it stays below that.

Words used: an `Arm` is how often one variant was loaded (`loads`) and how many of these loads led to a play (`played`); where
the platform counts people alone, it is people. Rates and differences run from 0 to 1. `alpha` is the accepted chance of a
false alarm, 0.05 where 95 % is asked for.

Two variants are compared within each day, and how far the daily numbers scatter beyond the chance of single loads is measured.
Each day is compared by itself and the days are added up by their size: a week in which everybody played more moves both
variants alike. The player draws a variant anew for every load of a page, so that people who come back, and who are counted in
several variants, are no dependence between the variants: only what is drawn is compared. What widens the range:

jumps      days on which one variant's rate jumps: differences of single days scatter more than their loads explain
unknown    in the first weeks too few days are known to see jumps: a range starts out wider and narrows as days come in
carried    people who had seen another variant before: what they saw may change what they do, as much as is looked for

Whether every variant was shown about equally often is looked at every day; once uneven, it stays so, with the day. Each load of
a page draws one of the variants with equal chance, whoever loads it: the loads of a test are evenly spread but for chance,
which a fixed share of people would not be. The evidence is a likelihood ratio like that of differences: equal chance ever
reaches the limit in at most one of 1,000 tests, however long it runs. What is left are loads that were not drawn: of a video
that is also shown elsewhere, or that could not be loaded. Pure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import exp, expm1, inf, log, sqrt
from statistics import NormalDist
from typing import Final

WORTH_FINDING: Final = 0.10
"""The lift worth finding where the owner planned none."""

_HUMPS: Final = 0.8
_WIDTH: Final = 0.3
"""Four fifths of the mixture lie around the difference worth finding, either way, that much of it wide; the rest around zero."""
_LOG_HUMP: Final = log(_HUMPS / 2)
_LOG_AROUND: Final = log(1 - _HUMPS)

_NORMAL: Final = NormalDist()
_NOISE: Final = 3.0


@dataclass(frozen=True)
class Interval:
    """A range of rates, of differences, or of lifts. A lift that cannot be bounded has an infinite end."""

    low: float
    high: float

    def excludes(self, value: float) -> bool:
        return value < self.low or value > self.high

    def within(self, band: float) -> bool:
        """Whether the whole range lies closer to zero than `band`."""
        return -band < self.low and self.high < band


@dataclass(frozen=True)
class Arm:
    """One variant: how often it was loaded, and then played. Raises ValueError where that cannot be."""

    loads: int
    played: int

    def __post_init__(self) -> None:
        if not 0 <= self.played <= self.loads:
            raise ValueError("played must be between 0 and loads")

    @property
    def rate(self) -> float:
        return self.played / self.loads if self.loads else 0.0


@dataclass(frozen=True)
class Mixture:
    """The differences that count as real, as the test was started: about `effect` either way, some smaller or larger."""

    effect: float

    def log_evidence(self, difference: float, variance: float) -> float:
        """The logarithm of how much better real differences explain `difference` than none does."""
        return self.evidence_function(variance)(difference)

    def evidence_function(self, variance: float) -> Callable[[float], float]:
        """`log_evidence` for differences of one variance: what depends on the variance alone is calculated once."""
        effect = self.effect
        narrow, wide = variance + (_WIDTH * effect) ** 2, variance + effect**2
        narrow_log, wide_log = log(variance / narrow) / 2, log(variance / wide) / 2
        twice_variance, twice_narrow, twice_wide = 2 * variance, 2 * narrow, 2 * wide

        def log_evidence(difference: float) -> float:
            size, square = abs(difference), difference * difference
            near = narrow_log - (size - effect) ** 2 / twice_narrow + _LOG_HUMP
            far = narrow_log - (size + effect) ** 2 / twice_narrow + _LOG_HUMP
            around = wide_log - square / twice_wide + _LOG_AROUND
            most = max(near, around)  # `far` is never more than `near`
            return square / twice_variance + most + log(exp(near - most) + exp(far - most) + exp(around - most))

        return log_evidence

    def reach(self, variance: float, alpha: float) -> float:
        """Half the width of the range of a difference with that variance; infinite where nothing is known."""
        if not 0 < variance < inf:
            return inf
        log_evidence = self.evidence_function(variance)
        limit, low, high = -log(alpha), 0.0, sqrt(variance)
        while log_evidence(high) < limit:
            low, high = high, 2 * high
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if log_evidence(middle) < limit else (low, middle)
        return high


def calculate_best_estimate(difference: float, variance: float) -> float:
    """The difference, drawn towards zero by as much as chance made it look larger (James and Stein).

    Tests stop, and are looked at, when a difference looks large; what is close to its noise is mostly noise.
    """
    return difference * max(0.0, 1 - _NOISE * variance / (difference * difference)) if difference else 0.0


def calculate_lift_range(first: float, second: float, variances: tuple[float, float], reach: float) -> Interval:
    """The range of `second / first - 1` by Fieller: every ratio that lies within `reach` standard errors.

    It excludes zero exactly where the range of the difference does, because for the ratio 1 it is the same question.
    """
    square = reach * reach
    a, b, c = first * first - square * variances[0], first * second, second * second - square * variances[1]
    inside = b * b - a * c
    if a > 0 and inside >= 0:
        return Interval(max(0.0, (b - sqrt(inside)) / a) - 1, (b + sqrt(inside)) / a - 1)
    if a < 0 and inside >= 0 and a - 2 * b + c > 0:
        # `first` may be zero, and the difference is out of reach: only a larger `second` is so far from it
        return Interval((b - sqrt(inside)) / a - 1, inf)
    return Interval(-1.0, inf)


def calculate_normal_cdf(value: float) -> float:
    """The probability that a standard normal variable is at most `value`."""
    return _NORMAL.cdf(value)


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


WRONG: Final = 1_000.0
DOUBTFUL: Final = 100.0
OFF_MIN: Final = 0.001
"""A split is wrong only if it is improbable *and* off by at least 0.1 percentage points: huge tests find specks."""
_USUAL: Final = 0.0004
"""Wrong splits are mostly off by about one point of fifty."""


class Split(StrEnum):
    """Whether equal chance explains the loads of each variant."""

    FAIR = "fair"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"


@dataclass(frozen=True)
class SplitCheck:
    """Each variant's part of the loads. If they were ever uneven: since when, and the parts at that moment."""

    state: Split
    parts: tuple[float, ...]
    since: date | None = None
    then: tuple[float, ...] = ()
    recovered: bool = False


def check_split(days: Sequence[tuple[date, tuple[int, ...]]], variants: int, known: date | None = None) -> SplitCheck:
    """The loads of each variant, day by day. `known` is the day on which an earlier read found them uneven."""
    sums, since, state = [0] * variants, known, Split.FAIR
    then: tuple[float, ...] = ()
    for day, loads in days:
        sums = [before + more for before, more in zip(sums, loads, strict=True)]
        state = _get_state(sums)
        if state is Split.WRONG and (since is None or (since == day and not then)):
            since, then = day, _calculate_parts(sums)
    recovered = since is not None and state is Split.FAIR
    return SplitCheck(
        Split.WRONG if since else state, _calculate_parts(sums), since=since, then=then, recovered=recovered
    )


def _calculate_parts(sums: Sequence[int]) -> tuple[float, ...]:
    loads = sum(sums)
    return tuple(count / loads if loads else 1 / len(sums) for count in sums)


def _get_state(sums: Sequence[int]) -> Split:
    loads, equal = sum(sums), sum(sums) / len(sums)
    if not loads:
        return Split.FAIR
    evidence = log_evidence(sum((count - equal) ** 2 for count in sums) / equal, loads, len(sums))
    if evidence >= log(WRONG) and max(abs(count - equal) for count in sums) >= OFF_MIN * loads:
        return Split.WRONG
    return Split.DOUBTFUL if evidence >= log(DOUBTFUL) else Split.FAIR


def log_evidence(distance: float, loads: int, variants: int) -> float:
    """The logarithm of how much better uneven chances explain a chi-square `distance` than equal ones do."""
    known = loads * _USUAL
    return distance / 2 * known / (1 + known) - (variants - 1) / 2 * log(1 + known)
