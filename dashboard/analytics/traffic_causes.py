"""Why the traffic of videos changed: new ones, plays, bytes per play, videos that are gone. Pure.

Traffic is plays times bytes per play. Of a video that was played in both periods, the plays' part is their difference at the
mean of both bytes per play, and the rest is what bytes per play changed: the two add up to its difference exactly.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Cause(StrEnum):
    """What changed the traffic of a video, as the address names it."""

    NEW = "new"
    MORE_PLAYS = "more-plays"
    FEWER_PLAYS = "fewer-plays"
    LONGER = "longer"
    SHORTER = "shorter"
    GONE = "gone"
    UNKNOWN = "unknown"
    """Its plays are not known in both periods."""


class VideoChange(NamedTuple):
    """One video's bytes and plays in both periods. Plays are None where nobody knows them.

    `is_new`: created after the earlier period. `is_gone`: the platform has it no more.
    """

    video_id: str
    title: str
    now: float
    past: float
    plays: float | None = None
    past_plays: float | None = None
    folder_id: str = ""
    is_new: bool = False
    is_gone: bool = False

    @property
    def change(self) -> float:
        return self.now - self.past

    def split(self) -> dict[Cause, float]:
        """What each cause added to the traffic of this video, in bytes; together its `change`. Causes of nothing are left out."""
        if self.is_new:
            parts = {Cause.NEW: self.change}
        elif self.is_gone and self.change < 0:
            parts = {Cause.GONE: self.change}
        elif (by_plays := self._measure_plays()) is None:
            parts = {Cause.UNKNOWN: self.change}
        else:
            by_length = self.change - by_plays
            parts = {
                Cause.MORE_PLAYS if by_plays > 0 else Cause.FEWER_PLAYS: by_plays,
                Cause.LONGER if by_length > 0 else Cause.SHORTER: by_length,
            }
        return {cause: size for cause, size in parts.items() if size}

    def _measure_plays(self) -> float | None:
        """What the plays changed, in bytes; None where it cannot be told."""
        if self.plays is None or self.past_plays is None:
            return None
        if (not self.plays and self.now) or (not self.past_plays and self.past):
            return None  # players that only load send bytes too: of bytes without a play there is no size of a play
        if not self.plays or not self.past_plays:
            return self.change
        sizes = self.now / self.plays + self.past / self.past_plays
        return (self.plays - self.past_plays) * sizes / 2


@dataclass(frozen=True)
class CauseSum:
    """What one cause added to the traffic of several videos."""

    cause: Cause
    change: float
    videos: int


def sum_causes(videos: Iterable[VideoChange]) -> list[CauseSum]:
    """The causes of the videos' changes, each with how many videos it changed."""
    sums: dict[Cause, list[float]] = {}
    for video in videos:
        for cause, size in video.split().items():
            sums.setdefault(cause, []).append(size)
    return [CauseSum(cause, sum(sizes), len(sizes)) for cause, sizes in sums.items()]
