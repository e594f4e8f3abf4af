"""Pages about several videos: loading them, their problems, and their retention on one chart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _

from dashboard.analytics import charts, rules
from dashboard.analytics.date_bar import get_titles
from dashboard.analytics.panels import AnalyticsPanel, PanelContext, add_chart, build_generic, get_panel_name
from dashboard.analytics.state import AnalyticsState
from dashboard.platform_api.errors import BadToken
from dashboard.shared import metrics, retention
from dashboard.shared.charts.retention import DropOff, VideoCurve, build_curves_chart, list_drop_offs
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.figures import (
    FigureAnswer,
    FigureQuery,
    Trouble,
    build_query,
    build_video_list_query,
    build_video_query,
    get_full_timeout,
    read_figures,
    trouble,
)

NUMBERS = "numbers"
"""The part of these pages that can be loaded alone: everything made of the videos' numbers."""

AskAll = Callable[[AnalyticsState, Sequence[str]], dict[str, FigureQuery]]


@dataclass(frozen=True)
class Attempt:
    """One video (or the ranking that should have chosen videos) that can be tried alone: `fragment` is its address."""

    title: str
    fragment: str


@dataclass(frozen=True)
class VideoProblem:
    """What is missing or old. Videos with the same trouble are grouped, each with its retry."""

    trouble: Trouble
    attempts: tuple[Attempt, ...]
    retry: str
    fragment: str

    @property
    def title(self) -> str:
        return ", ".join(attempt.title for attempt in self.attempts)


@dataclass(frozen=True)
class VideoAnswers:
    """The videos of a page and the answers about them. `listed` is None in a part that shows no chooser."""

    titles: Mapping[str, str]
    answers: Mapping[str, FigureAnswer]
    listed: FigureAnswer | None = None
    ranking: FigureAnswer | None = None

    def of(self, video_id: str) -> list[FigureAnswer]:
        """All answers about a video, the one without which it cannot be shown first."""
        return [got for name, got in self.answers.items() if name.split(" ")[0] == video_id]


def load_videos(
    request: OwnerRequest, context: PanelContext, most: int, asks: AskAll, *, patience: float | None = None
) -> VideoAnswers:
    """Reads the videos of the address, or the `most` played ones. Raises `Missing` for one of another account.

    A part that is fetched alone for one video asks for that one only; what is kept of the others stands.
    """
    part = get_panel_name(request)
    patience = get_full_timeout() if part else patience
    ranking = None if context.state.videos else _load_ranking(request, context.state, patience)
    known = _parse_titles(ranking)
    videos = context.state.videos or tuple(known)[:most]
    if part not in {"", NUMBERS, *videos}:
        raise Http404
    numbers = asks(context.state, videos)
    more = {f"video {video}": build_video_query(video) for video in videos}
    if not part:
        more["listed -"] = build_video_list_query(context.state.find)
    only = None
    if part not in {"", NUMBERS}:
        only = {*more, *(name for name in numbers if name.split(" ")[0] == part)}
    answers = read_figures(request, {**numbers, **more}, patience=patience, only=only)
    titles = get_titles(videos, answers, known)
    _check_sign_in(request, answers)
    return VideoAnswers(titles, {name: answers[name] for name in numbers}, answers.get("listed -"), ranking)


def load_video_list(request: OwnerRequest, state: AnalyticsState) -> VideoAnswers:
    """Load the list to choose from, without any video."""
    return VideoAnswers({}, {}, read_figures(request, {"listed -": build_video_list_query(state.find)})["listed -"])


def _load_ranking(request: OwnerRequest, state: AnalyticsState, patience: float | None) -> FigureAnswer:
    question = build_query("ranking", state.selection.counted, state.selection.settled)
    return read_figures(request, {"ranking": question}, patience=patience)["ranking"]


def _parse_titles(ranking: FigureAnswer | None) -> dict[str, str]:
    """Identifiers and titles, most played first."""
    if ranking is None or ranking.value is None or ranking.value.table is None:
        return {}
    return {video.video_id: video.title for video in rules.parse_ranking(ranking.value.table, None) if video.video_id}


