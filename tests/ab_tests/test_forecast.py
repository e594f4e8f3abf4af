"""The planner and the days that are left: by the rule that judges, in numbers that move the right way."""

from dataclasses import replace

import pytest

from dashboard.ab_tests import forecast, rules
from dashboard.ab_tests.rules import Readout, Verdict
from dashboard.ab_tests.statistics import Mixture
from tests.ab_tests.test_rules import people


def test_the_plan_says_days_first_and_whole_weeks() -> None:
    five, ten, twenty = forecast.list_plan_rows(0.30, 400, 2)
    assert [row.lift for row in (five, ten, twenty)] == [0.05, 0.10, 0.20]
    assert five.days and ten.days and twenty.days and five.days > ten.days > twenty.days >= 7
    assert ten.weeks == -(-ten.days // 7) and ten.loads == ten.days * 200
    assert forecast.list_plan_rows(0.9, 400, 2, [0.2]) == ()
    assert forecast.list_plan_rows(0.3, 0, 2)[0].days is None
    assert forecast.list_plan_rows(0.001, 1, 2, [0.01])[0].days is None


def test_more_variants_need_more_days_and_no_plan_is_shorter_than_a_week() -> None:
    needed = [forecast.get_days_needed(0.3, 0.1, 400 / variants, variants) or 0 for variants in (2, 3, 4, 6)]
    assert needed == sorted(needed) and needed[0] < needed[3]
    assert forecast.get_days_needed(0.5, 0.5, 1e6, 2) == 7


@pytest.mark.parametrize("variants", [2, 4])
def test_the_smallest_lift_of_a_time_is_the_one_that_needs_that_time(variants: int) -> None:
    lifts = [forecast.get_smallest_lift(0.3, 400, variants, 7 * weeks) or 9 for weeks in forecast.PLANNED_WEEKS]
    assert lifts == sorted(lifts, reverse=True)
    for weeks, lift in zip(forecast.PLANNED_WEEKS, lifts, strict=True):
        assert (forecast.get_days_needed(0.3, lift, 400 / variants, variants) or 0) <= 7 * weeks
        assert (forecast.get_days_needed(0.3, lift * 0.95, 400 / variants, variants) or 9_999) > 7 * weeks
    assert forecast.get_smallest_lift(0.3, 1, 2, 7) is None


def wait(read: Readout) -> forecast.Wait:
    found = forecast.get_wait(read.pairs, Mixture(0.03), len(read.counted), read.alpha)
    assert found is not None
    return found


def test_days_left_are_a_range_that_shrinks_as_the_evidence_grows_and_equal_variants_get_none() -> None:
    equal = wait(rules.read_out(people((5000, 1500), (5000, 1510))))
    assert (equal.earliest, equal.latest, equal.maybe_never) == (None, None, True)
    weak, strong = (wait(rules.read_out(people((5000, 1500), (5000, played)))) for played in (1645, 1655))
    assert weak.earliest and weak.latest and strong.earliest and strong.latest
    assert strong.earliest <= weak.earliest < weak.latest and strong.latest <= weak.latest


def test_the_closest_difference_decides_how_long_it_takes() -> None:
    three = rules.read_out(people((5000, 1500), (5000, 1655), (5000, 1100)))
    assert three.verdict is not Verdict.BETTER
    far = replace(three, pairs=three.pairs[1:])
    assert (wait(three).latest or 999) >= (wait(far).latest or 0)
    assert forecast.get_wait((), Mixture(0.03), 2, 0.05) is None


def test_days_left_are_calculated_once_for_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    readout = rules.read_out(people((5000, 1500), (5000, 1645)))
    first = wait(readout)
    monkeypatch.setattr(forecast, "calculate_settled_share", lambda *numbers: pytest.fail("calculated again"))
    assert wait(replace(readout, pairs=tuple(readout.pairs))) == first
    with pytest.raises(pytest.fail.Exception):
        forecast.get_wait(readout.pairs, Mixture(0.031), 2, 0.05)
