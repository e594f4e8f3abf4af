"""The part of a large mind map that one page shows: one branch, limited in depth and width."""

from dataclasses import dataclass, replace
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
    return Branch(replace(node, children=children), tuple(above), hidden, start, later)


def _prune(node: Node, depth: int, hidden: dict[Path, int]) -> Node:
    if depth > 0:
        return replace(node, children=tuple(_prune(child, depth - 1, hidden) for child in node.children))
    if node.children:
        hidden[node.path] = sum(1 for _ in walk(node)) - 1
    return replace(node, children=())
