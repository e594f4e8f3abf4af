"""Loads how the traffic of every video changed between two periods: stored days, and the plays of two rankings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history
from dashboard.analytics.models import TrafficList, TrafficVideo
from dashboard.analytics.rules import count_ranked, parse_ranking
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.traffic_causes import VideoChange
from dashboard.analytics.traffic_history import TrafficProgress
from dashboard.shared.charts import figures
from dashboard.shared.days import Days, get_day_start
from dashboard.shared.entries import ROOT, Shelf, below
from dashboard.shared.ranges import Selection
from dashboard.upstream.figures import FigureAnswer, FigureQuery, build_query
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


def build_queries(days: ComparedDays, selection: Selection) -> dict[str, FigureQuery]:
    """The rankings of both periods: one call each tells the plays of all videos."""
    pairs = {"now": days.now, "past": days.past}
    return {name: build_query("ranking", some, selection.settled) for name, some in pairs.items() if some}


def load_changes(
    account: Account, days: ComparedDays, state: AnalyticsState, answers: Mapping[str, FigureAnswer]
) -> tuple[VideoChange, ...]:
    """The change of each video with traffic in either period; of those of the address, if it names some."""
    if days.now is None or days.past is None:
        return ()
    now, past = (traffic_history.get_bytes_by_video(account, some) for some in (days.now, days.past))
    plays, past_plays = (_read_plays(answers.get(name)) for name in ("now", "past"))
    titles = traffic_history.get_titles(account)
    mine = TrafficVideo.objects.filter(account=account)
    folders = dict(mine.values_list("video_id", "folder_id"))
    first = get_day_start(days.past.end + timedelta(days=1), state.selection.zone)
    new = set(mine.filter(created_at__gte=first).values_list("video_id", flat=True))
    gone = set(mine.exclude(gone_at=None).values_list("video_id", flat=True))
    video_ids = set(state.videos) or now.keys() | past.keys()
    return tuple(
        VideoChange(
            video,
            titles.get(video) or video,
            now.get(video, 0.0),
            past.get(video, 0.0),
            plays.of(video),
            past_plays.of(video),
            folders.get(video, ""),
            is_new=video in new,
            is_gone=video in gone,
        )
        for video in sorted(video_ids)
    )


@dataclass(frozen=True)
class _Plays:
    """Plays by video; `rest` is that of every other video, None where it is not known."""

    by_video: Mapping[str, float]
    rest: float | None

    def of(self, video: str) -> float | None:
        return self.by_video.get(video, self.rest)


def _read_plays(answer: FigureAnswer | None) -> _Plays:
    if answer is None or answer.value is None or answer.value.table is None:
        return _Plays({}, None)
    counts, is_whole = count_ranked(parse_ranking(answer.value.table, None), lambda video: video.plays)
    return _Plays(counts, 0.0 if is_whole else None)


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
    sums: dict[str, FolderChange] = {}
    for video in videos:
        child = _find_child(video.folder_id, parent, by_id)
        row = sums.get(child) or FolderChange(
            child or parent or ROOT, by_id[child].name if child else "", 0, 0, 0, child in nested, not child
        )
        sums[child] = replace(row, now=row.now + video.now, past=row.past + video.past, videos=row.videos + 1)
    return list(sums.values())


def _find_child(folder: str, parent: str, by_id: Mapping[str, Shelf]) -> str:
    """The folder directly in `parent` that `folder` is, or is below; "" where it is `parent` itself, or not known."""
    visited: set[str] = set()
    while folder != parent and folder in by_id and folder not in visited:
        visited.add(folder)
        if by_id[folder].parent == parent or (not parent and by_id[folder].parent not in by_id):
            return folder
        folder = by_id[folder].parent
    return ""
