"""A feature can be deleted: what is left starts, has all its migrations, and passes its tests."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.copies import copy_project, run_python

FEATURE = "lives"
PLACES = (
    "dashboard/{}",
    "templates/{}",
    "static/css/{}.css",
    "static/css/features/{}.css",
    "tests/{}",
    "tests/journeys/test_{}*.py",
)
"""Where a feature stands, besides the lines that name it in `settings.py` and `urls.py`."""
TESTS_OF_THE_REST = (
    "tests/house/test_imports.py",
    "tests/overview/test_overview.py::test_it_says_what_waits_how_it_goes_and_what_happened",
    "tests/overview/test_overview.py::test_a_held_deletion_waits_for_a_word",
    "tests/search/test_search.py::test_before_anything_is_typed_there_are_actions_and_pages",
    "tests/search/test_search.py::test_tests_are_found_with_their_state",
)
"""A few that need no feature in particular: the whole suite takes too long to run twice."""


@pytest.fixture
def rest(tmp_path: Path) -> Path:
    """A copy of the project without the feature."""
    copy_project(tmp_path)
    for path in [path for place in PLACES for path in tmp_path.glob(place.format(FEATURE))]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for name in ("settings.py", "urls.py"):
        module = tmp_path / "dashboard" / name
        lines = module.read_text().splitlines(keepends=True)
        module.write_text("".join(line for line in lines if f"dashboard.{FEATURE}" not in line))
    return tmp_path


def test_product_starts_and_passes_without_a_feature(rest: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], cwd=rest, check=True)
    run_python(rest, "manage.py", "makemigrations", "--check")  # after Django's own checks
    run_python(rest, "-m", "pytest", "-q", "-n", "0", *TESTS_OF_THE_REST)
