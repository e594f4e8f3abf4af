"""Duration of a test: the plan before its start and the days left while it runs, by the same rule as the verdict; and the
planner of a draft, for its template.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, exp, pi, sqrt
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.ab_tests import rules
from dashboard.ab_tests.queries import Pace, Study
from dashboard.ab_tests.rules import VARIANTS_MIN, WEEK, VariantPair, get_pair_alpha
from dashboard.ab_tests.statistics import Contrast, Mixture, calculate_normal_cdf, get_unknown_share
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import count

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


@dataclass(frozen=True)
class PlanLine:
    """One lift of the planner."""

    lift: str
    value: str
    loads: str
    days: str
    chosen: bool


@dataclass(frozen=True)
class PlanView:
    """The planner of a draft."""

    lines: tuple[PlanLine, ...]
    smallest: tuple[tuple[str, str], ...]
    """The smallest lift that is found within some weeks: the time and the lift."""
    base: str
    daily: str
    source: str
    hopeless: str


def build_plan_view(
    study: Study, pace: Pace, base: float | None, daily: float | None, lifts: Sequence[float]
) -> PlanView:
    """Days for chosen lifts. `base` and `daily` are what the owner typed instead of the own figures."""
    base, daily = base if base is not None else pace.base, daily if daily is not None else pace.daily
    variants = max(len(study.variants), rules.VARIANTS_MIN)
    alpha = 1 - study.terms.level / 100
    seen = pace.seen_before
    rows = list_plan_rows(base, daily, variants, lifts, alpha, seen) if base and daily else ()
    planned_lift = float(study.terms.planned_lift) / 100 if study.terms.planned_lift else None
    return PlanView(
        tuple(_build_plan_line(row, planned_lift) for row in rows),
        tuple(_build_smallest_lift(base, daily, variants, weeks, alpha, seen) for weeks in PLANNED_WEEKS)
        if base and daily
        else (),
        base=f"{base * 100:.1f}" if base else "",
        daily=f"{daily:.0f}" if daily else "",
        source=_format_plan_source(pace),
        hopeless="" if rows else _format_hopeless(base, daily),
    )


def _format_hopeless(base: float | None, daily: float | None) -> str:
    if base and daily:
        return _("With this play rate, each of these lifts would exceed 100%. Enter a smaller lift.")
    return _("Enter a play rate between 0 and 100 and the number of page loads a day.")


def _build_plan_line(row: PlanRow, planned_lift: float | None) -> PlanLine:
    never = _("over ten years")
    days = never
    if row.days is not None and row.weeks is not None:
        week = ngettext("%(count)s week", "%(count)s weeks", row.weeks) % {"count": count(row.weeks)}
        day = ngettext("%(count)s day", "%(count)s days", row.days) % {"count": count(row.days)}
        days = _("%(days)s, better %(weeks)s") % {"days": day, "weeks": week}
    same = planned_lift is not None and abs(planned_lift - row.lift) < 1e-9
    loads = "" if row.loads is None else count(row.loads)
    return PlanLine(figures.signed(row.lift * 100, 0), f"{row.lift * 100:g}", loads=loads, days=days, chosen=same)


def _build_smallest_lift(
    base: float, daily: float, variants: int, weeks: int, alpha: float, seen: float
) -> tuple[str, str]:
    lift = get_smallest_lift(base, daily, variants, weeks * rules.WEEK, alpha, seen)
    time = ngettext("%(count)s week", "%(count)s weeks", weeks) % {"count": count(weeks)}
    digits = 1 if lift is not None and lift < 0.1 else 0
    return time, pgettext("a lift", "none") if lift is None else f"{figures.signed(lift * 100, digits)}%"


def _format_plan_source(pace: Pace) -> str:
    match pace.source:
        case "variants":
            return _("From these videos in the last 28 days.")
        case "account":
            return _(
                "These videos have no views yet, so the figures are those of the whole account in the last 28 days."
            )
        case _other:
            return _("There are no numbers for the last 28 days. Enter what you expect.")
