"""What the pages read of the platform: the library, and how each video stands. Side by side, and shared by all watchers.

Jobs are read with the parent's token, as AI subtitles of a sub-account are sent with it (section 5).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from dashboard import clients
from dashboard.accounts import vault
from dashboard.accounts.models import Account
from dashboard.platform_api import Platform, errors
from dashboard.platform_api.records import Folder, Job, Video, VideoPage
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles.forms import ROOT, Filter
from dashboard.subtitles.rules import NOTHING_KNOWN, Known, known_from_jobs, languages_of
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads

T = TypeVar("T")

ROWS: Final = 10
JOBS_SECONDS: Final = 2.5
"""Age at which jobs are read anew: just under the interval at which a page asks."""
PACE: Final = 0.5
"""Seconds between two reads of jobs for one page: with many videos under way each is read less often."""
VIDEO_SECONDS: Final = 300.0


class ParentTokenRefused(errors.NotAllowed):
    """The platform refused the token of the parent account: the person's own one is good."""


@dataclass(frozen=True)
class Row:
    """One video of the table. `late`: its reading had not come when the page left; `trouble`: it failed."""

    video_id: str
    title: str
    length: float | None
    known: Known
    late: bool = False
    trouble: errors.PlatformError | None = None


@dataclass(frozen=True)
class Library:
    """One page of the library with its folders. `late` and `trouble` as for a row."""

    videos: tuple[Video, ...] = ()
    total: int | None = None
    pages: int | None = None
    folders: tuple[Folder, ...] = ()
    late: bool = False
    trouble: errors.PlatformError | None = None


@dataclass(frozen=True)
class Desk:
    """What the planner shows: chosen videos first. `gone` are chosen ones that this account does not have."""

    rows: tuple[Row, ...]
    library: Library
    gone: tuple[str, ...] = ()

    @property
    def known(self) -> dict[str, Known]:
        """What is known, by video."""
        return {row.video_id: row.known for row in self.rows}

    def knowing(self, known: Mapping[str, Known]) -> "Desk":
        """The same with more known."""
        return replace(self, rows=tuple(replace(row, known=known[row.video_id]) for row in self.rows))


class Reader:
    """Reads for one account: what is known first, and beside the page what is older than its interval.

    `waits`: what is older is waited for. `seconds`: how old answers may be (default: as each is read).
    """

    def __init__(self, account: Account, *, waits: bool = True, seconds: float | None = None) -> None:
        self.account = account
        self._reads = Reads(account, waits=waits, seconds=seconds)

    @classmethod
    def of(cls, request: OwnerRequest) -> "Reader":
        """The reads of a page."""
        return cls(request.account, waits=not reads.is_page(request))

    def library(self, shown: Filter) -> Query[VideoPage]:
        """A page of the library."""
        folder = None if shown.folder in ("", ROOT) else shown.folder
        return Query(
            lambda platform: platform.videos.list(
                page=shown.page, limit=ROWS, title=shown.q, folder_id=folder, root_folder=shown.folder == ROOT
            )
        )

    def folders(self) -> Query[tuple[Folder, ...]]:
        """The account's folders, flat."""
        return Query(lambda platform: platform.folders.list())

    def video(self, video_id: str) -> Query[Video]:
        """One video: its title and its length."""
        return Query(lambda platform: platform.videos.get(video_id), VIDEO_SECONDS)

    def subtitles(self, video_id: str) -> Query[frozenset[str]]:
        """The languages in which a video has subtitles."""
        return Query(
            lambda platform: languages_of(one.lang for one in platform.videos.subtitles(video_id)), shape="languages"
        )

    def text(self, video_id: str, lang: str) -> Query[str]:
        """The WebVTT text of a video in one language."""
        return Query(lambda platform: platform.videos.read_subtitle(video_id, lang))

    def jobs(self, video_id: str, seconds: float | None = None) -> Query[tuple[Job, ...]]:
        """The jobs of a video, at most `seconds` old."""
        return Query(lambda platform: platform.ai_workflow.jobs(video_id), seconds, token_of=self.account.parent)

    def jobs_now(self, video_id: str) -> tuple[Job, ...]:
        """The jobs of a video as they are at this moment."""
        return self.as_parent(lambda platform: platform.ai_workflow.jobs(video_id))

    def get(self, query: Query[T]) -> T:
        """The one answer that is needed. Raises its `PlatformError`."""
        return self._reads.get(query)

    def gather(self, queries: Mapping[str, Query[Any]], patience: float | None = None) -> dict[str, Outcome]:
        """Outcomes by name. Raises a refusal of the account's own token."""
        return self._understood(queries, self._reads.gather(patience, **queries))

    def spare(self, queries: Mapping[str, Query[Any]]) -> dict[str, Outcome]:
        """What is known, by name; the rest is late, and there when somebody looks again. Raises like `gather`."""
        return self._understood(queries, self._reads.spare(**queries))

    def _understood(self, queries: Mapping[str, Query[Any]], outcomes: dict[str, Outcome]) -> dict[str, Outcome]:
        """When the parent's token is refused or lost, it is not the person's own that must be renewed."""
        for name, outcome in outcomes.items():
            if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
                if queries[name].token_of is None:
                    raise outcome.error
                outcomes[name] = Failed(_of_the_parent(outcome.error))
        return outcomes

    def as_parent(self, call: Callable[[Platform], T]) -> T:
        """A call with the parent's token: when that is refused or lost, it is not the person's own that must be renewed."""
        try:
            return call(clients.platform_for(self.account.parent or self.account))
        except vault.Unreadable as lost:
            raise ParentTokenRefused("ai_workflow") from lost
        except errors.BadToken as refused:
            if self.account.parent is None:
                raise
            raise _of_the_parent(refused) from refused

    def known(self, videos: Iterable[str], seconds: float = JOBS_SECONDS) -> dict[str, Query[Any]]:
        """The two reads of each video, to be gathered and then understood by `stands`.

        The jobs of many videos are read less often: one page never asks for them more than twice a second.
        """
        videos = list(videos)
        seconds = max(seconds, len(videos) * PACE)
        queries: dict[str, Query[Any]] = {}
        for video in videos:
            queries[f"subtitles {video}"] = self.subtitles(video)
            queries[f"jobs {video}"] = self.jobs(video, seconds)
        return queries


