"""Pages about several videos: which ones they are, what could be read of each, and trying a single one again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _

from dashboard import clients
from dashboard.analytics import rules
from dashboard.analytics.chooser import titles_of
from dashboard.analytics.panels import Desk
from dashboard.analytics.parameters import fragment
from dashboard.analytics.state import State
from dashboard.platform_api.errors import BadToken
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.error_messages import Trouble, trouble
from dashboard.upstream.figures import Ask, Got, ask, list_ask, read, video_ask, whole_patience

NUMBERS = "numbers"
"""The part of these pages that can be fetched alone: everything that is made of the videos' numbers."""

AskAll = Callable[[State, Sequence[str]], dict[str, Ask]]


@dataclass(frozen=True)
class Attempt:
    """One video (or the ranking that should have chosen videos) that can be tried alone: `fragment` is its address."""

    title: str
    fragment: str


@dataclass(frozen=True)
class Problem:
    """What is missing or old, in its place. Videos with the same trouble are told together, each with its attempt."""

    trouble: Trouble
    attempts: tuple[Attempt, ...]
    retry: str
    fragment: str

    @property
    def title(self) -> str:
        return ", ".join(attempt.title for attempt in self.attempts)


@dataclass(frozen=True)
class Several:
    """The videos of a page and the answers about them. `listed` is None in a part that shows no chooser."""

    titles: Mapping[str, str]
    answers: Mapping[str, Got]
    listed: Got | None = None
    ranking: Got | None = None

    def of(self, video_id: str) -> list[Got]:
        """All answers about a video, the one without which it cannot be shown first."""
        return [got for name, got in self.answers.items() if name.split(" ")[0] == video_id]


def several(request: OwnerRequest, desk: Desk, most: int, asks: AskAll, *, patience: float | None = None) -> Several:
    """Reads the videos of the address, or the `most` played ones. Raises `Missing` for one of another account.

    A part that is fetched alone for one video asks for that one only; what is kept of the others stands.
    """
    part = fragment(request)
    patience = whole_patience() if part else patience
    ranking = None if desk.state.videos else _ranking(request, desk.state, patience)
    known = _ranked(ranking)
    videos = desk.state.videos or tuple(known)[:most]
    if part not in {"", NUMBERS, *videos}:
        raise Http404
    numbers = asks(desk.state, videos)
    more = {f"video {video}": video_ask(video) for video in videos}
    if not part:
        more["listed -"] = list_ask(desk.state.find)
    only = None
    if part not in {"", NUMBERS}:
        only = {*more, *(name for name in numbers if name.split(" ")[0] == part)}
    answers = read(request, {**numbers, **more}, patience=patience, only=only)
    titles = titles_of(videos, answers, known)
    _still_signed_in(request, answers)
    return Several(titles, {name: answers[name] for name in numbers}, answers.get("listed -"), ranking)


def listed(request: OwnerRequest, state: State) -> Several:
    """No video, and the list to choose from."""
    return Several({}, {}, read(request, {"listed -": list_ask(state.find)})["listed -"])


def _ranking(request: OwnerRequest, state: State, patience: float | None) -> Got:
    question = ask("ranking", state.selection.counted, state.selection.settled)
    return read(request, {"ranking": question}, patience=patience)["ranking"]


def _ranked(ranking: Got | None) -> dict[str, str]:
    """Identifiers and titles, most played first."""
    if ranking is None or ranking.value is None or ranking.value.table is None:
        return {}
    return {video.video_id: video.title for video in rules.ranked(ranking.value.table, None) if video.video_id}


def _still_signed_in(request: OwnerRequest, answers: Mapping[str, Got]) -> None:
    """A 401 to traffic alone is about the form of its token [5]. Raises `BadToken` where the token works nowhere."""
    if any(isinstance(got.error, BadToken) for got in answers.values()):
        clients.platform(request).videos.list(limit=1)


def problems(desk: Desk, video_answers: Several) -> list[Problem]:
    """Everything that is missing or old, the ranking first."""
    attempts_by_trouble: dict[Trouble, list[Attempt]] = {}
    if video_answers.ranking is not None and video_answers.ranking.value is None:
        attempts_by_trouble[trouble(video_answers.ranking)] = [Attempt(_("Most played videos"), desk.address(NUMBERS))]
    for video_id, title in video_answers.titles.items():
        got = next((got for got in video_answers.of(video_id) if got.value is None or got.old), None)
        if got is not None:
            attempts_by_trouble.setdefault(trouble(got), []).append(Attempt(title, desk.address(video_id)))
    return [_problem(desk, cause, tuple(attempts)) for cause, attempts in attempts_by_trouble.items()]


def _problem(desk: Desk, cause: Trouble, attempts: tuple[Attempt, ...]) -> Problem:
    alone = attempts[0].fragment if len(attempts) == 1 else desk.address(NUMBERS)
    return Problem(cause, attempts, desk.address(), alone)


def waiting(desk: Desk, problems: Sequence[Problem]) -> str:
    """The address from which the numbers fetch themselves: where some are late, and nobody reads any of them yet."""
    return desk.address(NUMBERS) if any(problem.trouble.late for problem in problems) else ""


def caution(video_answers: Several) -> str:
    """What a sum over the videos lacks; empty where it is whole."""
    missing = [title for video_id, title in video_answers.titles.items() if video_answers.of(video_id)[0].value is None]
    return _("Without %(titles)s, whose numbers are not there.") % {"titles": ", ".join(missing)} if missing else ""
