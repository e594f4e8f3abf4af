"""Frame rates and SMPTE timecode: seconds to frames, frames to labels and back.

Comments are second-accurate, unless their exact frame is known (`frame_at`). At whole and at non-drop rates a comment's
frame is the first one that starts within its second of real time. Drop-frame timecode is clock time to within three frames,
so there the comment's own time is its label: 1:00 is 00:01:00;02, the first label of that second that exists.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

DAY: Final = 24 * 60 * 60

_LABEL = re.compile(r"(\d{1,2}):(\d{2}):(\d{2})[:;.,](\d{2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class FrameRate:
    """`key` names the rate in addresses and cookies; `nominal` is the number of labels in a second."""

    key: str
    nominal: int
    ntsc: bool = False
    drop: bool = False

    @property
    def exact(self) -> Fraction:
        """Frames in a second of real time: 30000/1001 for 29.97."""
        return Fraction(self.nominal * 1000, 1001) if self.ntsc else Fraction(self.nominal)

    @property
    def dropped(self) -> int:
        """Labels left out at the start of each minute that is no tenth: 2 at 29.97, 4 at 59.94."""
        return self.nominal // 15 if self.drop else 0


_ALL = (
    FrameRate("23.976", 24, ntsc=True),
    FrameRate("24", 24),
    FrameRate("25", 25),
    FrameRate("29.97df", 30, ntsc=True, drop=True),
    FrameRate("29.97", 30, ntsc=True),
    FrameRate("30", 30),
    FrameRate("50", 50),
    FrameRate("59.94df", 60, ntsc=True, drop=True),
    FrameRate("59.94", 60, ntsc=True),
    FrameRate("60", 60),
)
RATES: Final = {rate.key: rate for rate in _ALL}
DEFAULT_RATE: Final = RATES["25"]
DEFAULT_START: Final = "01:00:00:00"
"""Where the timelines of DaVinci Resolve begin unless somebody changes it."""

Reason = Literal["form", "hours", "minutes", "seconds", "frames", "dropped"]


class BadTimecode(ValueError):
    """A timecode that cannot be: `reason` names the part that is wrong, "dropped" a label that drop-frame leaves out."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


def frame_of(seconds: int, rate: FrameRate) -> int:
    """The frame, from 0, of a comment at `seconds`."""
    if not rate.drop:
        return -((-seconds * rate.exact.numerator) // rate.exact.denominator)  # rounded up
    minutes, second = divmod(seconds, 60)
    exists = second or minutes % 10 == 0
    return seconds * rate.nominal - _dropped_before(minutes, rate) + (0 if exists else rate.dropped)


def frame_at(microseconds: int, rate: FrameRate) -> int:
    """The frame, from 0, that is shown at that moment: its begin may have been rounded down to the microsecond."""
    return int(Fraction(microseconds, 1_000_000) * rate.exact + Fraction(1, 1000))


def label(frame: int, rate: FrameRate) -> str:
    """Frame 90000 at 25 as 01:00:00:00; drop-frame labels carry a semicolon. Past a day it starts again, as clocks do."""
    count = frame
    if rate.drop:
        tens, rest = divmod(frame, _in_ten_minutes(rate))
        first, minute = rate.nominal * 60, rate.nominal * 60 - rate.dropped
        passed = 0 if rest < first else (rest - first) // minute + 1
        count += rate.dropped * (9 * tens + passed)
    seconds, frames = divmod(count, rate.nominal)
    minutes, second = divmod(seconds % DAY, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours:02}:{minute:02}:{second:02}{';' if rate.drop else ':'}{frames:02}"


def parse(text: str, rate: FrameRate) -> int:
    """The frame of a label; the mark before the frames may be any of `: ; . ,`.

    Raises `BadTimecode`.
    """
    match = _LABEL.fullmatch(text.strip())
    if not match:
        raise BadTimecode("form")
    hours, minutes, seconds, frames = (int(part) for part in match.groups())
    limits: tuple[tuple[Reason, int, int], ...] = (
        ("hours", hours, 24),
        ("minutes", minutes, 60),
        ("seconds", seconds, 60),
        ("frames", frames, rate.nominal),
    )
    for reason, value, limit in limits:
        if value >= limit:
            raise BadTimecode(reason)
    if seconds == 0 and frames < rate.dropped and minutes % 10:
        raise BadTimecode("dropped")
    total_minutes = hours * 60 + minutes
    return (total_minutes * 60 + seconds) * rate.nominal + frames - _dropped_before(total_minutes, rate)


def _dropped_before(minutes: int, rate: FrameRate) -> int:
    return rate.dropped * (minutes - minutes // 10)


def _in_ten_minutes(rate: FrameRate) -> int:
    return rate.nominal * 600 - rate.dropped * 9
