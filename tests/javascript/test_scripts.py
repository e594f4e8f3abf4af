"""The unit tests of the scripts, as one test. Those that need a whole page are left out without jsdom."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
HERE = Path(__file__).resolve().parent


def _global_modules() -> str:
    npm = shutil.which("npm")
    if npm is None:
        return ""
    return subprocess.run([npm, "root", "--global"], capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.skipif(NODE is None, reason="node is not installed: nothing runs the tests of the scripts")
def test_scripts_pass_their_unit_tests() -> None:
    tests = sorted(str(path) for path in HERE.glob("*.test.mjs"))
    folders = os.environ.get("NODE_PATH") or _global_modules()
    result = subprocess.run(
        [str(NODE), "--test", "--test-timeout=60000", "--test-reporter=tap", *tests],
        env=os.environ | {"NODE_PATH": folders},
        capture_output=True,
        text=True,
        check=False,
    )
    assert len(tests) >= 6
    assert result.returncode == 0, result.stdout[-8000:]
