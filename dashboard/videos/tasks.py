"""What the worker does for the library: it reads on what the platform tells one video at a time."""

from typing import Final

from django.core.cache import cache
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.videos import library_reading
from dashboard.videos.models import LibraryReading
from dashboard.writes import reading_on, schedule


def begin(account: Account) -> None:
    """Let the worker look at the videos of this account that nobody has looked at for a while, beginning now."""
    row = reading_on.want(LibraryReading, account)
    if not row.reason:
        LibraryReading.objects.filter(pk=row.pk).update(next_at=None)
    if cache.add(f"videos:{account.pk}:gaps-begun", 1, reading_on.EVERY.total_seconds()):
        read_library.enqueue()


@task()
def read_library() -> int:
    """Read on for accounts that somebody was signed in to lately, those that waited longest first.

    Returns how much was asked for. Each account has at most the background's share of the call budget in one run.
    """
    reading_on.want_for_all_seen(LibraryReading)
    return reading_on.read_due(LibraryReading, library_reading.read_on)


read_subtitles: Final = read_library
"""Its name in the queue of the release before."""
schedule.recur(read_library, every=reading_on.EVERY)
