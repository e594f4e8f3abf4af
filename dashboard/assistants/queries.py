"""What the matrix needs: the assistants with what is known of their chats, and one page of videos."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Max

from dashboard.accounts.models import Account
from dashboard.assistants import rules
from dashboard.assistants.forms import MATCHING_MOST
from dashboard.assistants.models import Added, Switch
from dashboard.assistants.rules import Chat, LastSwitch
from dashboard.assistants.writes import SWITCH
from dashboard.platform_api import Operations
from dashboard.platform_api.assistants import Assistant
from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.platform_api.videos import Video
from dashboard.shared import entries
from dashboard.shared.entries import Entry
from dashboard.shared.http import OwnerRequest, page_number
from dashboard.shared.text import parse_uuid
from dashboard.upstream import library, reads, store
from dashboard.upstream.facts import VideoFacts, VideoSource, register_source
from dashboard.upstream.library import folders_of
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads
from dashboard.upstream.single_records import is_untold
from dashboard.writes.models import State, Write

PAGE = 25
"""Videos of one page of the matrix."""
READ_MOST = 20
"""Assistants added by id that are read: each is a call."""


@dataclass(frozen=True)
class MatrixView:
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
class MatrixVideos:
    """One page of videos; `pages` and `total` where they are told."""

    videos: tuple[Video | Entry, ...]
    pages: int | None
    total: int | None


@dataclass
class ChatMatrix:
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


def parse_view(request: OwnerRequest) -> MatrixView:
    """Parse the view from a query string or a form. Invalid values are ignored."""
    source = request.POST if request.method == "POST" else request.GET
    page, video, folder = source.get("page", ""), parse_uuid(source.get("of")), parse_uuid(source.get("folder"))
    find = source.get("find", "").strip()[:200].replace("\0", "")
    return MatrixView(page_number(page), find, video, folder)


def load_matrix(request: OwnerRequest, view: MatrixView) -> ChatMatrix:
    """Read both sides at once. Errors other than a refused token become the matrix's trouble."""
    outcomes = _read_outcomes(request, view)
    result = ChatMatrix()
    trouble: list[CallError | None] = []
    listed: tuple[Assistant, ...] = ()
    match outcomes["assistants"]:
        case Ready(value):
            listed = value
        case Failed(error):
            result.listed = not isinstance(error, Missing)
            trouble += [error] if result.listed else []
        case Late():
            trouble.append(None)
    match outcomes["videos"]:
        case Ready(value):
            result.videos, result.pages, result.total = value.videos, value.pages, value.total
        case Failed(error):
            trouble.append(error)
        case Late():
            trouble.append(None)
    result.added, unread = _read_added(request, outcomes)
    trouble += unread
    for problem in trouble:
        if isinstance(problem, BadToken) or (isinstance(problem, Missing) and view.video):
            raise problem
    result.trouble = tuple(trouble)
    result.assistants = rules.merge_assistants(listed, result.added)
    result.chats = load_chats(request, result, [video.id for video in result.videos])
    return result


def _read_outcomes(request: OwnerRequest, view: MatrixView) -> dict[str, Outcome]:
    """The `assistants`, those added by their ids, and one page of `videos`: of a folder with folders in it, out of everything."""
    reader = reads.of(request)
    ids = Added.objects.filter(account_id=request.account.pk).values_list("assistant_id", flat=True)[:READ_MOST]
    assistants: dict[str, Query[Any]] = {f"added {key}": Query(partial(_read_assistant, key)) for key in ids}
    assistants["assistants"] = Query(lambda platform: platform.assistants.list())
    if view.video or not library.is_nested(reader, view.in_library.folder):
        page = Query(partial(_read_page, view), shape="page" if view.video else "")
        return reader.gather_each({**assistants, "videos": page}, settings.PLATFORM_TIMEOUT)
    selection = view.in_library.without_folder()
    outcomes = library.read_first(reader, selection, settings.PLATFORM_TIMEOUT, others=assistants)
    return outcomes | {"videos": _cut_page(reader, view, outcomes)}


def _read_assistant(assistant_id: str, platform: Operations) -> Assistant:
    return platform.assistants.get(assistant_id)


def _read_page(view: MatrixView, platform: Operations) -> MatrixVideos:
    if view.video:
        return MatrixVideos((platform.videos.get(view.video),), 1, 1)
    page = platform.videos.list(page=view.page, limit=PAGE, title=view.find or None, folder_id=view.folder)
    return MatrixVideos(page.videos, page.pages, page.total)


