"""Tables of analytics: referrers, ranking, cities. Rows are ready strings; sorting and paging live in the address."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.analytics import rules
from dashboard.analytics.pages import Change, change
from dashboard.analytics.rules import Place, Ranked
from dashboard.analytics.state import SORTS, VIDEO_ID, State
from dashboard.shared import formats
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import BubbleMap, City

ROWS = 50
BRIEF = 6
BRIEF_CITIES = 9

T = TypeVar("T")


@dataclass(frozen=True)
class Head:
    """A column's heading; `address` sorts by it, `sorted_down` and `sorted_up` say whether it is sorted."""

    text: str
    numeric: bool = False
    address: str = ""
    sort: str = "none"


@dataclass(frozen=True)
class Paging:
    """Where one is in a long table."""

    words: str
    previous: str
    following: str


@dataclass(frozen=True)
class ReferrerRow:
    """One site that sent viewers. `href` only where the text is a plain web address."""

    host: str
    path: str
    href: str
    value: str
    share: str
    change: Change | None


@dataclass(frozen=True)
class RankedRow:
    """One video of the ranking."""

    place: str
    title: str
    address: str
    spark: str
    views: str
    plays: str
    rate: str
    change: Change | None


@dataclass(frozen=True)
class CityRow:
    """One city."""

    name: str
    place: str
    value: str
    change: Change | None


@dataclass(frozen=True)
class GroupRow:
    """A country or a region that can be opened."""

    name: str
    address: str
    value: str
    share: str
    change: Change | None


@dataclass(frozen=True)
class Table:
    """Heads, rows, paging."""

    heads: tuple[Head, ...]
    rows: tuple[object, ...]
    paging: Paging | None = None
    brief: bool = False


def referrers(chart: BarChart, state: State, *, brief: bool) -> Table:
    """The sites of a bar chart as a table."""
    bars = ordered(chart.bars, state, brief=brief, name=_shown_site, move=_bar_move)
    page_bars, paging = paged(bars, state, BRIEF if brief else ROWS, brief=brief)
    heads = _heads(state, _("Site"), str(chart.measure.title), compared=chart.compared, brief=brief)
    return Table(heads, tuple(_referrer_row(bar, chart) for bar in page_bars), paging, brief)


def _shown_site(bar: Bar) -> str:
    """A site as it is shown: https:// is not, so it does not sort either."""
    site = rules.referrer(bar.label)
    return f"{site.host} {site.path}".casefold()


def _bar_move(bar: Bar) -> float:
    return _moved(bar.value, bar.past)


def _moved(now: float, past: float | None) -> float:
    return 0.0 if past is None else (now / past - 1) if past else (float("inf") if now else 0.0)


def _referrer_row(bar: Bar, chart: BarChart) -> ReferrerRow:
    site = rules.referrer(bar.label)
    return ReferrerRow(
        site.host,
        site.path,
        site.href,
        figures.shown(bar.value, chart.measure.unit),
        figures.percent(bar.value / chart.total if chart.total else 0),
        change(bar.value, bar.past),
    )


def cities(chart: BubbleMap, state: State, *, brief: bool) -> Table:
    """The cities of a map as a table."""
    ordered_cities = ordered(chart.cities, state, brief=brief, name=lambda city: city.name.casefold(), move=_city_move)
    page_cities, paging = paged(ordered_cities, state, BRIEF_CITIES if brief else ROWS, brief=brief)
    heads = _heads(state, _("City"), str(chart.measure.title), compared=chart.compared, brief=brief, share=False)
    return Table(heads, tuple(_city_row(city, chart) for city in page_cities), paging)


def _city_move(city: City) -> float:
    return _moved(city.value, city.past)


def _city_row(city: City, chart: BubbleMap) -> CityRow:
    place = ", ".join(part for part in (city.region, city.country) if part)
    return CityRow(city.name, place, figures.shown(city.value, chart.measure.unit), change(city.value, city.past))


