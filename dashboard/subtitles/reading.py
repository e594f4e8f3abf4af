"""What the pages read of the platform: the library, and how each video stands. Side by side, and shared by all watchers.

Jobs are read with the parent's token, as AI subtitles of a sub-account are sent with it (section 5).
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, TypeVar

from django.conf import settings

from dashboard import clients
from dashboard.accounts import vault
from dashboard.accounts.models import Account
from dashboard.platform_api import Platform, errors
from dashboard.platform_api.records import Folder, Job, Video, VideoPage
from dashboard.shared import fan_out, single_flight
from dashboard.shared.fan_out import Failed, Late, Ready
from dashboard.subtitles.forms import ROOT, Filter
from dashboard.subtitles.rules import NOTHING_KNOWN, Known, languages_of

T = TypeVar("T")

ROWS: Final = 10
JOBS_SECONDS: Final = 2.5
"""Age at which jobs are read anew: just under the interval at which a page asks."""
PACE: Final = 0.5
"""Seconds between two reads of jobs for one page: with many videos under way each is read less often."""
SUBTITLES_SECONDS: Final = 10.0
LIBRARY_SECONDS: Final = 10.0
FOLDERS_SECONDS: Final = 60.0
VIDEO_SECONDS: Final = 300.0
GIVE_UP: Final = 3.0
"""Seconds after which a page that the platform keeps waiting asks it for nothing more, however many reads are left."""


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


@dataclass
class Reader:
    """Reads for one account, within the page's patience counted from the first read."""

    account: Account
    began: float = field(default_factory=time.monotonic)
    give_up: float = field(default_factory=lambda: GIVE_UP)

    def library(self, shown: Filter) -> Callable[[], VideoPage]:
        """A page of the library."""
        folder = None if shown.folder in ("", ROOT) else shown.folder
        platform = clients.platform_for(self.account)

        def read() -> VideoPage:
            return platform.videos.list(
                page=shown.page, limit=ROWS, title=shown.q, folder_id=folder, root_folder=shown.folder == ROOT
            )

        return self._shared(f"library:{shown.q}:{shown.folder}:{shown.page}", LIBRARY_SECONDS, read)

    def folders(self) -> Callable[[], tuple[Folder, ...]]:
        """The account's folders, flat."""
        return self._shared("folders", FOLDERS_SECONDS, clients.platform_for(self.account).folders.list)

    def video(self, video_id: str) -> Callable[[], Video]:
        """One video: its title and its length."""
        platform = clients.platform_for(self.account)
        return self._shared(f"video:{video_id}", VIDEO_SECONDS, lambda: platform.videos.get(video_id))

    def subtitles(self, video_id: str) -> Callable[[], frozenset[str]]:
        """The languages in which a video has subtitles."""
        platform = clients.platform_for(self.account)
        return self._shared(
            f"subtitles:{video_id}",
            SUBTITLES_SECONDS,
            lambda: languages_of(one.lang for one in platform.videos.subtitles(video_id)),
        )

    def text(self, video_id: str, lang: str) -> Callable[[], str]:
        """The WebVTT text of a video in one language."""
        platform = clients.platform_for(self.account)
        return self._shared(
            f"text:{video_id}:{lang}", SUBTITLES_SECONDS, lambda: platform.videos.read_subtitle(video_id, lang)
        )

    def jobs(self, video_id: str, seconds: float = JOBS_SECONDS) -> Callable[[], tuple[Job, ...]]:
        """The jobs of a video, at most `seconds` old."""
        return self._shared(f"jobs:{video_id}", seconds, self.jobs_now(video_id))

    def jobs_now(self, video_id: str) -> Callable[[], tuple[Job, ...]]:
        """The jobs of a video as they are at this moment."""
        return self.as_parent(lambda platform: platform.ai_workflow.jobs(video_id))

    def as_parent(self, call: Callable[[Platform], T]) -> Callable[[], T]:
        """A call with the parent's token: when that is refused or lost, it is not the person's own that must be renewed."""
        has_parent = self.account.parent is not None

        def made() -> T:
            try:
                return call(clients.platform_for(self.account.parent or self.account))
            except vault.Unreadable as lost:
                raise ParentTokenRefused("ai_workflow") from lost
            except errors.BadToken as refused:
                if not has_parent:
                    raise
                raise ParentTokenRefused(refused.operation, refused.status, refused.message) from refused

        return made

    def _shared(self, name: str, seconds: float, read: Callable[[], T]) -> Callable[[], T]:
        key = _key(self.account, name)

        def in_time() -> T:
            if time.monotonic() - self.began > self.give_up:
                raise errors.Unreachable(name.partition(":")[0], sent=False)
            return read()

        return lambda: single_flight.shared_read(key, seconds, in_time)

    def gather(self, reads: Mapping[str, Callable[[], object]]) -> dict[str, fan_out.Outcome]:
        """Run the reads side by side with what is left of the page's patience. Raises a refusal of the account's token."""
        patience = settings.PAGE_PATIENCE_MS / 1000 - (time.monotonic() - self.began)
        outcomes = fan_out.gather(max(0.05, patience), **reads)
        for outcome in outcomes.values():
            if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
                raise outcome.error
        return outcomes

    def known(self, videos: Iterable[str], seconds: float = JOBS_SECONDS) -> dict[str, Callable[[], object]]:
        """The two reads of each video, to be gathered and then understood by `stands`.

        The jobs of many videos are read less often: one page never asks for them more than twice a second.
        """
        videos = list(videos)
        seconds = max(seconds, len(videos) * PACE)
        reads: dict[str, Callable[[], object]] = {}
        for video in videos:
            reads[f"subtitles {video}"] = self.subtitles(video)
            reads[f"jobs {video}"] = self.jobs(video, seconds)
        return reads

    def forget(self, video_id: str) -> None:
        """What was read of a video is out of date: something was sent for it."""
        for name in ("subtitles", "jobs"):
            single_flight.forget(_key(self.account, f"{name}:{video_id}"))


