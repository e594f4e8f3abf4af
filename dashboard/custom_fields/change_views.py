"""Changes of many fields from a file: given, compared, sent, reported."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.custom_fields import change_pages, queries
from dashboard.custom_fields import changes as files
from dashboard.custom_fields.forms import FileForm
from dashboard.custom_fields.models import SENT, Change, LineState, Stage
from dashboard.custom_fields.writes import UPDATE
from dashboard.platform_api.errors import BadToken
from dashboard.shared import csv, http
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, go, page_number, unchanged
from dashboard.upstream import clients
from dashboard.writes.pages import load_notices
from dashboard.writes.requests import form_key

PRESS_SECONDS = 8.0
FORMER = 20
HEADS = ("line", "video_id", "title", "key", "new_key", "value", "before", "result", "reason")


@require_http_methods(["GET", "POST"])
def changes(request: OwnerRequest) -> HttpResponse:
    """Give a file. Nothing is sent by that: it is compared first."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_bound and form.is_valid():
        stored = files.create_change(request, form_key(request), str(form.files["file"]), form.cleaned_data["file"])
        return redirect("custom_fields:change", stored.pk)
    former = Change.objects.filter(account_id=request.account.pk)[:FORMER]
    context = {"form": form, "former": former}
    return render(request, "custom_fields/changes.html", context, status=422 if form.is_bound else 200)


@require_safe
def change(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """One file: its progress, every difference, every refused line."""
    return _show(request, _change_or_404(request, change_id))


@require_safe
def progress(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """How far it is; 204 while nothing changed. When it is over the whole page is shown again."""
    change = _change_or_404(request, change_id)
    moving = change_pages.build_progress(change, files.count_lines(change))
    if moving is None or request.GET.get("stage") != change.stage:
        return go(request, "custom_fields:change", change.pk)
    if request.GET.get("v") == moving.version:
        return unchanged()
    return render(request, "custom_fields/_progress.html", {"change": change, "progress": moving})


@require_POST
def step(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Run the next step now instead of after the pause, unless the worker runs it."""
    change = _change_or_404(request, change_id)
    files.run(change, PRESS_SECONDS)
    if change.reason == BadToken.__name__:
        raise BadToken("custom_fields.list")
    return go(request, "custom_fields:change", change.pk)


@require_POST
def send(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Begin to send what was compared, or show the first request of it. A second press sends nothing twice."""
    change = _change_or_404(request, change_id)
    if http.is_dry_run(request):
        first = change.lines.filter(state=LineState.CHANGE).first()
        if first is None:
            return redirect("custom_fields:change", change.pk)
        preview = clients.platform(request).preview(
            lambda p: p.custom_fields.update(
                first.video_id, first.field_id, value=first.value, key=first.new_key or None
            )
        )
        return _show(request, change, preview=http.show_request(preview))
    files.begin_sending(request, change)
    return redirect("custom_fields:change", change.pk)


@require_POST
def undo(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Undo what a file changed: a change to the values of before, compared before anything is sent."""
    change = _change_or_404(request, change_id)
    back = files.create_undo(change) if change.stage == Stage.DONE else change
    return redirect("custom_fields:change", back.pk)


@require_safe
def report(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """What became of every line, or with `lines=refused` of those that were not changed, as a file."""
    change = _change_or_404(request, change_id)
    lines = change.lines.all()
    if request.GET.get("lines") == "refused":
        lines = lines.filter(state__in=change_pages.NOT_DONE)
    titles = queries.list_titles(request.account.pk, list(lines.values_list("video_id", flat=True).distinct()))
    rows = (
        (
            line.number,
            line.video_id,
            titles.get(line.video_id, ""),
            line.key,
            line.new_key,
            line.value,
            line.before,
            line.badge[0],
            change_pages.format_reason(line),
        )
        for line in lines.iterator(chunk_size=2000)
    )
    return csv.download(csv.written(HEADS, rows), csv.file_name("custom-fields-report"))


def _show(
    request: OwnerRequest,
    change: Change,
    *,
    preview: http.DryRun | None = None,
) -> HttpResponse:
    group = request.GET.get("lines", "differences")
    group = group if group in change_pages.GROUPS else "differences"
    page = page_number(request.GET.get("page", ""))
    first, end = (page - 1) * change_pages.ROWS, page * change_pages.ROWS
    lines = list(change.lines.filter(state__in=change_pages.GROUPS[group])[first:end])
    titles = queries.load_titles(request, (line.video_id for line in lines))
    counts = files.count_lines(change)
    groups = change_pages.build_groups(counts)
    is_more = any(name == group and count > end for name, _words, count in groups)
    undone_by = Change.objects.filter(undoes=change).first()
    ready = counts.get(LineState.CHANGE, 0)
    context = {
        "change": change,
        "rows": [(line, titles.get(line.video_id), change_pages.format_reason(line)) for line in lines],
        "groups": groups,
        "group": group,
        "before": _build_address(change, group, page - 1) if page > 1 else "",
        "after": _build_address(change, group, page + 1) if is_more else "",
        "progress": change_pages.build_progress(change, counts),
        "ready": ready if change.stage == Stage.READY else 0,
        "summary": change_pages.format_summary(change, counts),
        "undone_by": undone_by,
        "can_undo": change.stage == Stage.DONE and not undone_by and any(counts.get(state) for state in SENT),
        "writes": load_notices(request.account, UPDATE, back=request.path, waiting=False),
        "dry_run": preview,
        "dry_run_others": ready - 1,
    }
    return render(request, "custom_fields/change.html", context)


def _build_address(change: Change, group: str, page: int) -> str:
    lines = group if group != "differences" else ""
    return address("custom_fields:change", change.pk, lines=lines, page=page if page > 1 else "")


def _change_or_404(request: OwnerRequest, change_id: uuid.UUID) -> Change:
    return get_object_or_404(Change, pk=change_id, account_id=request.account.pk)
