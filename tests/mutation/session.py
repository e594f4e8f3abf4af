"""A pytest plugin: instead of running the collected tests once, run them against every mutant of some modules.

Django is set up, the tests are collected and the databases are made once. Each mutant is tried in a forked process, which
puts the changed code into the functions that exist and runs the tests that reach the changed line, the fastest first.
`python -m tests.mutation` starts it and says through `MUTATION` (JSON) what to do.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.mutation.code import Functions
from tests.mutation.forks import STATES, forget_databases, keep_databases, run_in_fork
from tests.mutation.mutants import Mutant, draw_sample, list_mutants, mutate
from tests.snapshots import Snapshots

READY = "tests/mutation/test_ready.py::test_databases_are_ready"
NOT_HERE = ("loopback", "journey")
"""Marks of tests that start servers: threads do not survive a fork."""
SLOW_SECONDS = 5.0
"""A test that takes longer is not run against mutants."""


Line = tuple[str, int]
"""A module's path, and a line of it that was run."""

HANGS_AFTER = 30
"""A mutant that takes so many times as long as its tests do is in an endless loop, also on a busy machine."""


@dataclass(frozen=True)
class Timed:
    """How a test went on the unchanged modules: seconds of the processor, whatever else the machine does."""

    seconds: float
    lines: frozenset[Line]


class Session:
    """The mutants of modules that the same tests reach, one after another."""

    def __init__(self, session: pytest.Session, task: dict[str, Any]) -> None:
        self.task = task
        self.ready = next(item for item in session.items if item.nodeid == READY)
        self.items = {
            item.nodeid: item
            for item in session.items
            if not item.nodeid.startswith("tests/mutation/")
            and not any(item.get_closest_marker(mark) for mark in NOT_HERE)
        }
        self.states: Snapshots | None = None
        self.timed: dict[str, Timed] = {}

    def run(self) -> None:
        """Append one line of JSON for each mutant to the report."""
        self._run_item(self.ready, next(iter(self.items.values())))
        self.states = self.ready.config.stash[STATES]
        keep_databases()
        self.timed = self._time_tests()
        with Path(self.task["report"]).open("a") as report:
            for module in self.task["modules"]:
                for line in self._outcomes(module):
                    report.write(json.dumps(line, ensure_ascii=False) + "\n")
                    report.flush()
        forget_databases()

    def _outcomes(self, module: str) -> Iterator[dict[str, Any]]:
        source = Path(module).read_text()
        functions = Functions(str(Path(module).resolve()))
        mutants = [mutant for mutant in list_mutants(source) if mutant.function or not self.task["inside"]]
        for mutant in draw_sample(mutants, self.task["sample"], self.task["seed"]):
            outcome = self._try(module, mutant, source, functions) if mutant.function else "cold"
            yield {"module": module, "outcome": outcome, **asdict(mutant)}

    def _time_tests(self) -> dict[str, Timed]:
        """Time every test and see which lines of the modules it reaches; only those that pass twice are used."""
        reached = run_in_fork(lambda: self._observe(list(self.items), traced=True), 1800) or {}
        first = {name: Timed(*found) for name, found in reached.items()}
        again = run_in_fork(lambda: self._observe(self._fastest(first, first), traced=False), 1800) or {}
        return {name: Timed(again[name][0], first[name].lines) for name in first if name in again}

    def _observe(self, names: list[str], *, traced: bool) -> dict[str, tuple[float, frozenset[Line]]]:
        passed = {}
        for name in names:
            lines: set[Line] = set()
            began = time.process_time()
            if traced:
                sys.settrace(_tracer(self.task["modules"], lines))
            failed = self._run_item(self.items[name], self.items[name])
            sys.settrace(None)
            seconds = time.process_time() - began
            if not failed and seconds < SLOW_SECONDS:
                passed[name] = (seconds, frozenset(lines))
        return passed

    def _try(self, module: str, mutant: Mutant, source: str, functions: Functions) -> str:
        reaching = {name: timed for name, timed in self.timed.items() if (module, mutant.line) in timed.lines}
        if not reaching:
            return "not reached"
        names = self._fastest(reaching, self.timed)
        until = [*accumulate(self.timed[name].seconds for name in names)]
        chosen = [name for name, seconds in zip(names, until, strict=True) if seconds < self.task["limit"]]
        tree = mutate(source, mutant)
        self._keep_seed_young()

        def first_failure() -> str:
            if not functions.replace(tree):
                return "not placed"
            for name in chosen:
                if self._run_item(self.items[name], self.items[name]):
                    return f"killed by {name}"
            return "survived"

        return (
            run_in_fork(first_failure, HANGS_AFTER * (1 + min(until[-1], self.task["limit"]))) or "killed by the clock"
        )

    def _fastest(self, names: Any, timed: dict[str, Timed]) -> list[str]:
        return sorted(names, key=lambda name: timed[name].seconds)

    def _keep_seed_young(self) -> None:
        """What runs in the embedded platform's seed ends by the clock: no mutant pays for a new one."""
        assert self.states
        if self.states.is_old("seeded"):
            self.states.use("seeded")
            keep_databases()

    def _run_item(self, item: pytest.Item, following: pytest.Item) -> bool:
        """Whether the test failed."""
        watch = Watch()
        item.config.pluginmanager.register(watch)
        item.session._setupstate.teardown_exact(item)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        item.config.pluginmanager.unregister(watch)
        return watch.failed


class Watch:
    """Remembers whether a report was a failure."""

    def __init__(self) -> None:
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed


def _tracer(modules: list[str], lines: set[Line]) -> Callable[[FrameType, str, Any], Any]:
    names = {str(Path(module).resolve()): module for module in modules}

    def inside(frame: FrameType, event: str, argument: Any) -> Any:
        lines.add((names[frame.f_code.co_filename], frame.f_lineno))
        return inside

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        return inside(frame, event, argument) if frame.f_code.co_filename in names else None

    return enter


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Everything happens here; pytest itself runs nothing."""
    if session.items[1:]:
        Session(session, json.loads(os.environ["MUTATION"])).run()
    assert threading.active_count() == 1, "A thread does not survive a fork"
    return True
