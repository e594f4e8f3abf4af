"""What the matrix needs: the assistants with what is known of their chats, and one page of videos."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings

from dashboard.assistants import rules
from dashboard.assistants.forms import MATCHING_MOST
from dashboard.assistants.models import Added, Switch
from dashboard.assistants.rules import Chat, Remembered
from dashboard.assistants.writes import SWITCH
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.platform_api.records.assistants import Assistant
from dashboard.platform_api.records.videos import Video
from dashboard.shared import entries
from dashboard.shared.entries import Entry
from dashboard.shared.http import PAGE_MOST, OwnerRequest, whole_number
from dashboard.upstream import library, reads
from dashboard.upstream.library import folders_of
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads
from dashboard.writes.models import State, Write

PAGE = 25
"""Videos of one page of the matrix."""


@dataclass(frozen=True)
class Wanted:
    """What the address asks for: a page of the library or of one folder, or one video."""

    page: int = 1
    find: str = ""
    video: UUID | None = None
    folder: UUID | None = None

    @property
    def in_library(self) -> entries.Wanted:
        """The same of the library as a whole."""
        return entries.Wanted(title=self.find, folder=str(self.folder or ""))


@dataclass(frozen=True)
class Videos:
    """One page of videos; `pages` and `total` where they are told."""

    videos: tuple[Video | Entry, ...]
    pages: int | None
    total: int | None


@dataclass
class Matrix:
    """The assistants, the videos of this page, and every chat of one with the other by (assistant, video)."""

    assistants: tuple[Assistant, ...] = ()
    added: tuple[Assistant, ...] = ()
    """Those that a person added by their id."""
    videos: tuple[Video | Entry, ...] = ()
    pages: int | None = 1
    total: int | None = None
    """How many videos match, all pages together; None where the platform does not tell."""
    chats: dict[tuple[str, str], Chat] = field(default_factory=dict)
    listed: bool = True
    """False: this platform has no list of assistants."""
    trouble: tuple[CallError | None, ...] = ()
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
    found = _read(request, wanted)
    made = Matrix()
    trouble: list[CallError | None] = []
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


def _read(request: OwnerRequest, wanted: Wanted) -> dict[str, Outcome]:
    """The `assistants`, and one page of `videos`: of a folder with folders in it, out of everything."""
    reader = reads.of(request)
    assistants: Query[Any] = Query(lambda platform: platform.assistants.list())
    if wanted.video or not library.is_nested(reader, wanted.in_library.folder):
        page = Query(partial(_page, wanted), shape="page" if wanted.video else "")
        return reader.gather(settings.PLATFORM_TIMEOUT, assistants=assistants, videos=page)
    asked = wanted.in_library.without_folder()
    found = library.read_first(reader, asked, settings.PLATFORM_TIMEOUT, others={"assistants": assistants})
    return found | {"videos": _cut(reader, wanted, found)}


def _page(wanted: Wanted, platform: Operations) -> Videos:
    if wanted.video:
        return Videos((platform.videos.get(wanted.video),), 1, 1)
    page = platform.videos.list(page=wanted.page, limit=PAGE, title=wanted.find or None, folder_id=wanted.folder)
    return Videos(page.videos, page.pages, page.total)


def _cut(reader: Reads, wanted: Wanted, found: Mapping[str, Outcome]) -> Outcome:
    """One page of the videos of a folder and of the folders in it."""
    try:
        matching = _entries(reader, wanted, found)
    except CallError as error:
        return Late() if isinstance(found["first"], Late) else Failed(error)
    begun = (wanted.page - 1) * PAGE
    return Ready(Videos(tuple(matching[begun : begun + PAGE]), -(-len(matching) // PAGE), len(matching)))


def matching(request: OwnerRequest, wanted: Wanted) -> list[str]:
    """The ids of all videos that match, as the platform has them now. Raises its `PlatformError`."""
    reader = reads.anew(request)
    found = library.read_first(reader, wanted.in_library.without_folder(), library.waiting(), 0.0)
    return [one.id for one in _entries(reader, wanted, found, 0.0)[:MATCHING_MOST]]


def _entries(
    reader: Reads, wanted: Wanted, found: Mapping[str, Outcome], seconds: float = library.WHOLE_SECONDS
) -> Sequence[Entry]:
    """Everything that matches. Raises a `PlatformError`: without the folders nobody knows what is in one."""
    folders = found["folders"]
    if wanted.folder and isinstance(folders, Failed):
        raise folders.error
    listed = library.read_rest(reader, wanted.in_library.without_folder(), found["first"], seconds)
    return wanted.in_library.cut(listed, folders_of(folders)[0])


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
