"""What the worker does with runs: sends the next videos, and follows those that are out."""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone
from django_tasks import task

from dashboard.runs.models import Run, RunState
from dashboard.writes import schedule

EVERY: Final = timedelta(seconds=15)
MOST: Final = 50
"""Runs that are looked after in one turn."""


@task(priority=5)
def advance_run(run_id: str) -> None:
    """Send the next group of a run."""
    from dashboard.runs import sending  # which enqueues this task

    run = Run.objects.select_related("account__parent").filter(pk=run_id).first()
    if run is not None:
        sending.advance(run)


def enqueue(run: Run, *, at: datetime | None = None) -> None:
    """Let a worker send the next videos of `run`, not before `at`."""
    advance_run.using(run_after=at).enqueue(str(run.pk))


@task()
def follow_runs() -> None:
    """Follow what runs have sent, and send the next group of those whose task was lost with its worker."""
    from dashboard.runs import sending

    now = timezone.now()
    overdue = now - EVERY
    runs = Run.objects.select_related("account__parent").filter(state__in=(RunState.RUNNING, RunState.PAUSED))
    for run in runs.order_by("changed_at")[:MOST]:
        sending.follow(run)
    for run in runs.filter(Q(state=RunState.RUNNING), due_at__lt=overdue).order_by("due_at")[:MOST]:
        enqueue(run)


schedule.recur(follow_runs, every=EVERY)
