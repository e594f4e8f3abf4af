"""Tables of analytics: referrers, ranking, cities, traffic. Sorting and paging live in the address."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.analytics import rules
from dashboard.analytics.rules import PlaceFigures, RankedVideo
from dashboard.analytics.state import (
    SITE_MOST,
    SORTS,
    VIDEO_ID,
    AnalyticsState,
    build_why_address,
    clean_label,
    clean_name,
    vary_why_address,
)
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import BubbleMap, City
from dashboard.shared.charts.figures import Change, Numbers, Unit, build_change
from dashboard.shared.metrics import Metric

ROWS = 50
BRIEF = 6
BRIEF_CITIES = 9

T = TypeVar("T")


@dataclass(frozen=True)
class TableHead:
    """A column's heading; `address` sorts by it, `sort` says whether it is sorted."""

    text: str
    numeric: bool = False
    address: str = ""
    sort: str = "none"


@dataclass(frozen=True)
class Paging:
    """Where one is in a long table: the addresses before and after are "" at its ends."""

    first: int
    last: int
    count: int
    previous: str
    following: str


class TableRow(NamedTuple):
    """A row: what it is about, its numbers as they are printed, and how it changed.

    `note` stands beside its name. `change` is None where nothing is compared. `why`: the page that splits the change.
    """

    label: str
    cells: tuple[str, ...]
    change: Change | None = None
    why: str = ""
    address: str = ""
    note: str = ""
    shapes: SafeString = SafeString("")


@dataclass(frozen=True)
class PanelTable:
    """Heads, rows, paging. `query` is that of the sparklines of the rows."""

    heads: tuple[TableHead, ...]
    rows: tuple[TableRow, ...]
    paging: Paging | None = None
    brief: bool = False
    query: str = ""


@dataclass(frozen=True)
class Places:
    """The table of cities, the countries (or the regions of one) that can be opened, and how many cities the map leaves out."""

    table: PanelTable
    groups: tuple[TableRow, ...]
    are_regions: bool
    hidden: int


def build_referrers_table(chart: BarChart, state: AnalyticsState, *, brief: bool) -> PanelTable:
    """The sites of a bar chart as a table."""
    bars = sort_items(chart.bars, state, brief=brief, name=_format_site, move=_get_bar_change)
    page_bars, paging = paginate(bars, state, BRIEF if brief else ROWS, brief=brief)
    heads = _build_heads(state, _("Site"), str(chart.measure.title), compared=chart.compared, brief=brief)
    return PanelTable(heads, tuple(_build_referrer_row(bar, chart, state) for bar in page_bars), paging, brief)


def _format_site(bar: Bar) -> str:
    """A site as it is shown: https:// is not, so it does not sort either."""
    site = rules.parse_referrer(bar.label)
    return f"{site.host} {site.path}".casefold()


def _get_bar_change(bar: Bar) -> float:
    return _get_change(bar.value, bar.past)


def _get_change(now: float, past: float | None) -> float:
    return 0.0 if past is None else (now / past - 1) if past else (float("inf") if now else 0.0)


def _build_referrer_row(bar: Bar, chart: BarChart, state: AnalyticsState) -> TableRow:
    site = rules.parse_referrer(bar.label)
    share = figures.percent(bar.value / chart.total if chart.total else 0)
    return TableRow(
        site.host,
        (figures.format_value(bar.value, chart.measure.unit), share),
        build_change(bar.value, bar.past),
        build_site_address(bar.key, state) if bar.past is not None else "",
        address=site.href,
        note=site.path,
    )


def build_site_address(key: str, state: AnalyticsState) -> str:
    """The page that splits the change of a site by day; "" is the site that the platform does not name."""
    return build_why_address("days", state, site=clean_label(key, SITE_MOST), country=None, region=None, video=None)


def build_cities_table(chart: BubbleMap, state: AnalyticsState, *, brief: bool) -> PanelTable:
    """The cities of a map as a table."""
    ordered_cities = sort_items(
        chart.cities, state, brief=brief, name=lambda city: city.name.casefold(), move=_get_city_change
    )
    page_cities, paging = paginate(ordered_cities, state, BRIEF_CITIES if brief else ROWS, brief=brief)
    heads = _build_heads(state, _("City"), str(chart.measure.title), compared=chart.compared, brief=brief, share=False)
    numbers, build_address = figures.get_numbers(), prepare_city_address(state)
    rows = tuple(_build_city_row(city, chart.measure.unit, numbers, build_address) for city in page_cities)
    return PanelTable(heads, rows, paging)


def _get_city_change(city: City) -> float:
    return _get_change(city.value, city.past)


def _build_city_row(city: City, unit: Unit, numbers: Numbers, build_address: Callable[[City], str]) -> TableRow:
    return TableRow(
        city.name,
        (numbers.format_value(city.value, unit),),
        build_change(city.value, city.past, numbers),
        build_address(city) if city.past is not None else "",
        note=", ".join(filter(None, (city.region, city.country))),
    )


