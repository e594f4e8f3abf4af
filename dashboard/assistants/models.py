"""What Reelroom remembers of assistants: those added by id, and what was switched from here."""

from typing import ClassVar

from django.db import models


class Added(models.Model):
    """An assistant that a person added by its id, because the platform does not list it."""

    account_id = models.UUIDField()
    assistant_id = models.CharField(max_length=100)
    name = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "assistant_id"]
        constraints = (models.UniqueConstraint(fields=["account_id", "assistant_id"], name="an_assistant_once"),)

    def __str__(self) -> str:
        return self.name or self.assistant_id


class Switch(models.Model):
    """The last switch of one chat from here. It is all there is to know where the platform tells no state."""

    account_id = models.UUIDField()
    assistant_id = models.CharField(max_length=100)
    video_id = models.CharField(max_length=64)
    visible = models.BooleanField()
    confirmed = models.BooleanField(default=True)
    """False: the platform's answer never came, and nothing has shown yet whether the switch arrived."""
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["account_id", "assistant_id", "video_id"], name="one_switch_of_a_chat"),
        )

    def __str__(self) -> str:
        return f"{self.assistant_id} on {self.video_id}: {'shown' if self.visible else 'hidden'}"
