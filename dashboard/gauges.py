"""What `/metrics` says of this moment: what waits, the worker, the database, the cache and the platform.

Asked when somebody looks, in three queries, each through an index that knows nothing of what has ended.
"""

from collections.abc import Iterator
from datetime import datetime

from django.core.cache import cache
from django.db import Error
from django.db.models import Count, Min, Q
from django.utils import timezone
from django_tasks_db.models import DBTaskResult, get_date_max
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from dashboard.monitoring.metrics import collect_counted
from dashboard.upstream import platform_health
from dashboard.writes import schedule
from dashboard.writes.models import State, Write


class _Everything(Collector):
    """What was counted, and what is so now."""

    def collect(self) -> Iterator[Metric]:
        """All metrics."""
        yield from collect_counted()
        yield from _collect_cache_and_platform()
        try:
            families = [*_collect_writes(), *_collect_tasks(), *_collect_worker()]
        except Error:  # the rest is said all the same
            families, answers = [], False
        else:
            answers = True
        yield from families
        yield _gauge("database_up", "1 while the database answers.", answers)


def render_metrics() -> bytes:
    """The text that Prometheus reads."""
    collectors = CollectorRegistry()
    collectors.register(_Everything())
    return generate_latest(collectors)


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"reelroom_{name}", text, value=float(value))


def _collect_cache_and_platform() -> Iterator[Metric]:
    cache.get("metrics")
    yield _gauge("cache_up", "0 while Redis does not answer and this machine uses its own cache.", not _is_away())
    yield _gauge(
        "platform_failures",
        "Calls in a row, of any operation, that the platform failed.",
        platform_health.load_whole().failures,
    )
    yield _gauge(
        "platform_in_trouble", "1 while pages say that the platform is in trouble.", platform_health.in_trouble()
    )


def _is_away() -> bool:
    return bool(getattr(cache, "away", False))


def _collect_writes() -> Iterator[Metric]:
    """Open writes: few, whatever has ended. Those that ended are counted."""
    now = timezone.now()
    amount = GaugeMetricFamily("reelroom_writes_open", "Writes that have not ended.", labels=["operation", "state"])
    oldest: datetime | None = None
    unclear: datetime | None = None
    # Every scope is above "": said so that SQLite takes the index of open writes and not that of all of them.
    open_writes = Write.objects.filter(settled_at__isnull=True, scope__gte="")
    rows = open_writes.order_by().values_list("operation", "state")
    for operation, state, count, due_at, ended_at in rows.annotate(Count("pk"), Min("due_at"), Min("ended_at")):
        amount.add_metric([operation, state], count)
        oldest = min(filter(None, (oldest, due_at)), default=None)
        if state == State.UNCONFIRMED:
            unclear = min(filter(None, (unclear, ended_at)), default=None)
    yield amount
    yield _gauge(
        "writes_oldest_due_seconds", "For how long the oldest write has been due; 0 without any.", _age(oldest, now)
    )
    yield _gauge(
        "writes_oldest_unclear_seconds",
        "Since the oldest write ended that is not confirmed; 0 without any.",
        _age(unclear, now),
    )


def _age(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds()) if moment else 0.0


def _collect_tasks() -> Iterator[Metric]:
    """Tasks that a worker could take now."""
    if not schedule.is_in_database():
        return
    now, at_once = timezone.now(), Q(run_after=get_date_max())
    rows = (
        DBTaskResult.objects.ready()
        .order_by()
        .aggregate(count=Count("pk"), queued=Min("enqueued_at", filter=at_once), due=Min("run_after", filter=~at_once))
    )
    oldest = min(filter(None, (rows["queued"], rows["due"])), default=None)
    yield _gauge("tasks_due", "Tasks that wait for a worker.", rows["count"])
    yield _gauge(
        "tasks_oldest_due_seconds", "For how long the oldest of them has waited; 0 without any.", _age(oldest, now)
    )


def _collect_worker() -> Iterator[Metric]:
    """A worker that never ran has no value: absent() finds it."""
    quiet = schedule.quiet_seconds()
    if quiet is not None:
        yield _gauge("worker_quiet_seconds", "Since a worker last looked after the queue.", quiet)
