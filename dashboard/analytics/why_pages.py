"""Why a figure changed: the parts of the difference, drawn as steps from the first total to the second."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.analytics.change_parts import Part, Side, SplitChange, split_change
from dashboard.analytics.charts import format_days
from dashboard.analytics.pages import AnalyticsPanel, Tab
from dashboard.analytics.panel_kinds import Places
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.tables import PanelTable, RankedRow
from dashboard.shared.charts.bars import BarChart
from dashboard.shared.charts.bubbles import BubbleMap
from dashboard.shared.charts.figures import change, count
from dashboard.shared.csv import Cell

WIDTH: Final = 1000.0
SPLITS: Final = {"browsers": "browsers", "referrers": "referrers", "countries": "cities", "videos": "ranking"}
"""The panel whose figures each split uses, by the word in the address."""
TICKS: Final = 4


@dataclass(frozen=True)
class Step:
    """One row: a total, or a part with its bar. Positions are units of a plot that is 1,000 wide."""

    label: str
    note: str
    address: str
    value: str
    is_total: bool
    is_up: bool
    x: str
    width: str
    path_in: str
    path_out: str


@dataclass(frozen=True)
class PartRow:
    """One row of the table beside the drawing."""

    label: str
    past: str
    now: str
    change: str


@dataclass(frozen=True)
class WhyContent:
    """templates/analytics/_why.html. Without `steps`, `unknown` says why the change cannot be split."""

    label_title: str
    finding: str = ""
    note: str = ""
    steps: tuple[Step, ...] = ()
    ticks: tuple[tuple[str, str], ...] = ()
    rows: tuple[PartRow, ...] = ()
    together: str = ""
    unknown: str = ""
    csv: str = ""


def build_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change."""
    names = {
        "browsers": _("By browser"),
        "referrers": _("By site"),
        "countries": _("By country"),
        "videos": _("By video"),
    }
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
        return WhyContent(label_title, unknown=panel.caution or _("Choose a period to compare with in the date bar."))
    if not difference.change and not difference.parts:
        return WhyContent(label_title, unknown=_("Nothing changed between the two periods."))
    now_days, past_days = format_days(windows.counted), format_days(windows.compared)
    low, high = _find_bounds(difference)
    return WhyContent(
        label_title=label_title,
        finding=_format_finding(difference),
        note=_format_note(panel, split, difference),
        steps=_build_steps(difference, now_days, past_days, low, high),
        ticks=_build_ticks(low, high),
        rows=tuple(_build_row(part) for part in difference.all_parts),
        together=_format_signed(difference.change),
        csv=f"{reverse('analytics:why_file', args=[split])}?{state.query()}",
    )


def build_table(difference: SplitChange, label_title: str) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file."""
    heads = [label_title, _("Before"), _("Now"), _("Change")]
    rows: list[list[Cell]] = [[_format_label(part), part.past, part.now, part.change] for part in difference.all_parts]
    return heads, [*rows, [_("Together"), difference.past, difference.now, difference.change]]


def _format_finding(difference: SplitChange) -> str:
    values = {
        "change": count(abs(difference.change)),
        "share": change(difference.now, difference.past),
        "largest": _format_label(difference.parts[0]) if difference.parts else "",
        "part": _format_signed(difference.parts[0].change) if difference.parts else "",
    }
    if not difference.change:
        return _("The total is the same. The largest change is %(largest)s: %(part)s.") % values
    if difference.change > 0:
        return _("Rose by %(change)s (%(share)s). The largest part is %(largest)s: %(part)s.") % values
    return _("Fell by %(change)s (%(share)s). The largest part is %(largest)s: %(part)s.") % values


def _format_note(panel: AnalyticsPanel, split: str, difference: SplitChange) -> str:
    notes = [_("The parts add up exactly to the difference.")]
    if split == "videos":
        notes.append(
            _("Only videos that are ranked count; one that only one of the two rankings lists is 0 in the other.")
        )
    if panel.caution:
        notes.append(panel.caution)
    return " ".join(notes)


def _format_label(part: Part) -> str:
    if part.count == 1 and part.label:
        return part.label
    return ngettext("Other (%(count)s)", "Other (%(count)s)", part.count) % {"count": count(part.count)}


def _format_signed(value: int) -> str:
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{count(abs(value))}"


def _find_bounds(difference: SplitChange) -> tuple[float, float]:
    """The lowest and highest point of the steps, with some room. The axis does not start at zero."""
    level, levels = difference.past, [difference.past, difference.now]
    for part in difference.all_parts:
        level += part.change
        levels.append(level)
    room = max((max(levels) - min(levels)) * 0.08, 1.0)
    return min(levels) - room, max(levels) + room


def _place(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) * WIDTH


def _build_steps(difference: SplitChange, now_days: str, past_days: str, low: float, high: float) -> tuple[Step, ...]:
    level = difference.past
    at = _place(level, low, high)
    steps = [_build_total(past_days, "", count(difference.past), at, "M{x} 22V44")]
    for part in difference.all_parts:
        end = _place(level + part.change, low, high)
        start, level = _place(level, low, high), level + part.change
        steps.append(
            Step(
                label=_format_label(part),
                note=_("%(past)s before, %(now)s now") % {"past": count(part.past), "now": count(part.now)},
                address=part.address,
                value=_format_signed(part.change),
                is_total=False,
                is_up=part.change > 0,
                x=f"{min(start, end):.1f}",
                width=f"{abs(end - start):.1f}",
                path_in=f"M{start:.1f} 0V12",
                path_out=f"M{end:.1f} 32V44",
            )
        )
    moved = ", ".join(filter(None, (_format_signed(difference.change), change(difference.now, difference.past))))
    total = _build_total(now_days, moved, count(difference.now), _place(level, low, high), "M{x} 0V22")
    return (*steps, total)


def _build_total(label: str, note: str, value: str, at: float, path: str) -> Step:
    x = f"{at:.1f}"
    return Step(label, note, "", value, True, False, x, "", path.format(x=x), f"M{x} 10V34")


def _build_ticks(low: float, high: float) -> tuple[tuple[str, str], ...]:
    """Round numbers inside the bounds, with their place in percent."""
    step = 10 ** floor(log10((high - low) / TICKS)) if high > low else 1
    step = next(factor * step for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= TICKS + 1)
    step = max(step, 1)
    first = -(-low // step) * step
    values: Sequence[float] = [first + step * n for n in range(TICKS + 2) if first + step * n <= high]
    return tuple((count(value), f"{_place(value, low, high) / 10:.1f}%") for value in values if value >= 0)


def _build_row(part: Part) -> PartRow:
    return PartRow(_format_label(part), count(part.past), count(part.now), _format_signed(part.change))
