"""The key figures of the overview, out of the panels beneath them."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.utils.translation import gettext as _

from dashboard.analytics.pages import (
    AnalyticsPanel,
    build_rate_why_address,
    build_why_address,
)
from dashboard.analytics.reads import get_day_pairs
from dashboard.analytics.state import AnalyticsState
from dashboard.platform_api.analytics import Table
from dashboard.shared import metrics
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import BarChart
from dashboard.shared.charts.bubbles import BubbleMap
from dashboard.shared.charts.figures import Change, build_change
from dashboard.shared.charts.spark import build_sparkline
from dashboard.shared.charts.time import ComparedTotals, TimeChart
from dashboard.shared.charts.week import WeekChart
from dashboard.shared.metrics import Metric


@dataclass(frozen=True)
class KeyFigure:
    """One figure: a label, a value, where it stood before, its shape over time, and what a rate is a part of."""

    label: str
    value: str
    address: str
    change: Change | None = None
    was: str = ""
    spark: str = ""
    base: str = ""
    why: str = ""
    """The page that splits the change; "" where nothing can."""


def build_stats(
    state: AnalyticsState, panels: Mapping[str, AnalyticsPanel], browsers: Table | None, before: Table | None
) -> tuple[KeyFigure, ...]:
    """The figures whose panels have their data; a figure that is not known is left out, not shown as zero."""
    stats = []
    events, bars = panels["events"].chart, panels["browsers"].chart
    events = events.by_day if isinstance(events, WeekChart) else events
    if isinstance(events, TimeChart):
        stats.append(replace(_build_events_stat(events), why=build_why_address("browsers", state)))
    elif isinstance(bars, BarChart):
        stat = _build_stat(str(bars.measure.title), bars.total, bars.past_total, "browsers")
        stats.append(replace(stat, why=build_why_address("browsers", state)))
    if browsers is not None and (rate := _build_rate(state, browsers, before)):
        stats.append(rate)
    cities = panels["cities"].chart
    if isinstance(cities, BubbleMap):
        past = sum(bool(city.past) for city in cities.cities) if cities.compared else None
        number = sum(city.value > 0 for city in cities.cities)
        stat = _build_stat(_("Cities with viewers"), number, past, "cities")
        stats.append(replace(stat, why=build_why_address("cities", state)))
    sites = panels["referrers"].chart
    if isinstance(sites, BarChart):
        past = sum(bool(bar.past) for bar in sites.bars) if sites.compared else None
        number = sum(bar.value > 0 for bar in sites.bars)
        stat = _build_stat(_("Sites that sent viewers"), number, past, "referrers")
        stats.append(replace(stat, why=build_why_address("sites", state)))
    return tuple(stats)


def format_heading(state: AnalyticsState) -> str:
    """Which days the figures count: whole ones, or what there is so far."""
    selection = state.selection
    if not selection.windows.partial:
        return _("Key figures of whole days")
    today = selection.windows.counted.start == selection.today
    return _("Key figures of today so far") if today else _("Key figures so far, of days that are not over")


def _build_events_stat(chart: TimeChart) -> KeyFigure:
    totals, label = chart.totals, str(chart.measure.title)
    line = build_sparkline([point.value for point in chart.points if point.whole])
    if totals.now is None:
        return KeyFigure(label, _("No data"), "#panel-events")
    compared, moved, was = totals.compared, None, ""
    if compared is not None and compared.complete:
        moved, was = build_change(compared.now, compared.past), _format_past(compared.past)
    elif compared is not None and compared.pairs:
        moved, was = build_change(compared.now, compared.past), _format_partly(compared, hourly=chart.hourly)
    base = ""
    if totals.known < totals.buckets:
        values = {"known": figures.count(totals.known), "count": figures.count(totals.buckets)}
        base = (_("%(known)s of %(count)s hours") if chart.hourly else _("%(known)s of %(count)s days")) % values
    return KeyFigure(label, figures.count(totals.now), "#panel-events", moved, was, line, base)


def _format_past(past: float) -> str:
    return _("from %(value)s") % {"value": figures.count(past)}


def _format_partly(compared: ComparedTotals, *, hourly: bool) -> str:
    """A comparison that is not made over all days says over how many."""
    values = {
        "past": figures.count(compared.past),
        "now": figures.count(compared.now),
        "pairs": figures.count(compared.pairs),
        "count": figures.count(compared.buckets),
    }
    if hourly:
        return _("from %(past)s to %(now)s over %(pairs)s of %(count)s hours") % values
    return _("from %(past)s to %(now)s over %(pairs)s of %(count)s days") % values


def _build_stat(label: str, now: float, past: float | None, panel: str) -> KeyFigure:
    return KeyFigure(
        label,
        figures.count(now),
        f"#panel-{panel}",
        build_change(now, past),
        "" if past is None else _format_past(past),
    )


def _build_rate(state: AnalyticsState, now: Table, before: Table | None) -> KeyFigure | None:
    """How many of the views were plays; of people, only where the platform counts nothing else."""
    windows = state.selection.windows
    shares = _get_share(state, now, windows.counted)
    if shares is None:
        return None
    past = _get_past_share(state, now, before) if before is not None and windows.compared is not None else None
    moved, was = None, ""
    if past is not None:
        moved = figures.build_points_change(shares.rate, past.rate)
        was = _("from %(value)s") % {"value": figures.percent(past.rate)}
    why = build_rate_why_address(state) if moved is not None else ""
    return KeyFigure(_("Play rate"), figures.percent(shares.rate), "#panel-browsers", moved, was, "", shares.words, why)


def _get_past_share(state: AnalyticsState, now: Table, before: Table) -> "Share | None":
    """The rate of the compared days; None where not every day has numbers on both sides."""
    pairs = get_day_pairs(state, now, before)
    windows = state.selection.windows
    if windows.compared is None or (pairs is not None and not pairs.complete):
        return None
    return _get_share(state, before, windows.compared)


@dataclass(frozen=True)
class Share:
    """A rate with what it is a part of: 1,817 of 5,190 views."""

    rate: float
    words: str


def _get_share(state: AnalyticsState, table: Table, days: Container[date]) -> Share | None:
    columns = find_rate_columns(table)
    if columns is None:
        return None
    selection = state.selection
    part, whole = metrics.sum_columns(
        table.rows, columns, days=days, zone=selection.zone, granularity=selection.by_day().granularity
    )
    of_people = columns[0] in metrics.NAMES[Metric.PLAYERS]
    text = _("%(part)s of %(whole)s unique viewers played") if of_people else _("%(part)s plays of %(whole)s views")
    values = {"part": figures.count(part), "whole": figures.count(whole)}
    return Share(part / whole, text % values) if whole else None


def find_rate_columns(table: Table) -> tuple[str, str] | None:
    """The columns that a play rate is made of: plays and views, or where one is missing the people who played and viewed."""
    for pair in ((Metric.PLAYS, Metric.VIEWS), (Metric.PLAYERS, Metric.VIEWERS)):
        columns = [next((name for name in metrics.NAMES[metric] if name in table.columns), "") for metric in pair]
        if all(columns):
            return columns[0], columns[1]
    return None
