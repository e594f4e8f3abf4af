"""What analytics knows of every video: its traffic as the worker keeps it, and its plays and views out of the rankings.

A ranking is one call for all videos. It may be cut: a video that it does not name has no views only where it surely was not.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from django.db.models import Count, Max

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history
from dashboard.analytics.models import TrafficList, TrafficVideo
from dashboard.analytics.rules import RankedVideo, count_ranked, parse_ranking
from dashboard.analytics.traffic_history import AGAIN_DAYS, get_yesterday
from dashboard.shared.days import Days
from dashboard.upstream import library, store
from dashboard.upstream.facts import VideoFacts, VideoSource, register_period_source, register_source
from dashboard.upstream.figures import build_query
from dashboard.upstream.parallel import Ready
from dashboard.upstream.reads import Query, Reads
from dashboard.writes import library_refresh

DAYS: Final = 28


def _load_traffic(account: Account) -> VideoFacts:
    """The bytes of the last 28 whole days; of a video that was not read lately, nothing is known."""
    days = get_recent_days()
    read = TrafficVideo.objects.filter(account=account, last_day__gte=days.end - timedelta(days=AGAIN_DAYS))
    known = dict.fromkeys(read.values_list("video_id", flat=True), 0.0)
    by_video = traffic_history.get_bytes_by_video(account, days)
    return VideoFacts({video: by_video.get(video, 0.0) for video in known})


def _traffic_version(account: Account) -> tuple[object, ...]:
    videos = TrafficVideo.objects.filter(account=account)
    return (*videos.aggregate(count=Count("pk"), newest=Max("read_at")).values(), get_yesterday())


def get_recent_days() -> Days:
    """The last 28 whole days."""
    end = get_yesterday()
    return Days(end - timedelta(days=DAYS - 1), end)


def build_rankings() -> dict[str, Query[object]]:
    """The rankings of the last 28 whole days and of the 28 before."""
    days = get_recent_days()
    open_day: date = days.end + timedelta(days=1)
    return {
        "now": build_query("ranking", days, open_day).query(),
        "before": build_query("ranking", days.moved(-DAYS), open_day).query(),
    }


def load_plays(account: Account) -> VideoFacts:
    """The plays of every video, as `_load_counts` tells them."""
    return _load_counts(account, lambda video: video.plays)


def _load_counts(account: Account, count_of: Callable[[RankedVideo], float | None]) -> VideoFacts:
    """By video: (28 days, the 28 before); the second is None where that is not known."""
    outcomes = Reads(account).known(**build_rankings())
    now, is_whole = _read_ranking(outcomes["now"], count_of)
    before, was_whole = _read_ranking(outcomes["before"], count_of)
    rest_before = 0.0 if was_whole else None
    counts = {video: (count, before.get(video, rest_before)) for video, count in now.items()}
    gone = {video: (0.0, count) for video, count in before.items() if is_whole and video not in now}
    return VideoFacts(gone | counts, (0.0, rest_before) if is_whole else None)


def _read_ranking(outcome: object, count_of: Callable[[RankedVideo], float | None]) -> tuple[dict[str, float], bool]:
    """The count of each video, and whether every other one has none."""
    if not isinstance(outcome, Ready) or outcome.value.table is None:
        return {}, False
    return count_ranked(parse_ranking(outcome.value.table, None), count_of)


def _ranking_version(account: Account) -> tuple[object, ...]:
    digests = [library.digest_of(query) for query in build_rankings().values()]
    return tuple(sorted((digest, state.changed_at) for digest, state in store.states(account.pk, digests).items()))


def _refresh(account: Account) -> None:
    """Read the two rankings where they are older than their interval."""
    Reads(account).gather(library.waiting(), **build_rankings())


def _want_traffic(account: Account) -> None:
    """Let the worker read on: somebody looks at the traffic of every video."""
    library_refresh.want(TrafficList, account)


def _load_traffic_of(account: Account, days: Days) -> Mapping[str, float] | None:
    """The bytes of these days by video, where all of them are known of every video. Lets the worker read on."""
    _want_traffic(account)
    progress = traffic_history.get_progress(account)
    known = progress.days if progress.complete else None
    if known is None or days.start not in known or days.end not in known:
        return None
    return traffic_history.get_bytes_by_video(account, days)


register_period_source("traffic", _load_traffic_of)
register_source(VideoSource("traffic", _traffic_version, _load_traffic, _want_traffic))
register_source(VideoSource("plays", _ranking_version, load_plays, _refresh))
register_source(
    VideoSource("views", _ranking_version, lambda account: _load_counts(account, lambda video: video.views))
)
