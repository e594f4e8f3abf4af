"""Mind maps. The specification does not define their structure [2.8]: a tree of labels is searched for, not assumed.

    {"theme": "Coffee", "children": [{"text": "Beans", "time": "00:02:48.075", "children": []}]}
                                                                     the platform's own: times lead into the video
    {"label": "Coffee", "children": [{"label": "Beans"}, …]}         the usual shape, under many names
    {"meta": …, "data": {"topic": …, "children": […]}}               the same inside a wrapper
    {"title": "Coffee", "topics": ["Beans", {"title": "Water"}]}     leaves as plain text
    {"central_topic": "Coffee", "branches": [{"topic": "Beans"}]}    other names on other levels

The tree is edited in place: other keys of a node stay with it. Anything but a tree of labels is shown as JSON.
A node is addressed by its path: places among the children, from the root, which is ().
Below: the part of a large map that one page shows, and the layout of the diagram, from left to right.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from dashboard.platform_api.values import JSON
from dashboard.shared.formats import clock

LABELS: Final = (
    "label", "text", "title", "name", "topic", "content", "value", "central_topic", "centralTopic", "root", "theme",
)  # fmt: skip
THEME: Final = "theme"
"""The label of the root in the platform's own maps; their other topics have TEXT, TIME, and always a list of children."""
TEXT: Final = "text"
TIME: Final = "time"
_MOMENT: Final = re.compile(r"(?:(\d{1,2}):(?=[0-5]\d:))?(\d{1,2}):([0-5]\d)(?:[.,](\d{1,3}))?")
CHILDREN: Final = ("children", "nodes", "topics", "subtopics", "branches", "items", "child", "ideas")
WRAPPERS_MAX: Final = 3
NODES_MAX: Final = 2000
"""Nodes up to which a map is shown as outline and diagram; a larger one is edited as JSON."""

Package: TypeAlias = dict[str, JSON]
Path: TypeAlias = tuple[int, ...]
NodeEdit: TypeAlias = Callable[[JSON], JSON]


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the tree is, and the keys of its root, which are used for new nodes without siblings."""

    where: tuple[str, ...]
    """Keys that lead from the mind map to the root."""
    label: str
    children: str
    is_platform: bool = False
    """The platform's own shape."""

    @property
    def inner(self) -> "Shape":
        """The shape of what is below the root."""
        return replace(self, label=TEXT) if self.is_platform else self

    def build_leaf(self, key: str) -> Package:
        """A new topic without words."""
        if self.is_platform:
            return {TEXT if key == THEME else key: "", self.children: []}
        return {key: ""}


@dataclass(frozen=True, slots=True)
class Node:
    """A node for the outline and the diagram. `time` is as `get_time` gives it."""

    path: Path
    label: str
    children: "tuple[Node, ...]"
    time: str = ""


def find_shape(mindmap: JSON) -> Shape | None:
    """Return the shape of the tree of labels in a mind map, or None where there is none."""
    level: list[tuple[tuple[str, ...], JSON]] = [((), mindmap)]
    for _ in range(WRAPPERS_MAX):
        for where, value in level:
            shape = _read_shape(value, where)
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


def _read_shape(value: JSON, where: tuple[str, ...]) -> Shape | None:
    label = find_label_key(value)
    if isinstance(value, dict) and label is None and THEME in value and value[THEME] is None:
        label = THEME
    if not isinstance(value, dict) or label is None:
        return None
    children, is_platform = find_children_key(value), label == THEME
    if children is None and any(isinstance(inner, dict | list) for inner in value.values()):
        return None  # a title beside something else: the tree is elsewhere, or nowhere
    return (
        Shape(where, label, children or CHILDREN[0], is_platform) if _is_tree(value, is_platform=is_platform) else None
    )


def find_label_key(node: JSON) -> str | None:
    """The key of a node's label; None for a plain text and for what is no node."""
    return next((key for key in LABELS if isinstance(node.get(key), str)), None) if isinstance(node, dict) else None


def find_children_key(node: JSON) -> str | None:
    """The key of a node's children: of those that hold a list, one that is not empty."""
    if not isinstance(node, dict):
        return None
    keys = [key for key in CHILDREN if isinstance(node.get(key), list)]
    return next((key for key in keys if node[key]), keys[0] if keys else None)


