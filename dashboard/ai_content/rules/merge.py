"""Three-way merge of a file: changes of one side are taken, changes of both are conflicts.

`base` is what both started from. Questions are matched by id, else by text (`pairing`), so that moving and adding do
not look like rewriting. Long text is merged by paragraphs. Nothing is dropped unless one side dropped it and the other
left it alone, or the person chose so.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, TypeAlias

from dashboard.ai_content.rules.difference import find_common_blocks
from dashboard.ai_content.rules.mindmap import LABELS
from dashboard.ai_content.rules.package import (
    Name,
    Package,
    get_identifier,
    get_mark,
    is_same,
    name_by_keys,
    pair_elements,
)
from dashboard.platform_api.values import JSON


class Absent(Enum):
    """Marks a missing value; JSON's null is a value."""

    ABSENT = 0


ABSENT: Final = Absent.ABSENT
Value: TypeAlias = "JSON | Absent"
Place: TypeAlias = tuple[str, ...]


class Side(StrEnum):
    """The side whose value is taken."""

    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value that both sides changed, differently. With `order` the values are names of elements in each side's order."""

    place: Place
    base: Value
    mine: Value
    theirs: Value
    order: bool = False

    @property
    def key(self) -> str:
        """Name of the form field: equal for equal values at the same place."""
        sides = (self.base, self.mine, self.theirs)
        values: list[JSON] = [None if isinstance(value, Absent) else [value] for value in sides]
        return "c" + get_mark([*self.place, self.order, *values])


Choose: TypeAlias = Callable[[Conflict], Side]


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The merged value, and the conflicts in it."""

    value: Package
    conflicts: tuple[Conflict, ...]


def merge_packages(
    base: Package, mine: Package, theirs: Package, choices: dict[str, Side] | None = None
) -> MergeResult:
    """Merge two files. `choices` are sides by `Conflict.key`; undecided conflicts take `mine`."""
    conflicts: list[Conflict] = []

    def choose(conflict: Conflict) -> Side:
        conflicts.append(conflict)
        return (choices or {}).get(conflict.key, Side.MINE)

    keys = _list_keys(base, mine, theirs)
    merged = {key: _merge_value(*_get_values(key, base, mine, theirs), (key,), choose) for key in keys}
    _settle_html(base, mine, theirs, merged, conflicts)
    return MergeResult({key: value for key, value in merged.items() if not isinstance(value, Absent)}, tuple(conflicts))


def _settle_html(
    base: Package, mine: Package, theirs: Package, merged: dict[str, Value], conflicts: list[Conflict]
) -> None:
    """Take the HTML of the text that was taken; a merged text has none, it is made when the file is sent.

    HTML is a conflict of its own only where the texts are equal.
    """
    text = merged.get("abstract", ABSENT)
    if _is_same(mine.get("abstract", ABSENT), theirs.get("abstract", ABSENT)):
        return
    conflicts[:] = [conflict for conflict in conflicts if conflict.place != ("abstract_html",)]
    side = next((side for side in (mine, theirs) if _is_same(side.get("abstract", ABSENT), text)), None)
    merged["abstract_html"] = ABSENT if side is None else side.get("abstract_html", ABSENT)


def _list_keys(*sides: Package) -> list[str]:
    """List the keys of all sides: in the order of `theirs`, the file, with new ones of `mine` at the end."""
    base, mine, theirs = sides
    return list(dict.fromkeys([*theirs, *mine, *base]))


def _get_values(key: str, *sides: Package) -> tuple[Value, Value, Value]:
    base, mine, theirs = (side.get(key, ABSENT) if key in side else ABSENT for side in sides)
    return base, mine, theirs


def _is_same(left: Value, right: Value) -> bool:
    if isinstance(left, Absent) or isinstance(right, Absent):
        return left is right
    return is_same(left, right)


def _merge_value(base: Value, mine: Value, theirs: Value, place: Place, choose: Choose) -> Value:
    if _is_same(mine, theirs) or _is_same(theirs, base):
        return mine
    if _is_same(mine, base):
        return theirs
    if isinstance(mine, dict) and isinstance(theirs, dict):
        first = base if isinstance(base, dict) else {}
        inner = {
            key: _merge_value(*_get_values(key, first, mine, theirs), (*place, key), choose)
            for key in _list_keys(first, mine, theirs)
        }
        return {key: value for key, value in inner.items() if not isinstance(value, Absent)}
    if isinstance(mine, list) and isinstance(theirs, list) and isinstance(base, list):
        listed = _merge_lists(base, mine, theirs, place, choose)
        if listed is not None:
            return listed
    if place == ("abstract",) and isinstance(base, str) and isinstance(mine, str) and isinstance(theirs, str):
        return _merge_text(base, mine, theirs, place, choose)
    return _choose_value(Conflict(place, base, mine, theirs), choose)


def _choose_value(conflict: Conflict, choose: Choose) -> Value:
    return conflict.mine if choose(conflict) is Side.MINE else conflict.theirs


NAMES: Final[dict[str, Name]] = {"questions": name_by_keys("enunciate"), "options": name_by_keys("text")}
_by_label: Final = name_by_keys(*LABELS)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One element in all three lists; places, None where a side lacks it."""

    base: int | None
    mine: int | None
    theirs: int | None


