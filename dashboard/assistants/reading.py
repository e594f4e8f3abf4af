"""What the matrix needs: the assistants with what is known of their chats, and one page of videos."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from django.conf import settings

from dashboard.assistants import rules
from dashboard.assistants.forms import MATCHING_MOST
from dashboard.assistants.models import Added, Switch
from dashboard.assistants.rules import Chat, Remembered
from dashboard.assistants.writes import SWITCH
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken, Missing, PlatformError
from dashboard.platform_api.records.assistants import Assistant
from dashboard.platform_api.records.videos import Video, VideoPage
from dashboard.shared.http import PAGE_MOST, OwnerRequest, whole_number
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Late, Ready
from dashboard.upstream.reads import Query
from dashboard.writes.models import State, Write

PAGE = 25
"""Videos of one page of the matrix."""
LONG_PAGE = 100
"""Videos of one page where all that match are switched."""


@dataclass(frozen=True)
class Wanted:
    """What the address asks for: a page of the library or of one folder, or one video."""

    page: int = 1
    find: str = ""
    video: UUID | None = None
    folder: UUID | None = None


@dataclass
class Matrix:
    """The assistants, the videos of this page, and every chat of one with the other by (assistant, video)."""

    assistants: tuple[Assistant, ...] = ()
    added: tuple[Assistant, ...] = ()
    """Those that a person added by their id."""
    videos: tuple[Video, ...] = ()
    pages: int | None = 1
    total: int | None = None
    """How many videos match, all pages together; None where the platform does not tell."""
    chats: dict[tuple[str, str], Chat] = field(default_factory=dict)
    listed: bool = True
    """False: this platform has no list of assistants."""
    trouble: tuple[PlatformError | None, ...] = ()
    """Errors of the two reads; None for an answer that did not come in time."""


def wanted_of(request: OwnerRequest) -> Wanted:
    """The wish of the address or of a form that came from it; what cannot be read is not wished."""
    source = request.POST if request.method == "POST" else request.GET
    page, video, folder = source.get("page", ""), _id(source.get("of", "")), _id(source.get("folder", ""))
    find = source.get("find", "").strip()[:200].replace("\0", "")
    return Wanted(whole_number(page, PAGE_MOST) or 1, find, video, folder)


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def matrix(request: OwnerRequest, wanted: Wanted) -> Matrix:
    """Read both sides at once. Errors other than a refused token become the matrix's trouble."""
    found = reads.of(request).gather(
        settings.PLATFORM_TIMEOUT,
        assistants=lambda platform: platform.assistants.list(),
        videos=Query(partial(_page, wanted), shape="page" if wanted.video else ""),
    )
    made = Matrix()
    trouble: list[PlatformError | None] = []
    listed: tuple[Assistant, ...] = ()
    match found["assistants"]:
        case Ready(value):
            listed = value
        case Failed(error):
            made.listed = not isinstance(error, Missing)
            trouble += [error] if made.listed else []
        case Late():
            trouble.append(None)
    match found["videos"]:
        case Ready(value):
            made.videos, made.pages, made.total = value.videos, value.pages, value.total
        case Failed(error):
            trouble.append(error)
        case Late():
            trouble.append(None)
    for met in trouble:
        if isinstance(met, BadToken) or (isinstance(met, Missing) and wanted.video):
            raise met
    made.trouble = tuple(trouble)
    made.added = tuple(_added(request))
    made.assistants = rules.joined(listed, made.added)
    made.chats = states(request, made, [video.id for video in made.videos])
    return made


def _page(wanted: Wanted, platform: Operations) -> VideoPage:
    if wanted.video:
        return VideoPage((platform.videos.get(wanted.video),), 1, 1)
    return platform.videos.list(page=wanted.page, limit=PAGE, title=wanted.find or None, folder_id=wanted.folder)


def matching(request: OwnerRequest, wanted: Wanted) -> list[str]:
    """The ids of all videos that match, as the platform has them now. Raises its `PlatformError`."""
    found: list[str] = []
    for number in range(1, -(-MATCHING_MOST // LONG_PAGE) + 1):
        call = partial(_long_page, wanted, number)
        page = reads.anew(request).get(call)
        found += [video.id for video in page.videos if video.id not in found]
        if len(page.videos) < LONG_PAGE or len(found) >= (page.total or MATCHING_MOST):
            break
    return found


def _long_page(wanted: Wanted, number: int, platform: Operations) -> VideoPage:
    return platform.videos.list(page=number, limit=LONG_PAGE, title=wanted.find or None, folder_id=wanted.folder)


def states(request: OwnerRequest, made: Matrix, videos: Sequence[str]) -> dict[tuple[str, str], Chat]:
    """What is known of every chat of these videos, by (assistant, video)."""
    rows = Switch.objects.filter(account_id=request.account.pk, video_id__in=videos)
    remembered = {(row.assistant_id, row.video_id): Remembered(row.visible, row.confirmed) for row in rows}
    waiting = _waiting(request, videos)
    return {
        (assistant.id, video): rules.chat(
            assistant.chat.get(video), remembered.get((assistant.id, video)), waiting.get((assistant.id, video))
        )
        for assistant in made.assistants
        for video in videos
    }


def _added(request: OwnerRequest) -> list[Assistant]:
    rows = Added.objects.filter(account_id=request.account.pk)
    return [Assistant(row.assistant_id, row.name, {}) for row in rows]


def _waiting(request: OwnerRequest, videos: Sequence[str]) -> dict[tuple[str, str], bool]:
    """What the worker will send, by (assistant, video): whether the chat will be shown."""
    held = Write.objects.filter(account=request.account, operation=SWITCH, subject__in=videos, state=State.HELD)
    sent = held.order_by("created_at").values_list("request", flat=True)
    return {(one["assistant_id"], one["video_id"]): one["chat_is_visible"] for one in sent}
