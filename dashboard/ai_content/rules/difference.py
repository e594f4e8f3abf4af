"""Differences: common parts of two sequences, the difference of two texts, what changed in a file, and merging two people's changes.

Common parts are found in time proportional to the length even where elements repeat: common beginnings and ends are
matched first; between them, elements that occur exactly once on each side are anchors, and parts between two anchors are
treated the same way. A part without anchors is compared element by element where it is short, and is otherwise reported
as replaced: an optimal result would take the square of its length.

A change of a file has a subject (`ChangeSubject`), a place (numbers of question and answer, or a path), and the values
before and after. Equal files have no changes; different files have at least one. Their short form is stored with a version.

In a three-way merge changes of one side are taken, changes of both are conflicts. `base` is what both started from.
Questions are matched by id, else by text (`pair_elements`), so that moving and adding do not look like rewriting. Long text
is merged by paragraphs. Nothing is dropped unless one side dropped it and the other left it alone, or the person chose so.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from enum import Enum, StrEnum
from itertools import islice
from typing import Any, Final, TypeAlias

from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.mindmap import LABELS
from dashboard.ai_content.rules.package import (
    Block,
    Name,
    Package,
    find_longest_rise,
    find_moved,
    format_json,
    get_block,
    get_identifier,
    get_mark,
    get_text,
    is_same,
    name_by_keys,
    pair_elements,
)
from dashboard.platform_api.values import JSON
from dashboard.shared.formats import clock

CommonBlock: TypeAlias = tuple[int, int, int]
"""Start on the left, start on the right, and length."""
Opcode: TypeAlias = tuple[str, int, int, int, int]
"""`equal` or `replace`, then start and end on the left and on the right."""
COMPARED_MOST: Final = 10_000
"""Product of two lengths up to which two parts are compared element by element."""
ROUNDS: Final = 24
"""Levels of recursion between anchors."""


def find_common_blocks(left: Sequence[str], right: Sequence[str]) -> list[CommonBlock]:
    """List the common parts, in order on both sides; adjacent ones are joined."""
    blocks: list[CommonBlock] = []
    for a, b, size in sorted(_find_common(left, right)):
        if blocks and (blocks[-1][0] + blocks[-1][2], blocks[-1][1] + blocks[-1][2]) == (a, b):
            blocks[-1] = (blocks[-1][0], blocks[-1][1], blocks[-1][2] + size)
        else:
            blocks.append((a, b, size))
    return blocks


def list_opcodes(left: Sequence[str], right: Sequence[str]) -> Iterator[Opcode]:
    """List the operations that turn `left` into `right`."""
    a = b = 0
    for at, to, size in [*find_common_blocks(left, right), (len(left), len(right), 0)]:
        if at > a or to > b:
            yield "replace", a, at, b, to
        if size:
            yield "equal", at, at + size, to, to + size
        a, b = at + size, to + size


def _find_common(left: Sequence[str], right: Sequence[str]) -> Iterator[CommonBlock]:
    waiting = [(0, len(left), 0, len(right), ROUNDS)]
    while waiting:
        a, a_end, b, b_end, rounds = waiting.pop()
        begin = a
        while a < a_end and b < b_end and left[a] == right[b]:
            a, b = a + 1, b + 1
        if a > begin:
            yield begin, b - (a - begin), a - begin
        end = a_end
        while a_end > a and b_end > b and left[a_end - 1] == right[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
        if end > a_end:
            yield a_end, b_end, end - a_end
        if a == a_end or b == b_end:
            continue
        anchors = _find_anchors(left, a, a_end, right, b, b_end) if rounds else []
        if anchors:
            for at, to in [*anchors, (a_end, b_end)]:
                waiting.append((a, at, b, to, rounds - 1))
                a, b = at, to
        elif (a_end - a) * (b_end - b) <= COMPARED_MOST:
            matcher = SequenceMatcher(None, left[a:a_end], right[b:b_end], autojunk=False)
            yield from ((a + block.a, b + block.b, block.size) for block in matcher.get_matching_blocks() if block.size)


def _find_anchors(
    left: Sequence[str], a: int, a_end: int, right: Sequence[str], b: int, b_end: int
) -> list[tuple[int, int]]:
    """The longest rising run of places whose element each side has exactly once."""
    mine, theirs = Counter(left[a:a_end]), Counter(right[b:b_end])
    places = {right[place]: place for place in range(b, b_end) if theirs[right[place]] == 1}
    pairs = [
        (place, places[left[place]]) for place in range(a, a_end) if mine[left[place]] == 1 and left[place] in places
    ]
    return [pairs[at] for at in find_longest_rise([to for _at, to in pairs])]


SHORT: Final = 1500
LINES_MOST: Final = 4000
SHOWN_MOST: Final = 400
"""Pieces shown of one difference."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`kind` is same, gone or new."""

    kind: str
    text: str

    @property
    def tag(self) -> str:
        """The HTML element that marks it."""
        return {"gone": "del", "new": "ins"}.get(self.kind, "span")


