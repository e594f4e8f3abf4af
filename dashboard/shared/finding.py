"""Find anything: each feature says what of its own matches some words, the search page and the palette show it.

A feature writes a `findable.py`, imported at start:

    @finds("review_links", title=gettext_noop("Review links"), order=50)
    def review_links(request: OwnerRequest, wanted: str) -> Iterator[Found]: …

`wanted` is what was typed, stripped, never empty. At most `MOST` of what comes back are shown. A function may read the
platform (through `single_flight.shared_read`: it is called while people type) and raise its `PlatformError`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from unicodedata import combining, normalize

from dashboard.shared.http import OwnerRequest

MOST = 8


@dataclass(frozen=True)
class Found:
    """One thing that matches: where it leads, its icon, its name, and a few words beside it."""

    address: str
    icon: str
    name: str
    note: str = ""


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


def folded(text: str) -> str:
    """For comparing: case and accents do not matter."""
    return "".join(c for c in normalize("NFKD", text) if not combining(c)).casefold()


def matches(text: str, wanted: str) -> bool:
    """Whether every word of `wanted` begins a word of `text`, or `text` contains `wanted` as it is."""
    here, words = folded(text), folded(wanted).split()
    beginnings = f" {here}"
    return folded(wanted) in here or all(f" {word}" in beginnings for word in words)
