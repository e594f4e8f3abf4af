"""One view of the library: a page as the platform cuts it, or cut here where the platform cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.platform_api import errors
from dashboard.shared.entries import Entry, Shelf
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import library, reads
from dashboard.upstream.languages import all_languages, languages_known, look_up, looked_at, untold
from dashboard.upstream.library import FOLDERS, folders_of, value_of, waiting
from dashboard.upstream.parallel import Late
from dashboard.upstream.reads import Reads
from dashboard.videos import rules
from dashboard.videos.rules import LibraryQuery


@dataclass(frozen=True)
class LibraryView:
    """What one view of the library shows. `late`: the list was not there in time; the page fetches it again."""

    entries: Sequence[Entry]
    total: int | None
    pages: int | None
    more: bool
    languages: Mapping[str, frozenset[str]]
    folders: tuple[Shelf, ...]
    folders_failed: bool = False
    late: bool = False
    error: errors.CallError | None = None
    """Why there is no list."""
    known: int = 0
    """With a gap filter: how many of the matching videos the worker has looked at."""
    matching: int = 0
    """With a gap filter: how many there are to look at."""


def load_library(request: OwnerRequest, query: LibraryQuery, *, patience: float | None = None) -> LibraryView:
    """The view that `query` asks for: the filters stand whatever happens to the list or to the folders. Raises `BadToken`."""
    try:
        return _load_page(request, query, patience)
    except errors.PlatformError as error:
        return LibraryView((), None, None, False, {}, (), error=error)


def _load_page(request: OwnerRequest, query: LibraryQuery, patience: float | None) -> LibraryView:
    reader = _reads(request, patience)
    if query.whole or library.is_nested(reader, query.folder):
        return _load_sorted(request, query, patience)
    page = library.page_of(query.selection, query.page, rules.PER_PAGE)
    outcomes = reader.gather(patience, page=page, folders=FOLDERS)
    outcome, shelves = outcomes["page"], folders_of(outcomes["folders"])
    if isinstance(outcome, Late):
        return LibraryView((), None, None, False, {}, *shelves, late=True)
    entries, total, pages = value_of(outcome)
    ids = [entry.id for entry in entries]
    known = look_up(request, ids, patience=waiting()) if query.languages else languages_known(reads.of(request), ids)
    more = query.page < pages if pages is not None else len(entries) >= rules.PER_PAGE
    return LibraryView(entries, total, pages, more, known, *shelves)


def _load_sorted(request: OwnerRequest, query: LibraryQuery, patience: float | None) -> LibraryView:
    """Everything that matches, sorted and filtered here, and of that one page."""
    selection = query.selection.without_folder()
    outcomes = library.read_first(_reads(request, patience), selection, patience)
    shelves = folders_of(outcomes["folders"])
    if isinstance(outcomes["first"], Late):
        return LibraryView((), None, None, False, {}, *shelves, late=True)
    listed = query.selection.cut(library.read_rest(reads.of(request), selection, outcomes["first"]), shelves[0])
    entries = rules.sort_entries(listed, query.sort)
    known: Mapping[str, frozenset[str]] = {}
    count, matching = 0, len(entries)
    if query.missing:
        known = all_languages(reads.of(request))
        cut = rules.find_gaps(entries, known, query.missing)
        entries, count = cut.entries, cut.known + len(untold(request.account, cut.unknown))
    page_entries = rules.page_of(entries, query.page)
    pages = -(-len(entries) // rules.PER_PAGE)
    if not query.missing:
        known = languages_known(reads.of(request), [entry.id for entry in page_entries])
    if query.languages:
        known = {**known, **look_up(request, [entry.id for entry in page_entries], patience=waiting())}
    return LibraryView(
        page_entries, len(entries), pages, query.page < pages, known, *shelves, known=count, matching=matching
    )


def _reads(request: OwnerRequest, patience: float | None) -> Reads:
    """The reads of a list: a page whose patience is named waits for what is older than its interval."""
    return reads.of(request) if patience is None else Reads(request.account)


def count_looked_up(reader: Reads, query: LibraryQuery) -> tuple[int, int] | None:
    """Of the videos that match, how many were looked at for subtitles, and how many there are. Reads nothing.

    None where the list itself is not known.
    """
    listed = library.known_entries(reader, query.selection.without_folder())
    if listed is None:
        return None
    shelves = folders_of(reader.known(folders=FOLDERS)["folders"])[0]
    ids = [entry.id for entry in query.selection.cut(listed, shelves)]
    known = looked_at(reader)
    rest = [video for video in ids if video not in known]
    return len(ids) - len(rest) + len(untold(reader.account, rest)), len(ids)