def diff_texts(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces of both texts, in reading order."""
    if max(len(before), len(after)) <= SHORT:
        return _build_pieces(
            re.findall(r"\s+|[^\W_]+|.", before, re.DOTALL), re.findall(r"\s+|[^\W_]+|.", after, re.DOTALL)
        )
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if len(old) + len(new) > LINES_MOST:
        return (Piece("gone", f"{before[:SHORT]} …"), Piece("new", f"{after[:SHORT]} …"))
    return _shorten_unchanged(_build_pieces(old, new))


def _build_pieces(old: Sequence[str], new: Sequence[str]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for code, a, b, c, d in list_opcodes(old, new):
        if code == "equal":
            pieces.append(Piece("same", "".join(old[a:b])))
            continue
        if b > a:
            pieces.append(Piece("gone", "".join(old[a:b])))
        if d > c:
            pieces.append(Piece("new", "".join(new[c:d])))
    return tuple(pieces[:SHOWN_MOST])


def _shorten_unchanged(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Shorten long unchanged pieces to their first and last lines."""
    shortened = []
    for piece in pieces:
        lines = piece.text.splitlines(keepends=True)
        if piece.kind == "same" and len(lines) > 4:
            shortened.append(Piece("same", "".join(lines[:2]) + "…\n" + "".join(lines[-2:])))
        else:
            shortened.append(piece)
    return tuple(shortened)


class ChangeSubject(StrEnum):
    """What a change is about."""

    QUESTION = "question"
    QUESTION_TEXT = "question_text"
    QUESTION_PLACE = "question_place"
    OPTION = "option"
    OPTION_TEXT = "option_text"
    OPTION_CORRECT = "option_correct"
    OPTION_PLACE = "option_place"
    SETTING = "setting"
    EBOOK_TEXT = "ebook_text"
    EBOOK_HTML = "ebook_html"
    SUMMARY = "summary"
    COVER = "cover"
    NODE = "node"
    NODE_LABEL = "node_label"
    NODE_PLACE = "node_place"
    NODE_TIME = "node_time"
    VALUE = "value"
    """Anything else; `path` says where."""


class ChangeKind(StrEnum):
    """Kinds of changes."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `question` and `option` count from 1, as people do; a removed one has its old number."""

    block: Block
    what: ChangeSubject
    kind: ChangeKind
    before: JSON = None
    after: JSON = None
    question: int = 0
    option: int = 0
    path: tuple[str, ...] = ()


NAMED: Final = {
    "abstract": ChangeSubject.EBOOK_TEXT,
    "abstract_html": ChangeSubject.EBOOK_HTML,
    "abstract_summary": ChangeSubject.SUMMARY,
}


def list_changes(before: Package, after: Package) -> tuple[Change, ...]:
    """List every change from `before` to `after`, in the order of the file."""
    keys = _compare_keys(before, after)
    return tuple(each for key, kind in keys for each in _compare_key(key, kind, before.get(key), after.get(key)))


def _compare_keys(before: Package, after: Package) -> Iterator[tuple[str, ChangeKind]]:
    """Yield the keys whose values differ, and how."""
    for key in dict.fromkeys([*before, *after]):
        if key not in before:
            yield key, ChangeKind.ADDED
        elif key not in after:
            yield key, ChangeKind.REMOVED
        elif not is_same(before[key], after[key]):
            yield key, ChangeKind.CHANGED


def _compare_lists(
    before: Sequence[JSON], after: Sequence[JSON], name: Name
) -> Iterator[tuple[ChangeKind, int, JSON, JSON]]:
    """Yield what became of each element, its number, and its old and new value: of one that moved its old and new number.

    What is on both sides is given as changed, whether it is or not.
    """
    pairs = pair_elements(before, after, name)
    wandered = find_moved([old for old, new in pairs if old is not None and new is not None])
    for old, new in pairs:
        if old is not None and new is not None:
            if old in wandered:
                yield ChangeKind.MOVED, new + 1, old + 1, new + 1
            yield ChangeKind.CHANGED, new + 1, before[old], after[new]
        elif new is not None:
            yield ChangeKind.ADDED, new + 1, None, after[new]
        elif old is not None:
            yield ChangeKind.REMOVED, old + 1, before[old], None


def _compare_key(key: str, kind: ChangeKind, old: JSON, new: JSON) -> Iterator[Change]:
    block, whole = (
        get_block(key),
        Change(get_block(key), NAMED.get(key, ChangeSubject.VALUE), kind, before=old, after=new, path=(key,)),
    )
    if key == "questions" and isinstance(old or [], list) and isinstance(new or [], list):
        yield from _compare_question_lists(old if isinstance(old, list) else [], new if isinstance(new, list) else [])
        if not old and not new:
            yield whole
    elif key == "mindmap" and kind is ChangeKind.CHANGED:
        yield from _compare_mindmaps(old, new)
    elif key in ("questions_config", "abstract_cover") and isinstance(old, dict) and isinstance(new, dict):
        what = ChangeSubject.SETTING if key == "questions_config" else ChangeSubject.COVER
        for inner, how in _compare_keys(old, new):
            yield Change(block, what, how, before=old.get(inner), after=new.get(inner), path=(inner,))
    else:
        yield whole


def _compare_question_lists(before: list[JSON], after: list[JSON]) -> Iterator[Change]:
    for kind, number, old, new in _compare_lists(before, after, name_by_keys("enunciate")):
        if kind is ChangeKind.CHANGED:
            yield from _compare_question(old, new, number)
        else:
            what = ChangeSubject.QUESTION_PLACE if kind is ChangeKind.MOVED else ChangeSubject.QUESTION
            yield Change(Block.QUIZ, what, kind, before=old, after=new, question=number)


def _compare_question(before: JSON, after: JSON, number: int) -> Iterator[Change]:
    if is_same(before, after):
        return
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield Change(Block.QUIZ, ChangeSubject.VALUE, ChangeKind.CHANGED, before=before, after=after, question=number)
        return
    for key, kind in _compare_keys(before, after):
        old, new = before.get(key), after.get(key)
        if key == "options" and isinstance(old, list) and isinstance(new, list):
            yield from _compare_option_lists(old, new, number)
        else:
            what = ChangeSubject.QUESTION_TEXT if key == "enunciate" else ChangeSubject.VALUE
            yield Change(Block.QUIZ, what, kind, before=old, after=new, question=number, path=(key,))


def _compare_option_lists(before: list[JSON], after: list[JSON], question: int) -> Iterator[Change]:
    whats = {"text": ChangeSubject.OPTION_TEXT, "correct": ChangeSubject.OPTION_CORRECT}
    for kind, number, old, new in _compare_lists(before, after, name_by_keys("text")):
        change = Change(Block.QUIZ, ChangeSubject.OPTION, kind, before=old, after=new, question=question, option=number)
        if kind is ChangeKind.MOVED:
            yield replace(change, what=ChangeSubject.OPTION_PLACE)
        elif kind is not ChangeKind.CHANGED:
            yield change
        elif isinstance(old, dict) and isinstance(new, dict):
            for key, how in _compare_keys(old, new):
                what = whats.get(key, ChangeSubject.VALUE)
                yield replace(change, what=what, kind=how, before=old.get(key), after=new.get(key), path=(key,))
        elif not is_same(old, new):
            yield replace(change, what=ChangeSubject.VALUE)


def _compare_mindmaps(before: JSON, after: JSON) -> Iterator[Change]:
    old, new = maps.find_shape(before), maps.find_shape(after)
    if old is None or new is None or old.where != new.where:
        yield Change(
            Block.MINDMAP, ChangeSubject.VALUE, ChangeKind.CHANGED, before=before, after=after, path=("mindmap",)
        )
        return
    changes = tuple(_compare_nodes(maps.get_root(before, old), maps.get_root(after, new), ()))
    yield from changes
    before, after = maps.remove_tree(before, old), maps.remove_tree(after, new)
    if not is_same(before, after) or not changes:
        yield Change(
            Block.MINDMAP, ChangeSubject.VALUE, ChangeKind.CHANGED, before=before, after=after, path=("mindmap",)
        )


def _compare_nodes(before: JSON, after: JSON, path: tuple[str, ...]) -> Iterator[Change]:
    """`path` is the labels that lead to the node."""
    if is_same(before, after):
        return
    old_label, new_label = maps.get_label(before), maps.get_label(after)
    here = (*path, new_label)
    if old_label != new_label:
        yield Change(
            Block.MINDMAP, ChangeSubject.NODE_LABEL, ChangeKind.CHANGED, before=old_label, after=new_label, path=path
        )
    old_keys, new_keys = maps.get_other_keys(before), maps.get_other_keys(after)
    for key, kind in _compare_keys(old_keys, new_keys):
        if key == maps.TIME and _are_moments(old_keys, new_keys):
            time, new_time = maps.get_time(old_keys), maps.get_time(new_keys)
            yield Change(Block.MINDMAP, ChangeSubject.NODE_TIME, kind, before=time, after=new_time, path=here)
        else:
            value, new_value = old_keys.get(key), new_keys.get(key)
            yield Change(Block.MINDMAP, ChangeSubject.VALUE, kind, before=value, after=new_value, path=(*here, key))
    children = maps.get_children(after)
    for kind, number, old, new in _compare_lists(maps.get_children(before), children, _label_name):
        if kind is ChangeKind.CHANGED:
            yield from _compare_nodes(old, new, here)
        elif kind is ChangeKind.MOVED:
            place = (*here, maps.get_label(children[number - 1]))
            yield Change(Block.MINDMAP, ChangeSubject.NODE_PLACE, kind, before=old, after=new, path=place)
        else:
            is_new = kind is ChangeKind.ADDED
            node = new if is_new else old
            old, new = (None if is_new else _format_node(node)), (_format_node(node) if is_new else None)
            yield Change(
                Block.MINDMAP, ChangeSubject.NODE, kind, before=old, after=new, path=(*here, maps.get_label(node))
            )


def _are_moments(old_keys: Package, new_keys: Package) -> bool:
    """Whether the times of a topic before and after can be read, where it has one, and differ."""
    times = [maps.parse_time(maps.get_time(keys)) for keys in (old_keys, new_keys) if maps.TIME in keys]
    return None not in times and len(set(times)) == len(times)


def _format_node(node: JSON, depth: int = 0) -> str:
    """Format a node and its descendants, a line each: the label, its moment and other keys."""
    data = maps.get_other_keys(node)
    seconds = maps.parse_time(maps.get_time(data))
    moment = "" if seconds is None else f" ({clock(seconds)})"
    data = {key: value for key, value in data.items() if not moment or key != maps.TIME}
    line = "  " * depth + maps.get_label(node) + moment + (f" {format_json(data)}" if data else "")
    return "\n".join([line, *(_format_node(child, depth + 1) for child in maps.get_children(node))])


_label_name = name_by_keys(*maps.LABELS)


SUMMARIES_MOST: Final = 12
EXCERPT: Final = 90


def summarize(change: Change) -> Change:
    """Shorten a change: its values become excerpts for reading."""
    return replace(change, before=get_excerpt(change.before), after=get_excerpt(change.after))


def get_excerpt(value: JSON) -> str:
    """Return the beginning of a value, as one line of text."""
    if isinstance(value, dict) and ("enunciate" in value or "options" in value):
        return _shorten(get_text(value.get("enunciate")))
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return _shorten(str(value["text"]))
    if value is None:
        return ""
    return _shorten(value if isinstance(value, str) else format_json(value))


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"


def dump_summaries(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """Return the first changes, shortened, as JSON."""
    return [asdict(summarize(change)) for change in islice(changes, SUMMARIES_MOST)]


def load_summaries(stored: Iterable[dict[str, Any]]) -> list[Change]:
    """Return the summaries that are stored with a version."""
    return [Change(**{**each, "path": tuple(each["path"])}) for each in stored]


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