def _check_sign_in(request: OwnerRequest, answers: Mapping[str, FigureAnswer]) -> None:
    """A 401 for traffic alone is about the form of its token [5]. Raises `BadToken` if the token fails elsewhere too."""
    if any(isinstance(got.error, BadToken) for got in answers.values()):
        clients.platform(request).videos.list(limit=1)


def list_problems(context: PanelContext, video_answers: VideoAnswers) -> list[VideoProblem]:
    """List everything that is missing or old, the ranking first."""
    attempts_by_trouble: dict[Trouble, list[Attempt]] = {}
    if video_answers.ranking is not None and video_answers.ranking.value is None:
        attempts_by_trouble[trouble(video_answers.ranking)] = [
            Attempt(_("Most played videos"), context.address(NUMBERS))
        ]
    for video_id, title in video_answers.titles.items():
        got = next((got for got in video_answers.of(video_id) if got.value is None or got.old), None)
        if got is not None:
            attempts_by_trouble.setdefault(trouble(got), []).append(Attempt(title, context.address(video_id)))
    return [_build_problem(context, cause, tuple(attempts)) for cause, attempts in attempts_by_trouble.items()]


def _build_problem(context: PanelContext, cause: Trouble, attempts: tuple[Attempt, ...]) -> VideoProblem:
    alone = attempts[0].fragment if len(attempts) == 1 else context.address(NUMBERS)
    return VideoProblem(cause, attempts, context.address(), alone)


def get_waiting_address(context: PanelContext, problems: Sequence[VideoProblem]) -> str:
    """The address from which late numbers load themselves; empty if none is late."""
    return context.address(NUMBERS) if any(problem.trouble.late for problem in problems) else ""


def format_caution(video_answers: VideoAnswers) -> str:
    """Say which videos are missing from a sum; empty if it is complete."""
    missing = [title for video_id, title in video_answers.titles.items() if video_answers.of(video_id)[0].value is None]
    return _("Without %(titles)s: the numbers are missing.") % {"titles": ", ".join(missing)} if missing else ""


TOP = 3
"""How many of the most played videos stand in where none was chosen."""


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


def build_retention_asks(state: AnalyticsState, videos: Sequence[str]) -> dict[str, FigureQuery]:
    """Two questions per video: the curve, and how many people it is made of."""
    days, settled = state.selection.counted, state.selection.settled
    asks = {}
    for video_id in videos:
        asks[video_id] = build_query("retention", days, settled, video_id=video_id)
        asks[f"{video_id} people"] = build_query("general", days, settled, video_id=video_id)
    return asks


def build_retention(context: PanelContext, video_answers: VideoAnswers) -> Retention:
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
            content = build_generic(got.value, why)
            panels.append(AnalyticsPanel(f"raw-{len(panels)}", title, body="analytics/_generic.html", content=content))
        elif not points:
            notes.append(_("%(title)s: no plays in these days.") % {"title": title})
        else:
            films.append(VideoCurve(title, retention.build_curve(points), count_people(crowd)))
    if films:
        drawn = build_curves_chart(films, title=_("Retention"), foot=charts.format_foot(context.state.selection))
        panel = AnalyticsPanel(
            "retention",
            drawn.title,
            drawn.note,
            caution=format_caution(video_answers),
            stale=any(got.old for got in video_answers.answers.values()),
        )
        panels.insert(0, add_chart(panel, context, drawn, "components/_line_chart.html"))
    problems = list_problems(context, video_answers)
    waiting = "" if panels else get_waiting_address(context, problems)
    no_videos = not video_answers.titles and not problems
    return Retention(
        tuple(panels), list_drop_offs(films), tuple(problems), notes=tuple(notes), no_videos=no_videos, waiting=waiting
    )


def count_people(got: FigureAnswer) -> int | None:
    """How many people played, where that could be read and is counted."""
    table = got.value.table if got.value is not None else None
    return metrics.count_players(table) if table is not None else None
