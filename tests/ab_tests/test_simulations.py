"""What the read-out does over thousands of tests whose truth is known. The README quotes it, sentence by sentence.

`MEASURED` holds what `python -m tests.ab_tests.simulate` found, row by row of the README's table; the retention rows are those
of this file. The suite repeats each row on fewer tests with fixed seeds and holds it against its bound.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy
import pytest

from dashboard.ab_tests import rules
from dashboard.ab_tests.dispersion import compare_days
from dashboard.ab_tests.rules import Verdict
from dashboard.ab_tests.splits import check_split
from dashboard.ab_tests.statistics import Arm, Mixture
from dashboard.messages import by_catalogue
from dashboard.shared import retention
from tests.ab_tests import simulate
from tests.ab_tests.simulate import single

MEASURED = {
    "equal variants, 28 days": ["0.7 %", "1.7 %", "3.6 %"],
    "equal variants, 90 days": ["1.1 %", "1.9 %", "4.1 %"],
    "equal variants at 5 %": ["0.1 %", "0.4 %", "0.0 %"],
    "a real lift of 10 %": ["65.8 %", "96.4 %"],
    "a real lift of 10 % over 1 %": ["73.6 %"],
    "equal variants, people counted on 1 or 2 days": ["2.3 %", "2.5 %", "2.5 %"],
    "the same on 2 days": ["3.4 %", "2.2 %", "3.6 %"],
    "the same on 3 days": ["4.6 %", "5.5 %", "8.2 %"],
    "the same on 1 to 3 days": ["4.4 %", "4.9 %", "5.2 %"],
    "the same with a heavy tail": ["10.8 %", "0.1 %"],
    "equal variants whose rates jump": ["1.1 %", "1.9 %", "0.9 %", "0.4 %"],
    "equal variants whose split changes": ["0.0 %"],
    "told that people are counted again": ["2.3 %", "62.7 %"],
    "a real lift of 10 %: range holds": ["98.9 %", "98.9 %"],
    "a real difference of the band": ["0.0 %"],
    "what is measured on the day a test settles": ["128 %", "86 %", "230 %", "153 %"],
    "a fair split": ["0.0 %", "1.4 %", "0.9 %"],
    "days left, shown on day 14": ["7.5 %", "100 %", "57 %", "96 %"],
    "the planned whole weeks": ["84 %"],
    "retention bands of identical videos, 500": ["4.8 %", "3.0 %"],
    "retention bands of three identical videos": ["0.8 %"],
    "the same in whole percents": ["0.6 %", "1.2 %", "0.0 %"],
    "the same of different length": ["1.2 %", "0.0 %"],
    "40 % against 33 % leaving at once": ["96 %"],
}
SENTENCES = {
    "Settled: %(letter)s is better": "equal variants, 28 days",
    "Strong evidence for %(letter)s": "equal variants, 28 days",
    "Some evidence for %(letter)s": "equal variants, 28 days",
    "At most %(count)s of 100 tests without a real difference ever reach this level.": "equal variants, 90 days",
    "No evidence yet": "a real lift of 10 %",
    "Range that holds even if you check every day": "a real lift of 10 %: range holds",
    "Practically equal": "a real difference of the band",
    "Best estimate": "what is measured on the day a test settles",
    "This test may never settle: the difference is probably smaller than it can find.": "days left, shown on day 14",
    "Days left": "days left, shown on day 14",
    "No result: the traffic split was wrong on %(day)s": "a fair split",
    "Can't tell: the same people are counted on many days": "told that people are counted again",
    "Days differ more than by chance, so the ranges are %(share)s wider.":
        "equal variants whose rates jump",
    "On average, each person seems to be counted on %(days)s days, so the ranges are %(share)s wider.":
        "the same on 2 days",
    "Four of five tests with such a lift are settled by then, however often you look. Whole weeks count every weekday the same.":
        "the planned whole weeks",
    "The smallest lift you can find in": "the planned whole weeks",
    "%(ahead)s keeps more viewers than %(behind)s from %(second)s on (%(gap)s points there).": "the same in whole percents",
    "No real difference between the curves can be shown.": "40 % against 33 % leaving at once",
    "%(first)s and %(second)s can't be compared: they were measured at different seconds.": "the same of different length",
}  # fmt: skip
"""Every sentence of a page that claims something, and the row of the README that shows how often it is wrong."""


def assert_measured(row: str, place: int, share: float) -> None:
    """What came out is what the README says, to its last digit."""
    written = MEASURED[row][place].removesuffix(" %")
    digits = len(written.partition(".")[2])
    assert share * 100 == pytest.approx(float(written), abs=0.5 * 10**-digits + 1e-9)


def test_the_readme_quotes_what_was_measured() -> None:
    lines = (Path(__file__).parents[2] / "README.md").read_text("utf-8").splitlines()
    for row, figures in MEASURED.items():
        found = [line for line in lines if line.startswith((f"| {row},", f"| {row} ", f"| {row}:", f"| {row};"))]
        assert any(f"| {'; '.join(figures)} |" in line for line in found), row


def test_every_sentence_that_claims_something_has_its_row() -> None:
    said = {sentence.text for sentences in by_catalogue().values() for sentence in sentences}
    assert [sentence for sentence in SENTENCES if sentence not in said] == [], "the page says it in other words now"
    assert {*SENTENCES.values()} <= {*MEASURED}
    words = {
        Verdict.BETTER: "Settled: ",
        Verdict.STRONG: "Strong ",
        Verdict.SOME: "Some ",
        Verdict.EQUAL: "Practically ",
        Verdict.NO_EVIDENCE: "No evidence",
        Verdict.SPLIT_WRONG: "No result: the",
        Verdict.CANNOT_TELL: "Can't tell: ",
    }
    assert words.keys() >= {*rules.RANGED, Verdict.SPLIT_WRONG}
    assert all(any(sentence.startswith(word) for sentence in SENTENCES) for word in words.values())


def test_what_is_simulated_is_what_is_shown() -> None:
    random = numpy.random.default_rng(3)
    kinds = [single(random, 4, [0.3, 0.33]), simulate.jumping(random, 4), simulate.returning(random, 4, {2: 1.0})]
    for people, played in kinds:
        for look in simulate.looks((people, played), 0.03):
            arms = [
                (
                    Arm(int(people[1, 0, day]), int(played[1, 0, day])),
                    Arm(int(people[1, 1, day]), int(played[1, 1, day])),
                )
                for day in range(look.days)
            ]
            shown = compare_days(arms, Mixture(0.03))
            assert shown.difference == pytest.approx(look.difference[1])
            assert shown.variance == pytest.approx(look.variance[1], rel=1e-3)
            assert shown.widening.repeats == pytest.approx(look.repeats[1])


RANDOM = numpy.random.default_rng
Shares = Callable[[], float]


@pytest.mark.parametrize(
    ("share", "least", "most"),
    [
        (lambda: simulate.ever(single(RANDOM(1), 2_000, [0.3, 0.3])), 0, 0.05),
        (lambda: simulate.ever(single(RANDOM(1), 2_000, [0.3, 0.3]), times=2), 0, 0.10),
        (lambda: simulate.ever(single(RANDOM(1), 2_000, [0.3, 0.3]), times=4), 0, 0.20),
        (lambda: simulate.ever(single(RANDOM(2), 500, [0.05, 0.05]), 0.005), 0, 0.05),
        (lambda: simulate.ever_crowned(single(RANDOM(3), 200, [0.3] * 4), 0.03), 0, 0.05),
        (lambda: simulate.ever(single(RANDOM(4), 2_000, [0.3, 0.33])), 0.63, 1),
        (lambda: simulate.ever(single(RANDOM(5), 500, [0.01, 0.011], daily=10_000), 0.001), 0.68, 1),
        (lambda: simulate.ever(simulate.returning(RANDOM(6), 1_000, {1: 0.5, 2: 0.5})), 0, 0.05),
        (lambda: simulate.ever(simulate.returning(RANDOM(7), 1_000, {2: 1.0}, apart=2)), 0, 0.05),
        (lambda: simulate.ever(simulate.returning(RANDOM(8), 1_000, {3: 1.0})), 0, 0.05),
        (lambda: simulate.ever(simulate.jumping(RANDOM(9), 500)), 0, 0.05),
        (lambda: simulate.ever(simulate.jumping(RANDOM(9), 500, daily=20_000)), 0, 0.05),
        (lambda: simulate.ever(simulate.changed(RANDOM(10), 500)), 0, 0.05),
        (lambda: simulate.ever(simulate.clustered(RANDOM(11), 300)), 0, 0.05),
        (lambda: simulate.withheld(single(RANDOM(12), 500, [0.3, 0.3])), 0, 0.04),
        (lambda: min(simulate.never_outside(single(RANDOM(13), 500, [0.3, 0.33]), (0.3, 0.33))), 0.95, 1),
        (lambda: simulate.ever_equal(single(RANDOM(14), 300, [0.3, 0.31], daily=4_000), 0.01), 0, 0.05),
        (lambda: simulate.at_first_green(single(RANDOM(15), 1_000, [0.3, 0.33]), 0.03)[1], 0.7, 1.1),
        (lambda: simulate.ever_wrong_split(single(RANDOM(16), 300, [0.3, 0.3])), 0, 0.005),
        (lambda: simulate.ever_wrong_split(simulate.clustered(RANDOM(17), 100)), 0, 0.01),
        (lambda: simulate.promised(RANDOM(18), 12, [0.3, 0.3])[0], 0, 0.25),
        (lambda: simulate.planned(RANDOM(19), 150, 0.3, 0.2, 800, 4), 0.80, 1),
    ],
    ids=[
        "settled", "strong", "some", "rare", "four-variants", "found", "found-at-1", "1-or-2-days", "2-days", "3-days", "jumps",
        "jumps-of-many", "changed-split", "clustered", "withheld", "ranges-hold", "equal", "best-estimate", "fair-split",
        "clustered-split", "days-left", "planned",
    ],
)  # fmt: skip
def test_each_claim_stays_within_its_bound(share: Shares, least: float, most: float) -> None:
    assert least <= share() <= most


def test_a_split_that_is_off_by_two_points_is_found_within_four_weeks() -> None:
    random = numpy.random.default_rng(20)
    found = 0
    for _ in range(50):
        second = random.binomial(2_000, 0.52, 28)
        days = [(date(2026, 1, day + 1), (int(2_000 - one), int(one))) for day, one in enumerate(second)]
        found += check_split(days, (0.5, 0.5)).since is not None
    assert found >= 45


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
    return retention.build_curve({second: float(shares[second]) for second in dict.fromkeys(seconds)})


def share_parted(seed: int, people: list[int], shape: dict[str, list[int]], runs: int = 500) -> float:
    """How often the bands of identical videos part. `shape` has one value for each video."""
    random = numpy.random.default_rng(seed)
    shapes = [{name: values[at] for name, values in shape.items()} for at in range(len(people))]
    made = ([watched(random, size, LEFT, **one) for size, one in zip(people, shapes, strict=True)] for _ in range(runs))
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
    share = share_parted(sum(people), people, shape)
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
