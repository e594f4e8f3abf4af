"""Everything that is known here of an account's videos, prepared for queries: sets of videos are whole numbers. Pure.

Bit n of a set is the video at position n. Of each video a fact is known or not: what is not known is in neither set, neither
"with" nor "without".
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.functional import cached_property

from dashboard.shared.entries import Entry, Shelf, below
from dashboard.shared.text import fold
from dashboard.videos.query import (
    NO_FOLDER,
    STATUSES,
    Depth,
    FilterName,
    Has,
    Measure,
    NotAQuery,
    Place,
    Problem,
    ProblemKind,
    Term,
    Value,
    VideoQuery,
    format_term,
    format_value,
    parse_dates,
)
from dashboard.videos.rules import SortKey, VideoSort

Column = Sequence[Any]
"""One fact of each video, by position; None where it is not known."""

LANGUAGES: Final = "languages"
"""Codes of subtitles, in lower case."""
RESOURCES: Final = "resources"
"""Pairs of an AI resource's kind and its language."""
COMMENTS: Final = "comments"
"""`CommentCounts`."""
LINKS: Final = "links"
"""How many review links."""
FIELDS: Final = "fields"
"""Pairs of a custom field's key and its value."""
CHAT: Final = "chat"
"""The states of its chats: `shown` and `hidden`, of one assistant each."""
TRAFFIC: Final = "traffic"
"""Bytes of the last 28 days."""
PLAYS: Final = "plays"
"""`Counted`: plays."""
VIEWS: Final = "views"
"""`Counted`: views."""
PLACES: Final = ("playlist", "funnel", "ab-test")
"""The names of its playlists, of its funnels, and of its A/B tests: one fact each."""


class CommentCounts(NamedTuple):
    """Top-level comments that are known; `is_complete`: whether there can be no others."""

    open: int
    total: int
    is_complete: bool


class Counted(NamedTuple):
    """A count of 28 whole days, and of the 28 before; None where that is not known."""

    now: float
    before: float | None


class Sets(NamedTuple):
    """The videos of which something is true, and those of which it is not known."""

    true: int
    unknown: int = 0


