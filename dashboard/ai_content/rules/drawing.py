"""Layout of a mind map's diagram: a tree from left to right, as coordinates for an SVG template."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dashboard.ai_content.rules.mindmap import Node, parse_time
from dashboard.shared.formats import clock

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
    return _MeasuredNode(node, lines, moment.strip(), width, height, children, max(height, below))


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
    boxes.append(NodeBox(x, y, placed.width, placed.height, min(level, 3), placed.node.label, lines, moment, seconds))
    start, end = x + placed.width, columns[level + 1] if placed.children else 0
    half = (start + end) // 2
    links += [
        f"M{start} {y + placed.height // 2}C{half} {y + placed.height // 2} {half} {m} {end} {m}" for m in middles
    ]
    return y + placed.height // 2


def _build_lines(texts: tuple[str, ...], x: int, y: int) -> Iterator[LabelLine]:
    for number, text in enumerate(texts):
        yield LabelLine(x + PADDING, y + PADDING // 2 + number * LINE + 13, text)
