"""The library of an account as the platform lists it: one page of it, or every video in small, and the folders.

The platform neither sorts nor finds gaps, and of a folder it lists only the videos that are in it directly: for all that,
every video is read, at once where the platform gives so many.

A feature that acts on many videos asks which ones a query selects (`load_selection`): the list of videos answers. Titles of videos
that an answer names by their ids alone come from what is known of the account (`find_titles`): no video is asked for.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from dashboard.platform_api import Operations, errors
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.platform import question_of
from dashboard.platform_api.public_files import VideoConfig
from dashboard.platform_api.values import Unreadable
from dashboard.platform_api.videos import AiResource, Video, VideoPage, pullzone_of
from dashboard.shared.entries import ROOT, Entry, Shelf, Wanted, entry, shelf
from dashboard.upstream import clients, page_sources, reads, store
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Condensed, Query, Reader, Reads

if TYPE_CHECKING:
    from dashboard.accounts.models import Account


WHOLE_SECONDS: Final = 60.0
WHOLE: Final = 5000
"""Videos asked for at once where all are needed; the largest number seen in public use."""
SAFE: Final = 100
"""What is asked for instead of a platform that refuses so many."""
REFUSED_SECONDS: Final = 60 * 60
"""How long so many are not asked for again after that."""


def _dump_shelves(shelves: tuple[Shelf, ...]) -> bytes:
    return zlib.compress(json.dumps(shelves, separators=(",", ":")).encode())


def _load_shelves(data: bytes) -> tuple[Shelf, ...]:
    """Raises `ValueError` for what another release wrote."""
    try:
        return tuple(starmap(Shelf, json.loads(zlib.decompress(data))))
    except (zlib.error, TypeError) as error:
        raise ValueError("no folders") from error


FOLDERS: Final = Query(
    lambda platform: tuple(shelf(folder) for folder in platform.folders.list()),
    shape="shelves",
    condensed=Condensed(_dump_shelves, _load_shelves),
)
"""The account's active folders, flat. Of 10,000 only this is kept: the records are too many to hold or to make for a page."""


def load_ai_resources(reader: Reads, pullzone: str, videos: Iterable[Video]) -> dict[str, Video]:
    """The videos by id, with the AI content that the player knows where the platform does not say which there is.

    The player names the kinds of any language (gaps 15, A6), so their language is "". What cannot be read stays untold, and
    of several videos it is read beside the page.
    """
    told = {video.id: video for video in videos}
    zones = {key: video.pullzone or pullzone for key, video in told.items() if not video.are_ai_resources_told}
    calls = {
        key: build_config_query(zone, told[key].external_id)
        for key, zone in zones.items()
        if zone and told[key].external_id
    }
    for key, outcome in (reader.spare(**calls) if len(told) > 1 else reader.gather(None, **calls)).items():
        if isinstance(outcome, Ready) and outcome.value.ai_kinds:
            resources = tuple(AiResource(kind, "") for kind in sorted(outcome.value.ai_kinds))
            subtitles = told[key].config_subtitles or outcome.value.subtitles
            told[key] = replace(
                told[key], ai_resources=resources, are_ai_resources_told=True, config_subtitles=subtitles
            )
    return told


def build_config_query(pullzone: str, external_id: str) -> Query[VideoConfig]:
    """Build the query of what the player knows of a video."""
    return Query(lambda platform: platform.public_files.video(pullzone, external_id))


def build_document_query(pullzone: str, external_id: str, name: str) -> Query[datetime | None]:
    """Build the query of when the PDF of a video's eBook (`abstract`) or mind map (`mindmap`) was made."""
    return Query(lambda platform: platform.public_files.document(pullzone, external_id, name))


def folders_of(outcome: Outcome) -> tuple[tuple[Shelf, ...], bool]:
    """The folders, and whether they could not be read."""
    return (outcome.value, False) if isinstance(outcome, Ready) else ((), True)


Rows = tuple[list[tuple[object, ...]], int | None, int | None]
"""Plain tuples, total, pages: thousands of named ones would cost too much."""


def is_nested(reader: Reads, folder: str) -> bool:
    """Whether a folder has folders in it, as far as is known: the platform lists its direct videos alone. Reads nothing."""
    if folder in ("", ROOT):
        return False
    outcome = reader.known(folders=FOLDERS)["folders"]
    return not isinstance(outcome, Ready) or any(folder_shelf.parent == folder for folder_shelf in outcome.value)


