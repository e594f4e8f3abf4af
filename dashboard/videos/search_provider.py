"""Videos in the search: by title, as the platform searches them, or by an id that was pasted."""

from collections.abc import Iterator
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import Missing
from dashboard.platform_api.videos import Video
from dashboard.search.registry import MOST, Found, finds
from dashboard.shared import formats
from dashboard.shared.addresses import address, video_address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.reads import Query
from dashboard.videos.rows import status_label

SECONDS = 10.0


@finds("videos", title=gettext_noop("Videos"), order=30)
def videos(request: OwnerRequest, words: str) -> Iterator[Found]:
    """By title or id; where there are more, the library shows them all."""
    page = reads.of(request).get(Query(lambda platform: platform.videos.list(limit=MOST, title=words), SECONDS))
    for video in (*_by_id(request, words), *page.videos[: MOST - 1]):
        yield Found(video_address(video.id), "play", video.title or video.id, _note(video))
    if len(page.videos) >= MOST:
        yield Found(address("videos:videos", q=words), "search", _("All videos with “%(words)s”") % {"words": words})


def _by_id(request: OwnerRequest, text: str) -> tuple[Video, ...]:
    try:
        video_id = UUID(text)
        return (reads.of(request).get(lambda platform: platform.videos.get(video_id)),)
    except (ValueError, Missing):
        return ()


def _note(video: Video) -> str:
    return formats.clock(video.length) if video.length else status_label(video.status)
