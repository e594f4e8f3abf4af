"""The planner of a draft for its template: days in first place, people second."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ab_tests import rules
from dashboard.ab_tests.reading import Pace, Study
from dashboard.ab_tests.rules import PlanRow
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import count


@dataclass(frozen=True)
class PlanLine:
    """One lift of the planner."""

    lift: str
    value: str
    viewers: str
    days: str
    single: str
    chosen: bool


@dataclass(frozen=True)
class PlanView:
    """The planner of a draft."""

    lines: tuple[PlanLine, ...]
    base: str
    daily: str
    source: str
    hopeless: str


def plan_view(study: Study, pace: Pace, base: float | None, daily: float | None, lifts: Sequence[float]) -> PlanView:
    """Days for chosen lifts. `base` and `daily` are what the owner typed instead of the own figures."""
    base, daily = base if base is not None else pace.base, daily if daily is not None else pace.daily
    variants = max(len(study.variants), rules.VARIANTS_MIN)
    rows = rules.plan(base, daily, variants, lifts, 1 - study.terms.level / 100) if base and daily else ()
    chosen = float(study.terms.planned_lift) / 100 if study.terms.planned_lift else None
    return PlanView(
        tuple(_plan_line(row, chosen) for row in rows),
        f"{base * 100:.1f}" if base else "",
        f"{daily:.0f}" if daily else "",
        _plan_source(pace),
        "" if rows else _hopeless(base, daily),
    )


def _hopeless(base: float | None, daily: float | None) -> str:
    if base and daily:
        return _("From such a play rate each of these lifts would pass 100%. Plan with a smaller lift of your own.")
    return _("Give a play rate between 0 and 100 and how many people come in a day.")


def _plan_line(row: PlanRow, chosen: float | None) -> PlanLine:
    never = _("over ten years")
    days = never
    if row.days is not None and row.weeks is not None:
        week = ngettext("%(count)s week", "%(count)s weeks", row.weeks) % {"count": count(row.weeks)}
        day = ngettext("%(count)s day", "%(count)s days", row.days) % {"count": count(row.days)}
        days = _("%(days)s, better %(weeks)s") % {"days": day, "weeks": week}
    single = never
    if row.single_days is not None:
        single = ngettext("%(count)s day", "%(count)s days", row.single_days) % {"count": count(row.single_days)}
    same = chosen is not None and abs(chosen - row.lift) < 1e-9
    return PlanLine(figures.signed(row.lift * 100, 0), f"{row.lift * 100:g}", count(row.viewers), days, single, same)


def _plan_source(pace: Pace) -> str:
    match pace.source:
        case "variants":
            return _("From these videos in the last 28 days.")
        case "account":
            return _("These videos have no viewers yet, so these are the whole account's last 28 days.")
        case _other:
            return _("Nothing is known of the last 28 days. Type what you expect.")
