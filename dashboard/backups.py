"""A backup: a folder with a copy of each database, and a manifest that says of what, when, and which keys open it.

Databases are copied while they are in use: SQLite by its own backup, PostgreSQL by its programs. Keys are named by
fingerprints, and never in it; sessions are in none. What was open in a restored backup is sent by nobody but a person, and
nobody is signed in: the backup does not know what happened after it.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections, transaction
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from dashboard import installation
from dashboard.accounts import devices, identity, rotation
from dashboard.accounts.models import Device
from dashboard.writes import recovery

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
        cursor.execute(f"DROP TABLE {installation.UNFINISHED}")


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
        after.write_text(f"CREATE TABLE {quote(schema)}.{installation.UNFINISHED} ();")
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


MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
SIGNED_IN: Final = (Session._meta.db_table, Device._meta.db_table)
"""Tables whose rows are in no backup: who is signed in."""


class Refused(Exception):
    """Why it is not restored, as a sentence for who runs the command. Nothing has been changed."""


@dataclass(frozen=True)
class Copy:
    """One database of a backup."""

    file: str
    engine: str
    size: int
    sha256: str
    migrations: tuple[str, ...]
    """Those that had been applied, as `app.name`."""


@dataclass(frozen=True)
class Manifest:
    """manifest.json."""

    format: int
    taken_at: str
    token_keys: tuple[str, ...]
    """Fingerprints of those of TOKEN_KEYS that sealed something in it: all of them are needed."""
    secret_key: str
    databases: dict[str, Copy]


def list_databases() -> list[str]:
    """What is backed up: all databases, the embedded platform's where there is one."""
    return list(settings.DATABASES)


def take(folder: Path) -> Manifest:
    """Back up every database into `folder`, which must not be there or be empty. Raises `CopyFailed` and `OSError`.

    The folder is there when it is complete: a backup that was interrupted leaves none of that name.
    """
    if folder.exists() and any(folder.iterdir()):
        raise Refused(f"{folder} is not empty. Nothing was written.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))  # for its owner alone
    try:
        taken_at = timezone.now().isoformat()
        databases = {alias: _copy(alias, unfinished) for alias in list_databases()}
        manifest = Manifest(
            FORMAT,
            taken_at,
            token_keys=_keys_in_use(),
            secret_key=fingerprint(settings.SECRET_KEY),
            databases=databases,
        )
        (unfinished / MANIFEST).touch(mode=0o600, exist_ok=False)
        (unfinished / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1))
        unfinished.replace(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup whose files are all there, as they were written. Raises `Refused`."""
    try:
        source: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
        if source["format"] != FORMAT:
            raise Refused(f"{folder} was made by a newer version. Install that version first.")
        databases = {alias: Copy(**copy) for alias, copy in source["databases"].items()}
        manifest = Manifest(**source | {"databases": databases})
        damaged = [copy.file for copy in databases.values() if _sha256(folder / copy.file) != copy.sha256]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refused(f"{folder} is no whole backup: {error}.") from error
    if damaged:
        raise Refused(f"{', '.join(damaged)} in {folder} is not as it was written. Use another backup.")
    return manifest


def check(manifest: Manifest, *, replace: bool, keys_lost: bool) -> None:
    """Raises `Refused` where this backup cannot become the database of this installation."""
    for alias, copy in manifest.databases.items():
        if alias not in connections.settings:
            raise Refused(
                f"The backup has a database {alias}, and this installation has none. Is SANDBOX set as it was?"
            )
        if copy.engine != connections[alias].vendor:
            engine = connections[alias].vendor
            raise Refused(f"The backup is of {copy.engine}, and DATABASE_URL leads to {engine}.")
        if newer := sorted(set(copy.migrations) - _known_migrations()):
            named = ", ".join(newer[:3])
            raise Refused(f"The backup is of a newer version than this code, which does not know {named}.")
    _check_keys(manifest, keys_lost=keys_lost)
    if not replace and not all(is_empty(alias) for alias in manifest.databases):
        raise Refused("The database is not empty. Back it up, then use --replace: it deletes what is there.")
    if users := installation.other_users():
        raise Refused(f"The product is in use: {users}. Stop every server and worker first.")


def restore(folder: Path, manifest: Manifest) -> int:
    """Make the backup the database. Returns how many writes were open in it. Raises `Refused` and `CopyFailed`."""
    with installation.kept_out() as alone:
        if not alone:
            raise Refused("A server or a worker is running on this database. Stop it first.")
        with ExitStack() as stack:
            for alias, copy in manifest.databases.items():
                stack.enter_context(replaced(alias, folder / copy.file))
                call_command("migrate", database=alias, verbosity=0, interactive=False)
            identity.key.cache_clear()
            cache.clear()  # a reading in it may be newer than the copy that it was written to
            with transaction.atomic():
                devices.sign_out_everybody()
                return recovery.doubt_restored()


def fingerprint(key: str) -> str:
    """Names a key without telling it."""
    return hashlib.sha256(b"dashboard.backups" + key.encode()).hexdigest()[:16]


def _check_keys(manifest: Manifest, *, keys_lost: bool) -> None:
    here = {fingerprint(key) for key in settings.TOKEN_KEYS}
    missing = [mark for mark in manifest.token_keys if mark not in here]
    if missing and not keys_lost:
        raise Refused(
            f"These TOKEN_KEYS cannot read this backup: {len(missing)} of the {len(manifest.token_keys)} keys that sealed "
            "its tokens is not among them. Put the key of that time behind the others. If it is lost: --keys-lost restores "
            "everything, and people give their API tokens again."
        )


def _copy(alias: str, folder: Path) -> Copy:
    engine = connections[alias].vendor
    applied = MigrationRecorder(connections[alias]).applied_migrations()
    file = folder / f"{alias}.{SUFFIX[engine]}"
    dump(alias, file, without=SIGNED_IN if alias == "default" else ())
    migrations = tuple(sorted(f"{app}.{name}" for app, name in applied))
    return Copy(file.name, engine, size=file.stat().st_size, sha256=_sha256(file), migrations=migrations)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _known_migrations() -> set[str]:
    loader = MigrationLoader(None)
    replaced = {key for migration in loader.disk_migrations.values() for key in migration.replaces}
    return {f"{app}.{name}" for app, name in {*loader.disk_migrations, *replaced}}


def _keys_in_use() -> tuple[str, ...]:
    """The fingerprints of those of TOKEN_KEYS that sealed something."""
    used: set[str] = set()
    for column in rotation.sealed_columns():
        for batch in column.batches():
            used |= {key for _pk, sealed in batch if (key := _opener(sealed))}
    return tuple(fingerprint(key) for key in settings.TOKEN_KEYS if key in used)


def _opener(sealed: str) -> str | None:
    """The first of TOKEN_KEYS that opens `sealed`."""
    for key in settings.TOKEN_KEYS:
        try:
            Fernet(key).decrypt(sealed.encode())
        except InvalidToken:
            continue
        return str(key)
    return None
