"""Assistants: where their chat is shown, one by one and several at once."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.assistants import pages, queries, writes
from dashboard.assistants.forms import MATCHING, AddForm, SwitchForm
from dashboard.assistants.models import Added
from dashboard.assistants.queries import PAGE, ChatMatrix, MatrixView
from dashboard.assistants.rules import Chat, is_shown
from dashboard.platform_api.errors import PlatformError
from dashboard.shared import http, refusals
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import State
from dashboard.writes.pages import load_notices

TEMPLATE = "assistants/assistants.html"


@require_safe
def assistants(request: OwnerRequest) -> HttpResponse:
    """The matrix of one page of videos and every assistant."""
    view = queries.parse_view(request)
    matrix = queries.load_matrix(request, view)
    return render(request, TEMPLATE, _build_context(request, matrix, view), status=_status_of(matrix))


def _status_of(matrix: queries.ChatMatrix) -> int:
    """Of a matrix of which something is missing: as its first error, or as a platform that did not answer in time."""
    if not matrix.trouble:
        return 200
    error = next(filter(None, matrix.trouble), None)
    return 504 if error is None else refusals.status_of(error)


@require_POST
def add(request: OwnerRequest) -> HttpResponse:
    """Remember an assistant by its id. Nothing is sent, and nothing checked: a platform may have no read of it."""
    form = AddForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        Added.objects.update_or_create(
            account_id=request.account.pk, assistant_id=data["assistant_id"], defaults={"name": data["name"]}
        )
        return redirect("assistants:assistants")
    view = MatrixView()
    matrix = queries.load_matrix(request, view)
    return render(request, TEMPLATE, _build_context(request, matrix, view, add=form), status=422)


@require_POST
def remove(request: OwnerRequest) -> HttpResponse:
    """Forget an assistant that was added by its id. Nothing is sent: its chats stay as they are."""
    rows = Added.objects.filter(account_id=request.account.pk, assistant_id=request.POST.get("assistant", ""))
    for added in rows:
        added.delete()
        messages.success(
            request, _("“%(name)s” was removed from Reelroom. Its chats stay as they are.") % {"name": str(added)}
        )
    return redirect("assistants:assistants")


@require_safe
def progress(request: OwnerRequest) -> HttpResponse:
    """How many chats the worker still sends; 204 while that is the same."""
    context = _build_waiting(request)
    if request.GET.get("v") == str(context["waiting"]):
        return unchanged()
    return render(request, "assistants/_progress.html", context)


@require_POST
def switch(request: OwnerRequest) -> HttpResponse:
    """Switch one chat: the cell for script, the page for everybody else. A failure shows what really is."""
    assistant_id, video_id, show = _parse_button(request.POST.get("switch", ""))
    view = queries.parse_view(request)
    matrix = queries.load_matrix(request, MatrixView(video=UUID(video_id)))
    assistant = next((candidate for candidate in matrix.assistants if candidate.id == assistant_id), None)
    if assistant is None or not matrix.videos:
        raise Http404
    video, chat = matrix.videos[0], matrix.chats[assistant_id, video_id]
    label = f"{assistant.name or assistant.id}, {video.title or video.id}"
    write = writes.switch(writes.switch_intent(request, assistant_id, video_id, show=show, before=chat, label=label))
    refusal = None
    if write.state == State.REFUSED and (error := write.raised or write.error) is not None:
        refusal = refusals.explain(error)
        outbox.dismiss(write)
    sentence = pages.format_outcome(assistant, video, write)
    if not request.htmx:
        if refusal is not None:
            matrix = queries.load_matrix(request, view)
            return render(request, TEMPLATE, _build_context(request, matrix, view, refusal=refusal), status=422)
        (messages.success if write.state == State.DONE else messages.warning)(request, sentence)
        return redirect(pages.build_address(view, view.page))
    undo = (
        f"{assistant_id} {video_id} {int(not show)}" if is_shown(chat) is not None and write.state == State.DONE else ""
    )
    context = {
        "cell": pages.build_cell(assistant, video, pages.chat_after(write, chat)),
        "message": sentence,
        "refusal": refusal,
        "undo": undo,
    }
    return render(request, "assistants/_cell.html", context, status=422 if refusal else 200)


@require_POST
def several(request: OwnerRequest) -> HttpResponse:
    """Switch the chats of several videos, or show the first request of them."""
    view = queries.parse_view(request)
    matrix = queries.load_matrix(request, view)
    form = _build_form(matrix, request.POST)
    ticked = request.POST.getlist("video")
    if not form.is_valid():
        shown = form if matrix.assistants and matrix.videos else None  # its fields are the table's
        context = _build_context(request, matrix, view, form=shown, ticked=ticked)
        return render(request, TEMPLATE, context, status=_status_of(matrix) if matrix.trouble else 422)
    try:
        matching = queries.list_matching(request, view) if form.get_scope() == MATCHING else []
    except PlatformError as error:
        context = _build_context(request, matrix, view, form=form, ticked=ticked, refusal=refusals.explain(error))
        return render(request, TEMPLATE, context, status=refusals.status_of(error))
    chats = form.chats(matching)
    if http.is_dry_run(request):
        context = _build_context(request, matrix, view, form=form, ticked=ticked) | _preview(request, form, chats)
        return render(request, TEMPLATE, context)
    states = queries.load_chats(request, matrix, matching) if matching else matrix.chats
    many = writes.switch_many(request, chats, show=form.is_visible(), states=states)
    if many.failed:
        ticked = [video for video, _error in many.failed]
        matrix = queries.load_matrix(request, view)
        context = _build_context(request, matrix, view, form=form, ticked=ticked) | {
            "outcome": pages.format_result(many)
        }
        return render(request, TEMPLATE, context, status=422)
    add_message = messages.warning if many.waiting or many.unconfirmed else messages.success
    add_message(request, " ".join(pages.format_result(many)))
    return redirect(pages.build_address(view, view.page))


def _build_form(matrix: ChatMatrix, data: QueryDict | None = None) -> SwitchForm:
    videos = {video.id: video.title for video in matrix.videos}
    return SwitchForm(data, assistants=matrix.assistants, videos=videos, total=matrix.total)


def _preview(request: OwnerRequest, form: SwitchForm, chats: list[tuple[str, str]]) -> dict[str, Any]:
    if not chats:
        return {}
    (assistant, video), *others = chats
    preview = clients.platform(request).preview(
        lambda p: p.assistants.update_chat_visibility(assistant, video, form.is_visible())
    )
    return {"dry_run": http.show_request(preview), "dry_run_others": len(others)}


def _build_waiting(request: OwnerRequest) -> dict[str, Any]:
    """templates/assistants/_progress.html."""
    count = writes.count_waiting(request)
    return {"waiting": count, "waiting_words": pages.format_waiting(count)}


def _parse_button(text: str) -> tuple[str, str, bool]:
    """Assistant, video and direction of a cell's button. Raises `Http404` for what no button of ours sends."""
    parts = text.split(" ")
    try:
        assistant, video, to = parts
        return assistant, str(UUID(video)), {"1": True, "0": False}[to]
    except (ValueError, KeyError):
        raise Http404 from None


