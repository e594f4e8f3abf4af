"""Loads the data of the subtitle pages: one function a page. `pages` turns the data into what templates show."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.core.paginator import Paginator
from django.db.models import Count
from django.urls import reverse
from django.utils import timezone

from dashboard.activity import recorder
from dashboard.platform_api import Operations
from dashboard.shared import dry_run
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import live, rules, send, stored_cells, tracking
from dashboard.subtitles.forms import PlanRequest
from dashboard.subtitles.gaps import load_gaps
from dashboard.subtitles.library import Library, ids_of, load_library
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages import planner as planner_pages
from dashboard.subtitles.pages.batches import BatchData, BatchGroup, BatchPage, build_batch_page, build_group
from dashboard.subtitles.pages.dry_run import DryRunData, DryRunPage, build_dry_run_page
from dashboard.subtitles.pages.job_lists import (
    JOB_FILTERS,
    HistoryPage,
    JobsData,
    JobsPage,
    build_history_page,
    build_jobs_page,
)
from dashboard.subtitles.pages.planner import Planner
from dashboard.subtitles.pages.tabs import AccountContext
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.subtitles.rules import CellKey
from dashboard.subtitles.tracking import CellKind
from dashboard.subtitles.writes import open_writes, order_of
from dashboard.upstream import clients
from dashboard.upstream.credits import balance_part

GROUPS: Final = 3
JOBS_PAGE: Final = 25
HISTORY_PAGE: Final = 20


def parent_name(request: OwnerRequest) -> str:
    """The parent account's name; empty for an account that has none."""
    return request.account.parent.name if request.account.parent else ""


def load_account(request: OwnerRequest) -> AccountContext:
    """What every page shows of the account."""
    return AccountContext(
        name=request.account.name,
        parent=parent_name(request),
        actor=recorder.actor_of(request, request.account),
        open_jobs=stored_cells.list_open_cells(request).count(),
    )


def read_library(request: OwnerRequest, plan_request: PlanRequest) -> tuple[PlanRequest, Library]:
    """Load the rows of the planner with what Reelroom has sent; the plan request gets a source language."""
    videos = dict.fromkeys((*plan_request.choice.videos, *sorted({video for video, _lang in plan_request.choice.also})))
    library = load_library(SubtitleReader.of(request), plan_request, tuple(videos)[: rules.MOST_VIDEOS])
    cells = list(stored_cells.list_open_cells(request, library.video_states))
    stored_cells.update_open_cells(cells, library.video_states, timezone.now())
    return plan_request.with_source(planner_pages.likely_source(library)), library.with_states(
        stored_cells.add_sent_cells(library.video_states, cells)
    )


def choose_all(request: OwnerRequest, plan_request: PlanRequest) -> PlanRequest:
    """Choose every video that the filter finds, beside those that are chosen already. Raises a `PlatformError`."""
    ids = dict.fromkeys((*plan_request.choice.videos, *ids_of(SubtitleReader.of(request), plan_request)))
    return replace(plan_request, choice=replace(plan_request.choice, videos=tuple(ids)))


def load_planner(request: OwnerRequest, plan_request: PlanRequest) -> tuple[Planner, str]:
    """The planner with the batches that are under way (else the last one), and the address of its poll."""
    plan_request, library = read_library(request, plan_request)
    account = load_account(request)
    groups, cells = _load_recent_groups(request, account.actor)
    page = planner_pages.build_planner(
        plan_request,
        library,
        timezone.now(),
        account=account,
        groups=groups,
        balance=balance_part(request, request.account.parent or request.account),
        gaps=() if request.htmx else load_gaps(request),
    )
    open_cells: dict[CellKey, PlannedCell] = {
        (cell.video_id, cell.lang): cell for cell in stored_cells.list_open_cells(request, library.video_states)
    }
    watched = live.merge_watched(
        live.watch_table(page.coverage.matrix.under_way(), library.video_states, open_cells),
        live.watch_cells(cells, in_table=False),
    )
    return page, live.build_poll_address(
        reverse("subtitles:live"), watched, on="planner", batch=[group.head.key for group in groups]
    )


def _load_recent_groups(request: OwnerRequest, actor: str) -> tuple[tuple[BatchGroup, ...], list[PlannedCell]]:
    """The batches that are under way, else the one that was sent last, and the cells of all of them."""
    under_way = set(stored_cells.list_open_cells(request).values_list("batch_id", flat=True))
    sent = stored_cells.list_sent_batches(request)
    groups, cells = [], []
    for batch in list(sent.filter(pk__in=under_way)[:GROUPS]) or list(sent[:1]):
        batch_cells = list(batch.cells.all())
        cells += batch_cells
        groups.append(build_group(batch, batch_cells, actor))
    return tuple(groups), cells


def load_dry_run(request: OwnerRequest, batch: Batch) -> DryRunPage:
    """What would be sent of the batch now, with every video read again."""
    cells = list(batch.cells.all())
    reader = SubtitleReader.of(request)
    videos = list(dict.fromkeys(cell.video_id for cell in cells))
    outcomes = reader.gather(reader.state_queries(videos))
    readings = {video: video_state_of(outcomes, video) for video in videos}
    video_states = stored_cells.add_sent_cells(
        {video: video_state for video, (video_state, _late, _error) in readings.items()},
        stored_cells.list_open_cells(request, videos),
    )
    order = order_of(batch, cells)
    reasons = [(cell, rules.rejection_reason(order, video_states[cell.video_id], cell.lang)) for cell in cells]
    sendable = _drop_orphans(order, [cell for cell, reason in reasons if reason is None])
    data = DryRunData(
        batch=batch,
        sendable=tuple(sendable),
        rejected=tuple((cell, reason) for cell, reason in reasons if reason is not None),
        requests=_preview_requests(request, order, sendable),
        balance=balance_part(request, request.account.parent or request.account),
        error=next((error for _state, _late, error in readings.values() if error), None),
    )
    return build_dry_run_page(data, load_account(request))


