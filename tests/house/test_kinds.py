"""README's command leaves out what is heavy, says so, and runs it when it is asked for by name."""

import ast
import subprocess
import sys

import pytest

from tests.kinds import PLACES, ROOT, list_slow

FUZZ = "tests/fuzz/test_fuzz.py"


@pytest.mark.process
@pytest.mark.parametrize(
    ("asked", "listed", "last"),
    [
        (["tests/house/test_nul.py", "tests/fuzz"], True, ""),
        (["tests/house/test_nul.py", FUZZ], True, ""),
        (["tests/house/test_nul.py", f"{FUZZ}::test_every_address_of_the_product_is_asked"], True, ""),
        (["tests/strict/test_operations.py", "tests/strict"], True, ""),
        (["tests/strict"], False, "Left to .ci/run, by kind: "),
        (["tests/strict", "--all"], True, ""),
        (["tests/strict", "-m", "process"], True, ""),
    ],
)
def test_what_is_heavy_is_left_out_aloud_unless_it_is_asked_for(asked: list[str], listed: bool, last: str) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider", *asked]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    heavy = ("test_every_address_of_the_product_is_asked", "-wrapped]", "-forbidden]")
    assert any(name in printed for name in heavy) is listed
    assert printed.splitlines()[-1].startswith(last)


def test_places_and_measured_tests_are_there() -> None:
    assert [place for places in PLACES.values() for place in places if not (ROOT / place).exists()] == []
    for file in {name.partition("::")[0] for name in list_slow()}:
        there = {
            node.name for node in ast.walk(ast.parse((ROOT / file).read_text())) if isinstance(node, ast.FunctionDef)
        }
        slow = {name.rpartition("::")[2] for name in list_slow() if name.startswith(f"{file}::")}
        assert slow <= there, f"{file}: pytest --all --measure"
