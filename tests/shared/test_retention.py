"""Retention curves side by side: bands by Kolmogorov and Smirnov, the first second apart, and curves that have none."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.shared import retention

KOLMOGOROV = 1.3580986393225505
"""What Kolmogorov's distribution exceeds once in twenty: SciPy's `stats.kstwobign.isf(0.05)`."""


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_two_bands_part_exactly_at_kolmogorovs_limit(one: int, two: int) -> None:
    limit = KOLMOGOROV * numpy.sqrt(1 / one + 1 / two)
    assert sum(retention.get_ks_half_widths([one, two])) == pytest.approx(limit, rel=1e-3)


@given(st.lists(st.integers(10, 10**6), min_size=3, max_size=6))
def test_bands_of_many_variants_are_never_too_narrow_for_any_pair(sizes: list[int]) -> None:
    widths = retention.get_ks_half_widths(sizes)
    pairs = len(sizes) * (len(sizes) - 1) / 2
    for first in range(len(sizes)):
        for second in range(first):
            limit = numpy.sqrt(-numpy.log(0.05 / pairs / 2) / 2) * numpy.sqrt(1 / sizes[first] + 1 / sizes[second])
            assert widths[first] + widths[second] >= limit * (1 - 1e-12)


def test_percent_and_shares_are_told_apart_and_nonsense_is_left_out() -> None:
    assert retention.build_curve({0: 100, 5: 95.5, 10: 90}).shares == (1, 0.955, 0.9)
    assert retention.build_curve({0: 1.0, 5: 0.5}).shares == (1, 0.5)
    assert retention.build_curve({-1: 50, 0: 100, 3: -2}).seconds == (0,)
    assert retention.build_curve({}).shares == ()


def test_missing_seconds_are_read_off_the_line_between_their_neighbours() -> None:
    curve = retention.build_curve({0: 100, 10: 80})
    assert curve.at(5) == pytest.approx(0.9)
    assert curve.at(11) is None and curve.at(-1) is None
    assert retention.build_curve({}).at(0) is None


def test_curves_are_compared_only_at_seconds_that_both_measured() -> None:
    short, long = (
        retention.build_curve({0: 100, 4: 60, 8: 40, 10: 20}),
        retention.build_curve({0: 100, 4: 91, 8: 90, 20: 80}),
    )
    found = retention.compare([short, long], [1000, 1000])
    assert found.seconds == (0, 4, 8, 10, 20)
    assert found.shares[0] == (1, 0.6, 0.4, 0.2, None)
    assert found.partings[0].at == 4 and found.partings[0].gap == pytest.approx(0.31) and found.untold == ()
    between = retention.build_curve({0: 100, 5: 91, 9: 90, 20: 80})
    found = retention.compare([short, between], [1000, 1000])
    assert found.partings == () and found.untold == ((0, 1),)


def test_the_end_of_the_shorter_film_is_not_compared_because_everybody_leaves_there() -> None:
    short, long = (
        retention.build_curve({0: 100, 4: 90, 8: 85, 10: 0}),
        retention.build_curve({0: 100, 4: 90, 8: 85, 10: 84, 20: 80}),
    )
    assert retention.list_common_seconds(short, long) == (4, 8)
    assert retention.list_common_seconds(short, short) == (4, 8, 10)
    assert retention.compare([short, long], [9000, 9000]).partings == ()


@pytest.mark.parametrize(
    ("points", "half"),
    [
        ({0: 100, 5: 83, 9: 41}, 0.005),
        ({0: 100, 5: 83.5, 9: 41}, 0.0005),
        ({0: 100, 5: 83.25}, 0.00005),
        ({0: 1, 5: 0.5123456}, 0),
    ],
)
def test_bands_are_wider_by_half_of_the_step_to_which_shares_were_rounded(
    points: dict[float, float], half: float
) -> None:
    curve = retention.build_curve(points)
    assert curve.rounding == pytest.approx(half)
    widths = retention.compare([curve, curve], [400, 900]).half_widths
    assert widths == pytest.approx([width + half for width in retention.get_ks_half_widths([400, 900])])


def test_a_curve_that_rises_has_no_bands_because_people_rewound() -> None:
    found = retention.compare(
        [retention.build_curve({0: 100, 5: 60, 10: 70}), retention.build_curve({0: 100})], [500, 500]
    )
    assert found.half_widths == () and found.partings == ()


@pytest.mark.parametrize("sizes", [[500, None], [0, 500]])
def test_without_knowing_how_many_watched_there_are_no_bands(sizes: list[int | None]) -> None:
    curves = [retention.build_curve({0: 100, 5: 10}), retention.build_curve({0: 100, 5: 90})]
    assert retention.compare(curves, sizes).half_widths == ()


def test_one_curve_has_a_band_and_nothing_to_part_from() -> None:
    found = retention.compare([retention.build_curve({0: 100, 5: 10})], [400])
    assert len(found.half_widths) == 1 and found.partings == ()


def test_half_have_left_at_the_first_measured_second_below() -> None:
    assert retention.build_curve({0: 100, 5: 55, 9: 50, 20: 10}).half_gone == 9
    assert retention.build_curve({0: 100, 5: 55}).half_gone is None
