"""What the product writes is for the user that it runs as, and what was open is closed and told."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from dashboard.checks import files_are_private
from dashboard.environment import make_private
from tests.bytecode import KEPT
from tests.house.test_checks import SAFE
from tests.installation.readme import copy_as_cloned

OPEN = "import os, sys; os.umask(0o022); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
"""Runs a program as a shell does that makes files for everybody."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user of the machine reaches, as where a product is installed."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def run(here: Path, *words: str) -> str:
    environment = {"PATH": os.environ["PATH"], **KEPT, **SAFE}
    command = [sys.executable, "-c", OPEN, *words]
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_a_command_writes_is_for_its_user_alone_and_static_files_are_for_everybody(place: Path) -> None:
    here = copy_as_cloned(place / "reelroom")
    run(here, "manage.py", "migrate", "accounts", "0001")
    run(here, "manage.py", "collectstatic", "--no-input")
    data = [here / ".data", *(here / ".data").iterdir()]
    assert {path.name: mode(path) for path in data if path.is_dir()} == {".data": "0o700"}
    files = {path.name: mode(path) for path in data if path.is_file()}
    assert "reelroom.sqlite3" in files and set(files.values()) == {"0o600"}
    collected = list((here / "staticfiles").rglob("*"))
    assert any(path.suffix == ".gz" for path in collected)
    assert {mode(path) for path in (here / "staticfiles", *collected)} == {"0o755", "0o644"}


def test_every_process_of_the_server_writes_for_its_user_alone(place: Path) -> None:
    show = "import os; from dashboard.wsgi import application; print(oct(os.umask(0)))"
    assert run(copy_as_cloned(place / "reelroom"), "-c", show).split()[-1] == "0o77"


def test_a_data_folder_that_others_could_read_is_closed_and_told(place: Path, settings: Settings) -> None:
    data = place / ".data"
    data.mkdir()
    data.chmod(0o755)
    database = data / "reelroom.sqlite3"
    database.touch()
    database.chmod(0o644)
    settings.BASE_DIR, settings.DATA_DIR = place, data
    settings.WAS_READABLE = make_private(data)
    assert (mode(data), mode(database)) == ("0o700", "0o600")
    (told,) = files_are_private(None)
    assert told.id == "reelroom.W029" and "could read" in told.msg and "SECRET_KEY" in str(told.hint)
    assert make_private(data) == []


def test_what_others_can_still_read_is_told_with_what_closes_it(place: Path, settings: Settings) -> None:
    settings.BASE_DIR, settings.WAS_READABLE = place, []
    secrets = place / ".env"
    secrets.touch()
    secrets.chmod(0o640)
    (told,) = files_are_private(None)
    assert told.id == "reelroom.W029" and told.hint == f"Run chmod go= {secrets}"
    secrets.chmod(0o600)
    assert files_are_private(None) == []
    secrets.chmod(0o644)
    place.chmod(0o700)
    assert files_are_private(None) == [], "nobody else reaches it"
