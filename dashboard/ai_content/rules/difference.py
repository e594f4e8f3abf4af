"""What changed between two versions of a file, field by field, in terms an author thinks in.

A change says what it is about (`What`), where (the numbers of question and alternative, or a path), and the values
before and after. There is none between two files that are the same JSON, and at least one between two that are not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.package import JSON, Block, Package, block_of, same, written
from dashboard.ai_content.rules.pairing import by_key, moved, pair

EXCERPT: Final = 160


class What(StrEnum):
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
    VALUE = "value"
    """Anything else; `path` says where."""


class Kind(StrEnum):
    """How it changed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `question` and `option` count from 1, as people do; a removed one has its old number."""

    block: Block
    what: What
    kind: Kind
    before: JSON = None
    after: JSON = None
    question: int = 0
    option: int = 0
    path: tuple[str, ...] = ()


NAMED: Final = {
    "abstract": What.EBOOK_TEXT,
    "abstract_html": What.EBOOK_HTML,
    "abstract_summary": What.SUMMARY,
}


def difference(before: Package, after: Package) -> tuple[Change, ...]:
    """Every change from `before` to `after`, in the order of the file."""
    keys = [*before, *(key for key in after if key not in before)]
    return tuple(change for key in keys for change in _top(key, before, after))


def _top(key: str, before: Package, after: Package) -> Iterator[Change]:
    block, old, new = block_of(key), before.get(key), after.get(key)
    if key in before and key in after and same(old, new):
        return
    if key == "questions" and isinstance(old or [], list) and isinstance(new or [], list):
        yield from _questions(old if isinstance(old, list) else [], new if isinstance(new, list) else [])
        if not old and not new:
            yield _value(block, What.VALUE, before, after, key, (key,))
    elif key == "mindmap" and key in before and key in after:
        yield from _mindmap(old, new)
    elif key in ("questions_config", "abstract_cover") and isinstance(old, dict) and isinstance(new, dict):
        what = What.SETTING if key == "questions_config" else What.COVER
        for inner in [*old, *(name for name in new if name not in old)]:
            if inner not in old or inner not in new or not same(old[inner], new[inner]):
                yield _value(block, what, old, new, inner, (inner,))
    else:
        yield _value(block, NAMED.get(key, What.VALUE), before, after, key, (key,))


def _value(block: Block, what: What, before: Package, after: Package, key: str, path: tuple[str, ...]) -> Change:
    kind = Kind.ADDED if key not in before else Kind.REMOVED if key not in after else Kind.CHANGED
    return Change(block, what, kind, before.get(key), after.get(key), path=path)


def _questions(before: list[JSON], after: list[JSON]) -> Iterator[Change]:
    pairs = pair(before, after, by_key("enunciate"))
    wandered = moved([old for old, new in pairs if old is not None and new is not None])
    for old, new in pairs:
        if old is None and new is not None:
            yield Change(Block.QUIZ, What.QUESTION, Kind.ADDED, after=after[new], question=new + 1)
        elif new is None and old is not None:
            yield Change(Block.QUIZ, What.QUESTION, Kind.REMOVED, before=before[old], question=old + 1)
        elif old is not None and new is not None:
            if old in wandered:
                yield Change(Block.QUIZ, What.QUESTION_PLACE, Kind.MOVED, old + 1, new + 1, question=new + 1)
            if not same(before[old], after[new]):
                yield from _question(before[old], after[new], new + 1)


def _question(before: JSON, after: JSON, number: int) -> Iterator[Change]:
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield Change(Block.QUIZ, What.VALUE, Kind.CHANGED, before, after, question=number)
        return
    for key in [*before, *(name for name in after if name not in before)]:
        old, new = before.get(key), after.get(key)
        if key in before and key in after and same(old, new):
            continue
        if key == "options" and isinstance(old, list) and isinstance(new, list):
            yield from _options(old, new, number)
            continue
        what = What.QUESTION_TEXT if key == "enunciate" else What.VALUE
        kind = Kind.ADDED if key not in before else Kind.REMOVED if key not in after else Kind.CHANGED
        yield Change(Block.QUIZ, what, kind, old, new, question=number, path=(key,))


def _options(before: list[JSON], after: list[JSON], number: int) -> Iterator[Change]:
    pairs = pair(before, after, by_key("text"))
    wandered = moved([old for old, new in pairs if old is not None and new is not None])
    for old, new in pairs:
        if old is None and new is not None:
            yield Change(Block.QUIZ, What.OPTION, Kind.ADDED, None, after[new], number, new + 1)
        elif new is None and old is not None:
            yield Change(Block.QUIZ, What.OPTION, Kind.REMOVED, before[old], None, number, old + 1)
        elif old is not None and new is not None:
            if old in wandered:
                yield Change(Block.QUIZ, What.OPTION_PLACE, Kind.MOVED, old + 1, new + 1, number, new + 1)
            yield from _option(before[old], after[new], number, new + 1)


def _option(before: JSON, after: JSON, number: int, option: int) -> Iterator[Change]:
    if same(before, after):
        return
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield Change(Block.QUIZ, What.VALUE, Kind.CHANGED, before, after, number, option)
        return
    whats = {"text": What.OPTION_TEXT, "correct": What.OPTION_CORRECT}
    for key in [*before, *(name for name in after if name not in before)]:
        if key not in before or key not in after or not same(before[key], after[key]):
            kind = Kind.ADDED if key not in before else Kind.REMOVED if key not in after else Kind.CHANGED
            what = whats.get(key, What.VALUE)
            yield Change(Block.QUIZ, what, kind, before.get(key), after.get(key), number, option, (key,))


def _mindmap(before: JSON, after: JSON) -> Iterator[Change]:
    old, new = maps.shape_of(before), maps.shape_of(after)
    if old is None or new is None or old.where != new.where:
        yield Change(Block.MINDMAP, What.VALUE, Kind.CHANGED, before, after, path=("mindmap",))
        return
    found = tuple(_nodes(maps.root_of(before, old), maps.root_of(after, new), ()))
    yield from found
    around = _around(before, old), _around(after, new)
    if not same(*around) or not found:
        yield Change(Block.MINDMAP, What.VALUE, Kind.CHANGED, *around, path=("mindmap",))


def _around(mindmap: JSON, shape: maps.Shape) -> JSON:
    """The mind map without its tree: what wraps it."""
    if not shape.where or not isinstance(mindmap, dict):
        return None
    key, inner = shape.where[0], maps.Shape(shape.where[1:], shape.label, shape.children)
    return mindmap | {key: _around(mindmap.get(key), inner)}


def _nodes(before: JSON, after: JSON, path: tuple[str, ...]) -> Iterator[Change]:
    """`path` is the labels that lead to the node."""
    if same(before, after):
        return
    old_label, new_label = maps.label_of(before), maps.label_of(after)
    here = (*path, new_label)
    if old_label != new_label:
        yield Change(Block.MINDMAP, What.NODE_LABEL, Kind.CHANGED, old_label, new_label, path=path)
    old_keys, new_keys = maps.other_keys(before), maps.other_keys(after)
    for key in [*old_keys, *(name for name in new_keys if name not in old_keys)]:
        if key not in old_keys or key not in new_keys or not same(old_keys[key], new_keys[key]):
            yield _value(Block.MINDMAP, What.VALUE, old_keys, new_keys, key, (*here, key))
    old_children, new_children = maps.children_of(before), maps.children_of(after)
    pairs = pair(old_children, new_children, _label_name)
    wandered = moved([old for old, new in pairs if old is not None and new is not None])
    for old, new in pairs:
        if old is None and new is not None:
            node = new_children[new]
            yield Change(Block.MINDMAP, What.NODE, Kind.ADDED, None, _told(node), path=(*here, maps.label_of(node)))
        elif new is None and old is not None:
            node = old_children[old]
            yield Change(Block.MINDMAP, What.NODE, Kind.REMOVED, _told(node), None, path=(*here, maps.label_of(node)))
        elif old is not None and new is not None:
            if old in wandered:
                label = maps.label_of(new_children[new])
                yield Change(Block.MINDMAP, What.NODE_PLACE, Kind.MOVED, old + 1, new + 1, path=(*here, label))
            yield from _nodes(old_children[old], new_children[new], here)


def _told(node: JSON, depth: int = 0) -> str:
    """A node with everything under it, a line each: its label and what else it holds."""
    data = maps.other_keys(node)
    line = "  " * depth + maps.label_of(node) + (f" {written(data)}" if data else "")
    return "\n".join([line, *(_told(child, depth + 1) for child in maps.children_of(node))])


_label_name = by_key(*maps.LABELS)
