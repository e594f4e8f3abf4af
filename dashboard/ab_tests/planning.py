"""View models of a draft's planner: days first, then page loads."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from dashboard.ab_tests import forecast, rules
from dashboard.ab_tests.forecast import PlanRow
from dashboard.ab_tests.queries import Pace, Study
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import count


@dataclass(frozen=True)
class PlanLine:
    """One lift of the planner."""

    lift: str
    value: str
    loads: str
    days: str
    chosen: bool


@dataclass(frozen=True)
class SmallestLift:
    """The smallest lift that is found within some weeks."""

    time: str
    lift: str


@dataclass(frozen=True)
class PlanView:
    """The planner of a draft."""

    lines: tuple[PlanLine, ...]
    smallest: tuple[SmallestLift, ...]
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
    rows = forecast.list_plan_rows(base, daily, variants, lifts, alpha, seen) if base and daily else ()
    planned_lift = float(study.terms.planned_lift) / 100 if study.terms.planned_lift else None
    return PlanView(
        tuple(_build_plan_line(row, planned_lift) for row in rows),
        tuple(_build_smallest_lift(base, daily, variants, weeks, alpha, seen) for weeks in forecast.PLANNED_WEEKS)
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
) -> SmallestLift:
    lift = forecast.get_smallest_lift(base, daily, variants, weeks * rules.WEEK, alpha, seen)
    time = ngettext("%(count)s week", "%(count)s weeks", weeks) % {"count": count(weeks)}
    digits = 1 if lift is not None and lift < 0.1 else 0
    return SmallestLift(time, pgettext("a lift", "none") if lift is None else f"{figures.signed(lift * 100, digits)}%")


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
