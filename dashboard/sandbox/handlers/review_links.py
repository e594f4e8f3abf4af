"""Review links of a video, for the account's owner [2.3, 4.4]."""

from datetime import UTC, datetime, timedelta
from typing import Final

from dashboard.platform_api.vocabulary import LINK_MAX_DAYS, LINK_NAME, LINK_NAME_MAX, Message
from dashboard.sandbox import addresses, serializers
from dashboard.sandbox.http_types import Answer, SandboxRequest, bad_request, ok
from dashboard.sandbox.lookup import addressed_video
from dashboard.sandbox.models import ReviewLink
from dashboard.sandbox.validators import Boolean, Field, Number, Shape, Text

LINK: Final = Shape(
    (
        Field("link_name", Text(1, LINK_NAME_MAX, LINK_NAME, r"^[A-Za-z0-9 \-_.]+$"), required=True),
        Field("expires_at", Number(), required=True, note="Milliseconds since epoch, at most 30 days ahead"),
        Field("allow_comment", Boolean()),
        Field("allow_status_edit", Boolean()),
        Field("show_resolved", Boolean()),
    )
)


def create(request: SandboxRequest) -> Answer:
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
    return ok([{**serializers.review_link(link), "url": addresses.review_page(link)} for link in links])


def _expiry(milliseconds: float, now: datetime) -> datetime:
    """Return the time. Raises a 400 beyond 30 days ahead [8], and for the past (assumed)."""
    ahead = milliseconds - now.timestamp() * 1000
    if ahead > timedelta(days=LINK_MAX_DAYS) / timedelta(milliseconds=1):
        raise bad_request(Message.EXPIRY_TOO_FAR)
    if ahead <= 0:
        raise bad_request("expires_at must be in the future")
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