def _merge_lists(
    base: list[JSON], mine: list[JSON], theirs: list[JSON], place: Place, choose: Choose
) -> list[JSON] | None:
    """Merge element by element. None where elements have neither id nor name."""
    name = NAMES.get(place[-1], _by_label)
    if place[-1] not in NAMES and not all(get_identifier(e) or name(e) for e in [*base, *mine, *theirs]):
        return None
    entries = _build_entries(base, mine, theirs, name)
    values: dict[_Entry, Value] = {}
    for entry in entries:
        sides = (_get_element(base, entry.base), _get_element(mine, entry.mine), _get_element(theirs, entry.theirs))
        element = next(value for value in (sides[1], sides[2], sides[0]) if not isinstance(value, Absent))
        label = get_identifier(element) or name(element) or f"#{entry.mine if entry.mine is not None else entry.theirs}"
        values[entry] = _merge_value(*sides, (*place, label), choose)
    present = [entry for entry in entries if not isinstance(values[entry], Absent)]
    ordered = _order_entries(present, place, choose, lambda entry: values[entry], name)
    return [value for entry in ordered if not isinstance(value := values[entry], Absent)]


def _get_element(elements: list[JSON], place: int | None) -> Value:
    return ABSENT if place is None else elements[place]


def _build_entries(base: list[JSON], mine: list[JSON], theirs: list[JSON], name: Name) -> list[_Entry]:
    to_mine = {old: new for old, new in pair_elements(base, mine, name) if old is not None}
    to_theirs = {old: new for old, new in pair_elements(base, theirs, name) if old is not None}
    entries = [_Entry(place, to_mine[place], to_theirs[place]) for place in range(len(base))]
    added_mine = sorted(set(range(len(mine))) - set(to_mine.values()))
    added_theirs = sorted(set(range(len(theirs))) - set(to_theirs.values()))
    both = pair_elements([mine[p] for p in added_mine], [theirs[p] for p in added_theirs], name, by_place=False)
    entries += [
        _Entry(None, None if m is None else added_mine[m], None if t is None else added_theirs[t]) for m, t in both
    ]
    return entries


