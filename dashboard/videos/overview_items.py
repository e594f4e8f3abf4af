"""What videos tell on other pages: items of the overview, and what the search finds."""

from collections.abc import Iterator
from functools import partial
from uuid import UUID

from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.overview.registry import Moving, Owned, Rank, Todo, provides
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.videos import Video, VideoPage
from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.search.registry import MOST as FOUND_MOST
from dashboard.search.registry import Found, finds
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address, video_address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import page_sources, parallel, reads
from dashboard.upstream.languages import all_languages, look_up
from dashboard.upstream.reads import Query
from dashboard.videos.models import LibraryReading
from dashboard.videos.rows import status_label
from dashboard.videos.tasks import format_read
from dashboard.writes import library_refresh

SECONDS = 60.0
MOST = 3
NEWEST = 12
LOOK_SECONDS = 300
"""How long nobody looks again for a first video with subtitles."""


def _build_query(status: VideoStatus) -> Query[VideoPage]:
    return Query(lambda platform: platform.videos.list(limit=MOST, status=status), SECONDS)


@provides("failed_videos", query=_build_query(VideoStatus.FAILED))
def failed(_request: OwnerRequest, page: VideoPage) -> Iterator[Todo]:
    """The newest videos that could not be converted."""
    everywhere = address("videos:videos", status=VideoStatus.FAILED.value)
    # A platform that does not know the filter answers with everything.
    videos = [video for video in page.videos if video.status == VideoStatus.FAILED]
    if len(videos) > 1:
        count = page.total if page.total is not None and len(videos) == len(page.videos) else len(videos)
        yield Todo(
            rank=Rank.BROKEN,
            shape="error",
            word=formats.number(count),
            title=_("%(count)s videos could not be converted") % {"count": formats.number(count)},
            address=everywhere,
            why=_("Upload them again on the platform: %(titles)s.")
            % {"titles": formats.named([video.title or video.id for video in videos], MOST, count)},
            action=_("Open videos"),
            action_address=everywhere,
            at=videos[0].created_at,
        )
        return
    for video in videos:
        yield Todo(
            rank=Rank.BROKEN,
            shape="error",
            word=_("Failed"),
            title=_("“%(title)s” could not be converted") % {"title": video.title or video.id},
            address=video_address(video.id) or everywhere,
            why=_("%(when)s. Upload it again on the platform.") % {"when": formats.ago(video.created_at)}
            if video.created_at
            else _("Upload it again on the platform."),
            action=_("Open video"),
            action_address=video_address(video.id),
            at=video.created_at,
        )


@provides("subtitled_videos")
def subtitled(request: OwnerRequest) -> Iterator[Owned]:
    """Whether any video has subtitles. Where none is known to have, the newest are looked at beside the page."""
    parallel.let_calls_leave()
    if any(all_languages(reads.of(request)).values()):
        yield Owned("subtitles")
    elif cache.add(f"videos:{request.account.pk}:subtitled", 1, LOOK_SECONDS):
        page_sources.begin_work(request.account.pk, partial(_look_at_newest, request))


def _look_at_newest(request: OwnerRequest) -> bool:
    newest = reads.of(request).get(Query(lambda platform: platform.videos.list(limit=NEWEST), SECONDS)).videos
    return any(look_up(request, [video.id for video in newest], patience=LOOK_SECONDS).values())


@provides("library_reading", asks_platform=False)
def library_reading(request: OwnerRequest) -> Iterator[Moving]:
    """How far the first reading of the library is: the platform tells what lists show one video at a time."""
    row = LibraryReading.objects.filter(account=request.account, left__gt=0).first()
    if row is None:
        return
    minutes = library_refresh.estimate_minutes(row.left)
    rest = ngettext("About %(count)s minute left.", "About %(count)s minutes left.", minutes)
    yield Moving(
        _("Reading your library"),
        address("videos:videos"),
        sentence=format_read(row),
        done=row.read,
        total=row.videos,
        counted=True,
        note=refusals.of_pause(library_refresh.trouble_of(row.reason, row.next_at))
        or rest % {"count": formats.number(minutes)},
    )


@provides("converting_videos", query=_build_query(VideoStatus.CONVERTING))
def converting(_request: OwnerRequest, page: VideoPage) -> Iterator[Moving]:
    """How many are being converted: the platform tells no progress."""
    videos = [video for video in page.videos if video.status == VideoStatus.CONVERTING]
    if not videos:
        return
    count = page.total if page.total is not None and len(videos) == len(page.videos) else len(videos)
    title = ngettext("Converting %(count)s video", "Converting %(count)s videos", count) % {
        "count": formats.number(count)
    }
    yield Moving(
        title,
        address("videos:videos", status=VideoStatus.CONVERTING.value),
        sentence=_("The platform doesn't show how long this takes."),
        done=1,
        total=2,
    )


SEARCH_SECONDS = 10.0


@finds("videos", title=gettext_noop("Videos"), order=30)
def videos(request: OwnerRequest, words: str) -> Iterator[Found]:
    """By title or id; where there are more, the library shows them all."""
    page = reads.of(request).get(
        Query(lambda platform: platform.videos.list(limit=FOUND_MOST, title=words), SEARCH_SECONDS)
    )
    for video in (*_by_id(request, words), *page.videos[: FOUND_MOST - 1]):
        yield Found(video_address(video.id), "play", video.title or video.id, _note(video))
    if len(page.videos) >= FOUND_MOST:
        yield Found(address("videos:videos", q=words), "search", _("All videos with “%(words)s”") % {"words": words})


def _by_id(request: OwnerRequest, text: str) -> tuple[Video, ...]:
    try:
        video_id = UUID(text)
        return (reads.of(request).get(lambda platform: platform.videos.get(video_id)),)
    except (ValueError, Missing):
        return ()


def _note(video: Video) -> str:
    return formats.clock(video.length) if video.length else status_label(video.status)
