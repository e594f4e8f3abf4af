"""What work costs, the same on every machine: how many functions it calls. Times are taken in tests/bench alone."""

import cProfile
from collections.abc import Callable


def count_calls(work: Callable[[], object]) -> int:
    """How many functions `work` calls in this thread, Python's and C's, those that they call included."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())
