"""From a request to a page: reads, keeps what was seen, and hands both to `pages`. The views stay short for it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from django.core.paginator import Paginator
from django.db.models import Count
from django.urls import reverse
from django.utils import timezone

from dashboard import clients
from dashboard.activity import recorder
from dashboard.platform_api import Operations
from dashboard.shared import dry_run
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import live, messages, rules, send, stored_cells, tracking
from dashboard.subtitles.forms import PlanRequest
from dashboard.subtitles.library import Library, ids_of, load_library
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.pages import batches as pages
from dashboard.subtitles.pages import planner as planner_pages
from dashboard.subtitles.pages.jobs import again, cell_row, explain_reason
from dashboard.subtitles.pages.planner import Planner
from dashboard.subtitles.pages.tabs import credits_sentence, parent_sentence, tabs
from dashboard.subtitles.queries import SubtitleReader, video_state_of
from dashboard.subtitles.rules import CellKey
from dashboard.subtitles.tracking import CellKind, Status
from dashboard.subtitles.writes import open_writes, order_of
from dashboard.upstream.credits import balance_part

GROUPS: Final = 3
GROUP_ROWS: Final = 8
JOBS_PAGE: Final = 25
HISTORY_PAGE: Final = 20

JOB_FILTERS: Final[dict[str, frozenset[str]]] = {
    "queue": frozenset({Status.QUEUE, Status.WAITING, Status.SENDING, Status.UNCONFIRMED}),
    "running": frozenset({Status.RUNNING}),
    "finished": frozenset({Status.FINISHED}),
    "error": frozenset({Status.ERROR, Status.REFUSED, Status.MISSING}),
    "skipped": frozenset({Status.SKIPPED, Status.DROPPED, Status.HELD}),
}
"""The filters of the list of jobs, by their word in the address."""


def parent_name(request: OwnerRequest) -> str:
    """The parent account's name; empty for an account that has none."""
    return request.account.parent.name if request.account.parent else ""


def read_desk(request: OwnerRequest, plan_request: PlanRequest) -> tuple[PlanRequest, Library]:
    """The rows of the planner with what Reelroom itself has sent, and the wish with a source language."""
    videos = dict.fromkeys((*plan_request.choice.videos, *sorted({video for video, _lang in plan_request.choice.also})))
    library = load_library(SubtitleReader.of(request), plan_request, tuple(videos)[: rules.MOST_VIDEOS])
    cells = list(stored_cells.list_open_cells(request, library.video_states))
    stored_cells.update_open_cells(cells, library.video_states, timezone.now())
    return plan_request.with_source(planner_pages.likely_source(library)), library.with_states(
        stored_cells.add_sent_cells(library.video_states, cells)
    )


def choose_all(request: OwnerRequest, plan_request: PlanRequest) -> PlanRequest:
    """The wish with every video chosen that its filter finds, as many as a plan takes. Raises a `PlatformError`."""
    videos_by_id = dict.fromkeys((*plan_request.choice.videos, *ids_of(SubtitleReader.of(request), plan_request)))
    videos = tuple(videos_by_id)[: rules.MOST_VIDEOS]
    return replace(plan_request, choice=replace(plan_request.choice, videos=videos))


def planner(request: OwnerRequest, plan_request: PlanRequest) -> tuple[Planner, str]:
    """The planner with the batches that are under way (else the last one), and the address of its poll."""
    plan_request, library = read_desk(request, plan_request)
    groups, cells = recent_groups(request)
    page = planner_pages.planner(
        plan_request,
        library,
        timezone.now(),
        account=request.account.name,
        parent=parent_name(request),
        open_jobs=stored_cells.list_open_cells(request).count(),
        groups=groups,
        balance=balance_part(request, request.account.parent or request.account),
    )
    ours: dict[CellKey, PlannedCell] = {
        (cell.video_id, cell.lang): cell for cell in stored_cells.list_open_cells(request, library.video_states)
    }
    watched = live.merge_watched(
        live.watch_table(page.coverage.matrix.under_way(), library.video_states, ours),
        live.watch_cells(cells, in_table=False),
    )
    return page, live.build_poll_address(
        reverse("subtitles:live"), watched, on="planner", batch=[build_group.head.key for build_group in groups]
    )


