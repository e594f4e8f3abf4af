"""Stored data of analytics: the price of an account's traffic, and the traffic of each video by day."""

import uuid

from django.db import models
from django.db.models.functions import Now

from dashboard.writes.library_refresh import ReadOn


class TrafficPrice(models.Model):
    """What one GB (10⁹ bytes) costs an account. The platform does not tell, so the owner does."""

    account_id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    per_gigabyte = models.DecimalField(max_digits=12, decimal_places=6)
    currency = models.CharField(max_length=3)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.per_gigabyte} {self.currency} per GB"


class TrafficList(ReadOn):
    """How far the list of an account's videos was read. The platform tells traffic by video only [4.12]."""

    account = models.OneToOneField("accounts.Account", on_delete=models.CASCADE, related_name="+", primary_key=True)
    next_page = models.PositiveIntegerField(db_default=1)
    videos = models.PositiveIntegerField(null=True)
    """How many videos the platform says there are."""
    started_at = models.DateTimeField(db_default=Now())
    completed_at = models.DateTimeField(null=True)
    """When the whole list had been read for the last time."""

    def __str__(self) -> str:
        return f"page {self.next_page} of {self.account_id}"


class TrafficVideo(models.Model):
    """A video of an account, and which of its days were read."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+")
    video_id = models.CharField(max_length=64)
    title = models.CharField(max_length=255, db_default="")
    folder_id = models.CharField(max_length=64, db_default="")
    """The folder that it is in, as it was listed; "" in none, or before the list told."""
    created_at = models.DateTimeField(null=True)
    """When it was created, as it was listed."""
    listed_at = models.DateTimeField(db_default=Now())
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)
    """The last whole day that was asked for."""
    tried_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)
    gone_at = models.DateTimeField(null=True)
    """When the platform no longer had it. Its days stay: their traffic was used."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account", "video_id"], name="one_traffic_video"),)
        indexes = (models.Index(fields=["account", "last_day"], name="traffic_video_next"),)

    def __str__(self) -> str:
        return self.title or self.video_id


class TrafficDay(models.Model):
    """The bytes of one video on one day. A day on which nothing was counted has no row."""

    id = models.BigAutoField(primary_key=True)
    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+", db_index=False)
    video_id = models.CharField(max_length=64)
    day = models.DateField()
    bytes = models.BigIntegerField(db_default=0)
    read_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account", "video_id", "day"], name="one_traffic_day"),)
        # Sums by day and by video are answered from the index alone.
        indexes = (models.Index(fields=["account", "day", "video_id", "bytes"], name="traffic_day_sums"),)

    def __str__(self) -> str:
        return f"{self.video_id} on {self.day}: {self.bytes}"
