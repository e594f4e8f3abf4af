"""How a chat is shown, and what is said of switching it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.assistants.queries import MatrixView
from dashboard.assistants.rules import KNOWN, WAITING, Chat, is_shown_next
from dashboard.assistants.writes import SwitchResult
from dashboard.platform_api.assistants import Assistant
from dashboard.platform_api.videos import Video
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.entries import Entry
from dashboard.writes.models import State, Write
from dashboard.writes.pages import unconfirmed_sentence, waiting_sentence


def badge_of(chat: Chat) -> tuple[str, str]:
    """The state as a word, and its shape."""
    return {
        Chat.SHOWN: (_("Shown"), "active"),
        Chat.HIDDEN: (_("Hidden"), "none"),
        Chat.UNCONFIRMED: (_("Not confirmed"), "unknown"),
        Chat.UNKNOWN: (_("Unknown"), "unknown"),
        Chat.WILL_SHOW: (_("Waiting"), "queue"),
        Chat.WILL_HIDE: (_("Waiting"), "queue"),
    }[chat]


@dataclass(frozen=True)
class ChatCell:
    """One chat: its state and its two choices. No choice is pressed where the state is unknown."""

    assistant: Assistant
    video: Video | Entry
    badge: tuple[str, str]
    is_shown: bool | None
    """Or will be."""


def build_cell(assistant: Assistant, video: Video | Entry, chat: Chat) -> ChatCell:
    """One chat that stands so."""
    return ChatCell(assistant, video, badge_of(chat), is_shown_next(chat))


def build_address(view: MatrixView, page: int) -> str:
    """The address of page number `page` of what is shown now."""
    query = {"find": view.find, "of": view.video, "folder": view.folder, "page": page if page > 1 else ""}
    return address("assistants:assistants", **query)


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
