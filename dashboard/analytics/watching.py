"""Retention of one or several videos on one chart."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.analytics import pages, prepare
from dashboard.analytics.pages import Panel
from dashboard.analytics.panels import Desk, with_chart
from dashboard.analytics.state import State
from dashboard.shared import metrics, retention
from dashboard.shared.charts.retention import DropOff, Watched, chart, drop_offs
from dashboard.shared.readings import Ask, Got, ask


@dataclass(frozen=True)
class Retention:
    """templates/analytics/retention.html."""

    panels: tuple[Panel, ...]
    drop_offs: tuple[DropOff, ...]
    problems: tuple[str, ...]
    no_videos: bool


def asks(state: State, videos: Mapping[str, str]) -> dict[str, Ask]:
    """Two questions per video: the curve, and how many people it is made of."""
    days, settled = state.selection.counted, state.selection.settled
    made = {}
    for video_id in videos:
        made[video_id] = ask("retention", days, settled, video_id=video_id)
        made[f"{video_id} people"] = ask("general", days, settled, video_id=video_id)
    return made


def page(desk: Desk, titles: Mapping[str, str], answers: Mapping[str, Got]) -> Retention:
    """The curves of the videos in `titles`, in that order."""
    films: list[Watched] = []
    problems: list[str] = []
    panels: list[Panel] = []
    for video_id, title in titles.items():
        got = answers[video_id]
        if got.value is None:
            late = _("%(title)s: the answer is late. Reload in a moment.") % {"title": title}
            problems.append(late if got.late else f"{title}: {pages.trouble(got).sentence}")
            continue
        points = metrics.retention_points(got.value.table) if got.value.table else None
        if points is None:
            why = _("The platform answered in a shape that is not known. This is what it said.")
            content = pages.generic(got.value, why)
            panels.append(Panel(f"raw-{len(panels)}", title, body="analytics/_generic.html", content=content))
        elif not points:
            problems.append(_("%(title)s: nobody played it in these days.") % {"title": title})
        else:
            films.append(Watched(title, retention.curve(points), people(answers[f"{video_id} people"])))
    if films:
        drawn = chart(films, title=_("Retention"), foot=prepare.foot(desk.state.selection))
        panel = Panel("retention", drawn.title, drawn.note)
        panels.insert(0, with_chart(panel, desk, drawn, "components/_line_chart.html"))
    return Retention(tuple(panels), drop_offs(films), tuple(problems), not titles)


def people(got: Got) -> int | None:
    """How many people played, where that could be read and is counted."""
    table = got.value.table if got.value is not None else None
    return metrics.people_who_played(table) if table is not None else None
