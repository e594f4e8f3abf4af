"""Recurring tasks: which there are, who of several workers puts one into the queue, and what waits there.

A queue that is not in the database cannot be asked: there, a task may be put in once more than needed, which changes nothing.
"""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from dashboard.writes.models import Recurrence

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Recurring:
    """A task without arguments, the time between two of its runs, and whether there is anything for it to do."""

    task: Task[[], Any]
    every: timedelta
    when: Callable[[], bool]


_recurring: dict[str, Recurring] = {}


def recur(task: "Task[[], Any]", *, every: timedelta, when: Callable[[], bool] = lambda: True) -> None:
    """Run `task` every so often, `when` there is something to do: that is asked in one cheap query, and an idle worker sleeps.

    Called where the task is defined, in a module `tasks`.
    """
    _recurring[task.module_path] = Recurring(task, every, when)


def list_due() -> set[str]:
    """The names of the turns that are due: of each recurring task, and `RECOVER`."""
    now, due_at = get_now(), dict(Recurrence.objects.values_list("name", "due_at"))
    every = {RECOVER: RECOVER_EVERY} | {name: recurring.every for name, recurring in _recurring.items()}
    return {name for name, step in every.items() if name not in due_at or not now < due_at[name] <= now + step + JITTER}


def enqueue_due(due: "set[str] | None" = None) -> None:
    """Put every recurring task that is due into the queue, once among all workers. `due`: what `list_due` has just found.

    One that still waits from the last time is not put in again: a slow queue grows no longer by it.
    """
    for name in (list_due() if due is None else due) & _recurring.keys():
        recurring = _recurring[name]
        try:
            with transaction.atomic():
                if take_turn(name, recurring.every) and recurring.when() and not is_waiting(recurring.task):
                    recurring.task.enqueue()
        except DatabaseError:  # it is away for all
            raise
        except Exception:  # one that breaks must not keep the others waiting
            log.exception("%s could not be enqueued", name)


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


def is_in_database() -> bool:
    """Whether the tasks wait in the database."""
    return bool(settings.TASKS["default"]["BACKEND"].startswith(("django_tasks_db.", "dashboard.")))


def clear() -> None:
    """Forget every task: what is due is put in again, and what recurs too."""
    if is_in_database():
        DBTaskResult.objects.all().delete()


def count_ready(most: int) -> int:
    """How many tasks a worker could take now, at most so many: what an idle worker asks, through an index."""
    return len(DBTaskResult.objects.ready().order_by().values_list("pk")[:most])


def is_waiting(task: "Task[..., Any]") -> bool:
    """Whether a task of this kind is due and nobody has taken it."""
    return is_in_database() and DBTaskResult.objects.ready().filter(task_path=task.module_path).exists()


def list_waiting(task: "Task[..., Any]", arguments: Collection[str]) -> set[str]:
    """Those of `arguments` with which a task of this kind is due, and nobody has taken it."""
    if not is_in_database():
        return set()
    tasks = DBTaskResult.objects.ready().filter(task_path=task.module_path, args_kwargs__args__0__in=list(arguments))
    return {args_kwargs["args"][0] for args_kwargs in tasks.order_by().values_list("args_kwargs", flat=True)}
