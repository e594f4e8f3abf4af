"""The list of videos: its query, its saved views, what completes a query, and the list as a file."""

import uuid
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.shared import csv, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, go, unchanged, whole_number
from dashboard.upstream.library import waiting
from dashboard.videos import completion, exports, pages, progress, saved_views, tasks
from dashboard.videos.forms import ViewNameForm
from dashboard.videos.library import load_list
from dashboard.videos.models import SavedView
from dashboard.videos.query.form import build_text, is_form
from dashboard.videos.rules import ListState, parse_state

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
    is_reading = progress.is_reading(request.account, view)
    if is_reading:
        tasks.begin(request.account)
    page = pages.build_videos_page(
        view,
        progress.load_progress(request.account, view.state, is_reading=is_reading),
        is_reading=is_reading,
    )
    if not request.htmx:
        status = refusals.status_of(view.error) if view.error else HTTPStatus.OK
        return render(request, "videos/videos.html", {"page": page}, status=status)
    response = render(request, "videos/_library.html", {"page": page})
    if request.GET.get("wait") != "1":  # a query was sent: the address says it, without what is empty
        response["HX-Push-Url"] = page.here
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
    if progress.is_same(request.account, request.GET.get("v", "")):
        return unchanged()
    drawn = whole_number(request.GET.get("known", ""), MOST_KNOWN)
    part = progress.load_progress(request.account, parse_state(request.GET), drawn or 0)
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
    return csv.download(exports.write_list(view), csv.file_name("videos", timezone.localdate().isoformat()))


@require_http_methods(["GET", "HEAD", "POST"])
def save_view(request: OwnerRequest) -> HttpResponse:
    """Save the list that the address describes, under a name."""
    state = parse_state(request.POST if request.method == "POST" else request.GET)
    form = ViewNameForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if problem := saved_views.explain_query(state):
            form.add_error(None, problem)
        elif saved_views.count_views(request) >= saved_views.MOST:
            form.add_error("name", _("You have %(most)s saved views. Delete one first.") % {"most": saved_views.MOST})
        elif (view := saved_views.save_view(request, form.cleaned_data["name"], state)) is not None:
            messages.success(request, _("View “%(name)s” saved.") % {"name": view.name})
            return go(request, address("videos:videos", **state.params(saved=str(view.pk))))
        else:
            form.add_error("name", _("You have a view of this name already. Choose another name."))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "videos/save_view.html", {"form": form, **_context(state)}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def saved_view(request: OwnerRequest, view_id: uuid.UUID) -> HttpResponse:
    """Rename a saved view, or keep what the address describes under its name."""
    view = _get_view(request, view_id)
    state = parse_state(request.POST if request.method == "POST" else request.GET)
    is_renamed = request.method == "POST" and "update" not in request.POST
    form = ViewNameForm(request.POST if is_renamed else None, initial={"name": view.name})
    if request.method == "POST" and not is_renamed:
        if problem := saved_views.explain_query(state):
            messages.error(request, problem)
        else:
            saved_views.update_view(view, state)
            messages.success(request, _("View “%(name)s” saved.") % {"name": view.name})
        return go(request, address("videos:videos", **state.params(saved=str(view.pk))))
    if is_renamed and form.is_valid():
        if saved_views.rename_view(view, form.cleaned_data["name"]):
            messages.success(request, _("View renamed to “%(name)s”.") % {"name": form.cleaned_data["name"]})
            return go(request, address("videos:videos", **state.params(saved=str(view.pk))))
        form.add_error("name", _("You have a view of this name already. Choose another name."))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    changes = pages.list_changes(view, state)
    context = {"form": form, "view": view, "changes": changes, **_context(state)}
    return render(request, "videos/saved_view.html", context, status=status)


@require_POST
def delete_view(request: OwnerRequest, view_id: uuid.UUID) -> HttpResponse:
    """Delete a saved view; the list that it showed stays in the address."""
    view = _get_view(request, view_id)
    state = ListState(q=view.query)
    view.delete()
    messages.success(request, _("View “%(name)s” deleted.") % {"name": view.name})
    return go(request, address("videos:videos", **state.params()))


def _get_view(request: OwnerRequest, view_id: uuid.UUID) -> SavedView:
    try:
        return saved_views.get_view(request, view_id)
    except SavedView.DoesNotExist as error:
        raise Http404 from error


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
