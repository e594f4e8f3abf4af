"""python -m tests.mutation dashboard.activity.log … [--sample 20] [--tests tests/activity]: which wrong queries tests notice.

Changes what mutmut leaves alone (tests/mutation/changes.py), one thing at a time, each in a fork of one process that has the
tests loaded and the databases made. Runs the tests that reached the changed lines, the quickest first. docs/mutation.md.
"""

import argparse
import os
import re
import sys
import threading
import time
from collections import Counter, defaultdict
from importlib import import_module
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from django.db import connections

from tests.mutation.changes import Change, apply, list_changes

HEAVY = ("slow", "journey", "walk", "process", "loopback")
LIGHT = " and ".join(f"not {marker}" for marker in HEAVY)
APART = {"journeys", "house", "histories", "fuzz", "installation", "capacity", "presses", "strict", "bench"}
"""Folders of tests that are about everything."""
TESTS_MOST = 60
SECONDS_MOST = 2.0
"""CPU of one test: a longer one is not run for a change."""
OUTPUT = os.dup(1)


class Trial:
    """The plugin that runs the tests once as they are, and then for every change."""

    def __init__(self, modules: list[str], sample: int) -> None:
        self.modules = modules
        self.sample = sample
        self.reached: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self.found: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()
        self.noticed: Counter[str] = Counter()

    def pytest_configure(self, config: pytest.Config) -> None:
        for marker in HEAVY:
            config.addinivalue_line("markers", marker)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        files = {module: import_module(module).__file__ or "" for module in self.modules}
        names = {file: module for module, file in files.items()}

        def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
            if (module := names.get(frame.f_code.co_filename)) is None:
                return None
            lines = self.reached[current]

            def line(frame: FrameType, _event: str, _argument: Any) -> Any:
                lines.add((module, frame.f_lineno))
                return line

            lines.add((module, frame.f_lineno))
            return line

        for item, following in zip(session.items, [*session.items[1:], session.items[0]], strict=True):
            current, begun = item.nodeid, time.process_time()
            threading.settrace(trace)
            sys.settrace(trace)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.settrace(None)
            self.seconds[item.nodeid] = time.process_time() - begun
        threading.settrace(None)
        for nodeid in self.failed:
            self.seconds.pop(nodeid, None)
            tell(f"left out, because it fails without a change: {nodeid}")
        self.failed.clear()
        for module, file in files.items():
            changes = list_changes(module, Path(file))
            while failed := self.notice(session, self.choose(session.items, Change(module, range(0), "")), None):
                del self.seconds[failed]
                tell(f"left out, because it fails after others: {failed}")
            self.found[module] = len(changes)
            chosen = sorted(Random(module).sample(range(len(changes)), min(self.sample, len(changes))))
            for change in (changes[number] for number in chosen):
                self.tried[module] += 1
                if self.notice(session, self.choose(session.items, change), change):
                    self.noticed[module] += 1
                else:
                    tell(f"survived: {Path(file).relative_to(Path.cwd())}:{change.lines.start}: {change.told}")
        return True

    def notice(self, session: pytest.Session, items: list[pytest.Item], change: Change | None) -> str:
        """The first of the tests that fails after the change, in a fork; "" where all pass.

        No test there is the last one: after that, pytest would delete the databases, which the next fork needs.
        """
        make_databases_anew(session.config)
        end, begin = os.pipe()
        if (child := os.fork()) == 0:
            session.config.pluginmanager.unregister(name="terminalreporter")
            try:
                if change:
                    apply(change)
                for item, following in zip(items, [*items[1:], session.items[0]], strict=False):
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    if self.failed:
                        break
                os.write(begin, "".join(self.failed[:1]).encode() or b"all passed")
            finally:
                os._exit(0)
        os.close(begin)
        with os.fdopen(end, "rb") as answer:
            told = answer.read().decode() or "the end of the process"
        os.waitpid(child, 0)
        return "" if told == "all passed" else told

    def choose(self, items: list[pytest.Item], change: Change) -> list[pytest.Item]:
        """The tests that reached the changed lines (of a constant: the module), the quickest first."""
        light = [item for item in items if self.seconds.get(item.nodeid, SECONDS_MOST) < SECONDS_MOST]
        reaching = [
            item
            for item in light
            if any(
                module == change.module and (line in change.lines or not change.source)
                for module, line in self.reached[item.nodeid]
            )
        ]
        return sorted(reaching or (light if change.constant else ()), key=lambda item: self.seconds[item.nodeid])[
            :TESTS_MOST
        ]


def make_databases_anew(config: pytest.Config) -> None:
    """As the first test of a run finds them: the one before may have ended in the middle of what it wrote."""
    from tests import migrated_files
    from tests.conftest import STATES

    connections.close_all()
    files = {one.alias: Path(one.settings_dict["TEST"]["NAME"]) for one in connections.all()}
    if all(file.exists() for file in files.values()):
        for file in files.values():
            for part in file.parent.glob(f"{file.name}*"):
                part.unlink()
        migrated_files.copy_to(files)
    if states := config.stash.get(STATES, None):
        states.use("seeded", again=True)


def find_tests(module: str) -> set[str]:
    """The folder of a module's feature, and the files that name the module."""
    package, _, name = module.rpartition(".")
    feature = module.removeprefix("dashboard.").split(".")[0]
    named = re.compile(rf"\b{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{name}\b")
    return {
        str(file)
        for file in Path("tests").rglob("test_*.py")
        if file.parts[1] not in APART and (file.parts[1] == feature or named.search(file.read_text()))
    }


def tell(text: str) -> None:
    """A line of the output, whatever pytest captures."""
    os.write(OUTPUT, f"{text}\n".encode())


def main() -> int:
    """Try the changes, and sum up by module."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--sample", type=int, default=20, help="changes of each module, drawn the same for everybody")
    parser.add_argument("--tests", nargs="+", help="instead of the feature's and those that name the module")
    asked = parser.parse_args()
    tests = asked.tests or sorted(set().union(*map(find_tests, asked.modules)))
    trial = Trial(asked.modules, asked.sample)
    options = ["-n", "0", "-qq", "-p", "no:cacheprovider", "--timeout", "60", "-m", LIGHT]
    pytest.main([*options, *tests], plugins=[trial])
    tell("| module | changes | tried | noticed | of 100 |\n|---|---|---|---|---|")
    for module, tried in trial.tried.items():
        name, found, noticed = module.removeprefix("dashboard."), trial.found[module], trial.noticed[module]
        tell(f"| `{name}` | {found} | {tried} | {noticed} | {100 * noticed // tried} |")
    return 0 if trial.tried else 1


if __name__ == "__main__":
    sys.exit(main())
