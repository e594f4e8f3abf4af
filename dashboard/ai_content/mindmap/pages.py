"""What the mind map's templates get: the outline as rows, the picture, or the JSON."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content.drafts import Working
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.drawing import Drawing, draw
from dashboard.ai_content.rules.mindmap import Node, Path
from dashboard.ai_content.rules.package import mark, written
from dashboard.shared import words


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


@dataclass(frozen=True)
class MapPart:
    """templates/ai_content/_map.html: the outline and its picture."""

    address: str
    rows: tuple[Row, ...]
    drawing: Drawing | None
    summary: str
    seen: str
    stale: str


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


def mindmap_page(
    hand: Editor,
    work: Working,
    *,
    chosen: Path = (),
    closed: frozenset[str] = frozenset(),
    stale: str = "",
    json: str | None = None,
    json_error: str = "",
) -> MindmapPage:
    """The page: a tree of labels as an outline, anything else as JSON."""
    value = work.values.get("mindmap")
    return MindmapPage(
        there="mindmap" in work.values,
        map=map_part(hand, work, chosen, closed, stale),
        json=json if json is not None else written(value, indent=2),
        json_error=json_error,
        json_seen=mark(value),
        address=hand.address("mindmap"),
        json_address=hand.address("mindmap_json"),
    )


def map_part(hand: Editor, work: Working, chosen: Path, closed: frozenset[str], stale: str = "") -> MapPart | None:
    """Outline and picture; None for what is no tree of labels."""
    value = work.values.get("mindmap")
    shape = maps.shape_of(value)
    if shape is None:
        return None
    root = maps.tree(value, shape)
    nodes = list(maps.walk(root))
    levels = maps.depth(root)
    topics = ngettext("%(count)s topic", "%(count)s topics", len(nodes)) % {"count": words.number(len(nodes))}
    depth = ngettext("%(count)s level", "%(count)s levels", levels) % {"count": levels}
    return MapPart(
        address=hand.address("mindmap"),
        rows=tuple(_row(node, chosen, closed) for node in nodes),
        drawing=draw(root),
        summary=f"{topics}, {depth}",
        seen=mark(value),
        stale=stale,
    )


def written_path(path: Path) -> str:
    """0.2.1; "" for the root."""
    return ".".join(map(str, path))


def read_path(text: str) -> Path:
    """The path of `written_path`; the root for anything else."""
    pieces = text[:400].split(".") if text else []
    return tuple(int(piece) for piece in pieces) if all(piece.isdigit() for piece in pieces) else ()


def _row(node: Node, chosen: Path, closed: frozenset[str]) -> Row:
    path = written_path(node.path)
    above = (written_path(node.path[:length]) or "root" for length in range(len(node.path)))
    return Row(
        path=path,
        name=path or "root",
        label=node.label,
        level=len(node.path),
        chosen=node.path == chosen,
        closed=(path or "root") in closed,
        hidden=any(each in closed for each in above),
        children=len(node.children),
        described=_described(node),
    )


def _described(node: Node) -> str:
    """For readers who do not see the indentation."""
    level = _("Level %(level)s") % {"level": len(node.path) + 1}
    count = len(node.children)
    if not count:
        return level
    inside = ngettext("%(count)s topic inside", "%(count)s topics inside", count) % {"count": count}
    return f"{level}, {inside}"
