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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.mutation.modules import LATE, ROOT, list_modules, list_tests
from tests.mutation.mutants import Mutant, mutate
from tests.mutation.report import LEAST, print_survivor, print_table

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
    parser.add_argument(
        "--inside", action="store_true", help="only mutants in functions: the others each need a process"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT, symlinks=True)
        report = (asked.report or Path(folder) / "report.jsonl").resolve()
        for tests, modules in group_by_tests(list_modules(asked.modules)).items():
            task = {name: getattr(asked, name) for name in ("sample", "seed", "limit", "inside")} | {"modules": modules}
            for result in run_modules(copy, tests, task):
                with report.open("a") as lines:
                    lines.write(json.dumps(result, ensure_ascii=False) + "\n")
                print_survivor(result)
        percent = print_table([json.loads(line) for line in report.read_text().splitlines()])
    return 0 if percent >= LEAST else 1


def group_by_tests(modules: list[str]) -> dict[tuple[str, ...], list[str]]:
    """The modules by the tests that may notice: those are collected and timed once."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for module in modules:
        groups.setdefault(tuple(list_tests(module)), []).append(module)
    return groups


def run_modules(copy: Path, tests: tuple[str, ...], task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The outcome of every mutant of some modules."""
    report = copy.parent / "group.jsonl"
    report.write_text("")
    run_tests(copy, [*tests, "tests/mutation/test_ready.py"], task | {"report": str(report)})
    for line in report.read_text().splitlines():
        result = json.loads(line)
        yield try_cold(copy, result) if result["outcome"] in {"cold", "not placed"} else result


def try_cold(copy: Path, result: dict[str, Any]) -> dict[str, Any]:
    """Run the tests in a new process that imports the changed module."""
    file = copy / result["module"]
    source = file.read_text()
    mutant = Mutant(**{name: result[name] for name in Mutant.__dataclass_fields__})
    try:
        file.write_text(ast.unparse(mutate(source, mutant)))
        passed = run_tests(copy, list_tests(result["module"]), None)
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
