"""A backup: a folder with a copy of each database, and a manifest that says of what, when, and which keys open it.

Keys are named by fingerprints, and never in it; sessions are in none. What was open in a restored backup is sent by nobody but
a person, and nobody is signed in: the backup does not know what happened after it.
"""

import hashlib
import json
import shutil
import tempfile
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
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from dashboard import database_copies, running
from dashboard.accounts import devices, identity, rotation
from dashboard.accounts.models import Device
from dashboard.writes import recovery

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
        manifest = Manifest(FORMAT, taken_at, _keys_in_use(), fingerprint(settings.SECRET_KEY), databases)
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
    if not replace and not all(database_copies.is_empty(alias) for alias in manifest.databases):
        raise Refused("The database is not empty. Back it up, then use --replace: it deletes what is there.")
    if users := running.other_users():
        raise Refused(f"The product is in use: {users}. Stop every server and worker first.")


def restore(folder: Path, manifest: Manifest) -> int:
    """Make the backup the database. Returns how many writes were open in it. Raises `Refused` and `CopyFailed`."""
    with running.kept_out() as alone:
        if not alone:
            raise Refused("A server or a worker is running on this database. Stop it first.")
        with ExitStack() as stack:
            for alias, copy in manifest.databases.items():
                stack.enter_context(database_copies.replaced(alias, folder / copy.file))
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
    file = folder / f"{alias}.{database_copies.SUFFIX[engine]}"
    database_copies.dump(alias, file, without=SIGNED_IN if alias == "default" else ())
    migrations = tuple(sorted(f"{app}.{name}" for app, name in applied))
    return Copy(file.name, engine, file.stat().st_size, _sha256(file), migrations)


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
