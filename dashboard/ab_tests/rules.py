"""What may be done with an A/B test, and what its numbers allow one to say. Pure: reason codes in, reason codes out.

The verdict follows one rule that the page draws and the tests hold: it is green (`Verdict.BETTER`) if and only if every
always-valid interval that is drawn excludes zero on the same side. Where no honest interval exists (people were not
counted, the split is wrong, too few so far) none is drawn, and nothing is green.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Final

from dashboard.ab_tests.statistics import (
    Arm,
    Chances,
    Interval,
    always_valid,
    always_valid_half_width,
    always_valid_size,
    chances,
    credible_difference,
    credible_lift,
    single_look_size,
    split_probability,
    wilson,
)
from dashboard.platform_api.vocabulary import TestStatus

VIEWERS_MIN: Final = 100
EACH_WAY_MIN: Final = 5
"""Fewer people who played, or who did not, than this in any arm: the formulas are not trusted yet."""

SPLIT_WRONG_BELOW: Final = 0.001
SPLIT_DOUBTFUL_BELOW: Final = 0.01
SPLIT_SHARE_MIN: Final = 0.001
"""A split is wrong only if it is improbable *and* off by at least 0.1 percentage points: huge tests find specks."""

PLANNED_LIFTS: Final = (0.05, 0.10, 0.20)
LEVELS: Final = (90, 95, 99)
WEEK: Final = 7
VARIANTS_MIN: Final = 2


class Act(StrEnum):
    """What a person may want to do with a test."""

    EDIT_TEXT = "edit-text"
    EDIT_VARIANTS = "edit-variants"
    START = "start"
    FINISH = "finish"
    DELETE = "delete"


class Why(StrEnum):
    """Why an act is not possible now."""

    VARIANTS_FIXED = "variants-fixed"
    ALREADY_RUNNING = "already-running"
    ALREADY_COMPLETED = "already-completed"
    NOT_RUNNING = "not-running"
    TOO_FEW_VARIANTS = "too-few-variants"


def refused(act: Act, status: str, variants: int) -> Why | None:
    """Why `act` is not possible for a test in `status` with that many variants; None where it is [3, 4.5].

    A status the specification does not know allows what is harmless everywhere, and leaves the rest to the platform.
    """
    completed, running = status == TestStatus.COMPLETED, status == TestStatus.IN_PROGRESS
    match act:
        case Act.EDIT_VARIANTS if completed or running:
            return Why.VARIANTS_FIXED
        case Act.START | Act.FINISH if completed:
            return Why.ALREADY_COMPLETED
        case Act.START if running:
            return Why.ALREADY_RUNNING
        case Act.START if variants < VARIANTS_MIN:
            return Why.TOO_FEW_VARIANTS
        case Act.FINISH if status == TestStatus.DRAFT:
            return Why.NOT_RUNNING
    return None


class Basis(StrEnum):
    """What an answer of the platform counts."""

    PEOPLE = "people"
    LOADS = "loads"
    RATE = "rate"
    IMPOSSIBLE = "impossible"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Counted:
    """One variant's figures as the platform gave them. `arm` only with something countable, `rate` in shares."""

    basis: Basis
    arm: Arm | None = None
    rate: float | None = None


class Split(StrEnum):
    """What the number of viewers per variant says about the splitting of traffic."""

    FAIR = "fair"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"
    NOT_JUDGED = "not-judged"


@dataclass(frozen=True)
class SplitCheck:
    """The sample-ratio check: the shares meant and seen, and how often chance alone is at least this uneven."""

    state: Split
    probability: float
    seen: tuple[float, ...]
    expected: tuple[float, ...]


class Verdict(StrEnum):
    """The words of the read-out, from nothing known to settled."""

    NOT_COUNTED = "not-counted"
    ALONE = "alone"
    COLLECTING = "collecting"
    SPLIT_WRONG = "split-wrong"
    NO_DIFFERENCE = "no-difference"
    LEANING = "leaning"
    EQUAL = "equal"
    BETTER = "better"


UNSETTLED: Final = frozenset({Verdict.COLLECTING, Verdict.SPLIT_WRONG, Verdict.NO_DIFFERENCE, Verdict.LEANING})


@dataclass(frozen=True)
class Pair:
    """`second` minus `first`: the estimate, the range for one look, the range that holds under daily looking."""

    first: int
    second: int
    difference: float
    honest: Interval
    single: Interval
    lift: float
    lift_single: Interval


@dataclass(frozen=True)
class Terms:
    """What the owner chose: the accepted chance of a false alarm, the band that counts as equal, the intended split."""

    alpha: float = 0.05
    equal_band: float = 0.0
    expected: tuple[float, ...] = ()