def _is_tree(root: JSON, *, is_platform: bool) -> bool:
    """Every node is a plain text, or an object with a label that has children under one name only.

    In the platform's own maps the label may be missing where something else says that it is a topic.
    """
    level: list[JSON] = [root]
    count = 0
    while level:
        count += len(level)
        if count > NODES_MAX:
            return False
        below: list[JSON] = []
        for node in level:
            if isinstance(node, str):
                continue
            if not isinstance(node, dict):
                return False
            is_bare = is_platform and all(node.get(key) is None for key in LABELS)
            if find_label_key(node) is None and not (
                is_bare and not node.keys().isdisjoint((THEME, TEXT, TIME, CHILDREN[0]))
            ):
                return False
            lists = [node[key] for key in CHILDREN if node.get(key)]
            if len(lists) > 1 or not all(isinstance(inner, list) for inner in lists):
                return False
            below += lists[0] if lists and isinstance(lists[0], list) else []
        level = below
    return True


def get_root(mindmap: JSON, shape: Shape) -> JSON:
    """Return the value of the root node."""
    value = mindmap
    for key in shape.where:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def build_tree(mindmap: JSON, shape: Shape) -> Node:
    """Build the tree for outline and diagram."""
    return _build_node(get_root(mindmap, shape), ())


def _build_node(value: JSON, path: Path) -> Node:
    children = tuple(_build_node(child, (*path, place)) for place, child in enumerate(get_children(value)))
    return Node(path, get_label(value), children, get_time(value))


def get_label(node: JSON) -> str:
    """Return the label of a node; "" where it has none."""
    key = find_label_key(node)
    value = node[key] if isinstance(node, dict) and key else node
    return value if isinstance(value, str) else ""


def get_time(node: JSON) -> str:
    """Return the time of a node as it is written, a number of seconds as a time; "" where it has none."""
    time = node.get(TIME) if isinstance(node, dict) else None
    if isinstance(time, int | float) and not isinstance(time, bool) and 0 <= time < 360_000:
        return build_time(time, "")
    return time if isinstance(time, str) else ""


def parse_time(text: str) -> float | None:
    """Seconds of HH:MM:SS.mmm or MM:SS.mmm, also without thousandths; None for anything else."""
    match = _MOMENT.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds, part = match.groups(default="0")
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) + int(part.ljust(3, "0")) / 1000


def build_time(seconds: float, before: str) -> str:
    """Build the time as the platform writes it: with hours, unless the one that was there before has none and needs none."""
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    tail = f"{rest // 1000:02}.{rest % 1000:03}"
    if before.count(":") == 1 and minutes < 60:
        return f"{minutes:02}:{tail}"
    return f"{minutes // 60:02}:{minutes % 60:02}:{tail}"


def get_children(node: JSON) -> list[JSON]:
    """Return the children of a node."""
    key = find_children_key(node)
    value = node[key] if isinstance(node, dict) and key else None
    return value if isinstance(value, list) else []


def get_other_keys(node: JSON) -> dict[str, JSON]:
    """Return the other keys of a node, such as its id, a note or a colour."""
    if not isinstance(node, dict):
        return {}
    return {key: value for key, value in node.items() if key not in (find_label_key(node), find_children_key(node))}


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and its descendants, in outline order."""
    yield node
    for child in node.children:
        yield from walk(child)


def get_depth(node: Node) -> int:
    """Count the levels of the tree, 1 for a root alone."""
    return 1 + max((get_depth(child) for child in node.children), default=0)


class Move(StrEnum):
    """Moves of a node in an outline."""

    ADD_BELOW = "add_below"
    ADD_INSIDE = "add_inside"
    INDENT = "indent"
    OUTDENT = "outdent"
    UP = "up"
    DOWN = "down"
    DELETE = "delete"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The mind map after a move, and the path of the selected node."""

    mindmap: JSON
    path: Path


class NoSuchNode(LookupError):
    """There is no node at the path: the outline has changed."""


def rename_node(mindmap: JSON, shape: Shape, path: Path, label: str) -> JSON:
    """Return the mind map with one label changed. Raises `NoSuchNode`."""

    def name(node: JSON) -> JSON:
        if not isinstance(node, dict):
            return label
        return node | {find_label_key(node) or (shape.inner if path else shape).label: label}

    return replace_node(mindmap, shape, path, name)


def set_time(mindmap: JSON, shape: Shape, path: Path, time: str) -> JSON:
    """Return the mind map with the time of one node changed, "" to take it out. Raises `NoSuchNode`."""

    def change(node: JSON) -> JSON:
        whole: Package = dict(node) if isinstance(node, dict) else {shape.inner.label: node}
        whole[TIME] = time
        return whole if time else {key: value for key, value in whole.items() if key != TIME}

    return replace_node(mindmap, shape, path, change)


