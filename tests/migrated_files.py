"""The tests' SQLite files, migrated once and kept: every process of a run copies them, until a migration changes.

A hundred migrations take as long as fifty pages, and every process that tests something needs their result.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path

import django
from django.apps import apps
from django.core.management import call_command
from django.db import connections

from tests.bytecode import ROOT

FOLDER = Path(os.environ.setdefault("MIGRATED_FILES", str(ROOT / ".pytest_cache" / "migrated")))
"""Processes that a test starts in a copy of the project find it too."""
A_DAY = 86_400


@cache
def kept(alias: str) -> Path:
    """Where the file of a database is kept. Its name says which migrations made it."""
    digest = sha256(django.__version__.encode())
    for app in apps.get_app_configs():
        for migration in sorted(Path(app.path, "migrations").glob("*.py")):
            digest.update(f"{app.label} {migration.name}\n".encode() + migration.read_bytes())
    return FOLDER / f"{alias}-{digest.hexdigest()[:20]}.sqlite3"


def begin() -> subprocess.Popen[bytes]:
    """Make what is missing in a process of its own, while this one goes on."""
    return subprocess.Popen([sys.executable, "-m", "tests.migrated_files"], cwd=ROOT)


def copy_to(files: dict[str, Path]) -> None:
    """Copy each database, migrated, to its file. What nobody made yet is made first."""
    with one_at_a_time():
        missing = not all(kept(alias).exists() for alias in files)
    if missing:
        begin().wait()
    with one_at_a_time():
        for alias, file in files.items():
            shutil.copyfile(kept(alias), file)


def make() -> None:
    """Migrate every SQLite database in a file of its own, unless that was done."""
    with one_at_a_time():
        ours = {alias: kept(alias) for alias in connections if connections[alias].vendor == "sqlite"}
        for other in set(FOLDER.glob("*.sqlite3")) - set(ours.values()):
            if time.time() - other.stat().st_mtime > A_DAY:
                other.unlink()
        for alias, file in ours.items():
            if not file.exists():
                half = file.with_suffix(".half")
                half.unlink(missing_ok=True)
                connections[alias].settings_dict["NAME"] = half
                call_command("migrate", database=alias, verbosity=0, interactive=False)
                connections[alias].close()
                half.rename(file)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """The processes of a run make and copy one after the other."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    make()
