"""Everything that was read is forgotten, as if the intervals were over: what changes behind the page's back is seen."""

from datetime import timedelta

from django.core.cache import cache
from django.db.models import F

from dashboard.upstream import parallel, reads
from dashboard.upstream.models import KnownAnswer


def forget() -> None:
    """Empty the cache, the store of known answers, and what this process made of them."""
    cache.clear()
    reads._records.clear()
    reads._bytes = 0
    KnownAnswer.objects.all().delete()


def forget_visit() -> None:
    """Drop the request of this thread with what is left to do: only tests have requests that break off without an end."""
    parallel._visit.set(None)


def make_old(seconds: float = 3600) -> None:
    """So many seconds pass, for what is known."""
    earlier = timedelta(seconds=seconds)
    KnownAnswer.objects.update(read_at=F("read_at") - earlier, changed_at=F("changed_at") - earlier)
