"""manage.py worker: sends what is due, settles what is unclear, runs recurring tasks. Several may run."""

import logging
import os
import signal
import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, close_old_connections
from django.utils.crypto import get_random_string

from dashboard import installation, memory, running
from dashboard.monitoring import metrics
from dashboard.writes import recovery, schedule
from dashboard.writes.task_backend import TracedWorker

log = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two looks into the queue of a thread that has nothing to do."""


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
        running.announce()
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
        while not stop.wait(1.0) and (not beside or os.getppid() == beside):
            _look_after_the_queue()
        for runner in runners:
            runner.running = False
        for thread in started:
            thread.join(timeout=30)


def _runner() -> TracedWorker:
    return TracedWorker(
        queue_names=["*"],
        interval=INTERVAL,
        batch=False,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=get_random_string(32),
        excluded_queue_names=[],
    )


def _run(runner: TracedWorker) -> None:
    """Take tasks until told to stop; a database that is locked or restarts is asked again a second later."""
    while runner.running:
        try:
            memory.call_in_one_block(runner.run)
        except Error:
            log.exception("a task could not be taken")
            close_old_connections()
            time.sleep(1)


def _look_after_the_queue() -> None:
    """Enqueue what recurs and what was lost. A database that cannot be reached now is asked again a second later."""
    try:
        if schedule.take_turn(schedule.RECOVER, schedule.RECOVER_EVERY):
            recovery.recover()
        schedule.enqueue_due()
    except Exception:  # a worker that ends for one bad row or a database that restarts would help nobody
        log.exception("the queue could not be looked after")
    finally:
        close_old_connections()
