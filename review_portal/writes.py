"""Writes through a review link: comments and replies [4.7], and changes of them [4.8].

`Write.scope` is the link, `Write.author` the reviewer whose session sends it, `Write.subject` the link as well, so that
Activity leads there. All of them wait for the platform: the reviewer may be gone when it is back.
"""

import uuid
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from dashboard.platform_api import errors
from dashboard.platform_api.reviews import Comment as CommentRecord
from dashboard.platform_api.vocabulary import LinkStatus
from dashboard.upstream import clients
from dashboard.writes.models import State, Write
from dashboard.writes.operations import (
    ABSENT,
    SUPERSEDED,
    UNKNOWN,
    Absence,
    Found,
    NotRead,
    Operation,
    is_superseded,
    register,
    select_overlapping,
)
from dashboard.writes.outbox import SETTLE
from dashboard.writes.recovery import restored
from review_portal import sync
from review_portal.models import Comment, CommentDrawing, CommentFrame, CutCheck, Passage, Reviewer, ReviewLink
from review_portal.videos import FrameTime

CREATE: Final = "public_review.create_comment"
UPDATE: Final = "public_review.update_comment"
CLOCKS_DIFFER: Final = timedelta(minutes=2)
"""How far the platform's clock may be from ours."""


def get_link_id(write: Write) -> uuid.UUID:
    """The review link that `write` goes through."""
    return uuid.UUID(write.scope)


def get_comment_id(write: Write) -> uuid.UUID | None:
    """The comment that `write` made or changes; None while it is not there."""
    comment_id = write.request.get("comment_id") or (write.result or {}).get("comment_id")
    return uuid.UUID(comment_id) if comment_id else None


def _get_reviewer(write: Write) -> Reviewer:
    return Reviewer.objects.select_related("account").get(pk=write.author)


def _send_created(write: Write) -> CommentRecord:
    """Post it [4.7]: a reply inherits its parent's time, so it sends none."""
    token = _get_reviewer(write).token
    return clients.reviewer_platform().public_review.create_comment(
        get_link_id(write), token, build_payload(write.request)
    )


def build_payload(request: dict[str, Any]) -> dict[str, Any]:
    """The body of a new comment [4.7], from a write's request."""
    address = request.get("drawing", {}).get("address", "")
    text = f"{request['text']}\n{address}" if address else request["text"]
    body = {"text": text, "user_name": request["user_name"]}
    return body | ({"reply_to": request["reply_to"]} if request["reply_to"] else {"time": request["time"]})


def _keep_created(write: Write, answer: "CommentRecord | Comment") -> None:
    """Store the comment as its writer's, in the same transaction. Raises `ValueError` where the answer has no id."""
    reviewer = _get_reviewer(write)
    if isinstance(answer, Comment):  # a read has brought it into the copy
        with sync.new_version(get_link_id(write)) as version:
            if not Comment.objects.filter(pk=answer.pk, reviewer=None).update(reviewer=reviewer, version=version):
                raise ValueError("another write of the same words has taken this comment")
        comment = answer
    else:
        comment = sync.store_comment(ReviewLink.objects.get(pk=write.scope), answer, reviewer)
    _keep_beside(write, comment)
    write.result = {"comment_id": str(comment.comment_id)}
    CutCheck.objects.filter(link=comment.link_id, key=write.key).update(added_id=comment.comment_id)


def _keep_beside(write: Write, comment: Comment) -> None:
    """Store what belongs to a new comment and the platform does not know: its frame and its drawing."""
    frame = FrameTime.from_kept(write.request.get("frame"))
    if frame is not None:
        values = {"link_id": get_link_id(write), "microseconds": frame.microseconds, "rate": frame.rate}
        CommentFrame.objects.get_or_create(comment_id=comment.comment_id, defaults=values)
    if "drawing" in write.request:
        _keep_drawing(write, comment.comment_id, comment.user_name, comment.time)


