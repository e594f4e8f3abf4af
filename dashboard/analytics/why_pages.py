"""Why a figure changed: its difference split by browser, site, place, video or day, out of the figures of a panel."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from dashboard.analytics import ranked_videos
from dashboard.analytics.change_steps import WhyContent, build_steps_content
from dashboard.analytics.charts import format_label
from dashboard.analytics.day_panel import DayLinks
from dashboard.analytics.pages import AnalyticsPanel, Tab
from dashboard.analytics.rules import parse_referrer
from dashboard.analytics.state import UNKNOWN, AnalyticsState
from dashboard.analytics.tables import Places, build_site_address, prepare_city_address
from dashboard.analytics.why_subject import WhySubject
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import BubbleMap

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


def build_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
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
        videos = ranked_videos.list_sides(subject, state)
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
        return {group.name: f"{cities}{group.address}" for group in panel.content.groups}
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


def build_content(subject: WhySubject, split: str, state: AnalyticsState) -> WhyContent:
    """The parts of the change, or why it cannot be split."""
    label_title = format_label_title(split, state)
    difference = split_subject(subject, split, state) if subject.is_known else None
    windows = state.selection.windows
    if difference is None or windows.compared is None:
        return WhyContent(unknown=explain_unknown(subject, state))
    if not difference.change and not difference.parts:
        return build_equal_content(*subject.list_cautions())
    content = build_steps_content(difference, label_title, (windows.counted, windows.compared))
    return replace(
        content,
        note=_format_note(subject, split),
        csv=f"{path_of('analytics:why_file', split)}?{state.query()}",
    )


def build_equal_content(*cautions: str) -> WhyContent:
    """No parts, because nothing changed in what is known."""
    return WhyContent(equal=_("Nothing changed between the two periods."), note=" ".join(filter(None, cautions)))


def explain_unknown(subject: WhySubject, state: AnalyticsState) -> str:
    """Why there are no parts."""
    if subject.scope and subject.scope.unknown:
        return subject.scope.unknown
    if state.selection.windows.compared is None:
        return _("Choose a period to compare with in the date bar.")
    return subject.panel.caution or _(
        "The platform's answer doesn't contain these numbers, so the change can't be split."
    )


def _format_note(subject: WhySubject, split: str) -> str:
    notes = [_("The parts add up exactly to the difference.")]
    if split == "videos":
        notes.append(ranked_videos.format_ranked())
    if split == "days":
        notes.append(_("Each day is compared with the same day of the earlier period."))
    return " ".join(filter(None, (*notes, *subject.list_cautions())))
