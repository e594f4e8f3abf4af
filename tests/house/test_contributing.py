"""The worked example of CONTRIBUTING.md is true: made in a copy of the project, it passes its own tests and the linters."""

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.house.copies import copy_project, run_python
from tests.house.sources import ROOT, read_text

GUIDE = ROOT / "CONTRIBUTING.md"
EMPTY_FILE = re.compile(r"[Nn]ew file\s`([^`]+)`, which is empty")
CHANGE = re.compile(
    r"(?:[Nn]ew file\s`(?P<new>[^`]+)`|In `(?P<old>[^`]+)`, after `(?P<anchor>[^`]+)`):\n\n```\w+\n(?P<text>.*?)```\n",
    re.DOTALL,
)
MADE = "video_statuses"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the changes of the guide."""
    folder = copy_project(tmp_path_factory.mktemp("example"))
    guide = read_text(GUIDE)
    for match in EMPTY_FILE.finditer(guide):
        write(folder / match[1], "")
    for match in CHANGE.finditer(guide):
        if match["new"]:
            write(folder / match["new"], match["text"])
        else:
            insert(folder / match["old"], match["anchor"], match["text"])
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
    return folder


def write(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    assert not path.exists(), f"{path} exists already"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def insert(path: Path, anchor: str, text: str) -> None:
    """Put lines after the one line that is the anchor."""
    content = path.read_text()
    assert content.count(f"\n{anchor}\n") == 1, f"{path} has {content.count(anchor)} lines {anchor!r}"
    path.write_text(content.replace(f"\n{anchor}\n", f"\n{anchor}\n{text}"))


def test_every_block_of_the_example_is_a_change() -> None:
    example = read_text(GUIDE).partition("## Add an operation and a page")[2].partition("\n## ")[0]
    assert len(CHANGE.findall(example)) == example.count("\n```\n") > 12


def test_example_passes_its_own_tests_and_the_import_rules(example: Path) -> None:
    rules = "tests/house/test_imports.py", "tests/house/test_anatomy.py"
    run_python(example, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", f"tests/{MADE}", *rules)


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is in the group lint")
def test_example_is_laid_out_as_the_linters_want_it(example: Path) -> None:
    changed = [match["new"] or match["old"] for match in CHANGE.finditer(read_text(GUIDE))]
    scripts = sorted({name for name in changed if name.endswith(".py")})
    run_python(example, "-m", "ruff", "check", *scripts)
    run_python(example, "-m", "ruff", "format", "--check", *scripts)
