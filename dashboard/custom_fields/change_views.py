"""Changes of many fields from a file: given, compared, sent, reported."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard import clients
from dashboard.custom_fields import change_pages, changing, pages
from dashboard.custom_fields.forms import FileForm
from dashboard.custom_fields.models import Change, LineState, Stage
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import csv, dry_run, refusals
from dashboard.shared.http import OwnerRequest, go

POLL_SECONDS, PRESS_SECONDS = 1.5, 8.0
FORMER = 20
HEADS = ("line", "video_id", "key", "new_key", "value", "before", "result", "reason")


@require_http_methods(["GET", "POST"])
def changes(request: OwnerRequest) -> HttpResponse:
    """Give a file. Nothing is sent by that: it is compared first."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_bound and form.is_valid():
        kept = changing.keep(request, str(form.files["file"]), form.cleaned_data["file"])
        return redirect("custom_fields:change", kept.pk)
    former = Change.objects.filter(account_id=request.account.pk)[:FORMER]
    context = {"form": form, "former": [pages.former(change) for change in former]}
    return render(request, "custom_fields/changes.html", context, status=422 if form.is_bound else 200)


@require_safe
def change(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """One file: its progress, every difference, every refused line."""
    return _show(request, _change_or_404(request, change_id))


@require_POST
def step(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Compare or send for a moment; at the end the whole page is shown again."""
    found = _change_or_404(request, change_id)
    stage, trouble = found.stage, ""
    try:
        changing.step(request, found, POLL_SECONDS if request.htmx else PRESS_SECONDS)
    except BadToken:
        raise
    except PlatformError as error:
        explained = refusals.explain(error)
        trouble = f"{explained.sentence} {explained.next_step}".strip()
    if request.htmx and found.stage == stage:
        progress = change_pages.moving(found, changing.counts(found), trouble)
        return render(request, "custom_fields/_progress.html", {"progress": progress})
    if trouble:
        return _show(request, found, trouble=trouble, status=502)
    return go(request, "custom_fields:change", found.pk)


@require_POST
def send(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Begin to send what was compared, or show the first request of it. A second press sends nothing twice."""
    found = _change_or_404(request, change_id)
    if dry_run.asked(request):
        first = found.lines.filter(state=LineState.CHANGE).first()
        if first is None:
            return redirect("custom_fields:change", found.pk)
        preview = clients.platform(request).preview(
            lambda p: p.custom_fields.update(
                first.video_id, first.field_id, value=first.value, key=first.new_key or None
            )
        )
        return _show(request, found, shown=dry_run.show(preview))
    changing.begin_sending(found)
    return redirect("custom_fields:change", found.pk)


@require_POST
def undo(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """Take back what a file changed: a change to the values of before, compared before anything is sent."""
    found = _change_or_404(request, change_id)
    back = changing.take_back(found) if found.stage == Stage.DONE else found
    return redirect("custom_fields:change", back.pk)


@require_safe
def report(request: OwnerRequest, change_id: uuid.UUID) -> HttpResponse:
    """What became of every line, or with `lines=refused` of those that were not changed, as a file."""
    found = _change_or_404(request, change_id)
    lines = found.lines.all()
    if request.GET.get("lines") == "refused":
        lines = lines.filter(state__in=change_pages.NOT_DONE)
    rows = (
        (
            line.number,
            line.video_id,
            line.key,
            line.new_key,
            line.value,
            line.before,
            change_pages.state_words(LineState(line.state)),
            change_pages.reason(line),
        )
        for line in lines.iterator(chunk_size=2000)
    )
    return csv.download(csv.written(HEADS, rows), csv.file_name("custom-fields-report"))


def _show(
    request: OwnerRequest,
    found: Change,
    *,
    trouble: str = "",
    shown: dry_run.DryRun | None = None,
    status: int = 200,
) -> HttpResponse:
    group = request.GET.get("lines", "differences")
    group = group if group in change_pages.GROUPS else "differences"
    number = request.GET.get("page", "")
    page = int(number) if number.isascii() and number.isdigit() and 0 < int(number) < 10_000 else 1
    first = (page - 1) * change_pages.ROWS
    lines = found.lines.filter(state__in=change_pages.GROUPS[group])[first : first + change_pages.ROWS]
    counts = changing.counts(found)
    context = {
        "page": change_pages.change_page(
            found, counts, list(lines), group, page, trouble, Change.objects.filter(undoes=found).first()
        ),
        "dry_run": shown,
        "dry_run_others": counts.get(LineState.CHANGE, 0) - 1,
    }
    return render(request, "custom_fields/change.html", context, status=status)


def _change_or_404(request: OwnerRequest, change_id: uuid.UUID) -> Change:
    return get_object_or_404(Change, pk=change_id, account_id=request.account.pk)
