"""Minutes lost: how much less of a video is watched than of the account's own videos of like length. Pure.

A curve is the share of players still watching at equal steps of a video's length, from its first moment to its last. The
typical curve of a video is the median, step by step, of the others that are 80 to 120 % as long. What is lost is the area
by which the video lies below it, times length and plays; where it lies above, nothing is won back.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from dashboard.shared.retention import Curve, get_ks_half_widths

STEPS: Final = 120
SHARES: Final = 10_000
"""Shares are whole ten-thousandths, so that a kept curve is short and sums are exact."""
PLAYS_LEAST: Final = 100
DAYS_LEAST: Final = 7
ALIKE_LEAST: Final = 8
SHORTEST, LONGEST = 0.8, 1.2
"""How long a like video is, compared with the video."""
POINTS_LEAST: Final = 3
FALL_STEPS: Final = 4
"""Steps over which the gap's growth is looked for: a single one may be noise."""
LATER: Final = 60.0
"""Seconds after the moment at which both curves are told."""
SLACK: Final = 1e-9


class Verdict(StrEnum):
    """What can be said of a video. From `FEW_PLAYS` on: why nothing can."""

    LOSES = "loses"
    USUAL = "usual"
    FEW_PLAYS = "few_plays"
    PLAYS_UNKNOWN = "plays_unknown"
    NEW = "new"
    NO_LENGTH = "no_length"
    NO_CURVE = "no_curve"
    FEW_ALIKE = "few_alike"


JUDGED: Final = (Verdict.LOSES, Verdict.USUAL)


@dataclass(frozen=True)
class PlayedVideo:
    """A video that can be compared: its length in seconds, its plays, and its curve."""

    id: str
    length: float
    plays: int
    curve: tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """Where more people leave than usual, in seconds, and the shares still watching a little later (0 to 1)."""

    at: float
    later: float
    share: float
    usual: float


@dataclass(frozen=True)
class Loss:
    """What a video loses, in minutes, and the typical curve that it was compared with.

    `moment` is None where it loses no more than chance explains; `minutes` is 0 then.
    """

    minutes: float
    typical: tuple[float, ...]
    moment: Moment | None


def find_obstacle(plays: float | None, length: float | None, days: int | None) -> Verdict | None:
    """Why a video cannot be judged whatever its curve is; None where it may be. `days`: whole days it has been there."""
    if plays is None:
        return Verdict.PLAYS_UNKNOWN
    if plays < PLAYS_LEAST:
        return Verdict.FEW_PLAYS
    if days is not None and days < DAYS_LEAST:
        return Verdict.NEW
    return None if length is not None and length > 0 else Verdict.NO_LENGTH


def sample_curve(curve: Curve, length: float) -> tuple[int, ...] | None:
    """The curve at equal steps of the length; None where it has too few seconds to be one.

    Before its first second everybody is there who is there then; after its last one nobody else leaves.
    """
    if len(curve.seconds) < POINTS_LEAST or length <= 0:
        return None
    first, last = curve.seconds[0], curve.seconds[-1]
    seconds = (min(max(length * step / STEPS, first), last) for step in range(STEPS + 1))
    return tuple(round((curve.at(second) or 0.0) * SHARES) for second in seconds)


def list_losses(videos: Sequence[PlayedVideo]) -> Iterator[tuple[PlayedVideo, int, Loss | None]]:
    """Each video, how many others are of like length, and its loss; None where they are fewer than `ALIKE_LEAST`.

    The like videos are a window that moves along the lengths: each curve enters its sorted columns once and leaves them once.
    """
    by_length = sorted(videos, key=lambda video: (video.length, video.id))
    columns: list[list[int]] = [[] for _step in range(STEPS + 1)]
    start = end = 0
    for video in by_length:
        while end < len(by_length) and by_length[end].length <= video.length * LONGEST + SLACK:
            for column, share in zip(columns, by_length[end].curve, strict=True):
                insort(column, share)
            end += 1
        while by_length[start].length < video.length * SHORTEST - SLACK:
            for column, share in zip(columns, by_length[start].curve, strict=True):
                del column[bisect_left(column, share)]
            start += 1
        alike = end - start - 1
        if alike < ALIKE_LEAST:
            yield video, alike, None
        else:
            typical = tuple(map(_get_median_without, columns, video.curve))
            yield video, alike, measure_loss(video, typical)


def _get_median_without(column: Sequence[int], own: int) -> float:
    """The median of a sorted column of which one value, its `own`, does not count."""
    position, rest = bisect_left(column, own), len(column) - 1
    low, high = ((rest - 1) // 2, rest // 2)
    return (column[low + (low >= position)] + column[high + (high >= position)]) / 2


def measure_loss(video: PlayedVideo, typical: tuple[float, ...]) -> Loss:
    """What the video loses against its typical curve. A gap that so few plays open by chance counts as none."""
    gaps = [usual - own for usual, own in zip(typical, video.curve, strict=True)]
    if max(gaps) <= get_ks_half_widths([video.plays])[0] * SHARES:
        return Loss(0.0, typical, None)
    area = sum(map(_integrate_above_zero, gaps, gaps[1:])) / STEPS / SHARES
    return Loss(area * video.length / 60 * video.plays, typical, _find_moment(video, typical, gaps))


def _integrate_above_zero(first: float, second: float) -> float:
    """The area above zero of a straight line over one step."""
    if first >= 0 and second >= 0:
        return (first + second) / 2
    above = max(first, second)
    return above * above / (abs(first) + abs(second)) / 2 if above > 0 else 0.0


def _find_moment(video: PlayedVideo, typical: Sequence[float], gaps: Sequence[float]) -> Moment:
    """Where the gap grows most within a few steps, at the step where that begins; one that is there from the start is at 0."""
    growth = [after - before if after > 0 else 0.0 for before, after in zip(gaps, gaps[FALL_STEPS:], strict=False)]
    best = max(growth)
    if gaps[0] >= best:
        step, end = 0, max(index for index, gap in enumerate(gaps[: FALL_STEPS + 1]) if gap > 0)
    else:
        begin = next(index for index, grown in enumerate(growth) if grown >= best - SLACK)
        end = begin + FALL_STEPS
        steps = [after - before for before, after in pairwise(gaps[begin : end + 1])]
        step = begin + next(index for index, grown in enumerate(steps) if grown >= max(steps) / 2)
    at = video.length * step / STEPS
    minute_later = (at + LATER) / video.length * STEPS
    if at + LATER < video.length and interpolate(gaps, minute_later) > 0:
        later, told = at + LATER, minute_later
    else:
        later, told = video.length * end / STEPS, float(end)
    return Moment(at, later, interpolate(video.curve, told) / SHARES, interpolate(typical, told) / SHARES)


def interpolate(values: Sequence[float], step: float) -> float:
    """The value between two steps, on a straight line."""
    index = min(int(step), len(values) - 2)
    return values[index] + (values[index + 1] - values[index]) * (step - index)
