"""Deletions of playlists: held before they leave, and a kept copy of what is gone."""

import uuid
from typing import ClassVar

from django.db import models


class State(models.TextChoices):
    """Where a deletion stands. Only `held` can be undone."""

    HELD = "held"
    SENDING = "sending"
    DONE = "done"
    UNDONE = "undone"
    REFUSED = "refused"
    UNCONFIRMED = "unconfirmed"


class Deletion(models.Model):
    """One deletion (section 4.14: permanent). It leaves when `due_at` is over and nobody has undone it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account_id = models.UUIDField()
    playlist_id = models.CharField(max_length=64)
    name = models.CharField(max_length=300)
    contents = models.JSONField(default=list)
    """The videos it linked to, in order: `{"id", "title"}` each."""
    state = models.CharField(max_length=12, choices=State.choices, default=State.HELD)
    due_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    message = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-due_at"]
        indexes: ClassVar = [models.Index(fields=["account_id", "state", "-due_at"], name="deletion_state")]

    def __str__(self) -> str:
        return f"{self.name} ({self.state})"
