"""Links that were made elsewhere, taken in from the platform where it can be read.

The platform lists links per video only, so a page looks at a few videos each time, those not looked at for longest first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.core.cache import cache

from dashboard import clients
from dashboard.platform_api import errors
from dashboard.platform_api.records import Video
from dashboard.shared.fan_out import Failed, Ready, gather
from dashboard.shared.http import OwnerRequest
from dashboard.shared.single_flight import shared_read
from review_portal import links

SECONDS: Final = 60
"""How long what was found of a video counts as new."""
AT_ONCE: Final = 12
"""Videos looked at per page, of a platform that is a network away."""
PAGE: Final = 100
MOST: Final = 500


@dataclass(frozen=True)
class Looked:
    """How far the account's videos have been looked through: `total` None where links cannot be read."""

    through: int = 0
    total: int | None = None
    error: errors.PlatformError | None = None

    @property
    def complete(self) -> bool:
        return self.total is None or self.through >= self.total


def look(request: OwnerRequest, most: int | None = None) -> Looked:
    """Take in links of videos that were not looked at for a while; with `most`, of no more than so many."""
    if not links.can_be_read():
        return Looked()
    try:
        videos = _videos(request)
    except errors.BadToken:
        raise
    except errors.PlatformError as error:
        return Looked(0, 0, error)
    names = {video.id: _mark(request, video.id) for video in videos}
    marks = cache.get_many(names.values())
    waiting = [video for video in videos if names[video.id] not in marks]
    batch = waiting[:most] if most else waiting if clients.embedded() else waiting[:AT_ONCE]
    found = gather(None, **{video.id: partial(take, request, video) for video in batch})
    done = sum(isinstance(outcome, Ready) for outcome in found.values())
    trouble = next((outcome.error for outcome in found.values() if isinstance(outcome, Failed)), None)
    return Looked(len(videos) - len(waiting) + done, len(videos), trouble)


def take(request: OwnerRequest, video: Video) -> int:
    """Take in the links of one video; how many there are. Raises `PlatformError`."""

    def read() -> int:
        listed = clients.platform(request).review_links.list(video.id)
        for link in links.of_video(listed, video):
            links.remember(request.account, link, video)
        cache.set(_mark(request, video.id), 1, SECONDS)
        return len(listed)

    return shared_read(f"review-links:{request.account.pk}:of:{video.id}", SECONDS, read)


def _videos(request: OwnerRequest) -> tuple[Video, ...]:
    return shared_read(f"review-links:{request.account.pk}:videos", SECONDS, lambda: _read_videos(request))


def _read_videos(request: OwnerRequest) -> tuple[Video, ...]:
    videos: list[Video] = []
    for page in range(1, MOST // PAGE + 1):
        found = clients.platform(request).videos.list(page=page, limit=PAGE).videos
        videos += found
        if len(found) < PAGE:
            break
    return tuple(videos)


def _mark(request: OwnerRequest, video_id: str) -> str:
    return f"review-links:{request.account.pk}:looked:{video_id}"


def read(rows: Sequence[Any], most: int | None = None) -> errors.PlatformError | None:
    """Bring in new comments of the links that a page shows, those not read for longest first; the first error of it."""
    if not links.can_be_read():
        return None
    waiting = sorted(rows, key=_read_at)
    batch = waiting[:most] if most else waiting if clients.embedded() else waiting[:AT_ONCE]
    outcomes = gather(None, **{str(row.pk): partial(_merged, row) for row in batch})
    return next((outcome.error for outcome in outcomes.values() if isinstance(outcome, Failed)), None)


def _read_at(link: Any) -> float:
    """When the link was last read, whether or not that brought anything new: else quiet links would always be first."""
    at = links.read_at(link)
    return at.timestamp() if at else 0.0


def _merged(link: Any) -> None:
    error = links.merge(link)
    if error is not None:
        raise error
