"""The catalog of an account: made once of all that is known here, whenever that changes, and shared by all processes.

No page asks for one video after the other: the worker reads them (`library`), and the catalog is made of the answers
in the store. A large one is made beside the page, which shows the last one meanwhile.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.shared.entries import Entry, Wanted
from dashboard.shared.locks import lock
from dashboard.upstream import facts, library, page_sources, parallel, store
from dashboard.upstream.facts import SOURCES, Fact, VideoFacts
from dashboard.upstream.languages import LANGUAGES, all_languages
from dashboard.upstream.library import FOLDERS, KnownList, folders_of
from dashboard.upstream.parallel import Outcome, Ready
from dashboard.upstream.reads import Query, Reads
from dashboard.videos import catalog as columns
from dashboard.videos.catalog import Catalog, Column

LIST_AGE: Final = timedelta(seconds=60)
"""How old the list may be before it is read anew beside the page."""
LARGE: Final = 1_000
"""Videos from which a catalog is made beside the page."""
HELD: Final = 4
"""Catalogs, each of one account, that a process holds: of five thousand videos one takes about ten megabytes."""
KEPT_SECONDS: Final = 24 * 3600
NO_VERSION: Final = ""
"""Of a catalog that another one takes the place of as soon as it is made."""
TURN_SECONDS: Final = 30
"""How long one process makes a catalog before another one tries."""


def _resources_of(video: str) -> Query[tuple[tuple[str, str], ...] | None]:
    """The kinds and languages of a video's AI content; None where the platform does not tell it."""

    def call(platform: Any) -> tuple[tuple[str, str], ...] | None:
        record = platform.videos.get(video)
        told = record.are_ai_resources_told
        return tuple((resource.kind, resource.lang) for resource in record.ai_resources) if told else None

    return Query(call, shape="resources")


RESOURCES: Final = Fact("resources", "videos.get", _resources_of)
PLACES: Final[dict[str, Query[Any]]] = {
    "playlist": Query(lambda platform: platform.playlists.list()),
    "funnel": Query(lambda platform: platform.funnels.list()),
    "ab-test": Query(lambda platform: platform.comparisons.list()),
}
"""Where a video can be, with the read that tells it."""


_SHAPES: Final[dict[str, Callable[..., Any]]] = {
    columns.COMMENTS: columns.CommentCounts,
    columns.PLAYS: columns.Counted,
    columns.VIEWS: columns.Counted,
}
"""What the plain values of a source become."""


@dataclass(frozen=True)
class Prepared:
    """A catalog with the version of what it is made of, and when its list was read. `parts`: those of that list."""

    catalog: Catalog
    version: str
    read_at: datetime
    parts: tuple[str, ...]


_held: OrderedDict[UUID, Prepared] = OrderedDict()
_lock = threading.Lock()


def load_prepared(account: Account, *, patience: float | None = None) -> Prepared | None:
    """What is known of the account's videos; None where the list did not come within `patience` (None: the page's).

    Raises the `PlatformError` of a list that could not be read.
    """
    prepared = _load_held(account.pk)
    if prepared is None:
        return _load_first(account, patience, None)
    states = store.states(account.pk, prepared.parts)
    if len(states) < len(prepared.parts):  # the store has forgotten the list
        return _load_first(account, patience, prepared)
    read_at = min(state.read_at for state in states.values())
    if timezone.now() - read_at > LIST_AGE:
        page_sources.begin_work(account.pk, partial(refresh, account))
    if prepared.version == _version(account, prepared.parts):
        return Prepared(prepared.catalog, prepared.version, read_at, prepared.parts)
    if len(prepared.catalog.entries) < LARGE:
        return prepare(account) or prepared
    page_sources.begin_work(account.pk, partial(_prepare_beside, account))
    return Prepared(prepared.catalog, prepared.version, read_at, prepared.parts)


def _load_first(account: Account, patience: float | None, lost: Prepared | None) -> Prepared | None:
    """The first catalog of an account: its list is waited for, and nothing else is.

    It is of this process alone, and has no version: what is read beside the page makes the one that is shared. `lost`: one of
    a list that is not known any more.
    """
    load_beside = parallel.meanwhile(partial(_load_beside, account))
    listed = library.read_list(Reads(account), Wanted(), patience)
    if listed is None:
        return None
    page_sources.begin_work(account.pk, partial(refresh, account))
    held = _load_held(account.pk)
    if held is not None and held is not lost:  # made meanwhile
        return held
    if lost is not None:  # no process takes the old list for the one that was read now
        cache.delete_many([_key(account.pk), _version_key(account.pk)])
    first = Prepared(_build_catalog(account, listed, load_beside()), NO_VERSION, listed.read_at, listed.digests)
    _hold(account.pk, first)
    return first


