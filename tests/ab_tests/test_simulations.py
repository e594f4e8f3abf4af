"""What the read-out does over thousands of tests whose truth is known. docs/statistics.md quotes it, sentence by sentence.

`MEASURED` holds what `python -m tests.ab_tests.simulate` found, row by row of its table; the retention rows are those
of this file. The suite repeats each row on fewer tests with fixed seeds and holds it against its bound.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy
import pytest

from dashboard.ab_tests import rules
from dashboard.ab_tests.rules import Verdict
from dashboard.ab_tests.statistics import check_split
from dashboard.management.commands.messages import by_catalogue
from dashboard.shared import retention
from tests.ab_tests import simulate
from tests.ab_tests.simulate import Habits, loading, single, unwidened

MEASURED = {
    "equal variants, 28 days": ["0.9 %", "2.2 %", "4.2 %"],
    "equal variants, 90 days": ["1.5 %", "3.0 %", "6.2 %"],
    "equal variants at 5 %": ["0.1 %", "0.2 %", "0.0 %"],
    "equal variants, 20 % again, the worst": ["0.2 %", "0.4 %", "1.5 %"],
    "the same, 40 % again": ["0.0 %", "0.0 %", "0.1 %"],
    "the same, 60 % again": ["0.0 %", "0.0 %", "0.0 %"],
    "the same without the wider ranges, 20 %, 40 %, 60 % again": ["1.1 %", "1.3 %", "0.6 %"],
    "the same by people alone": ["0.1 %", "0.0 %", "0.1 %"],
    "equal variants, B played more by 3 points after A, 20 % again": ["0.2 %", "0.3 %", "1.4 %"],
    "the same, 40 % again, after A": ["0.2 %", "0.7 %", "1.0 %"],
    "the same, 60 % again, after A": ["0.4 %", "0.6 %", "1.1 %"],
    "equal variants, B played less by 3 points after A": ["0.1 %", "0.2 %", "0.3 %"],
    "equal variants, B played more by 3 points after A, by people alone": ["0.0 %", "0.1 %", "0.4 %"],
    "the same without the wider ranges: ever settled": ["5.0 %", "18.8 %", "36.3 %"],
    "four variants, the last one played more": ["0.0 %"],
    "equal variants, B played more by 3 points after A on the day before": ["5.9 %", "16.9 %", "38.2 %"],
    "equal variants, B played less by 10 points after A": ["47.0 %", "96.8 %", "99.9 %"],
    "a real lift of 10 %": ["72.0 %", "98.3 %"],
    "a real lift of 10 % over 1 %": ["79.5 %"],
    "a real lift of 10 %, 20 %, 40 %, 60 % again": ["59.8 %", "51.3 %", "48.0 %"],
    "the same within 90 days": ["99.0 %", "99.4 %", "97.6 %"],
    "a real lift of 10 %: range holds": ["98.2 %", "98.1 %"],
    "the same, 20 %, 40 %, 60 % again: the worse": ["100.0 %", "100.0 %", "100.0 %"],
    "the same where B is played more by 3 points": ["99.6 %", "99.9 %", "99.7 %"],
    "the same where B is played less by 3 points": ["99.6 %", "99.9 %", "99.8 %"],
    "equal variants whose rates jump": ["1.4 %", "2.1 %", "0.9 %", "0.7 %"],
    "a real difference of the band that": ["0.0 %"],
    "a real difference of the band, 20 %, 40 %, 60 % again": ["0.0 %", "0.0 %", "0.0 %"],
    "what is measured on the day a test settles": ["126 %", "85 %", "224 %", "149 %"],
    "the same, a lift of 10 %, 40 % again": ["126 %", "107 %"],
    "loads drawn with equal chance": ["0.0 %", "0.0 %"],
    "days left, shown on day 14": ["11.5 %", "100 %", "62.4 %", "93.7 %"],
    "the same, 40 % again: days left": ["0.0 %", "100 %", "46.2 %", "100 %"],
    "the planned whole weeks": ["84.5 %"],
    "the same, 2 and 3 variants, 40 % again": ["85.5 %"],
    "retention bands of identical videos, 500": ["4.8 %", "3.0 %"],
    "retention bands of three identical videos": ["0.8 %"],
    "the same in whole percents": ["0.6 %", "1.2 %", "0.0 %"],
    "the same of different length": ["1.2 %", "0.0 %"],
    "40 % against 33 % leaving at once": ["96 %"],
}
SENTENCES = {
    "Settled: %(letter)s is better": "equal variants, 20 % again, the worst",
    "Strong evidence for %(letter)s": "the same, 40 % again, after A",
    "Some evidence for %(letter)s": "the same, 60 % again, after A",
    "At most %(count)s of 100 tests without a real difference ever reach this level.": "equal variants, 90 days",
    "No evidence yet": "a real lift of 10 %",
    "Range that holds even if you check every day": "a real lift of 10 %: range holds",
    "Practically equal": "a real difference of the band, 20 %, 40 %, 60 % again",
    "Best estimate": "what is measured on the day a test settles",
    "This test may never settle: the difference is probably smaller than it can find.": "days left, shown on day 14",
    "Days left": "days left, shown on day 14",
    "No result: the variants were not shown equally often (%(day)s)": "loads drawn with equal chance",
    "Each page load shows one of the videos at random, with equal chance; a visitor who reloads may see another.":
        "loads drawn with equal chance",
    "About %(share)s of the loads are by people who had seen another variant on the same day. In case that changed how often "
    "they play by as much as is looked for, the ranges are %(points)s wider at each end.":
        "equal variants, B played more by 3 points after A, 20 % again",
    "The platform doesn't tell how many there are. The ranges are %(points)s wider at each end, as if %(share)s of the loads "
    "were by people who had seen another variant before.":
        "equal variants, B played more by 3 points after A, by people alone",
    "Nothing shows who came back on another day: if that changed what many of them did, the result can be wrong.":
        "equal variants, B played more by 3 points after A on the day before",
    "Can't tell: less than a week of data": "equal variants, 28 days",
    "Days differ more than by chance, so the ranges are %(share)s wider.":
        "equal variants whose rates jump",
    "Four of five tests with such a lift are settled by then, however often you look. Whole weeks count every weekday the same.":
        "the planned whole weeks",
    "The smallest lift you can find in": "the planned whole weeks",
    "%(ahead)s keeps more viewers than %(behind)s from %(second)s on (%(gap)s points there).": "the same in whole percents",
    "No real difference between the curves can be shown.": "40 % against 33 % leaving at once",
    "%(first)s and %(second)s can't be compared: they were measured at different seconds.": "the same of different length",
}  # fmt: skip
"""Every sentence of a page that claims something, and the row of docs/statistics.md that shows how often it is wrong."""


def assert_measured(row: str, place: int, share: float) -> None:
    """What came out is what the table says, to its last digit."""
    written = MEASURED[row][place].removesuffix(" %")
    digits = len(written.partition(".")[2])
    assert share * 100 == pytest.approx(float(written), abs=0.5 * 10**-digits + 1e-9)


def test_the_table_quotes_what_was_measured() -> None:
    lines = (Path(__file__).parents[2] / "docs/statistics.md").read_text("utf-8").splitlines()
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
    kinds = [
        single(random, 4, [0.3, 0.33]),
        simulate.jumping(random, 4),
        loading(random, 4, [0.3, 0.3], Habits(0.5)),
        loading(random, 4, [0.3, 0.3], Habits(0.5)).by_people(),
    ]
    for counts in kinds:
        for look in simulate.looks(counts, 0.03):
            counted = simulate.counted(counts, 1, look.days)
            shown = rules.read_out(counted, rules.VerdictTerms(effect=0.03))
            assert shown.carried == pytest.approx(look.carried[1])
            (pair,) = shown.pairs
            assert pair.contrast.difference == pytest.approx(look.difference[1])
            assert pair.contrast.variance == pytest.approx(look.variance[1], rel=1e-3)
            half = (pair.difference.high - pair.difference.low) / 2
            assert half == pytest.approx(look.reach(0.03, 0.05)[1], rel=1e-2)


def test_loads_are_drawn_anew_and_people_count_in_each_variant_that_they_saw() -> None:
    counts = loading(RANDOM(1), 50, [0.3, 0.3], Habits(1.0, carried=0.3, later=-0.1))
    assert counts.people is not None and counts.players is not None
    people, loads = 2 * simulate.DAILY * 50 * simulate.DAYS, counts.loads.sum()
    assert loads / people == pytest.approx(4, rel=0.01), "2 to 6 loads"
    assert counts.loads[:, 0].sum() / loads == pytest.approx(0.5, abs=0.002)
    seen = sum(2 * (1 - 0.5**times) for times in range(2, 7)) / 5
    assert counts.people.sum() / people == pytest.approx(seen, rel=0.01)
    assert (counts.plays <= counts.loads).all() and (counts.players <= counts.people).all()
    rates = counts.plays.sum(axis=(0, 2)) / counts.loads.sum(axis=(0, 2))
    assert rates[0] == pytest.approx(0.3 - 0.1 * 3 / 4, abs=0.005), "later loads are played less"
    assert rates[1] - rates[0] == pytest.approx(0.3 * float(counts.seen_before()[:, -1].mean()), abs=0.005)


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
        (lambda: simulate.ever(single(RANDOM(4), 2_000, [0.3, 0.33])), 0.68, 1),
        (lambda: simulate.ever(single(RANDOM(5), 500, [0.01, 0.011], daily=10_000), 0.001), 0.72, 1),
        (lambda: simulate.worst(RANDOM(6), 100, 0.4)[""][0], 0, 0.05),
        (lambda: simulate.worst(RANDOM(6), 100, 0.4)[", unwidened"][0], 0, 0.07),
        (lambda: simulate.worst(RANDOM(6), 100, 0.4)[", by people"][2], 0, 0.20),
        (lambda: simulate.ever(loading(RANDOM(7), 300, [0.3, 0.3], Habits(0.2, carried=0.03))), 0, 0.05),
        (lambda: simulate.ever(loading(RANDOM(7), 300, [0.3, 0.3], Habits(0.6, carried=0.03)), times=4), 0, 0.20),
        (lambda: simulate.ever(loading(RANDOM(8), 300, [0.3, 0.3], Habits(0.6, carried=-0.03)), times=2), 0, 0.10),
        (lambda: simulate.ever(loading(RANDOM(8), 200, [0.3, 0.3], Habits(0.6, carried=0.03)).by_people()), 0, 0.05),
        (lambda: simulate.ever(unwidened(loading(RANDOM(8), 200, [0.3, 0.3], Habits(0.6, carried=0.03)))), 0.25, 0.5),
        (lambda: simulate.ever_crowned(loading(RANDOM(9), 20, [0.3] * 3, Habits(0.4, carried=0.03)), 0.03), 0, 0.05),
        (lambda: simulate.ever(loading(RANDOM(9), 200, [0.3, 0.33], Habits(0.4))), 0.4, 1),
        (lambda: simulate.ever(simulate.jumping(RANDOM(9), 500)), 0, 0.05),
        (lambda: simulate.ever(simulate.jumping(RANDOM(9), 500, daily=20_000)), 0, 0.05),
        (lambda: min(simulate.never_outside(single(RANDOM(13), 500, [0.3, 0.33]), (0.3, 0.33))), 0.95, 1),
        (lambda: held(0.03), 0.95, 1),
        (lambda: held(-0.03), 0.95, 1),
        (lambda: simulate.ever_equal(single(RANDOM(14), 300, [0.3, 0.31], daily=4_000), 0.01), 0, 0.05),
        (lambda: simulate.ever_equal(
            loading(RANDOM(14), 100, [0.3, 0.32], Habits(0.4, carried=-0.03), daily=4_000), 0.02), 0, 0.05),
        (lambda: simulate.at_first_green(single(RANDOM(15), 1_000, [0.3, 0.33]), 0.03)[1], 0.7, 1.1),
        (lambda: simulate.ever_wrong_split(loading(RANDOM(16), 300, [0.3, 0.3], Habits(0.6))), 0, 0.005),
        (lambda: simulate.promised(RANDOM(18), 12, [0.3, 0.3], simulate.ONCE)[0], 0, 0.4),
        (lambda: simulate.planned(RANDOM(19), 150, (0.3, 0.2, 800, 4), simulate.ONCE), 0.80, 1),
        (lambda: simulate.planned(RANDOM(19), 60, (0.3, 0.2, 800, 2), Habits(0.4)), 0.80, 1),
    ],
    ids=[
        "settled", "strong", "some", "rare", "four-variants", "found", "found-at-1", "again", "again-as-drawn",
        "again-by-people", "carried", "carried-some", "carried-down-strong", "carried-by-people", "carried-as-drawn",
        "three-carried", "found-again", "jumps", "jumps-of-many", "ranges-hold", "ranges-hold-carried",
        "ranges-hold-carried-down", "equal", "equal-carried", "best-estimate", "equal-chance", "days-left", "planned",
        "planned-again",
    ],
)  # fmt: skip
def test_each_claim_stays_within_its_bound(share: Shares, least: float, most: float) -> None:
    assert least <= share() <= most


def held(carried: float) -> float:
    """How often the ranges hold what there would be without what is carried over."""
    counts = loading(RANDOM(13), 200, [0.3, 0.33], Habits(0.6, carried=carried))
    return min(simulate.never_outside(counts, (0.3, 0.33)))


def test_loads_that_are_off_by_two_points_are_found_within_four_weeks() -> None:
    random = numpy.random.default_rng(20)
    found = 0
    for _ in range(50):
        second = random.binomial(2_000, 0.52, 28)
        days = [(date(2026, 1, day + 1), (int(2_000 - one), int(one))) for day, one in enumerate(second)]
        found += check_split(days, 2).since is not None
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
