"""The numbers behind an A/B read-out, as closed forms and quadrature in plain Python.

The tests hold every function against SciPy. Plain Python is enough because each answer is either a finite formula or a
smooth integral over a few standard deviations; a read-out of two variants costs about 20 ms, and the product
need not install 100 MB of numerics to start.

Words used: an `Arm` is one variant's people (`viewers`) and how many of them played (`played`). Rates and differences
are shares from 0 to 1. `alpha` is the accepted chance of a false alarm, 0.05 where 95 % is asked for.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import ceil, erfc, exp, inf, log, log1p, pi, sqrt
from statistics import NormalDist
from typing import Final

TAU: Final = 0.03
"""Width of the always-valid interval's prior over differences: three percentage points, a usual size of effect."""

_NORMAL: Final = NormalDist()

# Gauss-Legendre, 8 nodes on [0, 1]: exact for polynomials up to degree 15.
_NODES: Final = (
    (0.019855071751231884, 0.05061426814518813),
    (0.10166676129318664, 0.11119051722668724),
    (0.2372337950418355, 0.15685332293894363),
    (0.4082826787521751, 0.18134189168918100),
    (0.5917173212478249, 0.18134189168918100),
    (0.7627662049581645, 0.15685332293894363),
    (0.8983332387068134, 0.11119051722668724),
    (0.9801449282487681, 0.05061426814518813),
)


@dataclass(frozen=True)
class Interval:
    """A range of rates or of differences."""

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
            raise ValueError("as many as saw it can have played it, and no more")

    @property
    def rate(self) -> float:
        return self.played / self.viewers if self.viewers else 0.0

    @property
    def variance(self) -> float:
        """Variance of the rate's estimate; infinite without viewers."""
        return self.rate * (1 - self.rate) / self.viewers if self.viewers else inf


