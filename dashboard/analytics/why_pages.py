"""Why a figure changed: its difference split by browser, site, country or video, out of the figures of a panel."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.analytics.change_steps import WhyContent, build_steps_content
from dashboard.analytics.pages import AnalyticsPanel, Tab
from dashboard.analytics.panel_kinds import Places
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.tables import PanelTable, RankedRow
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts.bars import BarChart
from dashboard.shared.charts.bubbles import BubbleMap

SPLITS: Final = {"browsers": "browsers", "referrers": "referrers", "countries": "cities", "videos": "ranking"}
"""The panel whose figures each split uses, by the word in the address."""


def build_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change. Of one video, the platform tells browsers alone."""
    names = {
        "browsers": _("By browser"),
        "referrers": _("By site"),
        "countries": _("By country"),
        "videos": _("By video"),
    }
    if state.videos:
        names = {"browsers": names["browsers"]}
    query = state.query()
    return tuple(
        Tab(text, f"{reverse('analytics:why', args=[name])}?{query}", name == current) for name, text in names.items()
    )


def format_label_title(split: str) -> str:
    """What the parts are called."""
    return {
        "browsers": _("Browser"),
        "referrers": _("Site"),
        "countries": _("Country"),
        "videos": _("Video"),
    }[split]


def split_panel(panel: AnalyticsPanel) -> SplitChange | None:
    """The difference that a panel's figures show, split; None where nothing is compared."""
    chart, addresses = panel.chart, _list_addresses(panel)
    if isinstance(chart, BarChart) and chart.compared:
        sides = [Side(bar.label, bar.value, bar.past or 0.0, addresses.get(bar.label, "")) for bar in chart.bars]
        return split_change([*sides, *(Side(video.title, 0.0, video.plays or 0.0) for video in panel.gone)])
    if isinstance(chart, BubbleMap) and chart.compared:
        return split_change(_list_countries(chart, addresses))
    return None


def _list_addresses(panel: AnalyticsPanel) -> dict[str, str]:
    """Where the labels of a panel lead: countries to their cities, videos to their own page of analytics."""
    if isinstance(panel.content, Places):
        cities = reverse("analytics:cities")
        return {group.name: f"{cities}{group.address}" for group in panel.content.groups}
    rows = panel.content.rows if isinstance(panel.content, PanelTable) else ()
    return {row.title: row.address for row in rows if isinstance(row, RankedRow)}


def _list_countries(chart: BubbleMap, addresses: Mapping[str, str]) -> Iterable[Side]:
    sums: dict[str, list[float]] = {}
    for city in chart.cities:
        pair = sums.setdefault(city.country, [0.0, 0.0])
        pair[0] += city.value
        pair[1] += city.past or 0.0
    for country, (now, past) in sums.items():
        yield Side(country or _("Country not told"), now, past, addresses.get(country, ""))


def build_content(panel: AnalyticsPanel, split: str, state: AnalyticsState) -> WhyContent:
    """The parts of the change, or why it cannot be split."""
    label_title = format_label_title(split)
    difference = split_panel(panel)
    windows = state.selection.windows
    if difference is None or windows.compared is None:
        return WhyContent(unknown=panel.caution or _("Choose a period to compare with in the date bar."))
    if not difference.change and not difference.parts:
        return WhyContent(unknown=_("Nothing changed between the two periods."))
    content = build_steps_content(difference, label_title, (windows.counted, windows.compared))
    return replace(
        content,
        note=_format_note(panel, split),
        csv=f"{reverse('analytics:why_file', args=[split])}?{state.query()}",
    )


def _format_note(panel: AnalyticsPanel, split: str) -> str:
    notes = [_("The parts add up exactly to the difference.")]
    if split == "videos":
        notes.append(
            _("Only videos that are ranked count; one that only one of the two rankings lists is 0 in the other.")
        )
    if panel.caution:
        notes.append(panel.caution)
    return " ".join(notes)
