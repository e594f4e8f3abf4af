"""Reading the library: one page as the platform cuts it, or all of it where the platform can neither sort nor find gaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache

from dashboard.platform_api import Operations, errors
from dashboard.platform_api.records import VideoPage
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Reads
from dashboard.videos import rules
from dashboard.videos.languages import all_languages, languages_known, look, looked_at, untold
from dashboard.videos.rules import ROOT, Entry, Query, Shelf

WHOLE_SECONDS: Final = 60.0
WHOLE: Final = 5000
"""Videos asked for at once where all are needed; the largest number seen in public use."""
SAFE: Final = 100
"""What is asked for instead of a platform that refuses so many."""
REFUSED_SECONDS: Final = 60 * 60
"""How long so many are not asked for again after that."""


@dataclass(frozen=True)
class Library:
    """What one view of the library shows. `late`: the list was not there in time; the page fetches it again."""

    entries: Sequence[Entry]
    total: int | None
    pages: int | None
    more: bool
    languages: dict[str, frozenset[str]]
    folders: tuple[Shelf, ...]
    folders_failed: bool = False
    late: bool = False
    error: errors.PlatformError | None = None
    """Why there is no list."""
    known: int = 0
    """With a gap filter: how many of the matching videos the worker has looked at."""
    matching: int = 0
    """With a gap filter: how many there are to look at."""


def read(request: OwnerRequest, query: Query, *, patience: float | None = None) -> Library:
    """The view that `query` asks for: the filters stand whatever happens to the list or to the folders. Raises `BadToken`."""
    try:
        return _read(request, query, patience)
    except errors.BadToken:
        raise
    except errors.PlatformError as error:
        return Library((), None, None, False, {}, (), error=error)


def _read(request: OwnerRequest, query: Query, patience: float | None) -> Library:
    if query.whole:
        return _cut(request, query, patience)
    outcomes = _reads(request, patience).gather(
        patience, page=_page(query, query.page, rules.PER_PAGE), folders=FOLDERS
    )
    found, shelves = outcomes["page"], _folders(outcomes["folders"])
    if isinstance(found, Late):
        return Library((), None, None, False, {}, *shelves, late=True)
    entries, total, pages = value(found)
    ids = [one.id for one in entries]
    known = look(request, ids, patience=waiting()) if query.languages else languages_known(reads.of(request), ids)
    more = query.page < pages if pages is not None else len(entries) >= rules.PER_PAGE
    return Library(entries, total, pages, more, known, *shelves)


def _cut(request: OwnerRequest, query: Query, patience: float | None) -> Library:
    """Everything that matches, sorted and filtered here, and of that one page."""
    outcomes = _first(_reads(request, patience), query, patience)
    shelves = _folders(outcomes["folders"])
    if isinstance(outcomes["first"], Late):
        return Library((), None, None, False, {}, *shelves, late=True)
    entries = rules.ordered(_rest(reads.of(request), query, *value(outcomes["first"])), query.sort)
    known, count, matching = {}, 0, len(entries)
    if query.missing:
        known = all_languages(reads.of(request))
        cut = rules.gaps(entries, known, query.missing)
        entries, count = cut.entries, cut.known + len(untold(request.account, cut.unknown))
    shown = rules.page_of(entries, query.page)
    pages = -(-len(entries) // rules.PER_PAGE)
    if not query.missing:
        known = languages_known(reads.of(request), [one.id for one in shown])
    if query.languages:
        known |= look(request, [one.id for one in shown], patience=waiting())
    return Library(shown, len(entries), pages, query.page < pages, known, *shelves, known=count, matching=matching)


def waiting() -> float:
    """Seconds that somebody waits who asked for it: as long as the platform may take."""
    return float(settings.PLATFORM_TIMEOUT)


def value(outcome: Outcome) -> tuple[list[Entry], int | None, int | None]:
    """What a read of videos brought. Raises its error."""
    if isinstance(outcome, Failed):
        raise outcome.error
    if isinstance(outcome, Late):
        raise errors.Unreachable("videos.list")
    rows, total, pages = outcome.value
    return [Entry._make(row) for row in rows], total, pages


Rows = tuple[list[tuple[object, ...]], int | None, int | None]
"""Plain tuples, total, pages: thousands of named ones would cost too much."""


def _rows(page: VideoPage) -> Rows:
    return [tuple(rules.entry(video)) for video in page.videos], page.total, page.pages


def _reads(request: OwnerRequest, patience: float | None) -> Reads:
    """The reads of a list: a page whose patience is named waits for what is older than its interval."""
    return reads.of(request) if patience is None else Reads(request.account)


def _page(query: Query, page: int, limit: int, seconds: float | None = None) -> reads.Query[Rows]:
    """One page of what matches, as the platform cuts it."""
    return reads.Query(lambda platform: _rows(_list(platform, query, page, limit)), seconds, shape="rows")


def all_entries(reader: Reads, seconds: float) -> list[Entry]:
    """Every video of the account, as listed at most so many seconds ago. Raises a `PlatformError`."""
    first = _first(reader, Query(), waiting(), seconds)["first"]
    return _rest(reader, Query(), *value(first), seconds=seconds)


def progress(reader: Reads, query: Query) -> tuple[int, int] | None:
    """Of the videos that match, how many were looked at for subtitles, and how many there are. Reads nothing.

    None where the list itself is not known.
    """
    for limit in (WHOLE, SAFE):
        first = reader.known(first=_page(query, 1, limit))["first"]
        if isinstance(first, Ready):
            entries, _total, pages = value(first)
            parts = {f"part{n}": _page(query, n, max(len(entries), 1)) for n in range(2, (pages or 1) + 1)}
            for part in reader.known(**parts).values():
                entries = entries + (value(part)[0] if isinstance(part, Ready) else [])
            ids = [one.id for one in entries]
            known = looked_at(reader)
            rest = [video for video in ids if video not in known]
            return len(ids) - len(rest) + len(untold(reader.account, rest)), len(ids)
    return None


def _first(reader: Reads, query: Query, patience: float | None, seconds: float = WHOLE_SECONDS) -> dict[str, Outcome]:
    """The first and most often the only part of everything that matches, and the folders."""
    refused_here = f"videos:{reader.account.pk}:whole-refused"
    if cache.get(refused_here) is None:
        whole = _page(query, 1, WHOLE, seconds)
        outcomes = reader.gather(patience, first=whole, folders=FOLDERS)
        if not isinstance(outcomes["first"], Failed) or not isinstance(outcomes["first"].error, errors.Refused):
            return outcomes
        cache.set(refused_here, 1, REFUSED_SECONDS)
    safe = _page(query, 1, SAFE, seconds)
    return reader.gather(patience, first=safe, folders=FOLDERS)


def _rest(
    reader: Reads,
    query: Query,
    entries: list[Entry],
    _total: int | None,
    pages: int | None,
    *,
    seconds: float = WHOLE_SECONDS,
) -> list[Entry]:
    """The first part and all others, side by side. A part that does not come is a failure: half a list cannot be sorted."""
    if not pages or pages < 2:
        return entries
    size = max(len(entries), 1)
    parts = {f"part{n}": _page(query, n, size, seconds) for n in range(2, pages + 1)}
    for outcome in reader.gather(waiting(), **parts).values():
        entries = entries + value(outcome)[0]
    return entries


def _list(platform: Operations, query: Query, page: int, limit: int) -> VideoPage:
    return platform.videos.list(
        page=page,
        limit=limit,
        title=query.q,
        status=query.status,
        folder_id=query.folder if query.folder not in ("", ROOT) else None,
        root_folder=query.folder == ROOT,
    )


FOLDERS: Final = reads.Query(
    lambda platform: tuple(rules.shelf(one) for one in platform.folders.list()), shape="shelves"
)
"""The account's active folders, flat."""


def _folders(outcome: Outcome) -> tuple[tuple[Shelf, ...], bool]:
    return (outcome.value, False) if isinstance(outcome, Ready) else ((), True)
