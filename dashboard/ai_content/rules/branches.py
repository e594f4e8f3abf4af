"""The part of a large mind map that one page shows: one branch, as deep and as wide as fits."""

from dataclasses import dataclass
from typing import Final

from dashboard.ai_content.rules.mindmap import Node, Path, walk

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


def branch(root: Node, at: Path, start: int, chosen: Path = ()) -> Branch:
    """The whole of a small map; of a large one the branch at `at`, or the one beside which `chosen` stands."""
    if sum(1 for _ in walk(root)) <= WHOLE_MOST:
        return Branch(root)
    found = _part(root, at, start)
    if chosen and not any(node.path == chosen for node in walk(found.root)):
        found = _part(root, chosen[:-1], chosen[-1])
    return found


def _part(root: Node, at: Path, start: int) -> Branch:
    above: list[Node] = []
    node = root
    for place in at:
        if not 0 <= place < len(node.children):
            break
        above.append(node)
        node = node.children[place]
    start = min(max(start, 0), max(len(node.children) - 1, 0)) // WINDOW * WINDOW
    shown = node.children[start : start + WINDOW]
    depth, count, level = 0, 1 + len(shown), list(shown)
    while level:
        depth += 1
        level = [child for each in level for child in each.children]
        count += len(level)
        if count > ROWS_MOST:
            break
    hidden: dict[Path, int] = {}
    children = tuple(_pruned(child, depth - 1, hidden) for child in shown)
    later = len(node.children) - start - len(shown)
    return Branch(Node(node.path, node.label, children), tuple(above), hidden, start, later)


def _pruned(node: Node, depth: int, hidden: dict[Path, int]) -> Node:
    if depth > 0:
        return Node(node.path, node.label, tuple(_pruned(child, depth - 1, hidden) for child in node.children))
    if node.children:
        hidden[node.path] = sum(1 for _ in walk(node)) - 1
    return Node(node.path, node.label, ())
