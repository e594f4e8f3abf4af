"""Reading everything about one video side by side; the video itself must come, its panels may be late or fail."""

from functools import partial
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest, whole_number
from dashboard.shared.video_panels import VideoPanel, panels
from dashboard.upstream import reads
from dashboard.upstream.library import FOLDERS, waiting
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready, gather
from dashboard.videos import detail
from dashboard.videos.detail import PanelView, VideoDetailPage

SECONDS_MOST: Final = 10 * 24 * 3600
"""A moment beyond that is none of a video."""


def read_video(request: OwnerRequest, video_id: UUID) -> Video:
    """One video. Raises `Missing` for another account's."""
    return reads.of(request).get(lambda platform: platform.videos.get(video_id))


def load_page(request: OwnerRequest, video_id: UUID) -> VideoDetailPage:
    """The page of one video, which is played from `?t=`, in seconds. Raises the error of the video itself."""
    outcomes = gather(
        None,
        **{panel.name: partial(panel.read, request, video_id) for panel in panels()},
        _video=lambda: read_video(request, video_id),
        _folders=lambda: reads.of(request).get(FOLDERS),
    )
    video = _require_video(outcomes["_video"], request, video_id)
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
            raise outcome.error
    folders = outcomes["_folders"]
    views = (_build_panel(video_id, panel, outcomes[panel.name]) for panel in panels())
    return detail.build_video_page(
        video,
        folders.value if isinstance(folders, Ready) else (),
        tuple(view for view in views if view is not None),
        request.build_absolute_uri,
        whole_number(request.GET.get("t", ""), SECONDS_MOST) or 0,
    )


def _require_video(outcome: Outcome, request: OwnerRequest, video_id: UUID) -> Video:
    """The video; waits for it, as there is no page without it."""
    if isinstance(outcome, Failed):
        raise outcome.error
    if isinstance(outcome, Ready):
        video: Video = outcome.value
        return video
    return read_video(request, video_id)


def load_panel(request: OwnerRequest, video_id: UUID, video_panel: VideoPanel) -> PanelView | None:
    """One panel alone, waited for. Raises `BadToken`, and `Missing` when the video is not this account's."""
    outcomes = gather(
        waiting(),
        _video=lambda: read_video(request, video_id),
        panel=partial(video_panel.read, request, video_id),
    )
    _require_video(outcomes["_video"], request, video_id)
    outcome = outcomes["panel"]
    if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
        raise outcome.error
    if isinstance(outcome, Late):
        outcome = Failed(errors.Unreachable(video_panel.name))
    return _build_panel(video_id, video_panel, outcome)


def _build_panel(video_id: UUID, video_panel: VideoPanel, outcome: Outcome) -> PanelView | None:
    title = _(video_panel.title)
    fetch = address("videos:panel", video_id, video_panel.name)
    match outcome:
        case Ready(value=None):
            return None
        case Ready(value=content):
            return PanelView(video_panel.name, title, video_panel.template, content, wide=video_panel.wide)
        case Failed(error=error):
            return PanelView(
                video_panel.name,
                title,
                "",
                None,
                trouble=refusals.explain(error).sentence,
                fetch=fetch,
                wide=video_panel.wide,
            )
        case _:
            return PanelView(video_panel.name, title, "", None, late=True, fetch=fetch, wide=video_panel.wide)
