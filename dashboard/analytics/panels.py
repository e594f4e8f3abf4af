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
from dashboard.analytics.measures import explained, measure_of
from dashboard.analytics.pages import Generic, Link, Panel
from dashboard.analytics.reads import comparison, dated_asks, day_asks, hour_asks, joined, total_asks
from dashboard.analytics.rules import Ranked
from dashboard.analytics.state import State
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
from dashboard.upstream.figures import Ask, Got
from dashboard.upstream.titles import known_titles

Answers = Mapping[str, Got]

BRIEF_BUBBLES: Final = 120
"""The overview draws the largest cities only; it may cost 15 kB."""


BY_BUCKET: Final = frozenset({"events", "region", "traffic", "videos"})
"""Panels whose files hold each day that is shown, also the one that is not over."""

ONE_MEASURE: Final = frozenset({"ranking", "traffic", "consumers", "videos", "shares", "retention"})
"""Panels that count one thing, whatever the address counts elsewhere."""


@dataclass(frozen=True)
class Desk:
    """Who looks, at what, on which page. `brief` panels show the beginning and lead on."""

    account_id: UUID
    state: State
    page: str = "analytics:analytics"
    brief: bool = False

    def address(self, panel: str = "") -> str:
        """The page of this state, or one panel of it."""
        return f"{reverse(self.page)}?{self.state.query(panel=panel or None)}"


@dataclass(frozen=True)
class Kind:
    """A kind of panel. `by_bucket`: it compares bucket by bucket and says itself which of them have numbers."""

    title: Callable[[], str]
    asks: Callable[[State], dict[str, Ask]]
    build: Callable[[Desk, Table, Table | None, Panel], Panel]
    by_bucket: bool = False


def built(name: str, desk: Desk, answers: Answers) -> Panel:
    """The panel `name` out of the answers to its questions."""
    kind = KINDS[name]
    now, past = joined(answers, "now") or Got(None), joined(answers, "past")
    panel = Panel(name, kind.title(), retry=desk.address(), fragment=desk.address(name))
    if now.late:
        return replace(panel, late=True)
    if now.value is None:
        return replace(panel, trouble=trouble(now))
    if isinstance(now.value, HourSums):
        return pages.settled(
            _hours_of_week(panel, desk, now.value, past.value if past is not None else None), now, past
        )
    if now.value.table is None:
        why = _("The platform answered in a shape that is not known. This is what it said.")
        return pages.settled(_generic(panel, pages.generic(now.value, why)), now)
    if kind.by_bucket:
        before = past.value.table if past is not None and past.value is not None else None
    else:
        before, caution = comparison(desk.state, answers)
        panel = replace(panel, caution=caution)
    filled_panel = kind.build(desk, now.value.table, before, panel)
    if not filled_panel.body:
        why = _("The platform answered, but this figure is not in its answer. This is what it said.")
        filled_panel = _generic(panel, pages.generic(now.value, why))
    return pages.settled(filled_panel, now, past)


def _generic(panel: Panel, content: Generic) -> Panel:
    return replace(panel, body="analytics/_generic.html", content=content)


def with_chart(panel: Panel, desk: Desk, chart: Chart, body: str, **more: object) -> Panel:
    """A panel that shows a chart and offers its files."""
    query = desk.state.query(page=None, sort=None)
    file = {
        extension: f"{reverse('analytics:file', args=[panel.name, extension])}?{query}" for extension in ("csv", "svg")
    }
    exports = Exports(file["csv"], file["svg"], picture_name(panel.name, desk.state), chart.foot)
    return replace(panel, chart=chart, body=body, exports=exports, **more)  # type: ignore[arg-type]  # fields of Panel


def picture_name(name: str, state: State, extension: str = "png") -> str:
    """The file name of a panel: content, metric, videos, place, period, comparison and zone."""
    metric = "" if name in ONE_MEASURE else state.metric.value
    videos = f"{len(state.videos)}-videos" if len(state.videos) > 1 else state.video or ""
    parts = [name, metric, videos, state.country, state.region]
    period = state.selection.file_part(totals=name not in BY_BUCKET)
    return file_name("-".join(part for part in parts if part), period, extension)


def column_of(table: Table | HourSums, metric: Metric) -> str | None:
    """The column of a metric; an answer without any row has every column, all zero."""
    return metrics.column_for(table, metric) if table.rows else NAMES[metric][0]


