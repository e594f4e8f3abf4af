"""Traffic of one or several videos or of the whole account: totals, shares, what the month will come to, what it costs."""

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account
from dashboard.analytics import charts, forecast, traffic_history, video_comparison
from dashboard.analytics.changes import build_bytes_change
from dashboard.analytics.charts import KeyFigure, build_total_figure, build_traffic_measure
from dashboard.analytics.forecast import Projection
from dashboard.analytics.panels import AnalyticsPanel, PanelContext, add_chart, build_generic
from dashboard.analytics.rules import parse_daily_bytes, parse_total_bytes
from dashboard.analytics.state import AnalyticsState, build_traffic_why_address
from dashboard.analytics.tables import TableRow
from dashboard.analytics.traffic_history import TrafficProgress
from dashboard.analytics.video_comparison import VideoAnswers, VideoProblem
from dashboard.platform_api.analytics import Table
from dashboard.shared import formats, refusals
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.figures import Unit, build_change
from dashboard.shared.charts.lines import CurvesChart, Place, TimeChart
from dashboard.shared.charts.plot import Series
from dashboard.shared.metrics import Covered, Moment, get_covered
from dashboard.shared.ranges import Bucket, Days, Selection
from dashboard.upstream.figures import FigureQuery, build_query
from dashboard.writes import library_refresh

GIGA = Decimal(10) ** 9


@dataclass(frozen=True)
class Price:
    """What one GB costs."""

    per_gigabyte: Decimal
    currency: str

    def of(self, size: float) -> str:
        """The price of so many bytes."""
        return formats.money(Decimal(round(size)) / GIGA * self.per_gigabyte, self.currency)


UNRELIABLE = 0.6
"""Ranges that are made to hold four times of five and held less often than this are not shown."""

WIDEST = 4
"""A range whose upper end is more than so many times its lower end says nothing."""


@dataclass(frozen=True)
class Outlook:
    """The month's forecast. `range` says how reliable it is, or why there is none."""

    title: str
    value: str
    range: str
    so_far: str = ""
    cost: str = ""


def build_outlook(
    selection: Selection, by_day: Mapping[date, float], known: Covered | None, videos: str, price: Price | None
) -> Outlook | None:
    """What today's month will come to, of the videos that `videos` names. None where the page shows older days.

    `known` is the stretch that has numbers: the forecast goes on from its last whole day.
    """
    today = selection.today
    if selection.days.end < today - timedelta(days=forecast.BASE_DAYS) or known is None:
        return None
    start, after = known.first[0], min(known.last[0] + timedelta(days=1), selection.settled)
    last = today.replace(day=monthrange(today.year, today.month)[1])
    title = _("By %(day)s, %(videos)s") % {"day": figures.day(last), "videos": videos}
    if (after.year, after.month) != (today.year, today.month):
        return Outlook(title, _("Cannot tell"), _("This month has no whole day with numbers yet."))
    projection = forecast.project_month(by_day, start, after, last)
    if projection is None:
        return Outlook(title, _("Cannot tell yet"), _format_too_short((after - start).days, (last - after).days + 1))
    so_far = _("%(size)s so far this month.") % {"size": figures.format_value(projection.so_far, Unit.BYTES)}
    if projection.months >= forecast.MONTHS_LEAST and projection.held < UNRELIABLE * projection.months:
        return Outlook(title, _("Cannot tell"), _format_unreliable(projection), so_far)
    if projection.high > WIDEST * max(projection.low, 1.0):
        return Outlook(title, _("Cannot tell"), _("The days differ too much for a useful range."), so_far)
    return Outlook(
        title=title,
        value=figures.format_value(projection.likely, Unit.BYTES),
        range=_format_range(projection),
        so_far=so_far,
        cost=_format_cost(projection, price),
    )


def _format_too_short(known: int, left: int) -> str:
    needed = forecast.BASE_DAYS + forecast.LEAST_BLOCKS * left
    values = {"needed": figures.count(needed), "known": figures.count(known)}
    return _("A forecast for the days that are left needs %(needed)s days of numbers; there are %(known)s.") % values


def _format_unreliable(projection: Projection) -> str:
    values = {"held": figures.count(projection.held), "months": figures.count(projection.months)}
    return _("The days differ too much: such ranges held in only %(held)s of %(months)s earlier months.") % values


def _format_range(projection: Projection) -> str:
    values = {
        "low": figures.format_value(projection.low, Unit.BYTES),
        "high": figures.format_value(projection.high, Unit.BYTES),
        "held": figures.count(projection.held),
        "months": figures.count(projection.months),
    }
    if projection.months < forecast.MONTHS_LEAST:
        return _("Between %(low)s and %(high)s. Too few earlier months to say how often such ranges held.") % values
    return _("Between %(low)s and %(high)s. Such ranges held in %(held)s of %(months)s earlier months.") % values