def refresh(account: Account) -> bool:
    """Read anew what is older than its interval: the list, the folders, places and what sources read; then make the catalog.

    Returns whether anything changed.
    """
    reads = Reads(account)
    before = _load_held(account.pk)
    library.all_entries(reads, LIST_AGE.total_seconds())
    reads.gather(library.waiting(), folders=FOLDERS, **PLACES)
    for source in SOURCES.values():
        if source.refresh is not None:
            source.refresh(account)
    after = prepare(account)
    return after is not None and (before is None or before.version != after.version)


def _prepare_beside(account: Account) -> bool:
    """Make the catalog, unless another process does; whether it is another one."""
    with lock(f"videos:{account.pk}:preparing", TURN_SECONDS) as is_ours:
        return is_ours and prepare(account) is not None


def prepare(account: Account) -> Prepared | None:
    """Make the catalog of what is known, and share it; None where the list is not known."""
    listed = library.known_list(Reads(account), Wanted())
    return None if listed is None else _prepare_list(account, listed)


def _prepare_list(account: Account, listed: KnownList) -> Prepared:
    """Make the catalog of this list and all that is known besides, and share it."""
    version = _version(account, listed.digests)  # before the answers: a change meanwhile makes another version
    prepared = Prepared(_build_catalog(account, listed, _load_beside(account)), version, listed.read_at, listed.digests)
    _hold(account.pk, prepared)
    cache.set(_key(account.pk), prepared, KEPT_SECONDS)
    cache.set(_version_key(account.pk), version, KEPT_SECONDS)
    return prepared


@dataclass(frozen=True)
class _Beside:
    """What is known here beside the list: facts of single videos by video, places that videos are in, what sources count."""

    languages: Mapping[str, frozenset[str]]
    resources: Mapping[str, Any]
    places: Mapping[str, Outcome]
    sources: Mapping[str, VideoFacts]


def _load_beside(account: Account) -> _Beside:
    reader = Reads(account)
    return _Beside(
        all_languages(reader),
        facts.known(reader, RESOURCES),
        reader.known(**PLACES),
        {source.name: source.load(account) for source in SOURCES.values()},
    )


def _build_catalog(account: Account, listed: KnownList, beside: _Beside) -> Catalog:
    shelves, are_unknown = folders_of(listed.folders or Reads(account).known(folders=FOLDERS)["folders"])
    entries = tuple(listed.entries)
    return Catalog(entries, shelves, _build_columns(beside, entries), not are_unknown)


def _build_columns(beside: _Beside, entries: Sequence[Entry]) -> dict[str, Column]:
    ids = [entry.id for entry in entries]
    table: dict[str, Column] = {
        columns.LANGUAGES: tuple(map(beside.languages.get, ids)),
        columns.RESOURCES: tuple(map(beside.resources.get, ids)),
    }
    for kind, outcome in beside.places.items():
        table[kind] = _load_places(outcome.value, ids) if isinstance(outcome, Ready) else (None,) * len(ids)
    for name, known in beside.sources.items():
        shape = _SHAPES.get(name)
        values = [known.values.get(video, known.rest) for video in ids]
        table[name] = [None if value is None else shape(*value) for value in values] if shape else values
    return table


def _load_places(listed: Any, ids: Sequence[str]) -> Column:
    """The names of the things of one kind that each video is in; unknown where one of them does not tell its videos."""
    things = getattr(listed, "comparisons", listed)
    names: dict[str, list[str]] = {}
    for thing in things:
        for video in thing.videos:
            video_id = getattr(video, "video_id", "") or getattr(video, "id", "")
            names.setdefault(video_id, []).append(thing.name or thing.id)
    rest = () if all(thing.are_videos_told for thing in things) else None
    return tuple(tuple(names[video]) if video in names else rest for video in ids)


def _version(account: Account, parts: Sequence[str]) -> str:
    """What is another one whenever a catalog would be."""
    others = [library.digest_of(query) for query in (FOLDERS, *PLACES.values())]
    states = store.states(account.pk, [*parts, *others])
    since = timezone.now() - timedelta(seconds=facts.SECONDS)
    made_of = (
        sorted((digest, state.changed_at) for digest, state in states.items()),
        [store.version_of(account.pk, fact.operation, since) for fact in (LANGUAGES, RESOURCES)],
        sorted((source.name, source.version(account)) for source in SOURCES.values()),
    )
    return blake2b(repr(made_of).encode(), digest_size=16).hexdigest()


def _load_held(account_id: UUID) -> Prepared | None:
    """The last catalog, of this process or of another one."""
    with _lock:
        held = _held.get(account_id)
    shared_version = cache.get(_version_key(account_id))
    if held is not None and (shared_version is None or shared_version == held.version):
        return held
    shared: Prepared | None = cache.get(_key(account_id))
    if shared is not None:
        _hold(account_id, shared)
    return shared or held


def _hold(account_id: UUID, prepared: Prepared) -> None:
    with _lock:
        _held[account_id] = prepared
        _held.move_to_end(account_id)
        while len(_held) > HELD:
            _held.popitem(last=False)


def _version_key(account_id: UUID) -> str:
    return f"videos:{account_id}:catalog-version"


def _key(account_id: UUID) -> str:
    return f"videos:{account_id}:catalog"
