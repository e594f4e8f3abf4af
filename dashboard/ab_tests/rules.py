"""Which actions an A/B test allows, and the verdict its numbers support. Pure: codes in, codes out.

The verdict follows one rule that the page draws and the tests hold: it is green (`Verdict.BETTER`) if and only if every
range that is drawn lies on the same side of zero. Where the data cannot carry a statement (loads instead of people, less than
a week of days, a wrong split, people counted again and again) no range is drawn, and nothing is green.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import IntEnum, StrEnum
from math import ceil, log
from typing import Final

from dashboard.ab_tests.dispersion import Contrast, compare_days
from dashboard.ab_tests.splits import Split, SplitCheck, check_split, get_expected_shares
from dashboard.ab_tests.statistics import WORTH_FINDING, Arm, Interval, Mixture
from dashboard.platform_api.vocabulary import TestStatus

VIEWERS_MIN: Final = 100
EACH_WAY_MIN: Final = 5
"""Fewer people who played, or who did not, than this in any arm: the formulas are not trusted yet."""

REPEATS_MOST: Final = 1.4
"""Where people who are counted again enlarge the variance by more than this, the range would be a guess."""

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

    PEOPLE = "people"
    LOADS = "loads"
    RATE = "rate"
    IMPOSSIBLE = "impossible"
    NOTHING = "nothing"


@dataclass(frozen=True)
class VariantCounts:
    """One variant's figures as the platform gave them. `arm` only with something countable, `rate` in shares, `days` where
    the answer tells days apart.
    """

    basis: CountBasis
    arm: Arm | None = None
    rate: float | None = None
    days: Mapping[date, Arm] = field(default_factory=dict)


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
    LOADS = "loads"
    NO_DAYS = "no-days"
    FEW_DAYS = "few-days"
    REPEATS = "repeats"


class EvidenceLevel(IntEnum):
    """How strong the evidence is."""

    NONE = 0
    SOME = 1
    STRONG = 2
    SETTLED = 3


TIMES: Final = {EvidenceLevel.SOME: 4, EvidenceLevel.STRONG: 2}
"""Of tests without a difference, at most so many times the share of false winners ever reaches a level."""
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
    """What the owner chose: the accepted chance of a false alarm, the band that counts as equal, the intended split; and what
    was set once, at the start: the difference worth finding, as a share, and the day on which the split was found wrong.
    """

    alpha: float = 0.05
    equal_band: float = 0.0
    expected: tuple[float, ...] = ()
    effect: float = 0.3 * WORTH_FINDING
    split_wrong_on: date | None = None


@dataclass(frozen=True)
class Readout:
    """Everything the page says about a test. Indexes count variants from 0; shares run from 0 to 1.

    `days` are those known of every variant; `ranges` are those of the variants' rates, where they are drawn.
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
    split = _check_split(counted, arms, basis, days, terms)
    read = replace(bare, split=split, days=days)
    if basis is CountBasis.LOADS:
        return replace(read, verdict=Verdict.CANNOT_TELL, doubt=Doubt.LOADS)
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
    shares = get_expected_shares(terms.expected, len(read.counted))
    places = list_pairs(len(read.counted), leader)
    pairs = tuple(_build_pair(read, first, second, terms, shares) for first, second in places)
    if any(pair.contrast.widening.repeats > REPEATS_MOST for pair in pairs):
        return replace(read, verdict=Verdict.CANNOT_TELL, doubt=Doubt.REPEATS)
    if len(pairs) == 1:
        leader = int(pairs[0].contrast.difference > 0)
    widest = max(pair.contrast.widening.factor for pair in pairs)
    read = replace(
        read, pairs=pairs, ranges=tuple(_get_rate_range(item, read.days, widest, terms) for item in read.counted)
    )
    band = terms.equal_band
    if read.level is not EvidenceLevel.SETTLED and band > 0 and all(pair.difference.within(band) for pair in pairs):
        return replace(read, verdict=Verdict.EQUAL)
    named = read.level is not EvidenceLevel.NONE
    return replace(read, verdict=VERDICTS[read.level], leader=leader if named else None)


def _check_split(
    counted: Sequence[VariantCounts], arms: Sequence[Arm], basis: CountBasis, days: Sequence[date], terms: VerdictTerms
) -> SplitCheck:
    expected = get_expected_shares(terms.expected, len(arms))
    people = [(day, tuple(item.days[day].viewers for item in counted)) for day in days]
    check = check_split(people or [(date.max, tuple(arm.viewers for arm in arms))], expected, terms.split_wrong_on)
    if basis is CountBasis.PEOPLE:
        return check
    return SplitCheck(Split.NOT_JUDGED, check.shares, check.expected)


