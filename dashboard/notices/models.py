"""Who hears of what: addresses, what happened, and the e-mails about it."""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from dashboard.accounts.models import Account
from dashboard.notices.rules import Every
from dashboard.shared import vault

SCOPE_MAX = 64
EVERY = [(every.value, every.value) for every in Every]


class Subscription(models.Model):
    """An e-mail address that asked to hear of things. It gets nothing but one confirmation until that is confirmed.

    An account's has `account`, and hears of all its links. A reviewer's has `scope` and `person`, and hears of answers
    there. The address is sealed, shown to nobody else, and gone when it was stopped.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="+")
    scope = models.CharField(max_length=SCOPE_MAX, blank=True)
    """The review link that it is about; "" for everything of the account."""
    person = models.CharField(max_length=SCOPE_MAX, blank=True)
    """The reviewer it belongs to."""
    sealed_address = vault.SealedField(blank=True)
    fingerprint = models.CharField(max_length=64)
    """Recognises the address without being it."""
    origin = models.CharField(max_length=300)
    """Where the links of its e-mails lead: the host under which it was asked for."""
    language = models.CharField(max_length=12)
    zone = models.CharField(max_length=64)
    every = models.CharField(max_length=8, choices=EVERY, default=Every.NOW)
    nonce = models.CharField(max_length=32, blank=True)
    """What a confirmation has to name; "" when there is nothing to confirm."""
    asked_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)
    refused_at = models.DateTimeField(null=True)
    """When the mail server said that there is no such address."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["scope", "person"], condition=models.Q(account=None), name="one_address_per_reviewer"
            ),
            models.UniqueConstraint(
                fields=["account", "fingerprint"], condition=~models.Q(account=None), name="one_row_per_address"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["scope", "person"], name="subscription_scope")]

    def __str__(self) -> str:
        return f"Subscription {self.pk}"

    @cached_property
    def address(self) -> str:
        """The address; "" once it is forgotten. Raises `vault.Unreadable` when its key is gone from TOKEN_KEYS."""
        return vault.unseal(self.sealed_address) if self.sealed_address else ""

    @property
    def is_on(self) -> bool:
        """Whether it gets e-mails."""
        return bool(self.sealed_address and self.confirmed_at and self.stopped_at is None and self.refused_at is None)


class Notice(models.Model):
    """Something that happened, once for each account that it concerns, or for a reviewer's address.

    It names what happened and repeats none of its words: they are read where they are kept, when they are shown or sent.
    """

    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="+")
    subscription = models.ForeignKey(Subscription, models.CASCADE, null=True, related_name="+")
    source = models.CharField(max_length=40)
    """Who has the words: a name in `registry.SOURCES`."""
    scope = models.CharField(max_length=SCOPE_MAX)
    ref = models.CharField(max_length=80)
    """What it is there, such as "comment:<id>"."""
    at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "source", "ref"], name="one_notice_per_account"),
            models.UniqueConstraint(fields=["subscription", "source", "ref"], name="one_notice_per_address"),
        ]
        indexes: ClassVar = [models.Index(fields=["account", "-created_at"], name="notice_recent")]

    def __str__(self) -> str:
        return f"Notice {self.source} {self.ref}"


class Mail(models.Model):
    """An e-mail: written when it leaves, so that it says what is true then. `pk` is the key of its write.

    Its text is kept in the demo alone, for the mailbox.
    """

    class Kind(models.TextChoices):
        CONFIRM = "confirm"
        NEWS = "news"
        TEST = "test"
        LETTER = "letter"

    id = models.UUIDField(primary_key=True, editable=False)
    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    every = models.CharField(max_length=8, choices=EVERY, default=Every.NOW)
    """Of the news that it bundles."""
    source = models.CharField(max_length=40, db_default="")
    """Of a letter, who writes it: a name in `registry.LETTERS`."""
    ref = models.CharField(max_length=80, db_default="")
    """What the letter is there."""
    notices = models.ManyToManyField(Notice, related_name="mails")
    created_at = models.DateTimeField(default=timezone.now)
    composed_at = models.DateTimeField(null=True)
    """When its notices were chosen: they stay the same however often it has to be sent."""
    subject = models.CharField(max_length=300, blank=True)
    text = models.TextField(blank=True)
    html = models.TextField(blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["-created_at"], name="mail_recent")]

    def __str__(self) -> str:
        return f"Mail {self.kind} {self.pk}"


class LinkChoice(models.Model):
    """How often an account hears of one review link, where that differs from the rest."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    scope = models.CharField(max_length=SCOPE_MAX)
    every = models.CharField(max_length=8, choices=EVERY)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "scope"], name="one_choice_per_link")]

    def __str__(self) -> str:
        return f"LinkChoice {self.scope}: {self.every}"


class NoticeReader(models.Model):
    """Up to when a person has read an account's notices. `person` is the name given at sign-in, "" for none."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    person = models.CharField(max_length=100, blank=True)
    seen_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "person"], name="one_reader_per_person")]

    def __str__(self) -> str:
        return f"NoticeReader {self.pk}"


class Webhook(models.Model):
    """Where an account's news are posted as JSON, signed. Its address may hold a secret of its own, so both are sealed."""

    account = models.OneToOneField(Account, models.CASCADE, related_name="+")
    sealed_address = vault.SealedField()
    sealed_secret = vault.SealedField()
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"Webhook {self.pk}"

    @property
    def address(self) -> str:
        """Raises `vault.Unreadable` when its key is gone from TOKEN_KEYS."""
        return vault.unseal(self.sealed_address)

    @property
    def secret(self) -> str:
        """What signs. Raises `vault.Unreadable`."""
        return vault.unseal(self.sealed_secret)


class WebhookAttempt(models.Model):
    """One try to post, for the log. `status` is the answer's; None where none came, and `error` says why."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="attempts")
    delivery = models.UUIDField()
    event = models.CharField(max_length=40)
    at = models.DateTimeField(default=timezone.now)
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=40, blank=True)
    milliseconds = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["webhook", "-at"], name="webhook_attempt_recent")]

    def __str__(self) -> str:
        return f"WebhookAttempt {self.delivery} {self.status or self.error}"

    @property
    def is_taken(self) -> bool:
        """Whether the server answered that it has it."""
        return self.status is not None and 200 <= self.status < 300