def waiting() -> float:
    """Seconds that somebody waits who asked for it: as long as the platform may take."""
    return float(settings.PLATFORM_TIMEOUT)


def page_of(filters: Wanted, page: int, limit: int, seconds: float | None = None) -> Query[Rows]:
    """One page of what is wanted, as the platform cuts it."""
    return Query(lambda platform: _rows(_list(platform, filters, page, limit)), seconds, shape="rows")


def value_of(outcome: Outcome) -> tuple[list[Entry], int | None, int | None]:
    """What a read of a page brought: entries, total, pages. Raises its error."""
    if isinstance(outcome, Failed):
        raise outcome.error
    if isinstance(outcome, Late):
        raise errors.Unreachable("videos.list")
    rows, total, pages = outcome.value
    return [Entry._make(row) for row in rows], total, pages


def read_first(
    reader: Reads,
    filters: Wanted,
    patience: float | None,
    seconds: float = WHOLE_SECONDS,
    others: Mapping[str, Query[Any]] | None = None,
) -> dict[str, Outcome]:
    """The `first` and most often the only part of everything that is wanted, the `folders`, and side by side `others`."""
    refused_here = _refused_name(reader)
    beside: dict[str, Query[Any]] = {**(others or {}), "folders": FOLDERS}
    if cache.get(refused_here) is None:
        outcomes = reader.gather(patience, first=page_of(filters, 1, WHOLE, seconds), **beside)
        if not isinstance(outcomes["first"], Failed) or not isinstance(outcomes["first"].error, errors.Refused):
            return outcomes
        cache.set(refused_here, 1, REFUSED_SECONDS)
    return reader.gather(patience, first=page_of(filters, 1, SAFE, seconds), **beside)


def _refused_name(reader: Reads) -> str:
    return f"videos:{reader.account.pk}:whole-refused"


@dataclass(frozen=True)
class Groups:
    """How the parts of a list are read: `size` of them side by side, each group while `turn` is entered."""

    size: int
    turn: Callable[[], AbstractContextManager[None]]


ALL_AT_ONCE: Final = Groups(WHOLE, nullcontext)


def read_rest(
    reader: Reads, filters: Wanted, first: Outcome, seconds: float = WHOLE_SECONDS, groups: Groups = ALL_AT_ONCE
) -> list[Entry]:
    """The first part and all others. A part that does not come is a failure: half a list cannot be sorted."""
    entries, _total, pages = value_of(first)
    parts = list(_parts(filters, len(entries), pages, seconds).items())
    for begin in range(0, len(parts), groups.size):
        with groups.turn():
            outcomes = reader.gather(waiting(), **dict(parts[begin : begin + groups.size]))
        entries = [*entries, *(entry for outcome in outcomes.values() for entry in value_of(outcome)[0])]
    return entries


def read_so_far(reader: Reads, first: Outcome) -> tuple[list[Entry], int]:
    """The `first` part and what is known of the others, and how many videos there are. The rest is read beside the page."""
    entries, total, pages = value_of(first)
    parts = reader.spare(**_parts(Wanted(), len(entries), pages, None)).values()
    known = [entry for part in parts if isinstance(part, Ready) for entry in value_of(part)[0]]
    return [*entries, *known], max(total or 0, len(entries) + len(known))


def all_entries(reader: Reads, seconds: float, groups: Groups = ALL_AT_ONCE) -> list[Entry]:
    """Every video of the account, as listed at most so many seconds ago. Raises a `PlatformError`."""
    with groups.turn():
        first = read_first(reader, Wanted(), waiting(), seconds)["first"]
    return read_rest(reader, Wanted(), first, seconds, groups)


def is_listed(reader: Reads, age: timedelta) -> bool:
    """Whether a list of all videos was read so lately. Reads nothing."""
    for limit in (WHOLE, SAFE):
        first = reader.known(first=page_of(Wanted(), 1, limit))["first"]
        if isinstance(first, Ready) and first.at is not None and timezone.now() - first.at < age:
            return True
    return False


def known_entries(reader: Reads, filters: Wanted) -> list[Entry] | None:
    """Everything that is wanted, however old; None where not all of it is known. Reads nothing."""
    listed = known_list(reader, filters)
    return None if listed is None else listed.entries


@dataclass(frozen=True)
class KnownList:
    """Everything that is wanted, as it was read: `digests` are those of the questions, `read_at` the oldest of the answers."""

    entries: list[Entry]
    read_at: datetime
    digests: tuple[str, ...]
    folders: Outcome | None = None
    """The account's folders, where they were read with it."""


