"""What completes the word at the caret of the query: filters first, then their values with counts in the current list."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.text import fold
from dashboard.upstream import clients
from dashboard.videos import catalog as facts
from dashboard.videos.catalog import Match, match_query, match_term
from dashboard.videos.labels import NAMES, SPELLED, VALUES, describe_term
from dashboard.videos.library import ListView
from dashboard.videos.query import (
    CHOICES,
    OTHER_NAMES,
    Depth,
    FilterName,
    Measure,
    NotAQuery,
    Place,
    Term,
    Value,
    VideoQuery,
    format_query,
    format_term,
    make_filter,
    parse_query,
)

MOST: Final = 8
MOST_TRIED: Final = 60
EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    FilterName.CREATED: ("created:7d", "created:28d", "created:90d"),
    Measure.TRAFFIC: ("traffic>1GB", "traffic>10GB", "traffic>100GB"),
    Measure.LENGTH: ("length>10min", "length<5min", "length>1h"),
}
"""Filters whose values are numbers or dates: what people ask for most."""


@dataclass(frozen=True)
class Suggestion:
    """One entry: `text` takes the place of the word at the caret."""

    text: str
    words: str
    count: str = ""
    start: int = 0
    end: int = 0

    @property
    def is_open(self) -> bool:
        """Whether a value has to follow."""
        return self.text.endswith((":", ">"))


def find_word(text: str, caret: int) -> tuple[int, int]:
    """Where the word at the caret begins and ends; spaces within quotes belong to it."""
    start, is_quoted = 0, False
    for position, char in enumerate(text[:caret]):
        if char == '"' and text[position - 1 : position] != "\\":
            is_quoted = not is_quoted
        elif char.isspace() and not is_quoted:
            start = position + 1
    end = caret
    while end < len(text) and (is_quoted or not text[end].isspace()):
        is_quoted = is_quoted != (text[end] == '"')
        end += 1
    return start, end


def suggest(view: ListView, text: str, caret: int) -> tuple[Suggestion, ...]:
    """What completes the word at the caret. `view` is only asked for its catalog."""
    start, end = find_word(text, caret)
    word = text[start:caret]
    sign, bare = ("-", word[1:]) if word.startswith("-") else ("", word)
    values, bare = _split_values(bare)
    current = _match_rest(view, text[:start] + text[end:])
    suggestions: list[Suggestion] = []
    for term_or_name in _list_candidates(view, bare):
        suggestion = _build(view, current, term_or_name, sign, values)
        if suggestion is not None and suggestion.text != word:
            suggestions.append(replace(suggestion, start=start, end=end))
        if len(suggestions) == MOST:
            break
    return tuple(suggestions)


def _split_values(word: str) -> tuple[tuple[Value, ...], str]:
    """The values of a filter before its last comma, and the filter with what follows that alone: ("fr",) and missing:e."""
    is_quoted, comma = False, -1
    for position, char in enumerate(word):
        if char == '"' and word[position - 1 : position] != "\\":
            is_quoted = not is_quoted
        elif char == "," and not is_quoted:
            comma = position
    try:
        terms = parse_query(word[:comma]).terms if comma > 0 else ()
    except NotAQuery:
        terms = ()
    if len(terms) != 1 or not terms[0].name or not terms[0].values:
        return (), word
    name, colon, _values = word.partition(":")
    return terms[0].values, name + colon + word[comma + 1 :]


def _match_rest(view: ListView, text: str) -> Match:
    """What matches the rest of the query; everything where that has a mistake."""
    try:
        return match_query(parse_query(text), view.catalog, view.setting)
    except NotAQuery:
        return Match(view.catalog.everything, 0)


def _build(
    view: ListView, current: Match, candidate: Term | str, sign: str, values: tuple[Value, ...]
) -> Suggestion | None:
    """A name, or a filter that leaves some videos of the list: of another value beside the `values` before it, with both."""
    if isinstance(candidate, str):
        return Suggestion(sign + candidate, _(NAMES.get(candidate.rstrip(":>"), NAMES[FilterName.HAS])))
    if set(candidate.values) & set(values):
        return None
    term = replace(candidate, values=(*values, *candidate.values), is_without=bool(sign))
    try:
        alone = match_term(candidate, view.catalog, view.setting)
        sets = match_term(term, view.catalog, view.setting)
    except NotAQuery:
        return None
    count = (sets.true & current.true).bit_count()
    if not count or (values and not alone.true & current.true):
        return None
    return Suggestion(format_term(term), describe_term(term, view.catalog), formats.videos(count))


def _list_candidates(view: ListView, word: str) -> Iterator[Term | str]:
    """Filters that the word may become, those named first."""
    name, colon, typed = word.partition(":")
    if colon:
        yield from _list_values(view, name.lower(), fold(typed.strip('"').rstrip("/*")))
        return
    folded = fold(word)
    names = [name for name in NAMES if _is_begun(name, folded)]
    yield from (
        f"{name}:" for name in names if name not in CHOICES and name not in EXAMPLES and name != FilterName.FIELD
    )
    yield from (f"{FilterName.FIELD}." for name in names if name == FilterName.FIELD)
    for name in names:
        yield from _list_values(view, name, "")
    if len(folded) > 1:
        yield from (
            make_filter(FilterName(name), value) for (name, value), label in VALUES.items() if folded in fold(_(label))
        )


def _is_begun(name: str, folded: str) -> bool:
    """Whether what is typed is the beginning of a filter's name, in English or as the reader calls it."""
    others = [other for other, known in OTHER_NAMES.items() if known == name]
    return any(candidate.startswith(folded) for candidate in (name, fold(_(NAMES[name])), *(others if folded else ())))


