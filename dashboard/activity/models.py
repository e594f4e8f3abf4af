"""The activity log."""

import uuid
from typing import ClassVar

from django.db import models


class Outcome(models.TextChoices):
    """How a write ended. `unconfirmed` is also what a crash between call and answer leaves; `waiting` will be sent."""

    UNCONFIRMED = "unconfirmed"
    DONE = "done"
    REFUSED = "refused"
    WAITING = "waiting"


class Entry(models.Model):
    """One write: who, on which account, what, to what, before, after, and how it ended. Never a secret."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    at = models.DateTimeField(auto_now_add=True)
    account_id = models.UUIDField()
    actor = models.CharField(max_length=120)
    operation = models.CharField(max_length=60)
    target = models.CharField(max_length=200, blank=True)
    label = models.CharField(max_length=300, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    outcome = models.CharField(max_length=12, choices=Outcome.choices, default=Outcome.UNCONFIRMED)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    message = models.TextField(blank=True)
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    undoes = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="undone_by")

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        indexes: ClassVar = [
            models.Index(fields=["account_id", "-at", "-id"], name="activity_recent"),
            models.Index(fields=["account_id", "operation", "-at"], name="activity_operation"),
            models.Index(fields=["account_id", "target", "-at"], name="activity_target"),
            models.Index(fields=["account_id", "actor", "-at"], name="activity_actor"),
            models.Index(fields=["account_id", "label"], name="activity_label"),
            models.Index(fields=["account_id", "outcome", "-at"], name="activity_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.label or self.target} ({self.outcome})"
