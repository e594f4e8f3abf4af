"""Stored traffic of all videos by day. The platform reports one video at a time [4.12], so it is read in slices.

A slice lists the next videos or reads the next ones, at most four calls at a time, and stops where the platform asks for
a pause. The worker reads slice after slice for accounts whose traffic somebody has looked at lately.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from math import inf
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, F, Max, Min, Q, Sum
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.analytics.forecast import HISTORY_DAYS
from dashboard.analytics.models import TrafficDay, TrafficList, TrafficVideo
from dashboard.analytics.rules import RankedVideo, count_ranked, parse_daily_bytes, parse_ranking, tell_apart
from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.errors import BadToken, CallError, Missing, OverBudget
from dashboard.shared.ranges import Days
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, clients, library, store
from dashboard.upstream.facts import VideoFacts, VideoSource, register_period_source, register_source
from dashboard.upstream.figures import build_query
from dashboard.upstream.parallel import Failed, Ready, gather
from dashboard.upstream.reads import Query, Reads
from dashboard.writes import library_refresh

LIST_PAGE: Final = 100
LISTED: Final = ("next_page", "videos", "started_at", "completed_at")
LIST_HOURS: Final = 24
"""Hours after which the list of videos is read again."""

SUMS_SECONDS: Final = 3600
"""How long sums by video are held; those of days that are read anew are others at once."""

AGAIN_DAYS: Final = 2
"""Days before the last known one that are read again: the platform corrects them."""


@dataclass(frozen=True)
class TrafficProgress:
    """How much of an account's traffic is known. `days`: those that are known of every video.

    `reason`: why the last slice ended early, as `TrafficList.reason`.
    """

    videos: int
    read: int
    read_at: datetime | None
    days: Days | None
    listed: bool
    reason: str = ""
    next_at: datetime | None = None
    """When the worker reads on; None for as soon as it can."""

    @property
    def complete(self) -> bool:
        """Whether sums are the account's own: every video was listed, and read."""
        return self.listed and self.videos > 0 and self.read == self.videos and self.days is not None


@dataclass(frozen=True)
class SliceResult:
    """Result of a slice, in videos: how many were asked for and how many were read. `error` ended it early."""

    attempts: int
    read: int
    error: CallError | None = None


def get_progress(account: Account, listing: TrafficList | None = None, videos: Collection[str] = ()) -> TrafficProgress:
    """How much of the account's traffic is stored, or of some of its videos. `listing`: its row, if already loaded."""
    listing = listing or TrafficList.objects.filter(account=account).first()
    mine = TrafficVideo.objects.filter(account=account)
    mine = mine.filter(video_id__in=videos) if videos else mine.filter(gone_at=None)
    totals = mine.aggregate(
        videos=Count("pk"),
        read=Count("pk", filter=Q(read_at__isnull=False)),
        read_at=Min("read_at"),
        first=Max("first_day"),
        last=Min("last_day"),
    )
    counted = TrafficDay.objects.filter(account=account).values_list("day", flat=True)
    # Each end is one look into the index; the least and the greatest of one query are a walk through all days.
    earliest, latest = counted.order_by("day").first(), counted.order_by("-day").first()
    days = None
    if totals["first"] and earliest and latest:
        first, last = max(totals["first"], earliest), min(totals["last"], latest)
        days = Days(first, last) if first <= last else None
    listed = bool(videos) or (listing is not None and listing.completed_at is not None)
    count = max(totals["videos"], len(videos))
    if listing and not listed:
        count = max(count, listing.videos or 0)
    reason, next_at = (listing.reason, listing.next_at) if listing else ("", None)
    return TrafficProgress(
        count, totals["read"], totals["read_at"], days=days, listed=listed, reason=reason, next_at=next_at
    )


def read_next_slice(listing: TrafficList, until: float) -> int:
    """Read the next slice of an account and schedule the one after it. Returns how many videos were read."""
    account = listing.account
    try:
        result = read_slice(account, budget.background_calls(), until)
    except Unreadable:  # the key of its token is gone: a person has to sign in again
        result = SliceResult(0, 0, BadToken("videos.list"))
    is_done = (result.attempts and not result.read) or not list_next_videos(
        account, 1
    )  # of a shape that is not known, or all read
    library_refresh.put_off(listing, result.error, is_done=bool(is_done))
    return result.read


def read_slice(account: Account, limit: int, until: float = inf) -> SliceResult:
    """Lists videos where the list is not known or old, then reads the next `limit` of them.

    Begins no read after `until`, a moment of `time.monotonic`.
    """
    try:
        list_videos(account)
    except CallError as error:
        if library_refresh.wait_for_budget(error, until):
            return read_slice(account, limit, until)
        return SliceResult(0, 0, error)
    return refresh_traffic(account, videos=list_next_videos(account, limit), until=until)


