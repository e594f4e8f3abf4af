"""Reads of videos for the subtitle pages, in parallel and shared by everybody who watches.

Jobs are read with the parent's token, as AI subtitles of a sub-account are sent with it (section 5).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.ai_workflow import Job
from dashboard.platform_api.videos import Video
from dashboard.shared.entries import Entry, Shelf, Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import rules
from dashboard.subtitles.forms import LibraryFilter, PlanRequest
from dashboard.subtitles.rules import UNREAD_VIDEO, Order, VideoState, languages_of, video_state_from_jobs
from dashboard.upstream import library, reads
from dashboard.upstream.languages import all_languages, load_player_subtitles
from dashboard.upstream.library import FOLDERS, folders_of
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads

JOBS_SECONDS: Final = 2.5
"""Age at which jobs are read anew: just under the interval at which a page asks."""
PACE: Final = 0.5
"""Seconds between two reads of jobs for one page: with many videos under way each is read less often."""
VIDEO_SECONDS: Final = 300.0


class ParentTokenRefused(errors.NotAllowed):
    """The platform refused the token of the parent account: the person's own one is good."""


@dataclass(frozen=True)
class SubtitleReader:
    """The reads of subtitles and jobs for one account."""

    account: Account
    reads: Reads

    @classmethod
    def of(cls, request: OwnerRequest) -> "SubtitleReader":
        """The reads of a page."""
        return cls(request.account, Reads(request.account, waits=not reads.is_page(request)))

    def video(self, video_id: str) -> Query[Video]:
        """One video: its title and its length."""
        return Query(lambda platform: platform.videos.get(video_id), VIDEO_SECONDS)

    def subtitles(self, video_id: str) -> Query[frozenset[str]]:
        """The languages in which a video has subtitles."""
        return Query(
            lambda platform: languages_of(subtitle.lang for subtitle in platform.videos.subtitles(video_id)),
            shape="languages",
        )

    def text(self, video_id: str, lang: str) -> Query[str]:
        """The WebVTT text of a video in one language."""
        return Query(lambda platform: platform.videos.read_subtitle(video_id, lang))

    def jobs(self, video_id: str, seconds: float | None = None) -> Query[tuple[Job, ...]]:
        """The jobs of a video, at most `seconds` old."""
        return Query(lambda platform: platform.ai_workflow.jobs(video_id), seconds, token_of=self.account.parent)

    def gather(self, queries: Mapping[str, Query[Any]], patience: float | None = None) -> dict[str, Outcome]:
        """Outcomes by name. Raises a refusal of the account's own token."""
        return self.understood(queries, self.reads.gather(patience, **queries))

    def spare(self, queries: Mapping[str, Query[Any]]) -> dict[str, Outcome]:
        """Stored answers by name; the others are late and read in the background. Raises like `gather`."""
        return self.understood(queries, self.reads.spare(**queries))

    def understood(self, queries: Mapping[str, Query[Any]], outcomes: dict[str, Outcome]) -> dict[str, Outcome]:
        """When the parent's token is refused or lost, it is not the person's own that must be renewed.

        Where the platform's API lists no subtitles of a video, what is known of the player's languages is added.
        """
        for name, outcome in outcomes.items():
            if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
                if name not in queries or queries[name].token_of is None:
                    raise outcome.error
                refused = outcome.error
                outcomes[name] = Failed(ParentTokenRefused(refused.operation, refused.status, refused.message))
        prefix = "subtitles "
        untold = [
            name.removeprefix(prefix) for name in outcomes if name.startswith(prefix) and is_absent(outcomes[name])
        ]
        spoken = load_player_subtitles(self.reads, untold) if untold else {}
        return outcomes | {f"player {video}": Ready(subtitles) for video, subtitles in spoken.items()}

    def state_queries(self, videos: Iterable[str], seconds: float = JOBS_SECONDS) -> dict[str, Query[Any]]:
        """The two reads of each video, to be gathered and then understood by `video_state_of`.

        The jobs of many videos are read less often: one page never asks for them more than twice a second.
        """
        videos = list(videos)
        seconds = max(seconds, len(videos) * PACE)
        queries: dict[str, Query[Any]] = {}
        for video in videos:
            queries[f"subtitles {video}"] = self.subtitles(video)
            queries[f"jobs {video}"] = self.jobs(video, seconds)
        return queries


