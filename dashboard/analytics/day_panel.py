"""The panel of one figure by day beside the days it is compared with: of the account, a video, a site or a city."""

from dataclasses import dataclass, replace
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.analytics import rules
from dashboard.analytics.charts import format_foot
from dashboard.analytics.measures import format_explanation, get_measure
from dashboard.analytics.pages import AnalyticsPanel
from dashboard.analytics.panels import PanelContext, PanelKind, add_chart, get_column
from dashboard.analytics.reads import build_day_asks
from dashboard.analytics.state import SITE_MOST, AnalyticsState, clean_label, clean_name
from dashboard.platform_api.analytics import Row, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.addresses import path_of
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.days import Days
from dashboard.shared.metrics import sum_over_time
from dashboard.shared.ranges import Compare
from dashboard.upstream.figures import FigureQuery, build_query


@dataclass(frozen=True)
class DayLinks:
    """The page of analytics of each day, by its label."""

    addresses: dict[str, str]


class DaysPanel(PanelKind):
    """Each counted day with the day it is compared with."""

    name = "days"
    title = gettext_lazy("Days")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        windows, settled = state.selection.windows, state.selection.settled

        def ask(days: Days) -> FigureQuery:
            grain = Granularity.DAY.value
            if state.site:
                return build_query("referrer", days, settled, granularity=grain)
            if state.city or state.region:
                return build_query("city", days, settled, granularity=grain, country=state.country, region=state.region)
            return build_query("browser", days, settled, granularity=grain, video_id=state.video)

        asks = {"now": ask(windows.counted)}
        if windows.compared is not None:
            asks |= {"past": ask(windows.compared), **build_day_asks(state)}
        return asks

    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        state = panel_context.state
        column, windows = get_column(now, state.metric), state.selection.windows
        zone, sides = state.selection.zone, []
        for table in (now, past):
            rows = [row for row in table.rows if _is_about(row, state)] if table and column else []
            sides.append(sum_over_time(rows, column or "", zone, Granularity.DAY))
        sums, before = sides
        if column is None or sums is None or before is None:
            return panel
        compared = past is not None and windows.compared is not None
        back = timedelta(days=windows.shift)
        bars = tuple(
            Bar(
                figures.day(day, weekday=True),
                sums.get((day, None), 0.0),
                before.get((day - back, None), 0.0) if compared else None,
            )
            for day in windows.counted
        )
        chart = BarChart(
            "days",
            _("Days"),
            format_explanation(column),
            get_measure(column),
            _("Day"),
            bars,
            compared,
            format_foot(state.selection, compared=compared),
        )
        panel = replace(panel, content=DayLinks(_list_addresses(state)))
        return add_chart(panel, panel_context, chart, "analytics/_browsers.html")


def _is_about(row: Row, state: AnalyticsState) -> bool:
    """Whether a row counts for the site, or the city or region, of the address."""
    if state.site:
        label = "" if row.label == row.at else row.label  # a row without a name is called by its day
        return clean_label(label, SITE_MOST) == state.site
    if not state.city:
        return True
    country = clean_name(row.country or "")
    is_there = not state.country or not country or country.casefold() == state.country.casefold()
    return is_there and clean_label(rules.get_city(row)) == state.city


def _list_addresses(state: AnalyticsState) -> dict[str, str]:
    """Where the days lead: to the page of analytics of what they are about."""
    page = "referrers" if state.site else "cities" if state.city or state.region else "analytics"
    page = "browsers" if state.videos else page
    target, days = path_of(f"analytics:{page}"), state.selection.windows.counted
    return {
        figures.day(day, weekday=True): f"{target}?{_find_day(state, Days(day, day)).query(site=None, city=None)}"
        for day in days
    }


def _find_day(state: AnalyticsState, day: Days) -> AnalyticsState:
    """The state of a day, against the day that it is compared with here."""
    against = day.moved(-state.selection.windows.shift)
    selection = replace(state.selection, days=day, granularity=Granularity.DAY, compare=Compare.CHOSEN, against=against)
    return replace(state, selection=selection, page=1)
