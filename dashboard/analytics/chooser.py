"""The video chooser: chosen videos, videos to add, and search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.analytics.pages import PageLink
from dashboard.analytics.state import VIDEOS_MOST, AnalyticsState
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.videos import Video
from dashboard.upstream.figures import FigureAnswer


@dataclass(frozen=True)
class VideoOption:
    """A video that can be chosen."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True)
class VideoChooser:
    """templates/analytics/_chooser.html. `many`: several videos at once, each can be removed."""

    many: bool
    full: bool
    chosen: tuple[PageLink, ...]
    options: tuple[VideoOption, ...]
    hidden: tuple[tuple[str, str], ...]
    find_hidden: tuple[tuple[str, str], ...]
    find: str
    all_address: str
    note: str


def get_titles(
    videos: Sequence[str], answers: Mapping[str, FigureAnswer], known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The titles of the chosen videos; `known` titles are used if a video cannot be read.

    Raises `Missing` for a video of another account or of none.
    """
    titles = {}
    for video_id in videos:
        got = answers.get(f"video {video_id}", FigureAnswer(None))
        if isinstance(got.error, Missing) and got.value is None:
            raise got.error
        video: Video | None = got.value
        titles[video_id] = (video.title if video else (known or {}).get(video_id)) or video_id
    return _distinguish_titles(titles)


def _distinguish_titles(titles: dict[str, str]) -> dict[str, str]:
    """Add the beginning of the identifier to titles that several videos share."""
    twice = {title for title in titles.values() if list(titles.values()).count(title) > 1}
    return {key: f"{title} ({key[:8]})" if title in twice else title for key, title in titles.items()}


def build_chooser(
    state: AnalyticsState, titles: Mapping[str, str], listed: FigureAnswer, *, many: bool
) -> VideoChooser:
    """The chooser of a page. `titles` are the chosen videos, `listed` the page of videos to choose from."""
    videos = listed.value.videos if listed.value is not None else ()
    video_id = None if many else next(iter(titles), None)
    options = [VideoOption(video.id, video.title or video.id, video.id == video_id) for video in videos]
    if video_id and all(option.value != video_id for option in options):
        options.insert(0, VideoOption(video_id, titles[video_id], True))
    if many:
        options = [option for option in options if option.value not in titles]
    note = ""
    if listed.value is None:
        note = _("The list of videos could not be read.")
    elif not videos:
        note = (
            _("No video has “%(words)s” in its title.") % {"words": state.find}
            if state.find
            else _("There are no videos.")
        )
    elif listed.value.total and listed.value.total > len(videos):
        note = _("The list has the newest videos only. Find others by title.")
    chosen_ids = [key for key in titles if key in state.videos]
    chosen_links = tuple(
        PageLink(titles[key], f"?{state.query(video=[other for other in chosen_ids if other != key], page=None)}")
        for key in chosen_ids
    )
    return VideoChooser(
        many,
        len(chosen_ids) >= VIDEOS_MOST,
        chosen_links if many else (),
        tuple(options),
        state.hidden("page", *(() if many else ("video",))),
        state.hidden("find", "page"),
        state.find,
        f"?{state.query(video=None, page=None)}",
        note,
    )