def _order_entries(
    entries: list[_Entry], place: Place, choose: Choose, value: Callable[[_Entry], Value], name: Name
) -> list[_Entry]:
    """One order for what stays: of the side that moved things, else it is asked. The other side's own go after their
    neighbours."""
    shared = [entry for entry in entries if entry.mine is not None and entry.theirs is not None]
    by_mine = sorted(shared, key=lambda entry: entry.mine or 0)
    by_theirs = sorted(shared, key=lambda entry: entry.theirs or 0)
    by_base = sorted(shared, key=lambda entry: (entry.base is None, entry.base or 0))
    side = Side.MINE
    if by_mine != by_theirs:
        side = Side.THEIRS if by_mine == by_base else Side.MINE
        if by_base not in (by_mine, by_theirs):
            old, mine, theirs = (_list_names(order, value, name) for order in (by_base, by_mine, by_theirs))
            side = choose(Conflict(place, old, mine, theirs, order=True))
    lead, follow = (_get_mine, _get_theirs) if side is Side.MINE else (_get_theirs, _get_mine)
    ordered = sorted((entry for entry in entries if lead(entry) is not None), key=lambda entry: lead(entry) or 0)
    own = sorted((entry for entry in entries if lead(entry) is None), key=lambda entry: follow(entry) or 0)
    return _insert_own(own, ordered, follow)


def _get_mine(entry: _Entry) -> int | None:
    return entry.mine


def _get_theirs(entry: _Entry) -> int | None:
    return entry.theirs


def _list_names(order: list[_Entry], value: Callable[[_Entry], Value], name: Name) -> JSON:
    values = [value(entry) for entry in order]
    return ["" if isinstance(element, Absent) else name(element) or get_identifier(element) for element in values]


def _insert_own(own: list[_Entry], ordered: list[_Entry], follow: Callable[[_Entry], int | None]) -> list[_Entry]:
    """`ordered` with one side's own elements, each behind the one that stands before it on that side (by `follow`)."""
    places = sorted((place, at) for at, entry in enumerate(ordered) if (place := follow(entry)) is not None)
    behind: dict[int, list[_Entry]] = {}
    for entry in own:
        before = bisect_left(places, (follow(entry) or 0,))
        behind.setdefault(places[before - 1][1] if before else -1, []).append(entry)
    mixed = list(behind.get(-1, ()))
    for at, entry in enumerate(ordered):
        mixed += [entry, *behind.get(at, ())]
    return mixed


_PARAGRAPH: Final = re.compile(r".*?(?:\n[ \t]*\n+|\Z)", re.DOTALL)


def split_paragraphs(text: str) -> list[str]:
    """Split a text into paragraphs with the blank lines after them; joined they are the text."""
    return [piece for piece in _PARAGRAPH.findall(text) if piece]


def _merge_text(base: str, mine: str, theirs: str, place: Place, choose: Choose) -> str:
    """Merge two texts by paragraphs; only those that both changed, differently, are a conflict."""
    texts = split_paragraphs(base), split_paragraphs(mine), split_paragraphs(theirs)
    pieces: list[str] = []
    for number, spans in enumerate(_split_chunks(*texts)):
        base_text, my_text, their_text = (
            "".join(paragraphs[start:end]) for paragraphs, (start, end) in zip(texts, spans, strict=True)
        )
        if my_text == their_text or their_text == base_text:
            pieces.append(my_text)
        elif my_text == base_text:
            pieces.append(their_text)
        else:
            pieces.append(str(_choose_value(Conflict((*place, f"§{number}"), base_text, my_text, their_text), choose)))
    return "".join(pieces)


Span: TypeAlias = tuple[int, int]


def _split_chunks(base: list[str], mine: list[str], theirs: list[str]) -> list[tuple[Span, Span, Span]]:
    """Cut the three texts at every paragraph that all three have (diff3)."""
    to_mine, to_theirs = _match_paragraphs(base, mine), _match_paragraphs(base, theirs)
    chunks: list[tuple[Span, Span, Span]] = []
    b = m = t = 0
    for place in range(len(base)):
        if place in to_mine and place in to_theirs:
            chunks.append(((b, place), (m, to_mine[place]), (t, to_theirs[place])))
            b, m, t = place, to_mine[place], to_theirs[place]
            chunks.append(((b, b + 1), (m, m + 1), (t, t + 1)))
            b, m, t = b + 1, m + 1, t + 1
    chunks.append(((b, len(base)), (m, len(mine)), (t, len(theirs))))
    return chunks


def _match_paragraphs(left: list[str], right: list[str]) -> dict[int, int]:
    return {at + step: to + step for at, to, size in find_common_blocks(left, right) for step in range(size)}
