"""The pages of videos: the list with its query and saved views, and one video with its panels."""

from functools import partial
from http import HTTPStatus
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.feature import PANELS, VideoPanel, panels
from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video
from dashboard.shared import csv, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, allow_media, go, unchanged, whole_number
from dashboard.upstream import reads
from dashboard.upstream.library import FOLDERS, waiting
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready, gather
from dashboard.videos import completion, detail, library, pages, rows, tasks
from dashboard.videos.detail import PanelView
from dashboard.videos.library import ViewNameForm, load_list
from dashboard.videos.query import build_text, is_form
from dashboard.videos.rows import status_label, status_shape
from dashboard.videos.rules import ListState, parse_state

SECONDS_MOST: Final = 10 * 24 * 3600
"""A moment beyond that is none of a video."""


@require_safe
def video(request: OwnerRequest, video_id: UUID) -> HttpResponse:
    """One video, played from `?t=`, in seconds: player and facts, and what every feature knows about it.

    Raises the error of the video itself.
    """
    outcomes = gather(
        None,
        **{panel.name: partial(panel.read, request, video_id) for panel in panels()},
        _video=lambda: read_video(request, video_id),
        _folders=lambda: reads.of(request).get(FOLDERS),
    )
    record = _require_video(outcomes["_video"], request, video_id)
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
            raise outcome.error
    folders = outcomes["_folders"]
    views = [view for panel in panels() if (view := _build_panel(panel, outcomes[panel.name]))]
    context = {
        "video": record,
        "video_id": video_id,
        "status": status_label(record.status),
        "shape": status_shape(record.status),
        "crumbs": detail.list_crumbs(record, folders.value if isinstance(folders, Ready) else ()),
        "player": detail.build_player(record, whole_number(request.GET.get("t", ""), SECONDS_MOST) or 0),
        "facts": detail.list_facts(record),
        "embed": detail.embed_code(record, request.build_absolute_uri),
        "wide": [view for view in views if view.panel.wide],
        "narrow": [view for view in views if not view.panel.wide],
        "live": address("lives:live", record.live_id or "-"),
        "make_subtitles": address("subtitles:subtitles", video=record.id),
        "make_link": address("review_links:create", video=record.id),
    }
    response = render(request, "videos/video.html", context)
    return allow_media(response, record.player_url, record.mp4_url, record.thumbnail)


@require_safe
def panel(request: OwnerRequest, video_id: UUID, name: str) -> HttpResponse:
    """One panel that was late: fetched by the page itself, or opened as a page without script. It is waited for.

    Raises `BadToken`, and `Missing` when the video is not this account's.
    """
    if name not in PANELS:
        raise Http404
    video_panel = PANELS[name]
    outcomes = gather(
        waiting(),
        _video=lambda: read_video(request, video_id),
        panel=partial(video_panel.read, request, video_id),
    )
    _require_video(outcomes["_video"], request, video_id)
    outcome = outcomes["panel"]
    if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
        raise outcome.error
    if isinstance(outcome, Late):
        outcome = Failed(errors.Unreachable(video_panel.name))
    template = "videos/_panel.html" if request.htmx else "videos/panel.html"
    return render(request, template, {"panel": _build_panel(video_panel, outcome), "video_id": video_id})


def read_video(request: OwnerRequest, video_id: UUID) -> Video:
    """One video. Raises `Missing` for another account's."""
    return reads.of(request).get(lambda platform: platform.videos.get(video_id))


def _require_video(outcome: Outcome, request: OwnerRequest, video_id: UUID) -> Video:
    """The video; waits for it, as there is no page without it."""
    if isinstance(outcome, Failed):
        raise outcome.error
    if isinstance(outcome, Ready):
        video: Video = outcome.value
        return video
    return read_video(request, video_id)


def _build_panel(video_panel: VideoPanel, outcome: Outcome) -> PanelView | None:
    match outcome:
        case Ready(value=None):
            return None
        case Ready(value=content):
            return PanelView(video_panel, content)
        case Failed(error=error):
            return PanelView(video_panel, trouble=refusals.explain(error).sentence)
    return PanelView(video_panel, is_late=True)


MOST_KNOWN = 10**9
"""The largest number of videos that an address is read as."""


@require_safe
def videos(request: OwnerRequest) -> HttpResponse:
    """The list as the address says. With htmx, or `wait`, it waits for a slow platform; else it fetches itself.

    The form, and addresses of before there were queries, lead to the address of the query that says the same. A part that
    shows a failure is a part all the same: an error would leave the old list beside the new query.
    """
    state = parse_state(request.GET)
    if is_form(request.GET):
        params = {name: request.GET.get(name, "") for name in request.GET}
        return HttpResponseRedirect(address("videos:videos", **state.params(q=build_text(params))))
    waits = bool(request.htmx) or request.GET.get("wait") == "1"
    view = load_list(request, state, patience=waiting() if waits else None)
    is_reading = tasks.is_reading(request.account, view)
    if is_reading:
        tasks.begin(request.account)
    context = pages.list_parts(view, is_reading=is_reading)
    context["progress"] = tasks.load_progress(request.account, view.state, is_reading=is_reading)
    if not request.htmx:
        status = refusals.status_of(view.error) if view.error else HTTPStatus.OK
        return render(request, "videos/videos.html", context, status=status)
    response = render(request, "videos/_library.html", context)
    if request.GET.get("wait") != "1":  # a query was sent: the address says it, without what is empty
        response["HX-Push-Url"] = str(context["here"])
    return response


