"""What shared parts keep of their own: the last good answers to questions about figures."""

import uuid

from django.db import models


class LastGood(models.Model):
    """The last good answer to one question of an account, so that a panel keeps its numbers when the cache is gone.

    Disconnecting the account deletes it (`last_good.forget`).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+")
    question = models.CharField(max_length=120)
    answer = models.BinaryField()
    """The platform's JSON as it came, deflated."""
    read_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account", "question"], name="one_last_good"),)
        indexes = (models.Index(fields=["account", "-read_at"], name="last_good_recent"),)

    def __str__(self) -> str:
        return f"{self.question} at {self.read_at}"