def _browser_asks(state: State) -> dict[str, Ask]:
    in_one = state
    if state.selection.is_hours_of_week:
        in_one = replace(state, selection=replace(state.selection, granularity=Granularity.TOTAL))
    asks = dated_asks("browser", in_one, video_id=state.video)
    if in_one.selection.granularity is Granularity.TOTAL and "past" in asks:
        asks |= day_asks(state, state.video)
    return asks


def _event_asks(state: State) -> dict[str, Ask]:
    return hour_asks("browser", state, video_id=state.video)


def _events(desk: Desk, now: Table, past: Table | None, panel: Panel) -> Panel:
    """The line over time."""
    state = desk.state
    column = column_of(now, state.metric)
    if column is None or state.selection.granularity is Granularity.TOTAL:
        return panel
    buckets = state.selection.buckets()
    marks: tuple[Mark, ...] = ()
    if not state.video:
        marks = annotations.marked(
            annotations.happened(desk.account_id, state.selection.days, state.selection.zone), buckets
        )
    chart = charts.over_time(state, column, now, past, marks)
    if chart is None:
        return panel
    panel = replace(panel, title=chart.title, note=f"{_('Sum of all browsers.')} {chart.note}")
    return with_chart(panel, desk, chart, "components/_line_chart.html")


@dataclass(frozen=True)
class Hours:
    """templates/analytics/_week.html, beside its chart: the same days as a line."""

    by_day: str


def _hours_of_week(panel: Panel, desk: Desk, now: HourSums, past: HourSums | None) -> Panel:
    """The hours of more days than can be drawn one by one: the averages of a week, and each hour in the file."""
    state = desk.state
    column = column_of(now, state.metric)
    sums = now.in_zone(column, state.selection.zone) if column else None
    if column is None or sums is None:
        why = _("The platform answered, but not by hour. Group by day to see its numbers.")
        return replace(panel, body="analytics/_generic.html", content=Generic(why, (), (), 0, ""))
    before = past.in_zone(column, state.selection.zone) if past is not None else None
    by_day = charts.days_of_hours(state, column, sums, before)
    each_hour = partial(charts.time_chart, state, column, sums, before)
    chart = charts.hours_of_week(state, column, sums, before, by_day, each_hour)
    if panel.name == "region":
        chart = replace(chart, name="region", title=f"{state.region}: {chart.title}")
    note = chart.note if panel.name == "region" else f"{_('Sum of all browsers.')} {chart.note}"
    content = Hours(f"{reverse(desk.page)}?{state.query(granularity=Granularity.DAY.value)}")
    panel = replace(panel, title=chart.title, note=note, content=content)
    return with_chart(panel, desk, chart, "analytics/_week.html")


def named_column_of(table: Table, metric: Metric) -> str | None:
    """The column of a metric, in an answer that says of each number what it is about."""
    return column_of(table, metric) if table.is_named or not table.rows else None


def _browsers(desk: Desk, now: Table, past: Table | None, panel: Panel) -> Panel:
    column = named_column_of(now, desk.state.metric)
    if column is None:
        return panel
    chart = charts.labelled(desk.state, "browsers", _("Browsers"), _("Browser"), column, now, past)
    note = _("The tick marks the period before.") if chart.compared else ""
    more = Link(_("Show browsers"), f"{reverse('analytics:browsers')}?{desk.state.query()}") if desk.brief else None
    content = chart.drawn(tables.BRIEF if desk.brief else tables.ROWS)
    return with_chart(replace(panel, note=note, content=content, more=more), desk, chart, "analytics/_browsers.html")


def _referrer_asks(state: State) -> dict[str, Ask]:
    return total_asks("referrer", state, granularity=Granularity.TOTAL.value)


def _referrers(desk: Desk, now: Table, past: Table | None, panel: Panel) -> Panel:
    column = named_column_of(now, desk.state.metric)
    if column is None:
        return panel
    chart = charts.labelled(desk.state, "referrers", _("Referrers"), _("Site"), column, now, past)
    content = tables.referrers(chart, desk.state, brief=desk.brief)
    note = _("Addresses are shown as text and never opened by us.")
    panel = replace(panel, note=note, content=content, count=_of(content, len(chart.bars)))
    if desk.brief:
        panel = replace(panel, more=Link(_("Show all sites"), f"{reverse('analytics:referrers')}?{desk.state.query()}"))
    return with_chart(panel, desk, chart, "analytics/_referrers.html")


