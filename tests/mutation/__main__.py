"""python -m tests.mutation [module …] [--sample N] [--seed S]: which small wrong changes of a module no test notices.

A module is a path or the beginning of one (`dashboard/writes`, `review_portal/markup.py`); without any, all that
`modules.py` lists. Works on a copy in a temporary folder. Every survivor is printed unless `accepted.txt` gives a reason
for it. Exit status 1 when fewer than `LEAST` of 100 mutants are killed. See docs/mutation.md.
"""

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.mutation.modules import LATE, ROOT, list_modules, list_tests
from tests.mutation.mutants import Mutant, mutate
from tests.mutation.report import LEAST, print_report

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".data", ".venv", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache"
)

COLD_SECONDS = 300
"""For the tests of one feature in a process of their own."""


def main() -> int:
    """Try the mutants of the modules asked for, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--sample", type=int, default=0, help="mutants of each module; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds of tests for one mutant, the fastest first")
    parser.add_argument("--report", type=Path, help="a file that gets a line of JSON for each mutant; added to")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT, symlinks=True)
        report = (asked.report or Path(folder) / "report.jsonl").resolve()
        for module in list_modules(asked.modules):
            task = {"module": module, "sample": asked.sample, "seed": asked.seed, "limit": asked.limit}
            results = run_module(copy, task)
            with report.open("a") as lines:
                lines.writelines(json.dumps(result, ensure_ascii=False) + "\n" for result in results)
            print_report(results)
        return (
            0
            if print_report([json.loads(line) for line in report.read_text().splitlines()], total=True) >= LEAST
            else 1
        )


def run_module(copy: Path, task: dict[str, Any]) -> list[dict[str, Any]]:
    """The outcome of every mutant of one module."""
    report = copy.parent / "module.jsonl"
    report.write_text("")
    run_tests(copy, [*list_tests(task["module"]), "tests/mutation/test_ready.py"], task | {"report": str(report)})
    results = [json.loads(line) for line in report.read_text().splitlines()]
    if not results:
        sys.stdout.write(f"{task['module']}: no mutants, or the tests did not start\n")
    return [try_cold(copy, task, result) if is_cold(result) else result for result in results]


def is_cold(result: dict[str, Any]) -> bool:
    """Whether only a process that imports the changed module can tell."""
    return result["outcome"] in {"cold", "not placed"}


def try_cold(copy: Path, task: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """Run the tests in a new process that imports the changed module."""
    file = copy / task["module"]
    source = file.read_text()
    mutant = Mutant(**{name: result[name] for name in Mutant.__dataclass_fields__})
    try:
        file.write_text(ast.unparse(mutate(source, mutant)))
        passed = run_tests(copy, list_tests(task["module"]), None)
    finally:
        file.write_text(source)
    return result | {"outcome": "survived" if passed else "killed by a new process"}


def run_tests(copy: Path, tests: list[str], task: dict[str, Any] | None) -> bool:
    """Whether the tests pass in the copy; with a task, the plugin `tests.mutation.session` has it instead."""
    plugin = ["-p", "tests.mutation.session"] if task else ["-x"]
    late = [f"--ignore={path}" for path in LATE]
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", *plugin, *late, *tests]
    try:
        ended = subprocess.run(
            command,
            cwd=copy,
            env=os.environ | {"MUTATION": json.dumps(task)},
            stdout=subprocess.DEVNULL,
            stderr=None if task else subprocess.DEVNULL,
            timeout=None if task else COLD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