def _key(account: Account, name: str) -> str:
    """A key of the cache for this account; hashed, because it holds what people typed."""
    return f"subtitles:{account.pk}:{blake2b(name.encode(), digest_size=12).hexdigest()}"


def stands(outcomes: Mapping[str, fan_out.Outcome], video: str) -> tuple[Known, bool, errors.PlatformError | None]:
    """What the two reads of a video brought: what is known, whether one is late, and what went wrong."""
    subtitles = outcomes.get(f"subtitles {video}")
    jobs = outcomes.get(f"jobs {video}")
    known = Known(
        subtitles.value if isinstance(subtitles, Ready) else None, jobs.value if isinstance(jobs, Ready) else None
    )
    late = isinstance(subtitles, Late) or isinstance(jobs, Late)
    trouble = next((one.error for one in (subtitles, jobs) if isinstance(one, Failed)), None)
    return known, late, trouble


def desk(reader: Reader, shown: Filter, chosen: tuple[str, ...]) -> Desk:
    """The rows of the planner: the chosen videos, then those of the library page that are not chosen."""
    first: dict[str, Callable[[], object]] = {"library": reader.library(shown), "folders": reader.folders()}
    first |= {f"video {video}": reader.video(video) for video in chosen} | reader.known(chosen)
    outcomes = reader.gather(first)
    library = _library(outcomes)
    listed = {video.id: video for video in library.videos}
    rest = [video for video in listed if video not in chosen]
    outcomes |= reader.gather(reader.known(rest))
    rows, gone = [], []
    for video_id in (*chosen, *rest):
        row = _row(video_id, listed.get(video_id), outcomes)
        if row is None:
            gone.append(video_id)
        else:
            rows.append(row)
    return Desk(tuple(rows), library, tuple(gone))


def _library(outcomes: Mapping[str, fan_out.Outcome]) -> Library:
    page, folders = outcomes["library"], outcomes["folders"]
    found = folders.value if isinstance(folders, Ready) else ()
    if isinstance(page, Ready):
        return Library(page.value.videos, page.value.total, page.value.pages, found)
    return Library(folders=found, late=isinstance(page, Late), trouble=page.error if isinstance(page, Failed) else None)


def _row(video_id: str, video: Video | None, outcomes: Mapping[str, fan_out.Outcome]) -> Row | None:
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
