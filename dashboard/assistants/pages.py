"""View models of the assistant templates."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.assistants.queries import PAGE, ChatMatrix, MatrixView
from dashboard.assistants.rules import KNOWN, WAITING, Chat, is_shown_next
from dashboard.assistants.writes import SwitchResult
from dashboard.platform_api.records.assistants import Assistant
from dashboard.platform_api.records.videos import Video
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address, video_address
from dashboard.shared.entries import Entry
from dashboard.writes.models import State, Write
from dashboard.writes.pages import unconfirmed_sentence, waiting_sentence

SHAPES = {
    Chat.SHOWN: "active",
    Chat.HIDDEN: "none",
    Chat.UNCONFIRMED: "unknown",
    Chat.UNKNOWN: "unknown",
    Chat.WILL_SHOW: "queue",
    Chat.WILL_HIDE: "queue",
}


def state_words(chat: Chat) -> str:
    """The state as a word."""
    return {
        Chat.SHOWN: _("Shown"),
        Chat.HIDDEN: _("Hidden"),
        Chat.UNCONFIRMED: _("Not confirmed"),
        Chat.UNKNOWN: _("Unknown"),
        Chat.WILL_SHOW: _("Waiting"),
        Chat.WILL_HIDE: _("Waiting"),
    }[chat]


@dataclass(frozen=True)
class ChatChoice:
    """One way a chat can be. `value` is what its button sends: assistant, video, 1 to show or 0 to hide."""

    label: str
    act: str
    value: str
    pressed: str
    """For `aria-pressed`: whether the chat is so, or will be."""


@dataclass(frozen=True)
class ChatCell:
    """One chat: its state and its two choices. No choice is pressed where the state is unknown."""

    id: str
    state: str
    shape: str
    choices: tuple[ChatChoice, ChatChoice]


@dataclass(frozen=True)
class VideoChatsRow:
    """One video with its chats, in the order of the columns."""

    id: str
    title: str
    length: str
    address: str
    cells: tuple[ChatCell, ...]
    selected: bool


def format_removed(name: str) -> str:
    """What removing did, and what not."""
    return _("“%(name)s” was removed from Reelroom. Its chats stay as they are.") % {"name": name}


@dataclass(frozen=True)
class PressedLook:
    """How a chat looks after a press, before the response."""

    to: int
    state: str
    shape: str


@dataclass(frozen=True)
class AssistantsPage:
    """templates/assistants/assistants.html."""

    columns: tuple[Assistant, ...]
    rows: tuple[VideoChatsRow, ...]
    looks: tuple[PressedLook, ...]
    trouble: tuple[str, ...]
    unlisted: bool
    unknown: bool
    find: str
    of: str
    folder: str
    page: int
    before: str
    after: str
    range: str
    everything: str
    activity: str


def build_assistants_page(matrix: ChatMatrix, view: MatrixView, ticked_videos: Iterable[str] = ()) -> AssistantsPage:
    """Build the page. `ticked_videos` keep their tick after a form that was refused."""
    ticked = frozenset(ticked_videos)
    more = matrix.pages > view.page if matrix.pages is not None else len(matrix.videos) == PAGE
    return AssistantsPage(
        columns=matrix.assistants,
        rows=tuple(_build_row(matrix, video, video.id in ticked) for video in matrix.videos),
        looks=tuple(PressedLook(to, state_words(c), SHAPES[c]) for to, c in ((1, Chat.SHOWN), (0, Chat.HIDDEN))),
        trouble=tuple(_format_error(error) for error in matrix.trouble),
        unlisted=not matrix.listed,
        unknown=Chat.UNKNOWN in matrix.chats.values(),
        find=view.find,
        of=str(view.video or ""),
        folder=str(view.folder or ""),
        page=view.page,
        before=_build_page_address(view, view.page - 1) if view.page > 1 else "",
        after=_build_page_address(view, view.page + 1) if more and not view.video else "",
        range=_("Page %(page)s") % {"page": formats.number(view.page)},
        everything=reverse("assistants:assistants") if view.video or view.find or view.folder else "",
        activity=_activity_address(),
    )


def _activity_address() -> str:
    here = address("activity:activity")
    return f"{here}?operation=assistants.update_chat_visibility" if here else ""


def _format_error(error: object) -> str:
    if error is None:
        return _("The platform did not answer in time.")
    explained = refusals.explain(error)  # type: ignore[arg-type]  # a PlatformError
    return explained.whole


def build_address(view: MatrixView) -> str:
    """The address of what is shown now."""
    return _build_page_address(view, view.page)


def _build_page_address(view: MatrixView, page: int) -> str:
    query = {
        "find": view.find,
        "of": str(view.video or ""),
        "folder": str(view.folder or ""),
        "page": str(page) if page > 1 else "",
    }
    text = urlencode({key: value for key, value in query.items() if value})
    return reverse("assistants:assistants") + (f"?{text}" if text else "")


def _build_row(matrix: ChatMatrix, video: Video | Entry, is_ticked: bool) -> VideoChatsRow:
    return VideoChatsRow(
        id=video.id,
        title=video.title or video.id,
        length=formats.clock(video.length) if video.length else "",
        address=video_address(video.id),
        cells=tuple(build_cell(a, video, matrix.chats[a.id, video.id]) for a in matrix.assistants),
        selected=is_ticked,
    )


def build_cell(assistant: Assistant, video: Video | Entry, chat: Chat) -> ChatCell:
    """One chat with its two choices."""
    names = {"assistant": assistant.name or assistant.id, "video": video.title or video.id}
    value, now = f"{assistant.id} {video.id}", is_shown_next(chat)
    show = _("Show the chat of %(assistant)s on %(video)s") % names
    hide = _("Hide the chat of %(assistant)s on %(video)s") % names
    return ChatCell(
        id=f"chat-{assistant.id}-{video.id}",
        state=state_words(chat),
        shape=SHAPES[chat],
        choices=(
            ChatChoice(_("Show"), show, f"{value} 1", "true" if now is True else "false"),
            ChatChoice(_("Hide"), hide, f"{value} 0", "true" if now is False else "false"),
        ),
    )


def format_outcome(assistant: Assistant, video: Video | Entry, write: Write) -> str:
    """The result of a switch in words, except a refusal."""
    if write.state in (State.UNCONFIRMED, State.SENDING):
        return unconfirmed_sentence(write)
    if write.state != State.DONE:
        return waiting_sentence(write)
    names = {"assistant": assistant.name or assistant.id, "video": video.title or video.id}
    if write.request["chat_is_visible"]:
        return _("The chat of %(assistant)s is shown on %(video)s.") % names
    return _("The chat of %(assistant)s is hidden on %(video)s.") % names


def chat_after(write: Write, before: Chat) -> Chat:
    """The state of a chat after a write."""
    is_visible = write.request["chat_is_visible"]
    match write.state:
        case State.DONE:
            return KNOWN[is_visible]
        case State.UNCONFIRMED | State.SENDING:
            return Chat.UNCONFIRMED
        case State.HELD:
            return WAITING[is_visible]
    return before


def format_result(many: SwitchResult) -> list[str]:
    """The result of a form for several chats, as sentences."""
    sentences = [
        ngettext("%(count)s chat was changed.", "%(count)s chats were changed.", many.switched)
        % {"count": formats.number(many.switched)}
    ]
    kinds: dict[str, int] = {}
    for _video, error in many.failed:
        sentence = refusals.explain(error).cause
        kinds[sentence] = kinds.get(sentence, 0) + 1
    for sentence, count in kinds.items():
        sentences.append(
            ngettext("%(count)s was not changed:", "%(count)s were not changed:", count)
            % {"count": formats.number(count)}
        )
        sentences[-1] += f" {sentence}"
    if many.unconfirmed:
        sentences.append(
            ngettext(
                "%(count)s is not confirmed. We keep checking automatically.",
                "%(count)s are not confirmed. We keep checking automatically.",
                many.unconfirmed,
            )
            % {"count": formats.number(many.unconfirmed)}
        )
    return sentences + ([format_waiting(many.waiting)] if many.waiting else [])


def format_waiting(count: int) -> str:
    """How many chats the worker still sends."""
    return ngettext(
        "%(count)s chat is waiting and will be sent automatically. You can close this page.",
        "%(count)s chats are waiting and will be sent automatically. You can close this page.",
        count,
    ) % {"count": formats.number(count)}
