"""Whether something of the product runs on the database now, as far as this machine or the database itself can tell.

With SQLite every server and worker holds a lock beside the file as long as it lives. A PostgreSQL knows who is connected.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.db import DatabaseError, connection

from dashboard.writes import schedule
from dashboard.writes.models import Recurrence

TWO_TURNS: Final = 2 * schedule.RECOVER_EVERY.total_seconds()
"""Seconds after which a worker that lives has looked after the queue again."""


def announce() -> None:
    """Let a restore know that this process uses the database, until it ends. Waits for one that is under way."""
    with contextlib.suppress(OSError):  # a folder that cannot be written: then nothing can be restored here either
        if (lock := _open_lock()) is not None:
            fcntl.flock(lock, fcntl.LOCK_SH)  # let go by the end of the process
            _held.append(lock)


_held: list[int] = []


@contextlib.contextmanager
def kept_out() -> Iterator[bool]:
    """Keep servers and workers of this machine from starting; False where one of them runs already."""
    lock = _open_lock()
    if lock is None:
        yield True
        return
    try:
        yield _take(lock)
    finally:
        os.close(lock)


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def other_users() -> str:
    """Who else uses the database, in words; "" for nobody that can be seen."""
    try:
        if connection.vendor == "postgresql" and (count := _count_connections()):
            return f"{count} other {'connection is' if count == 1 else 'connections are'} open on the database"
        return "a worker is running" if _worker_runs() else ""
    except DatabaseError:  # nothing is there yet
        return ""


def _open_lock() -> int | None:
    """The descriptor of the lock beside SQLite's file: a number, which no garbage collection closes."""
    if connection.vendor != "sqlite":
        return None
    database = Path(connection.settings_dict["NAME"])
    return os.open(database.with_name(f"{database.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)


def _count_connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
        )
        count: int = cursor.fetchone()[0]
        return count


def _worker_runs() -> bool:
    """A turn that was taken a moment ago may be the last one of a worker that has ended: another moment tells."""
    quiet = schedule.quiet_seconds()
    if quiet is None or quiet > TWO_TURNS:
        return False
    turns = Recurrence.objects.filter(name=schedule.RECOVER).values_list("due_at", flat=True)
    before = turns.first()
    time.sleep(TWO_TURNS - quiet)
    return turns.first() != before
