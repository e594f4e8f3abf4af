"""What the library keeps of its own: how far the worker has read, and the views that people saved."""

import uuid
from typing import ClassVar

from django.db import models

from dashboard.writes.library_refresh import ReadOn


class LibraryReading(ReadOn):
    """An account whose videos are read one by one; what is found is kept as any other answer.

    `videos` are those of the library, `read` those that are known, and `left` how many facts about them are not.
    """

    account = models.OneToOneField("accounts.Account", on_delete=models.CASCADE, related_name="+", primary_key=True)
    videos = models.PositiveIntegerField(db_default=0)
    read = models.PositiveIntegerField(db_default=0)
    left = models.PositiveIntegerField(db_default=0)

    class Meta:
        db_table = "videos_subtitlereading"  # what it held first

    def __str__(self) -> str:
        return f"library of {self.account_id}"


class SavedView(models.Model):
    """A view of the list of videos under a name, as one person of an account saved it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+")
    person = models.CharField(max_length=120)
    """Who saved it: the name given at sign-in, else the account's."""
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1_000, blank=True)
    sort = models.CharField(max_length=20)
    columns = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "person", "name"], name="one_saved_view_of_a_name")
        ]

    def __str__(self) -> str:
        return self.name