def list_common_days(counted: Sequence[VariantCounts]) -> tuple[date, ...]:
    """The days that are known of every variant. A day that one of them lacks is no day without viewers."""
    known = [item.days.keys() for item in counted]
    return tuple(sorted(set(known[0]).intersection(*known[1:]))) if known else ()


def get_shared_basis(counted: Sequence[VariantCounts]) -> CountBasis:
    """What all variants can be compared by: the weakest of their bases, because people and loads do not mix."""
    weakest_first = (CountBasis.NOTHING, CountBasis.IMPOSSIBLE, CountBasis.RATE, CountBasis.LOADS, CountBasis.PEOPLE)
    return min((item.basis for item in counted), key=weakest_first.index, default=CountBasis.NOTHING)


def is_enough(arm: Arm) -> bool:
    """Whether an arm has the people its formulas need."""
    return arm.viewers >= VIEWERS_MIN and min(arm.played, arm.viewers - arm.played) >= EACH_WAY_MIN


def list_pairs(variants: int, leader: int) -> tuple[tuple[int, int], ...]:
    """Which differences are drawn: B minus A of two; of more, the leader minus each of the others."""
    if variants == VARIANTS_MIN:
        return ((0, 1),)
    return tuple((index, leader) for index in range(variants) if index != leader)


def get_leader(counted: Sequence[VariantCounts], days: Sequence[date]) -> int:
    """The variant with the highest rate, every day weighed alike for all of them; the first of equals."""
    sizes = {day: sum(item.days[day].viewers for item in counted) for day in days}
    rates = []
    for item in counted:
        known = [day for day in days if item.days[day].viewers]
        people = sum(sizes[day] for day in known) or 1
        rates.append(sum(sizes[day] * item.days[day].rate for day in known) / people)
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


def _build_pair(read: Readout, first: int, second: int, terms: VerdictTerms, shares: Sequence[float]) -> VariantPair:
    first_days, second_days = read.counted[first].days, read.counted[second].days
    alpha, mixture = get_pair_alpha(terms.alpha, len(read.counted)), Mixture(terms.effect)
    share = shares[second] / (shares[first] + shares[second])
    contrast = compare_days([(first_days[day], second_days[day]) for day in read.days], mixture, alpha, share)
    difference = contrast.range(mixture, alpha)
    level = EvidenceLevel.SETTLED if difference.excludes(0.0) else get_level(contrast.log_evidence(mixture), alpha)
    if len(read.counted) > VARIANTS_MIN and contrast.difference <= 0:
        level = EvidenceLevel.NONE  # one day's weight may put another variant ahead: then nobody leads
    return VariantPair(first, second, contrast, difference, contrast.lift(mixture, alpha), level)


def _get_rate_range(item: VariantCounts, days: Sequence[date], widening: float, terms: VerdictTerms) -> Interval:
    """The range of one variant's play rate, however often one looks."""
    arms = [item.days[day] for day in days]
    whole = Arm(sum(arm.viewers for arm in arms), sum(arm.played for arm in arms))
    variance = whole.rate * (1 - whole.rate) / whole.viewers * widening
    half = Mixture(terms.effect).reach(variance, terms.alpha)
    return Interval(max(0.0, whole.rate - half), min(1.0, whole.rate + half))


def needs_reason(readout: Readout, winner: int) -> bool:
    """Whether declaring `winner` goes against the read-out, or ahead of it."""
    if readout.verdict is Verdict.BETTER:
        return winner != readout.leader
    return readout.verdict in UNSETTLED


def get_days_until_enough(arms: Sequence[Arm], days: int) -> int | None:
    """More days, at the pace of the `days` so far, until every arm has the people its formulas need. None: never."""
    waits = [_get_days_for(arm, days) for arm in arms]
    return None if any(wait is None for wait in waits) else max((wait or 0 for wait in waits), default=0)


def _get_days_for(arm: Arm, days: int) -> int | None:
    needs = ((VIEWERS_MIN, arm.viewers), (EACH_WAY_MIN, arm.played), (EACH_WAY_MIN, arm.viewers - arm.played))
    wait = 0
    for need, have in needs:
        if have >= need:
            continue
        if have == 0 or days < 1:
            return None
        wait = max(wait, ceil((need - have) * days / have))
    return wait
