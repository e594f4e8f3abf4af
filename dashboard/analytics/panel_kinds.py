"""The panels of analytics, one class each: what they query, and what they show of the answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.activity import annotations
from dashboard.analytics import charts, pages, rules, tables
from dashboard.analytics.day_panel import DaysPanel
from dashboard.analytics.measures import format_explanation, get_measure
from dashboard.analytics.pages import AnalyticsPanel, GenericAnswer, PageLink
from dashboard.analytics.panels import PanelContext, PanelKind, add_chart, get_column
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
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.addresses import path_of
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import DRAWN
from dashboard.shared.charts.figures import count
from dashboard.shared.hour_sums import HourSums
from dashboard.shared.metrics import NAMES, Metric
from dashboard.upstream import parallel
from dashboard.upstream.figures import FigureAnswer, FigureQuery, trouble
from dashboard.upstream.library import known_videos

Answers = Mapping[str, FigureAnswer]

BRIEF_BUBBLES: Final = 120
"""The overview draws the largest cities only; it may cost 15 kB."""


def build_panel(name: str, panel_context: PanelContext, answers: Answers) -> AnalyticsPanel:
    """Build the panel `name` from the answers to its queries."""
    kind = PANEL_KINDS[name]
    now, past = join_answers(answers, "now") or FigureAnswer(None), join_answers(answers, "past")
    panel = AnalyticsPanel(name, str(kind.title), retry=panel_context.address(), fragment=panel_context.address(name))
    if now.late:
        return replace(panel, late=True)
    if now.value is None:
        return replace(panel, trouble=trouble(now))
    if isinstance(now.value, HourSums):
        return pages.add_read_state(
            _show_hours_of_week(panel, panel_context, now.value, past.value if past is not None else None), now, past
        )
    if now.value.table is None:
        why = _("The platform answered in a shape that is not known. This is what it said.")
        return pages.add_read_state(_show_generic(panel, pages.build_generic(now.value, why)), now)
    if kind.compares_buckets:
        before = past.value.table if past is not None and past.value is not None else None
    else:
        before, caution = get_comparison(panel_context.state, answers)
        panel = replace(panel, caution=caution)
    filled_panel = kind.build(panel_context, now.value.table, before, panel)
    if not filled_panel.body:
        why = _("The platform's answer doesn't contain this figure. Here is the original answer.")
        filled_panel = _show_generic(panel, pages.build_generic(now.value, why))
    return pages.add_read_state(filled_panel, now, past)


def _show_generic(panel: AnalyticsPanel, content: GenericAnswer) -> AnalyticsPanel:
    return replace(panel, body="analytics/_generic.html", content=content)


class EventsPanel(PanelKind):
    """One measure over time."""

    name = "events"
    title = gettext_lazy("Over time")
    compares_buckets = True

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_hour_asks("browser", state, video_id=state.video)

    def prepare(self, panel_context: PanelContext) -> None:
        parallel.meanwhile(partial(_load_events, panel_context))

    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        state = panel_context.state
        column = get_column(now, state.metric)
        if column is None or state.selection.granularity is Granularity.TOTAL:
            return panel
        marks = annotations.marked(_load_events(panel_context), state.selection.buckets())
        chart = charts.build_line_chart(state, column, now, past, marks)
        if chart is None:
            return panel
        panel = replace(panel, title=chart.title, note=f"{_('Sum of all browsers.')} {chart.note}")
        if past is not None:
            panel = replace(panel, more=PageLink(_("Why did it change?"), pages.build_why_address("browsers", state)))
        return add_chart(panel, panel_context, chart, "components/_line_chart.html")


def _load_events(panel_context: PanelContext) -> Sequence[annotations.Event]:
    """What the account did in the days of a page, once for the page; nothing where it is about one video."""
    selection = panel_context.state.selection
    if panel_context.state.video:
        return ()
    happened = partial(annotations.happened, panel_context.account_id, selection.days, selection.zone)
    return parallel.made_once(("events", panel_context.account_id, selection.days, selection.zone), happened)


@dataclass(frozen=True)
class Hours:
    """templates/analytics/_week.html, beside its chart: the same days as a line."""

    by_day: str


def _show_hours_of_week(
    panel: AnalyticsPanel, panel_context: PanelContext, now: HourSums, past: HourSums | None
) -> AnalyticsPanel:
    """The hours of more days than can be drawn one by one: the averages of a week, and each hour in the file."""
    state = panel_context.state
    column = get_column(now, state.metric)
    sums = now.in_zone(column, state.selection.zone) if column else None
    if column is None or sums is None:
        why = _("The platform's answer isn't by hour. Group by day to see the numbers.")
        return replace(panel, body="analytics/_generic.html", content=GenericAnswer(why, (), (), 0, ""))
    before = past.in_zone(column, state.selection.zone) if past is not None else None
    by_day = charts.build_day_chart(state, column, sums, before)
    each_hour = partial(charts.build_time_chart, state, column, sums, before)
    chart = charts.build_week_chart(state, column, sums, before, by_day, each_hour)
    if panel.name == "region":
        chart = replace(chart, name="region", title=f"{state.region}: {chart.title}")
    note = chart.note if panel.name == "region" else f"{_('Sum of all browsers.')} {chart.note}"
    content = Hours(f"{path_of(panel_context.page)}?{state.query(granularity=Granularity.DAY.value)}")
    panel = replace(panel, title=chart.title, note=note, content=content)
    return add_chart(panel, panel_context, chart, "analytics/_week.html")


def get_named_column(table: Table, metric: Metric) -> str | None:
    """The column of a metric, if the rows of the answer have names."""
    return get_column(table, metric) if table.is_named or not table.rows else None


class BrowsersPanel(PanelKind):
    """Views by browser."""

    name = "browsers"
    title = gettext_lazy("Browsers")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        in_one = state
        if state.selection.is_hours_of_week:
            in_one = replace(state, selection=replace(state.selection, granularity=Granularity.TOTAL))
        asks = build_dated_asks("browser", in_one, video_id=state.video)
        if in_one.selection.granularity is Granularity.TOTAL and "past" in asks:
            asks |= build_day_asks(state)
        return asks

    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        column = get_named_column(now, panel_context.state.metric)
        if column is None:
            return panel
        chart = charts.build_bar_chart(panel_context.state, "browsers", _("Browsers"), _("Browser"), column, now, past)
        note = _("The tick marks the period before.") if chart.compared else ""
        more = None
        if panel_context.brief:
            more = PageLink(_("All browsers"), f"{path_of('analytics:browsers')}?{panel_context.state.query()}")
        elif chart.compared:
            more = PageLink(_("Why did it change?"), pages.build_why_address("browsers", panel_context.state))
        content = chart.drawn(tables.BRIEF if panel_context.brief else tables.ROWS)
        return add_chart(
            replace(panel, note=note, content=content, more=more), panel_context, chart, "analytics/_browsers.html"
        )


class ReferrersPanel(PanelKind):
    """The sites that sent viewers."""

    name = "referrers"
    title = gettext_lazy("Referrers")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_total_asks("referrer", state, granularity=Granularity.TOTAL.value)

    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        column = get_named_column(now, panel_context.state.metric)
        if column is None:
            return panel
        chart = charts.build_bar_chart(panel_context.state, "referrers", _("Referrers"), _("Site"), column, now, past)
        content = tables.build_referrers_table(chart, panel_context.state, brief=panel_context.brief)
        note = _("Addresses are shown as text; Reelroom never opens them.")
        panel = replace(panel, note=note, content=content, count=_format_count(content, len(chart.bars)))
        if panel_context.brief:
            panel = replace(
                panel,
                more=PageLink(_("All sites"), f"{path_of('analytics:referrers')}?{panel_context.state.query()}"),
            )
        return add_chart(panel, panel_context, chart, "analytics/_referrers.html")


def _format_count(table: tables.PanelTable, total: int) -> str:
    """6 of 40; empty if the paging says it."""
    if table.paging:
        return ""
    return _("%(shown)s of %(count)s") % {"shown": count(len(table.rows)), "count": count(total)}


class CitiesPanel(PanelKind):
    """The map, its table, and links to countries and regions."""

    name = "cities"
    title = gettext_lazy("Places")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        grain = Granularity.TOTAL.value
        return build_total_asks("city", state, granularity=grain, country=state.country, region=state.region)

    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        state = panel_context.state
        column = get_named_column(now, state.metric)
        if column is None:
            return panel
        compared = past is not None and state.selection.windows.compared is not None
        places = rules.parse_places(now.rows, past.rows if past and compared else (), column)
        limit = BRIEF_BUBBLES if panel_context.brief else DRAWN
        chart = charts.build_city_map(state, column, places, compared=compared, limit=limit)
        level = "" if state.region else "region" if state.country else "country"
        groups: tuple[tables.GroupRow, ...] = ()
        if level and not panel_context.brief:
            groups = tables.build_groups(places, level, state, compared=chart.compared)
        hidden = ""
        if chart.hidden and not panel_context.brief:
            hidden = ngettext(
                "%(count)s city is in the table only.", "%(count)s cities are in the table only.", chart.hidden
            ) % {"count": count(chart.hidden)}
        table = tables.build_cities_table(chart, state, brief=panel_context.brief)
        title = _("Regions") if level == "region" else _("Countries")
        content = tables.Places(table, groups, title, hidden)
        panel = replace(panel, note=_("The area of a bubble follows its number. Land: Natural Earth."), content=content)
        panel = replace(panel, count=_format_count(table, len(chart.cities)))
        if panel_context.brief:
            panel = replace(panel, more=PageLink(_("All cities"), f"{path_of('analytics:cities')}?{state.query()}"))
        return add_chart(panel, panel_context, chart, "analytics/_cities.html")


class RegionPanel(PanelKind):
    """One region over time."""

    name = "region"
    title = gettext_lazy("Region over time")
    compares_buckets = True

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_hour_asks("city", state, country=state.country, region=state.region)

    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        column = get_column(now, panel_context.state.metric)
        chart = charts.build_line_chart(panel_context.state, column, now, past, ()) if column else None
        if chart is None or column is None:
            return panel
        chart = replace(chart, name="region", title=f"{panel_context.state.region}: {chart.title}")
        panel = replace(panel, title=chart.title, note=format_explanation(column))
        return add_chart(panel, panel_context, chart, "components/_line_chart.html")


def add_titles(account_id: UUID, videos: tuple[RankedVideo, ...]) -> tuple[RankedVideo, ...]:
    """Add known titles to videos that the ranking names by id alone; one that it names by its external id gets its own."""
    unnamed = {video.video_id for video in videos if video.title == video.video_id}
    known = known_videos(account_id, unnamed) if unnamed else {}
    return tuple(
        replace(video, video_id=known[video.video_id][0], title=known[video.video_id][1])
        if video.video_id in known
        else video
        for video in videos
    )


class RankingPanel(PanelKind):
    """The most played videos."""

    name = "ranking"
    title = gettext_lazy("Most played videos")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_total_asks("ranking", state)

    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        compared = past is not None
        videos = add_titles(panel_context.account_id, rules.parse_ranking(now, past))
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
            charts.format_foot(panel_context.state.selection, compared=compared and plays),
            absent=tables.format_not_listed(),
        )
        content = tables.build_ranking_table(videos, panel_context.state, brief=panel_context.brief)
        panel = replace(panel, note=chart.note, content=content, count=_format_count(content, len(videos)))
        if panel_context.brief:
            panel = replace(
                panel,
                more=PageLink(_("Full ranking"), f"{path_of('analytics:ranking')}?{panel_context.state.query()}"),
            )
        return add_chart(panel, panel_context, chart, "analytics/_ranking.html")


PANEL_KINDS: Final[Mapping[str, PanelKind]] = {
    kind.name: kind
    for kind in (
        EventsPanel(),
        BrowsersPanel(),
        ReferrersPanel(),
        CitiesPanel(),
        RegionPanel(),
        RankingPanel(),
        DaysPanel(),
    )
}
