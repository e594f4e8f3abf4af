"""Batches and their cells: plans, progress and history; which cells are open, and what a read of their jobs changes."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar, Final
from uuid import UUID

from django.db import models
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import JobType
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import messages, rules
from dashboard.subtitles.rules import DOUBTFUL, SHORT, CellKind, ParentCell, SentCell, Status, VideoState


class Batch(models.Model):
    """One plan: checked first, then sent. Its id is the one-time key of its sending."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey("accounts.Account", models.CASCADE, related_name="subtitle_batches")
    actor = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    label = models.CharField(max_length=300, blank=True)
    """What the person was looking at: a folder or a search; empty where the titles of its videos say it better."""
    type = models.CharField(max_length=20)
    tier = models.CharField(max_length=20)
    from_lang = models.CharField(max_length=20)
    plan = models.TextField(blank=True)
    """The query of the page the plan was made on, so that one can go back and change it."""

    class Meta:
        ordering: ClassVar = ["-created_at"]
        indexes: ClassVar = [models.Index(fields=["account", "-sent_at"], name="subtitles_recent")]

    def __str__(self) -> str:
        return f"{self.label or self.type} ({self.created_at:%Y-%m-%d %H:%M})"

    @property
    def order(self) -> str:
        """The type and the source language in words."""
        values = {"source": messages.language_with_code(self.from_lang)}
        if self.type == JobType.TRANSCRIPTION:
            return _("Transcription, source language: %(source)s") % values
        return _("Translation, source language: %(source)s") % values

    @property
    def tier_name(self) -> str:
        return messages.tier(self.tier)

    def save_with_cells(self, planned: Iterable[tuple[str, str, str]]) -> None:
        """Save a new batch with its cells: of each the video's id, its title and the language."""
        self.save()
        cells = []
        for position, (video_id, title, lang) in enumerate(planned):
            kind = CellKind.TRANSLATION
            if self.type == CellKind.TRANSCRIPTION:
                kind = CellKind.TRANSCRIPTION if lang == self.from_lang else CellKind.EXTRA
            cells.append(
                PlannedCell(
                    batch=self,
                    position=position,
                    video_id=video_id,
                    title=title[:500],
                    kind=kind,
                    lang=lang,
                    work=rules.work_of(kind, lang),
                )
            )
        PlannedCell.objects.bulk_create(cells)


class PlannedCell(models.Model):
    """One video in one language of a batch."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="cells")
    position = models.PositiveIntegerField()
    video_id = models.CharField(max_length=64)
    title = models.CharField(max_length=500)
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in CellKind])
    lang = models.CharField(max_length=20)
    work = models.CharField(max_length=40)
    """What it occupies on the video: see `rules.work_of`."""
    status = models.CharField(max_length=40, default=Status.PLANNED.value)
    reason = models.CharField(max_length=500, blank=True)
    """Why it was not sent or did not finish: a `RejectionReason`, or the platform's own words."""
    job_id = models.CharField(max_length=100, blank=True)
    earlier = models.JSONField(default=list)
    """Ids of the jobs that did the same before this one was sent."""
    sending_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    """When it was seen running after it had been seen in the queue."""
    ended_at = models.DateTimeField(null=True, blank=True)
    """When it was first seen to have ended."""

    class Meta:
        ordering: ClassVar = ["position"]
        indexes: ClassVar = [models.Index(fields=["video_id", "status"], name="subtitles_cell_video")]
        constraints: ClassVar = [
            # Of two that are sent at the same moment, one; what was sent a moment ago is looked for at the claim.
            models.UniqueConstraint(
                fields=["video_id", "work"],
                condition=models.Q(status__in=sorted(status.value for status in DOUBTFUL)),
                name="subtitles_one_sending_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.lang} ({self.status})"

    @property
    def language(self) -> str:
        """The language by name."""
        return messages.language(self.lang)

    @property
    def language_with_code(self) -> str:
        return messages.language_with_code(self.lang)

    @property
    def state(self) -> messages.StateView:
        """The status as tables and lists show it."""
        return messages.view_state(self.status)

    @property
    def element_id(self) -> str:
        """The id of its live part in a table."""
        return cell_id(self.video_id, self.lang)

    @property
    def page(self) -> str:
        """Where its subtitles are read."""
        return page_of(self.video_id, self.lang)

    def as_sent(self) -> SentCell:
        """The cell for `rules.cell_outcome`."""
        return SentCell(
            self.kind,
            self.lang,
            status=self.status,
            job_id=self.job_id,
            earlier=frozenset(self.earlier),
            sending_at=self.sending_at,
        )


def cell_id(video_id: str, lang: str) -> str:
    """The id of a cell's live part: what the platform calls a language may have spaces."""
    return f"s-{video_id[:SHORT]}-{'.'.join(lang.split())}"


def page_of(video_id: str, lang: str) -> str:
    """The page where the subtitles of a cell are read, or where it says what stands in their way.

    "" for a language that no address can hold: it is shown without a link.
    """
    return address("subtitles:subtitle", video_id, lang)


SENT: Final = frozenset({Status.WAITING, Status.UNCONFIRMED, Status.SENDING})
"""Statuses of cells that were sent, and for which the platform shows no job yet."""
SETTLED: Final = tuple(status.value for status in rules.NOT_SENT | rules.ENDED)
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
        outcome = rules.cell_outcome(cell.as_sent(), video_states[cell.video_id], now, parent)
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


def _save_outcome(cell: PlannedCell, outcome: rules.CellOutcome, now: datetime) -> bool:
    changes: dict[str, object] = {"status": outcome.status, "job_id": outcome.job_id or cell.job_id}
    if outcome.status == Status.RUNNING and cell.status == Status.QUEUE:
        changes["started_at"] = now
    if not rules.is_open(outcome.status):
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
