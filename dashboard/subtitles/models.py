"""Batches and their cells: plans, progress and history."""

import uuid
from typing import ClassVar

from django.db import models

from dashboard.subtitles.tracking import DOUBTFUL, CellKind, SentCell, Status


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


class PlannedCell(models.Model):
    """One video in one language of a batch."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="cells")
    position = models.PositiveIntegerField()
    video_id = models.CharField(max_length=64)
    title = models.CharField(max_length=500)
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in CellKind])
    lang = models.CharField(max_length=20)
    work = models.CharField(max_length=40)
    """What it occupies on the video: see `tracking.work_of`."""
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

    def as_sent(self) -> SentCell:
        """The cell for `tracking.cell_outcome`."""
        return SentCell(self.kind, self.lang, self.status, self.job_id, frozenset(self.earlier), self.sending_at)
