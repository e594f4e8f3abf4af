"""What the read-out does over thousands of tests whose truth is known. The README quotes these figures.

Seeds are fixed, so the figures are the same on every machine; the limits are those of the specification of the page.
`MEASURED` holds what came out, row by row of the README's table: each simulation is held against it, and so is the README.
"""

from collections.abc import Iterator
from pathlib import Path

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


MEASURED = {
    "2,000 A/A tests, 2 variants at 30 %": ["1.5 %"],
    "the same with 4 variants; with 2 variants at 5 %": ["0.0 %", "1.2 %"],
    "the same with 2 variants and people who come back": ["3.9 %", "7.6 %"],
    "a real lift of 10 %, of 15 %": ["72 %", "99 %"],
    "a real lift of 10 %: found within the 37 days": ["86 %"],
    "traffic split of people, 20,000 fair splits": ["0.07 %", "0.92 %"],
    "retention bands of identical videos, 500": ["4.8 %", "3.0 %"],
    "retention bands of three identical videos": ["0.8 %"],
    "the same in whole percents": ["0.6 %", "1.2 %", "0.0 %"],
    "the same of different length": ["1.2 %", "0.0 %"],
    "40 % against 33 % leaving at once": ["96 %"],
}


def assert_measured(row: str, place: int, share: float) -> None:
    """What came out is what the README says, to its last digit."""
    written = MEASURED[row][place].removesuffix(" %")
    digits = len(written.partition(".")[2])
    assert share * 100 == pytest.approx(float(written), abs=0.5 * 10**-digits + 1e-9)


def test_the_readme_quotes_what_was_measured() -> None:
    lines = (Path(__file__).parents[2] / "README.md").read_text("utf-8").splitlines()
    for row, figures in MEASURED.items():
        found = [line for line in lines if line.startswith(f"| {row}")]
        assert len(found) == 1 and f"| {'; '.join(figures)} |" in found[0], row


@pytest.mark.parametrize(
    ("variants", "rate", "seed", "row", "place"),
    [
        (2, 0.3, 1, "2,000 A/A tests, 2 variants at 30 %", 0),
        (4, 0.3, 2, "the same with 4 variants; with 2 variants at 5 %", 0),
        (2, 0.05, 3, "the same with 4 variants; with 2 variants at 5 %", 1),
    ],
    ids=["two", "four", "rare"],
)
def test_identical_variants_looked_at_daily_for_28_days_are_rarely_crowned(
    variants: int, rate: float, seed: int, row: str, place: int
) -> None:
    share = share_crowned([rate] * variants, seed)
    assert share <= 0.05
    assert_measured(row, place, share)


def day_by_day(random: numpy.random.Generator, more: float) -> list[Arm]:
    """One variant at the end of every day, its people counted anew each day: they come on 1 + `more` days on average,
    two days apart, and always do the same: the worst case for whoever takes the sums for people."""
    people = round(DAILY * DAYS / (1 + more))
    first, plays = random.integers(0, DAYS, people), random.random(people) < 0.3
    times = 1 + random.poisson(more, people)
    viewers, played = numpy.zeros(DAYS, int), numpy.zeros(DAYS, int)
    for again in range(times.max()):
        here = times > again
        day = (first[here] + 2 * again) % DAYS
        viewers += numpy.bincount(day, minlength=DAYS)
        played += numpy.bincount(day[plays[here]], minlength=DAYS)
    return [Arm(int(one), int(two)) for one, two in zip(viewers.cumsum(), played.cumsum(), strict=True)]


@pytest.mark.parametrize(("more", "place"), [(0.2, 0), (0.5, 1)])
def test_people_who_come_back_and_count_again_make_ranges_too_narrow_as_the_page_says(more: float, place: int) -> None:
    random = numpy.random.default_rng(12)
    green = 0
    for _ in range(TESTS):
        looks = zip(day_by_day(random, more), day_by_day(random, more), strict=True)
        green += any(all(map(rules.enough, arms)) and rules.crowned(arms, 0.05) is not None for arms in looks)
    assert_measured("the same with 2 variants and people who come back", place, green / TESTS)


def test_real_lifts_are_found() -> None:
    small, large = share_crowned([0.30, 0.33], 4), share_crowned([0.30, 0.345], 5)
    assert small >= 0.70 and large >= 0.98
    assert_measured("a real lift of 10 %, of 15 %", 0, small)
    assert_measured("a real lift of 10 %, of 15 %", 1, large)


