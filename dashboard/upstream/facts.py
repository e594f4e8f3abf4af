"""One fact of very many subjects, such as the languages of every video, out of the answers that are known.

Features register what they know of every video (`VideoSource`: its comments), also for any days (`PeriodSource`: its traffic). Lists
and reports show it without knowing the feature.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone

from dashboard.shared.ranges import Days
from dashboard.upstream import store
from dashboard.upstream.parallel import Ready
from dashboard.upstream.reads import Query, Reads

if TYPE_CHECKING:
    from dashboard.accounts.models import Account


T = TypeVar("T")

SECONDS: Final = 24 * 3600
"""How long a fact counts as known where something is searched in all of them."""


HELD_SECONDS: Final = 60.0
"""How long what was made is held although nothing seems to have changed: two answers of one moment may look like one."""
MOST_HELD: Final = 16
"""Facts, each of one account, that a process holds: of five thousand videos one takes about a megabyte."""


@dataclass(frozen=True)
class _Held:
    """The facts as they were made of the answers of a version."""

    version: Hashable
    made_at: float
    facts: Mapping[str, Any]


_held: OrderedDict[tuple[UUID, str], _Held] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class Fact(Generic[T]):
    """What `query` reads of one subject, by asking for `operation`. `name` is its own among all facts."""

    name: str
    operation: str
    query: Callable[[str], Query[T]]


def looked_at(reader: Reads, fact: Fact[Any]) -> dict[str, datetime]:
    """The subjects that were read in the last `SECONDS`, and since when their answers have been the same."""
    return store.changes_of(reader.account.pk, fact.operation, _since())


def known(reader: Reads, fact: Fact[T]) -> Mapping[str, T]:
    """The fact of every subject that was read in the last `SECONDS`. Reads nothing.

    Made of the answers once, and held in this process while no answer changes: thousands of them would cost every page a
    third of a second.
    """
    key = (reader.account.pk, fact.name)
    version = store.version_of(reader.account.pk, fact.operation, _since())
    with _lock:
        held = _held.get(key)
    if held is None or held.version != version or time.monotonic() - held.made_at > HELD_SECONDS:
        held = _Held(version, time.monotonic(), _made(reader, fact))
        with _lock:
            _held[key] = held
            _held.move_to_end(key)
            while len(_held) > MOST_HELD:
                _held.popitem(last=False)
    facts: Mapping[str, T] = held.facts
    return facts


def _made(reader: Reads, fact: Fact[T]) -> dict[str, T]:
    key, changes = f"facts:{reader.account.pk}:{fact.name}", looked_at(reader, fact)
    cached: dict[str, tuple[datetime, T]] = cache.get(key, {})
    new = [subject for subject, at in changes.items() if subject not in cached or cached[subject][0] != at]
    if new:
        outcomes = reader.known(**{subject: fact.query(subject) for subject in new})
        cached |= {
            subject: (changes[subject], outcome.value)
            for subject, outcome in outcomes.items()
            if isinstance(outcome, Ready)
        }
        cache.set(key, cached, SECONDS)
    return {subject: cached[subject][1] for subject in changes if subject in cached}


def _since() -> datetime:
    return timezone.now() - timedelta(seconds=SECONDS)


@dataclass(frozen=True)
class VideoFacts:
    """A fact by video id; `rest` is that of every other video, None where it is not known. Plain values: caches hold them."""

    values: Mapping[str, Any]
    rest: Any = None


@dataclass(frozen=True)
class VideoSource:
    """One fact. `version` is another one whenever `load` would bring something else; both read nothing of the platform.

    `refresh` reads anew beside a page what is older than its interval, in few calls for all videos.
    """

    name: str
    version: Callable[["Account"], Hashable]
    load: Callable[["Account"], VideoFacts]
    refresh: Callable[["Account"], None] | None = None


SOURCES: Final[dict[str, VideoSource]] = {}


def register_source(source: VideoSource) -> None:
    """Let lists show the fact. A second source of the same name replaces the first."""
    SOURCES[source.name] = source


PeriodSource = Callable[["Account", Days], "Mapping[str, float] | None"]
"""Returns the sums of some days by video id, nothing for a video without any; None where a day of a video is not known."""

_sources: Final[dict[str, PeriodSource]] = {}


def register_period_source(name: str, source: PeriodSource) -> None:
    """Let reports show the fact. It reads nothing of the platform."""
    _sources[name] = source


def load_period_facts(name: str, account: "Account", days: Days) -> Mapping[str, float] | None:
    """The sums of these days by video id; None where they are not known of every video, or nobody keeps them."""
    source = _sources.get(name)
    return source(account, days) if source else None
