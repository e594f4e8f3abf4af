"""Find anything: each feature says what of its own matches some words, the search page and the palette show it.

A feature writes a `search_provider.py` and names it in its `apps.py`:

    @finds("review_links", title=gettext_noop("Review links"), order=50)
    def review_links(request: OwnerRequest, query: str) -> Iterator[Found]: …

`query` is what was typed, stripped, never empty. At most `MOST` of what comes back are shown. A function may read the
platform (through `reads`: it is called while people type) and raise its `PlatformError`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from dashboard.platform_api import Operations
from dashboard.platform_api.errors import Missing
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import fold
from dashboard.upstream import reads
from dashboard.upstream.reads import Query

MOST = 8
LIST_SECONDS = 30.0
"""How old a list of the platform may be in which things are searched by their names."""
SLIP_FROM = 4
"""Letters of a word in which one slip is forgiven; two in twice as many."""


@dataclass(frozen=True)
class Found:
    """One thing that matches: where it leads, its icon, its name, and a few words beside it.

    `posts`: it is done by a form that is sent to `address`, with `field` as what its button is called and says.
    """

    address: str
    icon: str
    name: str
    note: str = ""
    posts: bool = False
    field: tuple[str, str] = ("", "")


Finder = Callable[[OwnerRequest, str], Iterable[Found]]


@dataclass(frozen=True)
class Source:
    """One group of results: its word, its title (a msgid), its place, and how it is searched."""

    name: str
    title: str
    order: int
    find: Finder


SOURCES: dict[str, Source] = {}


def finds(name: str, *, title: str, order: int) -> Callable[[Finder], Finder]:
    """Register a group of results. A second one of the same name replaces the first."""

    def register(find: Finder) -> Finder:
        SOURCES[name] = Source(name, title, order, find)
        return find

    return register


def sources() -> list[Source]:
    """Every group, in the order of the page."""
    return sorted(SOURCES.values(), key=lambda source: (source.order, source.name))


def find_by_name(entries: Iterable[Found], query: str) -> Iterator[Found]:
    """Those that have an address and whose name matches; where none does, those whose name nearly matches."""
    reachable = [entry for entry in entries if entry.address]
    exact = [entry for entry in reachable if matches(entry.name, query)]
    yield from exact or (entry for entry in reachable if nearly_matches(entry.name, query))


def read_rows(
    request: OwnerRequest, call: Callable[[Operations], list[tuple[str, str, str]]]
) -> list[tuple[str, str, str]]:
    """Id, name and note of everything in a list of the platform, as `call` makes them; empty where it has no such list."""
    try:
        return reads.of(request).get(Query(call, LIST_SECONDS, shape="found"))
    except Missing:
        return []


def matches(text: str, query: str) -> bool:
    """Whether every word of `query` begins a word of `text`, or `text` contains `query` as it is."""
    name, words = fold(text), fold(query).split()
    beginnings = f" {name}"
    return fold(query) in name or all(f" {word}" in beginnings for word in words)


def nearly_matches(text: str, query: str) -> bool:
    """Whether every word of `query` begins a word of `text`, with a slip or two in what was typed: "trafic", "anlytics".

    For short lists: it costs a thousand times what `matches` does.
    """
    words = fold(text).split()
    return all(any(_begins_nearly_with(word, query_word) for word in words) for query_word in fold(query).split())


def _begins_nearly_with(word: str, query_word: str) -> bool:
    """A letter too many, missing, wrong or swapped with its neighbour in four to seven letters; two in more; none in fewer."""
    slips = 0 if len(query_word) < SLIP_FROM else 1 if len(query_word) < 2 * SLIP_FROM else 2
    if not slips:
        return word.startswith(query_word)
    before: list[int] = []
    row = list(range(len(word) + 1))
    for at, letter in enumerate(query_word, start=1):
        two_before, before, row = before, row, [at]
        for place, other in enumerate(word, start=1):
            cost = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != other))
            swapped = at > 1 and place > 1 and letter == word[place - 2] and query_word[at - 2] == other
            row.append(min(cost, two_before[place - 2] + 1) if swapped else cost)
    return min(row[max(0, len(query_word) - slips) :], default=slips + 1) <= slips


MOST_TYPED = 100


class HighlightedName(NamedTuple):
    """A name cut around the first place where it matches; `hit` is "" where no part of it is what was typed."""

    before: str
    hit: str
    after: str


def highlight(name: str, query: str) -> HighlightedName:
    """Cut `name` around `query`, without regard to case and accents: letters of the name stay as they are."""
    places: list[int] = []
    letters: list[str] = []
    for place, letter in enumerate(name):
        for bare in fold(letter):
            letters.append(bare)
            places.append(place)
    needle = "".join(bare for letter in query for bare in fold(letter))
    at = "".join(letters).find(needle) if needle else -1
    if at < 0:
        return HighlightedName(name, "", "")
    start, end = places[at], places[at + len(needle) - 1] + 1
    return HighlightedName(name[:start], name[start:end], name[end:])


def clean_query(text: str) -> str:
    """The search text with single spaces, cut to `MOST_TYPED` characters."""
    return " ".join(text.split())[:MOST_TYPED]
