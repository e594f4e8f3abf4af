"""Mind maps. The specification does not show their inner structure [2.8]: a tree of labels is looked for, not assumed.

    {"label": "Coffee", "children": [{"label": "Beans"}, …]}         the usual shape, under many names
    {"meta": …, "data": {"topic": …, "children": […]}}               the same inside a wrapper
    {"title": "Coffee", "topics": ["Beans", {"title": "Water"}]}     leaves as plain text
    {"central_topic": "Coffee", "branches": [{"topic": "Beans"}]}    other names on other levels

What is found is edited in place: other keys of a node stay with it. What is no tree of labels is shown as JSON.
A node is addressed by its path: places among the children, from the root, which is ().
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from dashboard.ai_content.rules.package import JSON, Package

LABELS: Final = ("label", "text", "title", "name", "topic", "content", "value", "central_topic", "centralTopic", "root")
CHILDREN: Final = ("children", "nodes", "topics", "subtopics", "branches", "items", "child", "ideas")
WRAPPERS_MAX: Final = 3
NODES_MAX: Final = 2000
"""Nodes that an outline and a picture still show; a larger map is edited as JSON."""

Path: TypeAlias = tuple[int, ...]
Change: TypeAlias = Callable[[JSON], JSON]


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the tree is, and how its root is spelled: what nodes without an example beside them are spelled like."""

    where: tuple[str, ...]
    """Keys that lead from the mind map to the root."""
    label: str
    children: str


@dataclass(frozen=True, slots=True)
class Node:
    """A node as outline and picture show it."""

    path: Path
    label: str
    children: "tuple[Node, ...]"


def shape_of(mindmap: JSON) -> Shape | None:
    """The tree of labels in a mind map, or None when there is none that holds everything it should."""
    level: list[tuple[tuple[str, ...], JSON]] = [((), mindmap)]
    for _ in range(WRAPPERS_MAX):
        for where, value in level:
            shape = _shape_at(value, where)
            if shape is not None:
                return shape
        level = [
            ((*where, key), inner)
            for where, value in level
            if isinstance(value, dict)
            for key, inner in value.items()
            if isinstance(inner, dict)
        ]
    return None


def _shape_at(value: JSON, where: tuple[str, ...]) -> Shape | None:
    label = label_key(value)
    if not isinstance(value, dict) or label is None:
        return None
    children = children_key(value)
    if children is None and any(isinstance(inner, dict | list) for inner in value.values()):
        return None  # a title beside something else: the tree is elsewhere, or nowhere
    return Shape(where, label, children or CHILDREN[0]) if _is_tree(value) else None


def label_key(node: JSON) -> str | None:
    """The key of a node's label; None for a plain text and for what is no node."""
    return next((key for key in LABELS if isinstance(node.get(key), str)), None) if isinstance(node, dict) else None


def children_key(node: JSON) -> str | None:
    """The key of a node's children: of those that hold a list, one that is not empty."""
    if not isinstance(node, dict):
        return None
    keys = [key for key in CHILDREN if isinstance(node.get(key), list)]
    return next((key for key in keys if node[key]), keys[0] if keys else None)


def _is_tree(root: JSON) -> bool:
    """Every node is a plain text, or an object with a label that has children under one name only."""
    level: list[JSON] = [root]
    count = 0
    while level:
        count += len(level)
        below: list[JSON] = []
        for node in level:
            if isinstance(node, str):
                continue
            if not isinstance(node, dict) or label_key(node) is None or count > NODES_MAX:
                return False
            lists = [node[key] for key in CHILDREN if node.get(key)]
            if len(lists) > 1 or not all(isinstance(inner, list) for inner in lists):
                return False
            below += lists[0] if lists and isinstance(lists[0], list) else []
        level = below
    return True


def root_of(mindmap: JSON, shape: Shape) -> JSON:
    """The value of the root node."""
    value = mindmap
    for key in shape.where:
        value = value[key] if isinstance(value, dict) else None
    return value


def tree(mindmap: JSON, shape: Shape) -> Node:
    """The tree for showing."""
    return _node(root_of(mindmap, shape), ())


