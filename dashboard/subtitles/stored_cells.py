"""Stored cells of the account's batches: which are open, which were sent last, and updating them from a read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from dashboard.accounts.models import Account
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import tracking
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.rules import VideoState
from dashboard.subtitles.tracking import CellKind, ParentCell, Status

SENT: Final = frozenset({Status.WAITING, Status.UNCONFIRMED, Status.SENDING})
"""Statuses of cells that were sent, and for which the platform shows no job yet."""
SETTLED: Final = tuple(status.value for status in tracking.NOT_SENT | tracking.ENDED)
"""Statuses that the platform does not change any more."""


def list_open_cells(request: OwnerRequest, videos: Iterable[str] | None = None) -> "QuerySet[PlannedCell]":
    """This account's cells that the platform may still change, of these videos or of all."""
    cells = _select_open([request.account]).select_related("batch")
    return cells if videos is None else cells.filter(video_id__in=list(videos))


def count_open_jobs(accounts: Sequence[Account]) -> dict[UUID, int]:
    """How many jobs of each of these accounts are in progress, by the account's id, without those that have none."""
    cells = _select_open(accounts).order_by()
    return dict(cells.values_list("batch__account_id").annotate(count=Count("pk")))


def _select_open(accounts: Sequence[Account]) -> "QuerySet[PlannedCell]":
    return PlannedCell.objects.filter(batch__account__in=accounts).exclude(status__in=SETTLED)


def list_under_way(request: OwnerRequest, languages: Iterable[str]) -> "QuerySet[PlannedCell]":
    """This account's cells in these languages that are being made, or wait to be sent: as a plan that was sent or a run does."""
    waits = Q(status=Status.PLANNED, batch__sent_at__isnull=False)
    cells = PlannedCell.objects.filter(batch__account=request.account, lang__in=list(languages))
    return cells.filter(waits | ~Q(status__in=SETTLED))


def add_sent_cells(video_states: Mapping[str, VideoState], cells: Iterable[PlannedCell]) -> dict[str, VideoState]:
    """Add what was sent to the states of videos whose jobs the platform does not show yet."""
    states = dict(video_states)
    for cell in cells:
        state = states.get(cell.video_id)
        if state is not None and cell.status in SENT:
            transcribes = state.transcribing or cell.kind == CellKind.TRANSCRIPTION
            states[cell.video_id] = replace(
                state, sending=state.sending | {cell.lang.lower()}, transcribing=transcribes
            )
    return states


def list_newest_cells(request: OwnerRequest, videos: Iterable[str]) -> dict[tuple[str, str], PlannedCell]:
    """The cell that was sent last, or waits to be sent, for each language of these videos."""
    newest: dict[tuple[str, str], PlannedCell] = {}
    waits = Q(status=Status.PLANNED, batch__sent_at__isnull=False)
    sent = PlannedCell.objects.select_related("batch").filter(
        waits | Q(sending_at__isnull=False), batch__account=request.account, video_id__in=list(videos)
    )
    for cell in sent.order_by(F("sending_at").desc(nulls_first=True), "-pk"):
        newest.setdefault((cell.video_id, cell.lang), cell)
    return newest


def update_open_cells(
    cells: Iterable[PlannedCell], video_states: Mapping[str, VideoState], now: datetime
) -> list[PlannedCell]:
    """Update open cells from the latest read and save them. Returns those that changed."""
    ordered = sorted(cells, key=lambda cell: cell.kind != CellKind.TRANSCRIPTION)
    changed = []
    for cell in ordered:
        if cell.video_id not in video_states:
            continue
        parent = _find_parent(cell, ordered) if cell.kind == CellKind.EXTRA else None
        outcome = tracking.cell_outcome(cell.as_sent(), video_states[cell.video_id], now, parent)
        if (outcome.status != cell.status or outcome.job_id != cell.job_id) and _save_outcome(cell, outcome, now):
            changed.append(cell)
    return changed


def _find_parent(cell: PlannedCell, read_already: Iterable[PlannedCell]) -> ParentCell | None:
    same = (other for other in read_already if other.batch_id == cell.batch_id and other.video_id == cell.video_id)
    main = next((other for other in same if other.kind == CellKind.TRANSCRIPTION), None)
    if main is None:
        main = PlannedCell.objects.filter(
            batch_id=cell.batch_id, video_id=cell.video_id, kind=CellKind.TRANSCRIPTION
        ).first()
    return ParentCell(main.status, main.ended_at) if main else None


def _save_outcome(cell: PlannedCell, outcome: tracking.CellOutcome, now: datetime) -> bool:
    changes: dict[str, object] = {"status": outcome.status, "job_id": outcome.job_id or cell.job_id}
    if outcome.status == Status.RUNNING and cell.status == Status.QUEUE:
        changes["started_at"] = now
    if not tracking.is_open(outcome.status):
        changes["ended_at"] = now
    if outcome.status in (Status.ERROR, Status.SKIPPED):
        platform_reason = outcome.job.metadata.get("reason") if outcome.job else Status.WAITING.value
        changes["reason"] = platform_reason[:500] if isinstance(platform_reason, str) else ""
    if not PlannedCell.objects.filter(pk=cell.pk, status=cell.status).update(**changes):
        return False
    for name, value in changes.items():
        setattr(cell, name, value)
    return True


def list_sent_batches(request: OwnerRequest) -> "QuerySet[Batch]":
    """This account's batches that were sent, the newest first."""
    return Batch.objects.filter(account=request.account, sent_at__isnull=False).order_by("-sent_at", "-created_at")
