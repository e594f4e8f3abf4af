"""Stored data of analytics: the price of an account's traffic, and of each video its traffic by day and its retention."""

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


class RetentionList(ReadOn):
    """How far the retention of an account's videos was read, and when it was compared for the last time.

    `videos` are those whose curve is needed, `read` those of which it was ever asked for.
    """

    account = models.OneToOneField("accounts.Account", on_delete=models.CASCADE, related_name="+", primary_key=True)
    videos = models.PositiveIntegerField(db_default=0)
    read = models.PositiveIntegerField(db_default=0)
    last_day = models.DateField(null=True)
    """The last of the days whose plays and curves are read."""
    listed_at = models.DateTimeField(null=True)
    judged_at = models.DateTimeField(null=True)
    """When every curve was there and they were compared."""
    judged_day = models.DateField(null=True)
    """The last of the days that were compared then."""

    def __str__(self) -> str:
        return f"{self.read} of {self.videos} of {self.account_id}"


class VideoRetention(models.Model):
    """A video as the list and the ranking have it, its curve, and what it loses against videos of like length."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+", db_index=False)
    video_id = models.CharField(max_length=64)
    title = models.CharField(max_length=255, db_default="")
    folders = models.JSONField(default=list)
    """The folders that it is in, from the root down: pairs of id and name."""
    folder_path = models.TextField(db_default="/")
    """Their ids, each between slashes: what a filter by folder looks into."""
    length = models.FloatField(null=True)
    created_on = models.DateField(null=True)
    plays = models.PositiveIntegerField(null=True)
    obstacle = models.CharField(max_length=20, db_default="")
    """Why it cannot be judged whatever its curve is (`rules.Verdict`); "" where it may be."""
    listed_at = models.DateTimeField(db_default=Now())
    curve = models.JSONField(null=True)
    """Shares in ten-thousandths at equal steps of the length; None where the platform has none."""
    last_day = models.DateField(null=True)
    """The last of the days that the curve is of; None until it was asked for."""
    failed_day = models.DateField(null=True)
    """The last of the days that were asked for when no answer came."""
    verdict = models.CharField(max_length=20, db_default="")
    """What the last comparison said of it (`rules.Verdict`); "" before the first one."""
    minutes = models.FloatField(db_default=0.0)
    alike = models.PositiveIntegerField(db_default=0)
    typical = models.JSONField(null=True)
    moment = models.FloatField(null=True)
    later = models.FloatField(null=True)
    share = models.FloatField(null=True)
    usual = models.FloatField(null=True)
    chapter = models.TextField(db_default="")
    """The video's bookmark in which its moment is (gaps 15, A6), as it was when the line was read."""
    line = models.TextField(db_default="")
    line_failures = models.PositiveSmallIntegerField(db_default=0)
    """How often in a row its subtitles could not be read."""
    line_next_at = models.DateTimeField(null=True)
    """When they are tried again, after they failed."""
    line_lang = models.CharField(max_length=40, db_default="")
    """"" where the video has no subtitles."""
    line_at = models.FloatField(null=True)
    """Where the line begins."""
    line_for = models.FloatField(null=True)
    """The moment for which it was looked up; None until it was."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account", "video_id"], name="one_video_retention"),)
        indexes = (models.Index(fields=["account", "verdict", "-minutes"], name="video_retention_rank"),)

    def __str__(self) -> str:
        return self.title or self.video_id

    @property
    def folder_names(self) -> str:
        """The folders that it is in, from the root down."""
        return " / ".join(name for _folder, name in self.folders)

    @property
    def is_line_read(self) -> bool:
        """Whether the line is that of its moment."""
        return self.line_for == self.moment