def move_node(mindmap: JSON, shape: Shape, path: Path, what: Move) -> MoveResult:
    """Apply one move; an impossible one, such as indenting a first child, changes nothing. Raises `NoSuchNode`."""
    get_node(mindmap, shape, path)
    if what is Move.ADD_INSIDE or (what is Move.ADD_BELOW and not path):
        count = len(get_children(get_node(mindmap, shape, path)))
        return MoveResult(
            insert_node(mindmap, shape, (*path, count), build_new_node(mindmap, shape, path)), (*path, count)
        )
    if not path:
        return MoveResult(mindmap, path)
    parent, place = path[:-1], path[-1]
    siblings = get_children(get_node(mindmap, shape, parent))
    if what is Move.ADD_BELOW:
        below = (*parent, place + 1)
        return MoveResult(insert_node(mindmap, shape, below, build_new_node(mindmap, shape, parent)), below)
    if what is Move.DUPLICATE:
        copy = _remove_ids(siblings[place])
        return MoveResult(insert_node(mindmap, shape, (*parent, place + 1), copy), (*parent, place + 1))
    left = remove_node(mindmap, shape, path)
    if what is Move.DELETE:
        return MoveResult(left, (*parent, min(place, len(siblings) - 2)) if len(siblings) > 1 else parent)
    target = _find_target(path, what, siblings)
    if target is None:
        return MoveResult(mindmap, path)
    return MoveResult(insert_node(left, shape, target, siblings[place]), target)


def _find_target(path: Path, what: Move, siblings: list[JSON]) -> Path | None:
    """The new path, counted after the node was removed; None where it stays."""
    parent, place = path[:-1], path[-1]
    if what is Move.UP:
        return (*parent, place - 1) if place else None
    if what is Move.DOWN:
        return (*parent, place + 1) if place < len(siblings) - 1 else None
    if what is Move.INDENT:
        return (*parent, place - 1, len(get_children(siblings[place - 1]))) if place else None
    if what is Move.OUTDENT and parent:
        return (*parent[:-1], parent[-1] + 1)
    return None


def build_new_node(mindmap: JSON, shape: Shape, parent: Path) -> JSON:
    """Build an empty child of `parent`, with the label key of its siblings, else of its parent."""
    siblings = get_children(get_node(mindmap, shape, parent))
    examples = [*siblings, get_node(mindmap, shape, parent)] if siblings else [*_list_cousins(mindmap, shape, parent)]
    return shape.build_leaf(next((candidate for candidate in map(find_label_key, examples) if candidate), shape.label))


def _list_cousins(mindmap: JSON, shape: Shape, parent: Path) -> list[JSON]:
    """Nodes on the level under `parent`, for their spelling; then `parent` itself."""
    if not parent:
        return [get_node(mindmap, shape, parent)]
    uncles = get_children(get_node(mindmap, shape, parent[:-1]))
    return [*(child for uncle in uncles for child in get_children(uncle)), get_node(mindmap, shape, parent)]


def _get_children_key(mindmap: JSON, shape: Shape, path: Path) -> str:
    """Under which key the node at `path` keeps its children: its own, else that of the nodes beside it."""
    own = get_node(mindmap, shape, path)
    beside = get_children(get_node(mindmap, shape, path[:-1])) if path else []
    return next((candidate for candidate in map(find_children_key, [own, *beside]) if candidate), shape.children)


def _remove_ids(node: JSON) -> JSON:
    """Copy a node without ids: ids must stay unique."""
    if not isinstance(node, dict):
        return node
    key = find_children_key(node)
    return {
        name: [_remove_ids(child) for child in get_children(node)] if name == key else value
        for name, value in node.items()
        if name != "id"
    }


def get_node(mindmap: JSON, shape: Shape, path: Path) -> JSON:
    """Return the value of one node. Raises `NoSuchNode`."""
    value = get_root(mindmap, shape)
    for place in path:
        children = get_children(value)
        if not 0 <= place < len(children):
            raise NoSuchNode
        value = children[place]
    return value


def insert_node(mindmap: JSON, shape: Shape, path: Path, node: JSON) -> JSON:
    """Return the mind map with `node` at `path`; a plain text that gets a child becomes an object. Raises `NoSuchNode`."""
    key = _get_children_key(mindmap, shape, path[:-1])
    beside = find_label_key(node) or shape.label

    def add(parent: JSON) -> JSON:
        whole: dict[str, JSON] = dict(parent) if isinstance(parent, dict) else {beside: parent}
        children = list(get_children(parent))
        children.insert(path[-1], node)
        return whole | {key: children}

    return replace_node(mindmap, shape, path[:-1], add)


