"""Tasks of analytics: read the traffic and the retention of accounts, and delete old days."""

from datetime import UTC, timedelta
from functools import partial
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.analytics import retention_history, traffic_history
from dashboard.analytics.models import RetentionList, TrafficDay, TrafficList, TrafficVideo
from dashboard.writes import library_refresh, schedule

PRUNE_STEP: Final = 5_000


@task()
def read_traffic() -> int:
    """Read on for accounts whose traffic somebody looked at lately, those that waited longest first.

    Returns how many videos were read. Each account has at most the background's share of the call budget in one run.
    """
    return library_refresh.read_due(TrafficList, traffic_history.read_next_slice)


def want_traffic(account: Account) -> TrafficList:
    """Let the worker read the traffic of this account's videos: somebody looks. The first time it begins now."""
    row = library_refresh.want(TrafficList, account)
    if row.completed_at is None and cache.add(f"traffic:{account.pk}:begun", 1, library_refresh.EVERY.total_seconds()):
        read_traffic.enqueue()
    return row


def want_retention(account: Account) -> RetentionList:
    """Let the worker read the retention of this account's videos: somebody looks. The first time it begins now."""
    row = library_refresh.want(RetentionList, account)
    if row.judged_at is None and cache.add(f"retention:{account.pk}:begun", 1, library_refresh.EVERY.total_seconds()):
        read_retention.enqueue()
    return row


@task()
def read_retention() -> int:
    """Read on for accounts that somebody looked at where viewers leave lately. Returns how many calls were made."""
    return library_refresh.read_due(RetentionList, retention_history.read_next_slice)


@task()
def prune_traffic() -> None:
    """Delete the days that are older than RETENTION_DAYS, in small steps, and videos that are gone with all their days."""
    before = timezone.now().astimezone(UTC).date() - timedelta(days=settings.RETENTION_DAYS)
    old = TrafficDay.objects.filter(day__lt=before)
    while rows := list(old.values_list("pk", flat=True)[:PRUNE_STEP]):
        TrafficDay.objects.filter(pk__in=rows).delete()
    TrafficVideo.objects.filter(gone_at__lt=timezone.now() - timedelta(days=settings.RETENTION_DAYS)).delete()


schedule.recur(read_traffic, every=library_refresh.EVERY, when=partial(library_refresh.is_due, TrafficList))
schedule.recur(read_retention, every=library_refresh.EVERY, when=partial(library_refresh.is_due, RetentionList))
schedule.recur(prune_traffic, every=timedelta(days=1))