def list_videos(account: Account, pages: int = 10) -> None:
    """Reads up to `pages` pages of the list of videos. Raises `PlatformError`; what was listed until then is kept."""
    now = timezone.now()
    listing, _ = TrafficList.objects.get_or_create(account=account, defaults={"started_at": now})
    is_fresh = listing.completed_at and now - timedelta(hours=LIST_HOURS) < listing.completed_at <= now
    if is_fresh and listing.next_page == 1:
        return
    if listing.next_page == 1:
        listing.started_at = now
    platform = clients.platform_for(account)
    for _page in range(pages):
        with library_refresh.take_turn(account.pk):
            page = platform.videos.list(page=listing.next_page, limit=LIST_PAGE)
        rows = [
            TrafficVideo(
                account=account,
                video_id=video.id,
                title=(video.title or "")[:255],
                folder_id=(video.folder_id or "")[:64],
                created_at=video.created_at,
                listed_at=now,
                gone_at=None,
            )
            for video in {video.id: video for video in page.videos}.values()
        ]
        TrafficVideo.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["account", "video_id"],
            update_fields=["title", "folder_id", "created_at", "listed_at", "gone_at"],
        )
        listing.videos = page.total or listing.videos
        listing.next_page += 1
        if len(page.videos) < LIST_PAGE:
            _finish_list(listing, now)
            return
        listing.save(update_fields=LISTED)


def _finish_list(listing: TrafficList, now: datetime) -> None:
    """Complete the list: a video that it did not contain is marked as gone."""
    listing.next_page, listing.completed_at = 1, now
    listing.save(update_fields=LISTED)
    unseen = TrafficVideo.objects.filter(account=listing.account, gone_at=None, listed_at__lt=listing.started_at)
    unseen.update(gone_at=now)


def list_next_videos(account: Account, limit: int) -> list[str]:
    """The videos that should be read next: those never tried, then those that were tried longest ago."""
    due = TrafficVideo.objects.filter(account=account, gone_at=None)
    due = due.exclude(last_day=get_yesterday())  # a later day is of a clock that ran ahead
    video_ids = due.order_by(F("tried_at").asc(nulls_first=True), "video_id").values_list("video_id", flat=True)
    return list(video_ids[:limit])


def refresh_traffic(account: Account, *, videos: Sequence[str], until: float = inf) -> SliceResult:
    """Reads the whole days of these videos that are not known yet, and keeps them.

    A video that the platform no longer has is marked as gone. Any other trouble ends the slice: pressing on against a
    platform that asks for a pause, or does not answer, helps nobody.
    """
    known = {video.video_id: video for video in TrafficVideo.objects.filter(account=account, video_id__in=videos)}
    queue = [known.get(video_id) or TrafficVideo(account=account, video_id=video_id) for video_id in videos]
    platform, attempts, read = clients.platform_for(account), 0, 0
    while queue and time.monotonic() <= until:
        group = {video.video_id: video for video in queue[: library_refresh.AT_ONCE]}
        queue = queue[library_refresh.AT_ONCE :]
        asks = {video_id: _get_days(video) for video_id, video in group.items()}
        reads = {
            video_id: partial(platform.analytics.traffic, video_id=video_id, start=days.start, end=days.end)
            for video_id, days in asks.items()
        }
        with library_refresh.take_turn(account.pk):
            outcomes = gather(float(settings.PLATFORM_TIMEOUT), **reads)
        now = timezone.now()
        for video_id, outcome in outcomes.items():
            if isinstance(outcome, Failed) and isinstance(outcome.error, OverBudget):
                queue.insert(0, group[video_id])  # it was not asked for
                continue
            group[video_id].tried_at, attempts = now, attempts + 1
            if isinstance(outcome, Ready) and _save_days(group[video_id], asks[video_id], outcome.value):
                read += 1
            elif isinstance(outcome, Failed) and isinstance(outcome.error, Missing):
                group[video_id].gone_at = now
            group[video_id].save()
        troubles = [outcome.error for outcome in outcomes.values() if isinstance(outcome, Failed)]
        ending = library_refresh.first_ending(troubles, Missing)
        if ending is not None and not library_refresh.wait_for_budget(ending, until):
            return SliceResult(attempts, read, ending)
    return SliceResult(attempts, read)


def get_yesterday() -> date:
    """The last day that is over, as the platform is assumed to cut its days: in UTC."""
    return timezone.now().astimezone(UTC).date() - timedelta(days=1)


