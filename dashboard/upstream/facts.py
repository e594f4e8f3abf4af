"""One fact of very many subjects, such as the languages of every video, out of the answers that are known."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Generic, TypeVar

from django.core.cache import cache
from django.utils import timezone

from dashboard.upstream import store
from dashboard.upstream.parallel import Ready
from dashboard.upstream.reads import Query, Reads

T = TypeVar("T")

SECONDS: Final = 24 * 3600
"""How long a fact counts as known where something is searched in all of them."""


@dataclass(frozen=True)
class Fact(Generic[T]):
    """What `query` reads of one subject, by asking for `operation`. `name` is its own among all facts."""

    name: str
    operation: str
    query: Callable[[str], Query[T]]


def looked_at(reader: Reads, fact: Fact[Any]) -> dict[str, datetime]:
    """The subjects that were read in the last `SECONDS`, and since when their answers have been the same."""
    return store.changes_of(reader.account.pk, fact.operation, timezone.now() - timedelta(seconds=SECONDS))


def known(reader: Reads, fact: Fact[T]) -> dict[str, T]:
    """The fact of every subject that was read in the last `SECONDS`. Reads nothing.

    Made of the answers once: thousands of them would cost every page a third of a second.
    """
    key, changes = f"facts:{reader.account.pk}:{fact.name}", looked_at(reader, fact)
    kept: dict[str, tuple[datetime, T]] = cache.get(key, {})
    new = [subject for subject, at in changes.items() if subject not in kept or kept[subject][0] != at]
    if new:
        found = reader.known(**{subject: fact.query(subject) for subject in new})
        kept |= {subject: (changes[subject], one.value) for subject, one in found.items() if isinstance(one, Ready)}
        cache.set(key, kept, SECONDS)
    return {subject: kept[subject][1] for subject in changes if subject in kept}
