"""Reads of the overview, in parallel; parts that are late are loaded separately afterwards."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from django.utils import timezone

from dashboard.overview import registry, rules
from dashboard.overview.registry import ItemCollection
from dashboard.overview.rules import Weeks
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.platform_api.videos import VideoPage
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import credits, reads
from dashboard.upstream.credits import CreditsKnown
from dashboard.upstream.figures import (
    FigureAnswer,
    FigureQuery,
    build_answer,
    build_query,
    get_full_timeout,
    name_ranked,
    read_figures,
)
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.reads import Query

COUNT: Final = Query(lambda platform: platform.videos.list(limit=1), seconds=30.0)
"""The first video, with how many there are."""


@dataclass(frozen=True)
class PartData:
    """Answers about the last two weeks, by name, and the traffic of single videos where it was asked for."""

    weeks: Weeks
    results: dict[str, FigureAnswer]
    traffic: dict[str, FigureAnswer] = field(default_factory=dict)

    @property
    def late(self) -> bool:
        """Whether a result has not arrived yet."""
        return any(result.late for result in self.results.values())

    @property
    def error(self) -> CallError | None:
        """The trouble of the first answer that brought nothing at all."""
        return next((result.error for result in self.results.values() if result.error and result.value is None), None)

    def table(self, name: str) -> Table | None:
        """The answer as a table, where there is one."""
        return _get_table(self.results.get(name))

    def bytes_of(self, video_id: str) -> float | None:
        """Traffic of a video in the last week; None where it is not known."""
        return rules.sum_traffic(_get_table(self.traffic.get(video_id)))


def _get_table(result: FigureAnswer | None) -> Table | None:
    if result is None or result.value is None:
        return None
    table: Table | None = result.value.table
    return table


@dataclass(frozen=True)
class OverviewData:
    """Everything the overview shows. `videos` None: not known how many there are."""

    collected: ItemCollection
    figures: PartData
    watched: PartData
    videos: int | None
    credits: CreditsKnown = field(default_factory=CreditsKnown)


def load_overview(request: OwnerRequest) -> OverviewData:
    """All parts, side by side, within the page's patience. Raises `BadToken`."""
    weeks = rules.get_weeks(timezone.now())
    parts = {"figures": build_figure_queries(weeks), "watched": build_ranking_queries(weeks)}
    calls = {f"{part} {name}": query.query() for part, queries in parts.items() for name, query in queries.items()}
    outcomes = registry.load_outcomes(request, {"library": COUNT, "credits": credits.query(), **calls})
    figures, watched = (
        PartData(
            weeks, {name: name_ranked(request.account.pk, build_answer(outcomes[f"{part} {name}"])) for name in queries}
        )
        for part, queries in parts.items()
    )
    return OverviewData(
        registry.build_collection(outcomes),
        figures,
        watched,
        videos=_get_video_count(outcomes["library"]),
        credits=credits.understood(outcomes["credits"]),
    )


def get_known_credits(request: OwnerRequest) -> CreditsKnown:
    """What is known of the credits: nothing is read."""
    return credits.understood(reads.of(request).known(credits=credits.query())["credits"])


def load_figures(request: OwnerRequest) -> PartData:
    """The figures alone, waited for."""
    weeks = rules.get_weeks(timezone.now())
    return PartData(weeks, read_figures(request, build_figure_queries(weeks), patience=get_full_timeout()))


def load_most_watched(request: OwnerRequest) -> PartData:
    """The most watched videos alone, waited for, with their traffic: one call for each of them [4.12]."""
    weeks, patience = rules.get_weeks(timezone.now()), get_full_timeout()
    results = read_figures(request, build_ranking_queries(weeks), patience=patience)
    table = _get_table(results["now"])
    ids = [video.video_id for video in rules.rank_videos(table, None) if video.video_id] if table else []
    traffic = {video: build_query("traffic", weeks.now, _get_open_day(weeks), video_id=video) for video in ids}
    return PartData(weeks, results, read_figures(request, traffic, patience=patience))


def build_figure_queries(weeks: Weeks) -> dict[str, FigureQuery]:
    """Two weeks of plays by day, and the cities of either week."""
    return {
        "days": build_query("browser", weeks.both, _get_open_day(weeks), granularity="day"),
        "cities": build_query("city", weeks.now, _get_open_day(weeks)),
        "cities_before": build_query("city", weeks.before, _get_open_day(weeks)),
    }


def build_ranking_queries(weeks: Weeks) -> dict[str, FigureQuery]:
    """The ranking of either week."""
    return {
        "now": build_query("ranking", weeks.now, _get_open_day(weeks)),
        "before": build_query("ranking", weeks.before, _get_open_day(weeks)),
    }


def _get_open_day(weeks: Weeks) -> date:
    """The first day that is not over."""
    return weeks.now.end + timedelta(days=1)


def _get_video_count(outcome: Outcome) -> int | None:
    """How many videos there are, at least: 0 tells that the account is empty. Raises `BadToken`."""
    if isinstance(outcome, Failed) and isinstance(outcome.error, BadToken):
        raise outcome.error
    if not isinstance(outcome, Ready):
        return None
    page: VideoPage = outcome.value
    return page.total if page.total is not None else len(page.videos)
