"""Writes: what people asked for, whether it has been sent, and how it ended. And when recurring work is due."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.monitoring.context import get_request_id
from dashboard.platform_api import errors
from dashboard.writes.failures import rebuild_error


class State(models.TextChoices):
    """Where a write stands.

    held → sending → done | refused | unconfirmed; an unconfirmed one ends as done or refused, or is sent again on purpose.
    One that certainly never arrived is held again. Done, refused and cancelled are final.
    """

    HELD = "held"
    SENDING = "sending"
    UNCONFIRMED = "unconfirmed"
    DONE = "done"
    REFUSED = "refused"
    CANCELLED = "cancelled"


SETTLED = (State.DONE, State.REFUSED, State.CANCELLED)
OPEN = (State.HELD, State.SENDING, State.UNCONFIRMED)
SCOPE_MAX = 64
NAME_MAX = 120
SUBJECT_MAX = 200
LABEL_MAX = 300
REQUEST_ID_MAX = 64


class Write(models.Model):
    """One write to the platform: stored before it is sent, sent once, settled once.

    `scope` and `key` identify it: the same form sent twice is one write. `attempt` grows with every sending and is part of
    the condition of every later update, so that a sender which was taken for dead cannot overwrite what came after.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    scope = models.CharField(max_length=SCOPE_MAX)
    """Whose keys these are: an account's id, or the review link that people without an account write through."""
    key = models.UUIDField()
    operation = models.CharField(max_length=60)
    """A method of the platform client, such as "playlists.delete"."""
    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="writes")
    """The account it is recorded for; None where a review link belongs to nobody here."""
    author = models.CharField(max_length=SCOPE_MAX, blank=True)
    """Who may look after it where that is not the account: a reviewer's id."""
    actor = models.CharField(max_length=NAME_MAX, blank=True)
    """The name that Activity shows."""
    subject = models.CharField(max_length=SUBJECT_MAX, blank=True)
    """The id of what it concerns, such as a playlist or a review link."""
    label = models.CharField(max_length=LABEL_MAX, blank=True)
    request = models.JSONField(default=dict)
    """What is sent, as the feature's `send` reads it. Never a secret."""
    request_id = models.CharField(max_length=REQUEST_ID_MAX, blank=True, default=get_request_id, db_default="")
    """The request that it came from, or the task: what its lines in the log carry."""
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    undoes = models.ForeignKey(Entry, models.SET_NULL, null=True, related_name="+")
    entry = models.OneToOneField(Entry, models.SET_NULL, null=True, related_name="write")
    """Its row in Activity, made when it is first sent."""

    state = models.CharField(max_length=12, choices=State.choices, default=State.HELD)
    attempt = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    """When something has to be done: held: send it; sending: its sender is dead; unconfirmed: read again. None: nothing."""
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)
    """When the last call left."""
    ended_at = models.DateTimeField(null=True)
    """When the last call ended without a clear answer: what a read finds is judged from here."""
    settled_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=40, blank=True)
    """Why it is late, unconfirmed or refused: the class of a `PlatformError`, or a word of `failures`."""
    status = models.PositiveSmallIntegerField(null=True)
    message = models.TextField(blank=True)
    """The platform's own words."""
    result = models.JSONField(null=True)
    """What came of it, as the feature's `keep` writes it."""
    shown = models.BooleanField(default=True)
    """Still shown to whoever asked for it; false once they have seen how it ended."""

    raised: errors.CallError | None = None
    """The error of the call that this process just made."""
    is_waited_for: bool = False
    """Whether this request has waited for its answer already, and goes on without."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["scope", "key"], name="one_write_per_key")]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="write_due"),
            models.Index(fields=["author"], condition=Q(shown=True), name="write_author"),
            models.Index(fields=["scope"], condition=Q(settled_at__isnull=True), name="write_open"),
            models.Index(fields=["account", "operation", "state"], name="write_account"),
            models.Index(fields=["account", "operation", "-created_at"], name="write_recent"),
            models.Index(fields=["account", "operation", "state"], condition=Q(shown=True), name="write_shown"),
            models.Index(fields=["operation", "subject"], name="write_subject"),
            models.Index(fields=["settled_at"], condition=Q(settled_at__isnull=False), name="write_settled"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.label or self.subject} ({self.state})"

    @property
    def owner(self) -> Account:
        """The account that sends it. Raises `ValueError` for a write that is no account's."""
        if self.account is None:
            raise ValueError(f"{self.operation} is no account's")
        return self.account

    @property
    def error(self) -> errors.CallError | None:
        """The platform's refusal, or what kept it from being sent, as the error that was raised; None without one."""
        reason = self.reason
        if self.author and reason == errors.BadToken.__name__:
            reason = errors.Refused.__name__  # a reviewer's session: no token of the account is meant
        sent = self.state not in (State.HELD, State.REFUSED)
        return rebuild_error(reason, self.operation, self.status, self.message, sent=sent)


class Recurrence(models.Model):
    """When a recurring task is due next. Of several workers, the one that moves `due_at` runs it."""

    name = models.CharField(primary_key=True, max_length=60)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.due_at:%Y-%m-%d %H:%M:%S}"
