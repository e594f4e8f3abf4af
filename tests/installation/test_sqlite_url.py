"""SQLite is run in one way, wherever its file is: as its server finds it, not as the settings say."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bytecode import KEPT
from tests.house.test_checks import ROOT, SAFE

LOOK = """
import json, sqlite3, sys
from dashboard import settings
if sys.argv[1] == "default":
    settings.DATABASES["default"] = settings._sqlite("")
    settings.DATABASES["default"]["NAME"] = sys.argv[2]
if sys.argv[3] == "web":
    import dashboard.wsgi
else:
    import django
    django.setup()
from django.db import close_old_connections, connection, transaction
def ask(pragma):
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        return cursor.fetchone()[0]
found = {pragma: ask(pragma) for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "cache_size")}
found["statements"] = connection.get_connection_params()["cached_statements"]
with transaction.atomic():
    other = sqlite3.connect(sys.argv[2], timeout=0, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        found["writers"] = "another one begins beside a transaction"
    except sqlite3.OperationalError as error:
        found["writers"] = str(error)
close_old_connections()  # what Django does at the end of every request
found["after a request"] = "open" if connection.connection else "closed"
print(json.dumps(found))
"""


def _look(place: str, role: str, file: Path) -> dict[str, Any]:
    variables = {"PATH": os.environ["PATH"], **KEPT, **SAFE, "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
    if place == "url":
        variables["DATABASE_URL"] = f"sqlite:///{file}"
    command = [sys.executable, "-c", LOOK, place, str(file), role]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(("role", "patience"), [("web", 5_000), ("command", 20_000)])
def test_sqlite_at_an_address_has_a_log_ahead_writers_that_queue_the_same_patience_little_memory_and_stays_open(
    role: str, patience: int, tmp_path: Path
) -> None:
    found = {place: _look(place, role, tmp_path / f"{place}.sqlite3") for place in ("default", "url")}
    assert found["url"] == found["default"]
    assert found["url"] == {
        "journal_mode": "wal",
        "synchronous": 1,
        "foreign_keys": 1,
        "busy_timeout": patience,
        "cache_size": -256,
        "statements": 16,
        "writers": "database is locked",
        "after a request": "open",
    }
