"""What is kept of where viewers leave: the videos of an address, how many there are of each verdict, and the folders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, QuerySet

from dashboard.accounts.models import Account
from dashboard.analytics.losses import JUDGED, Verdict
from dashboard.analytics.models import VideoRetention

ROWS: Final = 10
UNJUDGED_ROWS: Final = 40
UNJUDGED_FIRST: Final = 5
"""Videos that cannot be judged which the page of the ranking shows."""
FOLDERS_MOST: Final = 400
"""Folders that a list offers; of more, those nearest to the root."""


@dataclass(frozen=True)
class LessonFilter:
    """What an address asks for: videos in a folder and those below it, or one video; a page, and which of the two lists."""

    folder: str = ""
    video: str = ""
    page: int = 1
    unjudged: bool = False

    def query(self, **changes: object) -> dict[str, object]:
        """The words of the address, with some changed."""
        words: dict[str, object] = {
            "folder": self.folder,
            "video": self.video,
            "list": "unjudged" if self.unjudged else "",
            "page": self.page if self.page > 1 else "",
        }
        return words | changes


@dataclass(frozen=True)
class LessonCounts:
    """How many videos lose more than usual, how many do not, and of how many that cannot be told."""

    losing: int
    usual: int
    unjudged: int

    @property
    def together(self) -> int:
        return self.losing + self.usual + self.unjudged


@dataclass(frozen=True)
class LessonLists:
    """One page of an address: the videos that lose, the first at `first_rank`, and those that cannot be judged.

    It is `page` of a list with `count` videos, `rows` to a page. A page beyond the last is the last one.
    """

    counts: LessonCounts
    losing: list[VideoRetention]
    unjudged: list[VideoRetention]
    first_rank: int
    page: int
    rows: int
    count: int


def load_lists(account: Account, lesson_filter: LessonFilter) -> LessonLists:
    """The videos that a page shows."""
    counts = count_verdicts(account, lesson_filter)
    rows, count = (UNJUDGED_ROWS, counts.unjudged) if lesson_filter.unjudged else (ROWS, counts.losing)
    page = min(lesson_filter.page, max(1, -(-count // rows)))
    start = (page - 1) * rows
    unjudged = list_unjudged(account, lesson_filter)
    if lesson_filter.unjudged:
        return LessonLists(counts, [], list(unjudged[start : start + rows]), 0, page, rows, count)
    losing = list(list_losing(account, lesson_filter)[start : start + rows])
    is_alone = bool(lesson_filter.video and losing)
    first_rank = (count_before(account, losing[0]) if is_alone else start) + 1
    return LessonLists(counts, losing, list(unjudged[:UNJUDGED_FIRST]), first_rank, page, rows, count)


def list_videos(account: Account, lesson_filter: LessonFilter) -> QuerySet[VideoRetention]:
    """The videos of an address that were compared, or could not be."""
    videos = VideoRetention.objects.filter(account=account).exclude(verdict="")
    if lesson_filter.video:
        videos = videos.filter(video_id=lesson_filter.video)
    if lesson_filter.folder:
        videos = videos.filter(folder_path__contains=f"/{lesson_filter.folder}/")
    return videos


def list_losing(account: Account, lesson_filter: LessonFilter) -> QuerySet[VideoRetention]:
    """Those that lose more than usual, the most minutes first."""
    return list_videos(account, lesson_filter).filter(verdict=Verdict.LOSES).order_by("-minutes", "video_id")


def list_unjudged(account: Account, lesson_filter: LessonFilter) -> QuerySet[VideoRetention]:
    """Those that cannot be judged, the most played first."""
    videos = list_videos(account, lesson_filter).exclude(verdict__in=JUDGED)
    return videos.order_by("-plays", "title", "video_id")


def count_verdicts(account: Account, lesson_filter: LessonFilter) -> LessonCounts:
    """How many videos of an address there are of each verdict."""
    counted = list_videos(account, lesson_filter).order_by().values_list("verdict").annotate(count=Count("pk"))
    counts = dict(counted)
    losing, usual = (counts.get(verdict.value, 0) for verdict in JUDGED)
    return LessonCounts(losing, usual, sum(counts.values()) - losing - usual)


def count_before(account: Account, video: VideoRetention) -> int:
    """How many videos of the account lose more than this one."""
    losing = VideoRetention.objects.filter(account=account, verdict=Verdict.LOSES)
    more = losing.filter(minutes__gt=video.minutes).count()
    return more + losing.filter(minutes=video.minutes, video_id__lt=video.video_id).count()


def load_folders(account: Account) -> Mapping[str, str]:
    """The folders with compared videos in them or below, by id: their paths, in the order of these."""
    paths: dict[str, tuple[str, ...]] = {}
    rows = VideoRetention.objects.filter(account=account).exclude(verdict="")
    for folders in rows.order_by().values_list("folders", flat=True).distinct():
        names: tuple[str, ...] = ()
        for folder, name in folders:
            names = (*names, name)
            paths[folder] = names
    sorted_paths = sorted(paths.items(), key=lambda item: [name.casefold() for name in item[1]])
    return {folder: " / ".join(names) for folder, names in sorted_paths}


def list_offered(folders: Mapping[str, str], folder: str) -> list[tuple[str, str]]:
    """The folders of a list to choose from: all of them, or as many levels as fit, and always `folder`."""
    offered = list(folders.items())
    while len(offered) > FOLDERS_MOST and (deepest := max(path.count(" / ") for _folder, path in offered)):
        offered = [(key, path) for key, path in offered if path.count(" / ") < deepest]
    if folder in folders and folder not in dict(offered):
        offered.insert(0, (folder, folders[folder]))
    return offered
