"""Text of the month's forecast: the range, how often such ranges held, or that it is too early."""

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.translation import gettext as _

from dashboard.analytics import forecast
from dashboard.analytics.forecast import Projection
from dashboard.analytics.prices import Price
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import Unit
from dashboard.shared.metrics import Covered
from dashboard.shared.ranges import Selection

UNRELIABLE = 0.6
"""Ranges that are made to hold four times of five and held less often than this are not shown."""

WIDEST = 4
"""A range whose upper end is more than so many times its lower end says nothing."""


@dataclass(frozen=True)
class Outlook:
    """The month's forecast. `range` says how reliable it is, or why there is none."""

    title: str
    value: str
    range: str
    so_far: str
    cost: str


def build_outlook(
    selection: Selection, by_day: Mapping[date, float], known: Covered | None, videos: str, price: Price | None
) -> Outlook | None:
    """What today's month will come to, of the videos that `videos` names. None where the page shows older days.

    `known` is the stretch that has numbers: the forecast goes on from its last whole day.
    """
    today = selection.today
    if selection.days.end < today - timedelta(days=forecast.BASE_DAYS) or known is None:
        return None
    start, after = known.first[0], min(known.last[0] + timedelta(days=1), selection.settled)
    last = today.replace(day=monthrange(today.year, today.month)[1])
    title = _("By %(day)s, %(videos)s") % {"day": figures.day(last), "videos": videos}
    if (after.year, after.month) != (today.year, today.month):
        return Outlook(title, _("Cannot tell"), _("This month has no whole day with numbers yet."), "", "")
    projection = forecast.project_month(by_day, start, after, last)
    if projection is None:
        return Outlook(
            title, _("Cannot tell yet"), _format_too_short((after - start).days, (last - after).days + 1), "", ""
        )
    so_far = _("%(size)s so far this month.") % {"size": figures.format_value(projection.so_far, Unit.BYTES)}
    if projection.months >= forecast.MONTHS_LEAST and projection.held < UNRELIABLE * projection.months:
        return Outlook(title, _("Cannot tell"), _format_unreliable(projection), so_far, "")
    if projection.high > WIDEST * max(projection.low, 1.0):
        return Outlook(title, _("Cannot tell"), _("The days differ too much for a useful range."), so_far, "")
    return Outlook(
        title,
        figures.format_value(projection.likely, Unit.BYTES),
        _format_range(projection),
        so_far,
        _format_cost(projection, price),
    )


def _format_too_short(known: int, left: int) -> str:
    needed = forecast.BASE_DAYS + forecast.LEAST_BLOCKS * left
    values = {"needed": figures.count(needed), "known": figures.count(known)}
    return _("A forecast for the days that are left needs %(needed)s days of numbers; there are %(known)s.") % values


def _format_unreliable(projection: Projection) -> str:
    values = {"held": figures.count(projection.held), "months": figures.count(projection.months)}
    return _("The days differ too much: such ranges held in only %(held)s of %(months)s earlier months.") % values


def _format_range(projection: Projection) -> str:
    values = {
        "low": figures.format_value(projection.low, Unit.BYTES),
        "high": figures.format_value(projection.high, Unit.BYTES),
        "held": figures.count(projection.held),
        "months": figures.count(projection.months),
    }
    if projection.months < forecast.MONTHS_LEAST:
        return _("Between %(low)s and %(high)s. Too few earlier months to say how often such ranges held.") % values
    return _("Between %(low)s and %(high)s. Such ranges held in %(held)s of %(months)s earlier months.") % values


def _format_cost(projection: Projection, price: Price | None) -> str:
    if price is None:
        return ""
    return _("%(likely)s, between %(low)s and %(high)s") % {
        "likely": price.of(projection.likely),
        "low": price.of(projection.low),
        "high": price.of(projection.high),
    }
