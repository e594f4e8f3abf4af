"""Why a figure changed: its difference split by browser, site, place, video or day, out of the figures of a panel."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol, TypeVar

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.activity.recorder import actor_of
from dashboard.analytics import changes, rules
from dashboard.analytics.changes import (
    COUNTS,
    Effect,
    RateChange,
    RateEffect,
    RateSide,
    Scale,
    WhyContent,
    build_steps_content,
    split_rate,
)
from dashboard.analytics.charts import format_label
from dashboard.analytics.date_bar import AnalyticsPage, DateBar, Tab, begin_date_bar, get_titles
from dashboard.analytics.panels import (
    AnalyticsPanel,
    Answers,
    DayLinks,
    PanelContext,
    format_file_name,
    get_panel_name,
    load_panels,
)
from dashboard.analytics.rules import find_rate_columns, parse_referrer
from dashboard.analytics.state import SORTS, UNKNOWN, VIDEO_ID, AnalyticsState, get_comparison
from dashboard.analytics.tables import Places, build_site_address, prepare_city_address
from dashboard.analytics.views import with_state
from dashboard.platform_api.analytics import Row, Table
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import csv, formats
from dashboard.shared.addresses import path_of
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import BubbleMap
from dashboard.shared.csv import Cell
from dashboard.shared.entries import ROOT, Entry, Shelf, Wanted, below
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import NAMES, Metric, sum_by_label
from dashboard.shared.ranges import Days
from dashboard.upstream import library, parallel, reads
from dashboard.upstream.figures import FigureAnswer, build_video_query, get_full_timeout, trouble
from dashboard.upstream.library import KnownList, load_selection
from dashboard.upstream.parallel import Failed, Outcome, Ready

T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """Some of the videos of the account. The value of `answer` is a frozenset of their ids; it may be late, or in trouble.

    `name`: whose numbers they are, as a sentence. `unknown`: why they cannot be told. `caution`: what is left out.
    """

    answer: FigureAnswer
    name: str = ""
    unknown: str = ""
    caution: str = ""

    @property
    def videos(self) -> frozenset[str]:
        return self.answer.value or frozenset()

    @property
    def is_known(self) -> bool:
        return self.answer.value is not None and not self.unknown


@dataclass(frozen=True)
class WhySubject:
    """The panel whose figures are split, the answers they are made of, whose they are, and the page's own address.

    `scope`: the videos that count; None for all.
    """

    panel: AnalyticsPanel
    answers: Answers
    name: str
    address: str
    scope: Scope | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is known which videos count."""
        return self.scope is None or self.scope.is_known

    def list_cautions(self) -> tuple[str, ...]:
        """What is to be said of the numbers and of the videos that count."""
        return self.panel.caution, self.scope.caution if self.scope else ""

    def select(self, sums: Mapping[str, float]) -> Mapping[str, float]:
        """Of numbers by video those that count."""
        if self.scope is None:
            return sums
        return {video: number for video, number in sums.items() if video in self.scope.videos}


def load_beside(
    request: OwnerRequest, state: AnalyticsState, patience: float | None, main: Callable[[], T]
) -> tuple[T, Scope | None]:
    """What `main` returns, and the videos of the address, which are read side by side with it; None for all videos.

    They are waited for `patience` seconds (None: the page's).
    Raises `Http404` for a folder that is not there, `BadToken` for a token that was refused, and what `main` raises.
    """
    if not state.folder and not state.search:
        return main(), None
    read = partial(library.read_list, reads.of(request), Wanted(), patience)
    loaded, outcomes = parallel.beside(main, patience, listed=read)
    return loaded, _build_scope(request, state, outcomes["listed"])


def _build_scope(request: OwnerRequest, state: AnalyticsState, outcome: Outcome) -> Scope:
    if isinstance(outcome, Failed):
        return _fail(outcome.error)
    listed: KnownList | None = outcome.value if isinstance(outcome, Ready) else None
    if listed is None or listed.folders is None:
        return Scope(FigureAnswer(None))
    if isinstance(listed.folders, Failed):
        return _fail(listed.folders.error)
    if not isinstance(listed.folders, Ready):
        return Scope(FigureAnswer(None))
    ids, name = _select_folder(listed.entries, state, listed.folders.value)
    return _select_search(request, state, ids, name)


