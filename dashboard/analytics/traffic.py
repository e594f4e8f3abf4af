"""Traffic of one or several videos: totals, shares, what the month will come to, what it costs."""

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from django.utils.translation import gettext as _

from dashboard.analytics import pages, prepare, rules, several
from dashboard.analytics.measures import BYTES
from dashboard.analytics.pages import Change, Panel, change
from dashboard.analytics.panels import Desk, with_chart
from dashboard.analytics.rules import Projection, daily_bytes
from dashboard.analytics.several import Problem, Several
from dashboard.analytics.state import State
from dashboard.platform_api.records.analytics import Table
from dashboard.shared import words
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart, DrawnBar
from dashboard.shared.charts.curves import CurvesChart, Place
from dashboard.shared.charts.figures import Unit
from dashboard.shared.charts.plot import Series
from dashboard.shared.charts.time import TimeChart
from dashboard.shared.ranges import Bucket, Days, Selection
from dashboard.shared.readings import Ask, ask

GIGA = Decimal(10) ** 9
TOP = 5
"""How many of the most played videos stand in where none was chosen."""

ONE_QUESTION_DAYS = 400
"""Days that are asked for at once; a comparison that lies further back is asked for apart."""


@dataclass(frozen=True)
class Price:
    """What one GB costs."""

    per_gigabyte: Decimal
    currency: str

    def of(self, size: float) -> str:
        """The price of so many bytes."""
        return words.money(Decimal(round(size)) / GIGA * self.per_gigabyte, self.currency)


@dataclass(frozen=True)
class Known:
    """One video's bytes by day. `compared`: the days it is compared with are among them."""

    video_id: str
    title: str
    by_day: Mapping[date, float]
    compared: bool

    def during(self, days: Days) -> float:
        return sum(total for day, total in self.by_day.items() if day in days)


@dataclass(frozen=True)
class Figure:
    """A figure with its words."""

    label: str
    value: str
    sub: str
    change: Change | None = None
    was: str = ""


@dataclass(frozen=True)
class ShareRow:
    """One video's part."""

    title: str
    bar: DrawnBar
    average: str
    cost: str
    change: Change | None


@dataclass(frozen=True)
class Outlook:
    """What the month will come to."""

    title: str
    value: str
    range: str
    so_far: str
    cost: str


@dataclass(frozen=True)
class Traffic:
    """templates/analytics/_traffic.html: figures and panels. `problems`: what could not be read, or only earlier.

    `caution` says what the sums lack. `waiting` is the address of this part where nothing of it is there yet.
    """

    figures: tuple[Figure, ...]
    panels: tuple[Panel, ...]
    outlook: Outlook | None
    problems: tuple[Problem, ...]
    caution: str
    no_videos: bool
    waiting: str


def asks(state: State, videos: Sequence[str]) -> dict[str, Ask]:
    """One question per video, or two where the comparison lies far back."""
    selection = state.selection
    near = _near(selection)
    far = selection.against if selection.against and selection.against.start < near.start else None
    if far and (near.end - far.start).days < ONE_QUESTION_DAYS:
        near, far = Days(far.start, near.end), None
    made = {}
    for video_id in videos:
        made[video_id] = ask("traffic", near, selection.settled, video_id=video_id)
        if far:
            made[f"{video_id} before"] = ask("traffic", far, selection.settled, video_id=video_id)
    return made


def _near(selection: Selection) -> Days:
    """The range; where it reaches into the last weeks, with the days that the projection goes by."""
    today = selection.today
    start = min(selection.days.start, today.replace(day=1), today - timedelta(days=rules.HISTORY_DAYS))
    recent = selection.days.end >= today - timedelta(days=rules.HISTORY_DAYS)
    return Days(start, today) if recent else selection.days


