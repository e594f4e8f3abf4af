"""Why a figure changed: its difference split by browser, site, place, video or day, out of the figures of a panel."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.analytics.change_steps import WhyContent, build_steps_content
from dashboard.analytics.charts import format_label
from dashboard.analytics.day_panel import DayLinks
from dashboard.analytics.pages import AnalyticsPanel, Tab
from dashboard.analytics.panel_kinds import Answers, Places
from dashboard.analytics.rules import parse_referrer
from dashboard.analytics.state import UNKNOWN, AnalyticsState
from dashboard.analytics.tables import PanelTable, RankedRow, build_city_address, build_site_address
from dashboard.shared import formats
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import BubbleMap, City

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


@dataclass(frozen=True)
class WhySubject:
    """The panel whose figures are split, the answers they are made of, whose they are, and the page's own address."""

    panel: AnalyticsPanel
    answers: Answers
    name: str
    address: str
    account_id: UUID


def build_split_names() -> dict[str, str]:
    """What a number can be split by, and a rate as well, as tabs say it."""
    return {
        "browsers": _("By browser"),
        "referrers": _("By site"),
        "countries": _("By country"),
        "videos": _("By video"),
    }


def build_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change: those that the platform tells of what the page is about. A number of things has one."""
    names = {**build_split_names(), "days": _("By day")}
    if state.site or state.city:
        splits: tuple[str, ...] = ("days",)
    elif state.region:
        splits, names["countries"] = ("countries", "days"), _("By city")
    elif state.country:
        splits, names["countries"] = ("countries",), _("By region")
    else:
        splits = ("browsers", "days") if state.videos else tuple(names)
    if current in NUMBERS:
        return ()
    query = state.query()
    return tuple(
        Tab(names[name], f"{reverse('analytics:why', args=[name])}?{query}", name == current) for name in splits
    )


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


def split_panel(panel: AnalyticsPanel, split: str, state: AnalyticsState) -> SplitChange | None:
    """The difference that a panel's figures show, split; None where nothing is compared."""
    chart, addresses = panel.chart, _list_addresses(panel)
    if isinstance(chart, BarChart) and chart.compared:
        if split == "sites":
            return split_change(_count_sites(chart, state))
        sides = [
            Side(bar.label, bar.value, bar.past or 0.0, _find_bar_address(bar, split, state, addresses))
            for bar in chart.bars
        ]
        return split_change([*sides, *(Side(video.title, 0.0, video.plays or 0.0) for video in panel.gone)])
    if isinstance(chart, BubbleMap) and chart.compared:
        if split == "cities":
            return split_change(_sum_places(chart, state, addresses, lambda value: float(value > 0)))
        return split_change(_sum_places(chart, state, addresses))
    return None


def _find_bar_address(bar: Bar, split: str, state: AnalyticsState, addresses: Mapping[str, str]) -> str:
    """Where a bar leads: a site to its days, any other by its label."""
    return build_site_address(bar.key, state) if split == "referrers" else addresses.get(bar.label, "")


def _list_addresses(panel: AnalyticsPanel) -> Mapping[str, str]:
    """Where the labels of a panel lead: places to their cities, videos and days to their own page of analytics."""
    if isinstance(panel.content, DayLinks):
        return panel.content.addresses
    if isinstance(panel.content, Places):
        cities = reverse("analytics:cities")
        return {group.name: f"{cities}{group.address}" for group in panel.content.groups}
    rows = panel.content.rows if isinstance(panel.content, PanelTable) else ()
    return {row.title: row.address for row in rows if isinstance(row, RankedRow)}


def _sum_places(
    chart: BubbleMap,
    state: AnalyticsState,
    addresses: Mapping[str, str],
    measure: Callable[[float], float] = float,
) -> Iterable[Side]:
    """The countries; of one its regions, of a region its cities. `measure`: what a city with its viewers adds."""
    if state.region:
        for city in chart.cities:
            yield Side(city.name, measure(city.value), measure(city.past or 0.0), build_city_address(city, state))
        return
    sums: dict[str, list[float]] = {}
    for city in chart.cities:
        pair = sums.setdefault(_get_place(city, state), [0.0, 0.0])
        pair[0] += measure(city.value)
        pair[1] += measure(city.past or 0.0)
    unknown = _("Region not told") if state.country else _("Country not told")
    for place, (now, past) in sums.items():
        yield Side(place or unknown, now, past, addresses.get(place, ""))


def _get_place(city: City, state: AnalyticsState) -> str:
    return city.region if state.country else city.country


def _count_sites(chart: BarChart, state: AnalyticsState) -> Iterable[Side]:
    """How many addresses of each host sent viewers."""
    hosts: dict[str, list[Bar]] = {}
    for bar in chart.bars:
        hosts.setdefault(parse_referrer(bar.label).host, []).append(bar)
    referrers = f"{reverse('analytics:referrers')}?{state.query()}"
    for host, bars in hosts.items():
        now, past = sum(bar.value > 0 for bar in bars), sum(bool(bar.past) for bar in bars)
        yield Side(host, now, past, build_site_address(bars[0].key, state) if len(bars) == 1 else referrers)


def build_content(panel: AnalyticsPanel, split: str, state: AnalyticsState) -> WhyContent:
    """The parts of the change, or why it cannot be split."""
    label_title = format_label_title(split, state)
    difference = split_panel(panel, split, state)
    windows = state.selection.windows
    if difference is None or windows.compared is None:
        return WhyContent(unknown=explain_unknown(panel, state))
    if not difference.change and not difference.parts:
        return WhyContent(equal=_("Nothing changed between the two periods."))
    content = build_steps_content(difference, label_title, (windows.counted, windows.compared))
    return replace(
        content,
        note=_format_note(panel, split),
        csv=f"{reverse('analytics:why_file', args=[split])}?{state.query()}",
    )


def explain_unknown(panel: AnalyticsPanel, state: AnalyticsState) -> str:
    """Why there are no parts."""
    if state.selection.windows.compared is None:
        return _("Choose a period to compare with in the date bar.")
    return panel.caution or _("The platform's answer doesn't contain these numbers, so the change can't be split.")


def format_ranked_videos() -> str:
    """Which videos count where two rankings are compared."""
    return _("Only videos that are ranked count; one that only one of the two rankings lists is 0 in the other.")


def _format_note(panel: AnalyticsPanel, split: str) -> str:
    notes = [_("The parts add up exactly to the difference.")]
    if split == "videos":
        notes.append(format_ranked_videos())
    if split == "days":
        notes.append(_("Each day is compared with the same day of the earlier period."))
    if panel.caution:
        notes.append(panel.caution)
    return " ".join(notes)
