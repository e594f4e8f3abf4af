"""The mind map: outline and diagram, or JSON for anything but a tree of labels."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.ai_content import pages, versions
from dashboard.ai_content.editor import BlockContent, Edit, Editor, StaleForm, replace_block
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.package import Block, NotAPackage, format_json, get_mark, is_same, parse_package
from dashboard.ai_content.rules.quiz import apply_typed_text
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.values import JSON
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
        return versions.get_video(editor.request, editor.document.video_id)
    except CallError:
        return None


def get_shown_part(request: OwnerRequest) -> tuple[maps.Path, int]:
    """Which part of a large map is shown: the path of its first topic, and the place of the first one inside it."""
    fields = request.POST if request.method == "POST" else request.GET
    return parse_path(fields.get("at", "")), whole_number(fields.get("from", ""), maps.NODES_MAX) or 0


def build_map(
    editor: Editor,
    content: BlockContent,
    *,
    selected: maps.Path = (),
    closed: frozenset[str] = frozenset(),
    stale: str = "",
    wrong: Mapping[maps.Path, WrongTime] = MappingProxyType({}),
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
    branch = maps.get_branch(root, *get_shown_part(editor.request), selected)
    address = editor.address("mindmap")
    has_times = shape.is_platform or any(node.time for node in maps.walk(root))
    watch = reverse("videos:video", args=[editor.document.video_id])
    drawing, rows = maps.draw_tree(branch.root), []
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


def _draw_nodes(drawing: maps.Drawing) -> SafeString:
    """The nodes of the diagram, drawn in Python: a template took a third of the page's time."""
    return mark_safe("".join(map(_draw_box, drawing.boxes)))  # noqa: S308  (labels are escaped)


def _draw_box(box: maps.NodeBox) -> str:
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


def _build_address(address: str, at: maps.Path, start: int = 0) -> str:
    return f"{address}?{urlencode({'at': format_path(at), 'from': start})}"


def _list_neighbours(branch: maps.Branch, address: str) -> Iterator[tuple[str, str]]:
    if branch.start:
        earlier = _("Topics before these (%(count)s)") % {"count": formats.number(branch.start)}
        yield (earlier, _build_address(address, branch.root.path, branch.start - maps.WINDOW))
    if branch.later:
        later = _("Topics after these (%(count)s)") % {"count": formats.number(branch.later)}
        yield (later, _build_address(address, branch.root.path, branch.start + maps.WINDOW))


def format_path(path: maps.Path) -> str:
    """0.2.1; "" for the root."""
    return ".".join(map(str, path))


def parse_path(text: str) -> maps.Path:
    """Parse the path of `format_path`; the root for anything else."""
    pieces = text[:400].split(".") if text else []
    places = [whole_number(piece, maps.NODES_MAX) for piece in pieces]
    return () if None in places else tuple(place for place in places if place is not None)


def _build_row(
    node: maps.Node, selected: maps.Path, closed: frozenset[str], branch: maps.Branch, address: str
) -> TopicRow:
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


def _add_time(row: TopicRow, node: maps.Node, watch: str, wrong: WrongTime | None) -> None:
    """Give the row the moment of its topic, which can be typed and played."""
    row.has_time, row.is_wrong, row.time = True, wrong is not None, wrong.typed if wrong else node.time
    if (seconds := maps.parse_time(node.time)) is not None:
        row.seconds, row.moment, row.watch = f"{seconds:.3f}", formats.clock(seconds), f"{watch}?t={int(seconds)}"


def _describe_node(node: maps.Node) -> str:
    """Describe the level of a node for screen readers."""
    level = _("Level %(level)s") % {"level": len(node.path) + 1}
    count = len(node.children)
    if not count:
        return level
    return f"{level}, {_format_count(count)}"


def _format_count(count: int) -> str:
    return ngettext("%(count)s topic inside", "%(count)s topics inside", count) % {"count": count}


KEEP = "keep"
CODES = {
    maps.Move.ADD_BELOW: "node_added",
    maps.Move.ADD_INSIDE: "node_added",
    maps.Move.DUPLICATE: "node_added",
    maps.Move.DELETE: "node_deleted",
}


