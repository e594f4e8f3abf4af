"""Differences: common parts of two sequences, the difference of two texts, and what changed between two versions of a file.

Common parts are found in time proportional to the length even where elements repeat: common beginnings and ends are
matched first; between them, elements that occur exactly once on each side are anchors, and parts between two anchors are
treated the same way. A part without anchors is compared element by element where it is short, and is otherwise reported
as replaced: an optimal result would take the square of its length.

A change of a file has a subject (`ChangeSubject`), a place (numbers of question and answer, or a path), and the values
before and after. Equal files have no changes; different files have at least one. Their short form is stored with a version.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import islice
from typing import Any, Final, TypeAlias

from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.package import (
    Block,
    Name,
    Package,
    find_longest_rise,
    find_moved,
    format_json,
    get_block,
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
        Change(get_block(key), NAMED.get(key, ChangeSubject.VALUE), kind, old, new, path=(key,)),
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
            yield Change(block, what, how, old.get(inner), new.get(inner), path=(inner,))
    else:
        yield whole


def _compare_question_lists(before: list[JSON], after: list[JSON]) -> Iterator[Change]:
    for kind, number, old, new in _compare_lists(before, after, name_by_keys("enunciate")):
        if kind is ChangeKind.CHANGED:
            yield from _compare_question(old, new, number)
        else:
            what = ChangeSubject.QUESTION_PLACE if kind is ChangeKind.MOVED else ChangeSubject.QUESTION
            yield Change(Block.QUIZ, what, kind, old, new, question=number)


def _compare_question(before: JSON, after: JSON, number: int) -> Iterator[Change]:
    if is_same(before, after):
        return
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield Change(Block.QUIZ, ChangeSubject.VALUE, ChangeKind.CHANGED, before, after, question=number)
        return
    for key, kind in _compare_keys(before, after):
        old, new = before.get(key), after.get(key)
        if key == "options" and isinstance(old, list) and isinstance(new, list):
            yield from _compare_option_lists(old, new, number)
        else:
            what = ChangeSubject.QUESTION_TEXT if key == "enunciate" else ChangeSubject.VALUE
            yield Change(Block.QUIZ, what, kind, old, new, question=number, path=(key,))


def _compare_option_lists(before: list[JSON], after: list[JSON], question: int) -> Iterator[Change]:
    whats = {"text": ChangeSubject.OPTION_TEXT, "correct": ChangeSubject.OPTION_CORRECT}
    for kind, number, old, new in _compare_lists(before, after, name_by_keys("text")):
        change = Change(Block.QUIZ, ChangeSubject.OPTION, kind, old, new, question=question, option=number)
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
            Block.MINDMAP, ChangeSubject.VALUE, kind=ChangeKind.CHANGED, before=before, after=after, path=("mindmap",)
        )
        return
    changes = tuple(_compare_nodes(maps.get_root(before, old), maps.get_root(after, new), ()))
    yield from changes
    around = maps.remove_tree(before, old), maps.remove_tree(after, new)
    if not is_same(*around) or not changes:
        yield Change(Block.MINDMAP, ChangeSubject.VALUE, ChangeKind.CHANGED, *around, path=("mindmap",))


def _compare_nodes(before: JSON, after: JSON, path: tuple[str, ...]) -> Iterator[Change]:
    """`path` is the labels that lead to the node."""
    if is_same(before, after):
        return
    old_label, new_label = maps.get_label(before), maps.get_label(after)
    here = (*path, new_label)
    if old_label != new_label:
        yield Change(
            Block.MINDMAP,
            ChangeSubject.NODE_LABEL,
            kind=ChangeKind.CHANGED,
            before=old_label,
            after=new_label,
            path=path,
        )
    old_keys, new_keys = maps.get_other_keys(before), maps.get_other_keys(after)
    for key, kind in _compare_keys(old_keys, new_keys):
        if key == maps.TIME and _are_moments(old_keys, new_keys):
            times = maps.get_time(old_keys), maps.get_time(new_keys)
            yield Change(Block.MINDMAP, ChangeSubject.NODE_TIME, kind, *times, path=here)
        else:
            values = old_keys.get(key), new_keys.get(key)
            yield Change(Block.MINDMAP, ChangeSubject.VALUE, kind, *values, path=(*here, key))
    children = maps.get_children(after)
    for kind, number, old, new in _compare_lists(maps.get_children(before), children, _label_name):
        if kind is ChangeKind.CHANGED:
            yield from _compare_nodes(old, new, here)
        elif kind is ChangeKind.MOVED:
            place = (*here, maps.get_label(children[number - 1]))
            yield Change(Block.MINDMAP, ChangeSubject.NODE_PLACE, kind, old, new, path=place)
        else:
            is_new = kind is ChangeKind.ADDED
            node = new if is_new else old
            old, new = (None if is_new else _format_node(node)), (_format_node(node) if is_new else None)
            yield Change(Block.MINDMAP, ChangeSubject.NODE, kind, old, new, path=(*here, maps.get_label(node)))


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
