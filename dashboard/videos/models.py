"""What the library keeps of its own: how the worker reads on what the platform tells one video at a time."""

from django.db import models

from dashboard.writes.reading_on import ReadOn


class SubtitleReading(ReadOn):
    """An account whose videos are looked at for subtitles [4.4]; what is found is kept as any other answer."""

    account = models.OneToOneField("accounts.Account", on_delete=models.CASCADE, related_name="+", primary_key=True)

    def __str__(self) -> str:
        return f"subtitles of {self.account_id}"