def _format_cost(projection: Projection, price: Price | None) -> str:
    if price is None:
        return ""
    return _("%(likely)s, between %(low)s and %(high)s") % {
        "likely": price.of(projection.likely),
        "low": price.of(projection.low),
        "high": price.of(projection.high),
    }


ONE_QUESTION_DAYS = 400
"""Days of one query; an older comparison gets a query of its own."""


@dataclass(frozen=True)
class VideoTraffic:
    """One video's bytes by day, and the stretch that the answers about the range and the compared days cover.

    `compared`: the days it is compared with were read.
    """

    video_id: str
    title: str
    by_day: Mapping[date, float]
    compared: bool
    near: Covered | None
    far: Covered | None

    def during(self, days: Days) -> float:
        return sum(total for day, total in self.by_day.items() if day in days)


@dataclass(frozen=True)
class Traffic:
    """templates/analytics/_traffic.html: figures and panels. `problems`: what could not be read, or only earlier.

    `caution` says what the sums lack. `waiting` is the address of this part where nothing of it is there yet.
    """

    figures: tuple[KeyFigure, ...] = ()
    panels: tuple[AnalyticsPanel, ...] = ()
    outlook: Outlook | None = None
    problems: tuple[VideoProblem, ...] = ()
    caution: str = ""
    waiting: str = ""
    partial: bool = False

    @property
    def heading(self) -> str:
        """What the key figures count."""
        return _("Traffic so far, of a day that is not over") if self.partial else _("Traffic of whole days")


def build_asks(state: AnalyticsState, videos: Sequence[str]) -> dict[str, FigureQuery]:
    """One query per video, or two if the comparison lies far back."""
    selection = state.selection
    near, far = _get_asked_days(selection)
    asks = {}
    for video_id in videos:
        asks[video_id] = build_query("traffic", near, selection.settled, video_id=video_id)
        if far:
            asks[f"{video_id} before"] = build_query("traffic", far, selection.settled, video_id=video_id)
    return asks


def _get_asked_days(selection: Selection) -> tuple[Days, Days | None]:
    """The days of the first query, and those of the second one if the comparison lies far back."""
    near, far = _get_near_days(selection), selection.windows.past
    if far is None or far.start >= near.start:
        return near, None
    if (near.end - far.start).days < ONE_QUESTION_DAYS:
        return Days(far.start, near.end), None
    return near, far


def _get_near_days(selection: Selection) -> Days:
    """The range; if it includes the last weeks, extended by the days that the forecast needs."""
    today = selection.today
    start = min(selection.days.start, today - timedelta(days=forecast.HISTORY_DAYS))
    recent = selection.days.end >= today - timedelta(days=forecast.BASE_DAYS)
    return Days(start, today) if recent else selection.days


def build_traffic(context: PanelContext, video_answers: VideoAnswers, price: Price | None) -> Traffic:
    """Build the traffic of the videos, in their order."""
    known, generic = _parse_videos(context, video_answers)
    problems, caution = (
        video_comparison.list_problems(context, video_answers),
        video_comparison.format_caution(video_answers),
    )
    is_late = any(got.value is None and got.error is None for got in video_answers.answers.values())
    waiting = video_comparison.get_waiting_address(context, problems) if is_late else ""
    if waiting or not known:  # a sum without a video that is still being read would be told as that of all
        return Traffic(panels=generic, problems=tuple(problems), waiting=waiting)
    compared = context.state.selection.windows.past is not None and all(video.compared for video in known)
    videos = ngettext("%(count)s chosen video", "%(count)s chosen videos", len(known)) % {
        "count": figures.count(len(known))
    }
    near, far, sums = (
        join_stretches(video.near for video in known),
        join_stretches(video.far for video in known),
        sum_by_day(known),
    )
    total = build_total_chart(context.state, sums, near, far, videos, compared=compared)
    panels = [
        add_chart(AnalyticsPanel("traffic", total.title, total.note), context, total, "components/_line_chart.html")
    ]
    whole = total.totals.compared is not None and total.totals.compared.complete
    if len(known) > 1:
        panels += [
            _build_video_panel(context, known, videos),
            _build_share_panel(context, known, videos, price, compared=whole),
        ]
    stale = any(got.old for got in video_answers.answers.values())
    panels = [replace(panel, caution=caution, stale=stale) for panel in panels]
    ahead = build_outlook(context.state.selection, sums, near, videos, price)
    all_panels = (*panels, *generic)
    why = build_traffic_why_address(context.state, *(video.video_id for video in known))
    figures_now, partial = build_total_figures(total, price, why), total.totals.partial
    return Traffic(
        figures_now, all_panels, ahead, problems=tuple(problems), caution=caution, waiting=waiting, partial=partial
    )


