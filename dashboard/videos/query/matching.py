"""Which videos of a catalog match a query. Pure.

Each term makes two sets: the videos of which it is true, and those of which nobody knows. What is not known matches neither
the term nor its opposite.
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from typing import Any, Final
from zoneinfo import ZoneInfo

from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.shared.text import fold
from dashboard.videos.query import catalog as facts
from dashboard.videos.query.catalog import Catalog, Sets
from dashboard.videos.query.parser import NotAQuery, Problem, ProblemKind, parse_dates
from dashboard.videos.query.terms import (
    NO_FOLDER,
    Depth,
    FilterName,
    Has,
    Measure,
    Place,
    Term,
    Value,
    VideoQuery,
    format_term,
    format_value,
)

COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
}
STATUSES: Final = {
    "ready": VideoStatus.CONVERTED,
    "converting": VideoStatus.CONVERTING,
    "failed": VideoStatus.FAILED,
    "draft": VideoStatus.DRAFT,
    "trash": VideoStatus.DELETING,
}
COUNTED: Final = {Measure.PLAYS: facts.PLAYS, Measure.VIEWS: facts.VIEWS}
MOST_NESTED: Final = 5
"""Saved views inside each other."""


@dataclass(frozen=True)
class Setting:
    """What a query is about besides the catalog: the day and zone of its dates, and the saved views by folded name."""

    today: date
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    views: Mapping[str, VideoQuery] = field(default_factory=dict)


@dataclass(frozen=True)
class Match:
    """The videos that match, and those of which it is not known yet whether they do."""

    true: int
    unknown: int

    @property
    def count(self) -> int:
        return self.true.bit_count()

    @property
    def is_complete(self) -> bool:
        """Whether the count is final: nothing that it asks for is unknown."""
        return not self.unknown


def match_query(query: VideoQuery, catalog: Catalog, setting: Setting, nested: int = 0) -> Match:
    """The videos that match all terms. Raises `NotAQuery` for a folder, place or view that there is not."""
    true, possible = catalog.everything, catalog.everything
    for term in query.terms:
        sets = match_term(term, catalog, setting, nested)
        true &= sets.true
        possible &= sets.true | sets.unknown
    return Match(true, possible & ~true)


def match_term(term: Term, catalog: Catalog, setting: Setting, nested: int = 0) -> Sets:
    """The videos of which one term is true, and of which it is not known."""
    sets = catalog.remembered(
        (replace(term, is_without=False), setting.today, str(setting.zone), _view_key(term, setting)),
        lambda: _match_bare(term, catalog, setting, nested),
    )
    if not term.is_without:
        return sets
    return Sets(catalog.everything & ~(sets.true | sets.unknown), sets.unknown)


def _view_key(term: Term, setting: Setting) -> object:
    """What a saved view means now: it may be another one the next time."""
    return tuple(sorted((name, query) for name, query in setting.views.items())) if term.name == FilterName.VIEW else ()


def _match_bare(term: Term, catalog: Catalog, setting: Setting, nested: int) -> Sets:
    if term.amount is not None:
        return _match_amount(term, catalog)
    if term.is_word:
        return _match_word(term.values[0].text, catalog)
    if term.name == FilterName.VIEW:
        return _any_of([_match_view(term, value, catalog, setting, nested) for value in term.values], catalog)
    return _any_of([_match_value(term, value, catalog, setting) for value in term.values], catalog)


def _any_of(choices: list[Sets], catalog: Catalog) -> Sets:
    """True of any; unknown where none is true and one is unknown."""
    true = catalog.union(sets.true for sets in choices)
    return Sets(true, catalog.union(sets.unknown for sets in choices) & ~true)


def _match_word(text: str, catalog: Catalog) -> Sets:
    """The videos whose title contains the text, or whose id it is."""
    folded, position = fold(text), catalog.positions.get(text.lower())
    numbers = [number for number, title in enumerate(catalog.titles) if folded in title]
    return Sets(catalog.make_set(numbers if position is None else [*numbers, position]))


def _match_value(term: Term, value: Value, catalog: Catalog, setting: Setting) -> Sets:
    text = fold(value.text)
    match FilterName(term.name):
        case FilterName.FOLDER:
            return _match_folder(term, value, catalog)
        case FilterName.MISSING:
            sets = _match_item(facts.LANGUAGES, text, catalog)
            return Sets(catalog.everything & ~(sets.true | sets.unknown), sets.unknown)
        case FilterName.SUBTITLES:
            return _match_item(facts.LANGUAGES, text, catalog)
        case FilterName.LANGUAGE:
            return _match_language(text, catalog)
        case FilterName.HAS:
            return _match_has(Has(text), catalog)
        case FilterName.COMMENTS:
            return _match_comments(text, catalog)
        case FilterName.PLAYS | FilterName.VIEWS:
            return _match_trend(COUNTED[Measure(term.name)], text, catalog)
        case FilterName.CHAT:
            return _match_chat(text, catalog)
        case FilterName.FIELD:
            return _match_field(fold(term.key), text, catalog)
        case FilterName.IN:
            return _match_place(term, value, catalog)
        case FilterName.STATUS:
            return _match_status(STATUSES[text], catalog)
        case FilterName.CREATED:
            return _match_created(value.text, catalog, setting)
    raise ValueError(term.name)


def _match_folder(term: Term, value: Value, catalog: Catalog) -> Sets:
    folders = catalog.find_folders(value.text)
    if not folders and fold(value.text) == NO_FOLDER and value.depth is Depth.HERE:
        return Sets(catalog.in_folder(""))
    if not folders and not catalog.are_folders_known:
        return Sets(0, catalog.everything)
    if not folders:
        raise NotAQuery(_name_problem(ProblemKind.UNKNOWN_FOLDER, term, value, _folder_names(catalog)))
    find = {
        Depth.HERE: catalog.in_folder,
        Depth.CHILDREN: catalog.in_subfolders,
        Depth.BELOW: catalog.below_folder,
    }[value.depth]
    return Sets(catalog.union(map(find, folders)))


def _folder_names(catalog: Catalog) -> dict[str, str]:
    return {fold(shelf.name): shelf.name for shelf in catalog.shelves}


def _name_problem(kind: ProblemKind, term: Term, value: Value, names: Mapping[str, str]) -> Problem:
    """No thing of this name: the repair has the nearest name in its place."""
    near = get_close_matches(fold(value.text), names, 1, 0.5)
    repaired = Value(names[near[0]], value.depth) if near else value
    values = tuple(repaired if other == value else other for other in term.values)
    repair = format_term(replace(term, values=values)) if near else ""
    return Problem(kind, term.start, term.end, format_value(value._replace(depth=Depth.HERE)).strip('"'), repair)


def _match_item(column: str, item: object, catalog: Catalog) -> Sets:
    return Sets(catalog.by_item(column).get(item, 0), catalog.unknown(column))


def _match_language(code: str, catalog: Catalog) -> Sets:
    """Subtitles or AI content in the language."""
    resources = catalog.where(facts.RESOURCES, lambda pairs: any(lang.lower() == code for _kind, lang in pairs))
    return _any_of([_match_item(facts.LANGUAGES, code, catalog), resources], catalog)


def _match_has(what: Has, catalog: Catalog) -> Sets:
    match what:
        case Has.QUIZ | Has.MINDMAP | Has.EBOOK:
            return catalog.where(facts.RESOURCES, lambda pairs: any(kind == what.value for kind, _lang in pairs))
        case Has.COMMENTS:
            return catalog.where(facts.COMMENTS, lambda counts: True if counts.total else _false_if(counts.is_complete))
        case Has.CHAT:
            return _match_chat("shown", catalog)
    column = {
        Has.RESOURCES: facts.RESOURCES,
        Has.SUBTITLES: facts.LANGUAGES,
        Has.REVIEW_LINK: facts.LINKS,
        Has.FIELDS: facts.FIELDS,
    }[what]
    return catalog.where(column, bool)


def _false_if(is_known: bool) -> bool | None:
    return False if is_known else None


def _match_comments(state: str, catalog: Catalog) -> Sets:
    if state == "open":
        return catalog.where(facts.COMMENTS, lambda counts: True if counts.open else _false_if(counts.is_complete))
    return catalog.where(facts.COMMENTS, lambda counts: False if counts.total else counts.is_complete or None)


def _match_trend(column: str, trend: str, catalog: Catalog) -> Sets:
    """Less, or more, than in the 28 days before."""
    compare = COMPARE["<" if trend == "falling" else ">"]
    return catalog.where(column, lambda count: None if count.before is None else compare(count.now, count.before))


def _match_chat(state: str, catalog: Catalog) -> Sets:
    """Shown by one assistant or more; hidden by one and shown by none; or not known, which is a state as well."""
    if state == "unknown":
        return Sets(catalog.unknown(facts.CHAT))
    if state == "shown":
        return catalog.where(facts.CHAT, lambda states: "shown" in states)
    return catalog.where(facts.CHAT, lambda states: "shown" not in states)


def _match_field(name: str, text: str, catalog: Catalog) -> Sets:
    """A field of this name whose value contains the text."""
    return catalog.where(
        facts.FIELDS, lambda pairs: any(fold(key) == name and text in fold(value) for key, value in pairs)
    )


def _match_place(term: Term, value: Value, catalog: Catalog) -> Sets:
    text = fold(value.text)
    if text in set(Place):
        return catalog.where(text, bool)
    names = {fold(str(name)): str(name) for kind in facts.PLACES for name in catalog.by_item(kind)}
    if text not in names and not any(catalog.unknown(kind) for kind in facts.PLACES):
        choices = {**names, **{place.value: place.value for place in Place}}
        raise NotAQuery(_name_problem(ProblemKind.UNKNOWN_PLACE, term, value, choices))
    kinds = [catalog.where(kind, lambda items: any(fold(name) == text for name in items)) for kind in facts.PLACES]
    return _any_of(kinds, catalog)


def _match_status(status: str, catalog: Catalog) -> Sets:
    return Sets(catalog.make_set(n for n, entry in enumerate(catalog.entries) if entry.status == status))


def _match_created(text: str, catalog: Catalog, setting: Setting) -> Sets:
    days = parse_dates(text, setting.today)
    if days is None:
        return Sets(0)
    first = datetime.combine(days.first, time(), setting.zone).timestamp()
    last = datetime.combine(days.last + timedelta(days=1), time(), setting.zone).astimezone(UTC).timestamp()
    return _match_numbers([entry.created for entry in catalog.entries], lambda at: first <= at < last, catalog)


def _match_numbers(numbers: list[float | None], holds: Callable[[float], bool], catalog: Catalog) -> Sets:
    true = catalog.make_set(n for n, number in enumerate(numbers) if number is not None and holds(number))
    return Sets(true, catalog.make_set(n for n, number in enumerate(numbers) if number is None))


def _match_amount(term: Term, catalog: Catalog) -> Sets:
    if term.amount is None:
        return Sets(0)
    amount, compare = float(term.amount.number * term.base), COMPARE[term.comparison]
    match Measure(term.name):
        case Measure.LENGTH:
            return _match_numbers(
                [entry.length for entry in catalog.entries], lambda n: compare(int(n), amount), catalog
            )
        case Measure.TRAFFIC:
            return catalog.where(facts.TRAFFIC, lambda number: compare(number, amount))
        case Measure.COMMENTS:
            return catalog.where(facts.COMMENTS, lambda counts: _compare_comments(counts, compare, amount))
    return catalog.where(COUNTED[Measure(term.name)], lambda count: compare(count.now, amount))


def _compare_comments(counts: facts.CommentCounts, compare: Callable[[Any, Any], bool], amount: float) -> bool | None:
    """There may be more comments than are known: only "more than" can be true then."""
    if counts.is_complete:
        return compare(counts.total, amount)
    return True if compare in (operator.gt, operator.ge) and compare(counts.total, amount) else None


def _match_view(term: Term, value: Value, catalog: Catalog, setting: Setting, nested: int) -> Sets:
    query = setting.views.get(fold(value.text))
    if query is None:
        names = {name: name for name in setting.views}
        raise NotAQuery(_name_problem(ProblemKind.UNKNOWN_VIEW, term, value, names))
    if nested >= MOST_NESTED:
        raise NotAQuery(Problem(ProblemKind.VIEW_IN_ITSELF, term.start, term.end, value.text))
    try:
        match = match_query(query, catalog, setting, nested + 1)
    except NotAQuery as error:  # the view names something that is gone: its own word is the one to change
        raise NotAQuery(replace(error.problem, start=term.start, end=term.end, repair="")) from error
    return Sets(match.true, match.unknown)