def _drop_orphans(order: rules.Order, cells: list[PlannedCell]) -> list[PlannedCell]:
    """Without extra languages whose transcription cannot be sent."""
    if not order.transcribes:
        return cells
    transcribed = {cell.video_id for cell in cells if cell.kind == CellKind.TRANSCRIPTION}
    return [cell for cell in cells if cell.video_id in transcribed]


def _preview_requests(
    request: OwnerRequest, order: rules.Order, cells: Sequence[PlannedCell]
) -> dict[str, dry_run.DryRun]:
    """The request of each video, by its id."""
    platform = clients.platform(request)  # a preview shows no token, so whose it is makes no difference
    previews = {}
    for video, body in rules.bodies(order, [(cell.video_id, cell.lang) for cell in cells]).items():

        def call(operations: Operations, body: object = body) -> object:
            return operations.ai_workflow.create(body)  # type: ignore[arg-type]  # a body of `bodies`

        previews[video] = dry_run.show(platform.preview(call))
    return previews


def load_batch(request: OwnerRequest, batch: Batch) -> tuple[BatchPage, str]:
    """A batch that was sent, with its open cells read again, and the address of its poll."""
    cells = list(batch.cells.all())
    open_cells = [cell for cell in cells if tracking.is_open(cell.status)]
    if open_cells:
        _update_cells(request, open_cells)
    data = BatchData(batch, tuple(cells), open_writes(batch).exists())
    watched = live.watch_cells(cells, in_table=True)
    poll = live.build_poll_address(reverse("subtitles:live"), watched, on="batch", batch=str(batch.pk))
    return build_batch_page(data, load_account(request)), poll


def load_jobs(request: OwnerRequest, status_filter: str, number: str) -> tuple[JobsPage, str]:
    """Everything this account sent through Reelroom, newest first, and the address of its poll."""
    _update_open_cells(request)
    cells = PlannedCell.objects.select_related("batch").filter(
        batch__account=request.account, batch__sent_at__isnull=False
    )
    counts = {row["status"]: row["count"] for row in cells.order_by().values("status").annotate(count=Count("pk"))}
    status_filter = status_filter if status_filter in JOB_FILTERS else ""
    if status_filter:
        _label, statuses = JOB_FILTERS[status_filter]
        cells = cells.filter(status__in=list(statuses))
    page = Paginator(cells.order_by("-batch__sent_at", "batch_id", "position"), JOBS_PAGE).get_page(number)
    page_cells = page.object_list = list(page.object_list)
    batches = dict.fromkeys(cell.batch for cell in page_cells)
    data = JobsData(page, {batch: list(batch.cells.all()) for batch in batches}, counts, status_filter)
    watched = live.watch_cells(page_cells, in_table=False)
    poll = live.build_poll_address(
        reverse("subtitles:live"), watched, on="jobs", batch=[str(batch.pk) for batch in batches]
    )
    return build_jobs_page(data, load_account(request)), poll


def load_history(request: OwnerRequest, number: str) -> HistoryPage:
    """The batches of this account, newest first, with how each ended."""
    _update_open_cells(request)
    sent = stored_cells.list_sent_batches(request).prefetch_related("cells")
    return build_history_page(Paginator(sent, HISTORY_PAGE).get_page(number), load_account(request))


def _update_open_cells(request: OwnerRequest) -> None:
    """Read the jobs of the account's open cells; of as many videos as a plan has, the last sent first."""
    cells = list(stored_cells.list_open_cells(request).order_by("-sending_at"))
    videos = list(dict.fromkeys(cell.video_id for cell in cells))[: rules.MOST_VIDEOS]
    if videos:
        _update_cells(request, [cell for cell in cells if cell.video_id in videos])


def _update_cells(request: OwnerRequest, cells: list[PlannedCell]) -> None:
    reading = live.read_watched(SubtitleReader.of(request), live.watch_cells(cells, in_table=False))
    stored_cells.update_open_cells(cells, reading.video_states, timezone.now())


def create_batch(
    request: OwnerRequest, plan_request: PlanRequest, library: Library, planned: Sequence[CellKey]
) -> Batch:
    """Save a plan, to be checked and sent. Deletes older plans that were never sent."""
    old = timezone.now() - send.UNSENT_KEPT
    Batch.objects.filter(account=request.account, sent_at=None, created_at__lt=old).delete()
    titles = {row.video_id: row.title for row in library.rows}
    videos = list(dict.fromkeys(video for video, _lang in planned))
    batch = Batch.objects.create(
        account=request.account,
        actor=recorder.actor_of(request, request.account)[:120],
        label=planner_pages.batch_label(plan_request, library, videos)[:300],
        type=plan_request.order.type,
        tier=plan_request.order.tier,
        from_lang=plan_request.order.from_lang,
        plan=plan_request.query(),
    )
    PlannedCell.objects.bulk_create(
        build_cell(batch, index, video, titles[video], lang) for index, (video, lang) in enumerate(planned)
    )
    return batch


def build_cell(batch: Batch, position: int, video: str, title: str, lang: str) -> PlannedCell:
    """One cell of a plan, not stored."""
    kind = CellKind.TRANSLATION
    if batch.type == CellKind.TRANSCRIPTION:
        kind = CellKind.TRANSCRIPTION if lang == batch.from_lang else CellKind.EXTRA
    return PlannedCell(
        batch=batch,
        position=position,
        video_id=video,
        title=title[:500],
        kind=kind,
        lang=lang,
        work=tracking.work_of(kind, lang),
    )
