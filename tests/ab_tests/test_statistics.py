"""The engine's closed forms against SciPy's integrals and against what they promise."""

from math import exp, inf, log, pi, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ab_tests import statistics
from dashboard.ab_tests.statistics import Arm, Interval, Mixture

VARIANCES = st.floats(1e-8, 0.01)
EFFECTS = st.floats(0.0005, 0.2)


def bell(value: float, mean: float, deviation: float) -> float:
    """The normal density; SciPy's own takes a hundred times as long for one value."""
    return exp(-(((value - mean) / deviation) ** 2) / 2) / (deviation * sqrt(2 * pi))


def density(mixture: Mixture, effect: float) -> float:
    """How the mixture spreads real differences."""
    near = bell(effect, mixture.effect, 0.3 * mixture.effect)
    far = bell(effect, -mixture.effect, 0.3 * mixture.effect)
    return 0.4 * near + 0.4 * far + 0.2 * bell(effect, 0, mixture.effect)


@pytest.mark.parametrize("variance", [1e-5, 7e-5, 1e-3])
@pytest.mark.parametrize("difference", [0.0, 0.004, -0.03, 0.05])
def test_evidence_is_the_mixture_of_likelihood_ratios(difference: float, variance: float) -> None:
    from scipy import integrate  # takes seconds, and every process of the tests reads this file

    mixture = Mixture(0.03)

    def ratio(effect: float) -> float:
        return density(mixture, effect) * exp(effect * (2 * difference - effect) / (2 * variance))

    points = sorted({-0.03, 0.03, 0.0, difference})
    expected, _error = integrate.quad(ratio, -0.5, 0.5, points=points, limit=2_000, epsabs=0, epsrel=1e-10)
    assert mixture.log_evidence(difference, variance) == pytest.approx(log(expected), abs=1e-6)


@given(VARIANCES, EFFECTS, st.sampled_from([0.4, 0.05, 0.01, 0.002]))
def test_a_range_ends_exactly_where_evidence_reaches_its_limit(variance: float, effect: float, alpha: float) -> None:
    mixture = Mixture(effect)
    reach = mixture.reach(variance, alpha)
    assert mixture.log_evidence(reach, variance) == pytest.approx(-log(alpha), abs=1e-6)
    assert mixture.log_evidence(-reach, variance) == mixture.log_evidence(reach, variance)
    assert reach > NormalDist().inv_cdf(1 - alpha / 2) * sqrt(variance)


@given(VARIANCES, EFFECTS)
def test_ranges_get_narrower_with_people_and_wider_with_certainty(variance: float, effect: float) -> None:
    mixture = Mixture(effect)
    assert mixture.reach(variance / 2, 0.05) < mixture.reach(variance, 0.05) < mixture.reach(variance, 0.01)


def plain_evidence(effect: float, difference: float, variance: float) -> float:
    """`log_evidence` written as one formula, without anything calculated beforehand."""
    narrow, wide = variance + (0.3 * effect) ** 2, variance + effect**2
    near = log(variance / narrow) / 2 - (abs(difference) - effect) ** 2 / (2 * narrow) + log(0.8 / 2)
    far = log(variance / narrow) / 2 - (abs(difference) + effect) ** 2 / (2 * narrow) + log(0.8 / 2)
    around = log(variance / wide) / 2 - difference * difference / (2 * wide) + log(1 - 0.8)
    parts = near, far, around
    return difference * difference / (2 * variance) + max(parts) + log(sum(exp(part - max(parts)) for part in parts))


def plain_reach(effect: float, variance: float, alpha: float) -> float:
    """`reach` by bisection of the plain formula."""
    low, high = 0.0, sqrt(variance)
    while plain_evidence(effect, high, variance) < -log(alpha):
        low, high = high, 2 * high
    for _ in range(40):
        middle = (low + high) / 2
        is_short = plain_evidence(effect, middle, variance) < -log(alpha)
        low, high = (middle, high) if is_short else (low, middle)
    return high


@given(VARIANCES, EFFECTS, st.sampled_from([0.4, 0.1, 0.05, 0.05 / 3, 0.01, 0.002]), st.floats(-0.3, 0.3))
def test_reach_and_evidence_are_those_of_the_plain_formula_to_the_last_bit(
    variance: float, effect: float, alpha: float, difference: float
) -> None:
    mixture = Mixture(effect)
    assert mixture.reach(variance, alpha) == plain_reach(effect, variance, alpha)
    assert mixture.log_evidence(difference, variance) == plain_evidence(effect, difference, variance)


def test_nothing_known_is_a_range_without_end() -> None:
    assert Mixture(0.03).reach(0.0, 0.05) == inf
    assert Mixture(0.03).reach(inf, 0.05) == inf


