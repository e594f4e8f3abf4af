"""A switched chat is switched back (section 4.13 allows the opposite call)."""

from typing import TYPE_CHECKING, Any, cast

from django.http import HttpRequest

from dashboard.activity.recorder import undoes
from dashboard.assistants import switching
from dashboard.assistants.rules import KNOWN
from dashboard.shared.http import OwnerRequest

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


@undoes("assistants.update_chat_visibility")
def undo(request: HttpRequest, entry: "Entry") -> None:
    """Send what was before. Raises the `PlatformError` of a refusal."""
    was: dict[str, Any] = entry.before or {}
    now: dict[str, Any] = entry.after or {}
    switching.switch(
        cast(OwnerRequest, request),
        was["assistant_id"],
        was["video_id"],
        show=was["chat_is_visible"],
        before=KNOWN[now["chat_is_visible"]],
        label=entry.label,
        undoes=entry,
    )
