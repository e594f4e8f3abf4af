"""The sequential engine behind an A/B read-out, in plain Python: what a difference says, however often one looks.

Evidence is a likelihood ratio: how much better the numbers fit real differences (a mixture of them, whose scale is set once,
at the start of the test) than none. Where there is none, it ever exceeds 1/alpha in at most a share `alpha` of tests, at
whatever moments one looks (Ville's inequality); the range is every difference against which it stays below that.

Words used: an `Arm` is how often one variant was loaded (`loads`) and how many of these loads led to a play (`played`); where
the platform counts people alone, it is people. Rates and differences run from 0 to 1. `alpha` is the accepted chance of a
false alarm, 0.05 where 95 % is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log, sqrt
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