def _keep_drawing(write: Write, comment_id: uuid.UUID | None, name: str, time: int) -> None:
    """Store the drawing that came with a comment; None in its place deletes that of the comment."""
    drawing = write.request["drawing"]
    if comment_id is not None:
        CommentDrawing.objects.filter(comment_id=comment_id).exclude(short=drawing["short"] if drawing else "").delete()
    if drawing is None:
        return
    values = {"comment_id": comment_id, "sketch": drawing["sketch"], "name": name, "time": time}
    CommentDrawing.objects.update_or_create(link_id=get_link_id(write), short=drawing["short"], defaults=values)


def _confirm_created(write: Write) -> None:
    """Its writer says that the comment arrived: its drawing has to be where the platform's text says, whichever it is."""
    if "drawing" in write.request:
        comment = _list_same(write).first()
        request = write.request
        _keep_drawing(write, comment.comment_id if comment else None, request["user_name"], request["time"])


def _settle_created(write: Write) -> Found | Absence:
    """Look for a comment with the same words. Absence cannot be proven on a link that hides resolved comments."""
    link = ReviewLink.objects.get(pk=write.scope)
    read_after = _get_read_delay(link, write)
    comment = _list_same(write).first()
    if comment is not None:
        return Found(comment)
    return ABSENT if link.show_resolved and read_after > SETTLE else UNKNOWN


def _list_same(write: Write) -> QuerySet[Comment]:
    """Comments with the words of `write` that nobody here is known to have written, made since it was sent."""
    request = write.request
    same = Comment.objects.filter(
        link_id=get_link_id(write),
        reviewer=None,
        text=build_payload(request)["text"],
        user_name=request["user_name"],
        reply_to=request["reply_to"],
    )
    if request["reply_to"] is None:
        same = same.filter(time=request["time"])
    since = (write.sent_at or write.created_at) - CLOCKS_DIFFER
    return same.filter(Q(created_at=None) | Q(created_at__gte=since)).order_by("created_at")


def _get_read_delay(link: ReviewLink, write: Write) -> timedelta:
    """How long after the end of the call the read began that the copy holds.

    Reads once for all writes of the link. Raises the `PlatformError` of a read that failed, and `NotRead` where what is
    held is older than the call.
    """
    error = sync.merge(link)
    if error is not None:
        raise error
    read_at = sync.get_read_at(link)
    if not sync.is_readable() or read_at is None or write.ended_at is None or read_at <= write.ended_at:
        raise NotRead
    return read_at - write.ended_at


def _send_updated(write: Write) -> CommentRecord:
    request, token = write.request, _get_reviewer(write).token
    public = clients.reviewer_platform().public_review
    return public.update_comment(get_link_id(write), uuid.UUID(request["comment_id"]), token, request["changes"])


def _keep_updated(write: Write, answer: "CommentRecord | Comment") -> None:
    """Update every link's copy of the comment with what the platform answered."""
    link = ReviewLink.objects.get(pk=write.scope)
    copies = _lock_copies(write)
    comment = answer if isinstance(answer, Comment) else sync.store_comment(link, answer)
    changes = write.request["changes"]
    if "time" in changes:
        Comment.objects.filter(reply_to=comment.comment_id).update(time=comment.time)  # inherited [4.7]
    newest = {name: getattr(comment, name) for name in (*changes, "updated_at", "written_at")}
    _keep_changed_drawing(write, comment)
    _write_copies([copy for copy in copies if copy.link_id != link.pk], newest)


def _keep_changed_drawing(write: Write, comment: Comment) -> None:
    """Store what a change says of the comment's drawing, unless a later one that arrived says it anew.

    The platform knows no drawing: what a read finds does not tell which of two changes with the same words came last.
    """
    if "drawing" not in write.request:
        return
    others = _list_other_changes(write)
    if not is_superseded(
        write, (other for other in others if other.state == State.DONE and "drawing" in other.request)
    ):
        _keep_drawing(write, comment.comment_id, comment.user_name, comment.time)


def _lock_copies(write: Write) -> list[Comment]:
    """The comment that `write` changes, as each link of its video has it. Those links stay locked until the transaction ends."""
    copies = list(Comment.objects.filter(comment_id=write.request["comment_id"]))
    sync.lock({get_link_id(write), *(copy.link_id for copy in copies)})
    return copies


