"""View models of the folder templates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.folders import rules
from dashboard.folders.rules import PER_PAGE, Forest, Matches, Node
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.text import parse_uuid


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


@dataclass(frozen=True)
class Branch:
    """One folder in the tree. `children` is where its level is fetched ("": it certainly has none); `below` is open."""

    id: str
    name: str
    address: str
    count: str
    active: bool
    current: bool
    children: str
    below: "Level | None"


@dataclass(frozen=True)
class Level:
    """One level of the tree: `PER_PAGE` folders, and the address of the next ones."""

    branches: tuple[Branch, ...]
    more: str
    more_here: str
    more_words: str


def build_level(
    view: FolderView, nodes: Sequence[Node], forest: Forest, ancestors: Sequence[Node], parent: str, start: int = 0
) -> Level:
    """The folders `nodes` of `parent` from `start` on; ancestors of the current folder are open."""
    open_ids = {node.id for node in ancestors}
    visible = list(nodes[start : start + PER_PAGE])
    # The way down must be visible even where it lies beyond the first hundred.
    visible += [node for node in nodes[start + PER_PAGE :] if node.id in open_ids] if start == 0 else []
    rest = len(nodes) - start - PER_PAGE
    more = start + PER_PAGE if rest > 0 else 0
    return Level(
        branches=tuple(_build_branch(view, node, forest, ancestors, node.id in open_ids) for node in visible),
        more=address("folders:children", parent or "root", inactive="1" if view.inactive else "", start=more)
        if more
        else "",
        more_here=view.address(folder=parent, find="", start=more) if more else "",
        more_words=ngettext("%(count)s more folder", "%(count)s more folders", rest) % {"count": formats.number(rest)}
        if more
        else "",
    )


def _build_branch(view: FolderView, node: Node, forest: Forest, ancestors: Sequence[Node], is_open: bool) -> Branch:
    below = forest.children(node.id) if is_open else ()
    may_have = bool(forest.children(node.id)) or not forest.whole
    return Branch(
        id=node.id,
        name=node.name or node.id,
        address=view.address(folder=node.id, find="", start=0),
        count="" if node.videos is None else formats.videos(node.videos),
        active=node.active,
        current=bool(ancestors) and ancestors[-1].id == node.id,
        children=address("folders:children", node.id, inactive="1" if view.inactive else "") if may_have else "",
        below=build_level(view, below, forest, ancestors, node.id) if below else None,
    )


@dataclass(frozen=True)
class FolderRow:
    """One folder of the list: of the current folder, or found by name with the way to it."""

    name: str
    address: str
    count: str
    active: bool
    way: str
    videos: str


@dataclass(frozen=True)
class FolderCrumb:
    """One folder above."""

    name: str
    address: str


@dataclass(frozen=True)
class FoldersPage:
    """templates/folders/folders.html."""

    view: FolderView
    tree: Level
    title: str
    note: str
    crumbs: tuple[FolderCrumb, ...]
    rows: tuple[FolderRow, ...]
    match_count: str
    searching: bool
    videos: str
    chats: str
    report: str
    range: str
    previous: str
    following: str
    switch: str
    everything: str
    empty: bool
    inactive_here: bool


def build_folders_page(
    view: FolderView, forest: Forest, ancestors: tuple[Node, ...], matches: Matches | None
) -> FoldersPage:
    """Build the page: the tree, open up to the current folder, and the folders in it, or those that match a search."""
    current = ancestors[-1] if ancestors else None
    nodes = matches.nodes if matches else forest.children(view.folder)
    page_nodes = nodes if matches else nodes[view.start : view.start + PER_PAGE]
    ends = view.start + len(page_nodes)
    return FoldersPage(
        view=view,
        tree=build_level(
            view, forest.children(""), forest, ancestors, "", view.start if not view.folder and not matches else 0
        ),
        title=_("Folders found") if matches else (current.name or current.id) if current else _("All folders"),
        note="" if matches else formats.videos(current.videos) if current and current.videos is not None else "",
        crumbs=tuple(
            FolderCrumb(node.name or node.id, view.address(folder=node.id, find="", start=0)) for node in ancestors[:-1]
        ),
        rows=tuple(_build_row(view, node, forest, matches is not None) for node in page_nodes),
        match_count=_format_match_count(matches) if matches else "",
        searching=matches is not None,
        videos=_build_folder_address("videos:videos", view.folder),
        chats=_build_folder_address("assistants:assistants", view.folder),
        report=address("reports:report", about=f"folder:{view.folder}") if view.folder else "",
        range="" if matches or len(nodes) <= PER_PAGE else _format_range(view.start + 1, ends, len(nodes)),
        previous=view.address(start=view.start - PER_PAGE) if view.start and not matches else "",
        following=view.address(start=ends) if not matches and ends < len(nodes) else "",
        switch=view.address(inactive=not view.inactive, start=0),
        everything=view.address(find="", folder="", start=0),
        empty=not forest.nodes,
        inactive_here=current is not None and not current.active,
    )


def _format_range(first: int, last: int, total: int) -> str:
    return _("%(first)s to %(last)s of %(total)s") % {
        "first": formats.number(first),
        "last": formats.number(last),
        "total": formats.number(total),
    }


def _format_match_count(matches: Matches) -> str:
    count = ngettext("%(count)s folder", "%(count)s folders", matches.count) % {"count": formats.number(matches.count)}
    if matches.count > len(matches.nodes):
        return _("%(folders)s, showing the first %(most)s. Type more of the name.") % {
            "folders": count,
            "most": formats.number(len(matches.nodes)),
        }
    return count


def _build_row(view: FolderView, node: Node, forest: Forest, with_way: bool) -> FolderRow:
    path = rules.format_path(forest.path(node.id)[:-1]) if with_way else ""
    return FolderRow(
        name=node.name or node.id,
        address=view.address(folder=node.id, find="", start=0),
        count="" if node.videos is None else formats.videos(node.videos),
        active=node.active,
        way=path,
        videos=_build_folder_address("videos:videos", node.id),
    )


def _build_folder_address(page: str, folder: str) -> str:
    """The page of the videos in a folder; "" for an id that is no UUID."""
    folder_id = parse_uuid(folder)
    return address(page, folder=str(folder_id)) if folder_id else ""


def parse_view(folder: str, find: str, inactive: str, start: str) -> FolderView:
    """Parse a query string. Unknown parameters are ignored."""
    return FolderView(folder.strip()[:64], find.strip()[:200], inactive == "1", rules.parse_start(start))
