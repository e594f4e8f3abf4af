"""Loads how the traffic of every video changed between two periods: stored days, and the plays of two rankings."""

import json
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history
from dashboard.analytics.models import TrafficList, TrafficVideo
from dashboard.analytics.rules import count_ranked, parse_ranking
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.traffic_causes import VideoChange
from dashboard.analytics.traffic_history import TrafficProgress
from dashboard.platform_api import Operations
from dashboard.platform_api.analytics import Analytics
from dashboard.shared.charts import figures
from dashboard.shared.days import Days, get_day_start
from dashboard.shared.entries import ROOT, Shelf, below
from dashboard.shared.ranges import Selection
from dashboard.upstream import reads
from dashboard.upstream.figures import FigureAnswer, FigureQuery, build_query
from dashboard.upstream.reads import Condensed, Query
from dashboard.writes import library_refresh


@dataclass(frozen=True)
class ComparedDays:
    """The days whose traffic is known in both periods, or why there are none (`unknown`). `caution`: which are left out."""

    now: Days | None = None
    past: Days | None = None
    unknown: str = ""
    caution: str = ""
    progress: TrafficProgress | None = None
    """How much is read, where that is why there are none."""


def find_days(account: Account, state: AnalyticsState) -> ComparedDays:
    """Find the days to compare; from now on the worker reads the account's traffic."""
    windows = state.selection.windows
    listing = library_refresh.want(TrafficList, account)
    if windows.compared is None:
        return ComparedDays(unknown=_("Choose a period to compare with in the date bar."))
    progress = traffic_history.get_progress(account, listing, state.videos)
    known = progress.days
    if not progress.complete or known is None:
        return ComparedDays(
            unknown=_("The change can be split once the traffic of every video is read."), progress=progress
        )
    counted, shift = windows.counted, windows.shift
    start = max(counted.start, known.start, known.moved(shift).start)
    end = min(counted.end, known.end, known.moved(shift).end)
    if start > end:
        return ComparedDays(unknown=_("No data on both sides: not one of these days is known in both periods."))
    now = Days(start, end)
    caution = ""
    if len(now) < len(counted):
        values = {"known": figures.count(len(now)), "count": figures.count(len(counted))}
        caution = _("%(known)s of %(count)s days compared. The other days have no data on both sides and are left out.")
        caution %= values
    return ComparedDays(now, now.moved(-shift), caution=caution)


@dataclass(frozen=True)
class Plays:
    """Plays by video; `rest` is that of every other video, None where it is not known."""

    by_video: Mapping[str, float]
    rest: float | None

    @classmethod
    def read(cls, answer: Analytics) -> Self:
        """The plays that a ranking tells."""
        if answer.table is None:
            return cls({}, None)
        counts, is_whole = count_ranked(parse_ranking(answer.table, None), lambda video: video.plays)
        return cls(counts, 0.0 if is_whole else None)

    def dumped(self) -> bytes:
        """The same as bytes, for `loaded`."""
        return zlib.compress(json.dumps([self.by_video, self.rest], separators=(",", ":")).encode())

    @classmethod
    def loaded(cls, data: bytes) -> Self:
        """Raises `ValueError` for what another release wrote."""
        try:
            by_video, rest = json.loads(zlib.decompress(data))
        except (zlib.error, TypeError) as error:
            raise ValueError("no plays") from error
        return cls(by_video, rest)


PLATFORM_ZONE: Final = ZoneInfo("UTC")
"""In which the days of traffic are cut; what is new is told by the same days."""
BYTES_KEPT: Final = 20
"""Deflated bytes that the change of one video is worth."""
UNKNOWN_PLAYS: Final = Plays({}, None)


@dataclass(frozen=True)
class PlaysQuery(FigureQuery):
    """A ranking of which only the plays are kept: of 5,000 videos everything else takes 200 ms to read again."""

    def put(self, platform: Operations) -> Any:
        return Plays.read(super().put(platform))

    def query(self) -> Query[Any]:
        return Query(self.put, self.seconds, shape="plays", condensed=Condensed(Plays.dumped, Plays.loaded))


def build_queries(days: ComparedDays, selection: Selection) -> dict[str, FigureQuery]:
    """The rankings of both periods: one call each tells the plays of all videos."""
    queries: dict[str, FigureQuery] = {}
    for name, some in (("now", days.now), ("past", days.past)):
        if some is not None:
            ranking = build_query("ranking", some, selection.settled)
            queries[name] = PlaysQuery(ranking.operation, ranking.arguments, ranking.seconds)
    return queries