def _build_context(
    request: OwnerRequest,
    matrix: ChatMatrix,
    view: MatrixView,
    *,
    add: AddForm | None = None,
    form: SwitchForm | None = None,
    ticked: list[str] | None = None,
    refusal: refusals.Explained | None = None,
) -> dict[str, Any]:
    more = matrix.pages > view.page if matrix.pages is not None else len(matrix.videos) == PAGE
    return {
        "matrix": matrix,
        "view": view,
        "rows": [
            (video, [pages.build_cell(a, video, matrix.chats[a.id, video.id]) for a in matrix.assistants])
            for video in matrix.videos
        ],
        "ticked": ticked or (),
        "looks": [(1, *pages.badge_of(Chat.SHOWN)), (0, *pages.badge_of(Chat.HIDDEN))],
        "trouble": [refusals.explain(error).whole for error in matrix.trouble],
        "is_any_unknown": Chat.UNKNOWN in matrix.chats.values(),
        "before": pages.build_address(view, view.page - 1) if view.page > 1 else "",
        "after": pages.build_address(view, view.page + 1) if more and not view.video else "",
        "add": add or AddForm(),
        "form": form or _build_form(matrix),
        "refusal": refusal,
        "back": reverse("assistants:assistants"),
        "writes": load_notices(
            request.account, writes.SWITCH, back=pages.build_address(view, view.page), waiting=False
        ),
        **_build_waiting(request),
        "words": {"failed": _("No answer. Reload the page to see whether the chat is shown.")},
    }