@dataclass(frozen=True)
class Readout:
    """Everything the page says about a test. Indexes count variants from 0; shares run from 0 to 1."""

    verdict: Verdict
    basis: Basis
    counted: tuple[Counted, ...]
    split: SplitCheck | None
    wilson: tuple[Interval | None, ...]
    pairs: tuple[Pair, ...]
    chances: Chances | None
    leader: int | None
    alpha: float

    @property
    def honest_drawn(self) -> bool:
        """Whether the always-valid range is shown at all."""
        return self.verdict in (Verdict.NO_DIFFERENCE, Verdict.LEANING, Verdict.EQUAL, Verdict.BETTER) and (
            self.basis is Basis.PEOPLE
        )

    @property
    def green(self) -> bool:
        return self.verdict is Verdict.BETTER


def read_out(counted: Sequence[Counted], terms: Terms | None = None) -> Readout:
    """The read-out of a test's variants, in the order the test lists them."""
    terms = terms or Terms()
    basis = shared_basis(counted)
    arms = [item.arm for item in counted if item.arm is not None]
    if basis not in (Basis.PEOPLE, Basis.LOADS) or len(arms) < VARIANTS_MIN:
        verdict = Verdict.ALONE if len(counted) < VARIANTS_MIN else Verdict.NOT_COUNTED
        ranges = tuple(wilson(item.arm, terms.alpha) if item.arm else None for item in counted)
        return Readout(verdict, basis, tuple(counted), None, ranges, (), None, None, terms.alpha)
    split = check_split(arms, basis, terms.expected)
    pairs = tuple(_pair(arms, first, second, terms.alpha) for first, second in compared_pairs(arms))
    odds = chances(arms)
    verdict, leader = _verdict(arms, basis, split, odds, terms)
    ranges = tuple(wilson(arm, terms.alpha) for arm in arms)
    return Readout(verdict, basis, tuple(counted), split, ranges, pairs, odds, leader, terms.alpha)


def shared_basis(counted: Sequence[Counted]) -> Basis:
    """What all variants can be compared by: the weakest of their bases, because people and loads do not mix."""
    weakest_first = (Basis.NOTHING, Basis.IMPOSSIBLE, Basis.RATE, Basis.LOADS, Basis.PEOPLE)
    return min((item.basis for item in counted), key=weakest_first.index, default=Basis.NOTHING)


def enough(arm: Arm) -> bool:
    """Whether an arm has the people its formulas need."""
    return arm.viewers >= VIEWERS_MIN and min(arm.played, arm.viewers - arm.played) >= EACH_WAY_MIN


def compared_pairs(arms: Sequence[Arm]) -> tuple[tuple[int, int], ...]:
    """Which differences are drawn: B minus A of two; of more, the leader minus each of the others."""
    if len(arms) == VARIANTS_MIN:
        return ((0, 1),)
    leader = leading(arms)
    return tuple((index, leader) for index in range(len(arms)) if index != leader)


def leading(arms: Sequence[Arm]) -> int:
    """The variant with the highest rate; the first of equals."""
    return max(range(len(arms)), key=lambda index: (arms[index].rate, -index))


def pair_alpha(alpha: float, variants: int) -> float:
    """The level of each drawn interval, so that a false winner among all variants stays below `alpha`.

    Whoever is falsely crowned was placed wrongly above at least one other arm; with k possible winners the chance is at
    most k/2 * level, and k/2 * alpha/(k-1) is never more than alpha.
    """
    return alpha / (variants - 1)


def crowned(arms: Sequence[Arm], alpha: float) -> int | None:
    """The variant whose every drawn always-valid interval excludes zero in its favour. The one rule behind green."""
    leader = leading(arms)
    level = pair_alpha(alpha, len(arms))
    ahead = all(always_valid(arms[other], arms[leader], level).low > 0 for other in range(len(arms)) if other != leader)
    return leader if ahead else None


def check_split(arms: Sequence[Arm], basis: Basis, expected: Sequence[float] = ()) -> SplitCheck:
    """Whether people were split as meant. Loads are never judged: one person who reloads is no second person."""
    people = sum(arm.viewers for arm in arms)
    meant = tuple(share / sum(expected) for share in expected) if len(expected) == len(arms) else ()
    meant = meant or (1 / len(arms),) * len(arms)
    seen = tuple(arm.viewers / people if people else share for arm, share in zip(arms, meant, strict=True))
    probability = split_probability([arm.viewers for arm in arms], meant)
    off = max(abs(share - want) for share, want in zip(seen, meant, strict=True))
    if basis is not Basis.PEOPLE:
        state = Split.NOT_JUDGED
    elif probability < SPLIT_WRONG_BELOW and off >= SPLIT_SHARE_MIN:
        state = Split.WRONG
    else:
        state = Split.DOUBTFUL if probability < SPLIT_DOUBTFUL_BELOW else Split.FAIR
    return SplitCheck(state, probability, seen, meant)


