"""Whether people were split as meant, looked at every day. Once wrong, a split stays wrong, with the day it was seen. Pure.

The evidence is a likelihood ratio like that of differences: a fair split ever reaches the limit in at most one of 1,000 tests,
however long it runs. Few people who are counted many times look like a wrong split; days that scatter or resemble each other
more than chance makes them weigh less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise
from math import log
from statistics import median
from typing import Final

from dashboard.ab_tests.dispersion import calculate_resemblance, get_unknown_share, sum_resemblance

WRONG: Final = 1_000.0
DOUBTFUL: Final = 100.0
OFF_MIN: Final = 0.001
"""A split is wrong only if it is improbable *and* off by at least 0.1 percentage points: huge tests find specks."""
_USUAL: Final = 0.0004
"""Wrong splits are mostly off by about one point of fifty."""
_MIDDLE_OF_SQUARES: Final = 0.4549
_REPEATS_MOST: Final = 2.0


class Split(StrEnum):
    """State of the traffic split, judged by the viewers per variant."""

    FAIR = "fair"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"
    NOT_JUDGED = "not-judged"


@dataclass(frozen=True)
class SplitCheck:
    """The intended and the measured shares. If the split was ever wrong: since when, and its shares at that moment."""

    state: Split
    shares: tuple[float, ...]
    expected: tuple[float, ...]
    since: date | None = None
    then: tuple[float, ...] = ()
    recovered: bool = False


def get_expected_shares(expected: Sequence[float], variants: int) -> tuple[float, ...]:
    """The intended shares; equal ones where the owner typed none."""
    if len(expected) == variants and min(expected, default=0) > 0:
        return tuple(share / sum(expected) for share in expected)
    return (1 / variants,) * variants


def check_split(
    days: Sequence[tuple[date, tuple[int, ...]]], expected: Sequence[float], known: date | None = None
) -> SplitCheck:
    """The split of people, day by day. `known` is the day on which an earlier read found it wrong."""
    sums, since, state = [0] * len(expected), known, Split.FAIR
    then: tuple[float, ...] = ()
    for place, (day, people) in enumerate(days):
        sums = [before + more for before, more in zip(sums, people, strict=True)]
        state = _get_state(sums, expected, [counts for _day, counts in days[: place + 1]])
        if state is Split.WRONG and (since is None or (since == day and not then)):
            since, then = day, calculate_shares(sums, expected)
    recovered = since is not None and state is Split.FAIR
    return SplitCheck(
        Split.WRONG if since else state, calculate_shares(sums, expected), tuple(expected), since, then, recovered
    )


def calculate_shares(sums: Sequence[int], expected: Sequence[float]) -> tuple[float, ...]:
    people = sum(sums)
    return tuple(count / people for count in sums) if people else tuple(expected)


def _get_state(sums: Sequence[int], expected: Sequence[float], days: Sequence[tuple[int, ...]]) -> Split:
    people = sum(sums)
    if not people:
        return Split.FAIR
    distance = sum(
        (count - people * share) ** 2 / (people * share) for count, share in zip(sums, expected, strict=True)
    )
    if log_evidence(distance, people, len(sums)) < log(DOUBTFUL):
        return Split.FAIR
    evidence = log_evidence(distance / calculate_widening(days), people, len(sums))
    off = max(abs(count / people - share) for count, share in zip(sums, expected, strict=True))
    if evidence >= log(WRONG) and off >= OFF_MIN:
        return Split.WRONG
    return Split.DOUBTFUL if evidence >= log(DOUBTFUL) else Split.FAIR


def log_evidence(distance: float, people: int, variants: int) -> float:
    """The logarithm of how much better wrong splits explain a chi-square `distance` than the intended one does."""
    known = people * _USUAL
    return distance / 2 * known / (1 + known) - (variants - 1) / 2 * log(1 + known)


def calculate_widening(days: Sequence[tuple[int, ...]]) -> float:
    """By how much the split of single days scatters more than chance makes it; the widest of all variants.

    The scatter is that of the middle step from day to day, so that a split that really changed does not hide itself.
    """
    if len(days) < 2:
        return 1.0
    return max(_calculate_scatter(days, place) for place in range(len(days[0])))


def _calculate_scatter(days: Sequence[tuple[int, ...]], place: int) -> float:
    known = [(sum(day), day[place] / sum(day)) for day in days if sum(day)]
    people = sum(size for size, _share in known)
    share = sum(size * own for size, own in known) / (people or 1)
    if len(known) < 2 or not 0 < share < 1:
        return 1.0
    unit = share * (1 - share)
    steps = [
        (after - before) ** 2 / (unit * (1 / size + 1 / next_size))
        for (size, before), (next_size, after) in pairwise(known)
    ]
    near = sum_resemblance(calculate_resemblance([size * (own - share) for size, own in known], unit * people))
    repeats = min(_REPEATS_MOST, max(near, get_unknown_share(len(known)) / 2, 0.0))
    return max(1.0, median(steps) / _MIDDLE_OF_SQUARES) * (1 + repeats)