def _node(value: JSON, path: Path) -> Node:
    children = tuple(_node(child, (*path, place)) for place, child in enumerate(children_of(value)))
    return Node(path, label_of(value), children)


def label_of(node: JSON) -> str:
    """A node's label."""
    key = label_key(node)
    found = node[key] if isinstance(node, dict) and key else node
    return found if isinstance(found, str) else ""


def children_of(node: JSON) -> list[JSON]:
    """A node's children."""
    key = children_key(node)
    found = node[key] if isinstance(node, dict) and key else None
    return found if isinstance(found, list) else []


def other_keys(node: JSON) -> Package:
    """What a node holds besides its label and its children: its id, a note, a colour."""
    if not isinstance(node, dict):
        return {}
    return {key: value for key, value in node.items() if key not in (label_key(node), children_key(node))}


def walk(node: Node) -> Iterator[Node]:
    """The node and everything under it, in outline order."""
    yield node
    for child in node.children:
        yield from walk(child)


def depth(node: Node) -> int:
    """Levels of the tree, 1 for a root alone."""
    return 1 + max((depth(child) for child in node.children), default=0)


class Move(StrEnum):
    """What can be done to a node in an outline."""

    ADD_BELOW = "add_below"
    ADD_INSIDE = "add_inside"
    INDENT = "indent"
    OUTDENT = "outdent"
    UP = "up"
    DOWN = "down"
    DELETE = "delete"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Moved:
    """The mind map after a move, and the node that is in hand then."""

    mindmap: JSON
    path: Path


class NoSuchNode(LookupError):
    """The path leads nowhere: the outline has changed meanwhile."""


def relabelled(mindmap: JSON, shape: Shape, path: Path, label: str) -> JSON:
    """The mind map with one node named anew. Raises `NoSuchNode`."""

    def name(node: JSON) -> JSON:
        if not isinstance(node, dict):
            return label
        return node | {label_key(node) or shape.label: label}

    return _replaced(mindmap, shape, path, name)


def move(mindmap: JSON, shape: Shape, path: Path, what: Move) -> Moved:
    """Apply one move; one that makes no sense there (indenting a first child) changes nothing. Raises `NoSuchNode`."""
    node_at(mindmap, shape, path)
    if what is Move.ADD_INSIDE or (what is Move.ADD_BELOW and not path):
        count = len(children_of(node_at(mindmap, shape, path)))
        return Moved(insert(mindmap, shape, (*path, count), new_node(mindmap, shape, path)), (*path, count))
    if not path:
        return Moved(mindmap, path)
    parent, place = path[:-1], path[-1]
    siblings = children_of(node_at(mindmap, shape, parent))
    if what is Move.ADD_BELOW:
        below = (*parent, place + 1)
        return Moved(insert(mindmap, shape, below, new_node(mindmap, shape, parent)), below)
    if what is Move.DUPLICATE:
        copy = _without_ids(siblings[place])
        return Moved(insert(mindmap, shape, (*parent, place + 1), copy), (*parent, place + 1))
    if what is Move.DELETE:
        left = remove(mindmap, shape, path)
        return Moved(left, (*parent, min(place, len(siblings) - 2)) if len(siblings) > 1 else parent)
    target = _target(path, what, siblings)
    return Moved(mindmap, path) if target is None else Moved(_carried(mindmap, shape, path, target), target)


def _target(path: Path, what: Move, siblings: list[JSON]) -> Path | None:
    """Where the node goes, counted after it has been taken out; None when it stays."""
    parent, place = path[:-1], path[-1]
    if what is Move.UP:
        return (*parent, place - 1) if place else None
    if what is Move.DOWN:
        return (*parent, place + 1) if place < len(siblings) - 1 else None
    if what is Move.INDENT:
        return (*parent, place - 1, len(children_of(siblings[place - 1]))) if place else None
    if what is Move.OUTDENT and parent:
        return (*parent[:-1], parent[-1] + 1)
    return None