def video_state_of(outcomes: Mapping[str, Outcome], video: str) -> tuple[VideoState, bool, errors.CallError | None]:
    """The state of a video from its two reads, whether one is late, and the error."""
    subtitles = outcomes.get(f"subtitles {video}")
    jobs = outcomes.get(f"jobs {video}")
    video_state = video_state_from(subtitles, jobs, outcomes.get(f"player {video}"))
    late = isinstance(subtitles, Late) or isinstance(jobs, Late)
    failed = (jobs,) if is_absent(subtitles) else (subtitles, jobs)
    trouble = next((outcome.error for outcome in failed if isinstance(outcome, Failed)), None)
    return video_state, late, trouble


def video_state_from(subtitles: Outcome | None, jobs: Outcome | None, player: Outcome | None = None) -> VideoState:
    """The state of a video from its two reads; where the platform does not list subtitles, from its jobs and what the `player`
    shows.
    """
    job_list = jobs.value if isinstance(jobs, Ready) else None
    if isinstance(subtitles, Ready):
        return VideoState(subtitles.value, job_list)
    if not is_absent(subtitles) or job_list is None:
        return VideoState(None, job_list)
    video_state = video_state_from_jobs(job_list)
    if isinstance(player, Ready):
        return replace(video_state, subtitles=(video_state.subtitles or frozenset()) | player.value, untold=False)
    return video_state


def is_absent(outcome: Outcome | None) -> bool:
    """Whether the platform's API does not have the read."""
    return isinstance(outcome, Failed) and isinstance(outcome.error, errors.Missing | errors.NotAllowed)


ROWS: Final = 10


@dataclass(frozen=True)
class LibraryRow:
    """One video of the table. `late`: its read did not end in time; `trouble`: it failed."""

    video_id: str
    title: str
    length: float | None
    video_state: VideoState
    late: bool = False
    trouble: errors.CallError | None = None


@dataclass(frozen=True)
class LibraryCounts:
    """Of everything that the filter finds: how many videos, of how many the subtitles are known, and how many of those lack
    a wanted language (None: no language is wanted yet)."""

    videos: int
    known_count: int
    gaps: int | None

    @property
    def is_all(self) -> bool:
        """Whether nothing is left to look at."""
        return self.known_count == self.videos


@dataclass(frozen=True)
class LibraryPage:
    """One page of the library with the folders. `late` and `trouble` as for a row; `counts` where the whole list is known."""

    videos: tuple[Entry, ...] = ()
    total: int | None = None
    pages: int | None = None
    folders: tuple[Shelf, ...] = ()
    counts: LibraryCounts | None = None
    late: bool = False
    trouble: errors.CallError | None = None

    def name_folder(self, folder_id: str) -> str:
        """The name of a folder; "" for one that there is not."""
        return next((shelf.name for shelf in self.folders if shelf.id == folder_id), "")


@dataclass(frozen=True)
class Library:
    """The rows of the planner, chosen videos first. `gone`: chosen videos that this account does not have."""

    rows: tuple[LibraryRow, ...]
    page: LibraryPage
    gone: tuple[str, ...] = ()

    @property
    def video_states(self) -> dict[str, VideoState]:
        """What is known, by video."""
        return {row.video_id: row.video_state for row in self.rows}

    def with_states(self, video_states: Mapping[str, VideoState]) -> "Library":
        """A copy with these states."""
        return replace(self, rows=tuple(replace(row, video_state=video_states[row.video_id]) for row in self.rows))


def load_library(reader: SubtitleReader, plan_request: PlanRequest, videos: tuple[str, ...]) -> Library:
    """The rows of the planner: the chosen videos, then those of the library page that are not chosen."""
    own = {f"video {video}": reader.video(video) for video in videos}
    page, outcomes = _read_page(reader, plan_request, own)
    listed = {video.id: video for video in page.videos}
    rest = [video for video in listed if video not in videos]
    outcomes |= reader.spare(reader.state_queries((*videos, *rest)))
    rows, gone = [], []
    for video_id in (*videos, *rest):
        row = _build_row(video_id, listed.get(video_id), outcomes)
        if row is None:
            gone.append(video_id)
        else:
            rows.append(row)
    return Library(tuple(rows), page, tuple(gone))


def ids_of(reader: SubtitleReader, plan_request: PlanRequest) -> tuple[str, ...]:
    """Every video that the filter finds, waited for. Raises a `PlatformError`."""
    selection = _wanted(plan_request.filter)
    outcomes = library.read_first(reader.reads, selection.without_folder(), library.waiting())
    entries = _cut(reader, plan_request, outcomes)[0]
    return tuple(entry.id for entry in entries)


