"""View models of pending writes: the cards of the outbox."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.shared import formats
from dashboard.shared.refusals import Explained
from dashboard.writes.models import State, Write
from review_portal import messages
from review_portal.models import ReviewLink
from review_portal.writes import CREATE

GIST = 80
"""Characters of a text that name it."""


@dataclass(frozen=True)
class OutboxItem:
    """One write that is not there yet. `state` is held, late, sending, refused or unconfirmed; `change_of` is the comment
    that it changes, "" for a new one.
    """

    key: str
    attempt: int
    state: str
    address: str
    text: str
    about: str
    time: int
    reply_to: str
    change_of: str
    seconds: int
    explained: Explained | None

    @property
    def is_in_progress(self) -> bool:
        """Whether it arrives without anybody doing anything: it waits for its time, or is being sent."""
        return self.state in {State.HELD, State.SENDING}


def build_item(link: ReviewLink, write: Write, now: datetime) -> OutboxItem:
    """A write of this person's that is not there yet, as its card says it."""
    request = write.request
    changes = request.get("changes", {})
    text = str(request.get("text") or changes.get("text") or "")
    late = write.state == State.HELD and write.reason
    seconds = int((write.due_at - now).total_seconds() + 0.999) if write.due_at else 0
    return OutboxItem(
        key=str(write.key),
        attempt=write.attempt,
        state="late" if late else write.state,
        address=f"/{link.pk}/submissions/{write.key}",
        text=text,
        about=_describe(write, text if len(text) <= GIST else text[: GIST - 1] + "…"),
        time=request.get("time", 0),
        reply_to=str(request.get("reply_to") or ""),
        change_of=str(request.get("comment_id") or ""),
        seconds=max(0, seconds),
        explained=messages.explain_write(write),
    )


def _describe(write: Write, gist: str) -> str:
    """What it is: the words of a comment with their time, or what is to change."""
    if write.operation == CREATE:
        return _("at %(at)s: “%(gist)s”") % {"at": formats.clock(write.request["time"]), "gist": gist}
    changes = write.request["changes"]
    if "text" in changes:
        return _("new text: “%(gist)s”") % {"gist": gist}
    if "time" in changes:
        return _("new time: %(at)s") % {"at": formats.clock(changes["time"])}
    if changes.get("status") == CommentStatus.RESOLVED:
        return _("resolve: “%(text)s”") % {"text": write.label[:GIST]}
    return _("reopen: “%(text)s”") % {"text": write.label[:GIST]}
