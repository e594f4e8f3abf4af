"""The chips of a query: those that are set, and those that would narrow it further, each with its count of the library."""

from dataclasses import dataclass, replace

from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.upstream import clients
from dashboard.videos.labels import describe_term
from dashboard.videos.library import ListView
from dashboard.videos.query import catalog as facts
from dashboard.videos.query.matching import match_query, match_term
from dashboard.videos.query.parser import NotAQuery, parse_query
from dashboard.videos.query.terms import FilterName, Term, VideoQuery, format_query, make_filter

MOST_OFFERED = 7
LANGUAGES_OFFERED = 3
OFFERED = (
    "-has:quiz",
    "plays:falling",
    "comments:open",
    "traffic>10GB",
    "-has:subtitles",
    "-has:review-link",
    "chat:shown",
    "status:failed",
    "status:converting",
    "has:quiz",
    "created:28d",
)
"""What a list can be narrowed by with one press, in this order; languages come after the third."""


@dataclass(frozen=True)
class Chip:
    """One filter: `address` leads to the list with it, or of a set one without it. `is_so_far`: the count may grow."""

    words: str
    count: str
    address: str
    is_so_far: bool = False


def is_read_apart(view: ListView) -> bool:
    """Whether the worker has traffic or review links to read yet, which it reads apart from the rest of the library."""
    columns = (facts.TRAFFIC, facts.LINKS) if clients.config().review_reads else (facts.TRAFFIC,)
    return any(view.catalog.unknown(column) for column in columns)


def build_set_chips(view: ListView, *, is_reading: bool) -> tuple[Chip, ...]:
    """The terms of the query, each with how many videos it finds alone."""
    chips = []
    for term in view.query.terms:
        sets = match_term(term, view.catalog, view.setting)
        count = formats.number(sets.true.bit_count())
        without = format_query(view.query.without(term))
        words = describe_term(term, view.catalog)
        so_far = bool(sets.unknown) and (is_reading or is_read_apart(view))
        chips.append(Chip(words, count, _address(view, without), so_far))
    return tuple(chips)


def build_offered_chips(view: ListView, *, is_reading: bool) -> tuple[Chip, ...]:
    """Terms that would leave some of the videos and not all of them, with how many they would leave."""
    chips: list[Chip] = []
    for term in _list_offered(view):
        sets = match_term(term, view.catalog, view.setting)
        count = (sets.true & view.match.true).bit_count()
        if not 0 < count < view.match.count or _has_term(view.query, term):
            continue
        words = describe_term(term, view.catalog)
        so_far = bool(sets.unknown & view.match.true) and (is_reading or is_read_apart(view))
        chips.append(Chip(words, formats.number(count), _address(view, format_query(view.query.plus(term))), so_far))
        if len(chips) == MOST_OFFERED:
            break
    return tuple(chips)


def _list_offered(view: ListView) -> list[Term]:
    terms = [parse_query(text).terms[0] for text in OFFERED]
    languages = view.catalog.by_item(facts.LANGUAGES)
    by_count = sorted(languages, key=lambda code: -languages[code].bit_count())[:LANGUAGES_OFFERED]
    return [*terms[:3], *(make_filter(FilterName.MISSING, str(code)) for code in by_count), *terms[3:]]


def _has_term(query: VideoQuery, term: Term) -> bool:
    """Whether the query says this, or its opposite, already."""
    bare = replace(term, is_without=False)
    return any(replace(other, is_without=False) == bare for other in query.terms)


def build_alternatives(view: ListView) -> tuple[Chip, ...]:
    """Where nothing matches: each filter left out, with how many videos there are without it."""
    chips = []
    for term in view.query.terms:
        query = view.query.without(term)
        try:
            count = match_query(query, view.catalog, view.setting).count
        except NotAQuery:
            continue
        if count:
            words = describe_term(term, view.catalog)
            chips.append(Chip(words, formats.number(count), _address(view, format_query(query))))
    return tuple(chips)


def _address(view: ListView, text: str) -> str:
    return address("videos:videos", **view.state.params(q=text))
