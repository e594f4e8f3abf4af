"""A forest out of the platform's flat or level-by-level answers. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from dashboard.platform_api.folders import Folder
from dashboard.shared.text import fold, parse_uuid

PER_PAGE = 100
"""Folders of one level that are shown at once, in the tree and in the list."""
FOUND_MOST = 50
DEEPEST = 64
"""More levels than this are an error in the data; paths stop there."""


class Node(NamedTuple):
    """What is shown of a folder: small enough to keep ten thousand of them for a minute."""

    id: str
    name: str
    parent: str
    """"" in the root."""
    videos: int | None
    active: bool

    @property
    def uuid(self) -> UUID | None:
        """Its id, as pages of its videos take it; None for one that is no UUID."""
        return parse_uuid(self.id)


def build_node(folder: Folder) -> Node:
    """A folder of the platform as a node."""
    return Node(
        folder.id, folder.name, parent=folder.parent_folder_id or "", videos=folder.videos_count, active=folder.active
    )


@dataclass(frozen=True)
class Forest:
    """Nodes by id, and children by parent. `whole`: the answer went below the root, so it holds the whole tree."""

    nodes: Mapping[str, Node]
    below: Mapping[str, Sequence[Node]] = field(repr=False)
    whole: bool = False

    def children(self, parent: str) -> Sequence[Node]:
        """Direct children in order of name; "" for the root."""
        return self.below.get(parent, ())

    def path(self, folder_id: str) -> tuple[Node, ...]:
        """The path from the root to the folder, included; () when it is unknown. A cycle ends the path."""
        ancestors: list[Node] = []
        visited: set[str] = set()
        current = folder_id
        while current and current not in visited and current in self.nodes and len(ancestors) < DEEPEST:
            visited.add(current)
            ancestors.append(self.nodes[current])
            current = self.nodes[current].parent
        return tuple(reversed(ancestors))


def build_forest(nodes: Iterable[Node]) -> Forest:
    """Build a forest. A node whose parent is missing is put into the root, so that it can be reached."""
    known = {node.id: node for node in nodes}
    below: dict[str, list[Node]] = {}
    for node in known.values():
        below.setdefault(node.parent if node.parent in known else "", []).append(node)
    for siblings in below.values():
        siblings.sort(key=lambda node: (fold(node.name), node.id))
    _attach_cycles_to_root(known, below)
    return Forest(known, below, whole=any(node.parent for node in known.values()))


def _attach_cycles_to_root(known: Mapping[str, Node], below: dict[str, list[Node]]) -> None:
    """Break parent cycles by attaching one folder of each cycle to the root."""
    reached: set[str] = set()
    waiting = list(below.get("", ()))
    for node in known.values():
        while waiting:
            current = waiting.pop()
            if current.id not in reached:
                reached.add(current.id)
                waiting += below.get(current.id, ())
        if len(reached) == len(known):
            return
        if node.id not in reached:
            below.setdefault("", []).append(node)
            waiting = [node]


def format_path(ancestors: Sequence[Node]) -> str:
    """The names of the ancestors, from the root; of a long path the first and the last two."""
    names = [node.name or node.id for node in ancestors]
    return " / ".join(names if len(names) <= 4 else [names[0], "…", *names[-2:]])


@dataclass(frozen=True)
class Matches:
    """Folders whose name contains the words, the ones that begin with them first; `count` is how many there are."""

    nodes: tuple[Node, ...]
    count: int


def find_by_name(forest: Forest, words: str, most: int = FOUND_MOST) -> Matches:
    """By name, without regard to case and accents."""
    needle = fold(words.strip())
    if not needle:
        return Matches((), 0)
    hits = [
        (place, name, node) for node in forest.nodes.values() if (place := (name := fold(node.name)).find(needle)) >= 0
    ]
    hits.sort(key=lambda hit: (hit[0] > 0, hit[1], hit[2].id))
    return Matches(tuple(node for _place, _name, node in hits[:most]), len(hits))


def parse_start(text: str) -> int:
    """Where a level is cut, from the address: a multiple of PER_PAGE, 0 for anything else."""
    if text.isascii() and text.isdigit() and len(text) < 8:
        return int(text) // PER_PAGE * PER_PAGE
    return 0
