"""The rows of the planner: a page of the filtered library, the chosen videos first, with their states.

The platform cuts a page by title and folder. It knows nothing of gaps, nor of the folders in a folder: for these the whole list
is read and cut here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from dashboard.platform_api import errors
from dashboard.shared.entries import Entry, Shelf, Wanted
from dashboard.subtitles import rules
from dashboard.subtitles.forms import LibraryFilter, PlanRequest
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.subtitles.rules import UNREAD_VIDEO, Order, VideoState
from dashboard.upstream import library
from dashboard.upstream.languages import all_languages
from dashboard.upstream.library import FOLDERS, folders_of
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query

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
    return LibraryPage(tuple(entries), total, pages, folders, counts)


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
    return LibraryPage(tuple(entries[first : first + ROWS]), len(entries), -(-len(entries) // ROWS), folders, counts)


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
        return LibraryRow(video_id, listed.title, listed.length, video_state, late, trouble)
    if isinstance(own, Ready):
        return LibraryRow(video_id, own.value.title, own.value.length, video_state, late, trouble)
    failed = own.error if isinstance(own, Failed) else None
    return LibraryRow(video_id, "", None, UNREAD_VIDEO, late=isinstance(own, Late), trouble=failed)
