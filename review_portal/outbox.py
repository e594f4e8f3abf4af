"""Pending comments, replies and changes that reviewers and owners send through a link.

Each is a write of `dashboard.writes`. This module adds what is specific to rooms: how long a comment is held, who may see
a write, and when the same words count as a repeat.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.writes import outbox
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.outbox import Intent
from review_portal.drawings import Sketch
from review_portal.frames import FrameTime
from review_portal.models import Comment, Reviewer, ReviewLink
from review_portal.writes import CREATE, UPDATE, build_payload

if TYPE_CHECKING:
    from dashboard.activity.models import Entry

HOLD = timedelta(seconds=5)
"""How long a comment can be undone before it leaves."""
SAME_WORDS = timedelta(seconds=60)
"""The same words of one person at the same place within this are asked about before they are posted again."""


@dataclass(frozen=True)
class DrawingPost:
    """A drawing that goes with a comment. `address`: of its still, as the platform's text has it; "" where it has none."""

    sketch: Sketch
    short: str
    address: str = ""

    def to_kept(self) -> dict[str, Any]:
        """As a write stores it."""
        return {"sketch": self.sketch.to_kept(), "short": self.short, "address": self.address}


@dataclass(frozen=True)
class Words:
    """What is posted: all of it already checked by the forms. `reply_to` is a top-level comment of the link, or None."""

    text: str
    user_name: str
    time: int
    reply_to: uuid.UUID | None = None
    frame: FrameTime | None = None
    """What the platform does not know, and is kept here together with the comment."""
    drawing: DrawingPost | None = None
    """The same; its address goes to the platform at the end of the text."""

    def request(self) -> dict[str, Any]:
        """The same as a write stores it."""
        reply_to = str(self.reply_to) if self.reply_to else None
        request = {"text": self.text, "user_name": self.user_name, "time": self.time, "reply_to": reply_to}
        request |= {"frame": self.frame.to_kept()} if self.frame else {}
        return request | ({"drawing": self.drawing.to_kept()} if self.drawing else {})


def find_attempt(link: ReviewLink, key: uuid.UUID) -> tuple[Write | None, uuid.UUID]:
    """What the form with `key` began already, or None; and the key under which it would begin now.

    One that was undone, or refused and discarded, is over: the same form sent again on purpose is another attempt.
    """
    while (write := outbox.find(str(link.pk), key)) is not None:
        if write.state != State.CANCELLED and not (write.state == State.REFUSED and not write.shown):
            return write, key
        key = uuid.uuid5(key, "again")
    return None, key


def finish_attempt(write: Write) -> Write:
    """Wait a moment for the write that an earlier press of the same form began; send it if nobody has."""
    if write.state == State.HELD and not write.reason:
        outbox.deliver(write)
    outbox.wait_for_answer(write)
    return write


def submit(link: ReviewLink, reviewer: Reviewer, key: uuid.UUID, words: Words, *, hold: bool) -> Write:
    """Post `words`: at once, or after the hold. The same key again gives the first attempt as it stands."""
    request = words.request()
    intent = Intent(
        operation=CREATE,
        scope=str(link.pk),
        key=key,
        request=request,
        account=reviewer.account or link.accounts.first(),
        author=str(reviewer.pk),
        actor=words.user_name,
        subject=str(link.pk),
        label=words.text,
        after=build_payload(request),
    )
    return _begin(intent, hold=hold)


def change(
    comment: Comment,
    reviewer: Reviewer,
    key: uuid.UUID,
    changes: Mapping[str, Any],
    *,
    beside: Mapping[str, Any] | None = None,
    actor: str = "",
    undoes: "Entry | None" = None,
    hold: bool = False,
) -> Write:
    """Send `changes` (text, time, status; only what changes) of a comment as `reviewer`, and keep what changes `beside`
    them: "drawing", which the platform does not know.

    What waits of the same person for the same comment gives way to it. It is recorded under `actor`, else the reviewer's name.
    """
    link, about = comment.link, {"comment_id": str(comment.comment_id)}
    for waiting in list_waiting_changes(comment, reviewer.pk).exclude(key=key):
        if set(waiting.request["changes"]) <= set(changes):
            outbox.cancel(waiting)
    facts = about | {"session": "owner" if reviewer.account_id else "reviewer"}
    intent = Intent(
        operation=UPDATE,
        scope=str(link.pk),
        key=key,
        request=about | {"changes": dict(changes)} | dict(beside or {}),
        account=reviewer.account or link.accounts.first(),
        author=str(reviewer.pk),
        actor=actor or reviewer.name or _("A reviewer without a name"),
        subject=str(link.pk),
        label=comment.text,
        before=facts | {name: getattr(comment, name) for name in changes},
        after=facts | dict(changes),
        undoes=undoes,
    )
    return _begin(intent, hold=hold)


