"""What is known of a chat, from the platform's list and from what was switched here (section 4.13)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from dashboard.platform_api.records.assistants import Assistant


class Chat(StrEnum):
    """Where a chat stands. Nothing is guessed: what was never read is not known."""

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
    """What waits to be sent; else the platform's own word; else what was switched here; else nobody knows."""
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
    """The state as a switch: as it stands or will stand; None where it is not known."""
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
