"""Retention of one or several videos on one chart."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.analytics import charts, pages, video_comparison
from dashboard.analytics.pages import AnalyticsPanel
from dashboard.analytics.panels import PanelContext, add_chart
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.video_comparison import VideoAnswers, VideoProblem
from dashboard.shared import metrics, retention
from dashboard.shared.charts.retention import DropOff, VideoCurve, build_curves_chart, list_drop_offs
from dashboard.shared.ranges import Compare
from dashboard.upstream.figures import FigureAnswer, FigureQuery, build_query

TOP = 3
"""How many of the most played videos stand in where none was chosen."""


def remove_comparison(state: AnalyticsState) -> AnalyticsState:
    """The same state without a comparison: curves are compared with each other and not with earlier days."""
    return state.with_compare(Compare.NONE)


@dataclass(frozen=True)
class Retention:
    """templates/analytics/_retention.html. `problems`: what could not be read, or only earlier.

    `notes` are about single videos. `waiting` is the address of this part where nothing of it is there yet.
    """

    panels: tuple[AnalyticsPanel, ...]
    drop_offs: tuple[DropOff, ...]
    problems: tuple[VideoProblem, ...]
    notes: tuple[str, ...]
    no_videos: bool
    waiting: str


def build_asks(state: AnalyticsState, videos: Sequence[str]) -> dict[str, FigureQuery]:
    """Two questions per video: the curve, and how many people it is made of."""
    days, settled = state.selection.counted, state.selection.settled
    asks = {}
    for video_id in videos:
        asks[video_id] = build_query("retention", days, settled, video_id=video_id)
        asks[f"{video_id} people"] = build_query("general", days, settled, video_id=video_id)
    return asks


def build_retention(panel_context: PanelContext, video_answers: VideoAnswers) -> Retention:
    """The curves of the videos that were found, in that order."""
    films: list[VideoCurve] = []
    notes: list[str] = []
    panels: list[AnalyticsPanel] = []
    for video_id, title in video_answers.titles.items():
        got, crowd = video_answers.of(video_id)
        if got.value is None:
            continue
        points = metrics.parse_retention(got.value.table) if got.value.table else None
        if points is None:
            why = _("The platform answered in a shape that is not known. This is what it said.")
            content = pages.build_generic(got.value, why)
            panels.append(AnalyticsPanel(f"raw-{len(panels)}", title, body="analytics/_generic.html", content=content))
        elif not points:
            notes.append(_("%(title)s: no plays in these days.") % {"title": title})
        else:
            films.append(VideoCurve(title, retention.build_curve(points), count_people(crowd)))
    if films:
        drawn = build_curves_chart(films, title=_("Retention"), foot=charts.format_foot(panel_context.state.selection))
        panel = AnalyticsPanel(
            "retention",
            drawn.title,
            drawn.note,
            caution=video_comparison.format_caution(video_answers),
            stale=any(got.old for got in video_answers.answers.values()),
        )
        panels.insert(0, add_chart(panel, panel_context, drawn, "components/_line_chart.html"))
    problems = video_comparison.list_problems(panel_context, video_answers)
    waiting = "" if panels else video_comparison.get_waiting_address(panel_context, problems)
    no_videos = not video_answers.titles and not problems
    return Retention(tuple(panels), list_drop_offs(films), tuple(problems), tuple(notes), no_videos, waiting)


def count_people(got: FigureAnswer) -> int | None:
    """How many people played, where that could be read and is counted."""
    table = got.value.table if got.value is not None else None
    return metrics.count_players(table) if table is not None else None
