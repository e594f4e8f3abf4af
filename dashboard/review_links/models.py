"""Attempts to create a link: the key of the form makes a second press of its button harmless."""

import uuid
from typing import ClassVar

from django.db import models

from dashboard.accounts.models import Account


class Progress(models.TextChoices):
    """Where an attempt is. One that is sending for minutes died with its process: nobody knows how it ended."""

    SENDING = "sending"
    CREATED = "created"
    REFUSED = "refused"
    UNCONFIRMED = "unconfirmed"


class Attempt(models.Model):
    """One attempt to create a review link; `key` is made of the form's key and of what it sends."""

    key = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    video_id = models.UUIDField()
    video_title = models.CharField(max_length=500, blank=True)
    payload = models.JSONField()
    progress = models.CharField(max_length=12, choices=Progress.choices, default=Progress.SENDING)
    link_id = models.UUIDField(null=True)
    started_at = models.DateTimeField()
    looked_at = models.DateTimeField(null=True)
    """When the platform's links were last looked through for this one."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["account", "progress"], name="attempts_of_account")]

    def __str__(self) -> str:
        return f"Attempt {self.key} ({self.progress})"
