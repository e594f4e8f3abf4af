"""Each kind of change is made, and a test that notices it is told from tests that do not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUERIES = """
class Rows(list):
    def filter(self, *wanted, at__lt=9, at__lte=9, color=""):
        rows = (row for row in self if row[0] < at__lt and row[0] <= at__lte)
        return Rows(row for row in rows if color in row[1] and {*wanted} <= {*row})

    def order_by(self, field=""):
        return Rows(sorted(self, reverse=field.startswith("-")) if field else self)

    def distinct(self):
        return Rows(dict.fromkeys(self))

    def exists(self):
        return bool(self)


MOST = 2
ROWS = Rows(
    [(1, "red", "new"), (4, "red", "new"), (4, "red", "new"), (3, "red", "new")]
    + [(3, "red", "old"), (4, "blue", "new"), (5, "red", "new")]
)


def list_newest():
    return ROWS.filter("new", at__lt=5, color="red").order_by("-at").distinct()[:MOST]


def is_there():
    return ROWS.exists()
"""
TEST = """
import pytest
from dashboard.accounts.models import Account

import queries

@pytest.mark.django_db
def test_that_reaches_the_lines_and_notices_nothing():
    assert not Account.objects.exists(), "a fork before this one left the databases as they were"
    assert len(queries.list_newest()) < 9 and queries.is_there() in (True, False)
"""
NOTICING = """

def test_newest():
    assert queries.list_newest() == [(4, "red", "new"), (3, "red", "new")]
"""
CHANGES = [
    '"-at" → "at"',
    '"-at" → *()',
    '"new" → *()',
    ".distinct() →",
    "MOST → (MOST) - 1",
    "MOST →",
    "MOST × 0.5",
    "MOST × 2",
    "at__lt → at__lte",
    "at__lt=5 → **{}",
    'color="red" → **{}',
]
UNNOTICED = "ROWS.exists() → (not ROWS.exists())"


@pytest.mark.parametrize(
    ("test", "survived", "sum_up"),
    [
        (TEST, [*CHANGES, UNNOTICED], "| `queries` | 12 | 12 | 0 | 0 |"),
        (TEST + NOTICING, [UNNOTICED], "| `queries` | 12 | 12 | 11 | 91 |"),
    ],
    ids=["no test notices", "one does"],
)
def test_command_makes_each_kind_of_change_and_tells_what_no_test_noticed(
    tmp_path: Path, test: str, survived: list[str], sum_up: str
) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["tests.conftest"]')
    (tmp_path / "queries.py").write_text(QUERIES)
    (tmp_path / "test_queries.py").write_text(test)
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    command = [sys.executable, "-m", "tests.mutation", "queries", "--sample", "99", "--tests", "test_queries.py"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert sorted(re.findall(r"survived: queries\.py:\d+: (.*)", ran.stdout)) == sorted(survived)
    assert sum_up in ran.stdout