@require_http_methods(["GET", "POST"])
@pages.with_document
def mindmap(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The page, and what its outline sends."""
    if request.method == "POST":
        return _edit_outline(request, editor)
    content, (selected, _start) = editor.get_content(Block.MINDMAP), get_shown_part(request)
    return _render_page(editor, content, build_map(editor, content, selected=selected))


def _edit_outline(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Store the typed labels, then apply the button's action to the selected node."""
    action = request.POST.get("do", KEEP)
    selected = parse_path(request.POST.get("node", ""))
    closed = frozenset(request.POST.getlist("closed"))
    paths: list[maps.Path] = [selected]
    wrong: dict[maps.Path, WrongTime] = {}

    def change(content: BlockContent) -> Edit | None:
        wrong.clear()
        edit, paths[0] = _build_edit(content, editor, action, selected, wrong)
        return edit

    try:
        content = editor.edit(Block.MINDMAP, change)
    except (StaleForm, maps.NoSuchNode):
        text = _("The outline changed in another window. It is shown as it is now; what you typed is below.")
        content = editor.get_content(Block.MINDMAP)
        return _render_answer(editor, content, (), closed, stale=text, status=422)
    return _render_answer(editor, content, paths[0], closed, status=422 if wrong else 200, wrong=wrong)


def _build_edit(
    content: BlockContent, editor: Editor, action: str, selected: maps.Path, wrong: dict[maps.Path, WrongTime]
) -> tuple[Edit | None, maps.Path]:
    """Build the edit of the form, and the path of the selected node. Raises `StaleForm` where the outline has changed.

    With a time that is `wrong` the topics stay where they are, so that it stands where it was typed.
    """
    request = editor.request
    before = content.values.get("mindmap")
    shape = maps.find_shape(before)
    if shape is None:
        raise StaleForm
    after, renamed, timed = _apply_typed(before, shape, editor, wrong)
    label = renamed or timed
    path = selected
    if not wrong and action in {str(move) for move in maps.Move}:
        moved = maps.move_node(after, shape, selected, maps.Move(action))
        label = maps.get_label(maps.get_node(after, shape, selected))
        after, path = moved.mindmap, moved.path
    if is_same(after, before):
        return None, path
    if request.POST.get("seen", "") != get_mark(before):
        raise StaleForm
    is_move = not wrong and action != KEEP and action in set(maps.Move)
    typed = "node_renamed" if renamed or not timed else "node_time"
    code = CODES.get(maps.Move(action), "node_moved") if is_move else typed
    typing = "" if is_move else f"{typed}:{request.POST.get('node', '')}"
    return replace_block(content, {**content.values, "mindmap": after}, code, label, field=typing), path


def _apply_typed(
    mindmap: JSON, shape: maps.Shape, editor: Editor, wrong: dict[maps.Path, WrongTime]
) -> tuple[JSON, str, str]:
    """The mind map with labels and times as typed, and the label of the last that differs by each of them.

    `wrong` gets the times that are none.
    """
    renamed = timed = ""
    fields = editor.request.POST
    for node in maps.walk(maps.build_tree(mindmap, shape)):
        name = format_path(node.path) or "root"
        label = str(apply_typed_text(node.label, fields.get(f"label:{name}", node.label)))
        if label != node.label:
            renamed, mindmap = label, maps.rename_node(mindmap, shape, node.path, label)
        typed = fields.get(f"time:{name}", node.time).strip()
        seconds = maps.parse_time(typed)
        if typed == node.time.strip() or (seconds is not None and seconds == maps.parse_time(node.time)):
            continue
        if sentence := _explain_wrong_time(typed, seconds, editor):
            wrong[node.path] = WrongTime(typed, sentence)
            continue
        time = "" if seconds is None else maps.build_time(seconds, node.time)
        timed, mindmap = label, maps.set_time(mindmap, shape, node.path, time)
    return mindmap, renamed, timed


def _explain_wrong_time(typed: str, seconds: float | None, editor: Editor) -> str:
    """Why a time cannot be saved; "" for one that can, and for none."""
    if not typed:
        return ""
    if seconds is None:
        return _("“%(time)s” is not a time and was not saved. Enter it as 2:48, 02:48.075 or 1:02:48.") % {
            "time": typed
        }
    video = load_video(editor)
    if video is None or video.length is None or seconds < int(video.length) + 1:
        return ""
    return _("“%(time)s” is after the end of the video and was not saved. Enter a time up to %(end)s.") % {
        "time": typed,
        "end": formats.clock(video.length),
    }


def _render_answer(
    editor: Editor,
    content: BlockContent,
    selected: maps.Path,
    closed: frozenset[str],
    *,
    stale: str = "",
    status: int = 200,
    wrong: Mapping[maps.Path, WrongTime] = MappingProxyType({}),
) -> HttpResponse:
    request = editor.request
    shown = build_map(editor, content, selected=selected, closed=closed, stale=stale, wrong=wrong)
    if not request.htmx:
        return _render_page(editor, content, shown, status)
    if shown is None:
        return pages.redirect_to(editor, "mindmap")
    if (request.POST.get("do", KEEP) == KEEP or wrong) and not stale:
        moments = [row for row in shown["rows"] if f"time:{row.name}" in request.POST]
        return pages.render_parts(editor, ("ai_content/_map_kept.html", {"map": shown, "moments": moments}))
    return pages.render_parts(editor, ("ai_content/_map.html", {"map": shown, "answer": True}), status=status)


@require_http_methods(["GET", "POST"])
@pages.with_stored_document
def mindmap_json(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The mind map as JSON, on a page of its own where it is large: checked, then kept."""
    content = editor.get_content(Block.MINDMAP)
    shown = build_map(editor, content)
    if request.method == "GET":
        json = format_json(content.values.get("mindmap"), indent=2)
        return _render_page(editor, content, shown, json=json, json_alone=True)
    typed = request.POST.get("json", "")
    try:
        value = parse_package(typed)
    except NotAPackage as error:
        return _render_page(editor, content, shown, 422, json=typed, json_error=pages.format_reason(error.code))

    def put(now: BlockContent) -> Edit | None:
        before = now.values.get("mindmap")
        if is_same(before, value):
            return None
        if request.POST.get("seen", "") != get_mark(before):
            raise StaleForm
        return replace_block(now, {**now.values, "mindmap": value}, "json")

    try:
        editor.edit(Block.MINDMAP, put)
    except StaleForm:
        sentence = _(
            "The mind map changed in another window. Nothing was saved. Compare, then press again to use your version."
        )
        content = editor.get_content(Block.MINDMAP)
        shown = build_map(editor, content)
        return _render_page(editor, content, shown, 422, json=typed, json_error=sentence)
    return pages.redirect_to(editor, "mindmap")


def _render_page(
    editor: Editor, content: BlockContent, shown: dict[str, Any] | None, status: int = 200, **json: Any
) -> HttpResponse:
    page = build_mindmap(editor, content, shown, **json)
    return pages.render_page(editor, "mindmap", "ai_content/mindmap.html", status, **page)
