"""What the templates of folders get: every decision is already a boolean, an address or a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.folders import rules
from dashboard.folders.rules import PER_PAGE, Forest, Found, Node
from dashboard.shared import formats
from dashboard.shared.addresses import address


@dataclass(frozen=True)
class View:
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
    """One level of the tree: as many as are shown at once, and the way to the next ones."""

    branches: tuple[Branch, ...]
    more: str
    more_here: str
    more_words: str


def level(view: View, nodes: Sequence[Node], forest: Forest, way: Sequence[Node], parent: str, start: int = 0) -> Level:
    """The folders `nodes` of `parent` from `start` on; those on the way to the current folder are open."""
    open_ids = {one.id for one in way}
    shown = list(nodes[start : start + PER_PAGE])
    # The way down must be visible even where it lies beyond the first hundred.
    shown += [one for one in nodes[start + PER_PAGE :] if one.id in open_ids] if start == 0 else []
    rest = len(nodes) - start - PER_PAGE
    more = start + PER_PAGE if rest > 0 else 0
    return Level(
        branches=tuple(_branch(view, one, forest, way, one.id in open_ids) for one in shown),
        more=address("folders:children", parent or "root", inactive="1" if view.inactive else "", start=more)
        if more
        else "",
        more_here=view.address(folder=parent, find="", start=more) if more else "",
        more_words=ngettext("%(count)s more folder", "%(count)s more folders", rest) % {"count": formats.number(rest)}
        if more
        else "",
    )


def _branch(view: View, one: Node, forest: Forest, way: Sequence[Node], is_open: bool) -> Branch:
    below = forest.children(one.id) if is_open else ()
    may_have = bool(forest.children(one.id)) or not forest.whole
    return Branch(
        id=one.id,
        name=one.name or one.id,
        address=view.address(folder=one.id, find="", start=0),
        count=count_words(one.videos),
        active=one.active,
        current=bool(way) and way[-1].id == one.id,
        children=address("folders:children", one.id, inactive="1" if view.inactive else "") if may_have else "",
        below=level(view, below, forest, way, one.id) if below else None,
    )


def count_words(videos: int | None) -> str:
    """12 videos; nothing where the platform did not say."""
    if videos is None:
        return ""
    return ngettext("%(count)s video", "%(count)s videos", videos) % {"count": formats.number(videos)}


@dataclass(frozen=True)
class Row:
    """One folder of the list: of the current folder, or found by name with the way to it."""

    name: str
    address: str
    count: str
    active: bool
    way: str
    videos: str


@dataclass(frozen=True)
class Crumb:
    """One folder above."""

    name: str
    address: str


@dataclass(frozen=True)
class FoldersPage:
    """templates/folders/folders.html."""

    view: View
    tree: Level
    title: str
    note: str
    crumbs: tuple[Crumb, ...]
    rows: tuple[Row, ...]
    found: str
    searching: bool
    videos: str
    chats: str
    range: str
    previous: str
    following: str
    switch: str
    everything: str
    empty: bool
    inactive_here: bool


def folders_page(view: View, forest: Forest, way: tuple[Node, ...], found: Found | None) -> FoldersPage:
    """The tree with the way to the current folder open, and beside it what is in that folder, or what was found."""
    here = way[-1] if way else None
    nodes = found.nodes if found else forest.children(view.folder)
    shown = nodes if found else nodes[view.start : view.start + PER_PAGE]
    ends = view.start + len(shown)
    return FoldersPage(
        view=view,
        tree=level(view, forest.children(""), forest, way, "", view.start if not view.folder and not found else 0),
        title=_("Folders found") if found else (here.name or here.id) if here else _("All folders"),
        note="" if found else count_words(here.videos) if here else "",
        crumbs=tuple(Crumb(one.name or one.id, view.address(folder=one.id, find="", start=0)) for one in way[:-1]),
        rows=tuple(_row(view, one, forest, found is not None) for one in shown),
        found=_found(found) if found else "",
        searching=found is not None,
        videos=_inside("videos:videos", view.folder),
        chats=_inside("assistants:assistants", view.folder),
        range="" if found or len(nodes) <= PER_PAGE else _range(view.start + 1, ends, len(nodes)),
        previous=view.address(start=view.start - PER_PAGE) if view.start and not found else "",
        following=view.address(start=ends) if not found and ends < len(nodes) else "",
        switch=view.address(inactive=not view.inactive, start=0),
        everything=view.address(find="", folder="", start=0),
        empty=not forest.nodes,
        inactive_here=here is not None and not here.active,
    )


def _range(first: int, last: int, total: int) -> str:
    return _("%(first)s to %(last)s of %(total)s") % {
        "first": formats.number(first),
        "last": formats.number(last),
        "total": formats.number(total),
    }


def _found(found: Found) -> str:
    said = ngettext("%(count)s folder", "%(count)s folders", found.count) % {"count": formats.number(found.count)}
    if found.count > len(found.nodes):
        return _("%(folders)s, the first %(most)s are shown. Type more of the name.") % {
            "folders": said,
            "most": formats.number(len(found.nodes)),
        }
    return said


def _row(view: View, one: Node, forest: Forest, with_way: bool) -> Row:
    way = rules.way_words(forest.path(one.id)[:-1]) if with_way else ""
    return Row(
        name=one.name or one.id,
        address=view.address(folder=one.id, find="", start=0),
        count=count_words(one.videos),
        active=one.active,
        way=way,
        videos=_inside("videos:videos", one.id),
    )


def _inside(page: str, folder: str) -> str:
    """The page of the videos directly in a folder. An id that is no uuid cannot be asked for."""
    try:
        return address(page, folder=str(UUID(folder)))
    except ValueError:
        return ""


def view_of(folder: str, find: str, inactive: str, start: str) -> View:
    """What a query string asks for; anything not understood counts as not said."""
    return View(folder.strip()[:64], find.strip()[:200], inactive == "1", rules.start_of(start))