def _read_page(
    reader: SubtitleReader, plan_request: PlanRequest, own: Mapping[str, Query[Any]]
) -> tuple[LibraryPage, dict[str, Outcome]]:
    """The page that the filter asks for, and the outcomes of the chosen videos' own reads, side by side."""
    library_filter, selection = plan_request.filter, _wanted(plan_request.filter)
    if not library_filter.gaps and not library.is_nested(reader.reads, library_filter.folder):
        queries: dict[str, Query[Any]] = {
            "page": library.page_of(selection, library_filter.page, ROWS),
            "folders": FOLDERS,
            **own,
        }
        outcomes = reader.gather(queries)
        return _cut_there(reader, plan_request, outcomes), outcomes
    outcomes = library.read_first(reader.reads, selection.without_folder(), None, others=own)
    outcomes = reader.understood(own, outcomes)
    return _cut_here(reader, plan_request, outcomes), outcomes


def _cut_there(reader: SubtitleReader, plan_request: PlanRequest, outcomes: Mapping[str, Outcome]) -> LibraryPage:
    """A page that the platform filtered."""
    outcome, folders = outcomes["page"], folders_of(outcomes["folders"])[0]
    if not isinstance(outcome, Ready):
        return _without_list(outcome, folders)
    entries, total, pages = library.value_of(outcome)
    everything = library.known_entries(reader.reads, _wanted(plan_request.filter))
    counts = _counts(all_languages(reader.reads), plan_request.order, everything) if everything is not None else None
    return LibraryPage(tuple(entries), total, pages=pages, folders=folders, counts=counts)


def _cut_here(reader: SubtitleReader, plan_request: PlanRequest, outcomes: Mapping[str, Outcome]) -> LibraryPage:
    """A page that is filtered here: the platform knows neither gaps nor nested folders."""
    folders = folders_of(outcomes["folders"])[0]
    if not isinstance(outcomes["first"], Ready):
        return _without_list(outcomes["first"], folders)
    try:
        entries, counts = _cut(reader, plan_request, outcomes)
    except errors.CallError as error:
        return _without_list(Failed(error), folders)
    first = (plan_request.filter.page - 1) * ROWS
    return LibraryPage(
        tuple(entries[first : first + ROWS]),
        len(entries),
        pages=-(-len(entries) // ROWS),
        folders=folders,
        counts=counts,
    )


def _cut(
    reader: SubtitleReader, plan_request: PlanRequest, outcomes: Mapping[str, Outcome]
) -> tuple[list[Entry], LibraryCounts]:
    """All videos of the filter; with a gap filter those that lack a language first, then those not looked up."""
    selection = _wanted(plan_request.filter)
    listed = library.read_rest(reader.reads, selection.without_folder(), outcomes["first"])
    entries = list(selection.cut(listed, folders_of(outcomes["folders"])[0]))
    languages = all_languages(reader.reads)
    counts = _counts(languages, plan_request.order, entries)
    if not plan_request.filter.gaps:
        return entries, counts
    lacking = [entry for entry in entries if entry.id in languages and _lacks(languages[entry.id], plan_request.order)]
    return [*lacking, *(entry for entry in entries if entry.id not in languages)], counts


def _counts(languages: Mapping[str, frozenset[str]], order: Order, entries: list[Entry]) -> LibraryCounts:
    languages_of_read = [languages[entry.id] for entry in entries if entry.id in languages]
    gaps = sum(_lacks(codes, order) for codes in languages_of_read) if rules.gap_languages(order) else None
    return LibraryCounts(len(entries), len(languages_of_read), gaps)


def _lacks(languages: frozenset[str], order: Order) -> bool:
    return rules.has_gap(VideoState(languages, None), order)


def _wanted(library_filter: LibraryFilter) -> Wanted:
    return Wanted(title=library_filter.q, folder=library_filter.folder)


def _without_list(outcome: Outcome, folders: tuple[Shelf, ...]) -> LibraryPage:
    return LibraryPage(
        folders=folders, late=isinstance(outcome, Late), trouble=outcome.error if isinstance(outcome, Failed) else None
    )


def _build_row(video_id: str, listed: Entry | None, outcomes: Mapping[str, Outcome]) -> LibraryRow | None:
    """The row of a video, or None for one that this account does not have."""
    own = outcomes.get(f"video {video_id}")
    if listed is None and isinstance(own, Failed) and isinstance(own.error, errors.Missing):
        return None
    video_state, late, trouble = video_state_of(outcomes, video_id)
    if listed is not None:
        return LibraryRow(
            video_id, listed.title, length=listed.length, video_state=video_state, late=late, trouble=trouble
        )
    if isinstance(own, Ready):
        return LibraryRow(
            video_id, own.value.title, length=own.value.length, video_state=video_state, late=late, trouble=trouble
        )
    failed = own.error if isinstance(own, Failed) else None
    return LibraryRow(video_id, "", None, UNREAD_VIDEO, late=isinstance(own, Late), trouble=failed)
