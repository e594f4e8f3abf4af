"""Pages of the mind map: the outline as rows, the diagram, or the JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content import sync
from dashboard.ai_content.editor import BlockContent, Editor
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.branches import WINDOW, Branch, get_branch
from dashboard.ai_content.rules.drawing import Drawing, NodeBox, draw_tree
from dashboard.ai_content.rules.mindmap import NODES_MAX, Node, Path
from dashboard.ai_content.rules.package import format_json, get_mark
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.videos import Video
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest, whole_number


@dataclass(frozen=True, slots=True)
class WrongTime:
    """A time that was typed and not saved, and why."""

    typed: str
    sentence: str


@dataclass(slots=True)
class TopicRow:
    """One node of the outline. `path` is its place in words the form understands: 0.2.1, "" for the root."""

    path: str
    name: str
    label: str
    level: int
    selected: bool
    closed: bool
    hidden: bool
    children: int
    described: str
    more: str = ""
    """How many topics inside are not shown here."""
    more_address: str = ""
    has_time: bool = False
    time: str = ""
    """As it is written, or as it was typed where that is no time."""
    seconds: str = ""
    moment: str = ""
    watch: str = ""
    """The page of the video, which plays from there."""
    is_wrong: bool = False


def build_mindmap(
    editor: Editor,
    content: BlockContent,
    shown: dict[str, Any] | None,
    *,
    json: str | None = None,
    json_error: str = "",
    json_alone: bool = False,
) -> dict[str, Any]:
    """What templates/ai_content/mindmap.html shows: the map as `build_map` has it, and the JSON.

    A large map's JSON is on a page of its own: `json_alone`.
    """
    value = content.values.get("mindmap")
    apart = shown is not None and shown["is_part"] and json is None
    return {
        "is_there": "mindmap" in content.values,
        "map": None if json_alone else shown,
        "json": "" if apart else format_json(value, indent=2) if json is None else json,
        "json_apart": apart,
        "json_alone": json_alone,
        "json_error": json_error,
        "json_mark": get_mark(value),
        "video": load_video(editor) if shown is not None and shown["has_times"] else None,
    }


def load_video(editor: Editor) -> Video | None:
    """The video of the map; None where it cannot be read now."""
    try:
        return sync.get_video(editor.request, editor.document.video_id)
    except CallError:
        return None


def get_shown_part(request: OwnerRequest) -> tuple[Path, int]:
    """Which part of a large map is shown: the path of its first topic, and the place of the first one inside it."""
    fields = request.POST if request.method == "POST" else request.GET
    return parse_path(fields.get("at", "")), whole_number(fields.get("from", ""), NODES_MAX) or 0


def build_map(
    editor: Editor,
    content: BlockContent,
    *,
    selected: Path = (),
    closed: frozenset[str] = frozenset(),
    stale: str = "",
    wrong: Mapping[Path, WrongTime] = MappingProxyType({}),
) -> dict[str, Any] | None:
    """What templates/ai_content/_map.html shows: outline and picture, of a large map one branch.

    None for what is no tree of labels. `has_times`: a map of the platform's own shape, or one with a time somewhere.
    """
    value = content.values.get("mindmap")
    shape = maps.find_shape(value)
    if shape is None:
        return None
    root = maps.build_tree(value, shape)
    count, levels = sum(1 for _ in maps.walk(root)), maps.get_depth(root)
    topics = ngettext("%(count)s topic", "%(count)s topics", count) % {"count": formats.number(count)}
    depth = ngettext("%(count)s level", "%(count)s levels", levels) % {"count": levels}
    branch = get_branch(root, *get_shown_part(editor.request), selected)
    address = editor.address("mindmap")
    has_times = shape.is_platform or any(node.time for node in maps.walk(root))
    watch = reverse("videos:video", args=[editor.document.video_id])
    drawing, rows = draw_tree(branch.root), []
    for node in maps.walk(branch.root):
        rows.append(_build_row(node, selected, closed, branch, address))
        if has_times and (node.path or node.time):
            _add_time(rows[-1], node, watch, wrong.get(node.path))
    return {
        "address": address,
        "rows": rows,
        "has_times": has_times,
        "wrong_times": [time.sentence for time in wrong.values()],
        "drawing": drawing,
        "nodes": _draw_nodes(drawing),
        "summary": f"{topics}, {depth}",
        "mark": get_mark(value),
        "stale": stale,
        "at": format_path(branch.root.path),
        "start": branch.start,
        "is_part": branch.hidden is not None,
        "above": [(node.label or "…", _build_address(address, node.path)) for node in branch.above],
        "beside": list(_list_neighbours(branch, address)),
    }


def _draw_nodes(drawing: Drawing) -> SafeString:
    """The nodes of the diagram, drawn in Python: a template took a third of the page's time."""
    return mark_safe("".join(map(_draw_box, drawing.boxes)))  # noqa: S308  (labels are escaped)


