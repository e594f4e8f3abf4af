"""A test says the same on every machine: what work costs is counted (tests/counted_calls.py), and timed in tests/bench alone."""

import ast
import re
import threading
from pathlib import Path

import pytest

from tests.house.sources import assert_none, list_project_files, read_text, relative_name
from tests.journeys.conftest import alarm

CLOCKS = re.compile(r"\b(?:process_time|perf_counter|thread_time)(?:_ns)?\(\)|\bperformance\.now\(\)")
PROGRAMS = ("tests/bench/", "tests/capacity/", "tests/fuzz/", "tests/mutation/", "tests/javascript/mutate.mjs")
"""What is started by hand, and fails nobody's landing."""
FILM = "tests/journeys/test_review_cuts.py"
"""Notes when a film was looked at, to compare moments of the film with each other."""
WAIT = re.compile(r"time\.monotonic\(\) - \w+ < ([\d.]+)")
LEAST_BOUND = 30
"""Seconds. A test that something does not wait compares with a wait of a minute: a busy machine takes seconds for nothing."""


def test_no_test_reads_a_clock_that_shows_how_fast_the_machine_is() -> None:
    assert_none(
        f"{name}: {found}"
        for path in list_project_files()
        if (name := relative_name(path)).startswith("tests/")
        and path.suffix in {".py", ".js", ".mjs"}
        and not name.startswith(PROGRAMS)
        and name not in {FILM, relative_name(Path(__file__))}
        for found in CLOCKS.findall(read_text(path))
    )


def test_what_does_not_wait_may_take_half_a_minute() -> None:
    assert_none(
        f"{relative_name(path)}: {found[0]}"
        for path in list_project_files()
        if relative_name(path).startswith("tests/") and path.suffix == ".py"
        for found in WAIT.finditer(read_text(path))
        if float(found[1]) < LEAST_BOUND
    )


WALL_CLOCKS = re.compile(
    r"\b(?:timezone\.(?:local)?now|datetime\.(?:now|today|utcnow)|(?<!\.)time\.(?:time|time_ns))\("
)


def _compares_with_the_wall_clock(node: ast.AST) -> bool:
    """Whether a clock of the day is read for the comparison itself, not for a call of what is tested."""
    if isinstance(node, ast.Call) and not WALL_CLOCKS.match(ast.unparse(node)):
        name = ast.unparse(node.func).rpartition(".")[2]
        reads = name in {"abs", "approx", "filter", "exclude", "isoformat", "total_seconds", "timestamp"}
        return any(map(_compares_with_the_wall_clock, ast.iter_child_nodes(node) if reads else [node.func]))
    return isinstance(node, ast.Call) or any(map(_compares_with_the_wall_clock, ast.iter_child_nodes(node)))


def test_no_assertion_reads_the_time_of_day() -> None:
    """It is noted before and after what is tested (`tests/moments.py`), so that no slow machine changes what comes out."""
    assert_none(
        f"{relative_name(path)}:{node.lineno}"
        for path in list_project_files()
        if (name := relative_name(path)).startswith("tests/") and path.suffix == ".py" and not name.startswith(PROGRAMS)
        for node in ast.walk(ast.parse(read_text(path)))
        if isinstance(node, ast.Assert) and _compares_with_the_wall_clock(node.test)
    )


FAKE_TIMERS = re.compile(r"mock\.timers\.enable\(\{ apis: \[.*\"setTimeout\"")
"""Such a file's waits are no waits: its tests move the clock."""
FIXED_SLEEPS = re.compile(r"timers/promises|\bsleep\(|\bset(?:Timeout|Interval)\((?!.*, 0\))")
TIME_OF_DAY = re.compile(r"\bassert\b.*\b(?:Date\.now\(\)|new Date\(\))")


def test_no_unit_test_of_a_script_waits_a_fixed_time_or_asserts_the_time_of_day() -> None:
    assert_none(
        f"{relative_name(path)}: {line.strip()}"
        for path in list_project_files()
        if relative_name(path).startswith("tests/")
        and path.suffix in {".js", ".mjs"}
        and relative_name(path) not in PROGRAMS
        for text in [read_text(path)]
        for line in text.splitlines()
        if TIME_OF_DAY.search(line) or (FIXED_SLEEPS.search(line) and not FAKE_TIMERS.search(text))
    )


EVERYWHERE = {
    "tests/review_portal/conftest.py": "no request of the portal waits, wherever it would",
    "tests/shared/test_pulse.py": "the cache forgets by the same clock",
    "tests/upstream/test_too_many_calls.py": "a pause is over for the budget, the cache and the page at once",
}
"""Where the clock of the whole process is replaced, and why."""
OF_THE_PROCESS = re.compile(r"setattr\(\s*(?:[\"'](?:[\w.]+\.)?time\.|time, )[\"']?\w+")


def test_a_test_replaces_the_clock_of_one_module_and_not_of_the_process() -> None:
    """`tests/moments.py` has the means: threads of other tests and the test runner go on by the real one."""
    replaced = {
        relative_name(path): found[0]
        for path in list_project_files()
        if relative_name(path).startswith("tests/") and path.suffix == ".py"
        for found in OF_THE_PROCESS.finditer(read_text(path))
    }
    assert_none(f"{name}: {replaced.get(name, 'excused in vain')}" for name in replaced.keys() ^ EVERYWHERE)


def test_every_test_has_a_limit_and_a_browser_that_does_not_close_too(pytestconfig: pytest.Config) -> None:
    assert 0 < float(pytestconfig.getini("timeout")) <= 60 and float(pytestconfig.getini("faulthandler_timeout")) > 0
    with pytest.raises(TimeoutError), alarm(1):
        threading.Event().wait(30)


@pytest.mark.timeout(1)
def test_a_test_beyond_its_limit_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match="Timeout"):
        threading.Event().wait(30)