def _of(table: tables.Table, total: int) -> str:
    """6 of 40; nothing where the paging says it already."""
    if table.paging:
        return ""
    return _("%(shown)s of %(count)s") % {"shown": count(len(table.rows)), "count": count(total)}


def _city_asks(state: State) -> dict[str, Ask]:
    grain = Granularity.TOTAL.value
    return total_asks("city", state, granularity=grain, country=state.country, region=state.region)


@dataclass(frozen=True)
class Places:
    """The map, its table, and the way into a country and a region."""

    table: tables.Table
    groups: tuple[tables.GroupRow, ...]
    groups_title: str
    hidden: str


def _cities(desk: Desk, now: Table, past: Table | None, panel: Panel) -> Panel:
    state = desk.state
    column = named_column_of(now, state.metric)
    if column is None:
        return panel
    chart = charts.cities(state, column, now, past, BRIEF_BUBBLES if desk.brief else DRAWN)
    level = "" if state.region else "region" if state.country else "country"
    groups: tuple[tables.GroupRow, ...] = ()
    if level and not desk.brief:
        places = rules.places(now.rows, past.rows if past and chart.compared else (), column)
        groups = tables.groups(places, level, state, compared=chart.compared)
    hidden = ""
    if chart.hidden and not desk.brief:
        hidden = ngettext(
            "%(count)s city is in the table only.", "%(count)s cities are in the table only.", chart.hidden
        ) % {"count": count(chart.hidden)}
    table = tables.cities(chart, state, brief=desk.brief)
    title = _("Regions") if level == "region" else _("Countries")
    content = Places(table, groups, title, hidden)
    panel = replace(panel, note=_("The area of a bubble follows its number. Land: Natural Earth."), content=content)
    panel = replace(panel, count=_of(table, len(chart.cities)))
    if desk.brief:
        panel = replace(panel, more=Link(_("Show all cities"), f"{reverse('analytics:cities')}?{state.query()}"))
    return with_chart(panel, desk, chart, "analytics/_cities.html")


def _region_asks(state: State) -> dict[str, Ask]:
    return hour_asks("city", state, country=state.country, region=state.region)


def _region(desk: Desk, now: Table, past: Table | None, panel: Panel) -> Panel:
    """One region over time."""
    column = column_of(now, desk.state.metric)
    chart = charts.over_time(desk.state, column, now, past, ()) if column else None
    if chart is None or column is None:
        return panel
    chart = replace(chart, name="region", title=f"{desk.state.region}: {chart.title}")
    panel = replace(panel, title=chart.title, note=explained(column))
    return with_chart(panel, desk, chart, "components/_line_chart.html")


def _ranking_asks(state: State) -> dict[str, Ask]:
    return total_asks("ranking", state)


def _with_titles(desk: Desk, videos: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    """The ranking with the titles that are known here of videos that it names by id alone."""
    unnamed = {video.video_id for video in videos if video.title == video.video_id}
    titles = known_titles(desk.account_id, unnamed) if unnamed else {}
    return tuple(replace(video, title=titles.get(video.video_id, video.title)) for video in videos)


def _ranking(desk: Desk, now: Table, past: Table | None, panel: Panel) -> Panel:
    compared = past is not None
    videos = _with_titles(desk, rules.ranked(now, past))
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
        explained(NAMES[metric][0]),
        measure_of(NAMES[metric][0]),
        _("Video"),
        bars,
        compared and plays,
        charts.foot(desk.state.selection, compared=compared and plays),
        absent=tables.not_listed(),
    )
    content = tables.ranking(videos, desk.state, brief=desk.brief)
    panel = replace(panel, note=chart.note, content=content, count=_of(content, len(videos)))
    if desk.brief:
        panel = replace(
            panel, more=Link(_("Show the whole ranking"), f"{reverse('analytics:ranking')}?{desk.state.query()}")
        )
    return with_chart(panel, desk, chart, "analytics/_ranking.html")


KINDS: Final[Mapping[str, Kind]] = {
    "events": Kind(lambda: _("Over time"), _event_asks, _events, by_bucket=True),
    "browsers": Kind(lambda: _("Browsers"), _browser_asks, _browsers),
    "referrers": Kind(lambda: _("Referrers"), _referrer_asks, _referrers),
    "cities": Kind(lambda: _("Places"), _city_asks, _cities),
    "region": Kind(lambda: _("Region over time"), _region_asks, _region, by_bucket=True),
    "ranking": Kind(lambda: _("Most played videos"), _ranking_asks, _ranking),
}