def _fail(error: CallError) -> Scope:
    if isinstance(error, BadToken):
        raise error
    return Scope(FigureAnswer(None, error=error))


def _select_folder(
    entries: Sequence[Entry], state: AnalyticsState, shelves: Sequence[Shelf]
) -> tuple[frozenset[str], str]:
    """The videos in the folder of the address and below it, or directly in it, and what the page says of them; all where it
    names none.

    Raises `Http404` for a folder that is not there.
    """
    names = {shelf.id: shelf.name for shelf in shelves}
    if state.folder not in ("", ROOT, *names):
        raise Http404
    ids = frozenset(entry.id for entry in select_folder(entries, state, shelves))
    return ids, format_folder(state, names.get(state.folder, "")) if state.folder else ""


class InFolder(Protocol):
    """What is in a folder: "" for none."""

    @property
    def folder_id(self) -> str: ...


F = TypeVar("F", bound=InFolder)


def select_folder(videos: Iterable[F], state: AnalyticsState, shelves: Iterable[Shelf]) -> tuple[F, ...]:
    """The videos in the folder of the address and below it, or directly in it; all where it names none."""
    if not state.folder:
        return tuple(videos)
    if state.folder == ROOT:
        known = {shelf.id for shelf in shelves}
        return tuple(video for video in videos if video.folder_id not in known)
    places = {state.folder} if state.directly else below(state.folder, shelves).keys()
    return tuple(video for video in videos if video.folder_id in places)


def _select_search(request: OwnerRequest, state: AnalyticsState, ids: frozenset[str], name: str) -> Scope:
    """Of these videos those that match the search of the address, if it has one."""
    if not state.search:
        return Scope(FigureAnswer(ids), name)
    try:
        selection = load_selection(request.account, state.search, actor_of(request, request.account))
    except CallError as error:
        return _fail(error)
    caution = ""
    if not selection.complete:
        caution = _("Not all that the search asks for is known of every video yet. Videos that may match are left out.")
    name = " ".join(filter(None, (name, format_search(state))))
    return Scope(FigureAnswer(ids.intersection(selection.ids)), name, selection.problem, caution)


def format_search(state: AnalyticsState) -> str:
    """Whose numbers they are: those of a search."""
    return _("Videos that match “%(search)s”.") % {"search": state.search}


def format_folder(state: AnalyticsState, name: str) -> str:
    """Whose numbers they are: those of a folder called `name`."""
    if state.folder == ROOT:
        return _("Videos in no active folder.")
    text = _("Videos directly in “%(folder)s”.") if state.directly else _("Videos in “%(folder)s” and below it.")
    return text % {"folder": name}


def list_sides(subject: WhySubject, state: AnalyticsState) -> list[Side] | None:
    """Each video's number in both periods; one that a ranking does not list has 0 there. None where they are not told."""
    tables = find_tables(subject, state)
    if tables is None:
        return None
    sums = [_sum_metric(table, state.metric) for table in tables]
    if sums[0] is None or sums[1] is None:
        return None
    now, past = (subject.select(side) for side in (sums[0], sums[1]))
    titles = list_titles(tables)
    return [
        Side(
            titles.get(key) or format_label(key), now.get(key, 0.0), past.get(key, 0.0), build_video_address(key, state)
        )
        for key in dict.fromkeys((*now, *past))
    ]


def find_tables(subject: WhySubject, state: AnalyticsState) -> tuple[Table, Table] | None:
    """The answers about both periods; None where one is not there."""
    now = subject.answers.get("now")
    past, _caution = get_comparison(state, subject.answers)
    if now is None or now.value is None or now.value.table is None or past is None:
        return None
    return now.value.table, past


def _sum_metric(table: Table, metric: Metric) -> dict[str, float] | None:
    """What each video has of a metric; None where the ranking does not tell it, or names no videos."""
    column = next((name for name in NAMES[metric] if name in table.columns), None)
    if column is None or not (table.is_named or any(row.video_id for row in table.rows)):
        return None if table.rows else {}
    return sum_videos(table, column)


def sum_videos(table: Table, column: str) -> dict[str, float]:
    """What each video has in a column, by its id."""
    sums: dict[str, float] = {}
    for row in table.rows:
        if column in row.metrics:
            sums[_get_key(row)] = sums.get(_get_key(row), 0.0) + row.metrics[column]
    return sums


def _get_key(row: Row) -> str:
    return row.video_id or row.label


