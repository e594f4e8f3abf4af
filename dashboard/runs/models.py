"""Runs: one action on many videos, and where each video stands."""

import uuid
from datetime import timedelta
from typing import Any, ClassVar, Final

from django.db import models
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.writes.models import LABEL_MAX, NAME_MAX, Write
from dashboard.writes.run_actions import ItemState, RunOrder, Target

ALL_REFUSED: Final = "all_refused"
"""`Run.reason` of a run whose whole last group was refused."""


EVERYTHING: Final = "*"
"""`Run.query` of a run on all videos, which no search has chosen."""


class RunState(models.TextChoices):
    """Where a run stands. A checked one has not been started."""

    CHECKED = "checked"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


FOLLOWED: Final = (ItemState.WAITING, ItemState.UNCONFIRMED)
"""States of a video that is out."""
CHECKED_KEPT: Final = timedelta(days=1)
"""How long a run that was never started is kept."""


class Run(models.Model):
    """One action on a choice of videos, as they were when it was checked."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, related_name="runs")
    action = models.CharField(max_length=40)
    """The name of a `RunAction`."""
    options = models.JSONField(default=dict)
    title = models.CharField(max_length=LABEL_MAX)
    """In the language of whoever created it: what is kept with its writes. Pages say it in the reader's."""
    query = models.TextField(blank=True)
    """The search that chose the videos; "" where they were chosen one by one."""
    actor = models.CharField(max_length=NAME_MAX)
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.CHECKED)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    """When the next videos are sent; None: nothing is left to send, or it does not run."""
    reason = models.CharField(max_length=40, blank=True)
    """Why it waits or was paused by itself: the class of a `PlatformError`, or a word."""
    changed_at = models.DateTimeField(default=timezone.now)
    """When something of it last changed."""
    dismissed_at = models.DateTimeField(null=True)
    """When somebody said that its refused videos need nothing more: the overview names it no longer."""

    class Meta:
        ordering: ClassVar = ["-created_at"]
        indexes: ClassVar = [
            models.Index(fields=["account", "-created_at"], name="runs_recent"),
            models.Index(fields=["state", "due_at"], name="runs_due"),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.state})"

    def order(self) -> RunOrder:
        """What was asked for, as the action reads it."""
        return RunOrder(self.account, self.actor, options=self.options, title=self.title, key=str(self.pk))


class RunItem(models.Model):
    """One video of a run."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    video_id = models.CharField(max_length=64)
    title = models.CharField(max_length=500)
    state = models.CharField(max_length=12, choices=[(s.value, s.value) for s in ItemState], default=ItemState.PLANNED)
    reason = models.CharField(max_length=60, blank=True)
    """Why it cannot be sent: a word of its action."""
    data: "models.JSONField[dict[str, Any]]" = models.JSONField(default=dict)
    attempt = models.PositiveIntegerField(default=0)
    write = models.ForeignKey(Write, models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "video_id"], name="one_item_per_video")]
        indexes: ClassVar = [models.Index(fields=["run", "state", "position"], name="runs_next")]

    def __str__(self) -> str:
        return f"{self.title} ({self.state})"

    def as_target(self) -> Target:
        """The video as its action reads it."""
        return Target(self.video_id, self.title, self.data, self.write)


class RunEvent(models.Model):
    """What happened to a run. The sentence is made where it is shown, from `kind` and `data`."""

    class Kind(models.TextChoices):
        CHECKED = "checked"
        STARTED = "started"
        SENT = "sent"
        WAITED = "waited"
        PAUSED = "paused"
        CONTINUED = "continued"
        RETRIED = "retried"
        FINISHED = "finished"
        DISMISSED = "dismissed"
        RESTORED = "restored"

    run = models.ForeignKey(Run, models.CASCADE, related_name="events")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    at = models.DateTimeField(default=timezone.now)
    actor = models.CharField(max_length=NAME_MAX, blank=True)
    data: "models.JSONField[dict[str, Any]]" = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["run", "-at"], name="runs_events")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M:%S}"