def page(desk: Desk, found: Several, price: Price | None) -> Traffic:
    """The traffic of the videos that were found, in that order."""
    known, generic = _known(desk, found)
    problems, caution = several.problems(desk, found), several.caution(found)
    waiting = "" if known or generic else several.waiting(desk, problems)
    no_videos = not found.titles and not problems
    if not known:
        return Traffic((), generic, None, tuple(problems), "", no_videos, waiting)
    compared = desk.state.selection.against is not None and all(one.compared for one in known)
    panels = [_total_panel(desk, known, compared=compared)]
    if len(known) > 1:
        panels += [_video_panel(desk, known), _share_panel(desk, known, price, compared=compared)]
    stale = any(got.old for got in found.answers.values())
    panels = [replace(panel, caution=caution, stale=stale) for panel in panels]
    figures_now, outlook = _figures(desk.state, known, price, compared=compared), _outlook(desk.state, known, price)
    return Traffic(figures_now, (*panels, *generic), outlook, tuple(problems), caution, no_videos, waiting)


def _known(desk: Desk, found: Several) -> tuple[list[Known], tuple[Panel, ...]]:
    """The videos whose bytes are known by day, and as they came the answers of a shape that is not known."""
    known: list[Known] = []
    generic: list[Panel] = []
    for video_id, title in found.titles.items():
        now, *before = found.of(video_id)
        if now.value is None:
            continue
        by_day = _by_day(now.value.table, desk.state.selection)
        if by_day is None:
            why = _("The platform answered in a shape that is not known. This is what it said.")
            content = pages.generic(now.value, why)
            generic.append(Panel(f"raw-{len(generic)}", title, body="analytics/_generic.html", content=content))
            continue
        earlier = [_by_day(got.value.table, desk.state.selection) if got.value is not None else None for got in before]
        for days in earlier:
            by_day = {**(days or {}), **by_day}
        known.append(Known(video_id, title, by_day, None not in earlier))
    return known, tuple(generic)


def _by_day(table: Table | None, selection: Selection) -> dict[date, float] | None:
    return daily_bytes(table, selection.zone) if table else None


def both(size: float) -> str:
    """Bytes in GiB, the other way of counting, for whoever compares with a bill that uses it."""
    return f"{figures.count(size / 2**30, 1)} GiB"


def _figures(state: State, known: Sequence[Known], price: Price | None, *, compared: bool) -> tuple[Figure, ...]:
    selection = state.selection
    now = sum(one.during(selection.counted) for one in known)
    against = selection.counted_against if compared else None
    past = sum(one.during(against) for one in known) if against else None
    was = _("from %(value)s") % {"value": figures.shown(past, Unit.BYTES)} if past is not None else ""
    days = len(selection.counted)
    made = [
        Figure(_("Traffic"), figures.shown(now, Unit.BYTES), both(now), change(now, past), was),
        Figure(_("Average per day"), figures.shown(now / days, Unit.BYTES), both(now / days)),
    ]
    if price:
        per = _("%(price)s per GB") % {"price": words.money(price.per_gigabyte, price.currency)}
        made.append(Figure(_("Cost at your price"), price.of(now), per))
    return tuple(made)


def _total_panel(desk: Desk, known: Sequence[Known], *, compared: bool) -> Panel:
    selection = desk.state.selection
    sums: dict[tuple[date, int | None], float] = {}
    for one in known:
        for day, total in one.by_day.items():
            sums[(day, None)] = sums.get((day, None), 0.0) + total
    chart = TimeChart(
        "traffic",
        _("Traffic per day"),
        _("Bytes sent to viewers of the chosen videos. 1 GB is 1,000,000,000 bytes."),
        BYTES,
        _("Day"),
        prepare.points(selection, sums, sums if compared else None),
        prepare.span(selection.days),
        prepare.span(selection.against) if compared and selection.against else "",
        prepare.foot(selection, counted=False, compared=compared),
    )
    return with_chart(Panel("traffic", chart.title, chart.note), desk, chart, "components/_line_chart.html")