def _get_days(video: TrafficVideo) -> Days:
    """The whole days to ask for, as the platform is assumed to cut them: in UTC."""
    last = get_yesterday()
    start = last - timedelta(days=HISTORY_DAYS - 1)
    if video.last_day is not None and video.last_day <= last:
        start = max(start, video.last_day - timedelta(days=AGAIN_DAYS))
    return Days(start, last)


def _save_days(video: TrafficVideo, days: Days, answer: Analytics) -> bool:
    """Save the days of an answer and update `video` (not saved). Returns False for an unknown shape."""
    by_day = parse_daily_bytes(answer.table, ZoneInfo("UTC")) if answer.table is not None else None
    if by_day is None:
        return False
    now = timezone.now()
    rows = [
        TrafficDay(account=video.account, video_id=video.video_id, day=day, bytes=round(total), read_at=now)
        for day, total in by_day.items()
        if day in days
    ]
    TrafficDay.objects.bulk_create(
        rows,
        batch_size=500,
        update_conflicts=True,
        unique_fields=["account", "video_id", "day"],
        update_fields=["bytes", "read_at"],
    )
    if video.last_day is None or days.start > video.last_day + timedelta(days=1) or video.last_day > days.end:
        video.first_day = days.start
    video.last_day, video.read_at = days.end, now
    return True


def get_bytes_by_day(account: Account, days: Days) -> dict[date, float]:
    """The bytes of all videos together, by day."""
    rows = TrafficDay.objects.filter(account=account, day__range=(days.start, days.end))
    return {day: float(total) for day, total in rows.values_list("day").annotate(total=Sum("bytes"))}


def get_bytes_by_video(account: Account, days: Days) -> dict[str, float]:
    """The bytes of each video in these days together. Added up once for what is stored: of 5,000 videos it takes 50 ms."""
    mine = TrafficVideo.objects.filter(account=account)
    state = mine.aggregate(videos=Count("pk"), read_at=Max("read_at"))
    read_at = state["read_at"].timestamp() if state["read_at"] else 0
    key = f"traffic:{account.pk}:{days.start}:{days.end}:{state['videos']}:{read_at}"
    sums: dict[str, float] | None = cache.get(key)
    if sums is None:
        rows = TrafficDay.objects.filter(account=account, day__range=(days.start, days.end))
        totals = rows.values_list("video_id").annotate(total=Sum("bytes"))
        sums = {video: float(total) for video, total in totals}
        cache.set(key, sums, SUMS_SECONDS)
    return sums


def get_titles(account: Account) -> dict[str, str]:
    """The titles of the account's videos, gone ones included, told apart."""
    return tell_apart(dict(TrafficVideo.objects.filter(account=account).values_list("video_id", "title")))


DAYS: Final = 28


def _load_traffic(account: Account) -> VideoFacts:
    """The bytes of the last 28 whole days; of a video that was not read lately, nothing is known."""
    days = get_recent_days()
    read = TrafficVideo.objects.filter(account=account, last_day__gte=days.end - timedelta(days=AGAIN_DAYS))
    known = dict.fromkeys(read.values_list("video_id", flat=True), 0.0)
    by_video = get_bytes_by_video(account, days)
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
    now, is_whole = _read_ranking(account, outcomes["now"], count_of)
    before, was_whole = _read_ranking(account, outcomes["before"], count_of)
    rest_before = 0.0 if was_whole else None
    counts = {video: (count, before.get(video, rest_before)) for video, count in now.items()}
    gone = {video: (0.0, count) for video, count in before.items() if is_whole and video not in now}
    return VideoFacts(gone | counts, (0.0, rest_before) if is_whole else None)


def _read_ranking(
    account: Account, outcome: object, count_of: Callable[[RankedVideo], float | None]
) -> tuple[dict[str, float], bool]:
    """The count of each video, and whether every other one has none."""
    if not isinstance(outcome, Ready) or outcome.value.table is None:
        return {}, False
    return count_ranked(parse_ranking(library.name_videos(account.pk, outcome.value.table), None), count_of)


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
    progress = get_progress(account)
    known = progress.days if progress.complete else None
    if known is None or days.start not in known or days.end not in known:
        return None
    return get_bytes_by_video(account, days)


register_period_source("traffic", _load_traffic_of)
register_source(VideoSource("traffic", _traffic_version, _load_traffic, _want_traffic))
register_source(VideoSource("plays", _ranking_version, load_plays, _refresh))
register_source(
    VideoSource("views", _ranking_version, lambda account: _load_counts(account, lambda video: video.views))
)
