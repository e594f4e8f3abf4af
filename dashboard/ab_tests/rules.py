"""Which actions an A/B test allows, and the verdict its numbers support. Pure: codes in, codes out.

The verdict follows one rule that the page draws and the tests hold: it is green (`Verdict.BETTER`) if and only if every
range that is drawn lies on the same side of zero. Where the data cannot carry a statement (less than a week of days, variants
that were not shown equally often) no range is drawn, and nothing is green.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import IntEnum, StrEnum
from math import ceil, log
from typing import Final

from dashboard.ab_tests.statistics import (
    WORTH_FINDING,
    Arm,
    Contrast,
    Interval,
    Mixture,
    Split,
    SplitCheck,
    check_split,
    compare_days,
)
from dashboard.platform_api.vocabulary import TestStatus

LOADS_MIN: Final = 100
EACH_WAY_MIN: Final = 5
"""Fewer loads that were played, or were not, than this in any arm: the formulas are not trusted yet."""

LEVELS: Final = (90, 95, 99)
WEEK: Final = 7
VARIANTS_MIN: Final = 2


class Act(StrEnum):
    """Actions on a test."""

    EDIT_TEXT = "edit-text"
    EDIT_VARIANTS = "edit-variants"
    START = "start"
    FINISH = "finish"
    DELETE = "delete"


class RefusalReason(StrEnum):
    """Why an action is not possible now."""

    VARIANTS_FIXED = "variants-fixed"
    ALREADY_RUNNING = "already-running"
    ALREADY_COMPLETED = "already-completed"
    NOT_RUNNING = "not-running"
    TOO_FEW_VARIANTS = "too-few-variants"


def get_refusal(act: Act, status: str, variants: int | None) -> RefusalReason | None:
    """Why `act` is not possible for a test in `status` with that many variants; None where it is [3, 4.5].

    `variants` None: nobody knows how many there are.

    A status the specification does not know allows what is harmless everywhere, and leaves the rest to the platform.
    """
    completed, running = status == TestStatus.COMPLETED, status == TestStatus.IN_PROGRESS
    match act:
        case Act.EDIT_VARIANTS if completed or running:
            return RefusalReason.VARIANTS_FIXED
        case Act.START | Act.FINISH if completed:
            return RefusalReason.ALREADY_COMPLETED
        case Act.START if running:
            return RefusalReason.ALREADY_RUNNING
        case Act.START if variants is not None and variants < VARIANTS_MIN:
            return RefusalReason.TOO_FEW_VARIANTS
        case Act.FINISH if status == TestStatus.DRAFT:
            return RefusalReason.NOT_RUNNING
    return None


class CountBasis(StrEnum):
    """What an answer of the platform counts."""

    LOADS = "loads"
    PEOPLE = "people"
    RATE = "rate"
    IMPOSSIBLE = "impossible"
    NOTHING = "nothing"


@dataclass(frozen=True)
class VariantCounts:
    """One variant's figures as the platform gave them. `arm` only with something countable, `rate` from 0 to 1, `days` where
    the answer tells days apart. `people` and `players`: how many loaded and played it, where loads are counted and that is told.
    """

    basis: CountBasis
    arm: Arm | None = None
    rate: float | None = None
    days: Mapping[date, Arm] = field(default_factory=dict)
    people: int | None = None
    players: int | None = None


class Verdict(StrEnum):
    """The verdicts, from no data to settled."""

    NOT_COUNTED = "not-counted"
    ALONE = "alone"
    COLLECTING = "collecting"
    SPLIT_WRONG = "split-wrong"
    CANNOT_TELL = "cannot-tell"
    NO_EVIDENCE = "no-evidence"
    SOME = "some"
    STRONG = "strong"
    EQUAL = "equal"
    BETTER = "better"


class Doubt(StrEnum):
    """Why the data do not support a verdict."""

    NONE = ""
    NO_DAYS = "no-days"
    FEW_DAYS = "few-days"


class EvidenceLevel(IntEnum):
    """How strong the evidence is."""

    NONE = 0
    SOME = 1
    STRONG = 2
    SETTLED = 3


TIMES: Final = {EvidenceLevel.SOME: 4, EvidenceLevel.STRONG: 2}
"""Of tests without a difference, at most so many times the part of false winners ever reaches a level."""
VERDICTS: Final = {
    EvidenceLevel.NONE: Verdict.NO_EVIDENCE,
    EvidenceLevel.SOME: Verdict.SOME,
    EvidenceLevel.STRONG: Verdict.STRONG,
    EvidenceLevel.SETTLED: Verdict.BETTER,
}
RANGED: Final = frozenset({*VERDICTS.values(), Verdict.EQUAL})
"""Verdicts that are drawn with their ranges."""
UNSETTLED: Final = frozenset(
    {Verdict.COLLECTING, Verdict.SPLIT_WRONG, Verdict.CANNOT_TELL, Verdict.NO_EVIDENCE, Verdict.SOME, Verdict.STRONG}
)


@dataclass(frozen=True)
class VariantPair:
    """`second` against `first`: the ranges of the difference and of the lift, which hold at every look."""

    first: int
    second: int
    contrast: Contrast
    difference: Interval
    lift: Interval
    level: EvidenceLevel


@dataclass(frozen=True)
class VerdictTerms:
    """What the owner chose: the accepted chance of a false alarm, and the band that counts as equal; and what was set once, at
    the start: the difference worth finding, as a share, and the day on which the loads were found uneven.
    """

    alpha: float = 0.05
    equal_band: float = 0.0
    effect: float = 0.3 * WORTH_FINDING
    split_wrong_on: date | None = None


@dataclass(frozen=True)
class Readout:
    """Everything the page says about a test. Indexes count variants from 0; rates run from 0 to 1.

    `days` are those known of every variant; `ranges` are those of the variants' rates, where they are drawn. `seen_before`:
    the part of the loads by people who had seen another variant before, and `carried` the difference that it may make.
    """

    verdict: Verdict
    basis: CountBasis
    counted: tuple[VariantCounts, ...]
    alpha: float
    split: SplitCheck | None = None
    pairs: tuple[VariantPair, ...] = ()
    leader: int | None = None
    doubt: Doubt = Doubt.NONE
    days: tuple[date, ...] = ()
    ranges: tuple[Interval | None, ...] = ()
    seen_before: float = 0.0
    carried: float = 0.0

    @property
    def drawn(self) -> bool:
        """Whether ranges are shown at all."""
        return self.verdict in RANGED

    @property
    def green(self) -> bool:
        return self.verdict is Verdict.BETTER

    @property
    def level(self) -> EvidenceLevel:
        """The evidence that every drawn difference has."""
        return min((pair.level for pair in self.pairs), default=EvidenceLevel.NONE)


def read_out(counted: Sequence[VariantCounts], terms: VerdictTerms | None = None) -> Readout:
    """The read-out of a test's variants, in the order the test lists them."""
    terms, basis = terms or VerdictTerms(), get_shared_basis(counted)
    arms = [item.arm for item in counted if item.arm is not None]
    bare = Readout(Verdict.NOT_COUNTED, basis, tuple(counted), terms.alpha, ranges=(None,) * len(counted))
    if len(counted) < VARIANTS_MIN:
        return replace(bare, verdict=Verdict.ALONE)
    if basis not in (CountBasis.PEOPLE, CountBasis.LOADS) or len(arms) < len(counted):
        return bare
    days = list_common_days(counted)
    loads = [(day, tuple(item.days[day].loads for item in counted)) for day in days]
    split = check_split(loads or [(date.max, tuple(arm.loads for arm in arms))], len(arms), terms.split_wrong_on)
    seen = get_seen_before(counted, len(counted))
    read = replace(bare, split=split, days=days, seen_before=seen, carried=seen * terms.effect)
    if split.state is Split.WRONG:
        return replace(read, verdict=Verdict.SPLIT_WRONG)
    if not all(is_enough(arm) for arm in arms):
        return replace(read, verdict=Verdict.COLLECTING)
    if len(days) < WEEK:
        doubt = Doubt.FEW_DAYS if all(item.days for item in counted) else Doubt.NO_DAYS
        return replace(read, verdict=Verdict.CANNOT_TELL, doubt=doubt)
    return _compare(read, terms)