def list_titles(tables: Sequence[Table]) -> Mapping[str, str]:
    """Titles by id, of those videos that have one; the first table's before those of the others."""
    rows = [row for table in reversed(tables) for row in table.rows]
    return {row.video_id: row.label for row in rows if row.label != row.video_id}


def build_video_address(key: str, state: AnalyticsState) -> str:
    """A video's own page of analytics; "" for what the ranking gives no id."""
    query = state.query(video=key, folder=None, directly=None, search=None, sort=None, find=None)
    return f"{path_of('analytics:browsers')}?{query}" if VIDEO_ID.fullmatch(key) else ""


def format_ranked() -> str:
    """Which videos count where two rankings are compared."""
    return _("Only videos that are ranked count; one that only one of the two rankings lists is 0 in the other.")


SPLITS: Final = {
    "browsers": "browsers",
    "referrers": "referrers",
    "countries": "cities",
    "videos": "ranking",
    "days": "days",
    "cities": "cities",
    "sites": "referrers",
}
"""The panel whose figures each split uses, by the word in the address."""
NUMBERS: Final = ("cities", "sites")
"""Splits of a number of things: of the cities with viewers, of the sites that sent viewers."""


def build_split_names() -> dict[str, str]:
    """What a number can be split by, and a rate as well, as tabs say it."""
    return {
        "browsers": _("By browser"),
        "referrers": _("By site"),
        "countries": _("By country"),
        "videos": _("By video"),
    }


def build_split_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change: those that the platform tells of what the page is about. A number of things has one, and so
    has a folder or a search.
    """
    names = {**build_split_names(), "days": _("By day")}
    if state.site or state.city:
        splits: tuple[str, ...] = ("days",)
    elif state.region:
        splits, names["countries"] = ("countries", "days"), _("By city")
    elif state.country:
        splits, names["countries"] = ("countries",), _("By region")
    else:
        splits = ("browsers", "days") if state.videos else tuple(names)
    if current in NUMBERS or state.folder or state.search:
        return ()
    query = state.query()
    return tuple(Tab(names[name], f"{path_of('analytics:why', name)}?{query}", name == current) for name in splits)


def format_label_title(split: str, state: AnalyticsState) -> str:
    """What the parts are called."""
    if split == "countries" and state.country:
        return _("City") if state.region else _("Region")
    return {
        "browsers": _("Browser"),
        "referrers": _("Site"),
        "countries": _("Country"),
        "videos": _("Video"),
        "days": _("Day"),
        "cities": _("Country"),
        "sites": _("Site"),
    }[split]


def format_place(state: AnalyticsState) -> str:
    """The city, region and country, or the site, of the address; "" for the whole account."""
    country = formats.country_name(state.country) if state.country else ""
    names = (state.site,) if state.site else (state.city, state.region, country)
    return ", ".join(format_label("" if name == UNKNOWN else name) for name in names if name)


def split_subject(subject: WhySubject, split: str, state: AnalyticsState) -> SplitChange | None:
    """The difference that a panel's figures show, split; None where nothing is compared."""
    if split == "videos":
        videos = list_sides(subject, state)
        return None if videos is None else split_change(videos)
    chart, addresses = subject.panel.chart, _list_addresses(subject.panel)
    if isinstance(chart, BarChart) and chart.compared:
        if split == "sites":
            return split_change(_count_sites(chart, state))
        return split_change(
            Side(bar.label, bar.value, bar.past or 0.0, _find_bar_address(bar, split, state, addresses))
            for bar in chart.bars
        )
    if isinstance(chart, BubbleMap) and chart.compared:
        if split == "cities":
            return split_change(_sum_places(chart, state, addresses, lambda value: float(value > 0)))
        return split_change(_sum_places(chart, state, addresses))
    return None


def _find_bar_address(bar: Bar, split: str, state: AnalyticsState, addresses: Mapping[str, str]) -> str:
    """Where a bar leads: a site to its days, any other by its label."""
    return build_site_address(bar.key, state) if split == "referrers" else addresses.get(bar.label, "")


def _list_addresses(panel: AnalyticsPanel) -> Mapping[str, str]:
    """Where the labels of a panel lead: places to their cities, days to their own page of analytics."""
    if isinstance(panel.content, DayLinks):
        return panel.content.addresses
    if isinstance(panel.content, Places):
        cities = path_of("analytics:cities")
        return {group.label: f"{cities}{group.address}" for group in panel.content.groups}
    return {}


