"""A switched chat is switched back (section 4.13 allows the opposite call)."""

from typing import TYPE_CHECKING, Any, cast

from django.http import HttpRequest

from dashboard.activity.recorder import undoes
from dashboard.assistants import writes
from dashboard.assistants.rules import KNOWN
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.writes import outbox

if TYPE_CHECKING:
    from dashboard.activity.models import Entry
    from dashboard.writes.models import Write


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
