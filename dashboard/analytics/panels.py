"""The panels of analytics: what each one asks the platform, and what it makes of the answers.

A panel knows nothing of the page it stands on. The same kinds serve the overview (brief), their own pages (whole), the
files beside them, and a panel that fetches itself because its answer was late.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.activity import annotations
from dashboard.analytics import charts, pages, rules, tables
from dashboard.analytics.measures import format_explanation, get_measure
from dashboard.analytics.pages import AnalyticsPanel, GenericAnswer, PageLink
from dashboard.analytics.reads import (
    build_dated_asks,
    build_day_asks,
    build_hour_asks,
    build_total_asks,
    get_comparison,
    join_answers,
)
from dashboard.analytics.rules import RankedVideo
from dashboard.analytics.state import AnalyticsState
from dashboard.platform_api.records.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import metrics
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import DRAWN
from dashboard.shared.charts.figures import count
from dashboard.shared.charts.plot import Mark
from dashboard.shared.charts.prepared import Chart, Exports
from dashboard.shared.csv import file_name
from dashboard.shared.hour_sums import HourSums
from dashboard.shared.metrics import NAMES, Metric
from dashboard.upstream.error_messages import trouble
from dashboard.upstream.figures import FigureAnswer, FigureQuery
from dashboard.upstream.titles import known_titles

Answers = Mapping[str, FigureAnswer]

BRIEF_BUBBLES: Final = 120
"""The overview draws the largest cities only; it may cost 15 kB."""


BY_BUCKET: Final = frozenset({"events", "region", "traffic", "videos"})
"""Panels whose files hold each day that is shown, also the one that is not over."""

ONE_MEASURE: Final = frozenset({"ranking", "traffic", "consumers", "videos", "shares", "retention"})
"""Panels that count one thing, whatever the address counts elsewhere."""


@dataclass(frozen=True)
class PanelContext:
    """Who looks, at what, on which page. `brief` panels show the beginning and lead on."""

    account_id: UUID
    state: AnalyticsState
    page: str = "analytics:analytics"
    brief: bool = False

    def address(self, panel: str = "") -> str:
        """The page of this state, or one panel of it."""
        return f"{reverse(self.page)}?{self.state.query(panel=panel or None)}"


@dataclass(frozen=True)
class Kind:
    """A kind of panel. `by_bucket`: it compares bucket by bucket and says itself which of them have numbers."""

    title: Callable[[], str]
    asks: Callable[[AnalyticsState], dict[str, FigureQuery]]
    build: Callable[[PanelContext, Table, Table | None, AnalyticsPanel], AnalyticsPanel]
    by_bucket: bool = False


def build_panel(name: str, desk: PanelContext, answers: Answers) -> AnalyticsPanel:
    """The panel `name` out of the answers to its questions."""
    kind = KINDS[name]
    now, past = join_answers(answers, "now") or FigureAnswer(None), join_answers(answers, "past")
    panel = AnalyticsPanel(name, kind.title(), retry=desk.address(), fragment=desk.address(name))
    if now.late:
        return replace(panel, late=True)
    if now.value is None:
        return replace(panel, trouble=trouble(now))
    if isinstance(now.value, HourSums):
        return pages.add_read_state(
            _hours_of_week(panel, desk, now.value, past.value if past is not None else None), now, past
        )
    if now.value.table is None:
        why = _("The platform answered in a shape that is not known. This is what it said.")
        return pages.add_read_state(_generic(panel, pages.build_generic(now.value, why)), now)
    if kind.by_bucket:
        before = past.value.table if past is not None and past.value is not None else None
    else:
        before, caution = get_comparison(desk.state, answers)
        panel = replace(panel, caution=caution)
    filled_panel = kind.build(desk, now.value.table, before, panel)
    if not filled_panel.body:
        why = _("The platform answered, but this figure is not in its answer. This is what it said.")
        filled_panel = _generic(panel, pages.build_generic(now.value, why))
    return pages.add_read_state(filled_panel, now, past)


def _generic(panel: AnalyticsPanel, content: GenericAnswer) -> AnalyticsPanel:
    return replace(panel, body="analytics/_generic.html", content=content)


def add_chart(panel: AnalyticsPanel, desk: PanelContext, chart: Chart, body: str, **more: object) -> AnalyticsPanel:
    """A panel that shows a chart and offers its files."""
    query = desk.state.query(page=None, sort=None)
    file = {
        extension: f"{reverse('analytics:file', args=[panel.name, extension])}?{query}" for extension in ("csv", "svg")
    }
    exports = Exports(file["csv"], file["svg"], format_file_name(panel.name, desk.state), chart.foot)
    return replace(panel, chart=chart, body=body, exports=exports, **more)  # type: ignore[arg-type]  # fields of Panel


def format_file_name(name: str, state: AnalyticsState, extension: str = "png") -> str:
    """The file name of a panel: content, metric, videos, place, period, comparison and zone."""
    metric = "" if name in ONE_MEASURE else state.metric.value
    videos = f"{len(state.videos)}-videos" if len(state.videos) > 1 else state.video or ""
    parts = [name, metric, videos, state.country, state.region]
    period = state.selection.file_part(totals=name not in BY_BUCKET)
    return file_name("-".join(part for part in parts if part), period, extension)


def get_column(table: Table | HourSums, metric: Metric) -> str | None:
    """The column of a metric; an answer without any row has every column, all zero."""
    return metrics.find_column(table, metric) if table.rows else NAMES[metric][0]


def _browser_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    in_one = state
    if state.selection.is_hours_of_week:
        in_one = replace(state, selection=replace(state.selection, granularity=Granularity.TOTAL))
    asks = build_dated_asks("browser", in_one, video_id=state.video)
    if in_one.selection.granularity is Granularity.TOTAL and "past" in asks:
        asks |= build_day_asks(state, state.video)
    return asks


def _event_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    return build_hour_asks("browser", state, video_id=state.video)


def _events(desk: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
    """The line over time."""
    state = desk.state
    column = get_column(now, state.metric)
    if column is None or state.selection.granularity is Granularity.TOTAL:
        return panel
    buckets = state.selection.buckets()
    marks: tuple[Mark, ...] = ()
    if not state.video:
        marks = annotations.marked(
            annotations.happened(desk.account_id, state.selection.days, state.selection.zone), buckets
        )
    chart = charts.build_line_chart(state, column, now, past, marks)
    if chart is None:
        return panel
    panel = replace(panel, title=chart.title, note=f"{_('Sum of all browsers.')} {chart.note}")
    return add_chart(panel, desk, chart, "components/_line_chart.html")


@dataclass(frozen=True)
class Hours:
    """templates/analytics/_week.html, beside its chart: the same days as a line."""

    by_day: str


def _hours_of_week(panel: AnalyticsPanel, desk: PanelContext, now: HourSums, past: HourSums | None) -> AnalyticsPanel:
    """The hours of more days than can be drawn one by one: the averages of a week, and each hour in the file."""
    state = desk.state
    column = get_column(now, state.metric)
    sums = now.in_zone(column, state.selection.zone) if column else None
    if column is None or sums is None:
        why = _("The platform answered, but not by hour. Group by day to see its numbers.")
        return replace(panel, body="analytics/_generic.html", content=GenericAnswer(why, (), (), 0, ""))
    before = past.in_zone(column, state.selection.zone) if past is not None else None
    by_day = charts.build_day_chart(state, column, sums, before)
    each_hour = partial(charts.build_time_chart, state, column, sums, before)
    chart = charts.build_week_chart(state, column, sums, before, by_day, each_hour)
    if panel.name == "region":
        chart = replace(chart, name="region", title=f"{state.region}: {chart.title}")
    note = chart.note if panel.name == "region" else f"{_('Sum of all browsers.')} {chart.note}"
    content = Hours(f"{reverse(desk.page)}?{state.query(granularity=Granularity.DAY.value)}")
    panel = replace(panel, title=chart.title, note=note, content=content)
    return add_chart(panel, desk, chart, "analytics/_week.html")


def get_named_column(table: Table, metric: Metric) -> str | None:
    """The column of a metric, in an answer that says of each number what it is about."""
    return get_column(table, metric) if table.is_named or not table.rows else None


def _browsers(desk: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
    column = get_named_column(now, desk.state.metric)
    if column is None:
        return panel
    chart = charts.build_bar_chart(desk.state, "browsers", _("Browsers"), _("Browser"), column, now, past)
    note = _("The tick marks the period before.") if chart.compared else ""
    more = PageLink(_("Show browsers"), f"{reverse('analytics:browsers')}?{desk.state.query()}") if desk.brief else None
    content = chart.drawn(tables.BRIEF if desk.brief else tables.ROWS)
    return add_chart(replace(panel, note=note, content=content, more=more), desk, chart, "analytics/_browsers.html")


def _referrer_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    return build_total_asks("referrer", state, granularity=Granularity.TOTAL.value)


def _referrers(desk: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
    column = get_named_column(now, desk.state.metric)
    if column is None:
        return panel
    chart = charts.build_bar_chart(desk.state, "referrers", _("Referrers"), _("Site"), column, now, past)
    content = tables.build_referrers_table(chart, desk.state, brief=desk.brief)
    note = _("Addresses are shown as text and never opened by us.")
    panel = replace(panel, note=note, content=content, count=_of(content, len(chart.bars)))
    if desk.brief:
        panel = replace(
            panel, more=PageLink(_("Show all sites"), f"{reverse('analytics:referrers')}?{desk.state.query()}")
        )
    return add_chart(panel, desk, chart, "analytics/_referrers.html")


def _of(table: tables.PanelTable, total: int) -> str:
    """6 of 40; nothing where the paging says it already."""
    if table.paging:
        return ""
    return _("%(shown)s of %(count)s") % {"shown": count(len(table.rows)), "count": count(total)}


def _city_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    grain = Granularity.TOTAL.value
    return build_total_asks("city", state, granularity=grain, country=state.country, region=state.region)


@dataclass(frozen=True)
class Places:
    """The map, its table, and the way into a country and a region."""

    table: tables.PanelTable
    groups: tuple[tables.GroupRow, ...]
    groups_title: str
    hidden: str


def _cities(desk: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
    state = desk.state
    column = get_named_column(now, state.metric)
    if column is None:
        return panel
    chart = charts.build_city_map(state, column, now, past, BRIEF_BUBBLES if desk.brief else DRAWN)
    level = "" if state.region else "region" if state.country else "country"
    groups: tuple[tables.GroupRow, ...] = ()
    if level and not desk.brief:
        places = rules.parse_places(now.rows, past.rows if past and chart.compared else (), column)
        groups = tables.build_groups(places, level, state, compared=chart.compared)
    hidden = ""
    if chart.hidden and not desk.brief:
        hidden = ngettext(
            "%(count)s city is in the table only.", "%(count)s cities are in the table only.", chart.hidden
        ) % {"count": count(chart.hidden)}
    table = tables.build_cities_table(chart, state, brief=desk.brief)
    title = _("Regions") if level == "region" else _("Countries")
    content = Places(table, groups, title, hidden)
    panel = replace(panel, note=_("The area of a bubble follows its number. Land: Natural Earth."), content=content)
    panel = replace(panel, count=_of(table, len(chart.cities)))
    if desk.brief:
        panel = replace(panel, more=PageLink(_("Show all cities"), f"{reverse('analytics:cities')}?{state.query()}"))
    return add_chart(panel, desk, chart, "analytics/_cities.html")


def _region_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    return build_hour_asks("city", state, country=state.country, region=state.region)


def _region(desk: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
    """One region over time."""
    column = get_column(now, desk.state.metric)
    chart = charts.build_line_chart(desk.state, column, now, past, ()) if column else None
    if chart is None or column is None:
        return panel
    chart = replace(chart, name="region", title=f"{desk.state.region}: {chart.title}")
    panel = replace(panel, title=chart.title, note=format_explanation(column))
    return add_chart(panel, desk, chart, "components/_line_chart.html")


def _ranking_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    return build_total_asks("ranking", state)


def _with_titles(desk: PanelContext, videos: tuple[RankedVideo, ...]) -> tuple[RankedVideo, ...]:
    """The ranking with the titles that are known here of videos that it names by id alone."""
    unnamed = {video.video_id for video in videos if video.title == video.video_id}
    titles = known_titles(desk.account_id, unnamed) if unnamed else {}
    return tuple(replace(video, title=titles.get(video.video_id, video.title)) for video in videos)


def _ranking(desk: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
    compared = past is not None
    videos = _with_titles(desk, rules.parse_ranking(now, past))
    if videos and not now.is_named and not any(video.video_id for video in videos):
        return panel
    if videos and all(video.plays is None and video.views is None for video in videos):
        return panel
    plays = any(video.plays is not None for video in videos)
    metric = Metric.PLAYS if plays or not videos else Metric.VIEWS
    bars = tuple(
        Bar(video.title, (video.plays if plays else video.views) or 0, video.past_plays if plays else None)
        for video in videos
    )
    chart = BarChart(
        "ranking",
        _("Ranking"),
        format_explanation(NAMES[metric][0]),
        get_measure(NAMES[metric][0]),
        _("Video"),
        bars,
        compared and plays,
        charts.format_foot(desk.state.selection, compared=compared and plays),
        absent=tables.format_not_listed(),
    )
    content = tables.build_ranking_table(videos, desk.state, brief=desk.brief)
    panel = replace(panel, note=chart.note, content=content, count=_of(content, len(videos)))
    if desk.brief:
        panel = replace(
            panel, more=PageLink(_("Show the whole ranking"), f"{reverse('analytics:ranking')}?{desk.state.query()}")
        )
    return add_chart(panel, desk, chart, "analytics/_ranking.html")


KINDS: Final[Mapping[str, Kind]] = {
    "events": Kind(lambda: _("Over time"), _event_asks, _events, by_bucket=True),
    "browsers": Kind(lambda: _("Browsers"), _browser_asks, _browsers),
    "referrers": Kind(lambda: _("Referrers"), _referrer_asks, _referrers),
    "cities": Kind(lambda: _("Places"), _city_asks, _cities),
    "region": Kind(lambda: _("Region over time"), _region_asks, _region, by_bucket=True),
    "ranking": Kind(lambda: _("Most played videos"), _ranking_asks, _ranking),
}