def read_list(reader: Reads, filters: Wanted, patience: float | None) -> KnownList | None:
    """Everything that is wanted, read where it is not known, and the folders with it; None where it was late.

    Raises the `PlatformError` of a list that could not be read.
    """
    outcomes = read_first(reader, filters, patience)
    first = outcomes["first"]
    if isinstance(first, Late):
        return None
    entries, _total, pages = value_of(first)
    limit = WHOLE if cache.get(_refused_name(reader)) is None else SAFE
    queries = (page_of(filters, 1, limit), *_parts(filters, len(entries), pages, None).values())
    read_at = first.at if isinstance(first, Ready) and first.at is not None else timezone.now()
    entries = read_rest(reader, filters, first)
    return KnownList(entries, read_at, tuple(map(digest_of, queries)), outcomes["folders"])


def known_list(reader: Reads, filters: Wanted) -> KnownList | None:
    """What `known_entries` returns, with the age of it and the questions that brought it. Reads nothing."""
    for limit in (WHOLE, SAFE):
        query = page_of(filters, 1, limit)
        first = reader.known(first=query)["first"]
        if isinstance(first, Ready) and first.at is not None:
            entries, _total, pages = value_of(first)
            queries = _parts(filters, len(entries), pages, None)
            parts = [
                part for part in reader.known(**queries).values() if isinstance(part, Ready) and part.at is not None
            ]
            if len(parts) == len(queries):
                listed = [*entries, *(entry for part in parts for entry in value_of(part)[0])]
                oldest = min(part.at for part in (first, *parts) if part.at is not None)
                return KnownList(listed, oldest, tuple(map(digest_of, (query, *queries.values()))))
    return None


def digest_of(query: Query[Any]) -> str:
    """The digest of the question that a query puts."""
    return question_of(query.call, review_reads=clients.config().review_reads).digest


def _parts(filters: Wanted, size: int, pages: int | None, seconds: float | None) -> dict[str, Query[Rows]]:
    """The reads of all parts but the first, which had `size` videos."""
    return {f"part{n}": page_of(filters, n, max(size, 1), seconds) for n in range(2, (pages or 1) + 1)}


def _rows(page: VideoPage) -> Rows:
    return [tuple(entry(video)) for video in page.videos], page.total, page.pages


def _list(platform: Operations, filters: Wanted, page: int, limit: int) -> VideoPage:
    return platform.videos.list(
        page=page,
        limit=limit,
        title=filters.title,
        status=filters.status,
        folder_id=filters.folder if filters.in_one_folder else None,
        root_folder=filters.folder == ROOT,
    )


@dataclass(frozen=True)
class Selection:
    """The videos that match a query now, in the order of the list.

    `complete`: whether these are all: nothing that the query asks for is unknown of any video. `problem`: why the query
    selects nothing at all, as a sentence for people; "" where it does.
    """

    ids: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    """By id."""
    complete: bool = True
    problem: str = ""
    missing: tuple[str, ...] = ()
    """Languages that the query asks to be missing, in its own spelling."""


@dataclass(frozen=True)
class SavedQuery:
    """A query that a person saved under a name."""

    name: str
    query: str


Loader = Callable[["Account", str, str], Selection]
SavedLoader = Callable[["Account", str], "list[SavedQuery]"]
_loaders: dict[str, Loader] = {}
_saved_loaders: dict[str, SavedLoader] = {}


def register_loader(loader: Loader) -> Loader:
    """Let `loader` say what a query selects. There is one: the list of videos registers it when the app starts."""
    _loaders["videos"] = loader
    return loader


def load_selection(account: "Account", query: str, person: str = "") -> Selection:
    """The videos of the account that match a query, as the list shows them to `person` ("" selects all). Reads nothing
    anew unless the list was never read.

    Raises the `PlatformError` of a list that could not be read.
    """
    return _loaders["videos"](account, query, person)


def register_saved_loader(loader: SavedLoader) -> SavedLoader:
    """Let `loader` list what a person saved. There is one, as of selections."""
    _saved_loaders["videos"] = loader
    return loader


def list_saved_queries(account: "Account", person: str) -> list[SavedQuery]:
    """The queries that a person saved in this account, the oldest first."""
    return _saved_loaders["videos"](account, person)


