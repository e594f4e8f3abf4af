"""Answers of the platform, kept as they came."""

from typing import Final

from django.db import models

LARGE: Final = 20_000
"""Bytes from which an answer is one of the few large ones that are kept of an account."""


class KnownAnswer(models.Model):
    """The last answer to one question of one account. It is old from the moment it came: `read_at` says how old."""

    account = models.ForeignKey("accounts.Account", models.CASCADE, related_name="+")
    operation = models.CharField(max_length=40)
    about = models.CharField(max_length=100, blank=True)
    """The identifier that the question names; "" for a list."""
    digest = models.CharField(max_length=32)
    """Of the question (`platform_api.platform`)."""
    body = models.BinaryField()
    """The platform's JSON or text, deflated."""
    condensed = models.BinaryField(null=True)
    """What one reader makes of the body, where that takes long: made anew from it at any time."""
    size = models.PositiveIntegerField()
    """Of the body, in bytes."""
    read_at = models.DateTimeField()
    """When the read began: what was changed later is not in it."""
    changed_at = models.DateTimeField()
    """Since when the answer has been the same."""
    outdated_at = models.DateTimeField(null=True)
    """When one of our own writes last changed what it says."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account", "digest"], name="one_answer_per_question"),)
        indexes = (
            models.Index(fields=["account", "operation", "about"], name="answers_by_subject"),
            models.Index(fields=["read_at"], name="answers_by_age"),
            models.Index(
                fields=["account", "read_at"], condition=models.Q(size__gt=LARGE), name="large_answers_by_age"
            ),
        )

    def __str__(self) -> str:
        return f"{self.operation} {self.about} at {self.read_at}"


class CapabilityState(models.TextChoices):
    """What trying a read showed."""

    FOUND = "found"
    ABSENT = "absent"
    FORBIDDEN = "forbidden"
    UNTRIED = "untried"
    """There was nothing to try it with, or the platform gave no clear answer."""


class Capability(models.Model):
    """Whether the platform has a read that is only assumed, for one account: learnt by trying it once (`probing`)."""

    account = models.ForeignKey("accounts.Account", models.CASCADE, related_name="+")
    operation = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=CapabilityState)
    path = models.CharField(max_length=200)
    """Where it was tried last, as `platform_api.config` writes it."""
    shape = models.CharField(max_length=400, blank=True)
    """What the answer is made of: names and kinds, no values. Without an answer, the platform's status."""
    checked_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account", "operation"], name="one_state_per_read"),)

    def __str__(self) -> str:
        return f"{self.operation} {self.state}"
