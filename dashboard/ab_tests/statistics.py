"""The sequential engine behind an A/B read-out, in plain Python: what a difference says, however often one looks.

Evidence is a likelihood ratio: how much better the numbers fit real differences (a mixture of them, whose scale is set once,
at the start of the test) than none. Where there is none, it ever exceeds 1/alpha in at most a share `alpha` of tests, at
whatever moments one looks (Ville's inequality); the range is every difference against which it stays below that.

Words used: an `Arm` is one variant's people (`viewers`) and how many of them played (`played`). Rates and differences are
shares from 0 to 1. `alpha` is the accepted chance of a false alarm, 0.05 where 95 % is asked for.
"""

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import Final

WORTH_FINDING: Final = 0.10
"""The lift worth finding where the owner planned none."""

_HUMPS: Final = 0.8
_WIDTH: Final = 0.3
"""Four fifths of the mixture lie around the difference worth finding, either way, that much of it wide; the rest around zero."""

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
    """One variant: how many saw it, how many of them played. Raises ValueError where that cannot be."""

    viewers: int
    played: int

    def __post_init__(self) -> None:
        if not 0 <= self.played <= self.viewers:
            raise ValueError("played must be between 0 and viewers")

    @property
    def rate(self) -> float:
        return self.played / self.viewers if self.viewers else 0.0


@dataclass(frozen=True)
class Mixture:
    """The differences that count as real, as the test was started: about `effect` either way, some smaller or larger."""

    effect: float

    def log_evidence(self, difference: float, variance: float) -> float:
        """The logarithm of how much better real differences explain `difference` than none does."""
        narrow, wide = variance + (_WIDTH * self.effect) ** 2, variance + self.effect**2
        squared = difference * difference / (2 * variance)
        near = log(variance / narrow) / 2 - (abs(difference) - self.effect) ** 2 / (2 * narrow)
        far = log(variance / narrow) / 2 - (abs(difference) + self.effect) ** 2 / (2 * narrow)
        around = log(variance / wide) / 2 - difference * difference / (2 * wide)
        parts = (near + log(_HUMPS / 2), far + log(_HUMPS / 2), around + log(1 - _HUMPS))
        most = max(parts)
        return squared + most + log(sum(exp(part - most) for part in parts))

    def reach(self, variance: float, alpha: float) -> float:
        """Half the width of the range of a difference with that variance; infinite where nothing is known."""
        if not 0 < variance < inf:
            return inf
        limit, low, high = -log(alpha), 0.0, sqrt(variance)
        while self.log_evidence(high, variance) < limit:
            low, high = high, 2 * high
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.log_evidence(middle, variance) < limit else (low, middle)
        return high


def best_estimate(difference: float, variance: float) -> float:
    """The difference, drawn towards zero by as much as chance made it look larger (James and Stein).

    Tests stop, and are looked at, when a difference looks large; what is close to its noise is mostly noise.
    """
    return difference * max(0.0, 1 - _NOISE * variance / (difference * difference)) if difference else 0.0


def lift_range(first: float, second: float, variances: tuple[float, float], reach: float) -> Interval:
    """The range of `second / first - 1` by Fieller: every ratio that lies within `reach` standard errors.

    It excludes zero exactly where the range of the difference does, because for the ratio 1 it is the same question.
    """
    square = reach * reach
    a, b, c = first * first - square * variances[0], first * second, second * second - square * variances[1]
    inside = b * b - a * c
    if a > 0 and inside >= 0:
        return Interval(max(0.0, (b - sqrt(inside)) / a) - 1, (b + sqrt(inside)) / a - 1)
    if a < 0 and inside >= 0 and a - 2 * b + c > 0:
        roots = sorted(((b - sqrt(inside)) / a, (b + sqrt(inside)) / a))
        return Interval(roots[1] - 1, inf) if second > first else Interval(-1.0, max(0.0, roots[0]) - 1)
    return Interval(-1.0, inf)


def normal_below(value: float) -> float:
    """The probability that a standard normal variable is at most `value`."""
    return _NORMAL.cdf(value)
