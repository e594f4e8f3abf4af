"""What was last read of connected sub-accounts."""

from datetime import date
from typing import ClassVar

from django.db import models

from dashboard.accounts.models import Account


class PlayRecord(models.Model):
    """The plays of one sub-account by day as last read with its own token, and how the last read of them ended.

    It outlives the answers of the platform: after a token was refused, the row of its sub-account still says up to which day
    its plays are known.
    """

    account = models.OneToOneField(Account, models.CASCADE, related_name="play_record")
    days: "models.JSONField[dict[str, float]]" = models.JSONField(default=dict)
    """Plays by ISO day, as the platform cuts days (UTC), from the first known day to the last."""
    read_at = models.DateTimeField(null=True)
    """When `days` were read; None: never."""
    tried_at = models.DateTimeField(null=True)
    """When somebody last tried to read them."""
    error = models.CharField(max_length=40, blank=True)
    """Why that brought nothing, as the class of a `CallError`; "" where it did not fail."""
    refused = models.CharField(max_length=64, blank=True)
    """The fingerprint of the token that was refused last; "" once a read has succeeded."""

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"Plays of {self.account_id}"

    def list_days(self) -> dict[date, float]:
        """Plays by day."""
        return {date.fromisoformat(day): plays for day, plays in self.days.items()}