def _draw_box(box: NodeBox) -> str:
    lines = "".join([f'<tspan x="{line.x}" y="{line.y}">{escape(line.text)}</tspan>' for line in box.lines])
    if shown := box.moment:
        lines += f'<tspan class="drawing__moment" x="{shown.x}" y="{shown.y}">{shown.text}</tspan>'
    seek = when = ""
    if box.seconds is not None:
        seek, when = f' data-seek="{box.seconds:.3f}"', f" ({formats.clock(box.seconds)})"
    return (
        f'<g class="drawing__node drawing__node--{box.level}"{seek}><title>{escape(box.label)}{when}</title>'
        f'<rect x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="6"/><text>{lines}</text></g>'
    )


def _build_address(address: str, at: Path, start: int = 0) -> str:
    return f"{address}?{urlencode({'at': format_path(at), 'from': start})}"


def _list_neighbours(branch: Branch, address: str) -> Iterator[tuple[str, str]]:
    if branch.start:
        earlier = _("Topics before these (%(count)s)") % {"count": formats.number(branch.start)}
        yield (earlier, _build_address(address, branch.root.path, branch.start - WINDOW))
    if branch.later:
        later = _("Topics after these (%(count)s)") % {"count": formats.number(branch.later)}
        yield (later, _build_address(address, branch.root.path, branch.start + WINDOW))


def format_path(path: Path) -> str:
    """0.2.1; "" for the root."""
    return ".".join(map(str, path))


def parse_path(text: str) -> Path:
    """Parse the path of `format_path`; the root for anything else."""
    pieces = text[:400].split(".") if text else []
    places = [whole_number(piece, NODES_MAX) for piece in pieces]
    return () if None in places else tuple(place for place in places if place is not None)


def _build_row(node: Node, selected: Path, closed: frozenset[str], branch: Branch, address: str) -> TopicRow:
    inside = (branch.hidden or {}).get(node.path, 0)
    path = format_path(node.path)
    above = (format_path(node.path[:length]) or "root" for length in range(len(node.path)))
    return TopicRow(
        path=path,
        name=path or "root",
        label=node.label,
        level=len(node.path) - len(branch.root.path),
        selected=node.path == selected,
        closed=(path or "root") in closed,
        hidden=any(each in closed for each in above),
        children=len(node.children),
        described=_describe_node(node),
        more=_format_count(inside) if inside else "",
        more_address=_build_address(address, node.path) if inside else "",
    )


def _add_time(row: TopicRow, node: Node, watch: str, wrong: WrongTime | None) -> None:
    """Give the row the moment of its topic, which can be typed and played."""
    row.has_time, row.is_wrong, row.time = True, wrong is not None, wrong.typed if wrong else node.time
    if (seconds := maps.parse_time(node.time)) is not None:
        row.seconds, row.moment, row.watch = f"{seconds:.3f}", formats.clock(seconds), f"{watch}?t={int(seconds)}"


def _describe_node(node: Node) -> str:
    """Describe the level of a node for screen readers."""
    level = _("Level %(level)s") % {"level": len(node.path) + 1}
    count = len(node.children)
    if not count:
        return level
    return f"{level}, {_format_count(count)}"


def _format_count(count: int) -> str:
    return ngettext("%(count)s topic inside", "%(count)s topics inside", count) % {"count": count}