def groups(places: Sequence[Place], level: str, state: State, *, compared: bool) -> tuple[GroupRow, ...]:
    """The countries, or the regions of one, largest first, each leading one level deeper."""
    sums_by_name = rules.grouped(places, level)
    total = sum(now for _name, now, _past in sums_by_name)
    groups = []
    for name, now, past in sums_by_name:
        if not name:
            continue
        address = state.query(**{level: name, "page": None})
        label = formats.country_name(name) if level == "country" else name
        groups.append(
            GroupRow(
                label,
                f"?{address}",
                figures.count(now),
                figures.percent(now / total if total else 0),
                change(now, past if compared else None),
            )
        )
    return tuple(groups)


def ranking(videos: Sequence[Ranked], state: State, *, brief: bool) -> Table:
    """The ranking as a table. Columns that the answer does not have are left out by their empty words."""
    page_videos, paging = paged(videos, state, BRIEF if brief else ROWS, brief=brief)
    start = 1 if brief else (state.page - 1) * ROWS + 1
    rows = tuple(_ranked_row(start + index, video, state) for index, video in enumerate(page_videos))
    return Table((), rows, paging)


def _ranked_row(place: int, video: Ranked, state: State) -> RankedRow:
    known = bool(VIDEO_ID.fullmatch(video.video_id))
    words_of_state = state.query(video=video.video_id, page=None, country=None, region=None)
    return RankedRow(
        figures.count(place),
        video.title or video.video_id or _("untitled"),
        f"{reverse('analytics:browsers')}?{words_of_state}" if known else "",
        f"{reverse('analytics:spark', args=[video.video_id])}?{state.query(video=None, page=None)}" if known else "",
        _count(video.views),
        _count(video.plays),
        _rate(video),
        change(video.plays or 0, video.past_plays) if video.listed else Change(not_listed(), up=False, down=False),
    )


def not_listed() -> str:
    """A video that the earlier ranking does not name: nobody knows how often it was played then."""
    return _("not in the earlier list")


def _rate(video: Ranked) -> str:
    if video.rate is None:
        return ""
    share = figures.percent(video.rate)
    return _("%(share)s of unique viewers") % {"share": share} if video.of_people else share


def _count(value: float | None) -> str:
    return "" if value is None else figures.count(value)


def ordered(
    items: Sequence[T], state: State, *, brief: bool, name: Callable[[T], str], move: Callable[[T], float]
) -> Sequence[T]:
    """The items as the address sorts them; they come sorted by value."""
    if brief or state.sort == SORTS[0]:
        return items
    return sorted(items, key=name) if state.sort == "name" else sorted(items, key=lambda item: -move(item))


def paged(items: Sequence[T], state: State, rows: int, *, brief: bool) -> tuple[Sequence[T], Paging | None]:
    """One page of the items. A page beyond the last shows the last one."""
    if brief or len(items) <= rows:
        return items[:rows], None
    last = -(-len(items) // rows)
    page = min(state.page, last)
    start = (page - 1) * rows
    page_items = items[start : start + rows]
    values = {
        "first": figures.count(start + 1),
        "last": figures.count(start + len(page_items)),
        "count": figures.count(len(items)),
    }
    return page_items, Paging(
        _("%(first)s to %(last)s of %(count)s") % values,
        f"?{state.query(page=page - 1 if page > 2 else None)}" if page > 1 else "",
        f"?{state.query(page=page + 1)}" if page < last else "",
    )


def _heads(
    state: State, name: str, measure: str, *, compared: bool, brief: bool, share: bool = True
) -> tuple[Head, ...]:
    heads = [
        _head(state, name, "name", numeric=False, brief=brief),
        _head(state, measure, "value", numeric=True, brief=brief),
    ]
    if share and not brief:
        heads.append(Head(_("Share of total"), numeric=True))
    if compared:
        heads.append(_head(state, _("Change"), "change", numeric=True, brief=brief))
    return tuple(heads)


def _head(state: State, text: str, sort: str, *, numeric: bool, brief: bool) -> Head:
    if brief:
        return Head(text, numeric)
    current = state.sort == sort
    order = "ascending" if sort == "name" else "descending"
    return Head(text, numeric, f"?{state.query(sort=sort, page=None)}", order if current else "none")
