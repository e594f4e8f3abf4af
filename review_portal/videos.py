"""What is known of a link's video: the snapshot stored with the link so that the page opens without a call, and its frames.

The exact frame of a comment is not known to the platform, which keeps whole seconds, floored. A frame is the microsecond at
which its picture begins, with the film's rate as the browser measured it (`js/review_portal/rate.js`). It counts only as
long as it lies within the comment's second: a comment whose time was changed has no frame, here or elsewhere. The measured
rate is in a cookie under the link's id, so that the dashboard in the same browser can read it.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.http import HttpRequest

from dashboard.platform_api.public_files import Bookmark
from dashboard.platform_api.videos import Video
from dashboard.shared import formats
from review_portal.exports.timecode import RATES, FrameRate

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


PLAYER_OPTIONS = {
    "saveProgress": "false", "smartAutoplay": "false", "alternativeProgress": "false",
    "disableForward": "false", "disablePause": "false",
}  # fmt: skip
"""What an owner may have switched on for viewers, and what would keep a reviewer from a moment or bend the clock."""


@dataclass(frozen=True, slots=True)
class Caption:
    """Subtitles in one language; `url` is where the platform serves the WebVTT."""

    lang: str
    label: str
    url: str

    @property
    def name(self) -> str:
        """What it is called where a language is chosen."""
        return self.label or formats.language_name(self.lang, own=True)


@dataclass(frozen=True, slots=True)
class LinkVideo:
    """Title, length in seconds (None: unknown) and where the picture comes from. Addresses may be empty."""

    title: str = ""
    length: float | None = None
    poster: str = ""
    player_url: str = ""
    hls_url: str = ""
    mp4_url: str = ""
    captions: tuple[Caption, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()
    """The video's chapters, by time."""

    @classmethod
    def from_record(cls, video: Video) -> Self:
        return cls(
            title=video.title,
            length=video.length,
            poster=video.thumbnail or "",
            player_url=video.player_url or "",
            hls_url=video.hls_url or "",
            mp4_url=video.mp4_url or "",
            captions=tuple(Caption(s.lang, s.label, s.url or "") for s in video.config_subtitles),
        )

    @classmethod
    def from_kept(cls, fields: Mapping[str, Any]) -> Self:
        """From `ReviewLink.video`; an empty object for a link whose video was never read."""
        known = {
            name: fields[name]
            for name in ("title", "length", "poster", "player_url", "hls_url", "mp4_url")
            if name in fields
        }
        return cls(
            **known,
            captions=tuple(Caption(**caption) for caption in fields.get("captions", ())),
            bookmarks=tuple(Bookmark(**bookmark) for bookmark in fields.get("bookmarks", ())),
        )

    def to_kept(self) -> dict[str, Any]:
        """What `ReviewLink.video` stores."""
        captions = [asdict(caption) for caption in self.captions]
        return asdict(self) | {"captions": captions, "bookmarks": [asdict(bookmark) for bookmark in self.bookmarks]}

    @classmethod
    def keep_record(
        cls, video: Video, known: Mapping[str, Any], bookmarks: tuple[Bookmark, ...] | None = None
    ) -> dict[str, Any]:
        """The same from an answer about the video. One of a list tells no captions: those in `known` stay, if there are any.

        So do its bookmarks, which are read apart: None where they were not.
        """
        fields = replace(cls.from_record(video), bookmarks=bookmarks or ()).to_kept()
        if not video.tells_config:
            del fields["captions"]
        if bookmarks is None:
            del fields["bookmarks"]
        return {name: known[name] for name in ("captions", "bookmarks") if name in known} | fields

    @property
    def last_second(self) -> int | None:
        """The latest `time` a comment may have: floored, never rounded [4.7]. None when the length is unknown."""
        return None if self.length is None else int(self.length)

    def player_at(self, start: int) -> str:
        """The platform's player as a review needs it: its clock true, every moment within reach, begun at `start`."""
        if not self.player_url:
            return ""
        parts = urlsplit(self.player_url)
        begin = {"startTime": str(start)} if start else {}
        options = [*parse_qsl(parts.query, keep_blank_values=True), *(PLAYER_OPTIONS | begin).items()]
        return urlunsplit(parts._replace(query=urlencode(options)))


COOKIE = "film_rates"
"""`f30e395e:23.976|0981cb31:15`: the first group of a link's id, and frames a second."""
_KEPT = re.compile(r"([0-9a-f]{8}):(\d{1,3}(?:\.\d{1,3})?)", re.ASCII)
_LINK = re.compile(r"/([0-9a-f]{8})-[0-9a-f]{4}-", re.ASCII)


@dataclass(frozen=True)
class MeasuredRate:
    """`frames` a second as measured, and the rate of an editing room that shows every one of them, if there is one."""

    frames: str
    rate: FrameRate | None


def get_video_key(request: HttpRequest) -> str:
    """The video's key in the cookie: the first group of the link's id in the address; "" where it names none."""
    match = _LINK.search(request.path)
    return match[1] if match else ""


def get_measured_rate(request: HttpRequest) -> MeasuredRate | None:
    """The measured rate of the video that the address is about, or None."""
    frames = get_rate_of(request, get_video_key(request))
    return MeasuredRate(frames, _find_rate(float(frames))) if frames else None


def get_rate_of(request: HttpRequest, link_id: str) -> str:
    """Frames a second that the browser measured through a link; "" where it has not."""
    rates: dict[str, str] = dict(_KEPT.findall(request.COOKIES.get(COOKIE, "")))
    return rates.get(link_id[:8], "")


def _find_rate(frames: float) -> FrameRate | None:
    """The same rate, counted without drop-frame, else the nearest whole multiple: 15 frames a second fit in 30."""
    plain = [rate for rate in RATES.values() if not rate.drop]
    fits = (rate for times in (1, 2, 3, 4) for rate in plain if abs(frames * times - float(rate.exact)) < 0.01)
    return next(fits, None)