def _compare(read: Readout, terms: VerdictTerms) -> Readout:
    """The read-out where the data can carry one."""
    leader = get_leader(read.counted, read.days)
    places = list_pairs(len(read.counted), leader)
    pairs = tuple(_build_pair(read, first, second, terms) for first, second in places)
    if len(pairs) == 1:
        leader = int(pairs[0].contrast.difference > 0)
    widest = max(pair.contrast.widening.factor for pair in pairs)
    read = replace(read, pairs=pairs, ranges=tuple(_get_rate_range(item, read, widest, terms) for item in read.counted))
    band = terms.equal_band
    if read.level is not EvidenceLevel.SETTLED and band > 0 and all(pair.difference.within(band) for pair in pairs):
        return replace(read, verdict=Verdict.EQUAL)
    named = read.level is not EvidenceLevel.NONE
    return replace(read, verdict=VERDICTS[read.level], leader=leader if named else None)


def get_seen_before(counted: Sequence[VariantCounts], variants: int) -> float:
    """The part of the loads by people who had seen another one of so many variants before.

    A variant is drawn anew for each load, so it is as often one that this person saw before as it is not, but had seen the
    other: the first is counted, as loads that are nobody's first of this variant. Of more than two, any other may have been
    seen. Where people are not counted, as if all of them loaded the page again and again.
    """
    loads = sum(item.arm.loads for item in counted if item.arm is not None)
    people = [item.people for item in counted if item.people is not None]
    if len(people) < len(counted) or not loads:
        return 1 - 1 / variants
    return min(1.0, max(0.0, 1 - sum(people) / loads) * (variants - 1))


