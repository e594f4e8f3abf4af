"""Whether every variant was shown about equally often, looked at every day. Once uneven, it stays so, with the day. Pure.

Each load of a page draws one of the variants with equal chance, whoever loads it: the loads of a test are evenly spread but for
chance, which a fixed share of people would not be. The evidence is a likelihood ratio like that of differences: equal chance
ever reaches the limit in at most one of 1,000 tests, however long it runs. What is left are loads that were not drawn: of a
video that is also shown elsewhere, or that could not be loaded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import log
from typing import Final

WRONG: Final = 1_000.0
DOUBTFUL: Final = 100.0
OFF_MIN: Final = 0.001
"""A split is wrong only if it is improbable *and* off by at least 0.1 percentage points: huge tests find specks."""
_USUAL: Final = 0.0004
"""Wrong splits are mostly off by about one point of fifty."""


class Split(StrEnum):
    """Whether equal chance explains the loads of each variant."""

    FAIR = "fair"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"


@dataclass(frozen=True)
class SplitCheck:
    """Each variant's part of the loads. If they were ever uneven: since when, and the parts at that moment."""

    state: Split
    parts: tuple[float, ...]
    since: date | None = None
    then: tuple[float, ...] = ()
    recovered: bool = False


def check_split(days: Sequence[tuple[date, tuple[int, ...]]], variants: int, known: date | None = None) -> SplitCheck:
    """The loads of each variant, day by day. `known` is the day on which an earlier read found them uneven."""
    sums, since, state = [0] * variants, known, Split.FAIR
    then: tuple[float, ...] = ()
    for day, loads in days:
        sums = [before + more for before, more in zip(sums, loads, strict=True)]
        state = _get_state(sums)
        if state is Split.WRONG and (since is None or (since == day and not then)):
            since, then = day, _calculate_parts(sums)
    recovered = since is not None and state is Split.FAIR
    return SplitCheck(
        Split.WRONG if since else state, _calculate_parts(sums), since=since, then=then, recovered=recovered
    )


def _calculate_parts(sums: Sequence[int]) -> tuple[float, ...]:
    loads = sum(sums)
    return tuple(count / loads if loads else 1 / len(sums) for count in sums)


def _get_state(sums: Sequence[int]) -> Split:
    loads, equal = sum(sums), sum(sums) / len(sums)
    if not loads:
        return Split.FAIR
    evidence = log_evidence(sum((count - equal) ** 2 for count in sums) / equal, loads, len(sums))
    if evidence >= log(WRONG) and max(abs(count - equal) for count in sums) >= OFF_MIN * loads:
        return Split.WRONG
    return Split.DOUBTFUL if evidence >= log(DOUBTFUL) else Split.FAIR


def log_evidence(distance: float, loads: int, variants: int) -> float:
    """The logarithm of how much better uneven chances explain a chi-square `distance` than equal ones do."""
    known = loads * _USUAL
    return distance / 2 * known / (1 + known) - (variants - 1) / 2 * log(1 + known)
