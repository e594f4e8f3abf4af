"""Runs: one action on many videos. Checked first, then started, paused, continued and followed."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.activity.recorder import actor_of
from dashboard.overview import registry
from dashboard.runs import creation, pages, sending
from dashboard.runs.creation import NoChoice, read_choice
from dashboard.runs.models import Run, RunState
from dashboard.runs.pages import RunCounts
from dashboard.shared import csv, http
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.upstream import clients
from dashboard.writes.requests import form_key
from dashboard.writes.run_actions import ItemState, RunAction, find_action

PER_PAGE = 20
OTHERS = 5


@require_safe
def runs(request: OwnerRequest) -> HttpResponse:
    """The runs of the account, newest first."""
    page = Paginator(Run.objects.filter(account=request.account), PER_PAGE).get_page(request.GET.get("page", ""))
    reading = None if page.has_previous() else _load_reading(request)
    context = {"page": page, "lines": _build_lines(list(page)), "reading": reading}
    return render(request, "runs/runs.html", context)


def _load_reading(request: OwnerRequest) -> pages.RunLine | None:
    """The first reading of the library, while it goes on: it is long work that nobody has to do anything about, like a run."""
    items = registry.load_items(request, "library_reading")
    return next((pages.build_reading_line(item) for item in items if isinstance(item, registry.Moving)), None)


def _build_lines(listed: Sequence[Run]) -> list[pages.RunLine]:
    counts = sending.count_states_of(listed)
    return [pages.build_line(run, RunCounts.of(counts[run.pk])) for run in listed]


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: OwnerRequest) -> HttpResponse:
    """The options of an action for the chosen videos; sent with `check`, the check itself, kept as a run."""
    data = request.POST if request.method == "POST" else request.GET
    if not data.get("action"):
        return go(request, "runs:runs")
    action = find_action(data["action"])
    if action is None:
        raise Http404
    try:
        choice = read_choice(request, data)
    except NoChoice as error:
        messages.warning(request, str(error))
        return go(request, address("videos:videos", q=data.get("query", "")))
    is_finished = request.method == "POST" and "check" in data
    form = action.build_form(request.account, data if is_finished else None)
    if not is_finished:
        action.suggest(form, choice.missing)
    elif form.is_valid():
        actor = actor_of(request, request.account)
        run = creation.check(request.account, actor, form_key(request), action, action.read_options(form), choice)
        return go(request, "runs:run", run.pk)
    context = {"action": action, "form": form, "count": len(choice.titles), "hidden": _list_hidden(data)}
    return render(request, "runs/options.html", context, status=422 if is_finished else 200)


def _list_hidden(data: QueryDict) -> list[tuple[str, str]]:
    """What the form carries on of the choice."""
    names = ("action", "query", "all") if data.get("all") else ("action",)
    videos = [] if data.get("all") else [("video", video_id) for video_id in data.getlist("video")]
    return [(name, data.get(name, "")) for name in names] + videos


@require_safe
def run(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """One run: its check before it is started, its progress after."""
    stored, action = _load(request, run_id)
    if stored.state == RunState.CHECKED:
        return _show_check(request, stored, action)
    sending.follow(stored)
    others = Run.objects.filter(account=request.account).exclude(pk=stored.pk).exclude(state=RunState.CHECKED)[:OTHERS]
    counts = RunCounts.of(sending.count_states(stored))
    context = {
        "part": pages.build_part(stored, action, counts),
        "meta": pages.format_origin(stored, counts.total),
        "search": pages.build_search(stored),
        "others": _build_lines(list(others)),
    }
    return render(request, "runs/run.html", context)


@require_safe
def progress(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """The part of a run that changes; 204 while it is the same. Reads nothing of the platform."""
    stored, action = _load(request, run_id)
    if not request.htmx:
        return redirect("runs:run", run_id)
    sending.follow(stored)
    counts = RunCounts.of(sending.count_states(stored))
    if request.GET.get("v") == pages.build_version(stored, counts):
        return unchanged()
    return render(request, "runs/_progress.html", {"part": pages.build_part(stored, action, counts)})


@require_POST
def start(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Start a checked run."""
    return _act(request, run_id, creation.start)


@require_POST
def pause(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Send no further videos."""
    return _act(request, run_id, creation.pause)


@require_POST
def resume(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Go on with a paused run."""
    return _act(request, run_id, creation.resume)


@require_POST
def retry(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Send again what was refused."""
    return _act(request, run_id, creation.retry)


@require_POST
def dismiss(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Take a finished run off the overview."""
    return _act(request, run_id, creation.dismiss)


@require_POST
def restore(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Show it there again."""
    return _act(request, run_id, creation.restore)


@require_POST
def check_again(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Plan what could not be sent at the check and can be now."""
    stored, _action = _load(request, run_id)
    planned = creation.check_again(stored, actor_of(request, request.account))
    if not planned and stored.items.filter(state=ItemState.NOT_SENT).exists():  # of two presses, the first planned them
        messages.info(request, _("These videos still can't be sent. The table says why."))
    return go(request, "runs:run", run_id)


def _act(request: OwnerRequest, run_id: UUID, act: Callable[[Run, str], Any]) -> HttpResponse:
    stored, _action = _load(request, run_id)
    act(stored, actor_of(request, request.account))
    return go(request, "runs:run", run_id)


@require_safe
def results(request: OwnerRequest, run_id: UUID) -> HttpResponse:
    """Every video of the run with how it ended, as CSV."""
    stored, action = _load(request, run_id)
    heads, rows = pages.build_results(list(stored.items.select_related("write")), action)
    return csv.download(csv.written(heads, rows), csv.file_name(f"run-{stored.action}", str(stored.created_at.date())))


def _load(request: OwnerRequest, run_id: UUID) -> tuple[Run, RunAction]:
    stored = get_object_or_404(Run.objects.select_related("account"), pk=run_id, account=request.account)
    action = find_action(stored.action)
    if action is None:
        raise Http404
    return stored, action


def _show_check(request: OwnerRequest, run: Run, action: RunAction) -> HttpResponse:
    """The check of a run that was not started, with its first request."""
    counts = RunCounts.of(sending.count_states(run))
    first = [item.as_target() for item in run.items.filter(state=ItemState.PLANNED)[: action.size]]
    preview = None
    if first and not action.find_reasons(run.order(), first):
        preview = http.show_request(clients.platform(request).preview(action.preview_joint(run.order(), first)))
    rejected = list(run.items.filter(state=ItemState.NOT_SENT)[: pages.ROWS_MOST])
    context = {
        "run": run,
        "title": action.format_title(run.options),
        "meta": pages.format_origin(run, counts.total),
        "back": pages.build_search(run) or address("videos:videos"),
        "counts": counts,
        "uses_credits": action.uses_credits and bool(counts.planned),
        "warning": action.format_warning(run.options) if counts.planned else "",
        "dry_run": preview,
        "others": -(-counts.planned // action.size) - 1,
        "rejected": pages.list_ended(run, action, rejected),
        "hidden": counts.not_sent - len(rejected),
    }
    return render(request, "runs/check.html", context)
