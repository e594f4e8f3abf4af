"""Pending comments, replies and changes that reviewers and owners send through a link.

Each is a write of `dashboard.writes`. This module adds what is specific to rooms: how long a comment is held, who may see a
write, when the same words count as a repeat, the drawing that comes with a comment or with an edit, and what a browser
tells beside its forms: how fast it saw the video run, and where stills are.
"""

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.writes import outbox
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.outbox import Intent
from review_portal.drawings import BadDrawing, Sketch, parse_sketch, strip_address
from review_portal.models import Comment, CommentDrawing, Reviewer, ReviewLink
from review_portal.rules import Problem, Reason
from review_portal.videos import FrameTime, get_measured_rate
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


def get_stills_address(request: HttpRequest, link: ReviewLink) -> str:
    """Where the stills of the link's drawings are for people elsewhere; "" where the owner does not want them named."""
    return request.build_absolute_uri(f"/{link.pk}/d/") if link.address_drawings else ""


def create_short() -> str:
    """The end of a still's address."""
    return secrets.token_hex(5)


def build_post(sketch: Sketch, stills: str) -> DrawingPost:
    """A drawing under an address of its own, which the platform's text gets where `stills` says where it is."""
    short = create_short()
    return DrawingPost(sketch, short, f"{stills}{short}" if stills else "")


def get_suffix(drawing: DrawingPost | None) -> str:
    """What the platform's text gets after the words."""
    return f"\n{drawing.address}" if drawing and drawing.address else ""


def read_new(typed: str, stills: str) -> tuple[DrawingPost | None, list[Problem]]:
    """The drawing of a new comment, or None without one; and what is wrong with it."""
    if not typed:
        return None, []
    try:
        sketch = parse_sketch(typed)
    except BadDrawing as error:
        return None, [Problem("", Reason.DRAWING_TOO_LARGE if error.too_large else Reason.DRAWING_UNREADABLE)]
    return build_post(sketch, stills), []


@dataclass(frozen=True)
class DrawingChange:
    """What an edit says of a comment's drawing. `words`: the comment's own now, without an address; `suffix`: what follows
    them afterwards; `beside`: what a write keeps with it, empty where the drawing stays as it is.
    """

    words: str
    suffix: str
    problems: list[Problem] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)


def read_change(comment: Comment, data: Mapping[str, str], stills: str) -> DrawingChange:
    """A form without a drawing's field leaves it; an empty field deletes it."""
    stored = CommentDrawing.objects.filter(comment_id=comment.comment_id).first()
    words = strip_address(comment.text, stored.short) if stored else comment.text
    suffix = comment.text[len(words) :]
    if comment.reply_to is not None or "drawing" not in data:
        return DrawingChange(words, suffix)
    post, problems = read_new(data["drawing"], stills)
    if problems or (post is None and stored is None):
        return DrawingChange(words, suffix, problems)
    if post is None or stored is None:
        return DrawingChange(words, get_suffix(post), beside={"drawing": post.to_kept() if post else None})
    if stored.sketch == post.sketch.to_kept():
        return DrawingChange(words, suffix)
    same = DrawingPost(post.sketch, stored.short, suffix.strip())
    return DrawingChange(words, suffix, beside={"drawing": same.to_kept()})


def add_waiting(change: DrawingChange, comment: Comment) -> DrawingChange:
    """Newer words take the place of an own change that waits: what that says of the drawing goes along with them."""
    waiting = list_waiting_changes(comment, comment.reviewer_id).filter(request__has_key="drawing").last()
    if waiting is None:
        return change
    drawing = waiting.request["drawing"]
    suffix = f"\n{drawing['address']}" if drawing and drawing["address"] else ""
    return replace(change, suffix=suffix, beside={"drawing": drawing})


@dataclass(frozen=True)
class Sender:
    """`rate`: frames a second of the video as this browser measured them; `stills`: where the stills of drawings are as it
    sees this server, "" where their addresses are not sent."""

    rate: str = ""
    stills: str = ""


NOBODY: Final = Sender()


def read_sender(request: HttpRequest, link: ReviewLink) -> Sender:
    """The sender of a form about the video of this link, which the address names."""
    measured = get_measured_rate(request)
    return Sender(measured.frames if measured else "", get_stills_address(request, link))