def _parse_videos(
    context: PanelContext, video_answers: VideoAnswers
) -> tuple[list[VideoTraffic], tuple[AnalyticsPanel, ...]]:
    """The videos whose bytes are known by day, and panels with the raw answers of an unknown shape."""
    known: list[VideoTraffic] = []
    generic: list[AnalyticsPanel] = []
    for video_id, title in video_answers.titles.items():
        now, *before = video_answers.of(video_id)
        if now.value is None:
            continue
        by_day = _parse_by_day(now.value.table, context.state.selection)
        if by_day is None:
            content = build_generic(now.value, _format_unread(now.value.table, context.state.selection))
            generic.append(
                AnalyticsPanel(f"raw-{len(generic)}", title, body="analytics/_generic.html", content=content)
            )
            continue
        near = far = _get_covered(by_day)
        earlier = [
            _parse_by_day(got.value.table, context.state.selection) if got.value is not None else None for got in before
        ]
        for days in earlier:
            by_day, far = {**(days or {}), **by_day}, _get_covered(days or {})
        known.append(VideoTraffic(video_id, title, by_day, compared=None not in earlier, near=near, far=far))
    return known, tuple(generic)


def _format_unread(table: Table | None, selection: Selection) -> str:
    """Explain an answer without days: its total over the requested days, or that its shape is unknown."""
    total = parse_total_bytes(table) if table is not None else None
    if total is None:
        return _("The platform answered in a shape that is not known. This is what it said.")
    values = {
        "size": figures.format_value(total, Unit.BYTES),
        "days": charts.format_days(_get_asked_days(selection)[0]),
    }
    return _("The platform gives only a total, not each day: %(size)s for %(days)s. This is its answer.") % values


def _parse_by_day(table: Table | None, selection: Selection) -> dict[date, float] | None:
    return parse_daily_bytes(table, selection.zone) if table else None


def _get_covered(by_day: Mapping[date, float]) -> Covered | None:
    return get_covered({(day, None): total for day, total in by_day.items()})


def join_stretches(stretches: Iterable[Covered | None]) -> Covered | None:
    """The stretch that any of the answers covers: where one video has a row, the platform counted traffic."""
    known = [stretch for stretch in stretches if stretch is not None]
    if not known:
        return None
    return Covered(min(stretch.first for stretch in known), max(stretch.last for stretch in known))


def sum_by_day(known: Sequence[VideoTraffic]) -> dict[date, float]:
    """The bytes of all videos together, by day."""
    sums: dict[date, float] = {}
    for video in known:
        for day, total in video.by_day.items():
            sums[day] = sums.get(day, 0.0) + total
    return sums


def format_binary(size: float) -> str:
    """Bytes in GiB, or the unit of its kind that fits, to compare with bills that use it."""
    return formats.file_size(size, formats.BINARY_UNITS)


def build_total_figures(total: TimeChart, price: Price | None, why: str) -> tuple[KeyFigure, ...]:
    """The key figures of a total by day. `why` splits the change."""
    now, write = total.totals.now, partial(figures.format_value, unit=Unit.BYTES)
    if now is None:
        return (build_total_figure(total, write, ""),)
    average = now / total.totals.known
    key_figures = [
        build_total_figure(total, write, why, format_binary(now)),
        KeyFigure(_("Average per day"), write(average), base=format_binary(average)),
    ]
    if price:
        per = _("%(price)s per GB") % {"price": formats.money(price.per_gigabyte, price.currency)}
        key_figures.append(KeyFigure(_("Cost at your price"), price.of(now), base=per))
    return tuple(key_figures)


def build_total_chart(
    state: AnalyticsState,
    sums: Mapping[date, float],
    now_covered: Covered | None,
    past_covered: Covered | None,
    videos: str,
    *,
    compared: bool,
) -> TimeChart:
    """The bytes by day of the videos that `videos` names."""
    selection = state.selection
    buckets: dict[Moment, float] = {(day, None): total for day, total in sums.items()}
    past = selection.windows.past if compared else None
    return TimeChart(
        name="traffic",
        title=_("Traffic per day of %(videos)s") % {"videos": videos},
        note=_("Bytes sent to viewers of these videos. 1 GB is 1,000,000,000 bytes."),
        measure=build_traffic_measure(videos),
        bucket_title=_("Day"),
        points=charts.build_points(selection, buckets, buckets if past else None, now_covered, past_covered),
        now_name=charts.format_days(selection.windows.shown_days),
        past_name=charts.format_days(past) if past else "",
        foot=charts.format_foot(selection, compared=compared),
    )


