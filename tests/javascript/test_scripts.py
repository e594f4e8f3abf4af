"""The unit tests of the scripts, one test for each file. Those that need a whole page are left out without jsdom."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

NODE = shutil.which("node")
HERE = Path(__file__).resolve().parent
SCRIPTS = HERE.parents[1] / "static/js"
# They join an event and a function, or load others: there is nothing to decide wrongly.
WITHOUT_DECISION = """
    ai_content/editor ai_content/print app inbox/inbox print review_portal/closed review_portal/from_cut
    review_portal/given review_portal/room summary
"""


@cache
def _global_modules() -> str:
    if (named := os.environ.get("NODE_PATH")) or not (npm := shutil.which("npm")):
        return named or ""
    return subprocess.run([npm, "root", "--global"], capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="node is not installed: nothing runs the tests of the scripts")
@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_script_passes_its_unit_tests(file: str) -> None:
    result = subprocess.run(
        [str(NODE), "--test", "--test-timeout=60000", "--test-reporter=tap", str(HERE / file)],
        env=os.environ | {"NODE_PATH": _global_modules()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-8000:]


def test_each_script_that_decides_something_has_unit_tests() -> None:
    scripts = {path.relative_to(SCRIPTS).with_suffix("").as_posix() for path in SCRIPTS.rglob("*.js")}
    tests = "".join(path.read_text() for path in HERE.glob("*.test.mjs"))
    untested = {script for script in scripts if not re.search(rf"""load\(\s*["'`]{script}\.js["'`]""", tests)}
    listed = set(WITHOUT_DECISION.split())
    assert untested <= listed, f"no file tests/javascript/*.test.mjs loads them: {sorted(untested - listed)}"
    assert listed <= untested, f"listed, and tested or gone: {sorted(listed - untested)}"


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="node is not installed: nothing runs the tests of the scripts")
def test_mutation_tells_changes_that_a_test_notices_from_one_that_none_does(tmp_path: Path) -> None:
    """Of a script with two functions one is tested: its two changes are noticed, the two of the other are not."""
    if not (Path(_global_modules()) / "typescript").is_dir():
        pytest.skip("typescript is not installed: npm install --global typescript@5")
    (tmp_path / "static/js").mkdir(parents=True)
    (tmp_path / "tests/javascript").mkdir(parents=True)
    for name in ("mutate", "changes", "trial", "hooks", "page"):
        shutil.copy(HERE / f"{name}.mjs", tmp_path / "tests/javascript")
    script = tmp_path / "static/js/double.js"
    script.write_text("export const double = (n) => n * 2;\nexport const isOne = (n) => n === 1;\n")
    (tmp_path / "tests/javascript/double.test.mjs").write_text(
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\n'
        'import { load, openBarePage } from "./page.mjs";\nopenBarePage();\n'
        'const { double } = await load("double.js");\n'
        'test("twice", () => assert.equal(double(3), 6));\n'
    )
    result = subprocess.run(
        [str(NODE), str(tmp_path / "tests/javascript/mutate.mjs"), str(script)],
        env=os.environ | {"NODE_PATH": _global_modules()},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "| `double.js` | 4 | 4 | 2 | 50 |" in result.stdout, result.stdout
    survivors = [line.split() for line in result.stdout.splitlines() if line.startswith("double.js:")]
    assert survivors == [["double.js:2", "===", "->", "!=="], ["double.js:2", "1", "->", "2"]]
