"""The key figures of the overview, out of the panels beneath them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.analytics.pages import Change, Panel, change
from dashboard.analytics.state import State
from dashboard.platform_api.records.analytics import Table
from dashboard.shared import metrics
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import BarChart
from dashboard.shared.charts.bubbles import BubbleMap
from dashboard.shared.charts.spark import spark
from dashboard.shared.charts.time import TimeChart
from dashboard.shared.metrics import Metric
from dashboard.shared.ranges import Days


@dataclass(frozen=True)
class Stat:
    """One figure: a label, a value, where it stood before, and its shape over time."""

    label: str
    value: str
    address: str
    change: Change | None = None
    was: str = ""
    spark: str = ""


def stats(state: State, panels: Mapping[str, Panel], browsers: Table | None, before: Table | None) -> tuple[Stat, ...]:
    """The figures whose panels have their data; a figure that is not known is left out, not shown as zero."""
    made = []
    events, bars = panels["events"].chart, panels["browsers"].chart
    if isinstance(events, TimeChart):
        values = [point.value for point in events.points if point.whole]
        totals = events.totals
        made.append(_stat(str(events.measure.title), totals.now, totals.past, "events", spark(values)))
    elif isinstance(bars, BarChart):
        made.append(_stat(str(bars.measure.title), bars.total, bars.past_total, "browsers"))
    if browsers is not None and (rate := _rate(state, browsers, before)):
        made.append(rate)
    cities = panels["cities"].chart
    if isinstance(cities, BubbleMap):
        past = sum(bool(city.past) for city in cities.cities) if cities.compared else None
        made.append(_stat(_("Cities with viewers"), sum(city.value > 0 for city in cities.cities), past, "cities"))
    sites = panels["referrers"].chart
    if isinstance(sites, BarChart):
        past = sum(bool(bar.past) for bar in sites.bars) if sites.compared else None
        made.append(_stat(_("Sites that sent viewers"), sum(bar.value > 0 for bar in sites.bars), past, "referrers"))
    return tuple(made)


def _stat(label: str, now: float, past: float | None, panel: str, line: str = "") -> Stat:
    was = "" if past is None else _("from %(value)s") % {"value": figures.count(past)}
    return Stat(label, figures.count(now), f"#panel-{panel}", change(now, past), was, line)


def _rate(state: State, now: Table, before: Table | None) -> Stat | None:
    """How many of those who could play did, of people where the platform counts people."""
    selection = state.selection
    share = _share(state, now, selection.counted)
    if share is None:
        return None
    against = selection.counted_against
    past = _share(state, before, against) if before is not None and against is not None else None
    was = "" if past is None else _("from %(value)s") % {"value": figures.percent(past)}
    return Stat(_("Play rate"), figures.percent(share), "#panel-browsers", _points(share, past), was)


def _points(now: float, past: float | None) -> Change | None:
    """By how many points a share moved: a percentage of a percentage is read as points by whoever is in a hurry."""
    if past is None:
        return None
    gap = round((now - past) * 100, 1)
    return Change(_("%(value)s points") % {"value": figures.count(abs(gap), 1)}, gap > 0, gap < 0)


def _share(state: State, table: Table, days: Days) -> float | None:
    pairs = ((Metric.PLAYERS, Metric.VIEWERS), (Metric.PLAYS, Metric.VIEWS))
    for upper, lower in pairs:
        names = [
            next((name for name in metrics.NAMES[metric] if name in table.columns), None) for metric in (upper, lower)
        ]
        if all(names):
            sums = [_sum(state, table, name or "", days) for name in names]
            return sums[0] / sums[1] if sums[1] else None
    return None


def _sum(state: State, table: Table, column: str, days: Days) -> float:
    selection = state.selection
    found = metrics.by_label(
        table.rows,
        column,
        days=days,
        zone=selection.zone,
        granularity=selection.granularity,
    )
    return sum(found.values())
