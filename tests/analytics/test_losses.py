"""Minutes lost against the typical curve of like videos: exact, never negative, never compared with itself."""

from dataclasses import replace
from itertools import pairwise
from math import isclose
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.analytics import rules
from dashboard.analytics.rules import SHARES, STEPS, PlayedVideo, Verdict
from dashboard.shared.retention import build_curve

FLAT = (SHARES,) + (SHARES // 2,) * STEPS


def falling(shares: list[int]) -> tuple[int, ...]:
    """A curve through these shares, at equal distances, straight between."""
    parts = len(shares) - 1
    return tuple(
        round(rules.interpolate([float(share) for share in shares], step * parts / STEPS)) for step in range(STEPS + 1)
    )


CURVES = st.lists(st.integers(0, SHARES), min_size=3, max_size=6).map(falling)
VIDEOS = st.lists(st.tuples(st.sampled_from([50.0, 60.0, 72.0, 80.0, 100.0, 300.0]), st.integers(100, 9_000), CURVES))


def video_of(number: int, length: float = 600.0, plays: int = 1_000, curve: tuple[int, ...] = FLAT) -> PlayedVideo:
    return PlayedVideo(str(number), length, plays, curve)


def loss_of(curve: tuple[int, ...], typical: tuple[int, ...] = FLAT, **of: float) -> rules.Loss:
    video = replace(video_of(0, curve=curve), **of)  # type: ignore[arg-type]
    return rules.measure_loss(video, tuple(map(float, typical)))


@given(VIDEOS)
def test_typical_curve_is_the_median_of_the_other_videos_of_like_length(
    rows: list[tuple[float, int, tuple[int, ...]]],
) -> None:
    videos = [video_of(number, *row) for number, row in enumerate(rows)]
    results = {video.id: (alike, loss) for video, alike, loss in rules.list_losses(videos)}
    assert results.keys() == {video.id for video in videos}
    for video in videos:
        others = [other for other in videos if other is not video]
        alike = [other for other in others if 0.8 * video.length <= other.length <= 1.2 * video.length]
        count, loss = results[video.id]
        assert count == len(alike)
        if len(alike) < rules.ALIKE_LEAST:
            assert loss is None
        else:
            assert loss is not None
            assert loss.typical == tuple(
                median(shares) for shares in zip(*(other.curve for other in alike), strict=True)
            )


@given(CURVES, CURVES, st.integers(100, 100_000), st.floats(1, 20_000))
def test_loss_is_the_area_below_the_typical_curve_and_never_negative(
    own: tuple[int, ...], typical: tuple[int, ...], plays: int, length: float
) -> None:
    loss = loss_of(own, typical, plays=plays, length=length)
    assert loss.minutes >= 0 and (loss.minutes > 0) == (loss.moment is not None)
    if loss.moment is None:
        return
    fine = 50
    gaps = [
        rules.interpolate(typical, step / fine) - rules.interpolate(own, step / fine)
        for step in range(STEPS * fine + 1)
    ]
    summed = sum(max(0.0, (before + after) / 2) for before, after in pairwise(gaps))
    minutes = summed / SHARES / STEPS / fine * length / 60 * plays
    assert isclose(loss.minutes, minutes, rel_tol=0.001)
    assert loss.moment.usual > loss.moment.share, "what is said of the moment is true"
    assert 0 <= loss.moment.at <= loss.moment.later <= length * (1 + 1e-9)


@given(CURVES, CURVES)
def test_what_is_lost_less_what_is_won_is_the_difference_of_the_means(
    own: tuple[int, ...], typical: tuple[int, ...]
) -> None:
    lost, won = (loss_of(*pair, plays=10**9, length=60.0).minutes for pair in ((own, typical), (typical, own)))
    areas = [(curve[0] / 2 + sum(curve[1:-1]) + curve[-1] / 2) / STEPS / SHARES for curve in (typical, own)]
    assert isclose(lost - won, (areas[0] - areas[1]) * 10**9, abs_tol=10**6)


def test_loss_grows_with_plays_and_length() -> None:
    low = (SHARES,) + (SHARES // 4,) * STEPS
    once = loss_of(low)
    assert isclose(once.minutes, 1_000 * 10 * 0.25 * (1 - 0.5 / STEPS))
    assert isclose(loss_of(low, plays=2_000).minutes, 2 * once.minutes)
    assert isclose(loss_of(low, length=1_200.0).minutes, 2 * once.minutes)


def test_moment_is_where_the_fall_begins_and_tells_a_minute_later() -> None:
    at, depth = 35, 2_000
    curve = tuple(share - (depth if step > at else 0) for step, share in enumerate(falling([SHARES, 4_000])))
    loss = loss_of(curve, falling([SHARES, 4_000]))
    assert loss.moment is not None
    assert loss.moment.at == 600 * at / STEPS and loss.moment.later == loss.moment.at + 60
    assert isclose(loss.moment.usual - loss.moment.share, depth / SHARES)


@pytest.mark.parametrize(("share", "minutes"), [(5_000, 0.0), (4_572, 0.0), (4_569, True), (9_000, 0.0)])
def test_gap_that_chance_explains_is_no_loss(share: int, minutes: float) -> None:
    """Of 1,000 plays, chance moves a share by 4.3 points."""
    loss = loss_of((SHARES,) + (share,) * STEPS)
    assert bool(loss.minutes) == bool(minutes) and (loss.moment is None) == (not minutes)


def test_video_that_begins_lower_loses_from_its_first_second() -> None:
    loss = loss_of((5_000,) * (STEPS + 1), (SHARES,) * (STEPS + 1))
    assert loss.moment is not None and loss.moment.at == 0 and isclose(loss.minutes, 5_000)


@pytest.mark.parametrize(
    ("plays", "length", "days", "verdict"),
    [
        (None, 60.0, 9, Verdict.PLAYS_UNKNOWN),
        (99, 60.0, 9, Verdict.FEW_PLAYS),
        (100, 60.0, 6, Verdict.NEW),
        (100, 60.0, 7, None),
        (100, 60.0, None, None),
        (100, None, 7, Verdict.NO_LENGTH),
        (100, 0.0, 7, Verdict.NO_LENGTH),
    ],
)
def test_video_is_judged_from_a_hundred_plays_and_seven_days_on(
    plays: float | None, length: float | None, days: int | None, verdict: Verdict | None
) -> None:
    assert rules.find_obstacle(plays, length, days) is verdict


def test_curve_is_sampled_between_its_seconds_and_held_at_its_ends() -> None:
    curve = rules.sample_curve(build_curve({2: 100, 4: 50, 8: 50}), 12.0)
    assert curve is not None and len(curve) == STEPS + 1
    assert (curve[0], curve[20], curve[30], curve[40], curve[-1]) == (SHARES, SHARES, 7_500, 5_000, 5_000)
    assert rules.sample_curve(build_curve({0: 100, 8: 50}), 12.0) is None, "two points are no curve"
