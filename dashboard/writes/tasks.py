"""What the worker does with writes: follows those that are due, and prunes those that are long over.

The queue is that of Django's task interface. A task says only which write to look at: doing it twice, late or never changes
nothing, because every step is a conditional update, and `recovery.recover` finds what no task looks at.
"""

from datetime import timedelta

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from django_tasks import task

from dashboard.accounts import devices
from dashboard.activity.models import Entry
from dashboard.monitoring.context import continue_request
from dashboard.upstream import store
from dashboard.writes import schedule
from dashboard.writes.models import Write

PRUNE_STEP = 500
"""Rows deleted in one transaction, so that nobody waits for it."""


@task(priority=10)
def follow_write(write_id: str) -> None:
    """Do what is due for one write."""
    from dashboard.writes import recovery  # the outbox, on which it stands, enqueues this task

    write = Write.objects.select_related("account").filter(pk=write_id).first()
    if write is not None:
        continue_request(write.request_id)
        try:
            recovery.follow(write)
        except Exception:
            recovery.put_off(write)
            raise


def enqueue(write: Write) -> None:
    """Let a worker look at `write` when it is due."""
    follow_write.using(run_after=write.due_at).enqueue(str(write.pk))


@task()
def prune_history() -> None:
    """Delete settled writes and Activity rows that are older than RETENTION_DAYS, and answers that nobody reads anew, in small steps."""
    before = timezone.now() - timedelta(days=settings.RETENTION_DAYS)
    for rows in (Write.objects.filter(settled_at__lt=before), Entry.objects.filter(at__lt=before, write=None)):
        while old := list(rows.order_by().values_list("pk", flat=True)[:PRUNE_STEP]):
            rows.model._default_manager.filter(pk__in=old).delete()
    call_command("clearsessions")
    devices.prune()
    store.prune()
    if schedule.is_in_database():
        call_command("prune_db_task_results", min_age_days=1, failed_min_age_days=14, verbosity=0)


schedule.recur(prune_history, every=timedelta(days=1))
