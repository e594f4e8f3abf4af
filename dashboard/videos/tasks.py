"""What the worker does for the library: it reads on what the platform tells one video at a time."""

from django.core.cache import cache
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.videos import library_queries
from dashboard.videos.models import LibraryReading
from dashboard.writes import library_refresh, schedule


def begin(account: Account) -> None:
    """Let the worker look at the videos of this account that nobody has looked at for a while, beginning now."""
    row = library_refresh.want(LibraryReading, account)
    if not row.reason:
        LibraryReading.objects.filter(pk=row.pk).update(next_at=None)
    if cache.add(f"videos:{account.pk}:gaps-begun", 1, library_refresh.EVERY.total_seconds()):
        read_library.enqueue()


@task()
def read_library() -> int:
    """Read on for accounts that somebody was signed in to lately, those that waited longest first.

    Returns how much was asked for. Each account has at most the background's share of the call budget in one run.
    """
    library_refresh.want_for_all_seen(LibraryReading)
    return library_refresh.read_due(LibraryReading, library_queries.read_on)


def is_wanted() -> bool:
    """Whether somebody was signed in lately of whose videos there is something to read now."""
    library_refresh.want_for_all_seen(LibraryReading)
    return library_refresh.is_due(LibraryReading)


schedule.recur(read_library, every=library_refresh.EVERY, when=is_wanted)
