"""Review links of a video [2.3, 4.4], and what a reviewer does: read, post, reply, edit, resolve [2.4, 4.7, 4.8]."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from dashboard.platform_api.vocabulary import (
    COMMENT_FORBIDDEN,
    COMMENT_TEXT_MAX,
    LINK_MAX_DAYS,
    LINK_NAME,
    LINK_NAME_MAX,
    MAIN_COMMENTS_MAX,
    REPLIES_MAX,
    USER_NAME,
    USER_NAME_MAX,
    CommentStatus,
    Message,
)
from dashboard.sandbox import serializers
from dashboard.sandbox.http_types import (
    Answer,
    JsonObject,
    Refusal,
    SandboxRequest,
    as_uuid,
    bad_request,
    forbidden,
    not_found,
    ok,
)
from dashboard.sandbox.models import ReviewComment, ReviewLink, Video
from dashboard.sandbox.validators import (
    Boolean,
    Choice,
    Field,
    Integer,
    Nullable,
    Number,
    Shape,
    Text,
    Uuid,
    addressed_link,
    addressed_video,
)

LINK: Final = Shape(
    (
        Field("link_name", Text(1, LINK_NAME_MAX, LINK_NAME, r"^[A-Za-z0-9 \-_.]+$"), required=True),
        Field("expires_at", Number(), required=True, note="Milliseconds since epoch, at most 30 days ahead"),
        Field("allow_comment", Boolean()),
        Field("allow_status_edit", Boolean()),
        Field("show_resolved", Boolean()),
    )
)


def create_link(request: SandboxRequest) -> Answer:
    """POST /video-review/{video_id}?action=link. The answer has no address [2.3]."""
    video = addressed_video(request)
    body = LINK.check(request.json())
    link = ReviewLink.objects.create(
        video=video,
        name=body["link_name"],
        expires_at=_expiry(body["expires_at"], request.now),
        allow_comment=body.get("allow_comment", True),
        allow_status_edit=body.get("allow_status_edit", True),
        show_resolved=body.get("show_resolved", True),
        created_at=request.now,
        updated_at=request.now,
    )
    return ok(serializers.review_link(link))


def list_review_links(request: SandboxRequest) -> Answer:
    """GET /video-review/{video_id}?action=link: every link with its address [2.3; path assumed]."""
    links = addressed_video(request).review_links.order_by("-created_at", "id")
    return ok([{**serializers.review_link(link), "url": serializers.review_page_url(link)} for link in links])


def _expiry(milliseconds: float, now: datetime) -> datetime:
    """Return the time. Raises a 400 beyond 30 days ahead [8], and for the past (assumed)."""
    ahead = milliseconds - now.timestamp() * 1000
    if ahead > timedelta(days=LINK_MAX_DAYS) / timedelta(milliseconds=1):
        raise bad_request(Message.EXPIRY_TOO_FAR)
    if ahead <= 0:
        raise bad_request("expires_at must be in the future")
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)


_TEXT: Final = Text(1, COMMENT_TEXT_MAX, None, r"^[^<>{}\[\]]*$", forbidden=COMMENT_FORBIDDEN)
COMMENT: Final = Shape(
    (
        Field("text", _TEXT, required=True),
        Field("user_name", Text(1, USER_NAME_MAX, USER_NAME, r"^[A-Za-z0-9 \-_.@]+$"), required=True),
        Field("time", Nullable(Integer(0)), note="Seconds; required for a top-level comment, inherited by a reply"),
        Field("reply_to", Nullable(Uuid())),
    )
)
COMMENT_CHANGES: Final = Shape(
    (Field("text", _TEXT), Field("status", Choice(tuple(CommentStatus))), Field("time", Integer(0)))
)


def read_link(request: SandboxRequest) -> Answer:
    """GET /public-video-review/{link_id}: the link with what its page needs of the video (assumed)."""
    link = addressed_link(request)
    video = link.video
    return ok(
        {
            **serializers.review_link(link),
            "url": serializers.review_page_url(link),
            "video": serializers.video_details(video, video.organization, {}),
        }
    )


def comments(request: SandboxRequest) -> Answer:
    """GET /public-video-review/{link_id}/comments: by time, replies after their parent (assumed)."""
    link = addressed_link(request)
    every = list(link.video.comments.order_by("time", "created_at", "id"))
    if not link.show_resolved:
        resolved = {comment.id for comment in every if comment.status == CommentStatus.RESOLVED}
        every = [comment for comment in every if comment.id not in resolved and comment.reply_to_id not in resolved]
    replies: dict[UUID, list[ReviewComment]] = {}
    for comment in every:
        if comment.reply_to_id:
            replies.setdefault(comment.reply_to_id, []).append(comment)
    bodies: list[JsonObject] = []
    for comment in every:
        if comment.reply_to_id is None:
            bodies.append(serializers.comment(comment))
            bodies += [serializers.comment(reply) for reply in replies.get(comment.id, ())]
    return ok(bodies)


def create_comment(request: SandboxRequest) -> Answer:
    """POST /public-video-review/{link_id}/comments. Checks: 401, 404, 403, 400."""
    link = addressed_link(request)
    _check_usable(link, request)
    if not link.allow_comment:
        raise forbidden("This link does not allow comments")
    body = COMMENT.check(request.json())
    parent = _parent(link.video, body.get("reply_to"))
    comment = ReviewComment.objects.create(
        video=link.video,
        token=UUID(request.query["token"]),
        user_name=body["user_name"],
        text=body["text"],
        time=_time(link.video, body.get("time"), parent),
        reply_to=parent,
        created_at=request.now,
        updated_at=request.now,
    )
    return ok(serializers.comment(comment))


def update_comment(request: SandboxRequest) -> Answer:
    """PUT /public-video-review/{link_id}/comments/{comment_id}.

    Checks: 401 (no token), 404 (link), 403 (link), 404 (comment), 401 (text of another token), 403 (status), 400.
    """
    link = addressed_link(request)
    _check_usable(link, request)
    identifier = as_uuid(request.arguments["comment_id"])
    comment = link.video.comments.filter(pk=identifier).first() if identifier else None
    if comment is None:
        raise not_found("Comment not found")
    sent = request.json()
    if isinstance(sent, dict) and "text" in sent and comment.token != UUID(request.query["token"]):
        raise Refusal(401, Message.UNAUTHORIZED)
    if isinstance(sent, dict) and "status" in sent and not link.allow_status_edit:
        raise forbidden("This link does not allow status changes")
    _change(comment, COMMENT_CHANGES.check(sent), link.video)
    comment.updated_at = request.now
    comment.save()
    return ok(serializers.comment(comment))


def _change(comment: ReviewComment, changes: JsonObject, video: Video) -> None:
    if not changes:
        raise bad_request("Send text, status or time")
    if "time" in changes:
        if comment.reply_to_id is not None:
            raise bad_request("time of a reply is inherited from its parent")
        comment.time = _time(video, changes["time"], None)
        comment.replies.update(time=comment.time)
    comment.text = changes.get("text", comment.text)
    comment.status = changes.get("status", comment.status)


def _check_usable(link: ReviewLink, request: SandboxRequest) -> None:
    if not link.usable_at(request.now):
        raise forbidden("This link is expired or inactive")


def _parent(video: Video, reply_to: str | None) -> ReviewComment | None:
    """Return the comment that is replied to. Raises a 400: no valid sibling, or a limit is reached [8]."""
    if reply_to is None:
        if video.comments.filter(reply_to=None).count() >= MAIN_COMMENTS_MAX:
            raise bad_request(f"Limit of {MAIN_COMMENTS_MAX} main comments reached")
        return None
    parent = video.comments.filter(pk=reply_to, reply_to=None).first()
    if parent is None:
        raise bad_request("reply_to is not a valid sibling comment")
    if parent.replies.count() >= REPLIES_MAX:
        raise bad_request(f"Limit of {REPLIES_MAX} replies reached")
    return parent


def _time(video: Video, time: int | None, parent: ReviewComment | None) -> int:
    """Return the comment's second: the parent's for a reply. Raises a 400 when it is missing or beyond the video."""
    if parent is not None:
        return parent.time
    if time is None:
        raise bad_request("time is required")
    if time > video.length:
        raise bad_request("time cannot be greater than the video duration")
    return time