def wilson(arm: Arm, alpha: float = 0.05) -> Interval:
    """Wilson's score interval of the arm's rate. Without viewers: everything from 0 to 1."""
    if not arm.viewers:
        return Interval(0.0, 1.0)
    n, z = arm.viewers, _NORMAL.inv_cdf(1 - alpha / 2)
    spread = z * z / n
    middle = (arm.rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(arm.variance + spread / (4 * n))
    low = 0.0 if arm.played == 0 else max(0.0, middle - half)
    high = 1.0 if arm.played == n else min(1.0, middle + half)
    return Interval(low, high)


def always_valid(first: Arm, second: Arm, alpha: float = 0.05, tau: float = TAU) -> Interval:
    """The range of `second - first` that holds however often one looks (mixture sequential test).

    Everything from -1 to 1 while either rate shows no variance at all.
    """
    variance = first.variance + second.variance
    if variance in (0.0, inf):
        return Interval(-1.0, 1.0)
    half = always_valid_half_width(variance, alpha, tau)
    difference = second.rate - first.rate
    return Interval(difference - half, difference + half)


def always_valid_half_width(variance: float, alpha: float, tau: float = TAU) -> float:
    """Half the width of the always-valid interval of a difference with that variance."""
    prior = tau * tau
    return sqrt(variance * (variance + prior) / prior * (2 * log(1 / alpha) + log((variance + prior) / variance)))


@dataclass(frozen=True)
class Posterior:
    """What one knows about a rate after seeing an arm, starting from nothing: Beta(played + 1, missed + 1)."""

    arm: Arm

    @property
    def _shape(self) -> tuple[int, int]:
        return self.arm.played + 1, self.arm.viewers - self.arm.played + 1

    @property
    def mean(self) -> float:
        a, b = self._shape
        return a / (a + b)

    @property
    def deviation(self) -> float:
        a, b = self._shape
        return sqrt(a * b / (a + b + 1)) / (a + b)

    @cached_property
    def _peak(self) -> float:
        return self._log_shape(self.arm.rate) if self.arm.viewers else 0.0

    def _log_shape(self, rate: float) -> float:
        a, b = self._shape
        left = (a - 1) * log(rate) if a > 1 else 0.0
        return left + ((b - 1) * log1p(-rate) if b > 1 else 0.0)

    def _raw(self, rate: float) -> float:
        """The density relative to its peak; integrating and dividing spares the Beta function's cancellation."""
        if not 0.0 < rate < 1.0:
            return 0.0
        return exp(self._log_shape(rate) - self._peak)

    @cached_property
    def edges(self) -> tuple[float, ...]:
        """Rates half a deviation apart near the mean and wider apart outside, where lopsided posteriors have a tail."""
        steps = [step / 2 for step in range(-18, 19)] + [side * far for far in (12, 16, 22, 30, 40) for side in (-1, 1)]
        marks = (self.mean + self.deviation * step for step in steps)
        return tuple(sorted({min(1.0, max(0.0, mark)) for mark in marks}))

    @cached_property
    def _sums(self) -> tuple[float, ...]:
        parts = (_integral(self._raw, low, high) for low, high in pairwise(self.edges))
        return tuple(accumulate(parts, initial=0.0))

    def density(self, rate: float) -> float:
        return self._raw(rate) / self._sums[-1]

    def below(self, rate: float) -> float:
        """The probability that the true rate is at most `rate`."""
        if rate <= self.edges[0]:
            return 0.0
        if rate >= self.edges[-1]:
            return 1.0
        at = bisect_right(self.edges, rate) - 1
        return min(1.0, (self._sums[at] + _integral(self._raw, self.edges[at], rate)) / self._sums[-1])


@dataclass(frozen=True)
class Chances:
    """For each arm, in order: the probability of being best, and the rate lost on average if it is chosen."""

    best: tuple[float, ...]
    loss: tuple[float, ...]


def chances(arms: Sequence[Arm]) -> Chances:
    """Probability of being best and expected loss of every arm, from independent posteriors.

    With F the posterior probabilities and G_i the product of the others': best_i = ∫ f_i G_i, and the loss, which is
    the mean of max(others) - own where that is positive, is ∫ F_i (1 - G_i).
    """
    posteriors = [Posterior(arm) for arm in arms]
    best, loss = [0.0] * len(arms), [0.0] * len(arms)
    for low, high in pairwise(_shared_edges(posteriors)):
        width = high - low
        for node, weight in _NODES:
            rate = low + width * node
            below = [posterior.below(rate) for posterior in posteriors]
            for index, posterior in enumerate(posteriors):
                others = _product(share for at, share in enumerate(below) if at != index)
                best[index] += weight * width * posterior.density(rate) * others
                loss[index] += weight * width * below[index] * (1 - others)
    return Chances(tuple(best), tuple(loss))


def credible_difference(first: Arm, second: Arm, alpha: float = 0.05) -> Interval:
    """The equal-tailed credible interval of `second - first`, in shares."""
    spread = sqrt(Posterior(first).deviation ** 2 + Posterior(second).deviation ** 2)
    middle = Posterior(second).mean - Posterior(first).mean
    reach = -_NORMAL.inv_cdf(alpha / 2) * spread

    def bound(share: float, start: float) -> float:
        return _solve(lambda at: _difference_below(first, second, at), share, start, (-1.0, 1.0))

    return Interval(bound(alpha / 2, middle - reach), bound(1 - alpha / 2, middle + reach))


def credible_lift(first: Arm, second: Arm, alpha: float = 0.05) -> Interval:
    """The equal-tailed credible interval of `second / first - 1`: the relative lift."""
    one, two = Posterior(first), Posterior(second)
    spread = sqrt((one.deviation / one.mean) ** 2 + (two.deviation / two.mean) ** 2)
    middle = log(two.mean / one.mean)
    reach = -_NORMAL.inv_cdf(alpha / 2) * spread

    def bound(share: float, start: float) -> float:
        return _solve(lambda at: _ratio_below(first, second, exp(at)), share, start, (start - 40, start + 40))

    low, high = bound(alpha / 2, middle - reach), bound(1 - alpha / 2, middle + reach)
    return Interval(exp(low) - 1, exp(high) - 1)


def chi_square_tail(value: float, freedom: int) -> float:
    """The probability that a chi-square variable with `freedom` degrees is larger than `value`: a finite sum."""
    if value <= 0 or freedom < 1:
        return 1.0
    half = value / 2
    if freedom % 2:
        total, term, shape = erfc(sqrt(half)), 2 * sqrt(half / pi) * exp(-half), 1.5
    else:
        total, term, shape = exp(-half), half * exp(-half), 2.0
    for _ in range((freedom - 1) // 2):
        total += term
        term *= half / shape
        shape += 1
    return min(1.0, total)


def split_probability(seen: Sequence[int], expected: Sequence[float]) -> float:
    """How often chance alone spreads people at least as unevenly as `seen`, where `expected` shares were meant.

    1.0 while there is nobody, or only one arm, to compare.
    """
    people, whole = sum(seen), sum(expected)
    if not people or len(seen) < 2 or min(expected) <= 0:
        return 1.0
    meant = [people * share / whole for share in expected]
    distance = sum((count - want) ** 2 / want for count, want in zip(seen, meant, strict=True))
    return chi_square_tail(distance, len(seen) - 1)


def single_look_size(base: float, lift: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Viewers per arm to find a relative `lift` over `base` when one looks once, at the end."""
    target = base * (1 + lift)
    middle = (base + target) / 2
    noise = _NORMAL.inv_cdf(1 - alpha / 2) * sqrt(2 * middle * (1 - middle))
    noise += _NORMAL.inv_cdf(power) * sqrt(base * (1 - base) + target * (1 - target))
    return ceil((noise / (target - base)) ** 2)


def always_valid_size(base: float, lift: float, alpha: float = 0.05, power: float = 0.8, tau: float = TAU) -> int:
    """Viewers per arm until the always-valid interval excludes zero with probability `power`.

    Slightly on the safe side: it counts one look at that size, and earlier looks can only succeed sooner.
    """
    target = base * (1 + lift)
    single = base * (1 - base) + target * (1 - target)
    effect, reach = abs(target - base), _NORMAL.inv_cdf(power)

    def enough(size: int) -> bool:
        variance = single / size
        return effect >= always_valid_half_width(variance, alpha, tau) + reach * sqrt(variance)

    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _difference_below(first: Arm, second: Arm, value: float) -> tuple[float, float]:
    """Probability and density of `second - first` at `value`, integrated over the narrower posterior."""
    one, two = Posterior(first), Posterior(second)
    if one.deviation <= two.deviation:
        return _over(one, lambda rate: (two.below(rate + value), two.density(rate + value)))
    return _over(two, lambda rate: (1 - one.below(rate - value), one.density(rate - value)))


def _ratio_below(first: Arm, second: Arm, value: float) -> tuple[float, float]:
    """Probability of `second / first` up to `value`, and its density in the ratio's logarithm."""
    one, two = Posterior(first), Posterior(second)
    if one.deviation <= two.deviation:
        return _over(one, lambda rate: (two.below(rate * value), two.density(rate * value) * rate * value))
    return _over(two, lambda rate: (1 - one.below(rate / value), one.density(rate / value) * rate / value))


def _over(posterior: Posterior, seen: Callable[[float], tuple[float, float]]) -> tuple[float, float]:
    """The means of both values of `seen` under `posterior`."""
    first = second = 0.0
    for low, high in pairwise((*posterior.edges[:-1:2], posterior.edges[-1])):
        width = high - low
        for node, weight in _NODES:
            rate = low + width * node
            share = weight * width * posterior.density(rate)
            one, two = seen(rate)
            first += share * one
            second += share * two
    return first, second


def _solve(
    below: Callable[[float], tuple[float, float]], share: float, start: float, reach: tuple[float, float]
) -> float:
    """Where a distribution reaches `share`: Newton's steps, halving the bracket whenever a step would leave it."""
    low, high = reach
    at = min(max(start, low), high)
    for _ in range(60):
        probability, density = below(at)
        if probability < share:
            low = at
        else:
            high = at
        step = at - (probability - share) / density if density > 0 else (low + high) / 2
        following = step if low < step < high else (low + high) / 2
        if abs(following - at) < 1e-10:
            return following
        at = following
    return at


def _shared_edges(posteriors: Sequence[Posterior]) -> list[float]:
    """The edges of all posteriors together, without those that add nothing to the narrowest."""
    closest = min(posterior.deviation for posterior in posteriors) / 5
    kept: list[float] = []
    for edge in sorted(edge for posterior in posteriors for edge in posterior.edges):
        if not kept or edge - kept[-1] > closest:
            kept.append(edge)
    return kept


def _integral(of: Callable[[float], float], low: float, high: float) -> float:
    width = high - low
    return width * sum(weight * of(low + width * node) for node, weight in _NODES)


def _product(shares: Iterable[float]) -> float:
    product = 1.0
    for share in shares:
        product *= share
    return product