def prepare_city_address(state: AnalyticsState) -> Callable[[City], str]:
    """The page that splits the change of a city by day; "" without a region, which the platform asks for days of a city."""
    vary = vary_why_address("days", state, "country", "region", "city", video=None)

    def build_address(city: City) -> str:
        country, region = clean_name(city.country_code or state.country), clean_name(city.region or state.region)
        return vary(country, region, clean_label(city.key)) if region else ""

    return build_address


def build_groups(
    places: Sequence[PlaceFigures], level: str, state: AnalyticsState, *, compared: bool
) -> tuple[TableRow, ...]:
    """The countries, or the regions of one, largest first, each leading one level deeper."""
    sums_by_name = rules.group_places(places, level)
    total = sum(now for _name, now, _past in sums_by_name)
    numbers, vary, vary_why = (
        figures.get_numbers(),
        state.vary(level, page=None),
        vary_why_address("countries", state, level),
    )
    return tuple(
        TableRow(
            formats.country_name(name) if level == "country" else name,
            (numbers.count(now), numbers.percent(now / total if total else 0)),
            build_change(now, past if compared else None, numbers),
            vary_why(name) if compared else "",
            address=f"?{vary(name)}",
        )
        for name, now, past in sums_by_name
        if name
    )


def build_ranking_table(videos: Sequence[RankedVideo], state: AnalyticsState, *, brief: bool) -> PanelTable:
    """The ranking as a table. Columns that the answer does not have are left out by their empty words."""
    page_videos, paging = paginate(videos, state, BRIEF if brief else ROWS, brief=brief)
    start = 1 if brief else (state.page - 1) * ROWS + 1
    rows = tuple(_build_ranked_row(start + index, video, state) for index, video in enumerate(page_videos))
    return PanelTable((), rows, paging, query=state.query(video=None, page=None))


def _build_ranked_row(place: int, video: RankedVideo, state: AnalyticsState) -> TableRow:
    known = bool(VIDEO_ID.fullmatch(video.video_id))
    here = {"video": video.video_id, "country": None, "region": None}
    return TableRow(
        video.title or video.video_id or _("untitled"),
        (figures.count(place), *map(_format_count, (video.views, video.plays)), _format_rate(video)),
        build_change(video.plays or 0, video.past_plays) if video.listed else Change(format_not_listed()),
        build_why_address("browsers", state, metric=Metric.PLAYS.value, **here) if known and video.listed else "",
        address=f"{path_of('analytics:browsers')}?{state.query(**here, page=None)}" if known else "",
        note=video.video_id if known else "",
    )


def format_not_listed() -> str:
    """A video that the earlier ranking does not name: nobody knows how often it was played then."""
    return _("not in the earlier list")


def _format_rate(video: RankedVideo) -> str:
    if video.rate is None:
        return ""
    share = figures.percent(video.rate)
    return _("%(share)s of unique viewers") % {"share": share} if video.of_people else share


def _format_count(value: float | None) -> str:
    return "" if value is None else figures.count(value)


def sort_items(
    items: Sequence[T], state: AnalyticsState, *, brief: bool, name: Callable[[T], str], move: Callable[[T], float]
) -> Sequence[T]:
    """The items as the address sorts them; they come sorted by value."""
    if brief or state.sort == SORTS[0]:
        return items
    return sorted(items, key=name) if state.sort == "name" else sorted(items, key=lambda item: -move(item))


def paginate(items: Sequence[T], state: AnalyticsState, rows: int, *, brief: bool) -> tuple[Sequence[T], Paging | None]:
    """One page of the items. A page beyond the last shows the last one."""
    if brief or len(items) <= rows:
        return items[:rows], None
    page = min(state.page, -(-len(items) // rows))
    paging = build_paging(page, rows, len(items), lambda page: f"?{state.query(page=page if page > 1 else None)}")
    return items[(page - 1) * rows : page * rows], paging


def build_paging(page: int, rows: int, count: int, build_address: Callable[[int], str]) -> Paging | None:
    """Where a page of a list with `count` rows is; None where all are on one. `build_address` is that of a page."""
    if count <= rows:
        return None
    last = min(page * rows, count)
    before, after = build_address(page - 1) if page > 1 else "", build_address(page + 1) if last < count else ""
    return Paging((page - 1) * rows + 1, last, count, previous=before, following=after)


def _build_heads(
    state: AnalyticsState, name: str, measure: str, *, compared: bool, brief: bool, share: bool = True
) -> tuple[TableHead, ...]:
    heads = [
        _build_head(state, name, "name", numeric=False, brief=brief),
        _build_head(state, measure, "value", numeric=True, brief=brief),
    ]
    if share and not brief:
        heads.append(TableHead(_("Share of total"), numeric=True))
    if compared:
        heads.append(_build_head(state, _("Change"), "change", numeric=True, brief=brief))
    return tuple(heads)


def _build_head(state: AnalyticsState, text: str, sort: str, *, numeric: bool, brief: bool) -> TableHead:
    if brief:
        return TableHead(text, numeric)
    current = state.sort == sort
    order = "ascending" if sort == "name" else "descending"
    return TableHead(text, numeric, f"?{state.query(sort=sort, page=None)}", order if current else "none")
