"""A consistent copy of a database while it is in use, and its way back: SQLite by its own backup, PostgreSQL by its programs."""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from django.db import connections
from django.db.backends.postgresql.client import DatabaseClient

UNFINISHED: Final = "restore_unfinished"
"""A table that is there while a restored PostgreSQL is not ready for the product: `installation.restore_problems`."""
SUFFIX: Final = {"sqlite": "sqlite3", "postgresql": "dump"}


class CopyFailed(Exception):
    """What went wrong, as a sentence for who runs the command."""


def dump(alias: str, target: Path, *, without: Collection[str] = ()) -> None:
    """Copy a database into a new file that its owner alone can read, the tables `without` empty. Raises `CopyFailed`."""
    target.touch(mode=0o600, exist_ok=False)
    if connections[alias].vendor == "sqlite":
        _dump_sqlite(alias, target, without)
    else:
        empty = [f"--exclude-table-data={table}" for table in without]
        _require("pg_dump", _server_version(alias))
        _run("pg_dump", alias, "--format=custom", "--no-owner", "--no-privileges", *empty, f"--file={target}")


def is_empty(alias: str) -> bool:
    """Whether nothing is there yet, not even a table."""
    connection = connections[alias]
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return True
    return not connection.introspection.table_names()


@contextlib.contextmanager
def replaced(alias: str, source: Path) -> Iterator[None]:
    """The database holds what `source` has; it becomes the real one where this ends without an error.

    A SQLite is made ready beside the one of before. A PostgreSQL is replaced at once, in one transaction, and is marked as
    unfinished until the end. Raises `CopyFailed`.
    """
    if connections[alias].vendor == "sqlite":
        with _replaced_sqlite(alias, source):
            yield
        return
    _load_postgresql(alias, source)
    yield
    with connections[alias].cursor() as cursor:
        cursor.execute(f"DROP TABLE {UNFINISHED}")


def _dump_sqlite(alias: str, target: Path, without: Collection[str]) -> None:
    connection = connections[alias]
    try:
        connection.ensure_connection()
        with contextlib.closing(sqlite3.connect(target)) as copy:
            connection.connection.backup(copy)  # all pages in one step: writers go on, and none of it is in the copy
            copy.execute("PRAGMA journal_mode = DELETE")
            tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
            for table in tables.intersection(without):  # a database of an earlier version may lack one
                copy.execute(f"DELETE FROM {table}")  # noqa: S608  (our own tables)
            copy.commit()
            copy.execute("VACUUM")  # else deleted rows stay in the file's free pages, those of before too
            (state,) = copy.execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as error:
        raise CopyFailed(f"The database {alias} could not be copied: {error}.") from error
    if state != "ok":
        raise CopyFailed(f"The database {alias} is damaged: {state}")


@contextlib.contextmanager
def _replaced_sqlite(alias: str, source: Path) -> Iterator[None]:
    connection = connections[alias]
    name = Path(connection.settings_dict["NAME"])
    fresh = name.with_name(f"{name.name}.restoring")
    connection.close()
    _remove(fresh)
    try:
        fresh.touch(mode=0o600, exist_ok=False)
        shutil.copyfile(source, fresh)
        connection.settings_dict["NAME"] = str(fresh)
        yield
        connection.close()  # the last one: its log is folded back into the file
        _remove(*_logs(name))
        fresh.replace(name)
    except OSError as error:
        raise CopyFailed(f"{name} could not be written: {error.strerror}.") from error
    finally:
        connection.close()
        connection.settings_dict["NAME"] = str(name)
        _remove(fresh, *_logs(fresh))


def _logs(file: Path) -> list[Path]:
    return [file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm", "-journal")]


def _remove(*files: Path) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _load_postgresql(alias: str, source: Path) -> None:
    """One transaction drops what is there, brings what the dump has, and marks it; where it fails, nothing has changed."""
    connection = connections[alias]
    _require("pg_restore", _server_version(alias))
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        schema = cursor.fetchone()[0]
        tables = connection.introspection.get_table_list(cursor)
    kinds = {"v": "VIEW"}
    quote = connection.ops.quote_name
    gone = [
        f"DROP {kinds.get(relation.type, 'TABLE')} IF EXISTS {quote(relation.name)} CASCADE;" for relation in tables
    ]
    connection.close()
    with tempfile.TemporaryDirectory() as folder:
        before, script, after = (Path(folder) / f"{name}.sql" for name in ("before", "script", "after"))
        before.write_text("\n".join(gone))
        after.write_text(f"CREATE TABLE {quote(schema)}.{UNFINISHED} ();")
        _run("pg_restore", "", "--no-owner", "--no-privileges", f"--file={script}", str(source))
        files = [f"--file={file}" for file in (before, script, after)]
        _run("psql", alias, "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", *files)


def _server_version(alias: str) -> int:
    number: int = connections[alias].pg_version  # type: ignore[attr-defined]  # of PostgreSQL's connections
    return number // 10_000


def _require(program: str, server: int) -> None:
    """Raises `CopyFailed` where a program is missing, or too old to understand the server."""
    output = _run(program, "", "--version")
    match = re.search(r"(\d+)", output)
    if match is None or int(match[1]) < server:
        raise CopyFailed(
            f"{program} is of version {match[1] if match else 'unknown'} and the server of {server}: "
            f"install the PostgreSQL client programs of version {server} or newer."
        )


def _run(program: str, alias: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs, with `alias` on its database; the password goes through the environment."""
    path = shutil.which(program)
    if path is None:
        raise CopyFailed(f"{program} is not installed: install the PostgreSQL client programs (postgresql-client).")
    connect: list[str] = []
    environment: dict[str, Any] | None = None
    if alias:
        (_psql, *connect, name), environment = DatabaseClient.settings_to_cmd_args_env(
            connections[alias].settings_dict, []
        )
        connect += [f"--dbname={name}"]
    process = subprocess.run(  # noqa: S603  (our own arguments, no shell)
        [path, *arguments, *connect, *(["--no-password"] if alias else [])],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise CopyFailed(f"{program} failed: {process.stderr.strip() or process.returncode}")
    return process.stdout
