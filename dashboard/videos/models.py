"""What the library keeps of its own: how the worker reads on what the platform tells one video at a time."""

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
        db_table = "videos_subtitlereading"  # the release before reads it, and runs beside this one for a while

    def __str__(self) -> str:
        return f"library of {self.account_id}"