def _sum_places(
    chart: BubbleMap,
    state: AnalyticsState,
    addresses: Mapping[str, str],
    measure: Callable[[float], float] = float,
) -> Iterable[Side]:
    """The countries; of one its regions, of a region its cities. `measure`: what a city with its viewers adds."""
    if state.region:
        build_address = prepare_city_address(state)
        for city in chart.cities:
            yield Side(city.name, measure(city.value), measure(city.past or 0.0), build_address(city))
        return
    sums: dict[str, list[float]] = {}
    for city in chart.cities:
        pair = sums.setdefault(city.region if state.country else city.country, [0.0, 0.0])
        pair[0] += measure(city.value)
        pair[1] += measure(city.past or 0.0)
    unknown = _("Region not told") if state.country else _("Country not told")
    for place, (now, past) in sums.items():
        yield Side(place or unknown, now, past, addresses.get(place, ""))


def _count_sites(chart: BarChart, state: AnalyticsState) -> Iterable[Side]:
    """How many addresses of each host sent viewers."""
    hosts: dict[str, list[Bar]] = {}
    for bar in chart.bars:
        hosts.setdefault(parse_referrer(bar.label).host, []).append(bar)
    referrers = f"{path_of('analytics:referrers')}?{state.query()}"
    for host, bars in hosts.items():
        now, past = sum(bar.value > 0 for bar in bars), sum(bool(bar.past) for bar in bars)
        yield Side(host, now, past, build_site_address(bars[0].key, state) if len(bars) == 1 else referrers)


@dataclass(frozen=True)
class Explanation:
    """A difference that is split, how its numbers are printed, and what is said of it."""

    difference: SplitChange
    notes: list[str]
    scale: Scale = COUNTS
    note_title: str = ""


Explain = Callable[[WhySubject, str, AnalyticsState], Explanation | None]
"""Splits what a page is about; None where that cannot be told."""


def explain_figure(subject: WhySubject, split: str, state: AnalyticsState) -> Explanation | None:
    """The difference of a figure."""
    difference = split_subject(subject, split, state)
    notes = [_("The parts add up exactly to the difference.")]
    if split == "videos":
        notes.append(format_ranked())
    if split == "days":
        notes.append(_("Each day is compared with the same day of the earlier period."))
    return None if difference is None else Explanation(difference, [*notes, *subject.list_cautions()])


def build_content(
    subject: WhySubject, split: str, state: AnalyticsState, explain: Explain = explain_figure, file: str = "why_file"
) -> WhyContent:
    """The parts of the change, or why it cannot be split. `file`: the view of all parts."""
    explained, windows = explain(subject, split, state) if subject.is_known else None, state.selection.windows
    if explained is None or windows.compared is None:
        return WhyContent(unknown=explain_unknown(subject, state))
    has_changed = explained.difference.change or explained.difference.parts
    return build_steps_content(
        explained.difference,
        format_label_title(split, state),
        (windows.counted, windows.compared),
        explained.scale,
        explained.note_title,
        note=" ".join(filter(None, explained.notes if has_changed else subject.list_cautions())),
        csv=f"{path_of(f'analytics:{file}', split)}?{state.query()}",
    )


def explain_unknown(subject: WhySubject, state: AnalyticsState) -> str:
    """Why there are no parts."""
    if subject.scope and subject.scope.unknown:
        return subject.scope.unknown
    if state.selection.windows.compared is None:
        return _("Choose a period to compare with in the date bar.")
    return subject.panel.caution or _(
        "The platform's answer doesn't contain these numbers, so the change can't be split."
    )


RANKED: Final = (Metric.VIEWS, Metric.PLAYS)
"""What a ranking tells of each video."""


@require_safe
def why_first(request: OwnerRequest) -> HttpResponse:
    """Lead to the first split of the same days."""
    query = request.META["QUERY_STRING"]
    return redirect(f"{path_of('analytics:why', next(iter(SPLITS)))}{'?' if query else ''}{query}")