def remove_node(mindmap: JSON, shape: Shape, path: Path) -> JSON:
    """Return the mind map without the node at `path`. Raises `NoSuchNode`."""
    get_node(mindmap, shape, path)

    def drop(parent: JSON) -> JSON:
        children: list[JSON] = [child for place, child in enumerate(get_children(parent)) if place != path[-1]]
        key = find_children_key(parent)
        return parent | {key: children} if isinstance(parent, dict) and key else parent

    return replace_node(mindmap, shape, path[:-1], drop)


def remove_tree(mindmap: JSON, shape: Shape) -> JSON:
    """Return the mind map without its tree: the objects around it."""
    return replace_node(mindmap, shape, (), lambda _root: None)


def replace_node(mindmap: JSON, shape: Shape, path: Path, change: NodeEdit) -> JSON:
    """Return the mind map with one node changed; only the objects on its path are copied. Raises `NoSuchNode`."""

    def down(value: JSON, keys: tuple[str, ...]) -> JSON:
        if not keys:
            return into(value, path)
        if not isinstance(value, dict) or keys[0] not in value:
            raise NoSuchNode
        return value | {keys[0]: down(value[keys[0]], keys[1:])}

    def into(value: JSON, rest: Path) -> JSON:
        if not rest:
            return change(value)
        children, key = list(get_children(value)), find_children_key(value)
        if not isinstance(value, dict) or key is None or not 0 <= rest[0] < len(children):
            raise NoSuchNode
        children[rest[0]] = into(children[rest[0]], rest[1:])
        return value | {key: children}

    return down(mindmap, shape.where)


WHOLE_MOST: Final = 300
"""Topics up to which a map is shown whole."""
ROWS_MOST: Final = 250
WINDOW: Final = 200
"""Topics of one parent that are shown at once."""


@dataclass(frozen=True, slots=True)
class Branch:
    """`root` is the shown part as a tree; `above` are the nodes that lead to it, `hidden` the topics inside a node that
    are not shown. Of the children of `root` those from `start` are shown, and `later` more follow."""

    root: Node
    above: tuple[Node, ...] = ()
    hidden: dict[Path, int] | None = None
    start: int = 0
    later: int = 0


def get_branch(root: Node, at: Path, start: int, selected: Path = ()) -> Branch:
    """Return the whole of a small map; of a large one the branch at `at`, or the one that contains `selected`."""
    if sum(1 for _ in walk(root)) <= WHOLE_MOST:
        return Branch(root)
    branch = _cut_branch(root, at, start)
    if selected and not any(node.path == selected for node in walk(branch.root)):
        branch = _cut_branch(root, selected[:-1], selected[-1])
    return branch


def _cut_branch(root: Node, at: Path, start: int) -> Branch:
    above: list[Node] = []
    node = root
    for place in at:
        if not 0 <= place < len(node.children):
            break
        above.append(node)
        node = node.children[place]
    start = min(max(start, 0), max(len(node.children) - 1, 0)) // WINDOW * WINDOW
    window = node.children[start : start + WINDOW]
    depth, count, level = 0, 1 + len(window), list(window)
    while level:
        depth += 1
        level = [child for each in level for child in each.children]
        count += len(level)
        if count > ROWS_MOST:
            break
    hidden: dict[Path, int] = {}
    children = tuple(_prune(child, depth - 1, hidden) for child in window)
    later = len(node.children) - start - len(window)
    return Branch(replace(node, children=children), above=tuple(above), hidden=hidden, start=start, later=later)


def _prune(node: Node, depth: int, hidden: dict[Path, int]) -> Node:
    if depth > 0:
        return replace(node, children=tuple(_prune(child, depth - 1, hidden) for child in node.children))
    if node.children:
        hidden[node.path] = sum(1 for _ in walk(node)) - 1
    return replace(node, children=())


LETTER: Final = 7.0
"""Width of a letter at 13 px, rounded up."""
LINE: Final = 17
PADDING: Final = 10
GAP_ACROSS: Final = 36
GAP_DOWN: Final = 10
LETTERS_MOST: Final = 26
LINES_MOST: Final = 3


