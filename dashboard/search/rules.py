"""Highlight of the search text in a name, and the clean search text. Pure functions."""

from typing import NamedTuple

from dashboard.shared.text import fold

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