@with_state
def why(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The parts of the change, by one split."""
    state = clean_state(state, split)
    title, tabs = _format_title(split, state), build_split_tabs(state, split)
    bar = begin_date_bar(request, state, RANKED if split == "videos" else tuple(Metric), grains=False)
    return _render(request, state, split, "why", explain_figure, title, tabs, bar)


def _render(
    request: OwnerRequest,
    state: AnalyticsState,
    split: str,
    view: str,
    explain: Explain,
    title: str,
    tabs: tuple[Tab, ...],
    bar: Callable[[], DateBar],
) -> HttpResponse:
    """The page of the parts, or for a panel that loads itself the parts alone."""
    subject = load_subject(request, state, split, f"analytics:{view}")
    context = {
        "panel": subject.panel,
        "content": build_content(subject, split, state, explain, f"{view}_file"),
    }
    if get_panel_name(request):
        return render(request, "analytics/_why_panel.html", context)
    page = AnalyticsPage(title, subject.name, tabs, bar=bar(), address=subject.address, zip_address="")
    return render(request, "analytics/why.html", {"page": page, **context})


@with_state
def why_file(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The same parts as CSV; without a comparison, the page, which says why there are none."""
    state = clean_state(state, split)
    subject = load_subject(request, state, split, "analytics:why")
    difference = split_subject(subject, split, state) if subject.is_known else None
    if difference is None:
        return redirect(f"{path_of('analytics:why', split)}?{state.query()}")
    heads, rows = changes.build_table(difference, format_label_title(split, state))
    return csv.download(csv.written(heads, rows), format_file_name(f"why-{split}", state, "csv"))


def clean_state(state: AnalyticsState, split: str) -> AnalyticsState:
    """The state with the totals of the days: what is compared. Of one video only browsers and days are told, of a folder and
    of a search videos.

    Raises Http404 for an unknown split.
    """
    if split not in SPLITS:
        raise Http404
    state = replace(
        state,
        selection=replace(state.selection, granularity=Granularity.TOTAL),
        videos=state.videos[:1] if split in ("browsers", "days") else (),
        cause="",
        sort=SORTS[0],
        find="",
    )
    if split == "videos":
        state = replace(state, metric=state.metric if state.metric in RANKED else Metric.PLAYS)
    else:
        state = replace(state, folder="", directly=False, search="")
    if split not in ("countries", "days") or state.videos or state.site:
        state = replace(state, country="", region="", city="")
    if split != "days" or state.videos:
        state = replace(state, city="", site="")
    if split == "days" and not (state.region or state.city):
        state = replace(state, country="")  # the days of a whole country are not told
    return state


def load_subject(request: OwnerRequest, state: AnalyticsState, split: str, page: str) -> WhySubject:
    """What a page of a split is about. Raises `Missing` for a video of another account, Http404 for a folder of one."""
    panel_name = SPLITS[split]
    more = {f"video {video}": build_video_query(video) for video in state.videos}
    load = partial(load_panels, request, PanelContext(request.account.pk, state), (panel_name,), more)
    patience = get_full_timeout() if get_panel_name(request) else None
    panel_data, scope = load_beside(request, state, patience, load)
    name = (scope and scope.name) or format_place(state)
    if state.videos:
        name = get_titles(state.videos, panel_data.answers)[state.videos[0]]
    address = f"{path_of(page, split)}?"
    panel = replace(
        panel_data.panels[0], retry=f"{address}{state.query()}", fragment=f"{address}{state.query(panel=panel_name)}"
    )
    return WhySubject(
        panel=panel if scope is None else _add_scope(panel, scope),
        answers=panel_data.of(panel_name),
        name=name or _("All videos of %(account)s.") % {"account": request.account.name},
        address=request.build_absolute_uri(f"{address}{state.query()}"),
        scope=scope,
    )


def _add_scope(panel: AnalyticsPanel, scope: Scope) -> AnalyticsPanel:
    """The panel, which cannot be split while its videos are late or in trouble."""
    if scope.answer.late:
        return replace(panel, late=True)
    return replace(panel, trouble=trouble(scope.answer)) if scope.answer.error else panel


def _format_title(split: str, state: AnalyticsState) -> str:
    if split == "cities":
        return _("Why did the number of cities with viewers change?")
    if split == "sites":
        return _("Why did the number of sites that sent viewers change?")
    return {
        Metric.VIEWS: _("Why did views change?"),
        Metric.PLAYS: _("Why did plays change?"),
        Metric.VIEWERS: _("Why did unique viewers change?"),
        Metric.PLAYERS: _("Why did the number of people who played change?"),
    }[state.metric]


RATE_SPLITS: Final = ("browsers", "referrers", "countries", "videos")


def build_scale(change: RateChange) -> Scale:
    """Two digits of the change, in points; of one that is zero, of its largest part."""
    size = abs(change.now - change.past) or max((abs(row.size) for row in change.effects), default=0.0)
    digits = figures.get_point_digits(size)
    step = 0.01 / 10**digits
    return Scale(
        step,
        lambda value: figures.percent(value * step, digits),
        lambda value: figures.points(value * step, digits),
        is_share=True,
    )


def build_rate_address(split: str, state: AnalyticsState) -> str:
    """The page of a split, of the same days."""
    return f"{path_of('analytics:rate_why', split)}?{state.query(page=None, metric=None, country=None, region=None)}"


def build_rate_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change. Of one video the platform tells browsers alone; a folder or a search has one."""
    if state.folder or state.search:
        return ()
    names = build_split_names()
    if state.videos:
        names = {"browsers": names["browsers"]}
    return tuple(Tab(text, build_rate_address(name, state), name == current) for name, text in names.items())


def load_change(subject: WhySubject, split: str, state: AnalyticsState) -> RateChange | None:
    """The change of the rate, split; None where it cannot be told in both periods."""
    tables = find_tables(subject, state) if subject.is_known else None
    return None if tables is None else split_rate(_list_sides(tables, split, subject, state))


def _list_sides(
    tables: tuple[Table, Table], split: str, subject: WhySubject, state: AnalyticsState
) -> Iterable[RateSide]:
    """Plays and views of each label of both answers; nothing where one of them does not count the same two."""
    now, past = tables
    columns = find_rate_columns(now)
    if columns is None or find_rate_columns(past) != columns:
        return
    names, windows = _list_names(tables, split, subject), state.selection.windows
    sums = [
        subject.select(_sum_column(table, column, days, split, state))
        for table, days in ((now, windows.counted), (past, windows.compared))
        for column in columns
        if days is not None
    ]
    absent = None if split == "videos" else 0.0  # a ranking has an end: what it does not list may have been viewed
    for key in dict.fromkeys(key for side in sums for key in side):
        plays, views, past_plays, past_views = (side.get(key, absent) for side in sums)
        address = _find_address(key, split, state)
        yield RateSide(
            names.get(key) or format_label(key),
            plays,
            views,
            past_plays=past_plays,
            past_views=past_views,
            address=address,
        )


def _sum_column(table: Table, column: str, days: Days, split: str, state: AnalyticsState) -> Mapping[str, float]:
    """A column by what the split tells apart."""
    if split == "countries":
        places = rules.parse_places(table.rows, (), column)
        return {country: now for country, now, _past in rules.group_places(places, "country")}
    if split == "videos":
        return sum_videos(table, column)
    zone, grain = state.selection.zone, state.selection.by_day().granularity
    return sum_by_label(table.rows, column, days=days, zone=zone, granularity=grain)


def _list_names(tables: tuple[Table, Table], split: str, subject: WhySubject) -> Mapping[str, str]:
    """How labels are shown, where that is not how the platform names them."""
    if split == "countries":
        codes = {row.country for table in tables for row in table.rows if row.country}
        return {"": _("Country not told"), **{code: formats.country_name(code) for code in codes}}
    return list_titles(tables) if split == "videos" else {}


def _find_address(key: str, split: str, state: AnalyticsState) -> str:
    """Where a part leads: a country to its cities, a video to its own page, a site to its days."""
    if split == "countries":
        return f"{path_of('analytics:cities')}?{state.query(country=key, region=None)}" if key else ""
    if split == "videos":
        return build_video_address(key, state)
    if split == "referrers":
        return build_site_address(key, state)
    return f"{path_of('analytics:browsers')}?{state.query()}"


def split_effects(change: RateChange, scale: Scale) -> SplitChange:
    """The effects as parts, in steps of the scale."""
    sides = [
        Side(
            _name_effect(row),
            row.size / scale.step,
            past=0.0,
            address=row.side.address,
            note=_tell_effect(row),
            subject=row.side,
        )
        for row in change.effects
    ]
    return split_change(sides, base=change.past / scale.step)


def _name_effect(row: RateEffect) -> str:
    text = _("%(label)s: play rate") if row.effect is Effect.RATE else _("%(label)s: share of views")
    return text % {"label": row.side.label}


def _tell_effect(row: RateEffect) -> str:
    """Both sides of an effect. A rate changed only where it is known on both."""
    side = row.side
    past, now = side.past_rate, side.rate
    if row.effect is Effect.SHARE:
        past = None if side.past_views is None else row.past_share
        now = None if side.views is None else row.share
    return _("%(past)s before, %(now)s now") % {"past": _format_side(past), "now": _format_side(now)}


def _format_side(value: float | None) -> str:
    return _("not listed") if value is None else figures.percent(value)


def explain_rate(subject: WhySubject, split: str, state: AnalyticsState) -> Explanation | None:
    """The difference of the play rate: what the rates of the parts changed, and what their shares of the views did."""
    change = load_change(subject, split, state)
    if change is None:
        return None
    scale = build_scale(change)
    difference = split_effects(change, scale)
    sums = {effect.value: scale.format_signed(size) for effect, size in sum_effects(change, difference, scale).items()}
    notes = [
        _("Play rates themselves changed it by %(rate)s, shares of the views by %(share)s.") % sums,
        _("The parts add up exactly to the difference."),
        *subject.list_cautions(),
        *(_list_ranking_notes(subject, state) if split == "videos" else ()),
    ]
    return Explanation(difference, notes, scale, _("Before and now"))


def _list_ranking_notes(subject: WhySubject, state: AnalyticsState) -> list[str]:
    """What is said of two rankings: which videos count, and what the totals are of where one of them may be cut."""
    rankings = [rules.parse_ranking(table, None) for table in find_tables(subject, state) or ()]
    notes = [format_ranked()]
    if not all(rules.count_ranked(ranking, lambda video: video.views)[1] for ranking in rankings):
        notes.append(_("The platform may not list every video: both rates are of the videos that are listed."))
    return notes


def sum_effects(change: RateChange, difference: SplitChange, scale: Scale) -> dict[Effect, int]:
    """What all parts added by each effect, in steps of the scale; what rounding leaves over goes to the larger effect."""
    exact = {effect: change.sum_effect(effect) for effect in Effect}
    sizes = {effect: round(size / scale.step) for effect, size in exact.items()}
    largest = max(Effect, key=lambda effect: abs(exact[effect]))
    sizes[largest] += difference.change - sum(sizes.values())
    return sizes


def build_file(change: RateChange, split: str, state: AnalyticsState) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file: every effect, in points."""
    heads = [
        format_label_title(split, state),
        _("Plays before"),
        _("Views before"),
        _("Plays now"),
        _("Views now"),
        _("By its play rate, points"),
        _("By its share of views, points"),
    ]
    sizes: dict[RateSide, dict[Effect, float]] = {}
    for row in change.effects:
        sizes.setdefault(row.side, {})[row.effect] = row.size
    rows: list[list[Cell]] = [
        [
            side.label, side.past_plays, side.past_views, side.plays, side.views,
            *(round(by_effect.get(effect, 0.0) * 100, 6) for effect in Effect),
        ]
        for side, by_effect in sorted(sizes.items(), key=lambda item: (-abs(sum(item[1].values())), item[0].label))
    ]  # fmt: skip
    return heads, rows


@with_state
def rate_why(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The parts of the change, by one split."""
    state = _clean_rate_state(state, split)
    title, tabs = _("Why did the play rate change?"), build_rate_tabs(state, split)
    bar = begin_date_bar(request, state, (), grains=False)
    return _render(request, state, split, "rate_why", explain_rate, title, tabs, bar)


@with_state
def rate_why_file(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """Every part as CSV; where nothing can be compared, the page, which says why."""
    state = _clean_rate_state(state, split)
    subject = load_subject(request, state, split, "analytics:rate_why")
    change = load_change(subject, split, state)
    if change is None:
        return redirect(build_rate_address(split, state))
    heads, rows = build_file(change, split, state)
    return csv.download(csv.written(heads, rows), format_file_name(f"why-rate-{split}", state, "csv"))


def _clean_rate_state(state: AnalyticsState, split: str) -> AnalyticsState:
    """What of the address counts here. Raises Http404 for an unknown split."""
    if split not in RATE_SPLITS:
        raise Http404
    return replace(clean_state(state, split), metric=Metric.VIEWS, country="", region="")
