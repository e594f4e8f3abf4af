"""Retention curves side by side: where they part, and whether chance could have parted them. Pure.

Two curves are told apart by Kolmogorov and Smirnov's limit over all seconds at once. A band per second would disagree
somewhere in half of all pairs of identical videos, because every second is one more chance to be wrong.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log, sqrt
from typing import Final

EPSILON = 1e-9
ROUNDINGS: Final = (0.01, 0.001, 0.0001)
"""Steps to which a platform may round shares: whole percents, tenths and hundredths of them."""
COMMON_MIN: Final = 2
"""Fewer common seconds than this, second 0 aside, and nothing is said about two curves."""


@dataclass(frozen=True)
class Curve:
    """Seconds in ascending order, and the share of players still watching at each (0 to 1)."""

    seconds: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def falling(self) -> bool:
        """Whether nobody comes back. Only then are the curve's seconds one sample, and bands mean something."""
        return (
            all(later <= earlier + EPSILON for earlier, later in pairwise(self.shares))
            and max(self.shares, default=0) <= 1 + EPSILON
        )

    def at(self, second: float) -> float | None:
        """The share at a second: straight lines between measured ones, nothing outside of them."""
        if not self.seconds or not self.seconds[0] <= second <= self.seconds[-1]:
            return None
        index = bisect_left(self.seconds, second)
        if self.seconds[index] == second:
            return self.shares[index]
        before, after = self.seconds[index - 1], self.seconds[index]
        part = (second - before) / (after - before)
        return self.shares[index - 1] + part * (self.shares[index] - self.shares[index - 1])

    @property
    def rounding(self) -> float:
        """Half of the step to which the shares were rounded: so far a true share may lie from the one that is shown."""
        return next((step / 2 for step in ROUNDINGS if all(_is_whole(share / step) for share in self.shares)), 0.0)

    @property
    def half_gone(self) -> float | None:
        """The first measured second at which at most half are left."""
        return next((second for second, share in zip(self.seconds, self.shares, strict=True) if share <= 0.5), None)


def _is_whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-6


def build_curve(points: Mapping[float, float]) -> Curve:
    """A curve from second → value as the platform sends it. Values above 1 mean percent; negative seconds are dropped."""
    sorted_points = sorted((second, value) for second, value in points.items() if second >= 0 and value >= 0)
    scale = 100 if max((value for _, value in sorted_points), default=0) > 1 else 1
    return Curve(tuple(second for second, _ in sorted_points), tuple(value / scale for _, value in sorted_points))


@dataclass(frozen=True)
class Parting:
    """The first second at which two variants' bands part, and how far apart they are there."""

    first: int
    second: int
    at: float
    gap: float


@dataclass(frozen=True)
class CurveComparison:
    """Curves on one grid of seconds, straight lines between measured ones. `half_widths` is empty where bands would mean
    nothing; `untold` are the pairs of curves that have too few seconds in common to be compared.
    """

    seconds: tuple[float, ...]
    shares: tuple[tuple[float | None, ...], ...]
    half_widths: tuple[float, ...]
    partings: tuple[Parting, ...]
    untold: tuple[tuple[int, int], ...] = ()


def compare(curves: Sequence[Curve], sizes: Sequence[int | None], alpha: float = 0.05) -> CurveComparison:
    """Curves with the bands inside which they may differ by chance. `sizes` are people who started to play.

    Without sizes, or with a curve that rises (people rewind), the curves are compared by eye: no bands, no partings.
    Bands are compared only at seconds that both curves measured: a straight line between two seconds is a guess.
    """
    grid = tuple(sorted({second for each in curves for second in each.seconds}))
    shares = tuple(tuple(each.at(second) for second in grid) for each in curves)
    counted = [size for size in sizes if size]
    if len(counted) < len(curves) or not curves or not all(each.falling for each in curves):
        return CurveComparison(grid, shares, (), ())
    chance = get_ks_half_widths(counted, alpha)
    widths = tuple(width + each.rounding for width, each in zip(chance, curves, strict=True))
    partings, untold = [], []
    for first, second in combinations(range(len(curves)), 2):
        common = list_common_seconds(curves[first], curves[second])
        if len(common) < COMMON_MIN:
            untold.append((first, second))
        elif (parting := _find_parting(curves, widths, common, first, second)) is not None:
            partings.append(parting)
    return CurveComparison(grid, shares, half_widths=widths, partings=tuple(partings), untold=tuple(untold))


def list_common_seconds(first: Curve, second: Curve) -> tuple[float, ...]:
    """The seconds after 0 that both curves measured. The end of the shorter film is none: there everybody leaves."""
    if not first.seconds or not second.seconds:
        return ()
    last = min(first.seconds[-1], second.seconds[-1])
    same_end = first.seconds[-1] == second.seconds[-1]
    return tuple(
        at for at in sorted({*first.seconds} & {*second.seconds}) if 0 < at < last or (at == last and same_end)
    )


def _find_parting(
    curves: Sequence[Curve], widths: Sequence[float], common: Sequence[float], first: int, second: int
) -> Parting | None:
    limit = widths[first] + widths[second]
    first_shares, second_shares = (
        dict(zip(curves[at].seconds, curves[at].shares, strict=True)) for at in (first, second)
    )
    for at in common:
        gap = second_shares[at] - first_shares[at]
        if abs(gap) > limit + EPSILON:
            return Parting(first, second, at, gap)
    return None


def get_ks_half_widths(sizes: Sequence[int], alpha: float = 0.05) -> tuple[float, ...]:
    """Half widths of the bands around retention curves, in shares: two bands part only where chance rarely parts them.

    Kolmogorov and Smirnov's limit for a pair is c * sqrt(1/n + 1/m). For two curves the half widths add up to exactly
    that. For more, `alpha` is shared among the pairs, and the widths add up to at least the limit of each pair.
    """
    pairs = len(sizes) * (len(sizes) - 1) // 2
    factor = sqrt(-log(alpha / max(pairs, 1) / 2) / 2)
    if len(sizes) == 1:
        return (factor * sqrt(1 / sizes[0]),)
    if len(sizes) == 2:
        both = sqrt(1 / sizes[0] + 1 / sizes[1])
        return tuple(factor / size / both for size in sizes)
    fewest = min(sizes)
    return tuple(factor / 2 * sqrt(1 / size + 1 / fewest) for size in sizes)