def _list_values(view: ListView, name: str, typed: str) -> Iterator[Term]:
    """The filters of this name whose value begins with, or contains, what is typed."""
    if name in EXAMPLES:
        yield from (parse_query(text).terms[0] for text in EXAMPLES[name] if typed in text)
        return
    if name not in set(FilterName) and not name.startswith("field."):
        return
    if name in CHOICES:
        known = [make_filter(FilterName(name), value) for value in CHOICES[FilterName(name)]]
    else:
        known = list(_list_known(view, name))
    matching = [term for term in known if any(_is_like(term.name, value, typed) for value in term.values)]
    matching.sort(key=lambda term: not fold(term.values[0].text).startswith(typed))  # those that begin so come first
    yield from matching[:MOST_TRIED]


def _is_like(name: str, value: Value, typed: str) -> bool:
    label = VALUES.get((name, fold(value.text)))
    is_language = name in (FilterName.MISSING, FilterName.SUBTITLES, FilterName.LANGUAGE)
    words = formats.language_name(value.text) if is_language else _(label) if label else ""
    return typed in fold(value.text) or typed in fold(words)


def _list_known(view: ListView, name: str) -> Iterator[Term]:
    """The filters whose values the account's own things name."""
    catalog = view.catalog
    if name == FilterName.FOLDER:
        names = sorted({shelf.name for shelf in catalog.shelves}, key=fold)
        yield from (Term(name, (Value(folder, Depth.BELOW),)) for folder in names)
    elif name in (FilterName.MISSING, FilterName.SUBTITLES, FilterName.LANGUAGE):
        languages = catalog.by_item(facts.LANGUAGES)
        codes = [str(code) for code in sorted(languages, key=lambda code: -languages[code].bit_count())]
        others = (code.lower() for code in LANGUAGES if code.lower() not in languages)
        yield from (make_filter(FilterName(name), SPELLED.get(code, code)) for code in (*codes, *others))
    elif name == FilterName.IN:
        yield from (make_filter(FilterName.IN, place) for place in Place)
        names = sorted({str(item) for kind in facts.PLACES for item in catalog.by_item(kind)}, key=fold)
        yield from (make_filter(FilterName.IN, thing) for thing in names)
    elif name == FilterName.VIEW:
        yield from (make_filter(FilterName.VIEW, saved) for saved in view.setting.views)
    elif name.startswith("field."):
        key = name.removeprefix("field.").strip('"')
        pairs = [pair for pair in catalog.by_item(facts.FIELDS) if fold(str(pair[0])) == fold(key)]  # type: ignore[index]
        yield from (Term("field", (Value(str(pair[1])),), key=str(pair[0])) for pair in pairs)  # type: ignore[index]


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


def build_set_chips(view: ListView, *, is_reading: bool) -> list[Chip]:
    """The terms of the query, each with how many videos it finds alone."""
    chips = []
    for term in view.query.terms:
        sets = match_term(term, view.catalog, view.setting)
        so_far = bool(sets.unknown) and (is_reading or is_read_apart(view))
        chips.append(_build_chip(view, term, view.query.without(term), sets.true.bit_count(), so_far))
    return chips


def build_offered_chips(view: ListView, *, is_reading: bool) -> list[Chip]:
    """Terms that would leave some of the videos and not all of them, with how many they would leave."""
    chips: list[Chip] = []
    for term in _list_offered(view):
        sets = match_term(term, view.catalog, view.setting)
        count = (sets.true & view.match.true).bit_count()
        if not 0 < count < view.match.count or _has_term(view.query, term):
            continue
        so_far = bool(sets.unknown & view.match.true) and (is_reading or is_read_apart(view))
        chips.append(_build_chip(view, term, view.query.plus(term), count, so_far))
        if len(chips) == MOST_OFFERED:
            break
    return chips


def _build_chip(view: ListView, term: Term, query: VideoQuery, count: int, so_far: bool = False) -> Chip:
    words = describe_term(term, view.catalog)
    return Chip(words, formats.number(count), get_query_address(view, format_query(query)), so_far)


def _list_offered(view: ListView) -> list[Term]:
    terms = [parse_query(text).terms[0] for text in OFFERED]
    languages = view.catalog.by_item(facts.LANGUAGES)
    by_count = sorted(languages, key=lambda code: -languages[code].bit_count())[:LANGUAGES_OFFERED]
    return [*terms[:3], *(make_filter(FilterName.MISSING, str(code)) for code in by_count), *terms[3:]]


def _has_term(query: VideoQuery, term: Term) -> bool:
    """Whether the query says this, or its opposite, already."""
    bare = replace(term, is_without=False)
    return any(replace(other, is_without=False) == bare for other in query.terms)


def build_alternatives(view: ListView) -> list[Chip]:
    """Where nothing matches: each filter left out, with how many videos there are without it."""
    chips = []
    for term in view.query.terms:
        query = view.query.without(term)
        try:
            count = match_query(query, view.catalog, view.setting).count
        except NotAQuery:
            continue
        if count:
            chips.append(_build_chip(view, term, query, count))
    return chips


def get_query_address(view: ListView, text: str) -> str:
    """The list as it is with another query."""
    return address("videos:videos", **view.state.params(q=text))