def _video_panel(desk: Desk, known: Sequence[Known]) -> Panel:
    selection = desk.state.selection
    buckets = selection.buckets()
    lines = tuple(
        Series(one.title, tuple(one.by_day.get(bucket.day, 0.0) for bucket in buckets), place)
        for place, one in enumerate(known)
    )
    unfinished = next((index for index, bucket in enumerate(buckets) if not bucket.whole), None)
    totals = sorted(known, key=lambda one: -one.during(selection.counted))
    finding = _("Most traffic came from %(title)s (%(size)s).") % {
        "title": totals[0].title,
        "size": figures.shown(totals[0].during(selection.counted), Unit.BYTES),
    }
    chart = CurvesChart(
        "videos",
        _("Traffic by video"),
        "",
        Unit.BYTES,
        _("Day"),
        tuple(Place(bucket.key, _bucket(bucket), figures.day(bucket.day)) for bucket in buckets),
        lines,
        finding,
        prepare.foot(selection, counted=False, compared=False),
        unfinished=unfinished,
        unfinished_text=_("Today, incomplete"),
    )
    return with_chart(Panel("videos", chart.title), desk, chart, "components/_line_chart.html")


def _bucket(bucket: Bucket) -> str:
    label = prepare.bucket_label(bucket)
    return label if bucket.whole else f"{label}, {_('incomplete')}"


def share_chart(desk: Desk, known: Sequence[Known], *, compared: bool) -> BarChart:
    """The videos' parts of the traffic, largest first."""
    selection = desk.state.selection
    against = selection.counted_against if compared else None
    bars = [Bar(one.title, one.during(selection.counted), one.during(against) if against else None) for one in known]
    bars.sort(key=lambda bar: -bar.value)
    title = _("Share by video")
    foot = prepare.foot(selection, compared=compared)
    return BarChart("shares", title, "", BYTES, _("Video"), tuple(bars), against is not None, foot)


def _share_panel(desk: Desk, known: Sequence[Known], price: Price | None, *, compared: bool) -> Panel:
    chart = share_chart(desk, known, compared=compared)
    days = len(desk.state.selection.counted)
    rows = []
    for bar, drawn in zip(chart.bars, chart.drawn(), strict=True):
        cost = price.of(bar.value) if price else ""
        average = figures.shown(bar.value / days, Unit.BYTES)
        rows.append(ShareRow(drawn.label, drawn, average, cost, change(bar.value, bar.past)))
    panel = Panel("shares", chart.title, content=tuple(rows))
    return with_chart(panel, desk, chart, "analytics/_shares.html")


def _outlook(state: State, known: Sequence[Known], price: Price | None) -> Outlook | None:
    today = state.selection.today
    if state.selection.days.end < today - timedelta(days=rules.HISTORY_DAYS):
        return None
    sums: dict[date, float] = {}
    for one in known:
        for day, total in one.by_day.items():
            sums[day] = sums.get(day, 0.0) + total
    last = today.replace(day=monthrange(today.year, today.month)[1])
    found = rules.projected(sums, today, last)
    return _outlook_words(found, last, price) if found else None


def _outlook_words(found: Projection, last: date, price: Price | None) -> Outlook:
    low, high = figures.shown(found.low, Unit.BYTES), figures.shown(found.high, Unit.BYTES)
    cost = ""
    if price:
        cost = _("%(likely)s, between %(low)s and %(high)s") % {
            "likely": price.of(found.likely),
            "low": price.of(found.low),
            "high": price.of(found.high),
        }
    return Outlook(
        _("By %(day)s") % {"day": figures.day(last)},
        figures.shown(found.likely, Unit.BYTES),
        _("Between %(low)s and %(high)s in four of five months like the last 28 days.") % {"low": low, "high": high},
        _("%(size)s so far this month.") % {"size": figures.shown(found.so_far, Unit.BYTES)},
        cost,
    )
