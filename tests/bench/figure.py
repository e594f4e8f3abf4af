"""One measured number with its bound, and how CPU is measured."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A number that was measured and what it may be at most. A ratio compares two things measured side by side."""

    name: str
    value: float
    most: float
    unit: str

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.value <= self.most


def cpu(act: Callable[[], object], runs: int = 20) -> float:
    """Milliseconds of this process's CPU of one run: the least of many, because everything else only adds to it."""
    act()
    least = float("inf")
    for _run in range(runs):
        begun = time.process_time()
        act()
        least = min(least, time.process_time() - begun)
    return least * 1000


def wall(act: Callable[[], object], runs: int = 10) -> float:
    """Milliseconds on the clock of one run: the least of many."""
    act()
    least = float("inf")
    for _run in range(runs):
        begun = time.perf_counter()
        act()
        least = min(least, time.perf_counter() - begun)
    return least * 1000
