"""Duration of a test: the plan before its start and the days left while it runs, by the same rule as the verdict. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, exp, pi, sqrt
from typing import Final

from dashboard.ab_tests.dispersion import Contrast, get_unknown_share
from dashboard.ab_tests.rules import VARIANTS_MIN, WEEK, VariantPair, get_pair_alpha
from dashboard.ab_tests.statistics import Mixture, calculate_normal_cdf

PLANNED_LIFTS: Final = (0.05, 0.10, 0.20)
PLANNED_WEEKS: Final = (1, 2, 4, 8)
POWER: Final = 0.80
"""The share of tests with such a lift that settle by the planned day."""
_SAFE_POWER: Final = 0.84
"""The power asked of the formula: higher, because days that scatter by chance may widen a range."""
LONGEST_PLAN: Final = 3650
LARGEST_LIFT: Final = 4.0

LONGEST_WAIT: Final = 180
"""Days. A test that does not settle within half a year counts as one that never does."""
EARLY: Final = 0.1
LATE: Final = 0.9
LIKELY: Final = 0.5

_USUAL: Final = 0.5
"""Before a test is known, real differences are taken to be about half of what is worth finding, either way."""


@dataclass(frozen=True)
class PlanRow:
    """Days until a lift is found, also in whole weeks, and the loads of each variant by then. None: over ten years."""

    lift: float
    loads: int | None
    days: int | None
    weeks: int | None


@dataclass(frozen=True)
class Wait:
    """More days until a test settles: `earliest` to `latest`. `maybe_never` where half a year may not be enough; without days
    where that is more likely than not."""

    earliest: int | None
    latest: int | None
    maybe_never: bool


def list_plan_rows(
    base: float,
    daily: float,
    variants: int,
    lifts: Sequence[float] = PLANNED_LIFTS,
    alpha: float = 0.05,
    seen_before: float = 0.0,
) -> tuple[PlanRow, ...]:
    """For each lift the days and loads needed, with `daily` page loads of all variants together.

    `base` is the play rate to start from, `seen_before` the part of the loads by people who will have seen another variant
    before. Lifts that would pass 100 % are left out.
    """
    rows = []
    for lift in lifts:
        if not 0 < base < 1 or base * (1 + lift) >= 1:
            continue
        days = get_days_needed(base, lift, daily / variants, variants, alpha, seen_before)
        loads = None if days is None else ceil(days * daily / variants)
        rows.append(PlanRow(lift, loads, days, None if days is None else ceil(days / WEEK)))
    return tuple(rows)


def get_days_needed(
    base: float, lift: float, daily: float, variants: int, alpha: float = 0.05, seen_before: float = 0.0
) -> int | None:
    """Days, at least a week, after which a lift of one variant is found; `daily` loads of each. None: over ten years."""

    def is_enough(days: int) -> bool:
        return calculate_power(base, lift, daily, variants, days, alpha, seen_before) >= _SAFE_POWER

    if daily <= 0 or not is_enough(LONGEST_PLAN):
        return None
    low, high = WEEK - 1, LONGEST_PLAN
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def get_smallest_lift(
    base: float, daily: float, variants: int, days: int, alpha: float = 0.05, seen_before: float = 0.0
) -> float | None:
    """The smallest lift found within `days`, with `daily` loads of all variants together. None: no lift is found."""

    def is_enough(lift: float) -> bool:
        return calculate_power(base, lift, daily / variants, variants, days, alpha, seen_before) >= _SAFE_POWER

    low, high = 0.0, min(LARGEST_LIFT, 0.999 / base - 1)
    if daily <= 0 or high <= 0 or not is_enough(high):
        return None
    while high - low > 0.001 * (1 + high):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def calculate_power(
    base: float, lift: float, daily: float, variants: int, days: int, alpha: float = 0.05, seen_before: float = 0.0
) -> float:
    """The chance that a variant with that lift is settled ahead of every other one on day `days`. Earlier checks only add to it.

    The others are independent once the better one's own rate is given, so that is integrated over.
    """
    target = base * (1 + lift)
    if not 0 < base < target < 1:
        return 0.0
    loads = daily * days
    own, other = target * (1 - target) / loads, base * (1 - base) / loads
    reach = Mixture(target - base).reach((own + other) * (1 + get_unknown_share(days)), get_pair_alpha(alpha, variants))
    clear = (target - base) * (1 - seen_before) - reach
    total = 0.0
    for place, weight in _get_grid():
        beats = calculate_normal_cdf((clear + sqrt(own) * place) / sqrt(other))
        total += weight * beats ** (variants - 1)
    return total


@lru_cache(maxsize=1)
def _get_grid() -> tuple[tuple[float, float], ...]:
    """Places and weights of a standard normal variable, 0.2 apart: exact to 15 digits for smooth functions."""
    return tuple((step / 5, exp(-((step / 5) ** 2) / 2) / sqrt(2 * pi) / 5) for step in range(-40, 41))


def get_wait(pairs: Sequence[VariantPair], mixture: Mixture, variants: int, alpha: float) -> Wait | None:
    """The days left for a running test, by its closest difference. None without differences."""
    if not pairs or variants < VARIANTS_MIN:
        return None
    closest = min(pairs, key=lambda pair: abs(pair.contrast.difference) / (pair.contrast.variance or 1) ** 0.5)
    return _calculate_wait(closest.contrast, mixture, get_pair_alpha(alpha, variants))


@lru_cache(maxsize=512)
def _calculate_wait(contrast: Contrast, mixture: Mixture, alpha: float) -> Wait:
    """Days until one difference settles. The last 512 answers are kept: 180 steps for each visit of a test's page are slow."""
    settled, shares = 0.0, []
    for more in range(1, LONGEST_WAIT + 1):
        settled = max(settled, calculate_settled_share(contrast, mixture, alpha, more))
        shares.append(settled)
    if settled < LIKELY:
        return Wait(None, None, True)
    earliest = next(more for more, share in enumerate(shares, 1) if share >= EARLY * settled)
    latest = next(more for more, share in enumerate(shares, 1) if share >= LATE * settled)
    return Wait(earliest, latest, settled < LATE)


def calculate_settled_share(contrast: Contrast, mixture: Mixture, alpha: float, more: int) -> float:
    """The chance that the difference is settled after `more` days, given everything that is uncertain about it."""
    days, variance = contrast.days, contrast.variance
    whole = days + more
    narrower = (1 + get_unknown_share(whole)) / (1 + get_unknown_share(days))
    reach = mixture.reach(variance * days / whole * narrower, alpha) + contrast.carried
    usual = (mixture.effect * _USUAL) ** 2
    shrunk = usual / (usual + variance)
    middle = (days + more * shrunk) * contrast.difference / whole
    spread = more / whole * sqrt(variance * (shrunk + days / more))
    return calculate_normal_cdf((middle - reach) / spread) + calculate_normal_cdf((-middle - reach) / spread)