def recent_groups(request: OwnerRequest) -> tuple[tuple[pages.BatchGroup, ...], list[PlannedCell]]:
    """The batches that are under way, else the one that was sent last, and the cells of all of them."""
    under_way = set(stored_cells.list_open_cells(request).values_list("batch_id", flat=True))
    sent = stored_cells.list_sent_batches(request)
    batches = list(sent.filter(pk__in=under_way)[:GROUPS]) or list(sent[:1])
    actor = recorder.actor_of(request, request.account)
    groups, cells = [], []
    for batch in batches:
        batch_cells = list(batch.cells.all())
        cells += batch_cells
        groups.append(build_group(batch, batch_cells, actor))
    return tuple(groups), cells


def build_group(batch: Batch, cells: Sequence[PlannedCell], actor: str) -> pages.BatchGroup:
    """A batch with its open cells first, and as many others as there is room for."""
    rows = sorted(cells, key=lambda cell: (not tracking.is_open(cell.status), cell.position))
    most = max(GROUP_ROWS, sum(tracking.is_open(cell.status) for cell in cells))
    more = pages.all_jobs(len(rows)) if len(rows) > most else ""
    return pages.BatchGroup(pages.head(batch, cells, actor), tuple(cell_row(cell, batch) for cell in rows[:most]), more)


def cells_of(request: OwnerRequest, batch: Batch) -> list[PlannedCell]:
    """The cells of a batch as they stand now: open ones are looked at first."""
    cells = list(batch.cells.all())
    open_ones = [cell for cell in cells if tracking.is_open(cell.status)]
    if open_ones:
        watched = live.watch_cells(open_ones, in_table=True)
        stored_cells.update_open_cells(
            open_ones, live.read_watched(SubtitleReader.of(request), watched).video_states, timezone.now()
        )
    return cells


def dry_run_page(request: OwnerRequest, batch: Batch) -> pages.DryRunPage:
    """What leaves if the batch is sent now, checked once more."""
    cells = list(batch.cells.all())
    reader = SubtitleReader.of(request)
    videos = list(dict.fromkeys(cell.video_id for cell in cells))
    outcomes = reader.gather(reader.state_queries(videos))
    readings_by_video = {video: video_state_of(outcomes, video) for video in videos}
    trouble = next((readings[2] for readings in readings_by_video.values() if readings[2]), None)
    video_states = stored_cells.add_sent_cells(
        {v: reading[0] for v, reading in readings_by_video.items()}, stored_cells.list_open_cells(request, videos)
    )
    order = order_of(batch, cells)
    reasons = {cell.pk: rules.rejection_reason(order, video_states[cell.video_id], cell.lang) for cell in cells}
    sendable = [cell for cell in cells if reasons[cell.pk] is None]
    if order.transcribes:
        with_main = {cell.video_id for cell in sendable if cell.kind == CellKind.TRANSCRIPTION}
        sendable = [cell for cell in sendable if cell.video_id in with_main]
    dropped = [pages.dropped(c.title, c.lang, reason) for c in cells if (reason := reasons[c.pk]) is not None]
    parent = parent_name(request)
    return pages.DryRunPage(
        tabs=tabs("plan", stored_cells.list_open_cells(request).count()),
        key=str(batch.pk),
        title=pages.dry_title(len(sendable)),
        order=pages.order_sentence(batch),
        tier=pages.tier_sentence(batch),
        videos=tuple(_dry_videos(request, order, sendable)),
        dropped=tuple(dropped),
        send_words=pages.send_words(len(sendable)),
        count=len(sendable),
        change=f"{reverse('subtitles:subtitles')}?{batch.plan}",
        credits=credits_sentence(request.account.name, parent),
        balance=balance_part(request, request.account.parent or request.account),
        parent=parent_sentence(parent),
        trouble=messages.explain(trouble, parent) if trouble else None,
    )


def _dry_videos(request: OwnerRequest, order: rules.Order, cells: Iterable[PlannedCell]) -> Iterable[pages.DryVideo]:
    planned = list(cells)
    titles = {cell.video_id: cell.title for cell in planned}
    platform = clients.platform(request)  # a preview shows no token, so whose it is makes no difference
    for video, body in rules.bodies(order, [(cell.video_id, cell.lang) for cell in planned]).items():

        def call(operations: Operations, body: object = body) -> object:
            return operations.ai_workflow.create(body)  # type: ignore[arg-type]  # a body of `bodies`

        langs = [cell.lang for cell in planned if cell.video_id == video]
        yield pages.DryVideo(
            titles[video],
            "; ".join(messages.language_with_code(lang) for lang in langs),
            len(langs),
            dry_run.show(platform.preview(call)),
        )


