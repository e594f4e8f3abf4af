"""The queue in the database, where each task remembers the request that put it in."""

from typing import Any

from django_tasks_db import DatabaseBackend
from django_tasks_db.compat import normalize_json
from django_tasks_db.management.commands.db_worker import Worker

from dashboard.monitoring.context import RequestContext, get_request_id, use_context

REQUEST_ID = "request_id"
"""Beside "args" and "kwargs" in a task's row. Versions that do not know it do not look."""


class TracedBackend(DatabaseBackend):
    """`django_tasks_db`, with the request's id in the row."""

    def _task_to_db_task(self, task: Any, args: Any, kwargs: Any) -> Any:
        from django_tasks_db.models import DBTaskResult  # this module is loaded before there are models

        return DBTaskResult.objects.create(
            id=self._get_id(),
            args_kwargs=normalize_json({"args": args, "kwargs": kwargs, REQUEST_ID: get_request_id()}),
            priority=task.priority,
            task_path=task.module_path,
            queue_name=task.queue_name,
            run_after=task.run_after,
            backend_name=self.alias,
        )


class TracedWorker(Worker):
    """Runs a task with the id of its request, or one of its own, in every line of the log."""

    def run_task(self, db_task_result: Any) -> None:
        """Run one task."""
        request_id = str(db_task_result.args_kwargs.get(REQUEST_ID) or db_task_result.id.hex)
        with use_context(RequestContext(request_id, view=db_task_result.task_path)):
            super().run_task(db_task_result)