def test_the_planned_number_of_days_finds_the_planned_lift_in_four_of_five_tests() -> None:
    days = -(-always_valid_size(0.30, 0.10) // DAILY)
    share = share_crowned([0.30, 0.33], 6, days=days)
    assert days == 37 and share >= 0.80
    assert_measured("a real lift of 10 %: found within the 37 days", 0, share)


def test_the_verdict_word_is_green_for_the_same_tests_that_are_crowned() -> None:
    for test in list(days_of_tests([0.3, 0.335], 7))[:10]:
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
    wrong, doubtful = (states.count(state) / len(states) for state in (Split.WRONG, Split.DOUBTFUL))
    assert wrong <= 0.002 and wrong + doubtful <= 0.013
    assert_measured("traffic split of people, 20,000 fair splits", 0, wrong)
    assert_measured("traffic split of people, 20,000 fair splits", 1, doubtful)


@pytest.mark.parametrize("loads", [1.5, 3])
def test_the_split_check_is_never_red_on_loads(loads: float) -> None:
    assert all(rules.check_split(arms, Basis.LOADS).state is Split.NOT_JUDGED for arms in splits(loads, 9, 2_000))


def test_a_broken_split_is_red() -> None:
    assert rules.check_split([Arm(2_200, 0), Arm(1_800, 0)], Basis.PEOPLE).state is Split.WRONG


LEFT = numpy.diff(0.4 * (1 - numpy.exp(-numpy.arange(122) / 4)) + 0.6 * (1 - numpy.exp(-numpy.arange(122) / 90)))
LESS = numpy.diff(0.33 * (1 - numpy.exp(-numpy.arange(122) / 4)) + 0.67 * (1 - numpy.exp(-numpy.arange(122) / 90)))
"""The share of people who leave in each second: some in the first seconds, the rest fades away."""


def watched(
    random: numpy.random.Generator,
    people: int,
    left: numpy.ndarray = LEFT,
    *,
    last: int = 120,
    step: int = 1,
    digits: int = 6,
) -> retention.Curve:
    """A retention curve measured every `step` seconds until `last`, as percent with so many decimals."""
    still = people - random.multinomial(people, [*left, 1 - left.sum()])[:-1].cumsum()
    shares = numpy.concatenate([[100.0], still * 100 / people]).round(digits)
    seconds = [*range(0, last, step), last]
    return retention.curve({second: float(shares[second]) for second in dict.fromkeys(seconds)})


def share_parted(seed: int, people: list[int], runs: int = 500, **shape: list[int]) -> float:
    """How often the bands of identical videos part. `shape` has one value for each video."""
    random = numpy.random.default_rng(seed)
    shapes = [{name: values[at] for name, values in shape.items()} for at in range(len(people))]
    made = ([watched(random, size, **one) for size, one in zip(people, shapes, strict=True)] for _ in range(runs))
    return sum(bool(retention.compare(curves, people).partings) for curves in made) / runs


@pytest.mark.parametrize(
    ("row", "place", "people", "shape"),
    [
        ("retention bands of identical videos, 500", 0, [500, 500], {}),
        ("retention bands of identical videos, 500", 1, [2_000, 2_000], {}),
        ("retention bands of three identical videos", 0, [300, 600, 2_000], {}),
        ("the same in whole percents", 0, [1_000, 1_000], {"digits": [0, 0]}),
        ("the same in whole percents", 1, [10_000, 10_000], {"digits": [0, 0]}),
        ("the same in whole percents", 2, [100_000, 100_000], {"digits": [0, 0]}),
        ("the same of different length", 0, [2_000, 2_000], {"last": [100, 120], "step": [4, 5]}),
        ("the same of different length", 1, [100_000, 100_000], {"last": [100, 120], "step": [4, 5], "digits": [0, 1]}),
    ],
)
def test_retention_bands_of_identical_videos_rarely_part(
    row: str, place: int, people: list[int], shape: dict[str, list[int]]
) -> None:
    share = share_parted(sum(people), people, **shape)
    assert share <= 0.05
    assert_measured(row, place, share)


def test_retention_bands_find_a_better_opening() -> None:
    random = numpy.random.default_rng(11)
    found = sum(
        bool(retention.compare([watched(random, 2_000), watched(random, 2_000, LESS)], [2_000, 2_000]).partings)
        for _ in range(300)
    )
    assert found / 300 >= 0.85
    assert_measured("40 % against 33 % leaving at once", 0, found / 300)
