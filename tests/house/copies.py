"""Copies of the project, in which tests change files and run what is left."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.bytecode import KEPT
from tests.house.sources import OWN_PACKAGES, ROOT, list_project_files


def copy_project(folder: Path) -> Path:
    """Copy every file of the project into the folder, with what is compiled of them, and give the folder back."""
    for path in list_project_files():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)  # of the same age, so that what is compiled holds
    kept = KEPT["PYTHONPYCACHEPREFIX"]
    for package in (*OWN_PACKAGES, "tests"):
        if (compiled := Path(f"{kept}{ROOT / package}")).is_dir():
            shutil.copytree(compiled, f"{kept}{folder / package}")
    return folder


def run_python(folder: Path, *arguments: str) -> None:
    """Run Python in the folder. Raises `AssertionError` with the end of what was printed, unless it exits with 0."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "DJANGO"))}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment | {"DEBUG": "on"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