def _verdict(
    arms: Sequence[Arm], basis: Basis, split: SplitCheck, odds: Chances, terms: Terms
) -> tuple[Verdict, int | None]:
    if not all(enough(arm) for arm in arms):
        return Verdict.COLLECTING, None
    if split.state is Split.WRONG:
        return Verdict.SPLIT_WRONG, None
    leader = leading(arms)
    if basis is Basis.PEOPLE:
        if crowned(arms, terms.alpha) is not None:
            return Verdict.BETTER, leader
        level = pair_alpha(terms.alpha, len(arms))
        ranges = [always_valid(arms[first], arms[second], level) for first, second in compared_pairs(arms)]
        if terms.equal_band > 0 and all(honest.within(terms.equal_band) for honest in ranges):
            return Verdict.EQUAL, None
    if odds.best[leader] > 1 - terms.alpha:
        return Verdict.LEANING, leader
    return Verdict.NO_DIFFERENCE, None


def _pair(arms: Sequence[Arm], first: int, second: int, alpha: float) -> Pair:
    one, two = arms[first], arms[second]
    return Pair(
        first,
        second,
        two.rate - one.rate,
        always_valid(one, two, pair_alpha(alpha, len(arms))),
        credible_difference(one, two, alpha),
        two.rate / one.rate - 1 if one.rate else 0.0,
        credible_lift(one, two, alpha),
    )


def needs_reason(readout: Readout, winner: int) -> bool:
    """Whether declaring `winner` goes against the read-out, or ahead of it."""
    if readout.verdict is Verdict.BETTER:
        return winner != readout.leader
    return readout.verdict in UNSETTLED


@dataclass(frozen=True)
class PlanRow:
    """Days until a lift is found: looking whenever one likes, and looking once at the end. None: over ten years."""

    lift: float
    viewers: int
    days: int | None
    weeks: int | None
    single_viewers: int
    single_days: int | None


LONGEST_PLAN: Final = 3650


def plan(
    base: float, daily: float, variants: int, lifts: Sequence[float] = PLANNED_LIFTS, alpha: float = 0.05
) -> tuple[PlanRow, ...]:
    """For each lift the viewers per variant and the days needed, with `daily` viewers shared among all variants.

    `base` is the play rate to start from. Lifts that would pass 100 % are left out.
    """
    rows = []
    level = pair_alpha(alpha, variants)
    for lift in lifts:
        if not 0 < base < 1 or base * (1 + lift) >= 1:
            continue
        size, single = always_valid_size(base, lift, level), single_look_size(base, lift, level)
        days = _days(size, daily, variants)
        weeks = None if days is None else ceil(days / WEEK)
        rows.append(PlanRow(lift, size, days, weeks, single, _days(single, daily, variants)))
    return tuple(rows)


def _days(size: int, daily: float, variants: int) -> int | None:
    if daily <= 0:
        return None
    days = ceil(size * variants / daily)
    return days if days <= LONGEST_PLAN else None


def days_until_enough(arms: Sequence[Arm], days: int) -> int | None:
    """More days, at the pace of the `days` so far, until every arm has the people its formulas need. None: never."""
    waits = [_days_for(arm, days) for arm in arms]
    return None if any(wait is None for wait in waits) else max((wait or 0 for wait in waits), default=0)


def _days_for(arm: Arm, days: int) -> int | None:
    wanted = ((VIEWERS_MIN, arm.viewers), (EACH_WAY_MIN, arm.played), (EACH_WAY_MIN, arm.viewers - arm.played))
    wait = 0
    for need, have in wanted:
        if have >= need:
            continue
        if have == 0 or days < 1:
            return None
        wait = max(wait, ceil((need - have) * days / have))
    return wait


def days_until_settled(pairs: Sequence[Pair], arms: Sequence[Arm], days: int, alpha: float) -> int | None:
    """More days until the narrowest drawn difference would exclude zero, if rates and pace stay as they are.

    None where that is further away than ten years, or there is no difference to settle.
    """
    if days < 1 or not pairs:
        return None
    level = pair_alpha(alpha, len(arms))
    longest = max(_growth(pair, arms, level) for pair in pairs)
    more = days * (longest - 1)
    return None if more > LONGEST_PLAN else max(0, ceil(more))


def _growth(pair: Pair, arms: Sequence[Arm], level: float) -> float:
    """By which factor the people of both arms must grow until the always-valid half width is below the difference."""
    variance = arms[pair.first].variance + arms[pair.second].variance
    gap = abs(pair.difference)
    low, high = 1.0, 2.0**20
    if not 0 < variance < 1 or gap == 0 or always_valid_half_width(variance / high, level) >= gap:
        return float("inf")
    while high / low > 1.001:
        middle = (low * high) ** 0.5
        low, high = (low, middle) if always_valid_half_width(variance / middle, level) < gap else (middle, high)
    return high
