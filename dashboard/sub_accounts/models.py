"""Sub-accounts that were created from here."""

import uuid
from typing import ClassVar

from django.db import models


class State(models.TextChoices):
    """How a creation ended. What comes after `creating` the platform does not tell (section 3)."""

    SENDING = "sending"
    CREATING = "creating"
    UNCONFIRMED = "unconfirmed"


class Creation(models.Model):
    """One creation. `key` comes with the form: a form that is sent twice creates once."""

    key = models.UUIDField(primary_key=True, default=uuid.uuid4)
    account_id = models.UUIDField()
    organization_id = models.CharField(max_length=64, blank=True)
    name = models.CharField(max_length=255)
    administrator = models.CharField(max_length=255)
    state = models.CharField(max_length=12, choices=State.choices, default=State.SENDING)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-at"]
        indexes: ClassVar = [models.Index(fields=["account_id", "-at"], name="creation_recent")]

    def __str__(self) -> str:
        return f"{self.name} ({self.state})"
