"""What the overview asks of the platform, side by side; parts that are late are fetched alone afterwards."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial

from django.utils import timezone

from dashboard.overview import registry, rules
from dashboard.overview.registry import Collected
from dashboard.overview.rules import Weeks
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.platform_api.records.analytics import Table
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import credits, reads
from dashboard.upstream import figures as readings
from dashboard.upstream.credits import CreditsKnown
from dashboard.upstream.figures import FigureAnswer, FigureQuery, build_query
from dashboard.upstream.parallel import Failed, Outcome, Ready, gather
from dashboard.upstream.reads import Query

LIBRARY_SECONDS = 30.0


@dataclass(frozen=True)
class Answers:
    """Answers about the last two weeks, by name, and the traffic of single videos where it was asked for."""

    weeks: Weeks
    got: dict[str, FigureAnswer]
    traffic: dict[str, FigureAnswer] = field(default_factory=dict)

    @property
    def late(self) -> bool:
        """Whether one is still on its way."""
        return any(one.late for one in self.got.values())

    @property
    def error(self) -> CallError | None:
        """The trouble of the first answer that brought nothing at all."""
        return next((one.error for one in self.got.values() if one.error and one.value is None), None)

    def table(self, name: str) -> Table | None:
        """The answer as a table, where there is one."""
        return _table(self.got.get(name))

    def bytes_of(self, video_id: str) -> float | None:
        """Traffic of a video in the last week; None where it is not known."""
        return rules.bytes_of(_table(self.traffic.get(video_id)))


def _table(got: FigureAnswer | None) -> Table | None:
    if got is None or got.value is None:
        return None
    found: Table | None = got.value.table
    return found


@dataclass(frozen=True)
class Read:
    """Everything the overview shows. `videos` None: not known how many there are."""

    collected: Collected
    figures: Answers
    watched: Answers
    videos: int | None
    credits: CreditsKnown = field(default_factory=CreditsKnown)


def everything(request: OwnerRequest) -> Read:
    """All parts, side by side, within the page's patience. Raises `BadToken`."""
    weeks = rules.weeks(timezone.now())
    asks = {"figures": figure_asks(weeks), "watched": ranking_asks(weeks)}
    outcomes = gather(
        None,
        library=lambda: _count(request),
        credits=lambda: _credits(request),
        **{name: partial(readings.read_figures, request, asked) for name, asked in asks.items()},
        **registry.reads(request),
    )
    figures, watched = (_answers(weeks, asks[name], outcomes[name]) for name in asks)
    told = outcomes["credits"]
    return Read(
        registry.collected(outcomes),
        figures,
        watched,
        videos=_known(outcomes["library"]),
        credits=told.value if isinstance(told, Ready) else credits.understood(told),
    )


def known_credits(request: OwnerRequest) -> CreditsKnown:
    """What is known of the credits: nothing is read."""
    return credits.understood(reads.of(request).known(credits=credits.query())["credits"])


def figures(request: OwnerRequest) -> Answers:
    """The figures alone, waited for."""
    weeks = rules.weeks(timezone.now())
    return Answers(weeks, readings.read_figures(request, figure_asks(weeks), patience=readings.get_full_timeout()))


def watched(request: OwnerRequest) -> Answers:
    """The most watched videos alone, waited for, with their traffic: one call for each of them [4.12]."""
    weeks, patience = rules.weeks(timezone.now()), readings.get_full_timeout()
    got = readings.read_figures(request, ranking_asks(weeks), patience=patience)
    table = _table(got["now"])
    ids = [video.video_id for video in rules.top(table, None) if video.video_id] if table else []
    traffic = {video: build_query("traffic", weeks.now, _open_day(weeks), video_id=video) for video in ids}
    return Answers(weeks, got, readings.read_figures(request, traffic, patience=patience))


def figure_asks(weeks: Weeks) -> dict[str, FigureQuery]:
    """Two weeks of plays by day, and the cities of either week."""
    return {
        "days": build_query("browser", weeks.both, _open_day(weeks), granularity="day"),
        "cities": build_query("city", weeks.now, _open_day(weeks)),
        "cities_before": build_query("city", weeks.before, _open_day(weeks)),
    }


def ranking_asks(weeks: Weeks) -> dict[str, FigureQuery]:
    """The ranking of either week."""
    return {
        "now": build_query("ranking", weeks.now, _open_day(weeks)),
        "before": build_query("ranking", weeks.before, _open_day(weeks)),
    }


def _open_day(weeks: Weeks) -> date:
    """The first day that is not over."""
    return weeks.now.end + timedelta(days=1)


def _count(request: OwnerRequest) -> int:
    """How many videos there are, at least: 0 tells that the account is empty."""
    found = reads.of(request).get(Query(lambda platform: platform.videos.list(limit=1), LIBRARY_SECONDS))
    return found.total if found.total is not None else len(found.videos)


def _credits(request: OwnerRequest) -> CreditsKnown:
    return credits.understood(reads.of(request).gather(credits=credits.query())["credits"])


def _answers(weeks: Weeks, asked: dict[str, FigureQuery], outcome: Outcome) -> Answers:
    """What a part brought; where it did not come in time, all its answers are late."""
    if isinstance(outcome, Failed):
        raise outcome.error
    return Answers(weeks, outcome.value if isinstance(outcome, Ready) else dict.fromkeys(asked, FigureAnswer(None)))


def _known(outcome: Outcome) -> int | None:
    if isinstance(outcome, Failed) and isinstance(outcome.error, BadToken):
        raise outcome.error
    return int(outcome.value) if isinstance(outcome, Ready) else None