def batch_page(request: OwnerRequest, batch: Batch) -> tuple[pages.BatchPage, str]:
    """A batch that was sent, as it stands now, and the address of its poll."""
    cells = cells_of(request, batch)
    columns, rows = pages.batch_table(cells)
    count = tracking.tally(cell.status for cell in cells)
    waiting = [cell for cell in cells if cell.status == Status.PLANNED]
    trouble = next((cell.reason for cell in waiting if cell.reason), "")
    retry = [cell for cell in cells if cell.status in tracking.AGAIN]
    page = pages.BatchPage(
        tabs=tabs("jobs", stored_cells.list_open_cells(request).count()),
        head=pages.head(batch, cells, recorder.actor_of(request, request.account)),
        order=pages.order_sentence(batch),
        columns=columns,
        rows=rows,
        sprite=messages.sprite(),
        jobs=tuple(cell_row(cell, batch) for cell in cells),
        to_send=len(waiting),
        waits=open_writes(batch).exists(),
        send_trouble=explain_reason(trouble),
        doubtful=pages.doubtful_sentence(count.doubtful),
        again=again(retry, batch) if retry else "",
        again_words=pages.again_words(len(retry)),
        parent=parent_sentence(parent_name(request)),
        key=str(batch.pk),
    )
    watched = live.watch_cells(cells, in_table=True)
    return page, live.build_poll_address(reverse("subtitles:live"), watched, on="batch", batch=str(batch.pk))


def jobs_page(request: OwnerRequest, status_filter: str, number: str) -> tuple[pages.JobsPage, str]:
    """Everything this account sent through Reelroom, newest first, and the address of its poll."""
    look_at_open(request)
    cells = PlannedCell.objects.select_related("batch").filter(
        batch__account=request.account, batch__sent_at__isnull=False
    )
    counts = {row["status"]: row["count"] for row in cells.order_by().values("status").annotate(count=Count("pk"))}
    if status_filter in JOB_FILTERS:
        cells = cells.filter(status__in=list(JOB_FILTERS[status_filter]))
    page = Paginator(cells.order_by("-batch__sent_at", "batch_id", "position"), JOBS_PAGE).get_page(number)
    page_cells = list(page.object_list)
    actor = recorder.actor_of(request, request.account)
    batches = {cell.batch_id: cell.batch for cell in page_cells}
    groups = tuple(
        pages.BatchGroup(
            pages.head(batch, batch.cells.all(), actor),
            tuple(cell_row(cell, batch) for cell in page_cells if cell.batch_id == batch.pk),
            "",
        )
        for batch in batches.values()
    )
    view = pages.jobs_view(
        tabs("jobs", stored_cells.list_open_cells(request).count()),
        groups,
        [(word, sum(counts.get(status, 0) for status in statuses)) for word, statuses in JOB_FILTERS.items()],
        sum(counts.values()),
        status_filter if status_filter in JOB_FILTERS else "",
        page,
    )
    watched = live.watch_cells(page_cells, in_table=False)
    return view, live.build_poll_address(
        reverse("subtitles:live"), watched, on="jobs", batch=[build_group.head.key for build_group in groups]
    )


def look_at_open(request: OwnerRequest) -> None:
    """Bring the account's open cells to what the platform shows; a page's worth of videos at most."""
    cells = list(stored_cells.list_open_cells(request).order_by("-sending_at"))
    videos = list(dict.fromkeys(cell.video_id for cell in cells))[: rules.MOST_VIDEOS]
    refreshed = [cell for cell in cells if cell.video_id in videos]
    if refreshed:
        reading = live.read_watched(SubtitleReader.of(request), live.watch_cells(refreshed, in_table=False))
        stored_cells.update_open_cells(refreshed, reading.video_states, timezone.now())


def history_page(request: OwnerRequest, number: str) -> pages.HistoryPage:
    """The batches of this account, newest first, with how each ended."""
    look_at_open(request)
    page = Paginator(stored_cells.list_sent_batches(request).prefetch_related("cells"), HISTORY_PAGE).get_page(number)
    actor = recorder.actor_of(request, request.account)
    heads = tuple(pages.head(batch, batch.cells.all(), actor) for batch in page.object_list)
    return pages.history_view(tabs("history", stored_cells.list_open_cells(request).count()), heads, page)


def make_batch(request: OwnerRequest, plan_request: PlanRequest, library: Library, planned: Sequence[CellKey]) -> Batch:
    """Keep a plan, to be looked at and sent. Plans of before that were never sent are cleared away."""
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
        _planned_cell(batch, index, video, titles[video], lang) for index, (video, lang) in enumerate(planned)
    )
    return batch


def _planned_cell(batch: Batch, position: int, video: str, title: str, lang: str) -> PlannedCell:
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
