"""What the worker does for review links: it looks through the library for links, and reads their comments."""

from django.core.cache import cache
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.review_links import import_links
from dashboard.review_links.models import LinkReading
from dashboard.writes import library_refresh, schedule
from review_portal import sync


def begin(account: Account) -> LinkReading | None:
    """Let the worker look through the library: somebody looks. The first time it begins now.

    None where there is nothing left to read, or nothing can be read: then what is known here is all that there is to count.
    """
    if not sync.is_readable():
        return None
    row = library_refresh.want(LinkReading, account)
    if row.is_done:
        return None
    if cache.add(f"review-links:{account.pk}:begun", 1, library_refresh.EVERY.total_seconds()):
        read_links.enqueue()
    return row


@task()
def read_links() -> int:
    """Read on for accounts that somebody was signed in to lately. Returns how many videos and links were read."""
    if not sync.is_readable():
        return 0
    library_refresh.want_for_all_seen(LinkReading)
    return library_refresh.read_due(LinkReading, import_links.read_on)


def is_wanted() -> bool:
    """Whether somebody was signed in lately of whose links there is something to read now."""
    if not sync.is_readable():
        return False
    library_refresh.want_for_all_seen(LinkReading)
    return library_refresh.is_due(LinkReading)


schedule.recur(read_links, every=library_refresh.EVERY, when=is_wanted)
