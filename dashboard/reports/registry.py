"""Registry of what features add to a report: what was done in its week, and what still needs somebody.

    @adds("subtitles")
    def subtitles(span: Span) -> Iterator[Done | Next]:
        yield Done(…)

It reads nothing of the platform: a report is also written by the worker, for an e-mail.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from dashboard.accounts.models import Account


@dataclass(frozen=True)
class Span:
    """The week of a report, from `start` to before `end`. `videos`: the ids that it is about; None for the whole account."""

    account: Account
    start: datetime
    end: datetime
    videos: Collection[str] | None = None


@dataclass(frozen=True)
class Done:
    """Something that was done in the week, as a sentence, and where it can be seen."""

    text: str
    address: str = ""


@dataclass(frozen=True)
class Next:
    """Something that needs somebody now, as a sentence, and where it can be done."""

    text: str
    address: str = ""


Source = Callable[[Span], Iterable[Done | Next]]
SOURCES: dict[str, Source] = {}


def adds(feature: str) -> Callable[[Source], Source]:
    """Register what `feature` (its word) adds. A second source of the same feature replaces the first."""

    def register(source: Source) -> Source:
        SOURCES[feature] = source
        return source

    return register


def collect(span: Span) -> Iterator[Done | Next]:
    """What all features add, in the order of their names: the same report reads the same everywhere."""
    for feature in sorted(SOURCES):
        yield from SOURCES[feature](span)
