"""What an address asks of the folders, the levels of the tree, and how many were found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.folders import rules
from dashboard.folders.rules import PER_PAGE, Forest, Matches, Node
from dashboard.shared import formats
from dashboard.shared.addresses import address


@dataclass(frozen=True)
class FolderView:
    """What the address asks for."""

    folder: str = ""
    find: str = ""
    inactive: bool = False
    start: int = 0

    def address(self, *, wait: bool = False, **changes: object) -> str:
        """The address of this view with changes; `wait`: however long the platform takes."""
        new = replace(self, **changes)  # type: ignore[arg-type]  # fields by name
        return address(
            "folders:folders",
            folder=new.folder,
            find=new.find,
            inactive="1" if new.inactive else "",
            start=new.start or "",
            wait="1" if wait else "",
        )


class Branch(NamedTuple):
    """One folder in the tree. `children` is where its level is fetched ("": it certainly has none); `below` is open."""

    node: Node
    is_current: bool
    children: str
    below: "Level | None"


@dataclass(frozen=True)
class Level:
    """One level of the tree, of the folder `parent`: some of its folders; `rest` more follow from `next_start` on."""

    branches: tuple[Branch, ...]
    parent: str
    next_start: int
    rest: int


def build_level(
    nodes: Sequence[Node], forest: Forest, ancestors: Sequence[Node] = (), parent: str = "", start: int = 0
) -> Level:
    """The folders `nodes` of `parent` from `start` on; ancestors of the current folder are open."""
    open_ids = {node.id for node in ancestors}
    visible = list(nodes[start : start + PER_PAGE])
    # The way down must be visible even where it lies beyond the first hundred.
    visible += [node for node in nodes[start + PER_PAGE :] if node.id in open_ids] if start == 0 else []
    branches = tuple(_build_branch(node, forest, ancestors, node.id in open_ids) for node in visible)
    return Level(branches, parent, start + PER_PAGE, max(0, len(nodes) - start - PER_PAGE))


def _build_branch(node: Node, forest: Forest, ancestors: Sequence[Node], is_open: bool) -> Branch:
    below = forest.children(node.id)
    return Branch(
        node,
        is_current=bool(ancestors) and ancestors[-1].id == node.id,
        children=address("folders:children", node.id) if below or not forest.whole else "",
        below=build_level(below, forest, ancestors, node.id) if is_open and below else None,
    )


def format_match_count(matches: Matches) -> str:
    """12 folders, and that not all are shown where that is so."""
    count = ngettext("%(count)s folder", "%(count)s folders", matches.count) % {"count": formats.number(matches.count)}
    if matches.count > len(matches.nodes):
        return _("%(folders)s, showing the first %(most)s. Type more of the name.") % {
            "folders": count,
            "most": formats.number(len(matches.nodes)),
        }
    return count


def parse_view(folder: str, find: str, inactive: str, start: str) -> FolderView:
    """Parse a query string. Unknown parameters are ignored."""
    return FolderView(folder.strip()[:64], find.strip()[:200], inactive == "1", rules.parse_start(start))
