"""Recurring tasks: which there are, and who of several workers puts one into the queue."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone
from django_tasks.base import Task

from dashboard.writes import queue
from dashboard.writes.models import Recurrence


@dataclass(frozen=True)
class Recurring:
    """A task without arguments, and the time between two of its runs."""

    task: Task[[], Any]
    every: timedelta


_recurring: dict[str, Recurring] = {}


def recur(task: "Task[[], Any]", *, every: timedelta) -> None:
    """Run `task` every so often. Called where the task is defined, in a module `tasks`."""
    _recurring[task.module_path] = Recurring(task, every)


def enqueue_due() -> None:
    """Put every recurring task that is due into the queue, once among all workers.

    One that still waits from the last time is not put in again: a slow queue grows no longer by it.
    """
    for name, recurring in _recurring.items():
        with transaction.atomic():
            if take_turn(name, recurring.every) and not queue.is_waiting(recurring.task):
                recurring.task.enqueue()


JITTER = timedelta(seconds=1)
"""How far a clock is set back now and then without having been wrong."""
RECOVER = "dashboard.writes.outbox.recover"
"""The turn that every worker takes every few seconds."""
RECOVER_EVERY = timedelta(seconds=5)


def quiet_seconds() -> float | None:
    """How far away the last look of a worker after the queue is, whichever clock ran ahead.

    None where none ever looked, or the table is not there yet.
    """
    try:
        due_at = Recurrence.objects.filter(name=RECOVER).values_list("due_at", flat=True).first()
    except DatabaseError:
        return None
    return None if due_at is None else abs((get_now() - due_at + RECOVER_EVERY).total_seconds())


def get_now() -> datetime:
    """What the database's clock says, which all workers share. SQLite has that of the machine."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
        return now


def take_turn(name: str, every: timedelta) -> bool:
    """Whether it is this process's turn to do `name`; the next turn comes after `every`.

    A turn that is due later than that was taken by a clock that ran ahead: it is due now.
    """
    now = get_now()
    due = Q(due_at__lte=now) | Q(due_at__gt=now + every + JITTER)
    if Recurrence.objects.filter(due, name=name).update(due_at=now + every):
        return True
    try:
        with transaction.atomic():
            return Recurrence.objects.get_or_create(name=name, defaults={"due_at": now + every})[1]
    except IntegrityError:
        return False