def _build_video_panel(context: PanelContext, known: Sequence[VideoTraffic], videos: str) -> AnalyticsPanel:
    selection = context.state.selection
    buckets = selection.buckets()
    there = join_stretches(video.near for video in known)
    missing = tuple(
        index for index, bucket in enumerate(buckets) if there is None or not there.holds((bucket.day, None))
    )
    lines = tuple(
        Series(
            video.title,
            tuple(None if at in missing else video.by_day.get(bucket.day, 0.0) for at, bucket in enumerate(buckets)),
            place,
        )
        for place, video in enumerate(known)
    )
    unfinished = next((index for index, bucket in enumerate(buckets) if not bucket.whole), None)
    first = max(known, key=lambda video: video.during(selection.counted))
    finding = _("No data for these days.")
    if len(missing) < len(buckets):
        size = figures.format_value(first.during(selection.counted), Unit.BYTES)
        finding = _("Most traffic came from %(title)s (%(size)s).") % {"title": first.title, "size": size}
    chart = CurvesChart(
        name="videos",
        title=_("Traffic by video, of %(videos)s") % {"videos": videos},
        note="",
        unit=Unit.BYTES,
        place_title=_("Day"),
        places=tuple(Place(bucket.key, _format_bucket(bucket), figures.day(bucket.day)) for bucket in buckets),
        series=lines,
        finding=finding,
        foot=charts.format_foot(selection, compared=False),
        unfinished=unfinished,
        unfinished_text=_("Today, incomplete"),
        missing=missing,
        notes=tuple(_format_note(bucket, missing=at in missing) for at, bucket in enumerate(buckets)),
    )
    return add_chart(AnalyticsPanel("videos", chart.title), context, chart, "components/_line_chart.html")


def _format_bucket(bucket: Bucket) -> str:
    label = charts.format_bucket(bucket)
    return label if bucket.whole else f"{label}, {_('incomplete')}"


def _format_note(bucket: Bucket, *, missing: bool) -> str:
    words = ("" if bucket.whole else _("incomplete"), _("no data") if missing else "")
    return ", ".join(word for word in words if word)


def build_share_chart(context: PanelContext, known: Sequence[VideoTraffic], videos: str, *, compared: bool) -> BarChart:
    """The videos' shares of the traffic, largest first."""
    selection = context.state.selection
    against = selection.windows.compared if compared else None
    bars = [
        Bar(video.title, video.during(selection.counted), video.during(against) if against else None) for video in known
    ]
    bars.sort(key=lambda bar: -bar.value)
    title = _("Share by video, of %(videos)s") % {"videos": videos}
    foot = charts.format_foot(selection, compared=compared)
    measure = build_traffic_measure(videos)
    return BarChart(
        "shares",
        title,
        "",
        measure=measure,
        label_title=_("Video"),
        bars=tuple(bars),
        compared=against is not None,
        foot=foot,
    )


def _build_share_rows(
    chart: BarChart, videos: Sequence[str], state: AnalyticsState, price: Price | None
) -> tuple[TableRow, ...]:
    """The first bars of a chart as rows, of as many `videos` as are given."""
    days, rows = len(state.selection.counted), []
    for video, bar, drawn in zip(videos, chart.bars, chart.drawn(), strict=False):
        average, cost = figures.format_value(bar.value / days, Unit.BYTES), price.of(bar.value) if price else ""
        cells, why = (drawn.share, drawn.value, average, cost), build_traffic_why_address(state, video)
        rows.append(TableRow(drawn.label, cells, build_change(bar.value, bar.past), why, shapes=drawn.shapes))
    return tuple(rows)


def _build_share_panel(
    context: PanelContext, known: Sequence[VideoTraffic], videos: str, price: Price | None, *, compared: bool
) -> AnalyticsPanel:
    selection = context.state.selection
    known = sorted(known, key=lambda video: -video.during(selection.counted))
    chart = build_share_chart(context, known, videos, compared=compared)
    rows = _build_share_rows(chart, [video.video_id for video in known], context.state, price)
    panel = AnalyticsPanel("shares", chart.title, content=rows)
    return add_chart(panel, context, chart, "analytics/_shares.html")


CONSUMERS = 20
MOVERS = 10


