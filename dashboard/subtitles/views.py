"""The pages of subtitles: plan, check, send, watch, read."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import replace_url

from dashboard.activity import recorder
from dashboard.platform_api import Operations
from dashboard.shared import csv, http
from dashboard.shared.http import LONGEST_ADDRESS, OwnerRequest, go
from dashboard.subtitles import live, messages, models, planner, rules, video_pages
from dashboard.subtitles.forms import PlanForm, PlanRequest
from dashboard.subtitles.gaps import load_gaps
from dashboard.subtitles.jobs import (
    JOB_FILTERS,
    BatchGroup,
    again,
    build_group,
    build_head,
    cell_row,
    explain_reason,
)
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.queries import Library, SubtitleReader, ids_of, load_library, video_state_of
from dashboard.subtitles.rules import CellKey, CellKind, Status
from dashboard.subtitles.writes import UNSENT_KEPT, open_writes, order_of, send_batch
from dashboard.upstream import clients
from dashboard.upstream.credits import balance_part

GROUPS: Final = 3
"""Batches under way that the planner shows."""
JOBS_PAGE: Final = 25
HISTORY_PAGE: Final = 20


@require_safe
def subtitles(request: OwnerRequest) -> HttpResponse:
    """The planner and the coverage of the library, all of it out of the address."""
    form = PlanForm(request.GET)
    form.judge(finished=False)
    return _planner(request, form)


@require_POST
def plan(request: OwnerRequest) -> HttpResponse:
    """The form of the planner: show it again with what was chosen, or check the plan and keep it for sending.

    A choice that is too long for an address is shown without one.
    """
    form = PlanForm(request.POST, person_sent=True)
    if "check" in request.POST:
        return _check(request, form)
    if request.POST.get("choose") == "all":
        choice = form.plan_request.choice
        ids = dict.fromkeys((*choice.videos, *ids_of(SubtitleReader.of(request), form.plan_request)))
        form.plan_request = replace(form.plan_request, choice=replace(choice, videos=tuple(ids)))
    address = form.plan_request.address
    has_address = len(address) <= LONGEST_ADDRESS
    if has_address and not request.htmx:
        return go(request, f"{address}#coverage")
    form.judge(finished=False)
    if request.POST.get("part") == "count":
        response = render(request, "subtitles/_plan_count.html", {"planned": form.ticked})
    else:
        response = _planner(request, form)
    return replace_url(response, address) if has_address else response


def _check(request: OwnerRequest, form: PlanForm) -> HttpResponse:
    """Keep the plan and lead to its dry run; with a rule broken, or nothing to make, back to the form with the reason."""
    if not form.judge(finished=True):
        return _planner(request, form, status=422)
    plan_request, library = _read_library(request, form.plan_request)
    cells = rules.plan(plan_request.order, plan_request.choice, library.video_states, timezone.now())
    if not cells:
        form.add_error("video", _("None of these subtitles can be created now. The table shows why in each cell."))
        return _planner(request, form, status=422)
    return go(request, "subtitles:batch", _create_batch(request, plan_request, library, cells).pk)


def _read_library(request: OwnerRequest, plan_request: PlanRequest) -> tuple[PlanRequest, Library]:
    """Load the rows of the planner with what Reelroom has sent; the plan request gets a source language."""
    videos = dict.fromkeys((*plan_request.choice.videos, *sorted({video for video, _lang in plan_request.choice.also})))
    library = load_library(SubtitleReader.of(request), plan_request, tuple(videos)[: rules.MOST_VIDEOS])
    cells = list(models.list_open_cells(request, library.video_states))
    models.update_open_cells(cells, library.video_states, timezone.now())
    return plan_request.with_source(planner.likely_source(library)), library.with_states(
        models.add_sent_cells(library.video_states, cells)
    )


def _planner(request: OwnerRequest, form: PlanForm, *, status: int = 200) -> HttpResponse:
    """The planner with the batches that are under way (else the last one), and what its poll watches."""
    plan_request, library = _read_library(request, form.plan_request)
    now = timezone.now()
    planned = rules.plan(plan_request.order, plan_request.choice, library.video_states, now)
    coverage = planner.Coverage(plan_request, library, planned, now)
    groups, cells = _load_recent_groups(request)
    sent = {(cell.video_id, cell.lang): cell for cell in models.list_open_cells(request, library.video_states)}
    watched = live.merge_watched(
        live.watch_table(coverage.matrix.under_way(), library.video_states, sent),
        live.watch_cells(cells, in_table=False),
    )
    context = {
        "form": form,
        "refused": status == 422,
        "order": plan_request.order,
        "fields": planner.list_fields(plan_request.order, library),
        "coverage": coverage,
        "trouble": messages.explain(coverage.error, request.account) if coverage.error else None,
        "planned": len(planned),
        "cleared": replace(plan_request, choice=rules.CellChoice()).address,
        "groups": groups,
        "gaps": () if request.htmx else load_gaps(request),
        "balance": balance_part(request, request.account.parent or request.account),
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(
            reverse("subtitles:live"), watched, on="planner", batch=[str(group.head.batch.pk) for group in groups]
        ),
    }
    template = "subtitles/_plan_part.html" if request.htmx else "subtitles/subtitles.html"
    return render(request, template, context, status=status)


def _load_recent_groups(request: OwnerRequest) -> tuple[list[BatchGroup], list[PlannedCell]]:
    """The batches that are under way, else the one that was sent last, and the cells of all of them."""
    under_way = set(models.list_open_cells(request).values_list("batch_id", flat=True))
    sent = models.list_sent_batches(request)
    actor = recorder.actor_of(request, request.account)
    groups, cells = [], []
    for batch in list(sent.filter(pk__in=under_way)[:GROUPS]) or list(sent[:1]):
        batch_cells = list(batch.cells.all())
        cells += batch_cells
        groups.append(build_group(batch, batch_cells, actor))
    return groups, cells


@require_safe
def coverage(request: OwnerRequest) -> HttpResponse:
    """The table as a file: the rows and columns that the page shows."""
    plan_request, library = _read_library(request, PlanForm(request.GET).plan_request)
    heads, rows = planner.table(library, plan_request.order, timezone.now())
    return csv.download(csv.written(heads, rows), csv.file_name("subtitles-coverage", timezone.localdate().isoformat()))


@require_safe
def batch(request: OwnerRequest, batch_id: str) -> HttpResponse:
    """A batch: the dry run before it is sent, its progress after."""
    stored = _get_batch(request, batch_id)
    return _show_dry_run(request, stored) if stored.sent_at is None else _show_progress(request, stored)


@require_POST
def send(request: OwnerRequest, batch_id: str) -> HttpResponse:
    """Send the planned cells of the batch. Its id is the key: nothing is sent twice."""
    stored = _get_batch(request, batch_id)
    send_batch(request, stored)
    return go(request, "subtitles:batch", stored.pk)


def _get_batch(request: OwnerRequest, batch_id: str) -> Batch:
    return get_object_or_404(Batch, pk=batch_id, account=request.account)


def _show_dry_run(request: OwnerRequest, batch: Batch) -> HttpResponse:
    """What would be sent of the batch now, with every video read again."""
    cells = list(batch.cells.all())
    reader = SubtitleReader.of(request)
    videos = list(dict.fromkeys(cell.video_id for cell in cells))
    outcomes = reader.gather(reader.state_queries(videos))
    readings = {video: video_state_of(outcomes, video) for video in videos}
    error = next((error for _state, _late, error in readings.values() if error), None)
    video_states = models.add_sent_cells(
        {video: video_state for video, (video_state, _late, _error) in readings.items()},
        models.list_open_cells(request, videos),
    )
    order = order_of(batch, cells)
    reasons = [(cell, rules.rejection_reason(order, video_states[cell.video_id], cell.lang)) for cell in cells]
    sendable = [cell for cell, reason in reasons if reason is None]
    if order.transcribes:  # no extra language leaves without its transcription
        transcribed = {cell.video_id for cell in sendable if cell.kind == CellKind.TRANSCRIPTION}
        sendable = [cell for cell in sendable if cell.video_id in transcribed]
    context = {
        "batch": batch,
        "count": len(sendable),
        "videos": _preview_requests(request, order, sendable),
        "dropped": [(cell, messages.reason(reason)) for cell, reason in reasons if reason is not None],
        "balance": balance_part(request, request.account.parent or request.account),
        "trouble": messages.explain(error, request.account) if error else None,
    }
    return render(request, "subtitles/check.html", context)


def _preview_requests(
    request: OwnerRequest, order: rules.Order, cells: Sequence[PlannedCell]
) -> list[tuple[list[PlannedCell], http.DryRun]]:
    """The cells of each video with their request."""
    platform = clients.platform(request)  # a preview shows no token, so whose it is makes no difference
    previews = []
    for video, body in rules.bodies(order, [(cell.video_id, cell.lang) for cell in cells]).items():

        def call(operations: Operations, body: object = body) -> object:
            return operations.ai_workflow.create(body)  # type: ignore[arg-type]  # a body of `bodies`

        video_cells = [cell for cell in cells if cell.video_id == video]
        previews.append((video_cells, http.show_request(platform.preview(call))))
    return previews


def _show_progress(request: OwnerRequest, batch: Batch) -> HttpResponse:
    """A batch that was sent, with its open cells read again."""
    cells = list(batch.cells.all())
    _update_cells(request, [cell for cell in cells if rules.is_open(cell.status)])
    languages = list(dict.fromkeys(cell.lang for cell in cells))
    by_video: dict[str, dict[str, PlannedCell]] = {}
    for cell in cells:
        by_video.setdefault(cell.video_id, {})[cell.lang] = cell
    retry = [cell for cell in cells if cell.status in rules.AGAIN]
    reason = next((cell.reason for cell in cells if cell.status == Status.PLANNED and cell.reason), "")
    context = {
        "head": build_head(batch, cells, recorder.actor_of(request, request.account)),
        "languages": [(lang, messages.language(lang)) for lang in languages],
        "rows": [(next(iter(row.values())).title, list(map(row.get, languages))) for row in by_video.values()],
        "jobs": [cell_row(cell, batch) for cell in cells],
        "waits": open_writes(batch).exists(),
        "send_trouble": explain_reason(reason),
        "again": again(retry, batch) if retry else "",
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(
            reverse("subtitles:live"), live.watch_cells(cells, in_table=True), on="batch", batch=str(batch.pk)
        ),
    }
    return render(request, "subtitles/batch.html", context)


@require_safe
def jobs(request: OwnerRequest) -> HttpResponse:
    """Everything this account sent through Reelroom, newest first, by batch."""
    _update_open_cells(request)
    cells = PlannedCell.objects.select_related("batch").filter(
        batch__account=request.account, batch__sent_at__isnull=False
    )
    counts = dict(cells.order_by().values_list("status").annotate(count=Count("pk")))
    filters = [("", pgettext("subtitles", "All"), sum(counts.values()))]
    for word, (label, statuses) in JOB_FILTERS.items():
        filters.append((word, label, sum(counts.get(status, 0) for status in statuses)))
    status_filter = request.GET.get("job", "") if request.GET.get("job", "") in JOB_FILTERS else ""
    if status_filter:
        cells = cells.filter(status__in=JOB_FILTERS[status_filter][1])
    page = Paginator(cells.order_by("-batch__sent_at", "batch_id", "position"), JOBS_PAGE).get_page(
        request.GET.get("page", "")
    )
    page_cells = list(page.object_list)
    actor = recorder.actor_of(request, request.account)
    groups = [
        BatchGroup(
            build_head(batch, batch.cells.all(), actor),
            [cell_row(cell, batch) for cell in page_cells if cell.batch_id == batch.pk],
        )
        for batch in dict.fromkeys(cell.batch for cell in page_cells)
    ]
    context = {
        "page": page,
        "groups": groups,
        "filters": filters,
        "status_filter": status_filter,
        "open_jobs": models.list_open_cells(request).count(),
        "poll": live.build_poll_address(
            reverse("subtitles:live"),
            live.watch_cells(page_cells, in_table=False),
            on="jobs",
            batch=[str(group.head.batch.pk) for group in groups],
        ),
    }
    return render(request, "subtitles/jobs.html", context)


@require_safe
def history(request: OwnerRequest) -> HttpResponse:
    """The batches of this account, newest first, with how each ended."""
    _update_open_cells(request)
    sent = models.list_sent_batches(request).prefetch_related("cells")
    page = Paginator(sent, HISTORY_PAGE).get_page(request.GET.get("page", ""))
    actor = recorder.actor_of(request, request.account)
    context = {
        "page": page,
        "heads": [build_head(batch, batch.cells.all(), actor) for batch in page.object_list],
        "open_jobs": models.list_open_cells(request).count(),
    }
    return render(request, "subtitles/history.html", context)


def _update_open_cells(request: OwnerRequest) -> None:
    """Read the jobs of the account's open cells; of as many videos as a plan has, the last sent first."""
    cells = list(models.list_open_cells(request).order_by("-sending_at"))
    videos = list(dict.fromkeys(cell.video_id for cell in cells))[: rules.MOST_VIDEOS]
    _update_cells(request, [cell for cell in cells if cell.video_id in videos])


