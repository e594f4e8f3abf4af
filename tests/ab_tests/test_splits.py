"""The split of people, looked at every day: it turns wrong with its date, and stays so."""

from datetime import date, timedelta

import numpy

from dashboard.ab_tests.splits import Split, check_split

HALVES = (0.5, 0.5)
FIRST = date(2026, 11, 1)


def days(*counts: tuple[int, ...]) -> list[tuple[date, tuple[int, ...]]]:
    return [(FIRST + timedelta(days=at), people) for at, people in enumerate(counts)]


def test_a_split_that_goes_wrong_says_since_when_and_stays_wrong_after_it_recovers() -> None:
    fair, wrong, back = [(1_010, 990), (985, 1_015)] * 3, [(900, 1_300)] * 3, [(1_230, 960)] * 5
    found = check_split(days(*fair, *wrong, *back), HALVES)
    assert found.state is Split.WRONG and found.since is not None
    assert date(2026, 11, 7) <= found.since <= date(2026, 11, 9)
    assert found.then[1] > 0.52 and abs(found.shares[1] - 0.5) < 0.01 and found.recovered


def test_a_split_that_an_earlier_read_found_wrong_is_wrong_whatever_the_numbers_say_now() -> None:
    fair = days(*[(1_010, 990), (985, 1_015)] * 4)
    assert check_split(fair, HALVES).state is Split.FAIR
    found = check_split(fair, HALVES, FIRST)
    assert (found.state, found.since, found.recovered) == (Split.WRONG, FIRST, True)


def test_the_intended_split_is_what_counts() -> None:
    uneven = days(*[(700, 300), (690, 310)] * 4)
    assert check_split(uneven, get_expected_shares([70, 30], 2)).state is Split.FAIR
    assert check_split(uneven, get_expected_shares([], 2)).state is Split.WRONG
    assert get_expected_shares([70, 30], 3) == (1 / 3,) * 3, "shares of another number of variants mean nothing"


def test_a_wrong_split_needs_both_an_improbable_and_a_visible_deviation() -> None:
    speck = days(*[(50_040_000, 49_960_000)] * 2)
    assert check_split(speck, HALVES).state is not Split.WRONG


def test_totals_without_days_are_judged_by_one_look() -> None:
    assert check_split(days((6_000, 4_000)), HALVES).state is Split.WRONG
    assert check_split(days((5_050, 4_950)), HALVES).state is Split.FAIR
    assert check_split([], HALVES).shares == HALVES


def test_days_that_scatter_weigh_less() -> None:
    noise = numpy.random.default_rng(5).normal(0, 0.05, 28)
    shares = noise - noise.mean() + 0.515
    found = check_split(days(*[(round(2_000 * (1 - share)), round(2_000 * share)) for share in shares]), HALVES)
    assert found.state is Split.FAIR
    assert check_split(days(*[(970, 1_030)] * 28), HALVES).state is Split.WRONG
