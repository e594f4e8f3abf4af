"""What must be true of an installation besides its settings, and whether something of the product runs on its database.

`problems()` stops the production server (with a code, like a system check), `readiness()` is what `/readyz` says, and
`manage.py doctor` shows both. Nothing here asks the platform. With SQLite every server and worker holds a lock beside the
file as long as it lives; a PostgreSQL knows who is connected.
"""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError, connection, connections, router
from django.db import Error as DatabaseFailure
from django.db.migrations.recorder import MigrationRecorder

from dashboard.static_storage import UNUSED
from dashboard.writes import schedule
from dashboard.writes.models import Recurrence

OK = "ok"
UNFINISHED: Final = "restore_unfinished"
"""A table that is there while a restored PostgreSQL is not ready for the product."""
LOCK_SECONDS = 1.0
"""For which /readyz waits for SQLite's lock: writes hold it for milliseconds."""
ROOM = 16 * 1024 * 1024
"""Bytes that a disk must have left: SQLite's write-ahead log grows to 4 MB before it is folded back, the cache too."""
LOOK_AGAIN = 5.0
"""Seconds between two looks at migrations that are missing; those that are there stay."""


def problems() -> list[CheckMessage]:
    """What would make pages fail although every setting is right."""
    return [*debug_problems(), *static_problems(), *migration_problems(), *restore_problems()]


def debug_problems() -> list[CheckMessage]:
    """DEBUG shows every error with its settings to whoever meets it."""
    if not settings.DEBUG:
        return []
    hint = "Leave DEBUG unset. To try changes on this machine: manage.py runserver."
    return [Error("DEBUG is on under the production server.", hint=hint, id="reelroom.E012")]


def static_problems() -> list[CheckMessage]:
    """Without its manifest, every page that links a static file is a 500."""
    missing = missing_static_files()
    if not missing:
        return []
    named = ", ".join(missing[:3]) + (" …" if len(missing) > 3 else "")
    hint = "Run manage.py collectstatic --no-input, after every update too."
    return [Error(f"Static files are not collected: {named}", hint=hint, id="reelroom.E020")]


def migration_problems() -> list[CheckMessage]:
    """Migrations of this code that a database lacks."""
    problems: list[CheckMessage] = []
    for alias in settings.DATABASES:
        try:
            missing = missing_migrations(alias)
        except DatabaseFailure as error:
            hint = "The server starts all the same; /readyz answers 503 until the database does."
            problems.append(Warning(f"The database {alias} does not answer: {error}", hint=hint, id="reelroom.W021"))
            continue
        if missing:
            command = "manage.py migrate" if alias == "default" else "manage.py cast (it also seeds the demo data)"
            text = f"The database {alias} is not migrated: {', '.join(missing[:3])}{' …' if len(missing) > 3 else ''}"
            problems.append(Error(text, hint=f"Run {command}.", id="reelroom.E021"))
    return problems


def restore_problems() -> list[CheckMessage]:
    """A restore that was interrupted: what is open in the database may have been sent, and would be sent again."""
    try:
        unfinished = UNFINISHED in connection.introspection.table_names()
    except DatabaseFailure:  # said by `migration_problems`
        return []
    hint = "Run manage.py restore with --replace again."
    return [Error("A restore was not finished.", hint=hint, id="reelroom.E024")] if unfinished else []


@lru_cache
def missing_static_files() -> tuple[str, ...]:
    """The files that pages may link and the manifest does not name; none with DEBUG, which needs no manifest.

    As of the start: a running process keeps the manifest that it read then.
    """
    named = getattr(staticfiles_storage, "hashed_files", None)
    if named is None:
        return ()
    files = (name for finder in get_finders() for name, _ in finder.list([]))
    return tuple(sorted({name for name in files if name not in named and not name.startswith(UNUSED)}))


def missing_migrations(alias: str) -> list[str]:
    """The migrations of this code that a database lacks, as `app.name`. Raises `django.db.Error`."""
    applied = MigrationRecorder(connections[alias]).applied_migrations()
    return [f"{app}.{name}" for app, name in _migrations(alias) if (app, name) not in applied]


@lru_cache
def _migrations(alias: str) -> tuple[tuple[str, str], ...]:
    """The migrations of this code that a database should have, by the names of their files.

    To load them, as Django does, takes a tenth of a second and 2 MB that every process of the server keeps.
    """
    own = [config for config in apps.get_app_configs() if router.allow_migrate(alias, config.label)]
    return tuple(
        sorted((config.label, file.stem) for config in own for file in Path(config.path, "migrations").glob("[!_]*.py"))
    )


@dataclass(frozen=True)
class Readiness:
    """What `/readyz` says: each part with `ok` or what is wrong. A cache that is away is said and is no reason to stop."""

    parts: dict[str, str]
    ready: bool


def readiness() -> Readiness:
    """The state of our own parts, from what is here: it takes a query and never asks the platform."""
    database = _database_state()
    migrations = _migrations_state() if database == OK else "unknown"
    own = {"database": database, "migrations": migrations, "static": "missing" if missing_static_files() else OK}
    return Readiness({**own, "cache": cache_state()}, ready=all(state == OK for state in own.values()))


def cache_state() -> str:
    """`ok`, or `local` while Redis does not answer and each machine uses a cache of its own."""
    cache.get("readyz")
    return "local" if getattr(cache, "away", False) else OK


def _database_state() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return _file_state() if connection.vendor == "sqlite" and not connection.in_atomic_block else OK
    except DatabaseFailure:
        return "unreachable"
    except sqlite3.Error as error:
        return "locked" if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY else "unwritable"


def _file_state() -> str:
    """Whether SQLite's file can be written: nobody else keeps it locked, and its disk has room."""
    file = Path(connection.settings_dict["NAME"])
    probe = sqlite3.connect(file, timeout=LOCK_SECONDS, isolation_level=None)
    with contextlib.closing(probe):
        probe.execute("BEGIN IMMEDIATE")
        probe.execute("ROLLBACK")
    return "full" if shutil.disk_usage(file.parent).free < ROOM else OK


@dataclass
class _Looked:
    """When migrations were last looked for, and what was found."""

    state: str = ""
    at: float = 0.0


_looked = _Looked()


def _migrations_state() -> str:
    if _looked.state != OK and time.monotonic() - _looked.at > LOOK_AGAIN:
        try:
            missing = [name for alias in settings.DATABASES for name in missing_migrations(alias)]
        except DatabaseFailure:
            return "unknown"
        _looked.state, _looked.at = "missing" if missing else OK, time.monotonic()
    return _looked.state


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