def list_waiting_changes(comment: Comment, reviewer_id: uuid.UUID | None) -> QuerySet[Write]:
    """Changes of the comment by one person that have not left yet, oldest first."""
    own = list_open_writes(comment.link).filter(operation=UPDATE, author=str(reviewer_id), state=State.HELD)
    return own.filter(request__comment_id=str(comment.comment_id))


def _begin(intent: Intent, *, hold: bool) -> Write:
    write, new = outbox.begin(intent, hold=HOLD if hold else timedelta())
    if not hold and (new or not write.reason) and write.state == State.HELD:
        outbox.deliver(write)
    if write.state == State.SENDING:
        outbox.wait_for_answer(write)
    return write


def send_again(write: Write) -> Write:
    """Send again at its writer's request: an unconfirmed write continues, a refused one becomes a new attempt."""
    if write.state in (State.UNCONFIRMED, State.HELD):  # held: another press of the form is about to send it
        return outbox.send_again(write)
    if write.state != State.REFUSED:
        return write
    fields = {name: getattr(write, name) for name in Intent.__dataclass_fields__}
    again = _begin(Intent(**fields | {"key": uuid.uuid5(write.key, "again")}), hold=False)
    outbox.dismiss(write)
    return again


def is_repeated(link: ReviewLink, reviewer: Reviewer | None, words: Words) -> bool:
    """Whether this person posted the same words at the same place a moment ago, from another form."""
    if reviewer is None:
        return False
    recent = Write.objects.filter(
        scope=str(link.pk), operation=CREATE, author=str(reviewer.pk), created_at__gte=timezone.now() - SAME_WORDS
    ).filter(state__in=(*OPEN, State.DONE))
    about = ("text", "time", "reply_to")  # not the frame: nobody hits the same one twice
    asked = [words.request()[name] for name in about]
    same = [write for write in recent if [write.request[name] for name in about] == asked]
    return any(_is_unchanged(link, write) for write in same)


def _is_unchanged(link: ReviewLink, write: Write) -> bool:
    """False where the resulting comment was edited or withdrawn since."""
    if write.state != State.DONE or not write.result:
        return True
    comment = Comment.objects.filter(link=link, comment_id=write.result["comment_id"]).first()
    return comment is None or comment.text == build_payload(write.request)["text"]


def list_unfinished(reviewer: Reviewer | None) -> list[Write]:
    """Writes of this reviewer that are pending or were refused, oldest first."""
    if reviewer is None:
        return []
    writes = Write.objects.filter(author=str(reviewer.pk), shown=True)
    return list(writes.exclude(state__in=(State.DONE, State.CANCELLED)).order_by("created_at"))


def list_open_writes(link: ReviewLink) -> QuerySet[Write]:
    """Writes of this link that are not settled."""
    return Write.objects.filter(scope=str(link.pk), settled_at=None).order_by("created_at")


def load_unsettled_changes(video_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """By comment of the video, how a change of it stands that is not there yet: "waiting" or "unconfirmed".

    Through whichever link it was sent: every link of the video shows the comment.
    """
    unsure = Q(state=State.UNCONFIRMED) | Q(state=State.HELD) | Q(state=State.SENDING, attempt__gt=1)
    links = [str(link_id) for link_id in ReviewLink.objects.filter(video_id=video_id).values_list("pk", flat=True)]
    changes = Write.objects.filter(unsure, scope__in=links, settled_at=None, operation=UPDATE)
    rows = changes.order_by("created_at").values_list("request", "state")
    word = {State.UNCONFIRMED.value: "unconfirmed"}
    return {uuid.UUID(request["comment_id"]): word.get(state, "waiting") for request, state in rows}
