"""The exact frame of a comment, which the platform does not know: it keeps whole seconds, floored.

A frame is the microsecond at which its picture begins, with the film's rate as the browser measured it. It counts only as
long as it lies within the comment's second: a comment whose time was changed has no frame, here or elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Self

SECOND: Final = 1_000_000
MEASURED_RATES: Final = frozenset({"12", "12.5", "15", "23.976", "24", "25", "29.97", "30", "48", "50", "59.94", "60"})
"""What `js/review_portal/rate.js` tells apart."""
_ROUNDED: Final = Fraction(1, 1000)
"""Of a frame: a begin that was rounded down to its microsecond still counts as begun."""
_NTSC: Final = {"23.976": Fraction(24000, 1001), "29.97": Fraction(30000, 1001), "59.94": Fraction(60000, 1001)}


@dataclass(frozen=True, slots=True)
class FrameTime:
    """Where a frame begins, in microseconds. `rate`: frames a second as measured, one of `MEASURED_RATES`; "": not known."""

    microseconds: int
    rate: str = ""

    @property
    def second(self) -> int:
        return self.microseconds // SECOND

    def to_kept(self) -> dict[str, Any]:
        """As a write stores it."""
        return {"microseconds": self.microseconds, "rate": self.rate}

    @classmethod
    def from_kept(cls, fields: Mapping[str, Any] | None) -> Self | None:
        return cls(fields["microseconds"], fields["rate"]) if fields else None


def parse_frame(typed: str, second: int, rate: str = "") -> FrameTime | None:
    """The frame that a form names, of a comment at `second`. None for all that is no frame of it: the second counts then."""
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 15):
        return None
    frame = FrameTime(int(typed), rate if rate in MEASURED_RATES else "")
    return frame if frame.second == second else None


def count_frames(microseconds: int, rate: Fraction) -> int:
    """How many frames of that rate have ended before this moment."""
    return int(Fraction(microseconds, SECOND) * rate + _ROUNDED)


def format_timecode(frame: FrameTime, rate: str = "") -> str:
    """`00:00:42:11`: the clock, and the frame within that second. `rate`: where the frame's own is not known.

    `00:00:42.440`, in milliseconds, where no rate is. Editing rooms get their own timecode (`exports.timecode`).
    """
    minutes, second = divmod(frame.second, 60)
    start = f"{minutes // 60:02}:{minutes % 60:02}:{second:02}"
    within, frames = frame.microseconds % SECOND, frame.rate or rate
    if not frames:
        return f"{start}.{within // 1000:03}"
    return f"{start}:{count_frames(within, _parse_rate(frames)):02}"


def format_middle(frame: FrameTime, rate: str = "") -> str:
    """The middle of the frame in seconds, which no rounding of a browser takes for its neighbour: `42.366667`."""
    frames = frame.rate or rate
    if not frames:
        return _format_seconds(Fraction(frame.microseconds, SECOND))
    exact = _parse_rate(frames)
    return _format_seconds((count_frames(frame.microseconds, exact) + Fraction(1, 2)) / exact)


def _format_seconds(seconds: Fraction) -> str:
    return f"{float(seconds):.6f}".rstrip("0").rstrip(".")


def _parse_rate(rate: str) -> Fraction:
    return _NTSC.get(rate) or Fraction(rate)