def _write_copies(copies: list[Comment], values: dict[str, Any]) -> None:
    for copy in copies:
        with sync.new_version(copy.link_id) as version:
            Comment.objects.filter(pk=copy.pk).update(version=version, **values)


def _settle_updated(write: Write) -> Found | Absence:
    """Whether the comment has the values that were sent, those of before, or those of another change made here."""
    link = ReviewLink.objects.get(pk=write.scope)
    read_after = _get_read_delay(link, write)
    comment = Comment.objects.filter(link=link, comment_id=write.request["comment_id"]).first()
    if comment is None:
        return UNKNOWN
    changes = write.request["changes"]
    differing = {name for name, value in changes.items() if getattr(comment, name) != value}
    if not differing:
        return Found(comment)
    others = _list_other_changes(write)
    if is_superseded(write, (other for other in others if differing <= set(other.request["changes"]))):
        return SUPERSEDED
    overlapping = select_overlapping(write, others)
    untouched = all(getattr(comment, name) in _list_values_before(write, name, overlapping) for name in changes)
    return ABSENT if untouched and read_after > SETTLE else UNKNOWN  # else somebody has changed it since


def _list_other_changes(write: Write) -> list[Write]:
    """All other changes of the comment that `write` changes, through whichever link of its video."""
    comment_id = write.request["comment_id"]
    links = [str(link) for link in Comment.objects.filter(comment_id=comment_id).values_list("link_id", flat=True)]
    changes = Write.objects.filter(operation=UPDATE, subject__in=links, request__comment_id=comment_id)
    return list(changes.exclude(pk=write.pk))


def _list_values_before(write: Write, name: str, overlapping: list[Write]) -> list[Any]:
    """What a field may have held before `write`: what was shown then, or what was on its way at that time."""
    value = (write.before or {}).get(name)
    return [value, *(other.request["changes"][name] for other in overlapping if name in other.request["changes"])]


def _confirm_updated(write: Write) -> None:
    """Update every copy with the values that the writer says arrived."""
    copies = _lock_copies(write)
    _write_copies(copies, write.request["changes"])
    for copy in copies[:1]:
        _keep_changed_drawing(write, copy)


@receiver(restored)
def forget_codes(**_signal: object) -> None:
    """No code for another device works once more, which may have been used after the backup."""
    Passage.objects.all().delete()


def _tell_watchers(write: Write) -> None:
    """Raise the versions so that the next poll shows the write's new state.

    After a refusal the link itself is read anew.
    """
    link_id = get_link_id(write)
    copies = _lock_copies(write) if write.operation == UPDATE else []
    if copies:
        _write_copies(copies, {})
    if link_id not in {copy.link_id for copy in copies}:
        sync.raise_version(link_id)  # its writer's own list has changed
    if write.state == State.REFUSED and write.reason in (errors.NotAllowed.__name__, errors.Missing.__name__):
        _note_refusal(write)
        sync.expire_link_read(ReviewLink(pk=link_id))


def _note_refusal(write: Write) -> None:
    """Keep what a 403 says of the link [7]: where links cannot be read, nothing else tells that it has closed."""
    changes: dict[str, dict[str, Any]] = {
        "expired": {"expires_at": timezone.now()},
        "inactive": {"status": LinkStatus.INACTIVE.value},
        "allow_comment": {"allow_comment": False},
        "allow_status_edit": {"allow_status_edit": False},
    }
    fields = next((changes[word] for word in changes if word in write.message.casefold()), None)
    if fields and write.status == 403:
        with sync.new_version(get_link_id(write)):
            ReviewLink.objects.filter(pk=get_link_id(write)).update(**fields)


register(
    Operation(
        CREATE,
        _send_created,
        _keep_created,
        _settle_created,
        changed=_tell_watchers,
        readable=sync.is_readable,
        confirmed=_confirm_created,
        waits=True,
    )
)
register(
    Operation(
        UPDATE,
        _send_updated,
        _keep_updated,
        _settle_updated,
        changed=_tell_watchers,
        readable=sync.is_readable,
        confirmed=_confirm_updated,
        waits=True,
    )
)
