"""What the mind map's templates get: the outline as rows, the picture, or the JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content.drafts import Working
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.branches import WINDOW, Branch, branch
from dashboard.ai_content.rules.drawing import Drawing, draw
from dashboard.ai_content.rules.mindmap import NODES_MAX, Node, Path
from dashboard.ai_content.rules.package import mark, written
from dashboard.shared import formats
from dashboard.shared.http import whole_number


@dataclass(frozen=True, slots=True)
class Row:
    """One node of the outline. `path` is its place in words the form understands: 0.2.1, "" for the root."""

    path: str
    name: str
    label: str
    level: int
    chosen: bool
    closed: bool
    hidden: bool
    children: int
    described: str
    more: str = ""
    """How many topics inside are not shown here."""
    more_address: str = ""


@dataclass(frozen=True)
class Step:
    """A link to another part of the map."""

    words: str
    address: str


@dataclass(frozen=True)
class MapPart:
    """templates/ai_content/_map.html: the outline and its picture."""

    address: str
    rows: tuple[Row, ...]
    drawing: Drawing | None
    summary: str
    seen: str
    stale: str
    at: str
    start: int
    is_part: bool
    above: tuple[Step, ...]
    beside: tuple[Step, ...]


@dataclass(frozen=True)
class MindmapPage:
    """templates/ai_content/mindmap.html."""

    there: bool
    map: MapPart | None
    json: str
    json_error: str
    json_seen: str
    address: str
    json_address: str
    json_apart: bool
    """The JSON is on a page of its own: this one would be too large with it."""
    json_alone: bool = False


def mindmap_page(
    editor: Editor,
    work: Working,
    *,
    chosen: Path = (),
    closed: frozenset[str] = frozenset(),
    stale: str = "",
    json: str | None = None,
    json_error: str = "",
    at: Path = (),
    start: int = 0,
) -> MindmapPage:
    """The page: a tree of labels as an outline, anything else as JSON."""
    value = work.values.get("mindmap")
    shown = map_part(editor, work, chosen, closed, stale, at, start)
    apart = shown is not None and shown.is_part and json is None
    return MindmapPage(
        there="mindmap" in work.values,
        map=shown,
        json="" if apart else json if json is not None else written(value, indent=2),
        json_apart=apart,
        json_error=json_error,
        json_seen=mark(value),
        address=editor.address("mindmap"),
        json_address=editor.address("mindmap_json"),
    )


def map_part(
    editor: Editor,
    work: Working,
    chosen: Path,
    closed: frozenset[str],
    stale: str = "",
    at: Path = (),
    start: int = 0,
) -> MapPart | None:
    """Outline and picture, of a large map one branch; None for what is no tree of labels."""
    value = work.values.get("mindmap")
    shape = maps.shape_of(value)
    if shape is None:
        return None
    root = maps.tree(value, shape)
    count, levels = sum(1 for _ in maps.walk(root)), maps.depth(root)
    topics = ngettext("%(count)s topic", "%(count)s topics", count) % {"count": formats.number(count)}
    depth = ngettext("%(count)s level", "%(count)s levels", levels) % {"count": levels}
    shown = branch(root, at, start, chosen)
    address = editor.address("mindmap")
    return MapPart(
        address=address,
        rows=tuple(_row(node, chosen, closed, shown, address) for node in maps.walk(shown.root)),
        drawing=draw(shown.root),
        summary=f"{topics}, {depth}",
        seen=mark(value),
        stale=stale,
        at=written_path(shown.root.path),
        start=shown.start,
        is_part=shown.hidden is not None,
        above=tuple(Step(node.label or "…", _address(address, node.path)) for node in shown.above),
        beside=tuple(_beside(shown, address)),
    )


def _address(address: str, at: Path, start: int = 0) -> str:
    return f"{address}?{urlencode({'at': written_path(at), 'from': start})}"


def _beside(shown: Branch, address: str) -> Iterator[Step]:
    if shown.start:
        earlier = _("Topics before these (%(count)s)") % {"count": formats.number(shown.start)}
        yield Step(earlier, _address(address, shown.root.path, shown.start - WINDOW))
    if shown.later:
        later = _("Topics after these (%(count)s)") % {"count": formats.number(shown.later)}
        yield Step(later, _address(address, shown.root.path, shown.start + WINDOW))


def written_path(path: Path) -> str:
    """0.2.1; "" for the root."""
    return ".".join(map(str, path))


def read_path(text: str) -> Path:
    """The path of `written_path`; the root for anything else."""
    pieces = text[:400].split(".") if text else []
    places = [whole_number(piece, NODES_MAX) for piece in pieces]
    return () if None in places else tuple(place for place in places if place is not None)


def _row(node: Node, chosen: Path, closed: frozenset[str], shown: Branch, address: str) -> Row:
    inside = (shown.hidden or {}).get(node.path, 0)
    path = written_path(node.path)
    above = (written_path(node.path[:length]) or "root" for length in range(len(node.path)))
    return Row(
        path=path,
        name=path or "root",
        label=node.label,
        level=len(node.path) - len(shown.root.path),
        chosen=node.path == chosen,
        closed=(path or "root") in closed,
        hidden=any(each in closed for each in above),
        children=len(node.children),
        described=_described(node),
        more=_count_inside(inside) if inside else "",
        more_address=_address(address, node.path) if inside else "",
    )


def _described(node: Node) -> str:
    """For readers who do not see the indentation."""
    level = _("Level %(level)s") % {"level": len(node.path) + 1}
    count = len(node.children)
    if not count:
        return level
    return f"{level}, {_count_inside(count)}"


def _count_inside(count: int) -> str:
    return ngettext("%(count)s topic inside", "%(count)s topics inside", count) % {"count": count}
