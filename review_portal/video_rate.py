"""The frame rate of a video, as the browser measured it during playback (`js/review_portal/rate.js`).

It is stored in a cookie under the link's id, so that the dashboard in the same browser can read it.
"""

import re
from dataclasses import dataclass

from django.http import HttpRequest

from review_portal.exports import RATES, FrameRate

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
