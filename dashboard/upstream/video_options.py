"""Videos to choose from, the same wherever one is picked: state, length, folder, and why viewers cannot play it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from dashboard.platform_api.errors import Missing
from dashboard.platform_api.records.videos import Video
from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.shared import formats
from dashboard.shared.entries import Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import library
from dashboard.upstream.figures import build_video_query, read_figures
from dashboard.upstream.reads import Reads

RECENT_SECONDS: Final = 10.0
"""How old a state may be that something irreversible is decided by."""


@dataclass(frozen=True)
class VideoOption:
    """A video in a picker. `problem`: why it is refused; `warning`: what is not known about it; "" where there is none."""

    id: str
    title: str
    state: str
    length: str = ""
    folder: str = ""
    thumbnail: str = ""
    problem: str = ""
    warning: str = ""
    address: str = ""
    """Where a picker of one video leads."""


def build_option(video: Video, folder_names: Mapping[str, str] | None = None, address: str = "") -> VideoOption:
    """A video as it is shown to be chosen. `folder_names`: names by id, as far as they are known."""
    return VideoOption(
        id=video.id,
        title=video.title or video.id,
        state=_format_state(video.status),
        length=formats.clock(video.length) if video.length else "",
        folder=(folder_names or {}).get(video.folder_id or "", ""),
        thumbnail=video.thumbnail or "",
        problem=find_playing_problem(video),
        warning=find_warning(video),
        address=address,
    )


def describe_unplayable(status: str) -> str:
    """Why viewers cannot play a video of this status; "" where they can, or where nobody here knows it."""
    known = {
        VideoStatus.CONVERTING.value: _("It is still converting: viewers can't play it until that is done."),
        VideoStatus.DRAFT.value: _("It is only a draft: viewers can't play it."),
        VideoStatus.FAILED.value: _("Its conversion failed: viewers can't play it."),
        VideoStatus.DELETING.value: _("It is in the trash: viewers can't play it."),
    }
    return known.get(status, "")


def find_unplayable(reader: Reads, video_ids: Collection[str]) -> dict[str, str]:
    """By id the status of those videos that viewers cannot play, as far as the library is known."""
    entries = library.known_entries(reader, Wanted()) or ()
    return {entry.id: entry.status for entry in entries if entry.id in video_ids and describe_unplayable(entry.status)}


def find_playing_problem(video: Video) -> str:
    """Why viewers cannot play it, as the platform says; "" where they can, or where its state is none that is known."""
    if problem := describe_unplayable(video.status):
        return problem
    is_known = video.status in ("", VideoStatus.CONVERTED)
    return _("The platform says that it can't be played.") if is_known and video.is_unplayable else ""


def find_warning(video: Video) -> str:
    """What is said of a state that nobody here knows: it is not refused."""
    if video.status in ("", *VideoStatus):
        return ""
    return _("Its state is “%(status)s”: viewers may not be able to play it.") % {"status": video.status}


def _format_state(status: str) -> str:
    """The state in a word; one that nobody knows as it came."""
    known = {
        VideoStatus.DRAFT.value: _("Draft"),
        VideoStatus.CONVERTING.value: _("Converting"),
        VideoStatus.CONVERTED.value: _("Ready"),
        VideoStatus.FAILED.value: _("Failed"),
        VideoStatus.DELETING.value: _("In the trash"),
    }
    return known.get(status, status)


def format_problems(videos: Sequence[Video]) -> list[str]:
    """A sentence for each of the videos that viewers cannot play."""
    found = [(video.title or video.id, problem) for video in videos if (problem := find_playing_problem(video))]
    return [f"“{title}”: {problem}" for title, problem in found]


def load_problems(request: OwnerRequest, video_ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is wrong with these videos now, and what is not known of them: one sentence a video. Unread ones have neither."""
    asks = {video_id: replace(build_video_query(video_id), seconds=RECENT_SECONDS) for video_id in video_ids}
    answers = read_figures(request, asks)
    videos = [answer.value for answer in answers.values() if answer.value is not None and not answer.error]
    missing = [key for key, answer in answers.items() if isinstance(answer.error, Missing)]
    absent = [f"“{video_id}”: " + _("This video was not found in this account.") for video_id in missing]
    warnings = [f"“{video.title or video.id}”: {words}" for video in videos if (words := find_warning(video))]
    return [*format_problems(videos), *absent], warnings