LISTS: Final = 20
"""Known lists of videos that are looked through, the newest first."""
LIST_AGE: Final = timedelta(minutes=15)
"""How old the list may be: a title that it does not have is hardly in one of the next minute."""


def find_titles(account: "Account", video_ids: Iterable[str], patience: float = 0.0) -> dict[str, str]:
    """The titles that are known, by id. For the rest, one list of videos is read beside the page, which follows it.

    `patience`: seconds to wait for it.
    """
    missing = set(video_ids)
    known = known_titles(account.pk, missing)
    if missing <= set(known) or is_listed(Reads(account), LIST_AGE):
        return known
    page_sources.begin_work(account.pk, partial(_list_beside, account, missing - set(known)), patience)
    return known_titles(account.pk, missing)


def _list_beside(account: "Account", video_ids: set[str]) -> bool:
    """Read the list; whether it has one of these titles."""
    all_entries(Reads(account), LIST_AGE.total_seconds())
    return bool(known_titles(account.pk, video_ids))


def known_titles(account_id: UUID, video_ids: Iterable[str]) -> dict[str, str]:
    """The titles of these videos that are known here, by id, or by the external id that they were asked for with."""
    return {video_id: title for video_id, (_own, title) in known_videos(account_id, video_ids).items()}


def known_videos(account_id: UUID, video_ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Id and title of those of these videos that are known here. Public files and players name them by their external ids.

    Nothing is read.
    """
    missing = set(video_ids)
    found: dict[str, tuple[str, str]] = {}
    for videos in _all_known(account_id, missing):
        found |= {key: video for key, video in videos.items() if video[1] and key in missing and key not in found}
        if len(found) == len(missing):
            break
    return found


def name_videos(account_id: UUID, table: Table) -> Table:
    """A table with the own id and the title of each known video that it names by an id alone. Nothing is read."""
    unnamed = {row.label for row in table.rows if row.label == row.video_id} - {""}
    known = known_videos(account_id, unnamed) if unnamed else {}
    if not known:
        return table
    rows = (
        row._replace(label=known[row.label][1], extra={**row.extra, "video_id": known[row.label][0]})
        if row.label in known
        else row
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def _all_known(account_id: UUID, video_ids: set[str]) -> Iterator[dict[str, Any]]:
    """Id and title by id: of the videos that were read themselves, then of one known list or video after the other."""
    readers: dict[str, Reader] = {}
    for video in video_ids:
        call = partial(_of_one, video)
        with suppress(CallError):  # an id that no address can hold
            readers[question_of(call).digest] = Reader(call, "title")
    yield _read(account_id, readers)
    for operation, read in (("videos.list", _of_list), ("videos.get", _of_both_ids)):
        for digest, about in store.digests_of(account_id, operation, LISTS).items() if video_ids else ():
            yield _read(account_id, {digest: Reader(partial(read, about), "titles")})


def _read(account_id: UUID, readers: dict[str, Reader]) -> dict[str, Any]:
    """What known answers say, by the digests of their questions."""
    said: dict[str, Any] = {}
    for digest, known in store.load(account_id, readers).items():
        with suppress(Unreadable, CallError):
            said |= reads.decode(account_id, digest, readers[digest], known)
    return said


def find_player(account_id: UUID) -> str:
    """The player's address of a video that is known of the account; "" where none is. Nothing is read."""
    for digest in store.digests_of(account_id, "videos.list", LISTS):
        if player := str(_read(account_id, {digest: Reader(_player_of_list, "player")}).get("player") or ""):
            return player
    return ""


def find_pullzone(account: "Account") -> str:
    """The account's CDN zone name: as it was told with its A/B tests, or out of a known video; "" for neither."""
    return account.pullzone or pullzone_of(find_player(account.pk)) or ""


def _player_of_list(platform: Operations) -> dict[str, str]:
    return {"player": next((video.player_url for video in platform.videos.list().videos if video.player_url), "")}


def _of_list(_about: str, platform: Operations) -> dict[str, tuple[str, str]]:
    return _name(platform.videos.list().videos)


def _of_both_ids(video_id: str, platform: Operations) -> dict[str, tuple[str, str]]:
    return _name([platform.videos.get(video_id)])


def _name(videos: Iterable[Video]) -> dict[str, tuple[str, str]]:
    return {key: (video.id, video.title) for video in videos for key in (video.external_id, video.id) if key}


def _of_one(video_id: str, platform: Operations) -> dict[str, tuple[str, str]]:
    return {video_id: (video_id, platform.videos.get(video_id).title)}
