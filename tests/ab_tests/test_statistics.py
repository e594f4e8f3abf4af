"""Our closed forms and integrals against SciPy's, and against numbers known from the literature."""

from itertools import product

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from dashboard.ab_tests import statistics
from dashboard.ab_tests.statistics import Arm

SIZES = [(120, 7), (500, 250), (4812, 1497), (100_000, 31_000), (2_000_000, 1_999_000)]
PAIRS = [(Arm(*one), Arm(*two)) for one, two in product(SIZES, [(130, 14), (4770, 1603), (90_000, 28_100)])]


@st.composite
def arms(draw: st.DrawFn, least: int = 1, most: int = 200_000) -> Arm:
    viewers = draw(st.integers(least, most))
    return Arm(viewers, draw(st.integers(0, viewers)))


def beta(arm: Arm) -> stats.rv_continuous:
    return stats.beta(arm.played + 1, arm.viewers - arm.played + 1)


@given(arms(), st.sampled_from([0.01, 0.05, 0.1]))
def test_wilson_is_scipys(arm: Arm, alpha: float) -> None:
    ours = statistics.wilson(arm, alpha)
    theirs = stats.binomtest(arm.played, arm.viewers).proportion_ci(1 - alpha, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@given(st.floats(0.0001, 80), st.integers(1, 24))
def test_the_chi_square_tail_is_scipys(value: float, freedom: int) -> None:
    assert statistics.chi_square_tail(value, freedom) == pytest.approx(
        stats.chi2.sf(value, freedom), rel=1e-10, abs=1e-300
    )


@given(st.lists(st.integers(0, 50_000), min_size=2, max_size=6).filter(sum))
def test_the_split_check_is_scipys_chi_square(seen: list[int]) -> None:
    ours = statistics.split_probability(seen, [1.0] * len(seen))
    assert ours == pytest.approx(stats.chisquare(seen).pvalue, rel=1e-9, abs=1e-300)


@given(arms(), st.floats(0, 1))
@settings(deadline=None)
def test_a_posterior_is_scipys_beta(arm: Arm, rate: float) -> None:
    ours = statistics.Posterior(arm)
    assert ours.below(rate) == pytest.approx(beta(arm).cdf(rate), abs=1e-9)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_chance_of_being_best_is_the_integral_that_scipy_finds(first: Arm, second: Arm) -> None:
    got = statistics.chances([first, second])
    narrow, wide, flip = (first, second, False) if beta(first).std() < beta(second).std() else (second, first, True)
    low, high = beta(narrow).ppf([1e-14, 1 - 1e-14])
    below, _ = integrate.quad(
        lambda rate: beta(narrow).pdf(rate) * beta(wide).cdf(rate), low, high, epsabs=1e-11, limit=400
    )
    expected = below if not flip else 1 - below
    assert got.best[0] == pytest.approx(expected, abs=2e-8)
    assert sum(got.best) == pytest.approx(1, abs=1e-9)


def test_chances_and_losses_of_four_variants_are_those_of_a_large_draw() -> None:
    four = [Arm(900, 270), Arm(1100, 352), Arm(1000, 331), Arm(150, 40)]
    random = numpy.random.default_rng(20261120)
    draws = numpy.array([random.beta(arm.played + 1, arm.viewers - arm.played + 1, 400_000) for arm in four])
    got = statistics.chances(four)
    top = draws.max(axis=0)
    for index in range(4):
        others = numpy.delete(draws, index, axis=0).max(axis=0)
        assert got.best[index] == pytest.approx((draws[index] == top).mean(), abs=0.003)
        assert got.loss[index] == pytest.approx(numpy.maximum(others - draws[index], 0).mean(), rel=0.02)


MIDDLES = (numpy.arange(50_000) + 0.5) / 50_000


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_credible_ranges_hold_the_share_they_claim(first: Arm, second: Arm) -> None:
    ours = statistics.credible_difference(first, second)
    lift = statistics.credible_lift(first, second)
    low, high = beta(first).ppf([1e-13, 1 - 1e-13])
    rates = low + (high - low) * MIDDLES
    mass = (high - low) / len(MIDDLES) * beta(first).pdf(rates)
    for share, difference, ratio in ((0.025, ours.low, lift.low), (0.975, ours.high, lift.high)):
        assert (mass * beta(second).cdf(rates + difference)).sum() == pytest.approx(share, abs=1e-6)
        assert (mass * beta(second).cdf(rates * (1 + ratio))).sum() == pytest.approx(share, abs=1e-6)


def test_credible_ranges_of_hopeless_arms_are_still_ranges() -> None:
    nothing, all_of_them = Arm(0, 0), Arm(300, 300)
    assert statistics.credible_difference(nothing, all_of_them).low > -0.1
    assert statistics.credible_lift(all_of_them, nothing).low > -1
    assert statistics.wilson(nothing) == statistics.Interval(0, 1)
    assert statistics.always_valid(nothing, all_of_them) == statistics.Interval(-1, 1)
    assert statistics.chances([nothing, nothing]).best == pytest.approx((0.5, 0.5), abs=1e-9)


def test_the_always_valid_range_is_the_published_formula_and_always_wider_than_one_look() -> None:
    one, two = Arm(4812, 1497), Arm(4770, 1603)
    variance = one.rate * (1 - one.rate) / one.viewers + two.rate * (1 - two.rate) / two.viewers
    prior = 0.03**2
    half = numpy.sqrt(
        variance * (variance + prior) / prior * (2 * numpy.log(1 / 0.05) + numpy.log((variance + prior) / variance))
    )
    got = statistics.always_valid(one, two)
    assert (got.high - got.low) / 2 == pytest.approx(half)
    assert half > 1.96 * numpy.sqrt(variance)


@given(arms(least=100), arms(least=100), st.sampled_from([0.01, 0.05, 0.1]))
def test_swapping_two_variants_mirrors_their_range(one: Arm, two: Arm, alpha: float) -> None:
    there, back = statistics.always_valid(one, two, alpha), statistics.always_valid(two, one, alpha)
    assert (there.low, there.high) == (-back.high, -back.low)


@pytest.mark.parametrize(
    ("base", "lift", "viewers"),
    [(0.10, 0.10, 14_751), (0.10, 0.20, 3_841), (0.30, 0.20, 963), (0.50, 0.10, 1_565), (0.70, 0.20, 141)],
)
def test_one_look_needs_the_textbooks_number_of_viewers(base: float, lift: float, viewers: int) -> None:
    assert statistics.single_look_size(base, lift) == viewers


@pytest.mark.parametrize("base", [0.02, 0.1, 0.3, 0.7])
def test_looking_every_day_costs_more_viewers_than_one_look_and_less_for_larger_lifts(base: float) -> None:
    small, large = statistics.always_valid_size(base, 0.05), statistics.always_valid_size(base, 0.2)
    assert large < small
    assert small > statistics.single_look_size(base, 0.05)


@pytest.mark.parametrize(("viewers", "played"), [(10, 11), (-1, 0), (5, -1)])
def test_more_plays_than_people_are_no_arm(viewers: int, played: int) -> None:
    with pytest.raises(ValueError, match="no more"):
        Arm(viewers, played)
