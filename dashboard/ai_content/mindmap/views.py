"""The mind map: outline and diagram, or JSON for anything but a tree of labels."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.ai_content.decorators import with_fresh_document, with_stored_document
from dashboard.ai_content.editor import BlockContent, Edit, Editor, StaleForm, describe_block
from dashboard.ai_content.messages import format_reason
from dashboard.ai_content.mindmap import pages
from dashboard.ai_content.mindmap.pages import WrongTime
from dashboard.ai_content.pages import redirect_to, render_page, render_parts
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.mindmap import Move, NoSuchNode, Path, Shape
from dashboard.ai_content.rules.package import Block, NotAPackage, format_json, get_mark, is_same, parse_package
from dashboard.ai_content.rules.quiz import apply_typed_text
from dashboard.platform_api.values import JSON
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest

KEEP = "keep"
CODES = {
    Move.ADD_BELOW: "node_added",
    Move.ADD_INSIDE: "node_added",
    Move.DUPLICATE: "node_added",
    Move.DELETE: "node_deleted",
}


@require_http_methods(["GET", "POST"])
def mindmap(request: OwnerRequest, *args: object, **kwargs: object) -> HttpResponse:
    """The page, and what its outline sends."""
    view = _edit_outline if request.method == "POST" else _render_outline
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@with_fresh_document
def _render_outline(request: OwnerRequest, editor: Editor) -> HttpResponse:
    selected, _start = pages.get_shown_part(request)
    content = editor.get_content(Block.MINDMAP)
    return _render_page(editor, content, pages.build_map(editor, content, selected=selected))


@with_stored_document
def _edit_outline(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Store the typed labels, then apply the button's action to the selected node."""
    action = request.POST.get("do", KEEP)
    selected = pages.parse_path(request.POST.get("node", ""))
    closed = frozenset(request.POST.getlist("closed"))
    paths: list[Path] = [selected]
    wrong: dict[Path, WrongTime] = {}

    def change(content: BlockContent) -> Edit | None:
        wrong.clear()
        edit, paths[0] = _build_edit(content, editor, action, selected, wrong)
        return edit

    try:
        content = editor.edit(Block.MINDMAP, change)
    except (StaleForm, NoSuchNode):
        text = _("The outline changed in another window. It is shown as it is now; what you typed is below.")
        content = editor.get_content(Block.MINDMAP)
        return _render_answer(editor, content, (), closed, stale=text, status=422)
    return _render_answer(editor, content, paths[0], closed, status=422 if wrong else 200, wrong=wrong)


def _build_edit(
    content: BlockContent, editor: Editor, action: str, selected: Path, wrong: dict[Path, WrongTime]
) -> tuple[Edit | None, Path]:
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
    if not wrong and action in {str(move) for move in Move}:
        moved = maps.move_node(after, shape, selected, Move(action))
        label = maps.get_label(maps.get_node(after, shape, selected))
        after, path = moved.mindmap, moved.path
    if is_same(after, before):
        return None, path
    if request.POST.get("seen", "") != get_mark(before):
        raise StaleForm
    is_move = not wrong and action != KEEP and action in set(Move)
    typed = "node_renamed" if renamed or not timed else "node_time"
    code = CODES.get(Move(action), "node_moved") if is_move else typed
    typing = "" if is_move else f"{typed}:{request.POST.get('node', '')}"
    edit = Edit(
        {**content.values, "mindmap": after},
        code,
        label,
        place=describe_block(content),
        before=content.values,
        field=typing,
    )
    return edit, path


def _apply_typed(mindmap: JSON, shape: Shape, editor: Editor, wrong: dict[Path, WrongTime]) -> tuple[JSON, str, str]:
    """The mind map with labels and times as typed, and the label of the last that differs by each of them.

    `wrong` gets the times that are none.
    """
    renamed = timed = ""
    fields = editor.request.POST
    for node in maps.walk(maps.build_tree(mindmap, shape)):
        name = pages.format_path(node.path) or "root"
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
    video = pages.load_video(editor)
    if video is None or video.length is None or seconds < int(video.length) + 1:
        return ""
    return _("“%(time)s” is after the end of the video and was not saved. Enter a time up to %(end)s.") % {
        "time": typed,
        "end": formats.clock(video.length),
    }


def _render_answer(
    editor: Editor,
    content: BlockContent,
    selected: Path,
    closed: frozenset[str],
    *,
    stale: str = "",
    status: int = 200,
    wrong: Mapping[Path, WrongTime] = MappingProxyType({}),
) -> HttpResponse:
    request = editor.request
    shown = pages.build_map(editor, content, selected=selected, closed=closed, stale=stale, wrong=wrong)
    if not request.htmx:
        return _render_page(editor, content, shown, status)
    if shown is None:
        return redirect_to(editor, "mindmap")
    if (request.POST.get("do", KEEP) == KEEP or wrong) and not stale:
        moments = [row for row in shown["rows"] if f"time:{row.name}" in request.POST]
        return render_parts(editor, ("ai_content/_map_kept.html", {"map": shown, "moments": moments}))
    return render_parts(editor, ("ai_content/_map.html", {"map": shown, "answer": True}), status=status)


@require_http_methods(["GET", "POST"])
@with_stored_document
def mindmap_json(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The mind map as JSON, on a page of its own where it is large: checked, then kept."""
    content = editor.get_content(Block.MINDMAP)
    shown = pages.build_map(editor, content)
    if request.method == "GET":
        json = format_json(content.values.get("mindmap"), indent=2)
        return _render_page(editor, content, shown, json=json, json_alone=True)
    typed = request.POST.get("json", "")
    try:
        value = parse_package(typed)
    except NotAPackage as error:
        return _render_page(editor, content, shown, 422, json=typed, json_error=format_reason(error.code))

    def put(now: BlockContent) -> Edit | None:
        before = now.values.get("mindmap")
        if is_same(before, value):
            return None
        if request.POST.get("seen", "") != get_mark(before):
            raise StaleForm
        return Edit({**now.values, "mindmap": value}, "json", place=describe_block(now), before=now.values)

    try:
        editor.edit(Block.MINDMAP, put)
    except StaleForm:
        sentence = _(
            "The mind map changed in another window. Nothing was saved. Compare, then press again to use your version."
        )
        content = editor.get_content(Block.MINDMAP)
        shown = pages.build_map(editor, content)
        return _render_page(editor, content, shown, 422, json=typed, json_error=sentence)
    return redirect_to(editor, "mindmap")


def _render_page(
    editor: Editor, content: BlockContent, shown: dict[str, Any] | None, status: int = 200, **json: Any
) -> HttpResponse:
    page = pages.build_mindmap(editor, content, shown, **json)
    return render_page(editor, "mindmap", "ai_content/mindmap.html", status, **page)
