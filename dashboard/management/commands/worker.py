"""manage.py worker: sends what is due, settles what is unclear, runs recurring tasks. Several may run."""

import logging
import os
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, close_old_connections
from django.utils.crypto import get_random_string

from dashboard import installation, memory
from dashboard.monitoring import metrics
from dashboard.writes import recovery, schedule
from dashboard.writes.task_backend import TracedWorker

log = logging.getLogger(__name__)

LOOK = 0.5
"""Seconds between two looks for a task that is due: no process can wake another one on SQLite."""
LOOKS_A_TURN = 2
"""Of these looks, which one also asks for what recurs."""


class Command(BaseCommand):
    """Runs the queue in several threads, because most of a task is waiting for the platform."""

    help = "Send what waits, settle what is unclear, and run recurring work, until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--threads", type=int, default=4, help="Tasks that run side by side (default: %(default)s)."
        )
        parser.add_argument("--beside", type=int, default=0, help="End when the process with this number is gone.")

    def handle(self, *args: Any, threads: int, beside: int, **options: Any) -> None:
        if problems := installation.restore_problems():
            raise CommandError(str(problems[0]))
        memory.keep_little()
        installation.announce()
        if metrics.is_on():
            metrics.share("worker")
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        runners = [_runner() for _ in range(threads)]
        started = [
            threading.Thread(target=_run, args=(runner,), name=runner.worker_id, daemon=True) for runner in runners
        ]
        for thread in started:
            thread.start()
        log.info("worker started with %d threads", threads)
        look = 0
        while not stop.wait(LOOK) and (not beside or os.getppid() == beside):
            _look(threads, with_turns=look % LOOKS_A_TURN == 0)
            look += 1
        for runner in runners:
            runner.running = False
        with _due:
            _due.notify_all()
        for thread in started:
            thread.join(timeout=30)


_due = threading.Condition()
"""Threads without a task sleep here until there is one."""


def _runner() -> TracedWorker:
    return TracedWorker(
        queue_names=["*"],
        interval=LOOK,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=get_random_string(32),
        excluded_queue_names=[],
    )


def _run(runner: TracedWorker) -> None:
    """Take tasks until none is left, and sleep until there is one; a database that is locked or restarts is asked again."""
    while runner.running:
        try:
            memory.call_in_one_block(runner.run)
        except Error:
            log.exception("a task could not be taken")
            close_old_connections()
        with _due:
            if runner.running:
                _due.wait()


def _look(threads: int, *, with_turns: bool) -> None:
    """Enqueue what recurs and what was lost, and wake threads for tasks that are due.

    A database that cannot be reached now is asked again at the next look.
    """
    try:
        if with_turns:
            due = schedule.list_due()
            if schedule.RECOVER in due and schedule.take_turn(schedule.RECOVER, schedule.RECOVER_EVERY):
                recovery.recover()
            schedule.enqueue_due(due)
        if ready := schedule.count_ready(threads):
            with _due:
                _due.notify(ready)
    except Exception:  # a worker that ends for one bad row or a database that restarts would help nobody
        log.exception("the queue could not be looked after")
    finally:
        close_old_connections()
