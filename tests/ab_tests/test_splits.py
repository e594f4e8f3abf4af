"""The loads of each variant, looked at every day: they turn out uneven with their date, and stay so."""

from datetime import date, timedelta

from dashboard.ab_tests.statistics import Split, check_split

FIRST = date(2026, 11, 1)


def days(*counts: tuple[int, ...]) -> list[tuple[date, tuple[int, ...]]]:
    return [(FIRST + timedelta(days=at), people) for at, people in enumerate(counts)]


def test_a_split_that_goes_wrong_says_since_when_and_stays_wrong_after_it_recovers() -> None:
    fair, wrong, back = [(1_010, 990), (985, 1_015)] * 3, [(900, 1_300)] * 3, [(1_230, 960)] * 5
    found = check_split(days(*fair, *wrong, *back), 2)
    assert found.state is Split.WRONG and found.since is not None
    assert date(2026, 11, 7) <= found.since <= date(2026, 11, 9)
    assert found.then[1] > 0.52 and abs(found.parts[1] - 0.5) < 0.01 and found.recovered


def test_a_split_that_an_earlier_read_found_wrong_is_wrong_whatever_the_numbers_say_now() -> None:
    fair = days(*[(1_010, 990), (985, 1_015)] * 4)
    assert check_split(fair, 2).state is Split.FAIR
    found = check_split(fair, 2, FIRST)
    assert (found.state, found.since, found.recovered) == (Split.WRONG, FIRST, True)


def test_a_wrong_split_needs_both_an_improbable_and_a_visible_deviation() -> None:
    speck = days(*[(50_040_000, 49_960_000)] * 2)
    assert check_split(speck, 2).state is not Split.WRONG


def test_totals_without_days_are_judged_by_one_look() -> None:
    assert check_split(days((6_000, 4_000)), 2).state is Split.WRONG
    assert check_split(days((5_050, 4_950)), 2).state is Split.FAIR
    assert check_split([], 2).parts == (0.5, 0.5)


def test_doubt_comes_before_a_verdict() -> None:
    assert [check_split(days((5_000 - off, 5_000 + off)), 2).state for off in (150, 205, 220)] == [
        Split.FAIR,
        Split.DOUBTFUL,
        Split.WRONG,
    ]