def _of_the_parent(refused: errors.BadToken) -> ParentTokenRefused:
    return ParentTokenRefused(refused.operation, refused.status, refused.message)


def stands(outcomes: Mapping[str, Outcome], video: str) -> tuple[Known, bool, errors.PlatformError | None]:
    """What the two reads of a video brought: what is known, whether one is late, and what went wrong."""
    subtitles = outcomes.get(f"subtitles {video}")
    jobs = outcomes.get(f"jobs {video}")
    known = known_of(subtitles, jobs)
    late = isinstance(subtitles, Late) or isinstance(jobs, Late)
    failed = (jobs,) if known.untold else (subtitles, jobs)
    trouble = next((one.error for one in failed if isinstance(one, Failed)), None)
    return known, late, trouble


def known_of(subtitles: Outcome | None, jobs: Outcome | None) -> Known:
    """What the two reads of a video tell; of a platform that does not list subtitles, what its jobs do."""
    found = jobs.value if isinstance(jobs, Ready) else None
    if isinstance(subtitles, Ready):
        return Known(subtitles.value, found)
    untold = isinstance(subtitles, Failed) and isinstance(subtitles.error, errors.Missing | errors.NotAllowed)
    return known_from_jobs(found) if untold and found is not None else Known(None, found)


def desk(reader: Reader, shown: Filter, chosen: tuple[str, ...]) -> Desk:
    """The rows of the planner: the chosen videos, then those of the library page that are not chosen."""
    first: dict[str, Query[Any]] = {"library": reader.library(shown), "folders": reader.folders()}
    first |= {f"video {video}": reader.video(video) for video in chosen}
    outcomes = reader.gather(first)
    library = _library(outcomes)
    listed = {video.id: video for video in library.videos}
    rest = [video for video in listed if video not in chosen]
    outcomes |= reader.spare(reader.known((*chosen, *rest)))
    rows, gone = [], []
    for video_id in (*chosen, *rest):
        row = _row(video_id, listed.get(video_id), outcomes)
        if row is None:
            gone.append(video_id)
        else:
            rows.append(row)
    return Desk(tuple(rows), library, tuple(gone))


def _library(outcomes: Mapping[str, Outcome]) -> Library:
    page, folders = outcomes["library"], outcomes["folders"]
    found = folders.value if isinstance(folders, Ready) else ()
    if isinstance(page, Ready):
        return Library(page.value.videos, page.value.total, page.value.pages, found)
    return Library(folders=found, late=isinstance(page, Late), trouble=page.error if isinstance(page, Failed) else None)


def _row(video_id: str, video: Video | None, outcomes: Mapping[str, Outcome]) -> Row | None:
    """The row of a video, or None for one that this account does not have."""
    own = outcomes.get(f"video {video_id}")
    if video is None and isinstance(own, Ready):
        video = own.value
    if video is None and isinstance(own, Failed) and isinstance(own.error, errors.Missing):
        return None
    known, late, trouble = stands(outcomes, video_id)
    if video is None:
        failed = own.error if isinstance(own, Failed) else None
        return Row(video_id, "", None, NOTHING_KNOWN, late=isinstance(own, Late), trouble=failed)
    return Row(video_id, video.title, video.length, known, late, trouble)
