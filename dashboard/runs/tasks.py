"""What the worker does with runs: sends the next videos, follows those that are out, and drops old runs."""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django_tasks import task

from dashboard.runs.models import CHECKED_KEPT, FOLLOWED, Run, RunItem, RunState
from dashboard.writes import schedule

log = logging.getLogger(__name__)

EVERY: Final = timedelta(seconds=15)
ARE_OUT: Final = Exists(RunItem.objects.filter(run=OuterRef("pk"), state__in=FOLLOWED))
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

    runs = Run.objects.select_related("account__parent").exclude(state=RunState.CHECKED)
    all_sent = Q(state=RunState.RUNNING, due_at=None)
    for run in runs.filter(ARE_OUT | all_sent).order_by("?")[:MOST]:  # so that none waits for ever behind the others
        try:
            sending.follow(run)
        except Exception:  # one broken run must not keep the others waiting
            log.exception("run %s of %s cannot be followed", run.pk, run.action)
    now = timezone.now()
    is_overdue = Q(due_at__lt=now - EVERY) | Q(due_at__gt=now + sending.LONGEST)
    overdue = list(runs.filter(is_overdue).order_by("due_at")[:MOST])
    waiting = schedule.list_waiting(advance_run, [str(run.pk) for run in overdue]) if overdue else set()
    for run in overdue:
        if str(run.pk) not in waiting:
            enqueue(run)


@task()
def prune_runs() -> None:
    """Delete finished runs that are older than what is kept of their writes, and those that were never started."""
    now = timezone.now()
    old = Q(state=RunState.FINISHED, finished_at__lt=now - timedelta(days=settings.RETENTION_DAYS))
    unused = Q(state=RunState.CHECKED, created_at__lt=now - CHECKED_KEPT)
    for run in Run.objects.filter(old | unused).order_by():
        run.delete()


def are_open() -> bool:
    """Whether a run is to be followed or sent on."""
    runs = Run.objects.exclude(state=RunState.CHECKED)
    return runs.filter(ARE_OUT | Q(state=RunState.RUNNING) | Q(due_at__isnull=False)).exists()


schedule.recur(follow_runs, every=EVERY, when=are_open)
schedule.recur(prune_runs, every=timedelta(days=1))