@require_safe
def complete(request: OwnerRequest) -> HttpResponse:
    """What completes the query `q` at the position `at`: the entries of its list, and nothing where there are none."""
    text = request.GET.get("q", "")
    caret = whole_number(request.GET.get("at", ""), len(text))
    view = load_list(request, ListState())
    suggestions = completion.suggest(view, text, len(text) if caret is None else caret)
    return render(request, "videos/_suggestions.html", {"suggestions": suggestions}) if suggestions else unchanged()


@require_safe
def reading(request: OwnerRequest) -> HttpResponse:
    """How far the worker has read; nothing where that is what `v` says. The platform is not asked."""
    if tasks.is_same(request.account, request.GET.get("v", "")):
        return unchanged()
    drawn = whole_number(request.GET.get("known", ""), MOST_KNOWN)
    part = tasks.load_progress(request.account, parse_state(request.GET), drawn or 0)
    return render(request, "videos/_progress.html", {"progress": part}) if part else unchanged()


@require_safe
def export(request: OwnerRequest) -> HttpResponse:
    """Everything that matches as a CSV file; a query with a mistake leads back to its explanation."""
    state = parse_state(request.GET)
    view = load_list(request, state, patience=waiting())
    if view.error:
        raise view.error
    if view.problem or view.is_late:
        return go(request, address("videos:videos", **state.params()))
    return csv.download(rows.write_list(view), csv.file_name("videos", timezone.localdate().isoformat()))


@require_http_methods(["GET", "HEAD", "POST"])
def save_view(request: OwnerRequest) -> HttpResponse:
    """Save the list that the address describes, under a name."""
    state = parse_state(request.POST if request.method == "POST" else request.GET)
    form = ViewNameForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if problem := library.explain_query(state):
            form.add_error(None, problem)
        elif library.list_views(request).count() >= library.MOST:
            form.add_error("name", _("You have %(most)s saved views. Delete one first.") % {"most": library.MOST})
        elif (view := library.save_view(request, form.cleaned_data["name"], state)) is not None:
            messages.success(request, _("View “%(name)s” saved.") % {"name": view.name})
            return go(request, address("videos:videos", **state.params(saved=str(view.pk))))
        else:
            form.add_error("name", _("You have a view of this name already. Choose another name."))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "videos/save_view.html", {"form": form, **_context(state)}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def saved_view(request: OwnerRequest, view_id: UUID) -> HttpResponse:
    """Rename a saved view, or keep what the address describes under its name."""
    view = get_object_or_404(library.list_views(request), pk=view_id)
    state = parse_state(request.POST if request.method == "POST" else request.GET)
    is_renamed = request.method == "POST" and "update" not in request.POST
    form = ViewNameForm(request.POST if is_renamed else None, initial={"name": view.name})
    if request.method == "POST" and not is_renamed:
        if problem := library.explain_query(state):
            messages.error(request, problem)
        else:
            library.update_view(view, state)
            messages.success(request, _("View “%(name)s” saved.") % {"name": view.name})
        return go(request, address("videos:videos", **state.params(saved=str(view.pk))))
    if is_renamed and form.is_valid():
        if library.rename_view(view, form.cleaned_data["name"]):
            messages.success(request, _("View renamed to “%(name)s”.") % {"name": form.cleaned_data["name"]})
            return go(request, address("videos:videos", **state.params(saved=str(view.pk))))
        form.add_error("name", _("You have a view of this name already. Choose another name."))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    changes = pages.list_changes(view, state)
    context = {"form": form, "view": view, "changes": changes, **_context(state)}
    return render(request, "videos/saved_view.html", context, status=status)


@require_POST
def delete_view(request: OwnerRequest, view_id: UUID) -> HttpResponse:
    """Delete a saved view; the list that it showed stays in the address."""
    view = get_object_or_404(library.list_views(request), pk=view_id)
    state = ListState(q=view.query)
    view.delete()
    messages.success(request, _("View “%(name)s” deleted.") % {"name": view.name})
    return go(request, address("videos:videos", **state.params()))


def _context(state: ListState) -> dict[str, object]:
    """What a page about a saved view shows of the list, and sends with its form."""
    fields = [
        (name, item)
        for name, value in state.params().items()
        for item in (value if isinstance(value, list) else [value])
    ]
    return {
        "state": state,
        "fields": fields,
        "back": address("videos:videos", **state.params()) or reverse("videos:videos"),
    }