@given(st.floats(-0.5, 0.5).filter(lambda value: abs(value) > 1e-6), VARIANCES)
def test_the_best_estimate_lies_between_zero_and_what_was_measured(difference: float, variance: float) -> None:
    best = statistics.calculate_best_estimate(difference, variance)
    assert 0 <= best * (1 if difference >= 0 else -1) <= abs(difference) * (1 + 1e-12)
    if difference * difference < 2.99 * variance:
        assert best == 0


@given(st.floats(0.001, 0.9), st.floats(0.001, 0.9), VARIANCES, VARIANCES, st.floats(1, 6))
def test_the_range_of_a_lift_holds_exactly_the_ratios_within_reach(
    first: float, second: float, one: float, two: float, reach: float
) -> None:
    found = statistics.calculate_lift_range(first, second, (one, two), reach)
    for ratio in (0.01, 0.3, 0.9, 0.999, 1.001, 1.2, 4.0, 50.0):
        distance = abs(second - ratio * first) / sqrt(two + ratio * ratio * one)
        if abs(distance - reach) > 1e-6 * reach and found.high != inf:
            assert (found.low < ratio - 1 < found.high) == (distance < reach)
        elif distance < reach * (1 - 1e-6):
            assert found.low <= ratio - 1 <= found.high, "a range without end may hold more, never less"


@given(st.floats(0.001, 0.9), st.floats(0.001, 0.9), VARIANCES, VARIANCES, st.floats(1, 6))
def test_difference_and_lift_are_on_the_same_side_of_zero(
    first: float, second: float, one: float, two: float, reach: float
) -> None:
    half = reach * sqrt(one + two)
    difference = Interval(second - first - half, second - first + half)
    lift = statistics.calculate_lift_range(first, second, (one, two), reach)
    if min(abs(difference.low), abs(difference.high)) > 1e-9:
        assert difference.excludes(0.0) == lift.excludes(0.0)


@pytest.mark.parametrize(("loads", "played"), [(10, 11), (-1, 0), (5, -1)])
def test_more_plays_than_loads_are_no_arm(loads: int, played: int) -> None:
    with pytest.raises(ValueError, match="between 0 and loads"):
        Arm(loads, played)


def test_range_excludes_what_lies_outside_of_it_and_not_its_own_ends() -> None:
    found = Interval(-0.01, 0.03)
    assert [found.excludes(value) for value in (-0.02, -0.01, 0.0, 0.03, 0.04)] == [True, False, False, False, True]


def test_band_holds_a_range_only_when_both_ends_lie_inside_of_it() -> None:
    assert Interval(-0.01, 0.01).within(0.02)
    assert not any(Interval(*ends).within(0.02) for ends in ((-0.02, 0.01), (-0.01, 0.02), (-0.03, 0.03)))


def test_rate_of_an_arm_is_plays_by_loads_and_zero_without_loads() -> None:
    assert (Arm(200, 50).rate, Arm(0, 0).rate) == (0.25, 0.0)


def test_lift_over_a_rate_that_may_be_zero_has_no_upper_end() -> None:
    first, second, variances, reach = 0.1, 0.9, (0.01, 0.0001), 2.0
    lift = statistics.calculate_lift_range(first, second, variances, reach)
    ratio = lift.low + 1
    assert abs(second - ratio * first) == pytest.approx(reach * sqrt(variances[1] + ratio**2 * variances[0]))
    assert lift.low == pytest.approx(1.998, abs=0.01) and lift.high == inf


def test_lift_ends_lie_exactly_within_reach_where_the_first_rate_is_known_well() -> None:
    first, second, variances, reach = 0.3, 0.33, (0.0001, 0.0002), 2.0
    lift = statistics.calculate_lift_range(first, second, variances, reach)
    for ratio in (lift.low + 1, lift.high + 1):
        assert abs(second - ratio * first) == pytest.approx(reach * sqrt(variances[1] + ratio**2 * variances[0]))
    assert lift.low < second / first - 1 < lift.high


def test_lift_is_unbounded_where_both_rates_may_be_the_same_or_zero() -> None:
    assert statistics.calculate_lift_range(0.1, 0.12, (0.01, 0.01), 2.0) == Interval(-1.0, inf)


def test_calculate_normal_cdf_is_a_half_at_zero_and_grows() -> None:
    assert statistics.calculate_normal_cdf(0) == 0.5
    assert statistics.calculate_normal_cdf(1.959964) == pytest.approx(0.975, abs=1e-6)


def test_lift_over_a_rate_of_exactly_zero_is_unbounded() -> None:
    assert statistics.calculate_lift_range(0.0, 0.3, (0.0, 0.0001), 2.0) == Interval(-1.0, inf)


@pytest.mark.parametrize(
    ("difference", "best"), [(0.04, 0.0325), (-0.04, -0.0325), (0.02, 0.005), (0.0173, 0.0), (0.01, 0.0), (0.0, 0.0)]
)
def test_a_difference_is_drawn_to_zero_by_three_times_its_variance(difference: float, best: float) -> None:
    assert statistics.calculate_best_estimate(difference, 1e-4) == pytest.approx(best)
