"""Retention of one or several videos on one chart."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.analytics import charts, pages, video_comparison
from dashboard.analytics.pages import Panel
from dashboard.analytics.panels import Desk, with_chart
from dashboard.analytics.state import State
from dashboard.analytics.video_comparison import Problem, Several
from dashboard.shared import metrics, retention
from dashboard.shared.charts.retention import DropOff, Watched, chart, drop_offs
from dashboard.shared.ranges import Compare
from dashboard.upstream.figures import Ask, Got, ask

TOP = 3
"""How many of the most played videos stand in where none was chosen."""


def uncompared(state: State) -> State:
    """The same state without a comparison: curves are compared with each other and not with earlier days."""
    return state.with_compare(Compare.NONE)


@dataclass(frozen=True)
class Retention:
    """templates/analytics/_retention.html. `problems`: what could not be read, or only earlier.

    `notes` are about single videos. `waiting` is the address of this part where nothing of it is there yet.
    """

    panels: tuple[Panel, ...]
    drop_offs: tuple[DropOff, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    no_videos: bool
    waiting: str


def asks(state: State, videos: Sequence[str]) -> dict[str, Ask]:
    """Two questions per video: the curve, and how many people it is made of."""
    days, settled = state.selection.counted, state.selection.settled
    asks = {}
    for video_id in videos:
        asks[video_id] = ask("retention", days, settled, video_id=video_id)
        asks[f"{video_id} people"] = ask("general", days, settled, video_id=video_id)
    return asks


def page(desk: Desk, video_answers: Several) -> Retention:
    """The curves of the videos that were found, in that order."""
    films: list[Watched] = []
    notes: list[str] = []
    panels: list[Panel] = []
    for video_id, title in video_answers.titles.items():
        got, crowd = video_answers.of(video_id)
        if got.value is None:
            continue
        points = metrics.retention_points(got.value.table) if got.value.table else None
        if points is None:
            why = _("The platform answered in a shape that is not known. This is what it said.")
            content = pages.generic(got.value, why)
            panels.append(Panel(f"raw-{len(panels)}", title, body="analytics/_generic.html", content=content))
        elif not points:
            notes.append(_("%(title)s: nobody played it in these days.") % {"title": title})
        else:
            films.append(Watched(title, retention.curve(points), people(crowd)))
    if films:
        drawn = chart(films, title=_("Retention"), foot=charts.foot(desk.state.selection))
        panel = Panel(
            "retention",
            drawn.title,
            drawn.note,
            caution=video_comparison.caution(video_answers),
            stale=_stale(video_answers),
        )
        panels.insert(0, with_chart(panel, desk, drawn, "components/_line_chart.html"))
    problems = video_comparison.problems(desk, video_answers)
    waiting = "" if panels else video_comparison.waiting(desk, problems)
    no_videos = not video_answers.titles and not problems
    return Retention(tuple(panels), drop_offs(films), tuple(problems), tuple(notes), no_videos, waiting)


def _stale(video_answers: Several) -> bool:
    return any(got.old for got in video_answers.answers.values())


def people(got: Got) -> int | None:
    """How many people played, where that could be read and is counted."""
    table = got.value.table if got.value is not None else None
    return metrics.people_who_played(table) if table is not None else None