def _cut_page(reader: Reads, view: MatrixView, outcomes: Mapping[str, Outcome]) -> Outcome:
    """One page of the videos of a folder and of the folders in it."""
    try:
        matching = _list_entries(reader, view, outcomes)
    except CallError as error:
        return Late() if isinstance(outcomes["first"], Late) else Failed(error)
    start = (view.page - 1) * PAGE
    return Ready(MatrixVideos(tuple(matching[start : start + PAGE]), -(-len(matching) // PAGE), len(matching)))


def list_matching(request: OwnerRequest, view: MatrixView) -> list[str]:
    """The ids of all videos that match, as the platform has them now. Raises its `PlatformError`."""
    reader = reads.anew(request)
    outcomes = library.read_first(reader, view.in_library.without_folder(), library.waiting(), 0.0)
    return [entry.id for entry in _list_entries(reader, view, outcomes, 0.0)[:MATCHING_MOST]]


def _list_entries(
    reader: Reads, view: MatrixView, outcomes: Mapping[str, Outcome], seconds: float = library.WHOLE_SECONDS
) -> Sequence[Entry]:
    """Everything that matches. Raises a `PlatformError`: without the folders nobody knows what is in one."""
    folders = outcomes["folders"]
    if view.folder and isinstance(folders, Failed):
        raise folders.error
    listed = library.read_rest(reader, view.in_library.without_folder(), outcomes["first"], seconds)
    return view.in_library.cut(listed, folders_of(folders)[0])


def load_chats(request: OwnerRequest, matrix: ChatMatrix, videos: Sequence[str]) -> dict[tuple[str, str], Chat]:
    """What is known of every chat of these videos, by (assistant, video)."""
    rows = Switch.objects.filter(account_id=request.account.pk, video_id__in=videos)
    remembered = {(row.assistant_id, row.video_id): LastSwitch(row.visible, row.confirmed) for row in rows}
    waiting = _list_waiting(request, videos)
    return {
        (assistant.id, video): rules.chat_state(
            assistant.chat.get(video), remembered.get((assistant.id, video)), waiting.get((assistant.id, video))
        )
        for assistant in matrix.assistants
        for video in videos
    }


def _read_added(
    request: OwnerRequest, outcomes: Mapping[str, Outcome]
) -> tuple[tuple[Assistant, ...], list[CallError | None]]:
    """The assistants that were added by id, as the platform tells them where it does; and what went wrong with reading."""
    added, trouble = [], list[CallError | None]()
    for row in Added.objects.filter(account_id=request.account.pk):
        outcome = outcomes.get(f"added {row.assistant_id}", Late())
        if isinstance(outcome, Ready):
            added.append(replace(outcome.value, id=row.assistant_id, name=row.name or outcome.value.name))
            continue
        added.append(Assistant(row.assistant_id, row.name, {}))
        if isinstance(outcome, Failed) and not is_untold(outcome.error):
            trouble.append(outcome.error)
    return tuple(added), trouble[:1]


def _list_waiting(request: OwnerRequest, videos: Sequence[str]) -> dict[tuple[str, str], bool]:
    """What the worker will send, by (assistant, video): whether the chat will be shown."""
    held = Write.objects.filter(account=request.account, operation=SWITCH, subject__in=videos, state=State.HELD)
    sent = held.order_by("created_at").values_list("request", flat=True)
    return {(values["assistant_id"], values["video_id"]): values["chat_is_visible"] for values in sent}


LIST: Query[object] = Query(lambda platform: platform.assistants.list())


def _load_chats(account: Account) -> VideoFacts:
    """By video, the states of its chats, `shown` or `hidden`: as the platform tells them, else as they were switched here."""
    chats: dict[str, dict[str, bool]] = {}
    switches = Switch.objects.filter(account_id=account.pk, confirmed=True)
    for video, assistant, is_shown in switches.values_list("video_id", "assistant_id", "visible"):
        chats.setdefault(video, {})[assistant] = is_shown
    outcome = Reads(account).known(assistants=LIST)["assistants"]
    for assistant in outcome.value if isinstance(outcome, Ready) else ():
        for video, is_shown in assistant.chat.items():
            chats.setdefault(video, {})[assistant.id] = is_shown
    states = {
        video: tuple(sorted({"shown" if is_shown else "hidden" for is_shown in by_assistant.values()}))
        for video, by_assistant in chats.items()
    }
    return VideoFacts(states)


def _version(account: Account) -> tuple[object, ...]:
    known = store.states(account.pk, [library.digest_of(LIST)])
    switches = Switch.objects.filter(account_id=account.pk).aggregate(count=Count("pk"), newest=Max("at"))
    return (*switches.values(), *(state.changed_at for state in known.values()))


def _refresh(account: Account) -> None:
    """Read the assistants where their list is older than its interval."""
    Reads(account).gather(library.waiting(), assistants=LIST)


register_source(VideoSource("chat", _version, _load_chats, _refresh))
