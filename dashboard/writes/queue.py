"""What waits in the queue of tasks, where that queue is in the database.

Other queues cannot be asked: there, a task may be put in once more than needed, which changes nothing.
"""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult


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
