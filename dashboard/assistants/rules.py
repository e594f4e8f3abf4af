"""What is known of a chat, from the platform's list and from what was switched here (section 4.13)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from dashboard.platform_api.assistants import Assistant


class Chat(StrEnum):
    """State of a chat. A chat that was never read is unknown."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    UNCONFIRMED = "unconfirmed"
    UNKNOWN = "unknown"
    WILL_SHOW = "will_show"
    """Switched here and not sent yet."""
    WILL_HIDE = "will_hide"


KNOWN = {True: Chat.SHOWN, False: Chat.HIDDEN}
WAITING = {True: Chat.WILL_SHOW, False: Chat.WILL_HIDE}
ID_MAX = 100


@dataclass(frozen=True)
class LastSwitch:
    """The last switch from here."""

    visible: bool
    confirmed: bool


def chat_state(read: bool | None, remembered: LastSwitch | None, waiting: bool | None = None) -> Chat:
    """The state of a chat: of a waiting write, else of the platform, else of the last switch here, else unknown."""
    if waiting is not None:
        return WAITING[waiting]
    if read is not None:
        return KNOWN[read]
    if remembered is None:
        return Chat.UNKNOWN
    return KNOWN[remembered.visible] if remembered.confirmed else Chat.UNCONFIRMED


def is_shown(state: Chat) -> bool | None:
    """Whether the chat is shown now: None where it is not known."""
    return {Chat.SHOWN: True, Chat.HIDDEN: False}.get(state)


def is_shown_next(state: Chat) -> bool | None:
    """Whether the chat is or will be shown; None where it is unknown."""
    return {**{chat: is_visible for is_visible, chat in WAITING.items()}, Chat.SHOWN: True, Chat.HIDDEN: False}.get(
        state
    )


def merge_assistants(listed: Iterable[Assistant], added: Iterable[Assistant]) -> tuple[Assistant, ...]:
    """The platform's assistants, then those added by id that it does not list."""
    first = tuple(listed)
    ids = {assistant.id for assistant in first}
    return first + tuple(assistant for assistant in added if assistant.id not in ids)


def is_possible_id(text: str) -> bool:
    """An id is one word (section 4.13 says: a string) and may not be able to leave its place in an address."""
    return 0 < len(text) <= ID_MAX and text.isprintable() and not any(c.isspace() or c in "/\\?#" for c in text)
