"""Reading the library: one page as the platform cuts it, or all of it where the platform can neither sort nor find gaps."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache

from dashboard import clients
from dashboard.platform_api import errors
from dashboard.platform_api.records import Subtitle, VideoPage
from dashboard.shared import single_flight
from dashboard.shared.fan_out import Failed, Late, Outcome, Ready, gather
from dashboard.shared.http import OwnerRequest
from dashboard.videos import rules
from dashboard.videos.rules import ROOT, Entry, Query, Shelf

PAGE_SECONDS: Final = 5.0
WHOLE_SECONDS: Final = 60.0
FOLDERS_SECONDS: Final = 60.0
LANGUAGES_SECONDS: Final = 60.0
GAPS_SECONDS: Final = 15 * 60
WHOLE: Final = 5000
"""Videos asked for at once where all are needed; the largest number seen in public use."""
SAFE: Final = 100
"""What is asked for instead by a platform that refuses so many."""
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
    outcomes = gather(patience, page=lambda: _page(request, query), folders=lambda: folders(request))
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
    outcomes = gather(patience, first=lambda: _first(request, query), folders=lambda: folders(request))
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
"""Plain tuples, total, pages: what is kept in the cache, where thousands of named ones would cost too much."""


def _rows(page: VideoPage) -> Rows:
    return [tuple(rules.entry(video)) for video in page.videos], page.total, page.pages


def _page(request: OwnerRequest, query: Query) -> Rows:
    key = _key(request, "page", query.q, query.folder, query.status, query.page)
    return single_flight.shared_read(
        key, PAGE_SECONDS, lambda: _rows(_list(request, query, query.page, rules.PER_PAGE))
    )


def _first(request: OwnerRequest, query: Query) -> Rows:
    """The first and most often the only part of everything that matches."""

    def ask() -> Rows:
        try:
            return _rows(_list(request, query, 1, WHOLE))
        except errors.Refused:
            return _rows(_list(request, query, 1, SAFE))

    return single_flight.shared_read(_whole_key(request, query, 1), WHOLE_SECONDS, ask)


def _rest(
    request: OwnerRequest, query: Query, entries: list[Entry], total: int | None, pages: int | None
) -> list[Entry]:
    """The first part and all others, side by side. A part that does not come is a failure: half a list cannot be sorted."""
    if not pages or pages < 2:
        return entries
    size = max(len(entries), 1)
    reads = {f"part{n}": _part(request, query, n, size) for n in range(2, pages + 1)}
    for outcome in gather(waiting(), **reads).values():
        entries = entries + value(outcome)[0]
    return entries


def _part(request: OwnerRequest, query: Query, page: int, size: int) -> Callable[[], Rows]:
    key = _whole_key(request, query, page)
    return lambda: single_flight.shared_read(key, WHOLE_SECONDS, lambda: _rows(_list(request, query, page, size)))


def _list(request: OwnerRequest, query: Query, page: int, limit: int) -> VideoPage:
    return clients.platform(request).videos.list(
        page=page,
        limit=limit,
        title=query.q,
        status=query.status,
        folder_id=query.folder if query.folder not in ("", ROOT) else None,
        root_folder=query.folder == ROOT,
    )


def folders(request: OwnerRequest) -> tuple[Shelf, ...]:
    """The account's active folders, flat. Kept as plain tuples: ten thousand records would cost each page 20 ms."""
    platform = clients.platform(request)
    rows = single_flight.shared_read(
        _key(request, "folders"), FOLDERS_SECONDS, lambda: [tuple(rules.shelf(one)) for one in platform.folders.list()]
    )
    return tuple(Shelf._make(row) for row in rows)


def _folders(outcome: Outcome) -> tuple[tuple[Shelf, ...], bool]:
    return (outcome.value, False) if isinstance(outcome, Ready) else ((), True)


def languages_known(
    request: OwnerRequest, ids: Iterable[str], seconds: float = LANGUAGES_SECONDS
) -> dict[str, frozenset[str]]:
    """Languages (lower case) by video, as far as they were read at most `seconds` ago. Reads nothing."""
    names = {f"read:{_languages_key(request, video)}": video for video in ids}
    kept = cache.get_many(names)
    return {names[name]: frozenset(reading.value) for name, reading in kept.items() if reading.age < seconds}


def look(request: OwnerRequest, ids: Sequence[str], *, patience: float) -> dict[str, frozenset[str]]:
    """Languages (lower case) of these videos, read side by side; those that fail or are late are left out.

    Raises `BadToken`.
    """
    outcomes = gather(patience, **{video: _languages(request, video) for video in ids})
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
            raise outcome.error
    return {video: frozenset(one.value) for video, one in outcomes.items() if isinstance(one, Ready)}


def _languages(request: OwnerRequest, video: str) -> Callable[[], tuple[str, ...]]:
    platform = clients.platform(request)

    def read() -> tuple[str, ...]:
        return tuple(sorted({_spelled(subtitle) for subtitle in platform.videos.subtitles(video)}))

    return lambda: single_flight.shared_read(_languages_key(request, video), LANGUAGES_SECONDS, read)


def _spelled(subtitle: Subtitle) -> str:
    return subtitle.lang.lower()


def _languages_key(request: OwnerRequest, video: str) -> str:
    return f"videos:{request.account.pk}:languages:{video}"


def _whole_key(request: OwnerRequest, query: Query, page: int) -> str:
    return _key(request, "whole", query.q, query.folder, query.status, page)


def _key(request: OwnerRequest, *words: object) -> str:
    """A key of the cache for this account; hashed, because it holds what people typed."""
    return f"videos:{request.account.pk}:{rules.key_of(*words)}"
