"""What the read-out does over thousands of tests whose truth is known. The README quotes these figures.

Seeds are fixed, so the figures are the same on every machine; the limits are those of the specification of the page.
"""

from collections.abc import Iterator

import numpy
import pytest

from dashboard.ab_tests import rules
from dashboard.ab_tests.rules import Basis, Split
from dashboard.ab_tests.statistics import Arm, always_valid_size
from dashboard.shared import retention

TESTS, DAYS, DAILY = 2_000, 28, 200


def days_of_tests(rates: list[float], seed: int, *, days: int = DAYS) -> Iterator[list[list[Arm]]]:
    """For each test its arms as they stand at the end of every day."""
    random = numpy.random.default_rng(seed)
    played = numpy.array([random.binomial(DAILY, rate, (TESTS, days)) for rate in rates]).cumsum(axis=2)
    for test in range(TESTS):
        yield [
            [Arm(DAILY * (day + 1), int(played[arm, test, day])) for arm in range(len(rates))] for day in range(days)
        ]


def share_crowned(rates: list[float], seed: int, *, days: int = DAYS) -> float:
    """The share of tests in which a daily look ever shows green."""
    green = sum(
        any(all(map(rules.enough, arms)) and rules.crowned(arms, 0.05) is not None for arms in test)
        for test in days_of_tests(rates, seed, days=days)
    )
    return green / TESTS


@pytest.mark.parametrize(
    ("variants", "rate", "seed", "measured"), [(2, 0.3, 1, 0.0145), (4, 0.3, 2, 0.0), (2, 0.05, 3, 0.0115)]
)
def test_identical_variants_looked_at_daily_for_28_days_are_rarely_crowned(
    variants: int, rate: float, seed: int, measured: float
) -> None:
    share = share_crowned([rate] * variants, seed)
    assert share <= 0.05
    assert share == pytest.approx(measured, abs=0.0005)


def test_real_lifts_are_found() -> None:
    assert share_crowned([0.30, 0.33], 4) >= 0.70
    assert share_crowned([0.30, 0.345], 5) >= 0.98


def test_the_planned_number_of_days_finds_the_planned_lift_in_four_of_five_tests() -> None:
    days = -(-always_valid_size(0.30, 0.10) // DAILY)
    assert share_crowned([0.30, 0.33], 6, days=days) >= 0.80


def test_the_verdict_word_is_green_for_the_same_tests_that_are_crowned() -> None:
    for test in list(days_of_tests([0.3, 0.335], 7))[:40]:
        arms = test[-1]
        counted = [rules.Counted(Basis.PEOPLE, arm) for arm in arms]
        green = rules.read_out(counted).green
        fair = rules.check_split(arms, Basis.PEOPLE).state is not Split.WRONG
        assert green == (rules.crowned(arms, 0.05) is not None and fair)


def splits(loads: float, seed: int, runs: int = 20_000, people: int = 4_000) -> Iterator[list[Arm]]:
    """Fair splits of 4,000 people who each load the page `loads` times on average."""
    random = numpy.random.default_rng(seed)
    first = random.binomial(people, 0.5, runs)
    more = loads - 1
    extra = random.poisson(more * first), random.poisson(more * (people - first))
    for run in range(runs):
        yield [Arm(int(first[run] + extra[0][run]), 0), Arm(int(people - first[run] + extra[1][run]), 0)]


def test_the_split_check_stays_at_its_nominal_rate_for_people() -> None:
    states = [rules.check_split(arms, Basis.PEOPLE).state for arms in splits(1, 8)]
    assert states.count(Split.WRONG) / len(states) <= 0.002
    assert states.count(Split.WRONG) + states.count(Split.DOUBTFUL) <= 0.013 * len(states)


@pytest.mark.parametrize("loads", [1.5, 3])
def test_the_split_check_is_never_red_on_loads(loads: float) -> None:
    assert all(rules.check_split(arms, Basis.LOADS).state is Split.NOT_JUDGED for arms in splits(loads, 9, 2_000))


def test_a_broken_split_is_red() -> None:
    assert rules.check_split([Arm(2_200, 0), Arm(1_800, 0)], Basis.PEOPLE).state is Split.WRONG


def watched(random: numpy.random.Generator, people: int, bounce: float = 0.4) -> retention.Curve:
    """A retention curve of people of whom a share leaves in the first seconds and the rest fades away."""
    early = random.random(people) < bounce
    left = numpy.where(early, random.exponential(4, people), random.exponential(90, people))
    seconds = numpy.arange(121)
    still = 1 - numpy.searchsorted(numpy.sort(left), seconds) / people
    return retention.curve(dict(zip(seconds.tolist(), (still * 100).tolist(), strict=True)))


@pytest.mark.parametrize("people", [500, 2_000])
def test_retention_bands_of_identical_videos_rarely_part(people: int) -> None:
    random = numpy.random.default_rng(people)
    parted = sum(
        bool(retention.compare([watched(random, people), watched(random, people)], [people, people]).partings)
        for _ in range(TESTS)
    )
    assert parted / TESTS <= 0.05


def test_retention_bands_of_three_identical_videos_of_uneven_size_rarely_part() -> None:
    random = numpy.random.default_rng(10)
    sizes = [300, 600, 2_000]
    parted = sum(
        bool(retention.compare([watched(random, size) for size in sizes], sizes).partings) for _ in range(TESTS)
    )
    assert parted / TESTS <= 0.05


def test_retention_bands_find_a_better_opening() -> None:
    random = numpy.random.default_rng(11)
    found = sum(
        bool(retention.compare([watched(random, 2_000), watched(random, 2_000, 0.33)], [2_000, 2_000]).partings)
        for _ in range(300)
    )
    assert found / 300 >= 0.85
