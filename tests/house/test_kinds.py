"""README's command leaves out what is heavy, says so, and runs it when it is asked for by name."""

import ast
import re
import subprocess
import sys

import pytest

from tests.kinds import FEATURE_SECONDS, PLACES, ROOT, find_dear, list_dear, list_slow, name_of

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


def test_dearest_tests_of_a_feature_are_those_beyond_its_seconds() -> None:
    each = FEATURE_SECONDS / 10
    cheap = {f"tests/lives/test_a.py::test_{n}": {"one": each, "two": each} for n in range(4)}
    dear = {"tests/lives/test_b.py::test_last": {"one": 3 * each}}
    assert find_dear(dear | cheap) == dear.keys()
    assert find_dear({"tests/runs/test_a.py::test_alone": {"one": FEATURE_SECONDS}}) == set()


@pytest.mark.process
def test_folder_of_a_feature_leaves_out_what_is_dear_and_says_how_to_run_it() -> None:
    asked = "tests/review_portal"
    dear = {name for name in list_dear() if name.startswith(f"{asked}/")}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider"]
    printed = [
        subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        for more in ([asked], [asked, "--all"], [min(dear).partition("::")[0]])
    ]
    names = [{name_of(line) for line in lines} for lines in printed]
    assert not dear & names[0] and dear <= names[1] and min(dear) in names[2]
    assert re.search(rf"\d dear.* With them: pytest {asked} --all$", printed[0][-1])


def test_places_and_measured_tests_are_there() -> None:
    assert [place for places in PLACES.values() for place in places if not (ROOT / place).exists()] == []
    measured = list_slow() | list_dear()
    for file in {name.partition("::")[0] for name in measured}:
        there = {
            node.name for node in ast.walk(ast.parse((ROOT / file).read_text())) if isinstance(node, ast.FunctionDef)
        }
        named = {name.rpartition("::")[2] for name in measured if name.startswith(f"{file}::")}
        assert named <= there, f"{file}: pytest --all --measure"