def describe_progress(progress: TrafficProgress, *, new: bool = False) -> dict[str, object]:
    """What templates/analytics/_traffic_progress.html needs: how much of the account is read, by the worker.

    `version` changes with what is said. `new`: requested by a page that is open already, of which there may be more to see.
    """
    return {
        "traffic": progress,
        "days": charts.format_days(progress.days) if progress.days else "",
        "minutes": library_refresh.estimate_minutes(progress.videos - progress.read),
        "trouble": refusals.of_pause(library_refresh.trouble_of(progress.reason, progress.next_at)),
        "version": f"{progress.read}-{progress.videos}-{progress.reason}",
        "polls": not progress.complete and not (progress.listed and not progress.videos),
        "reload": new and progress.complete,
    }


def build_account_traffic(
    account: Account, context: PanelContext, progress: TrafficProgress, price: Price | None
) -> Traffic:
    """Build the traffic of the account; nothing of it before every video is read: a part is never called the whole."""
    days = progress.days
    if not progress.complete or days is None:
        return Traffic()
    values = {"count": figures.count(progress.videos)}
    videos = ngettext("the account's only video", "all %(count)s videos", progress.videos) % values
    known = Covered((days.start, None), (days.end, None))
    selection = context.state.selection
    sums = traffic_history.get_bytes_by_day(account, days)
    compared = selection.windows.past is not None
    total = build_total_chart(context.state, sums, known, known, videos, compared=compared)
    panels = [
        add_chart(AnalyticsPanel("traffic", total.title, total.note), context, total, "components/_line_chart.html")
    ]
    panels += _build_video_panels(account, context, total, videos, price)
    ahead = build_outlook(selection, sums, known, videos, price)
    why = build_traffic_why_address(context.state)
    figures_now, partial = build_total_figures(total, price, why), total.totals.partial
    return Traffic(figures_now, tuple(panels), ahead, partial=partial)


def _build_video_panels(
    account: Account, context: PanelContext, total: TimeChart, videos: str, price: Price | None
) -> list[AnalyticsPanel]:
    """The biggest consumers, and the biggest changes if every day can be compared."""
    windows = context.state.selection.windows
    now = traffic_history.get_bytes_by_video(account, windows.counted)
    compared = total.totals.compared is not None and total.totals.compared.complete
    past = traffic_history.get_bytes_by_video(account, windows.compared) if compared and windows.compared else None
    titles = traffic_history.get_titles(account)
    panels = [_build_consumers_panel(context, now, past, titles, videos, price)]
    if past is not None:
        movers = _list_movers(context, now, past, titles)
        panels.append(AnalyticsPanel("movers", _("Biggest changes"), body="analytics/_movers.html", content=movers))
    return panels


def _build_consumers_panel(
    context: PanelContext,
    now: Mapping[str, float],
    past: Mapping[str, float] | None,
    titles: Mapping[str, str],
    videos: str,
    price: Price | None,
) -> AnalyticsPanel:
    names = sorted({*now, *(past or {})}, key=lambda video: (-now.get(video, 0.0), video))
    bars = tuple(
        Bar(titles.get(video) or video, now.get(video, 0.0), None if past is None else past.get(video, 0.0))
        for video in names
    )
    foot = charts.format_foot(context.state.selection, compared=past is not None)
    title = _("Biggest consumers of %(videos)s") % {"videos": videos}
    measure = build_traffic_measure(videos)
    chart = BarChart(
        "consumers", title, "", measure=measure, label_title=_("Video"), bars=bars, compared=past is not None, foot=foot
    )
    rows = _build_share_rows(chart, names[:CONSUMERS], context.state, price)
    panel = AnalyticsPanel("consumers", chart.title, content=rows)
    if len(bars) > CONSUMERS:
        counts = {"shown": figures.count(CONSUMERS), "count": figures.count(len(bars))}
        panel = replace(panel, count=_("%(shown)s of %(count)s") % counts)
    return add_chart(panel, context, chart, "analytics/_shares.html")


def _list_movers(
    context: PanelContext, now: Mapping[str, float], past: Mapping[str, float], titles: Mapping[str, str]
) -> tuple[TableRow, ...]:
    moves = {video: now.get(video, 0.0) - past.get(video, 0.0) for video in {*now, *past}}
    first = sorted((video for video in moves if moves[video]), key=lambda video: (-abs(moves[video]), video))[:MOVERS]
    return tuple(
        TableRow(
            titles.get(video) or video,
            tuple(figures.format_value(side.get(video, 0.0), Unit.BYTES) for side in (past, now)),
            build_bytes_change(now.get(video, 0.0), past.get(video, 0.0)),
            build_traffic_why_address(context.state, video),
        )
        for video in first
    )
