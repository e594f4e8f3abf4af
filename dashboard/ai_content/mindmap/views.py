"""The mind map: an outline beside its picture, or JSON where the file holds something else."""

from dataclasses import replace

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.ai_content import drafts, responses, undo_steps
from dashboard.ai_content import pages as frames
from dashboard.ai_content.decorators import opened, resumed
from dashboard.ai_content.drafts import Made, Working
from dashboard.ai_content.editor import Editor
from dashboard.ai_content.messages import reason
from dashboard.ai_content.mindmap import pages
from dashboard.ai_content.rules import mindmap as maps
from dashboard.ai_content.rules.mindmap import Move, NoSuchNode, Path, Shape
from dashboard.ai_content.rules.package import JSON, Block, NotAPackage, mark, read, same, written
from dashboard.ai_content.rules.quiz import kept_text
from dashboard.shared.http import OwnerRequest, whole_number

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
    view = _edit if request.method == "POST" else _show
    return view(request, *args, **kwargs)  # type: ignore[arg-type]  # the decorator converts the arguments of the address


@opened
def _show(request: OwnerRequest, editor: Editor) -> HttpResponse:
    at, start = _part(request.GET)
    return _page(editor, pages.mindmap_page(editor, editor.working(Block.MINDMAP), chosen=at, at=at, start=start))


def _part(fields: QueryDict) -> tuple[Path, int]:
    """Which part of a large map is shown: the path of its first topic, and the place of the first one inside it."""
    return pages.read_path(fields.get("at", "")), whole_number(fields.get("from", ""), maps.NODES_MAX) or 0


@resumed
def _edit(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """Keep the labels that were typed, then do what the button says to the node in hand."""
    asked = request.POST.get("do", KEEP)
    chosen = pages.read_path(request.POST.get("node", ""))
    closed = frozenset(request.POST.getlist("closed"))
    hands: list[Path] = [chosen]

    def change(work: Working) -> Made | None:
        made, hands[0] = _changed(work, request, asked, chosen)
        return made

    try:
        work = editor.edit(Block.MINDMAP, change)
    except (drafts.Stale, NoSuchNode):
        text = _("The outline changed in another window. It is shown as it is now; what you typed is below.")
        return _answer(editor, editor.working(Block.MINDMAP), (), closed, text, 422)
    return _answer(editor, work, hands[0], closed)


def _changed(work: Working, request: OwnerRequest, asked: str, chosen: Path) -> tuple[Made | None, Path]:
    """The mind map after the form, and the node in hand. Raises `Stale` when the outline is not the one that was shown."""
    before = work.values.get("mindmap")
    shape = maps.shape_of(before)
    if shape is None:
        raise drafts.Stale
    after, label = _labelled(before, shape, request)
    path = chosen
    if asked in {str(move) for move in Move}:
        moved = maps.move(after, shape, chosen, Move(asked))
        label = maps.label_of(maps.node_at(after, shape, chosen))
        after, path = moved.mindmap, moved.path
    if same(after, before):
        return None, path
    if request.POST.get("seen", "") != mark(before):
        raise drafts.Stale
    code = CODES.get(Move(asked), "node_moved") if asked != KEEP and asked in set(Move) else "node_renamed"
    typing = f"label:{request.POST.get('node', '')}" if code == "node_renamed" else ""
    made = Made(
        {**work.values, "mindmap": after},
        code,
        label,
        place=undo_steps.whole(work),
        before=work.values,
        one_place=typing,
    )
    return made, path


def _labelled(mindmap: JSON, shape: Shape, request: OwnerRequest) -> tuple[JSON, str]:
    """The mind map with the labels as typed; only those that were sent and differ."""
    last = ""
    nodes = {pages.written_path(node.path) or "root": node for node in maps.walk(maps.tree(mindmap, shape))}
    for name, values in request.POST.lists():
        node = nodes.get(name.removeprefix("label:")) if name.startswith("label:") else None
        if node is not None and kept_text(node.label, str(values[-1])) != node.label:
            last = str(values[-1])
            mindmap = maps.relabelled(mindmap, shape, node.path, str(kept_text(node.label, last)))
    return mindmap, last


def _answer(
    editor: Editor, work: Working, chosen: Path, closed: frozenset[str], stale: str = "", status: int = 200
) -> HttpResponse:
    request = editor.request
    at, start = _part(request.POST)
    if not request.htmx:
        shown = pages.mindmap_page(editor, work, chosen=chosen, closed=closed, stale=stale, at=at, start=start)
        return _page(editor, shown, status)
    found = pages.map_part(editor, work, chosen, closed, stale, at, start)
    if found is None:
        return responses.go(editor, "mindmap")
    if request.POST.get("do", KEEP) == KEEP and not stale:
        return responses.parts(editor, ("ai_content/_map_kept.html", {"map": found}))
    return responses.parts(editor, ("ai_content/_map.html", {"map": found, "answer": True}), status=status)


@require_http_methods(["GET", "POST"])
@resumed
def mindmap_json(request: OwnerRequest, editor: Editor) -> HttpResponse:
    """The mind map as JSON, on a page of its own where it is large: checked, then kept."""
    work = editor.working(Block.MINDMAP)
    if request.method == "GET":
        return _page(editor, replace(pages.mindmap_page(editor, work, json=_json(work)), map=None, json_alone=True))
    typed = request.POST.get("json", "")
    try:
        value = read(typed)
    except NotAPackage as error:
        shown = pages.mindmap_page(editor, work, json=typed, json_error=reason(error.code))
        return _page(editor, shown, status=422)

    def put(now: Working) -> Made | None:
        before = now.values.get("mindmap")
        if same(before, value):
            return None
        if request.POST.get("seen", "") != mark(before):
            raise drafts.Stale
        return Made({**now.values, "mindmap": value}, "json", place=undo_steps.whole(now), before=now.values)

    try:
        editor.edit(Block.MINDMAP, put)
    except drafts.Stale:
        said = _(
            "The mind map changed in another window. Compare before you keep yours: press again to put yours in its place."
        )
        return _page(
            editor, pages.mindmap_page(editor, editor.working(Block.MINDMAP), json=typed, json_error=said), status=422
        )
    return responses.go(editor, "mindmap")


def _json(work: Working) -> str:
    return written(work.values.get("mindmap"), indent=2)


def _page(editor: Editor, page: pages.MindmapPage, status: int = 200) -> HttpResponse:
    context = {"shell": frames.frame(editor, "mindmap"), "page": page}
    return render(editor.request, "ai_content/mindmap.html", context, status=status)
