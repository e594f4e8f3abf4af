"""Everything that was read is forgotten, as if the intervals were over: what changes behind the page's back is seen."""

from datetime import timedelta

from django.core.cache import cache

from dashboard.upstream import budget
from dashboard.upstream.models import KnownAnswer


def forget() -> None:
    """Empty the cache and the store of known answers."""
    cache.clear()
    budget.forget()
    KnownAnswer.objects.all().delete()


def make_old(seconds: float = 3600) -> None:
    """So many seconds pass, for what is known."""
    for known in KnownAnswer.objects.all():
        earlier = timedelta(seconds=seconds)
        KnownAnswer.objects.filter(pk=known.pk).update(
            read_at=known.read_at - earlier, changed_at=known.changed_at - earlier
        )