@dataclass(frozen=True, slots=True)
class LabelLine:
    """One line of a label, at its base line."""

    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class NodeBox:
    """One node: its place and size, its label in lines, its level from 0."""

    x: int
    y: int
    width: int
    height: int
    level: int
    label: str
    lines: tuple[LabelLine, ...]
    moment: LabelLine | None = None
    """When the topic is spoken of, behind the last line, where both fit."""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A diagram: `links` is one SVG path with every connection."""

    width: int
    height: int
    boxes: tuple[NodeBox, ...]
    links: str


@dataclass(frozen=True, slots=True)
class _MeasuredNode:
    node: Node
    lines: tuple[str, ...]
    moment: str
    width: int
    height: int
    children: "tuple[_MeasuredNode, ...]"
    span: int
    """Height that the node and everything under it take."""


def draw_tree(root: Node) -> Drawing:
    """Lay out a tree; coordinates in px from the top left corner."""
    placed = _measure(root)
    columns = _list_columns(placed)
    boxes: list[NodeBox] = []
    links: list[str] = []
    _place_node(placed, 0, 1, columns, boxes, links)
    width = max(box.x + box.width for box in boxes) + 1
    return Drawing(width, placed.span + 2, tuple(boxes), "".join(links))


def wrap_label(label: str) -> tuple[str, ...]:
    """A label in at most three lines; what does not fit ends in an ellipsis."""
    lines: list[str] = []
    for word in label.split():
        piece = word if len(word) <= LETTERS_MOST else word[: LETTERS_MOST - 1] + "…"
        if lines and len(lines[-1]) + 1 + len(piece) <= LETTERS_MOST:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    if len(lines) > LINES_MOST:
        lines = [*lines[: LINES_MOST - 1], lines[LINES_MOST - 1][: LETTERS_MOST - 2] + " …"]
    return tuple(lines) or ("…",)


def _measure(node: Node) -> _MeasuredNode:
    children = tuple(_measure(child) for child in node.children)
    lines = wrap_label(node.label)
    seconds = parse_time(node.time)
    moment = "" if seconds is None else f" {clock(seconds)}"
    if len(lines[-1]) + len(moment) > LETTERS_MOST:
        moment = ""
    bold = 1.0 if node.path else 1.14  # the root is set in bold
    width = int(max(len(line) for line in (*lines, lines[-1] + moment)) * LETTER * bold) + 2 * PADDING
    height = len(lines) * LINE + PADDING
    below = sum(child.span for child in children) + GAP_DOWN * max(0, len(children) - 1)
    return _MeasuredNode(
        node=node,
        lines=lines,
        moment=moment.strip(),
        width=width,
        height=height,
        children=children,
        span=max(height, below),
    )


def _list_columns(root: _MeasuredNode) -> list[int]:
    """Where each level begins: behind the widest box of the level before."""
    starts: list[int] = []
    level, start = [root], 1
    while level:
        starts.append(start)
        start += max(placed.width for placed in level) + GAP_ACROSS
        level = [child for placed in level for child in placed.children]
    return starts


def _place_node(
    placed: _MeasuredNode, level: int, top: int, columns: list[int], boxes: list[NodeBox], links: list[str]
) -> int:
    """Place the node at the middle of its children; returns the y of its middle."""
    below = sum(child.span for child in placed.children) + GAP_DOWN * max(0, len(placed.children) - 1)
    at = top + max(0, (placed.span - below) // 2)
    middles = []
    for child in placed.children:
        middles.append(_place_node(child, level + 1, at, columns, boxes, links))
        at += child.span + GAP_DOWN
    middle = (middles[0] + middles[-1]) // 2 if middles else top + placed.span // 2
    x, y = columns[level], min(max(top, middle - placed.height // 2), top + placed.span - placed.height)
    lines = tuple(_build_lines(placed.lines, x, y))
    end = x + placed.width - PADDING
    moment = LabelLine(end, lines[-1].y, placed.moment) if placed.moment else None
    seconds = parse_time(placed.node.time)
    boxes.append(
        NodeBox(
            x=x,
            y=y,
            width=placed.width,
            height=placed.height,
            level=min(level, 3),
            label=placed.node.label,
            lines=lines,
            moment=moment,
            seconds=seconds,
        )
    )
    start, end = x + placed.width, columns[level + 1] if placed.children else 0
    half = (start + end) // 2
    links += [
        f"M{start} {y + placed.height // 2}C{half} {y + placed.height // 2} {half} {m} {end} {m}" for m in middles
    ]
    return y + placed.height // 2


def _build_lines(texts: tuple[str, ...], x: int, y: int) -> Iterator[LabelLine]:
    for number, text in enumerate(texts):
        yield LabelLine(x + PADDING, y + PADDING // 2 + number * LINE + 13, text)
