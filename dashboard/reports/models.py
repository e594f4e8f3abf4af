"""Reports that somebody gets by e-mail every Monday."""

import uuid

from django.db import models
from django.utils import timezone

from dashboard.accounts.models import Account


class WeeklyReport(models.Model):
    """A report of an account for one address, its own or its parent's.

    Its key is made of the address and of what the report is about: the same again is the same.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    subscription = models.ForeignKey("notices.Subscription", models.CASCADE, related_name="+")
    folder = models.CharField(max_length=64, blank=True)
    query = models.CharField(max_length=1_000, blank=True)
    person = models.CharField(max_length=120, blank=True)
    """Whose saved views the query may name."""
    name = models.CharField(max_length=200)
    """What it is called on the page on which it was asked for."""
    created_at = models.DateTimeField(default=timezone.now)
    week = models.DateField()
    """The Monday of the last week of which nothing more is to be sent."""
    gone_at = models.DateTimeField(null=True, blank=True)
    """When its folder was found to be gone: from then on it is not sent, which its address was told once."""
    refused = models.CharField(max_length=64, blank=True, default="", db_default="")
    """The fingerprint of its account's token, where the platform refused that at the last look; "" once a read has succeeded."""
    stopped_at = models.DateTimeField(null=True, blank=True)
    """When its account was found to be no longer a sub-account of its address's. It is not sent again until it is asked for."""

    def __str__(self) -> str:
        return f"WeeklyReport {self.pk}"


def build_key(subscription_id: uuid.UUID, folder: str, query: str, child: uuid.UUID | None = None) -> uuid.UUID:
    """The key of the report about this, for this address; of a `child` of the address's account."""
    of_child = f"\n{child}" if child else ""
    return uuid.uuid5(subscription_id, f"{folder}\n{query}{of_child}")