@dataclass
class Catalog:
    """The videos of an account, in the platform's order, and its folders."""

    entries: tuple[Entry, ...]
    shelves: tuple[Shelf, ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    are_folders_known: bool = True
    _sets: dict[object, Sets] = field(default_factory=dict, repr=False)
    """What was worked out before, for as long as the catalog is held."""
    _orders: dict[str, list[int]] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What is shared: the rest is worked out by each process that needs it."""
        state = {name: getattr(self, name) for name in ("entries", "shelves", "columns", "are_folders_known")}
        return {**state, "_sets": {}, "_orders": {}}

    @cached_property
    def everything(self) -> int:
        """The set of all videos."""
        return (1 << len(self.entries)) - 1

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The titles as queries compare them."""
        return tuple(fold(entry.title) for entry in self.entries)

    @cached_property
    def positions(self) -> dict[str, int]:
        """The position of each video, by its id."""
        return {entry.id: position for position, entry in enumerate(self.entries)}

    @cached_property
    def folders_by_name(self) -> dict[str, tuple[str, ...]]:
        """The ids of the folders of each folded name."""
        names: dict[str, tuple[str, ...]] = {}
        for shelf in self.shelves:
            names[fold(shelf.name)] = (*names.get(fold(shelf.name), ()), shelf.id)
        return names

    @cached_property
    def shelf_by_id(self) -> dict[str, Shelf]:
        return {shelf.id: shelf for shelf in self.shelves}

    @cached_property
    def _videos_by_folder(self) -> dict[str, int]:
        positions: dict[str, list[int]] = {}
        for position, entry in enumerate(self.entries):
            positions.setdefault(entry.folder_id, []).append(position)
        return {folder: self.make_set(numbers) for folder, numbers in positions.items()}

    @cached_property
    def _children(self) -> dict[str, tuple[str, ...]]:
        children: dict[str, list[str]] = {}
        for shelf in self.shelves:
            children.setdefault(shelf.parent, []).append(shelf.id)
        return {parent: tuple(ids) for parent, ids in children.items()}

    def column(self, name: str) -> Column:
        """A fact of each video; of what nothing is known at all, nothing of any video."""
        return self.columns.get(name) or (None,) * len(self.entries)

    def find_folders(self, text: str) -> tuple[str, ...]:
        """The ids of the folders that a value names, by id or by name."""
        return (text,) if text in self.shelf_by_id else self.folders_by_name.get(fold(text), ())

    def in_folder(self, folder: str) -> int:
        """The videos directly in a folder; "" for those in none."""
        return self._videos_by_folder.get(folder, 0)

    def in_subfolders(self, folder: str) -> int:
        """The videos in the direct subfolders of a folder."""
        return self._union(self._children.get(folder, ()))

    def below_folder(self, folder: str) -> int:
        """The videos in a folder and in everything below."""
        return self.remembered(("below", folder), lambda: Sets(self._union(below(folder, self.shelves)))).true

    def _union(self, folders: Iterable[str]) -> int:
        return self.union(self.in_folder(folder) for folder in folders)

    @staticmethod
    def union(sets: Iterable[int]) -> int:
        """The videos that are in any of the sets."""
        together = 0
        for numbers in sets:
            together |= numbers
        return together

    def make_set(self, positions: Iterable[int]) -> int:
        """The set of these positions."""
        bits = bytearray(len(self.entries) // 8 + 1)
        for position in positions:
            bits[position >> 3] |= 1 << (position & 7)
        return int.from_bytes(bits, "little")

    def list_positions(self, numbers: int, order: Iterable[int]) -> list[int]:
        """The positions in a set, in the order that is given."""
        bits = numbers.to_bytes(len(self.entries) // 8 + 1, "little")
        return [position for position in order if bits[position >> 3] >> (position & 7) & 1]

    def remembered(self, key: object, make: Callable[[], Sets]) -> Sets:
        """The sets of this key, worked out once."""
        if key not in self._sets:
            if len(self._sets) > MOST_REMEMBERED:
                self._sets.clear()
            self._sets[key] = make()
        return self._sets[key]

    def ordered(self, name: str, make: Callable[[], list[int]]) -> list[int]:
        """The positions in the order of this name, worked out once."""
        if name not in self._orders:
            self._orders[name] = make()
        return self._orders[name]

    def where(self, name: str, holds: Callable[[Any], bool | None]) -> Sets:
        """The videos whose fact holds; `holds` is asked where the fact is known, and may still not know."""
        true, unknown = [], []
        for position, value in enumerate(self.column(name)):
            answer = None if value is None else holds(value)
            if answer:
                true.append(position)
            elif answer is None:
                unknown.append(position)
        return Sets(self.make_set(true), self.make_set(unknown))

    def by_item(self, name: str) -> Mapping[object, int]:
        """Of a fact that is a collection, the videos that have each item."""
        return self._indexes.setdefault(name, self._index(name)) if name not in self._indexes else self._indexes[name]

    @cached_property
    def _indexes(self) -> dict[str, dict[object, int]]:
        return {}

    def _index(self, name: str) -> dict[object, int]:
        positions: dict[object, list[int]] = {}
        for position, value in enumerate(self.column(name)):
            for item in value or ():
                positions.setdefault(item, []).append(position)
        return {item: self.make_set(numbers) for item, numbers in positions.items()}

    def unknown(self, name: str) -> int:
        """The videos of which a fact is not known."""
        return self.remembered(("unknown", name), lambda: Sets(self.where(name, lambda _value: True).unknown)).true


MOST_REMEMBERED: Final = 400
"""Sets that a catalog keeps: each is a bit for each video."""


COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
}
COUNTED: Final = {Measure.PLAYS: PLAYS, Measure.VIEWS: VIEWS}
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
            sets = _match_item(LANGUAGES, text, catalog)
            return Sets(catalog.everything & ~(sets.true | sets.unknown), sets.unknown)
        case FilterName.SUBTITLES:
            return _match_item(LANGUAGES, text, catalog)
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
    return Problem(
        kind, term.start, end=term.end, word=format_value(value._replace(depth=Depth.HERE)).strip('"'), repair=repair
    )


def _match_item(column: str, item: object, catalog: Catalog) -> Sets:
    return Sets(catalog.by_item(column).get(item, 0), catalog.unknown(column))


def _match_language(code: str, catalog: Catalog) -> Sets:
    """Subtitles or AI content in the language."""
    resources = catalog.where(RESOURCES, lambda pairs: any(lang.lower() == code for _kind, lang in pairs))
    return _any_of([_match_item(LANGUAGES, code, catalog), resources], catalog)


def _match_has(what: Has, catalog: Catalog) -> Sets:
    match what:
        case Has.QUIZ | Has.MINDMAP | Has.EBOOK:
            return catalog.where(RESOURCES, lambda pairs: any(kind == what.value for kind, _lang in pairs))
        case Has.COMMENTS:
            return catalog.where(COMMENTS, lambda counts: True if counts.total else _false_if(counts.is_complete))
        case Has.CHAT:
            return _match_chat("shown", catalog)
    column = {
        Has.RESOURCES: RESOURCES,
        Has.SUBTITLES: LANGUAGES,
        Has.REVIEW_LINK: LINKS,
        Has.FIELDS: FIELDS,
    }[what]
    return catalog.where(column, bool)


def _false_if(is_known: bool) -> bool | None:
    return False if is_known else None


def _match_comments(state: str, catalog: Catalog) -> Sets:
    if state == "open":
        return catalog.where(COMMENTS, lambda counts: True if counts.open else _false_if(counts.is_complete))
    return catalog.where(COMMENTS, lambda counts: False if counts.total else counts.is_complete or None)


def _match_trend(column: str, trend: str, catalog: Catalog) -> Sets:
    """Less, or more, than in the 28 days before."""
    compare = COMPARE["<" if trend == "falling" else ">"]
    return catalog.where(column, lambda count: None if count.before is None else compare(count.now, count.before))


def _match_chat(state: str, catalog: Catalog) -> Sets:
    """Shown by one assistant or more; hidden by one and shown by none; or not known, which is a state as well."""
    if state == "unknown":
        return Sets(catalog.unknown(CHAT))
    if state == "shown":
        return catalog.where(CHAT, lambda states: "shown" in states)
    return catalog.where(CHAT, lambda states: "shown" not in states)


def _match_field(name: str, text: str, catalog: Catalog) -> Sets:
    """A field of this name whose value contains the text."""
    return catalog.where(FIELDS, lambda pairs: any(fold(key) == name and text in fold(value) for key, value in pairs))


def _match_place(term: Term, value: Value, catalog: Catalog) -> Sets:
    text = fold(value.text)
    if text in set(Place):
        return catalog.where(text, bool)
    names = {fold(str(name)): str(name) for kind in PLACES for name in catalog.by_item(kind)}
    if text not in names and not any(catalog.unknown(kind) for kind in PLACES):
        choices = {**names, **{place.value: place.value for place in Place}}
        raise NotAQuery(_name_problem(ProblemKind.UNKNOWN_PLACE, term, value, choices))
    kinds = [catalog.where(kind, lambda items: any(fold(name) == text for name in items)) for kind in PLACES]
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
            return catalog.where(TRAFFIC, lambda number: compare(number, amount))
        case Measure.COMMENTS:
            return catalog.where(COMMENTS, lambda counts: _compare_comments(counts, compare, amount))
    return catalog.where(COUNTED[Measure(term.name)], lambda count: compare(count.now, amount))


def _compare_comments(counts: CommentCounts, compare: Callable[[Any, Any], bool], amount: float) -> bool | None:
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


_FACTS: dict[SortKey, tuple[str, Callable[[Any], float]]] = {
    SortKey.PLAYS: (PLAYS, lambda count: count.now),
    SortKey.VIEWS: (VIEWS, lambda count: count.now),
    SortKey.TRAFFIC: (TRAFFIC, float),
    SortKey.COMMENTS: (COMMENTS, lambda counts: counts.open),
}


def list_order(catalog: Catalog, sort: VideoSort) -> list[int]:
    """All positions in this order; those without the value are last. Worked out once for a catalog that is held."""
    return catalog.ordered(str(sort), lambda: _sort_positions(catalog, sort))


def _sort_positions(catalog: Catalog, sort: VideoSort) -> list[int]:
    values = _list_values(catalog, sort.key)
    known = [position for position, value in enumerate(values) if value is not None]
    known.sort(key=lambda position: values[position], reverse=sort.is_down)
    return known + [position for position, value in enumerate(values) if value is None]


def _list_values(catalog: Catalog, key: SortKey) -> list[Any]:
    if key is SortKey.TITLE:
        return list(catalog.titles)
    if key in _FACTS:
        column, read = _FACTS[key]
        return [None if value is None else read(value) for value in catalog.column(column)]
    return [getattr(entry, key.value) for entry in catalog.entries]