def load_changes(
    account: Account, days: ComparedDays, state: AnalyticsState, answers: Mapping[str, FigureAnswer]
) -> tuple[VideoChange, ...]:
    """The change of each video with traffic in either period; of those of the address, if it names some."""
    if days.now is None or days.past is None:
        return ()
    periods = (days.now, _get_plays(answers.get("now"))), (days.past, _get_plays(answers.get("past")))
    first = get_day_start(days.past.end + timedelta(days=1), PLATFORM_ZONE)
    if state.videos:
        return _make_changes(account, periods, first, state.videos)
    known = TrafficVideo.objects.filter(account=account).aggregate(
        Count("pk"), Count("gone_at"), Max("gone_at"), Max("read_at"), Max("listed_at")
    )
    read = tuple((plays.rest, hash(frozenset(plays.by_video.items()))) for _days, plays in periods)
    key = ("traffic changes", account.pk, days.now, days.past, first, tuple(known.values()), read)
    return reads.memoize(key, partial(_make_changes, account, periods, first), lambda videos: len(videos) * BYTES_KEPT)


def _make_changes(
    account: Account,
    periods: tuple[tuple[Days, Plays], tuple[Days, Plays]],
    first: datetime,
    videos: Collection[str] = (),
) -> tuple[VideoChange, ...]:
    """The changes of these videos, or of all. `first`: from then on, a video that was created is new."""
    (days, plays), (past_days, past_plays) = periods
    now, past = (traffic_history.get_bytes_by_video(account, some) for some in (days, past_days))
    mine = TrafficVideo.objects.filter(account=account)
    rows = list(mine.values_list("video_id", "title", "folder_id"))
    titles = traffic_history.tell_apart({video: title for video, title, _folder in rows})
    folders = {video: folder for video, _title, folder in rows}
    new = set(mine.filter(created_at__gte=first).values_list("video_id", flat=True))
    gone = set(mine.exclude(gone_at=None).values_list("video_id", flat=True))
    video_ids = videos or dict.fromkeys((*now, *past))
    return tuple(
        VideoChange(
            video,
            titles.get(video) or video,
            now.get(video, 0.0),
            past.get(video, 0.0),
            plays.by_video.get(video, plays.rest),
            past_plays.by_video.get(video, past_plays.rest),
            folders.get(video, ""),
            video in new,
            video in gone,
        )
        for video in video_ids
    )


def _get_plays(answer: FigureAnswer | None) -> Plays:
    return answer.value if answer is not None and answer.value is not None else UNKNOWN_PLAYS


def select_folder(
    videos: Iterable[VideoChange], state: AnalyticsState, shelves: Iterable[Shelf]
) -> tuple[VideoChange, ...]:
    """The videos in the folder of the address and below it, or directly in it; all where it names none."""
    if not state.folder:
        return tuple(videos)
    if state.folder == ROOT:
        known = {shelf.id for shelf in shelves}
        return tuple(video for video in videos if video.folder_id not in known)
    places = {state.folder} if state.directly else below(state.folder, shelves).keys()
    return tuple(video for video in videos if video.folder_id in places)


@dataclass(frozen=True)
class FolderChange:
    """The change of all videos below a folder. `videos`: how many; `is_direct`: only those directly in it."""

    folder_id: str
    name: str
    now: float
    past: float
    videos: int
    has_folders: bool = False
    is_direct: bool = False


def sum_folders(videos: Iterable[VideoChange], parent: str, shelves: Iterable[Shelf]) -> list[FolderChange]:
    """The changes of the folders directly in `parent` ("": the root), and of the videos that are in none of them."""
    by_id = {shelf.id: shelf for shelf in shelves}
    nested = {shelf.parent for shelf in by_id.values()}
    sums: dict[str, list[float]] = {}
    children: dict[str, str] = {}
    for video in videos:
        if (child := children.get(video.folder_id)) is None:
            child = children[video.folder_id] = _find_child(video.folder_id, parent, by_id)
        total = sums.setdefault(child, [0.0, 0.0, 0])
        total[0] += video.now
        total[1] += video.past
        total[2] += 1
    return [
        FolderChange(
            child or parent or ROOT,
            by_id[child].name if child else "",
            now,
            past,
            int(count),
            has_folders=child in nested,
            is_direct=not child,
        )
        for child, (now, past, count) in sums.items()
    ]


def _find_child(folder: str, parent: str, by_id: Mapping[str, Shelf]) -> str:
    """The folder directly in `parent` that `folder` is, or is below; "" where it is `parent` itself, or not known."""
    visited: set[str] = set()
    while folder != parent and folder in by_id and folder not in visited:
        visited.add(folder)
        if by_id[folder].parent == parent or (not parent and by_id[folder].parent not in by_id):
            return folder
        folder = by_id[folder].parent
    return ""
