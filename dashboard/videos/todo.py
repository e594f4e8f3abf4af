"""What the library says to the owner: videos that could not be converted, and those that are being converted."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.records import VideoPage
from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.shared import words
from dashboard.shared.addresses import address, video_address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.todo import Moving, Rank, Todo, provides
from dashboard.upstream import reads
from dashboard.upstream.reads import Query

SECONDS = 60.0
MOST = 3


def _with(request: OwnerRequest, status: VideoStatus) -> VideoPage:
    return reads.of(request).get(Query(lambda platform: platform.videos.list(limit=MOST, status=status), SECONDS))


@provides("failed_videos")
def failed(request: OwnerRequest) -> Iterator[Todo]:
    """The newest videos that could not be converted."""
    everywhere = address("videos:videos", status=VideoStatus.FAILED.value)
    for video in _with(request, VideoStatus.FAILED).videos:
        if video.status != VideoStatus.FAILED:
            continue  # a platform that does not know the filter answers with everything
        yield Todo(
            rank=Rank.BROKEN,
            shape="error",
            word=_("Failed"),
            title=_("“%(title)s” could not be converted") % {"title": video.title or video.id},
            address=video_address(video.id) or everywhere,
            why=_("%(when)s. Upload it again on the platform.") % {"when": words.ago(video.created_at)}
            if video.created_at
            else _("Upload it again on the platform."),
            action=_("Look"),
            action_address=video_address(video.id),
            at=video.created_at,
        )


@provides("converting_videos")
def converting(request: OwnerRequest) -> Iterator[Moving]:
    """How many are being converted: the platform tells no progress."""
    found = _with(request, VideoStatus.CONVERTING)
    videos = [video for video in found.videos if video.status == VideoStatus.CONVERTING]
    if not videos:
        return
    count = found.total if found.total is not None and len(videos) == len(found.videos) else len(videos)
    title = ngettext("Converting %(count)s video", "Converting %(count)s videos", count) % {
        "count": words.number(count)
    }
    yield Moving(
        title,
        address("videos:videos", status=VideoStatus.CONVERTING.value),
        _("The platform does not say how long it takes."),
        1,
        2,
    )