def _carried(mindmap: JSON, shape: Shape, path: Path, target: Path) -> JSON:
    node = node_at(mindmap, shape, path)
    return insert(remove(mindmap, shape, path), shape, target, node)


def new_node(mindmap: JSON, shape: Shape, parent: Path) -> JSON:
    """An empty node for under `parent`, spelled like the nodes already there, else like its parent."""
    siblings = children_of(node_at(mindmap, shape, parent))
    examples = [*siblings, node_at(mindmap, shape, parent)] if siblings else [*_cousins(mindmap, shape, parent)]
    key = next((found for found in map(label_key, examples) if found), shape.label)
    return {key: ""}


def _cousins(mindmap: JSON, shape: Shape, parent: Path) -> list[JSON]:
    """Nodes on the level under `parent`, for their spelling; then `parent` itself."""
    if not parent:
        return [node_at(mindmap, shape, parent)]
    uncles = children_of(node_at(mindmap, shape, parent[:-1]))
    return [*(child for uncle in uncles for child in children_of(uncle)), node_at(mindmap, shape, parent)]


def _key_for_children(mindmap: JSON, shape: Shape, path: Path) -> str:
    """Under which key the node at `path` keeps its children: its own, else that of the nodes beside it."""
    own = node_at(mindmap, shape, path)
    beside = children_of(node_at(mindmap, shape, path[:-1])) if path else []
    return next((found for found in map(children_key, [own, *beside]) if found), shape.children)


def _without_ids(node: JSON) -> JSON:
    """A copy whose nodes have no id of their own: two nodes with one id are one node to whoever reads them."""
    if not isinstance(node, dict):
        return node
    key = children_key(node)
    return {
        name: [_without_ids(child) for child in children_of(node)] if name == key else value
        for name, value in node.items()
        if name != "id"
    }


def node_at(mindmap: JSON, shape: Shape, path: Path) -> JSON:
    """The value of one node. Raises `NoSuchNode`."""
    value = root_of(mindmap, shape)
    for place in path:
        children = children_of(value)
        if not 0 <= place < len(children):
            raise NoSuchNode
        value = children[place]
    return value


def insert(mindmap: JSON, shape: Shape, path: Path, node: JSON) -> JSON:
    """The mind map with `node` put at `path`; a plain text that gets a child becomes an object. Raises `NoSuchNode`."""
    key = _key_for_children(mindmap, shape, path[:-1])
    beside = label_key(node) or shape.label

    def add(parent: JSON) -> JSON:
        whole: Package = dict(parent) if isinstance(parent, dict) else {beside: parent}
        children = list(children_of(parent))
        children.insert(path[-1], node)
        return whole | {key: children}

    return _replaced(mindmap, shape, path[:-1], add)


def remove(mindmap: JSON, shape: Shape, path: Path) -> JSON:
    """The mind map without the node at `path`. Raises `NoSuchNode`."""
    node_at(mindmap, shape, path)

    def drop(parent: JSON) -> JSON:
        children: list[JSON] = [child for place, child in enumerate(children_of(parent)) if place != path[-1]]
        key = children_key(parent)
        return parent | {key: children} if isinstance(parent, dict) and key else parent

    return _replaced(mindmap, shape, path[:-1], drop)


def _replaced(mindmap: JSON, shape: Shape, path: Path, change: Change) -> JSON:
    """Copy on the way down, change at the end, nothing else touched."""

    def down(value: JSON, keys: tuple[str, ...]) -> JSON:
        if not keys:
            return into(value, path)
        if not isinstance(value, dict) or keys[0] not in value:
            raise NoSuchNode
        return value | {keys[0]: down(value[keys[0]], keys[1:])}

    def into(value: JSON, rest: Path) -> JSON:
        if not rest:
            return change(value)
        children, key = list(children_of(value)), children_key(value)
        if not isinstance(value, dict) or key is None or not 0 <= rest[0] < len(children):
            raise NoSuchNode
        children[rest[0]] = into(children[rest[0]], rest[1:])
        return value | {key: children}

    return down(mindmap, shape.where)
