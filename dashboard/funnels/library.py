"""A page of the video library for adding videos to a funnel, and the videos chosen before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import QueryDict

from dashboard.funnels import folders, writes
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import Missing, NotAllowed, Unreachable
from dashboard.platform_api.records.funnels import Funnel
from dashboard.platform_api.records.videos import Video
from dashboard.shared.http import OwnerRequest, page_number
from dashboard.upstream import parallel, reads
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.single_records import is_untold

PAGE_SIZE = 24
CHOSEN_MOST = 100
"""Videos that one address may bring: each one that is not on the shown page costs a call."""
TYPED_MOST = 5_000
"""Characters of ids that one form may bring."""


@dataclass(frozen=True)
class LibraryQuery:
    """Query of the library page, from the address or the form."""

    find: str
    page: int
    chosen: tuple[str, ...]
    typed: str = ""
    """Ids as they were typed, one a line."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that were typed, each once, as the platform spells them."""
        return tuple(dict.fromkeys(video_id for text in self.lines if (video_id := _parse_uuid(text))))[:CHOSEN_MOST]

    @property
    def lines(self) -> tuple[str, ...]:
        """What was typed, split at spaces, commas and line ends."""
        return tuple(self.typed.replace(",", " ").split())


@dataclass(frozen=True)
class LibraryPage:
    """The funnel, a page of the library, and the chosen videos that exist in this account."""

    funnel: Funnel
    videos: Sequence[Video]
    more: bool
    chosen: tuple[Video, ...]
    folder_names: Mapping[str, str]
    wrong: tuple[str, ...] = ()
    """Typed text that is not the id of a video of this account."""
    is_listed: bool = True
    """Whether the platform lists its videos."""


def parse_query(source: QueryDict) -> LibraryQuery:
    """Parse the query; parameters that cannot be read are ignored."""
    number = source.get("page", "")
    page = page_number(number)
    typed_ids = source.get("ids", "")[:TYPED_MOST].replace("\0", "")
    return LibraryQuery(
        source.get("find", "").strip()[:200].replace("\0", ""), page, parse_video_ids(source), typed_ids
    )


def parse_video_ids(source: QueryDict) -> tuple[str, ...]:
    """The videos of a query string, each once, as the platform spells their ids."""
    ids = (_parse_uuid(text) for text in source.getlist("video")[:CHOSEN_MOST])
    return tuple(dict.fromkeys(video_id for video_id in ids if video_id))


def _parse_uuid(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        return ""


def load_page(request: OwnerRequest, funnel_id: str, query: LibraryQuery) -> LibraryPage:
    """Load the funnel, the page of videos and the chosen videos. Leaves out chosen videos that no longer exist.

    Without a list of videos on this platform the page is empty and `is_listed` is False. Raises `PlatformError`.
    """
    reader = reads.of(request)
    video_ids = tuple(dict.fromkeys((*query.chosen, *query.ids)))
    parts = parallel.gather(
        settings.PLATFORM_TIMEOUT,
        funnel=partial(writes.open_funnel, reader.get, request.account, funnel_id),
        library=partial(
            reader.get,
            lambda platform: platform.videos.list(page=query.page, limit=PAGE_SIZE, title=query.find or None),
        ),
        folders=partial(folders.load_folder_names, request),
        chosen=partial(
            reader.gather,
            settings.PLATFORM_TIMEOUT,
            **{video_id: partial(_read_video, video_id) for video_id in video_ids},
        ),
    )
    folder_names = folders.get_folder_names(parts["folders"])
    funnel, outcomes = _get_value(parts["funnel"]), _get_value(parts["chosen"])
    chosen_videos = tuple(
        _get_video(video_id, outcomes[video_id]) for video_id in video_ids if not _is_gone(outcomes[video_id])
    )
    known_ids = {video.id for video in chosen_videos}
    wrong = tuple(text for text in query.lines if _parse_uuid(text) not in known_ids)
    if isinstance(parts["library"], Failed) and is_untold(parts["library"].error):
        return LibraryPage(funnel, (), False, chosen_videos, folder_names, wrong, is_listed=False)
    video_page = _get_value(parts["library"])
    more = query.page < video_page.pages if video_page.pages is not None else len(video_page.videos) == PAGE_SIZE
    return LibraryPage(funnel, video_page.videos, more, chosen_videos, folder_names, wrong)


def _read_video(video_id: str, platform: Operations) -> Video:
    return platform.videos.get(video_id)


def _is_gone(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed) and isinstance(outcome.error, Missing)


def _get_video(video_id: str, outcome: Outcome) -> Video:
    """A chosen video; of one that this account may not read, its id."""
    if isinstance(outcome, Failed) and isinstance(outcome.error, NotAllowed):
        return Video.from_json({"id": video_id})
    video: Video = _get_value(outcome)
    return video


def _get_value(outcome: Outcome) -> Any:
    if isinstance(outcome, Failed):
        raise outcome.error
    if not isinstance(outcome, Ready):
        raise Unreachable("videos.list")
    return outcome.value
