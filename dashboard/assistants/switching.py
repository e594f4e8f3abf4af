"""Switching chats (section 4.13). Setting a state twice is harmless; what came of it is remembered for each chat."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dashboard import clients
from dashboard.activity.recorder import ambiguous, recorded
from dashboard.assistants.models import Switch
from dashboard.assistants.rules import Chat, visible
from dashboard.platform_api.errors import BadToken, PlatformError, RateLimited, Unreachable
from dashboard.shared.http import OwnerRequest

if TYPE_CHECKING:
    from dashboard.activity.models import Entry

BUDGET = 8.0
"""Seconds that one press may take; what did not leave in time is said, and stays chosen."""


@dataclass
class Many:
    """What came of a press for several chats: how many were switched, the errors, and those never sent."""

    switched: int = 0
    failed: list[tuple[str, str, PlatformError]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)


def switch(
    request: OwnerRequest,
    assistant_id: str,
    video_id: str,
    *,
    show: bool,
    before: Chat,
    label: str,
    undoes: "Entry | None" = None,
) -> None:
    """Switch one chat. Raises the `PlatformError` of a refusal, and of an answer that never came."""
    place = {"assistant_id": assistant_id, "video_id": video_id}
    was = visible(before)
    try:
        with recorded(
            request,
            "assistants.update_chat_visibility",
            target=video_id,
            label=label,
            before=None if was is None else {**place, "chat_is_visible": was},
            after={**place, "chat_is_visible": show},
            undoes=undoes,
        ):
            clients.platform(request).assistants.update_chat_visibility(assistant_id, video_id, show)
    except PlatformError as error:
        if ambiguous(error):
            _remember(request, assistant_id, video_id, show=show, confirmed=False)
        raise
    _remember(request, assistant_id, video_id, show=show, confirmed=True)


def switch_many(
    request: OwnerRequest, chats: Iterable[tuple[str, str]], *, show: bool, states: dict[tuple[str, str], Chat]
) -> Many:
    """Switch several chats, those that stand so already left alone. Stops when the platform asks for a pause."""
    found, end = Many(), time.monotonic() + BUDGET
    wanted = [chat for chat in chats if visible(states.get(chat, Chat.UNKNOWN)) is not show]
    for place, (assistant_id, video_id) in enumerate(wanted):
        if time.monotonic() > end:
            found.left = wanted[place:]
            break
        try:
            before = states.get((assistant_id, video_id), Chat.UNKNOWN)
            switch(request, assistant_id, video_id, show=show, before=before, label=assistant_id)
        except BadToken:
            raise
        except PlatformError as error:
            found.failed.append((assistant_id, video_id, error))
            if isinstance(error, RateLimited | Unreachable):
                found.left = wanted[place + 1 :]
                break
        else:
            found.switched += 1
    return found


def _remember(request: OwnerRequest, assistant_id: str, video_id: str, *, show: bool, confirmed: bool) -> None:
    Switch.objects.update_or_create(
        account_id=request.account.pk,
        assistant_id=assistant_id,
        video_id=video_id,
        defaults={"visible": show, "confirmed": confirmed},
    )
