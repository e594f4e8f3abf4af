"""A test says the same on every machine: what work costs is counted (tests/counted_calls.py), and timed in tests/bench alone."""

import re
from pathlib import Path

from tests.house.sources import assert_none, list_project_files, read_text, relative_name

CLOCKS = re.compile(r"\b(?:process_time|perf_counter|thread_time)(?:_ns)?\(\)|\bperformance\.now\(\)")
PROGRAMS = ("tests/bench/", "tests/capacity/", "tests/fuzz/")
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
