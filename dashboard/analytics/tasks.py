"""What the worker does for analytics: it reads on the traffic of accounts, and prunes what is kept of it."""

import time
from datetime import UTC, timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone
from django_tasks import task

from dashboard.analytics import kept_traffic
from dashboard.analytics.models import TrafficDay, TrafficList, TrafficVideo
from dashboard.writes import reading_on, schedule

EVERY: Final = timedelta(minutes=1)
SECONDS: Final = 20.0
"""How long one run begins new reads: well below `EVERY`, so that no two runs meet."""
PRUNE_STEP: Final = 5_000


@task()
def read_traffic() -> int:
    """Read on for accounts whose traffic somebody looked at lately, those that waited longest first.

    Returns how many videos were read. Each account has at most `kept_traffic.PER_RUN` of them in one run.
    """
    end, read = time.monotonic() + SECONDS, 0
    for listing in reading_on.due(TrafficList):
        if time.monotonic() > end:
            break
        read += kept_traffic.read_on(listing, end)
    return read


@task()
def prune_traffic() -> None:
    """Delete the days that are older than RETENTION_DAYS, in small steps, and videos that are gone with all their days."""
    before = timezone.now().astimezone(UTC).date() - timedelta(days=settings.RETENTION_DAYS)
    old = TrafficDay.objects.filter(day__lt=before)
    while rows := list(old.values_list("pk", flat=True)[:PRUNE_STEP]):
        TrafficDay.objects.filter(pk__in=rows).delete()
    TrafficVideo.objects.filter(gone_at__lt=timezone.now() - timedelta(days=settings.RETENTION_DAYS)).delete()


schedule.recur(read_traffic, every=EVERY)
schedule.recur(prune_traffic, every=timedelta(days=1))
