"""Custom fields as they were last read, and changes of many from a file."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _


class Field(models.Model):
    """One field as it was last read: the platform lists fields of one video only, so searching needs a copy."""

    account_id = models.UUIDField()
    video_id = models.CharField(max_length=64)
    title = models.CharField(max_length=300)
    field_id = models.CharField(max_length=64)
    key = models.CharField(max_length=300)
    value = models.TextField()
    read_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["account_id", "title", "video_id", "key"], name="field_order"),
            models.Index(fields=["account_id", "video_id"], name="field_video"),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.title}"


class Reading(models.Model):
    """How far the fields of an account have been read. One walk at a time."""

    account_id = models.UUIDField(primary_key=True)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    next_page = models.PositiveIntegerField(default=1)
    videos = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True, blank=True)
    busy_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.videos} of {self.total} videos"

    @property
    def expected(self) -> int | None:
        """How many videos there are at least; None where the platform does not tell."""
        return max(self.total, self.videos) if self.total else None


class Stage(models.TextChoices):
    """Where a file stands: compared with what is there, ready to be sent, being sent, done."""

    CHECKING = "checking"
    READY = "ready"
    SENDING = "sending"
    DONE = "done"


MOVING = (Stage.CHECKING, Stage.SENDING)
"""Stages in which the worker has something to do."""


class Change(models.Model):
    """One file of changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account_id = models.UUIDField()
    name = models.CharField(max_length=200)
    stage = models.CharField(max_length=10, choices=Stage.choices, default=Stage.CHECKING)
    at = models.DateTimeField(auto_now_add=True)
    undoes = models.OneToOneField("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="undone_by")
    """The file whose changes this one undoes."""
    actor = models.CharField(max_length=120, blank=True, db_default="")
    """Who pressed Send."""
    due_at = models.DateTimeField(null=True, blank=True)
    """When it goes on, while it is compared or sent."""
    busy_until = models.DateTimeField(null=True, blank=True)
    """Somebody moves it until then; later they are dead."""
    reason = models.CharField(max_length=40, blank=True, db_default="")
    """Why it pauses: the class of a `PlatformError`."""
    pauses = models.PositiveSmallIntegerField(db_default=0)
    """How often in a row it had to."""

    class Meta:
        ordering: ClassVar = ["-at"]
        indexes: ClassVar = [
            models.Index(fields=["account_id", "-at"], name="change_recent"),
            models.Index(fields=["due_at"], condition=Q(stage__in=["checking", "sending"]), name="change_due"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.stage})"

    @property
    def title(self) -> str:
        """What pages call it."""
        return _("Undo of %(name)s") % {"name": self.name} if self.undoes_id else self.name

    @property
    def badge(self) -> tuple[str, str]:
        """Its stage as a word, and the shape of that."""
        return {
            Stage.CHECKING: (_("Comparing"), "running"),
            Stage.READY: (_("Ready to be sent"), "queue"),
            Stage.SENDING: (_("Sending"), "running"),
            Stage.DONE: (_("Done"), "finished"),
        }[Stage(self.stage)]


class LineState(models.TextChoices):
    """Where a line stands. Only `change` leaves, each exactly once; from then on it is what its write is."""

    UNCHECKED = "unchecked"
    SAME = "same"
    CHANGE = "change"
    REFUSED = "refused"
    SENDING = "sending"
    DONE = "done"
    FAILED = "failed"
    UNCONFIRMED = "unconfirmed"


SENT = (LineState.DONE, LineState.UNCONFIRMED)
"""Lines that changed a field, or may have: they can be undone."""


class Line(models.Model):
    """One line of a file."""

    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField()
    """The line in the file, as an editor counts."""
    video_id = models.CharField(max_length=64)
    key = models.TextField()
    new_key = models.TextField(blank=True)
    value = models.TextField()
    field_id = models.CharField(max_length=64, blank=True)
    before = models.TextField(blank=True)
    expected = models.TextField(blank=True)
    """What has to be there for the line to be sent ("": anything): an undo leaves alone what somebody changed since."""
    state = models.CharField(max_length=12, choices=LineState.choices, default=LineState.UNCHECKED)
    reason = models.CharField(max_length=30, blank=True)
    message = models.TextField(blank=True)
    """The platform's own words about a refusal."""
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints = (models.UniqueConstraint(fields=["change", "number"], name="a_line_once"),)
        indexes: ClassVar = [
            models.Index(fields=["change", "state", "number"], name="line_state"),
            models.Index(fields=["change", "state", "video_id"], name="line_video"),
        ]

    def __str__(self) -> str:
        return f"line {self.number}: {self.key}"

    @property
    def badge(self) -> tuple[str, str]:
        """Its state as a word, and the shape of that."""
        return {
            LineState.UNCHECKED: (_("Not compared yet"), "queue"),
            LineState.SAME: (_("No difference"), "none"),
            LineState.CHANGE: (_("Will change"), "planned"),
            LineState.REFUSED: (_("Not sent"), "error"),
            LineState.SENDING: (_("Sending"), "running"),
            LineState.DONE: (_("Changed"), "finished"),
            LineState.FAILED: (_("Refused"), "error"),
            LineState.UNCONFIRMED: (_("Not confirmed"), "unknown"),
        }[LineState(self.state)]
