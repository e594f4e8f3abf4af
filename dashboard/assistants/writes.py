"""What is sent when chats are switched (section 4.13), and what is remembered of each chat."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from django.http import HttpRequest

from dashboard.activity.recorder import undoes
from dashboard.assistants import writes
from dashboard.assistants.models import Switch
from dashboard.assistants.rules import KNOWN, Chat, is_shown, is_shown_next
from dashboard.platform_api import Platform
from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, SUPERSEDED, UNKNOWN, Absence, Found, Operation, is_superseded, register
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import form_intent, submit

if TYPE_CHECKING:
    from dashboard.activity.models import Entry
    from dashboard.writes.models import Write


SWITCH: Final = "assistants.update_chat_visibility"
BUDGET = 8.0
"""Seconds that one press may take; what has not left by then is sent by the worker."""


@dataclass
class SwitchResult:
    """Result of a form for several chats; the worker sends those `waiting`."""

    switched: int = 0
    failed: list[tuple[str, CallError]] = field(default_factory=list)
    """The video and the refusal."""
    unconfirmed: int = 0
    waiting: int = 0


def switch_intent(
    request: OwnerRequest,
    assistant_id: str,
    video_id: str,
    *,
    show: bool,
    before: Chat,
    label: str,
    undoes: "Entry | None" = None,
) -> Intent:
    """The switch of one chat. `before` is how it stands."""
    place = {"assistant_id": assistant_id, "video_id": video_id}
    was, after = is_shown(before), {**place, "chat_is_visible": show}
    return form_intent(
        request,
        SWITCH,
        subject=video_id,
        sends=after,
        label=label,
        before=None if was is None else {**place, "chat_is_visible": was},
        after=after,
        undoes=undoes,
    )


def switch(intent: Intent) -> Write:
    """Send one switch. One that cannot be sent now waits for the worker; the caller sees in `state` how it ended.

    Raises `BadToken`.
    """
    _begin(intent)
    return submit(intent)


def switch_many(
    request: OwnerRequest, chats: Iterable[tuple[str, str]], *, show: bool, states: dict[tuple[str, str], Chat]
) -> SwitchResult:
    """Switch several chats; those that stand so already are left alone. Each is one write, stored before the first leaves.

    Raises `BadToken`; what did not leave then waits for a good token.
    """
    intents = []
    for assistant, video in chats:
        chat = states.get((assistant, video), Chat.UNKNOWN)
        intent = switch_intent(request, assistant, video, show=show, before=chat, label=assistant)
        if is_shown_next(chat) is not show or outbox.find(intent.scope, intent.key) is not None:
            intents.append(intent)
    writes, many, end = [_begin(intent) for intent in intents], SwitchResult(), time.monotonic() + BUDGET
    sending = True
    for write in writes:
        if sending:
            _deliver(write)
        match write.state:
            case State.DONE:
                many.switched += 1
            case State.REFUSED if (error := write.raised or write.error) is not None:
                many.failed.append((write.subject, error))
                outbox.dismiss(write)  # it is told where the form is
            case State.UNCONFIRMED:
                many.unconfirmed += 1
            case _:
                many.waiting += 1
        sending = sending and write.state not in (State.HELD, State.SENDING) and time.monotonic() < end
    return many


def count_waiting(request: OwnerRequest) -> int:
    """How many chats of the account the worker still sends."""
    waiting = (State.HELD, State.SENDING)
    return Write.objects.filter(account=request.account, operation=SWITCH, state__in=waiting).count()


def _begin(intent: Intent) -> Write:
    """Store the switch. An earlier one of this chat that still waits is not sent any more."""
    write, new = outbox.begin(intent)
    if new:
        cancel_earlier(write)
    return write


def cancel_earlier(write: Write) -> None:
    """Cancel the earlier switches of the same chat that still wait."""
    for earlier in _others(write).filter(state=State.HELD, created_at__lt=write.created_at):
        outbox.cancel(earlier)


def _deliver(write: Write) -> None:
    if write.state == State.HELD:
        outbox.deliver(write)
    if write.state == State.SENDING:
        outbox.wait_for_answer(write)
    if write.state == State.HELD and isinstance(write.raised, BadToken):
        raise write.raised


def _others(write: Write) -> Any:
    """The other writes of the same chat."""
    same = Write.objects.filter(account=write.account, operation=SWITCH, subject=write.subject)
    return same.filter(request__assistant_id=write.request["assistant_id"]).exclude(pk=write.pk)


def _platform(write: Write) -> Platform:
    assert write.account is not None  # noqa: S101  (every chat belongs to an account)
    return clients.platform_for(write.account)


def _send(write: Write) -> None:
    sent = write.request
    _platform(write).assistants.update_chat_visibility(sent["assistant_id"], sent["video_id"], sent["chat_is_visible"])


def _settle(write: Write) -> Found | Absence:
    """Settle from the list of assistants, or from the one assistant, on platforms that have such a read."""
    platform, assistant_id = _platform(write), write.request["assistant_id"]
    try:
        chats = next((assistant.chat for assistant in platform.assistants.list() if assistant.id == assistant_id), {})
    except Missing:
        try:
            chats = platform.assistants.get(assistant_id).chat
        except Missing:
            return UNKNOWN
    is_visible = chats.get(write.request["video_id"])
    if is_visible is None:
        return UNKNOWN
    if is_visible is write.request["chat_is_visible"]:
        return Found()
    return SUPERSEDED if is_superseded(write, _others(write)) else ABSENT


def _is_overtaken(write: Write) -> bool:
    """Whether a later switch of the same chat may have changed it again."""
    later = _others(write).filter(created_at__gt=write.created_at)
    return bool(later.exclude(state__in=(State.CANCELLED, State.REFUSED)).exists())


def _remember(write: Write) -> None:
    """Save the state of the chat: on a platform without a list this is the only record."""
    if write.state not in (State.DONE, State.UNCONFIRMED, State.REFUSED):
        return
    if write.account_id is None or _is_overtaken(write):
        return
    sent = write.request
    place = {"assistant_id": sent["assistant_id"], "video_id": sent["video_id"]}
    is_visible, confirmed = sent["chat_is_visible"], write.state == State.DONE
    if write.state == State.REFUSED:
        unsure = Switch.objects.filter(account_id=write.account_id, **place, confirmed=False)
        if write.before is None:
            unsure.delete()
        else:
            unsure.update(visible=write.before["chat_is_visible"], confirmed=True)
    else:
        Switch.objects.update_or_create(
            account_id=write.account_id, **place, defaults={"visible": is_visible, "confirmed": confirmed}
        )


register(Operation(SWITCH, _send, settle=_settle, changed=_remember, waits=True))


@undoes(writes.SWITCH)
def undo(request: HttpRequest, entry: "Entry") -> "Write":
    """Send what was before. Raises the `PlatformError` of a refusal."""
    was: dict[str, Any] = entry.before or {}
    now: dict[str, Any] = entry.after or {}
    intent = writes.switch_intent(
        cast(OwnerRequest, request),
        was["assistant_id"],
        was["video_id"],
        show=was["chat_is_visible"],
        before=KNOWN[now["chat_is_visible"]],
        label=entry.label,
        undoes=entry,
    )
    if clients.is_rehearsing():
        return outbox.perform(intent)
    return writes.switch(intent)