def list_common_days(counted: Sequence[VariantCounts]) -> tuple[date, ...]:
    """The days that are known of every variant. A day that one of them lacks is no day without loads."""
    known = [item.days.keys() for item in counted]
    return tuple(sorted(set(known[0]).intersection(*known[1:]))) if known else ()


def get_shared_basis(counted: Sequence[VariantCounts]) -> CountBasis:
    """What all variants can be compared by: the weakest of their bases. People and loads do not mix."""
    weakest_first = (CountBasis.NOTHING, CountBasis.IMPOSSIBLE, CountBasis.RATE, CountBasis.PEOPLE, CountBasis.LOADS)
    bases = {item.basis for item in counted}
    if bases >= {CountBasis.PEOPLE, CountBasis.LOADS}:
        return CountBasis.NOTHING
    return min(bases, key=weakest_first.index, default=CountBasis.NOTHING)


def is_enough(arm: Arm) -> bool:
    """Whether an arm has the loads its formulas need."""
    return arm.loads >= LOADS_MIN and min(arm.played, arm.loads - arm.played) >= EACH_WAY_MIN


def list_pairs(variants: int, leader: int) -> tuple[tuple[int, int], ...]:
    """Which differences are drawn: B minus A of two; of more, the leader minus each of the others."""
    if variants == VARIANTS_MIN:
        return ((0, 1),)
    return tuple((index, leader) for index in range(variants) if index != leader)


def get_leader(counted: Sequence[VariantCounts], days: Sequence[date]) -> int:
    """The variant with the highest rate, every day weighed alike for all of them; the first of equals."""
    sizes = {day: sum(item.days[day].loads for item in counted) for day in days}
    rates = []
    for item in counted:
        known = [day for day in days if item.days[day].loads]
        loads = sum(sizes[day] for day in known) or 1
        rates.append(sum(sizes[day] * item.days[day].rate for day in known) / loads)
    return max(range(len(counted)), key=lambda index: (rates[index], -index))


def get_pair_alpha(alpha: float, variants: int) -> float:
    """The level of each drawn range, so that a false winner among all variants stays below `alpha`.

    Whoever is falsely crowned was placed wrongly above at least one other arm; with k possible winners the chance is at
    most k/2 * level, and k/2 * alpha/(k-1) is never more than alpha.
    """
    return alpha / (variants - 1)


def get_level(log_evidence: float, alpha: float) -> EvidenceLevel:
    """How strong evidence is that does not settle a test at `alpha`."""
    reached = [level for level, times in TIMES.items() if log_evidence >= -log(min(times * alpha, 0.999))]
    return max(reached, default=EvidenceLevel.NONE)


def _build_pair(read: Readout, first: int, second: int, terms: VerdictTerms) -> VariantPair:
    first_days, second_days = read.counted[first].days, read.counted[second].days
    alpha, mixture = get_pair_alpha(terms.alpha, len(read.counted)), Mixture(terms.effect)
    contrast = compare_days([(first_days[day], second_days[day]) for day in read.days], mixture, alpha, read.carried)
    difference = contrast.range(mixture, alpha)
    level = EvidenceLevel.SETTLED if difference.excludes(0.0) else get_level(contrast.log_evidence(mixture), alpha)
    if len(read.counted) > VARIANTS_MIN and contrast.difference <= 0:
        level = EvidenceLevel.NONE  # one day's weight may put another variant ahead: then nobody leads
    return VariantPair(
        first, second, contrast=contrast, difference=difference, lift=contrast.lift(mixture, alpha), level=level
    )


def _get_rate_range(item: VariantCounts, read: Readout, widening: float, terms: VerdictTerms) -> Interval:
    """The range of one variant's play rate, however often one looks."""
    arms = [item.days[day] for day in read.days]
    whole = Arm(sum(arm.loads for arm in arms), sum(arm.played for arm in arms))
    variance = whole.rate * (1 - whole.rate) / whole.loads * widening
    half = Mixture(terms.effect).reach(variance, terms.alpha) + read.carried
    return Interval(max(0.0, whole.rate - half), min(1.0, whole.rate + half))


def needs_reason(readout: Readout, winner: int) -> bool:
    """Whether declaring `winner` goes against the read-out, or ahead of it."""
    if readout.verdict is Verdict.BETTER:
        return winner != readout.leader
    return readout.verdict in UNSETTLED


def get_days_until_enough(arms: Sequence[Arm], days: int) -> int | None:
    """More days, at the pace of the `days` so far, until every arm has the loads its formulas need. None: never."""
    waits = [_get_days_for(arm, days) for arm in arms]
    return None if any(wait is None for wait in waits) else max((wait or 0 for wait in waits), default=0)


def _get_days_for(arm: Arm, days: int) -> int | None:
    needs = ((LOADS_MIN, arm.loads), (EACH_WAY_MIN, arm.played), (EACH_WAY_MIN, arm.loads - arm.played))
    wait = 0
    for need, have in needs:
        if have >= need:
            continue
        if have == 0 or days < 1:
            return None
        wait = max(wait, ceil((need - have) * days / have))
    return wait
