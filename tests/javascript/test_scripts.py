"""The unit tests of the scripts, one test for each file. Those that need a whole page are left out without jsdom."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

NODE = shutil.which("node")
HERE = Path(__file__).resolve().parent
SCRIPTS = HERE.parents[1] / "static/js"
VENDORED = {"htmx"}
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
    tested = {path.name.removesuffix(".test.mjs") for path in HERE.glob("*.test.mjs")}
    untested = {one for one in scripts if not tested & {one.replace("/", "_"), one.rpartition("/")[2]}} - VENDORED
    listed = set(WITHOUT_DECISION.split())
    assert untested <= listed, f"without tests/javascript/<name>.test.mjs: {sorted(untested - listed)}"
    assert listed <= untested, f"listed, and tested or gone: {sorted(listed - untested)}"
