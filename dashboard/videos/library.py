"""Reading the library: one page as the platform cuts it, or all of it where the platform can neither sort nor find gaps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from dashboard.platform_api import Operations, errors
from dashboard.platform_api.records import VideoPage
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Reads
from dashboard.videos import rules
from dashboard.videos.rules import ROOT, Entry, Query, Shelf

WHOLE_SECONDS: Final = 60.0
LANGUAGES_SECONDS: Final = 60.0
GAPS_SECONDS: Final = 15 * 60
WHOLE: Final = 5000
"""Videos asked for at once where all are needed; the largest number seen in public use."""
SAFE: Final = 100
"""What is asked for instead of a platform that refuses so many."""
REFUSED_SECONDS: Final = 60 * 60
"""How long so many are not asked for again after that."""
LOOKUPS: Final = 48
"""Videos whose languages one press looks up: the platform may refuse more than about 200 calls a minute."""


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
    """With a gap filter: how many of the matching videos have been looked at."""
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
    known = look(request, ids, patience=waiting()) if query.languages else languages_known(request, ids)
    more = query.page < pages if pages is not None else len(entries) >= rules.PER_PAGE
    return Library(entries, total, pages, more, known, *shelves)


def _cut(request: OwnerRequest, query: Query, patience: float | None) -> Library:
    """Everything that matches, sorted and filtered here, and of that one page."""
    outcomes = _first(request, query, patience)
    shelves = _folders(outcomes["folders"])
    if isinstance(outcomes["first"], Late):
        return Library((), None, None, False, {}, *shelves, late=True)
    entries = rules.ordered(_rest(request, query, *value(outcomes["first"])), query.sort)
    known, count = {}, 0
    if query.missing:
        ids = [one.id for one in entries]
        known = languages_known(request, ids, GAPS_SECONDS)
        unknown = rules.gaps(entries, known, query.missing).unknown[:LOOKUPS]
        known |= look(request, unknown, patience=waiting())
        matching = len(entries)
        cut = rules.gaps(entries, known, query.missing)
        entries, count = cut.entries, cut.known
    shown = rules.page_of(entries, query.page)
    pages = -(-len(entries) // rules.PER_PAGE)
    if not query.missing:
        known, matching = languages_known(request, [one.id for one in shown]), len(entries)
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


def _first(request: OwnerRequest, query: Query, patience: float | None) -> dict[str, Outcome]:
    """The first and most often the only part of everything that matches, and the folders."""
    refused_here = f"videos:{request.account.pk}:whole-refused"
    if cache.get(refused_here) is None:
        whole = _page(query, 1, WHOLE, WHOLE_SECONDS)
        outcomes = _reads(request, patience).gather(patience, first=whole, folders=FOLDERS)
        if not isinstance(outcomes["first"], Failed) or not isinstance(outcomes["first"].error, errors.Refused):
            return outcomes
        cache.set(refused_here, 1, REFUSED_SECONDS)
    safe = _page(query, 1, SAFE, WHOLE_SECONDS)
    return _reads(request, patience).gather(patience, first=safe, folders=FOLDERS)


def _rest(
    request: OwnerRequest, query: Query, entries: list[Entry], total: int | None, pages: int | None
) -> list[Entry]:
    """The first part and all others, side by side. A part that does not come is a failure: half a list cannot be sorted."""
    if not pages or pages < 2:
        return entries
    size = max(len(entries), 1)
    parts = {f"part{n}": _page(query, n, size, WHOLE_SECONDS) for n in range(2, pages + 1)}
    for outcome in reads.of(request).gather(waiting(), **parts).values():
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


def languages_known(
    request: OwnerRequest, ids: Iterable[str], seconds: float = LANGUAGES_SECONDS
) -> dict[str, frozenset[str]]:
    """Languages (lower case) by video, as far as they were read at most `seconds` ago. Reads nothing."""
    known = reads.of(request).known(**{video: _languages(video) for video in ids})
    since = timezone.now() - timedelta(seconds=seconds)
    return {
        video: one.value
        for video, one in known.items()
        if isinstance(one, Ready) and one.at is not None and one.at > since
    }


def look(request: OwnerRequest, ids: Sequence[str], *, patience: float) -> dict[str, frozenset[str]]:
    """Languages (lower case) of these videos, read side by side; those that fail or are late are left out.

    Raises `BadToken`.
    """
    outcomes = Reads(request.account).gather(patience, **{video: _languages(video) for video in ids})
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
            raise outcome.error
    return {video: one.value for video, one in outcomes.items() if isinstance(one, Ready)}


def _languages(video: str) -> reads.Query[frozenset[str]]:
    return reads.Query(
        lambda platform: frozenset(subtitle.lang.lower() for subtitle in platform.videos.subtitles(video)),
        LANGUAGES_SECONDS,
        shape="languages",
    )
