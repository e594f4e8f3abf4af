"""Reading everything about one video side by side; the video itself must come, its panels may be late or fail."""

from functools import partial
from uuid import UUID

from django.utils.translation import gettext as _

from dashboard.platform_api import errors
from dashboard.platform_api.records import Video
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.video_panels import VideoPanel, panels
from dashboard.upstream import reads
from dashboard.upstream.library import FOLDERS, waiting
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready, gather
from dashboard.videos import detail
from dashboard.videos.detail import Panel, VideoPage


def read_video(request: OwnerRequest, video_id: UUID) -> Video:
    """One video. Raises `Missing` for another account's."""
    return reads.of(request).get(lambda platform: platform.videos.get(video_id))


def page(request: OwnerRequest, video_id: UUID) -> VideoPage:
    """The page of one video. Raises the error of the video itself."""
    outcomes = gather(
        None,
        **{shown.name: partial(shown.read, request, video_id) for shown in panels()},
        _video=lambda: read_video(request, video_id),
        _folders=lambda: reads.of(request).get(FOLDERS),
    )
    video = _must(outcomes["_video"], request, video_id)
    for outcome in outcomes.values():
        if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
            raise outcome.error
    folders = outcomes["_folders"]
    shown = (_panel(video_id, each, outcomes[each.name]) for each in panels())
    return detail.video_page(
        video,
        folders.value if isinstance(folders, Ready) else (),
        tuple(each for each in shown if each is not None),
        request.build_absolute_uri,
    )


def _must(outcome: Outcome, request: OwnerRequest, video_id: UUID) -> Video:
    """The video, waited for if need be: without it there is no page."""
    if isinstance(outcome, Failed):
        raise outcome.error
    if isinstance(outcome, Ready):
        found: Video = outcome.value
        return found
    return read_video(request, video_id)


def panel(request: OwnerRequest, video_id: UUID, wanted: VideoPanel) -> Panel | None:
    """One panel alone, waited for. Raises `BadToken`, and `Missing` when the video is not this account's."""
    outcomes = gather(
        waiting(),
        _video=lambda: read_video(request, video_id),
        panel=partial(wanted.read, request, video_id),
    )
    _must(outcomes["_video"], request, video_id)
    outcome = outcomes["panel"]
    if isinstance(outcome, Failed) and isinstance(outcome.error, errors.BadToken):
        raise outcome.error
    if isinstance(outcome, Late):
        outcome = Failed(errors.Unreachable(wanted.name))
    return _panel(video_id, wanted, outcome)


def _panel(video_id: UUID, shown: VideoPanel, outcome: Outcome) -> Panel | None:
    title = _(shown.title)
    fetch = address("videos:panel", video_id, shown.name)
    match outcome:
        case Ready(value=None):
            return None
        case Ready(value=content):
            return Panel(shown.name, title, shown.template, content, wide=shown.wide)
        case Failed(error=error):
            return Panel(
                shown.name, title, "", None, trouble=refusals.explain(error).sentence, fetch=fetch, wide=shown.wide
            )
        case _:
            return Panel(shown.name, title, "", None, late=True, fetch=fetch, wide=shown.wide)
