"""Days compared one by one: no paradox of uneven days, and a range as wide as the days scatter."""

import pytest

from dashboard.ab_tests.statistics import Arm, Mixture, Widening, compare_days, get_unknown_share

MIXTURE = Mixture(0.03)
Day = tuple[Arm, Arm]


def days(*rates: tuple[float, float], people: tuple[int, int] = (1_000, 1_000)) -> list[Day]:
    return [(Arm(people[0], round(people[0] * one)), Arm(people[1], round(people[1] * two))) for one, two in rates]


def test_a_split_that_changes_while_everybody_plays_more_makes_no_difference() -> None:
    mixed = days(*[(0.3, 0.3)] * 7) + days(*[(0.36, 0.36)] * 7, people=(400, 1_600))
    first, second = (sum(day[at].played for day in mixed) / sum(day[at].loads for day in mixed) for at in (0, 1))
    assert second - first > 0.015, "all days together, the second one looks better"
    assert compare_days(mixed, MIXTURE).difference == pytest.approx(0, abs=1e-12)


def test_one_day_of_single_loads_has_the_textbooks_variance() -> None:
    found = compare_days([(Arm(1_000, 300), Arm(500, 200))], MIXTURE)
    assert found.difference == pytest.approx(0.1)
    assert sum(found.variances) == pytest.approx(0.3 * 0.7 / 999 + 0.4 * 0.6 / 499)


def test_days_without_loads_of_one_variant_are_left_out() -> None:
    known = days(*[(0.3, 0.32)] * 8)
    assert compare_days([*known, (Arm(0, 0), Arm(900, 900))], MIXTURE) == compare_days(known, MIXTURE)
    nothing = compare_days([], MIXTURE)
    assert (nothing.days, nothing.difference, nothing.range(MIXTURE, 0.05).low) == (0, 0.0, -1.0)


def test_days_that_jump_widen_the_range_and_steady_ones_do_not() -> None:
    steady = compare_days(days(*[(0.3, 0.32)] * 14), MIXTURE)
    jumping = compare_days(days(*[(0.3, 0.42), (0.3, 0.22)] * 7), MIXTURE)
    assert steady.widening.jumps == 1
    assert jumping.widening.jumps > 10
    assert jumping.difference == pytest.approx(steady.difference, abs=2e-3)


def test_what_is_carried_over_widens_the_range_and_takes_evidence_away() -> None:
    known = days(*[(0.3, 0.34)] * 14)
    plain, carried = compare_days(known, MIXTURE), compare_days(known, MIXTURE, carried=0.01)
    assert carried.variance == plain.variance
    assert carried.range(MIXTURE, 0.05).low == pytest.approx(plain.range(MIXTURE, 0.05).low - 0.01)
    assert carried.log_evidence(MIXTURE) == pytest.approx(MIXTURE.log_evidence(0.03, plain.variance))
    assert carried.lift(MIXTURE, 0.05).low < plain.lift(MIXTURE, 0.05).low
    assert compare_days(known, MIXTURE, carried=1.1).range(MIXTURE, 0.05).low == -1


def test_a_range_starts_out_wider_and_narrows_as_days_come_in() -> None:
    factors = [Widening(unknown=get_unknown_share(known)).factor for known in (7, 14, 28, 90)]
    assert factors == sorted(factors, reverse=True)
    assert factors[0] == 3.5 and factors[1] == pytest.approx(1.31, abs=0.01) and factors[3] < 1.01
