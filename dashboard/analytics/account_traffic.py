"""Traffic of the whole account from the stored days: total, biggest consumers, biggest changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account
from dashboard.analytics import charts, traffic_history
from dashboard.analytics.change_steps import build_bytes_change
from dashboard.analytics.forecast_messages import build_outlook
from dashboard.analytics.measures import build_traffic_measure
from dashboard.analytics.pages import AnalyticsPanel, build_traffic_why_address
from dashboard.analytics.panels import PanelContext, add_chart
from dashboard.analytics.prices import Price
from dashboard.analytics.traffic_history import TrafficProgress
from dashboard.analytics.traffic_pages import ShareRow, Traffic, build_total_chart, build_total_figures
from dashboard.shared import formats, refusals
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.figures import Change, Unit, build_change
from dashboard.shared.charts.time import TimeChart
from dashboard.shared.metrics import Covered
from dashboard.writes import library_refresh

CONSUMERS = 20
MOVERS = 10


@dataclass(frozen=True)
class Mover:
    """A video whose traffic moved most, in bytes."""

    title: str
    before: str
    now: str
    moved: Change
    why: str


@dataclass(frozen=True)
class ProgressPart:
    """templates/analytics/_traffic_progress.html: how much of the account is read, by the worker.

    `trouble`: why it does not go on now. `version` changes with what is said. `reload`: there is more to see on the page.
    """

    sentence: str
    trouble: str
    read: int
    videos: int
    version: str
    polls: bool
    reload: bool


def build_progress_part(progress: TrafficProgress, *, new: bool = False) -> ProgressPart:
    """Build the progress of reading the account's traffic. `new`: requested by a page that is open already."""
    read_at = formats.ago(progress.read_at) if progress.read_at else ""
    values = {"read": figures.count(progress.read), "count": figures.count(progress.videos), "when": read_at}
    if progress.listed and not progress.videos:
        sentence = _("This account has no videos yet.")
    elif not progress.videos:
        sentence = _("The platform reports traffic one video at a time. Reelroom reads all videos in the background.")
    elif not progress.complete:
        sentence = (
            _("%(read)s of %(count)s videos read, %(when)s.") if read_at else _("%(read)s of %(count)s videos read.")
        )
        more = _(
            "The traffic of the account is shown once all of them are. To see that of single videos now, add them."
        )
        sentence = f"{sentence} {more}"
    else:
        days = progress.days
        values["days"] = charts.format_days(days) if days else ""
        sentence = _("All %(count)s videos read, %(when)s. %(days)s are known of every one.")
    left = f" {_format_time_left(progress)}" if progress.videos and not progress.complete else ""
    return ProgressPart(
        sentence % values + left,
        refusals.of_pause(library_refresh.trouble_of(progress.reason, progress.next_at)),
        progress.read,
        progress.videos,
        f"{progress.read}-{progress.videos}-{progress.reason}",
        polls=not progress.complete and not (progress.listed and not progress.videos),
        reload=new and progress.complete,
    )


def _format_time_left(progress: TrafficProgress) -> str:
    """Format about how many minutes the worker needs for the rest."""
    minutes = library_refresh.estimate_minutes(progress.videos - progress.read)
    values = {"count": figures.count(minutes)}
    return ngettext("About %(count)s minute left.", "About %(count)s minutes left.", minutes) % values


def build_traffic(
    account: Account, panel_context: PanelContext, progress: TrafficProgress, price: Price | None
) -> Traffic:
    """Build the traffic of the account; nothing of it before every video is read: a part is never called the whole."""
    days = progress.days
    if not progress.complete or days is None:
        return Traffic((), (), None, (), "", waiting="")
    values = {"count": figures.count(progress.videos)}
    videos = ngettext("the account's only video", "all %(count)s videos", progress.videos) % values
    known = Covered((days.start, None), (days.end, None))
    selection = panel_context.state.selection
    sums = traffic_history.get_bytes_by_day(account, days)
    compared = selection.windows.past is not None
    total = build_total_chart(panel_context.state, sums, known, known, videos, compared=compared)
    panels = [
        add_chart(
            AnalyticsPanel("traffic", total.title, total.note), panel_context, total, "components/_line_chart.html"
        )
    ]
    panels += _build_video_panels(account, panel_context, total, videos, price)
    ahead = build_outlook(selection, sums, known, videos, price)
    why = build_traffic_why_address(panel_context.state)
    figures_now, partial = build_total_figures(total, price, why), total.totals.partial
    return Traffic(figures_now, tuple(panels), ahead, (), "", waiting="", partial=partial)


def _build_video_panels(
    account: Account, panel_context: PanelContext, total: TimeChart, videos: str, price: Price | None
) -> list[AnalyticsPanel]:
    """The biggest consumers, and the biggest changes if every day can be compared."""
    windows = panel_context.state.selection.windows
    now = traffic_history.get_bytes_by_video(account, windows.counted)
    compared = total.totals.compared is not None and total.totals.compared.complete
    past = traffic_history.get_bytes_by_video(account, windows.compared) if compared and windows.compared else None
    titles = traffic_history.get_titles(account)
    panels = [_build_consumers_panel(panel_context, now, past, titles, videos, price)]
    if past is not None:
        movers = _list_movers(panel_context, now, past, titles)
        panels.append(AnalyticsPanel("movers", _("Biggest changes"), body="analytics/_movers.html", content=movers))
    return panels


def _build_consumers_panel(
    panel_context: PanelContext,
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
    foot = charts.format_foot(panel_context.state.selection, compared=past is not None)
    title = _("Biggest consumers of %(videos)s") % {"videos": videos}
    chart = BarChart("consumers", title, "", build_traffic_measure(videos), _("Video"), bars, past is not None, foot)
    days = len(panel_context.state.selection.counted)
    rows = []
    for video, bar, drawn in zip(names[:CONSUMERS], chart.bars[:CONSUMERS], chart.drawn()[:CONSUMERS], strict=True):
        cost = price.of(bar.value) if price else ""
        average = figures.format_value(bar.value / days, Unit.BYTES)
        why = build_traffic_why_address(panel_context.state, video)
        rows.append(ShareRow(drawn.label, drawn, average, cost, build_change(bar.value, bar.past), why))
    panel = AnalyticsPanel("consumers", chart.title, content=tuple(rows))
    if len(bars) > CONSUMERS:
        counts = {"shown": figures.count(CONSUMERS), "count": figures.count(len(bars))}
        panel = replace(panel, count=_("%(shown)s of %(count)s") % counts)
    return add_chart(panel, panel_context, chart, "analytics/_shares.html")


def _list_movers(
    panel_context: PanelContext, now: Mapping[str, float], past: Mapping[str, float], titles: Mapping[str, str]
) -> tuple[Mover, ...]:
    moves = {video: now.get(video, 0.0) - past.get(video, 0.0) for video in {*now, *past}}
    first = sorted((video for video in moves if moves[video]), key=lambda video: (-abs(moves[video]), video))[:MOVERS]
    return tuple(
        Mover(
            titles.get(video) or video,
            figures.format_value(past.get(video, 0.0), Unit.BYTES),
            figures.format_value(now.get(video, 0.0), Unit.BYTES),
            build_bytes_change(now.get(video, 0.0), past.get(video, 0.0)),
            build_traffic_why_address(panel_context.state, video),
        )
        for video in first
    )