def _update_cells(request: OwnerRequest, cells: Sequence[PlannedCell]) -> None:
    if cells:
        reading = live.read_watched(SubtitleReader.of(request), live.watch_cells(cells, in_table=False))
        models.update_open_cells(cells, reading.video_states, timezone.now())


def _create_batch(
    request: OwnerRequest, plan_request: PlanRequest, library: Library, planned: Sequence[CellKey]
) -> Batch:
    """Save a plan, to be checked and sent. Deletes older plans that were never sent."""
    old = timezone.now() - UNSENT_KEPT
    Batch.objects.filter(account=request.account, sent_at=None, created_at__lt=old).delete()
    titles = {row.video_id: row.title for row in library.rows}
    order = plan_request.order
    batch = Batch(
        account=request.account,
        actor=recorder.actor_of(request, request.account)[:120],
        label=planner.find_label(plan_request, library, [video for video, _lang in planned])[:300],
        type=order.type,
        tier=order.tier,
        from_lang=order.from_lang,
        plan=plan_request.query(),
    )
    batch.save_with_cells([(video, titles[video], lang) for video, lang in planned])
    return batch


@require_safe
def live_update(request: OwnerRequest) -> HttpResponse:
    """The poll of a page that watches several videos. Without htmx: redirect to the planner."""
    if not request.htmx:
        return go(request, "subtitles:subtitles")
    return live.parse_poll(request, request.path).answer()


@require_safe
def video_jobs(request: OwnerRequest, video_id: str) -> HttpResponse:
    """The jobs of one video, whoever sent them; for htmx, the poll of that list."""
    if request.htmx:
        return live.parse_poll(request, request.path, on="video").answer()
    return render(request, "subtitles/video_jobs.html", video_pages.load_jobs(request, video_id))


@require_safe
def subtitle(request: OwnerRequest, video_id: str, lang: str) -> HttpResponse:
    """One video in one language: the player with the text, or why there is none."""
    return render(request, "subtitles/subtitle.html", video_pages.load_subtitle(request, video_id, lang))


@require_safe
def download(request: OwnerRequest, video_id: str, lang: str, kind: str) -> HttpResponse:
    """The subtitles as a file: vtt as the platform keeps it, srt and txt made of it."""
    if kind not in video_pages.KINDS:
        raise Http404
    return video_pages.load_file(request, video_id, lang, kind)
