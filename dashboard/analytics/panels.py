"""The panels of analytics: what they query, and what they show of the answers.

A panel knows nothing of its page. The same kinds are used by the overview (brief), their own pages, the exported files, and a
panel that loads itself because its answer was late.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import ClassVar, Final
from uuid import UUID

from django.http import Http404
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import Promise, cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.activity import recorder
from dashboard.analytics import charts, rules, tables
from dashboard.analytics.charts import format_explanation
from dashboard.analytics.state import (
    SITE_MOST,
    AnalyticsState,
    ParsedState,
    UnknownVideo,
    build_dated_asks,
    build_day_asks,
    build_hour_asks,
    build_total_asks,
    build_why_address,
    clean_label,
    clean_name,
    get_comparison,
    join_answers,
    parse_state,
)
from dashboard.platform_api.analytics import Analytics, Row, Table
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import formats, metrics
from dashboard.shared.addresses import path_of
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar
from dashboard.shared.charts.bubbles import DRAWN
from dashboard.shared.charts.figures import count
from dashboard.shared.charts.prepared import Chart, Exports
from dashboard.shared.csv import file_name
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import NAMES, HourSums, Metric, sum_over_time
from dashboard.shared.ranges import Compare, Days
from dashboard.upstream import parallel
from dashboard.upstream.figures import (
    FigureAnswer,
    FigureQuery,
    Trouble,
    build_query,
    get_full_timeout,
    read_figures,
    trouble,
)

GENERIC_ROWS = 200


@dataclass(frozen=True)
class PageLink:
    """A link with its text."""

    text: str
    address: str


@dataclass(frozen=True)
class GenericAnswer:
    """An answer of an unknown shape: as a table if possible, and raw."""

    why: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    hidden: int = 0
    raw: str = ""


@dataclass(frozen=True)
class AnalyticsPanel:
    """templates/analytics/_panel.html. `body` is the template of `content`; neither where there is nothing to show."""

    name: str
    title: str
    note: str = ""
    body: str = ""
    content: object = None
    chart: Chart | None = None
    exports: Exports | None = None
    trouble: Trouble | None = None
    caution: str = ""
    late: bool = False
    stale: bool = False
    retry: str = ""
    fragment: str = ""
    more: PageLink | None = None
    count: str = ""
    tools: object = None

    @property
    def part_id(self) -> str:
        return f"panel-{self.name}"

    @cached_property
    def drawn(self) -> SafeString:
        """The panel as HTML."""
        return render_to_string("analytics/_panel.html", {"panel": self})


def add_read_state(panel: AnalyticsPanel, got: FigureAnswer, past: FigureAnswer | None = None) -> AnalyticsPanel:
    """Add what went wrong with the latest read to a panel: its trouble, a missing comparison."""
    caution = panel.caution
    if past is not None and past.value is None:
        missing = (
            _("The period it is compared with could not be read.")
            if past.error
            else _("The comparison is still loading.")
        )
        caution = f"{caution} {missing}".strip()
    elif past is not None and past.old and past.at:
        aged = _("The period it is compared with was last read %(when)s.") % {"when": formats.ago(past.at)}
        caution = f"{caution} {aged}".strip()
    return replace(panel, caution=caution, trouble=trouble(got) if got.error or got.old else None)


def build_generic(answer: Analytics, why: str) -> GenericAnswer:
    """Build the view of an answer of an unknown shape."""
    table = answer.table
    columns, rows = _build_generic_rows(table) if table else ((), ())
    hidden = max(0, len(table.rows) - GENERIC_ROWS) if table else 0
    return GenericAnswer(why, columns, rows, hidden=hidden, raw=as_it_came(answer.raw))


def _build_generic_rows(table: Table) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    dated = any(row.at for row in table.rows)
    columns = (_("Name"), *((_("When"),) if dated else ()), *table.columns)
    rows = []
    for row in table.rows[:GENERIC_ROWS]:
        numbers = (row.metrics.get(column) for column in table.columns)
        texts = ("" if value is None else figures.format_value(value, figures.Unit.COUNT) for value in numbers)
        rows.append((row.label, *((row.at or "",) if dated else ()), *texts))
    return columns, tuple(rows)


BY_BUCKET: Final = frozenset({"events", "region", "traffic", "videos"})
"""Panels whose files contain every day that is shown, also the current one."""

ONE_MEASURE: Final = frozenset({"ranking", "traffic", "consumers", "videos", "shares", "retention"})
"""Panels that count one thing, whatever metric the address has."""


@dataclass(frozen=True)
class PanelContext:
    """The account, state and page of a panel. A `brief` panel shows its first rows and a link to its own page."""

    account_id: UUID
    state: AnalyticsState
    page: str = "analytics:analytics"
    brief: bool = False

    def address(self, panel: str = "") -> str:
        """The page of this state, or one panel of it."""
        return f"{path_of(self.page)}?{self.state.query(panel=panel or None)}"


class PanelKind(ABC):
    """One panel of analytics: its title, its queries, and what it shows of their answers."""

    name: ClassVar[str]
    title: ClassVar[Promise]
    all_title: ClassVar[Promise | str] = ""
    """What its own page shows, where the overview shows its first rows."""
    compares_buckets: ClassVar[bool] = False
    """Whether the panel compares bucket by bucket, and says itself which of them have numbers."""

    @abstractmethod
    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        """The queries: "now", and with a comparison "past" and those of its days."""

    def prepare(self, context: PanelContext) -> None:  # noqa: B027  (most panels need nothing)
        """Have what the panel shows beside its answers loaded while they are out."""

    @abstractmethod
    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        """`panel` with the figures of `now`, compared with `past`; unchanged if `now` does not have them."""


def add_chart(panel: AnalyticsPanel, context: PanelContext, chart: Chart, body: str) -> AnalyticsPanel:
    """Add a chart and its downloads to a panel."""
    query = context.state.query(page=None, sort=None)
    file = {extension: f"{path_of('analytics:file', panel.name, extension)}?{query}" for extension in ("csv", "svg")}
    exports = Exports(file["csv"], file["svg"], format_file_name(panel.name, context.state), chart.foot)
    return replace(panel, chart=chart, body=body, exports=exports)


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

    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        state = context.state
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
        chart = charts.build_bars(state.selection, "days", _("Days"), column, _("Day"), bars, compared=compared)
        panel = replace(panel, content=DayLinks(_list_addresses(state)))
        return add_chart(panel, context, chart, "analytics/_browsers.html")


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


Answers = Mapping[str, FigureAnswer]

BRIEF_BUBBLES: Final = 120
"""The overview draws the largest cities only; it may cost 15 kB."""


def build_panel(name: str, context: PanelContext, answers: Answers) -> AnalyticsPanel:
    """Build the panel `name` from the answers to its queries."""
    kind = PANEL_KINDS[name]
    now, past = join_answers(answers, "now") or FigureAnswer(None), join_answers(answers, "past")
    panel = AnalyticsPanel(name, str(kind.title), retry=context.address(), fragment=context.address(name))
    if now.late:
        return replace(panel, late=True)
    if now.value is None:
        return replace(panel, trouble=trouble(now))
    if isinstance(now.value, HourSums):
        return add_read_state(
            _show_hours_of_week(panel, context, now.value, past.value if past is not None else None), now, past
        )
    if now.value.table is None:
        why = _("The platform answered in a shape that is not known. This is what it said.")
        return add_read_state(_show_generic(panel, build_generic(now.value, why)), now)
    if kind.compares_buckets:
        before = past.value.table if past is not None and past.value is not None else None
    else:
        before, caution = get_comparison(context.state, answers)
        panel = replace(panel, caution=caution)
    filled_panel = kind.build(context, now.value.table, before, panel)
    if not filled_panel.body:
        why = _("The platform's answer doesn't contain this figure. Here is the original answer.")
        filled_panel = _show_generic(panel, build_generic(now.value, why))
    elif context.brief and kind.all_title:
        own_page = f"{path_of(f'analytics:{name}')}?{context.state.query()}"
        filled_panel = replace(filled_panel, more=PageLink(str(kind.all_title), own_page))
    return add_read_state(filled_panel, now, past)


def _show_generic(panel: AnalyticsPanel, content: GenericAnswer) -> AnalyticsPanel:
    return replace(panel, body="analytics/_generic.html", content=content)


class EventsPanel(PanelKind):
    """One measure over time."""

    name = "events"
    title = gettext_lazy("Over time")
    compares_buckets = True

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_hour_asks("browser", state, video_id=state.video)

    def prepare(self, context: PanelContext) -> None:
        parallel.meanwhile(partial(_load_events, context))

    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        state = context.state
        column = get_column(now, state.metric)
        if column is None or state.selection.granularity is Granularity.TOTAL:
            return panel
        marks = recorder.marked(_load_events(context), state.selection.buckets())
        chart = charts.build_line_chart(state, column, now, past, marks)
        if chart is None:
            return panel
        panel = replace(panel, title=chart.title, note=f"{_('Sum of all browsers.')} {chart.note}")
        if past is not None:
            panel = replace(panel, more=PageLink(_("Why did it change?"), build_why_address("browsers", state)))
        return add_chart(panel, context, chart, "components/_line_chart.html")


def _load_events(context: PanelContext) -> Sequence[recorder.Event]:
    """What the account did in the days of a page, once for the page; nothing where it is about one video."""
    selection = context.state.selection
    if context.state.video:
        return ()
    happened = partial(recorder.list_events, context.account_id, selection.days, selection.zone)
    return parallel.made_once(("events", context.account_id, selection.days, selection.zone), happened)


@dataclass(frozen=True)
class Hours:
    """templates/analytics/_week.html, beside its chart: the same days as a line."""

    by_day: str


def _show_hours_of_week(
    panel: AnalyticsPanel, context: PanelContext, now: HourSums, past: HourSums | None
) -> AnalyticsPanel:
    """The hours of more days than can be drawn one by one: the averages of a week, and each hour in the file."""
    state = context.state
    column = get_column(now, state.metric)
    sums = now.in_zone(column, state.selection.zone) if column else None
    if column is None or sums is None:
        why = _("The platform's answer isn't by hour. Group by day to see the numbers.")
        return replace(panel, body="analytics/_generic.html", content=GenericAnswer(why))
    before = past.in_zone(column, state.selection.zone) if past is not None else None
    by_day = charts.build_day_chart(state, column, sums, before)
    each_hour = partial(charts.build_time_chart, state, column, sums, before)
    chart = charts.build_week_chart(state, column, sums, before, by_day, each_hour)
    if panel.name == "region":
        chart = replace(chart, name="region", title=f"{state.region}: {chart.title}")
    note = chart.note if panel.name == "region" else f"{_('Sum of all browsers.')} {chart.note}"
    content = Hours(f"{path_of(context.page)}?{state.query(granularity=Granularity.DAY.value)}")
    panel = replace(panel, title=chart.title, note=note, content=content)
    return add_chart(panel, context, chart, "analytics/_week.html")


def get_named_column(table: Table, metric: Metric) -> str | None:
    """The column of a metric, if the rows of the answer have names."""
    return get_column(table, metric) if table.is_named or not table.rows else None


class BrowsersPanel(PanelKind):
    """Views by browser."""

    name = "browsers"
    title = gettext_lazy("Browsers")
    all_title = gettext_lazy("All browsers")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        in_one = state
        if state.selection.is_hours_of_week:
            in_one = replace(state, selection=replace(state.selection, granularity=Granularity.TOTAL))
        asks = build_dated_asks("browser", in_one, video_id=state.video)
        if in_one.selection.granularity is Granularity.TOTAL and "past" in asks:
            asks |= build_day_asks(state)
        return asks

    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        column = get_named_column(now, context.state.metric)
        if column is None:
            return panel
        chart = charts.build_bar_chart(context.state, "browsers", _("Browsers"), _("Browser"), column, now, past)
        note = _("The tick marks the period before.") if chart.compared else ""
        more = (
            PageLink(_("Why did it change?"), build_why_address("browsers", context.state)) if chart.compared else None
        )
        content = chart.drawn(tables.BRIEF if context.brief else tables.ROWS)
        return add_chart(
            replace(panel, note=note, content=content, more=more), context, chart, "analytics/_browsers.html"
        )


class ReferrersPanel(PanelKind):
    """The sites that sent viewers."""

    name = "referrers"
    title = gettext_lazy("Referrers")
    all_title = gettext_lazy("All sites")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_total_asks("referrer", state, granularity=Granularity.TOTAL.value)

    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        column = get_named_column(now, context.state.metric)
        if column is None:
            return panel
        chart = charts.build_bar_chart(context.state, "referrers", _("Referrers"), _("Site"), column, now, past)
        content = tables.build_referrers_table(chart, context.state, brief=context.brief)
        note = _("Addresses are shown as text; Reelroom never opens them.")
        panel = replace(panel, note=note, content=content, count=_format_count(content, len(chart.bars)))
        return add_chart(panel, context, chart, "analytics/_referrers.html")


def _format_count(table: tables.PanelTable, total: int) -> str:
    """6 of 40; empty if the paging says it."""
    if table.paging:
        return ""
    return _("%(shown)s of %(count)s") % {"shown": count(len(table.rows)), "count": count(total)}


class CitiesPanel(PanelKind):
    """The map, its table, and links to countries and regions."""

    name = "cities"
    title = gettext_lazy("Places")
    all_title = gettext_lazy("All cities")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        grain = Granularity.TOTAL.value
        return build_total_asks("city", state, granularity=grain, country=state.country, region=state.region)

    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        state = context.state
        column = get_named_column(now, state.metric)
        if column is None:
            return panel
        compared = past is not None and state.selection.windows.compared is not None
        places = rules.parse_places(now.rows, past.rows if past and compared else (), column)
        limit = BRIEF_BUBBLES if context.brief else DRAWN
        chart = charts.build_city_map(state, column, places, compared=compared, limit=limit)
        level = "" if state.region else "region" if state.country else "country"
        groups: tuple[tables.TableRow, ...] = ()
        if level and not context.brief:
            groups = tables.build_groups(places, level, state, compared=chart.compared)
        table = tables.build_cities_table(chart, state, brief=context.brief)
        content = tables.Places(table, groups, level == "region", 0 if context.brief else chart.hidden)
        panel = replace(panel, note=_("The area of a bubble follows its number. Land: Natural Earth."), content=content)
        panel = replace(panel, count=_format_count(table, len(chart.cities)))
        return add_chart(panel, context, chart, "analytics/_cities.html")


class RegionPanel(PanelKind):
    """One region over time."""

    name = "region"
    title = gettext_lazy("Region over time")
    compares_buckets = True

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_hour_asks("city", state, country=state.country, region=state.region)

    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        column = get_column(now, context.state.metric)
        chart = charts.build_line_chart(context.state, column, now, past, ()) if column else None
        if chart is None or column is None:
            return panel
        chart = replace(chart, name="region", title=f"{context.state.region}: {chart.title}")
        panel = replace(panel, title=chart.title, note=format_explanation(column))
        return add_chart(panel, context, chart, "components/_line_chart.html")


class RankingPanel(PanelKind):
    """The most played videos."""

    name = "ranking"
    title = gettext_lazy("Most played videos")
    all_title = gettext_lazy("Full ranking")

    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        return build_total_asks("ranking", state)

    def build(self, context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel) -> AnalyticsPanel:
        compared = past is not None
        videos = rules.parse_ranking(now, past)
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
        title, label_title, is_compared = _("Ranking"), _("Video"), compared and plays
        chart = charts.build_bars(
            context.state.selection,
            "ranking",
            title,
            NAMES[metric][0],
            label_title,
            bars,
            compared=is_compared,
            absent=tables.format_not_listed(),
        )
        content = tables.build_ranking_table(videos, context.state, brief=context.brief)
        panel = replace(panel, note=chart.note, content=content, count=_format_count(content, len(videos)))
        return add_chart(panel, context, chart, "analytics/_ranking.html")


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


def parse_request(request: OwnerRequest) -> ParsedState:
    """Parse the address: its state, or its problems. Raises Http404 for an impossible video id."""
    try:
        return parse_state(request.GET, now=timezone.now(), zone=formats.zone_name())
    except UnknownVideo as unknown:
        raise Http404 from unknown


@dataclass(frozen=True)
class PanelData:
    """The panels of a page in order, and their answers by panel and query."""

    panels: tuple[AnalyticsPanel, ...]
    answers: Mapping[str, FigureAnswer]

    def of(self, panel: str) -> Answers:
        return {name.split(" ", 1)[1]: got for name, got in self.answers.items() if name.split(" ", 1)[0] == panel}


def load_panels(
    request: OwnerRequest,
    context: PanelContext,
    names: Iterable[str],
    more: Mapping[str, FigureQuery] | None = None,
    *,
    patience: float | None = None,
    draw: Callable[[AnalyticsPanel], object] | None = None,
) -> PanelData:
    """Reads and builds the panels `names`. `more` are further questions, kept under their names.

    Each panel is built, and given to `draw`, as soon as its own answers are there: those of the others may be out for long.
    """
    alone = list_requested_panels(request, tuple(names))
    asks = {name: PANEL_KINDS[name].build_queries(context.state) for name in alone}
    builder = _PanelBuilder(context, asks, draw)
    for name in alone:
        PANEL_KINDS[name].prepare(context)
    queries = {f"{name} {which}": query for name in alone for which, query in asks[name].items()}
    answers = read_figures(
        request,
        {**queries, **(more or {})},
        patience=get_full_timeout() if get_panel_name(request) else patience,
        each=builder.add,
    )
    data = PanelData((), answers)
    return replace(data, panels=tuple(builder.get(name, data.of(name)) for name in alone))


class _PanelBuilder:
    """Builds the panels of a page as their answers come."""

    def __init__(
        self,
        context: PanelContext,
        asks: Mapping[str, Collection[str]],
        draw: Callable[[AnalyticsPanel], object] | None,
    ) -> None:
        self._context = context
        self._asks, self._draw = asks, draw
        self._answers: dict[str, dict[str, FigureAnswer]] = {}
        self._panels: dict[str, AnalyticsPanel] = {}

    def add(self, name: str, answer: FigureAnswer) -> None:
        """One answer; with the last one of a panel, the panel is built."""
        panel, _space, which = name.partition(" ")
        if panel not in self._asks:
            return
        answers = self._answers.setdefault(panel, {})
        answers[which] = answer
        if answers.keys() == set(self._asks[panel]):
            self.get(panel, answers)

    def get(self, name: str, answers: Answers) -> AnalyticsPanel:
        """A panel, of these answers where it is not built yet."""
        if name not in self._panels:
            self._panels[name] = build_panel(name, self._context, answers)
            if self._draw is not None:
                self._draw(self._panels[name])
        return self._panels[name]


def get_panel_name(request: OwnerRequest) -> str:
    """The name of the panel that loads itself by this request; empty for a whole page."""
    return request.GET.get("panel", "") if request.htmx else ""


def list_requested_panels(request: OwnerRequest, names: tuple[str, ...]) -> tuple[str, ...]:
    """The panels of the page, or the requested one. Raises Http404 for an unknown one."""
    panel_name = get_panel_name(request)
    if not panel_name:
        return names
    if panel_name not in names:
        raise Http404
    return (panel_name,)
