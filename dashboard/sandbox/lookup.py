"""Finding what an address or a body names, within what the caller may see. Raises the platform's own refusals.

What nearly every call asks is written as SQL: composing the same questions anew took half of its time.
"""

from typing import Final

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.http_types import SandboxRequest, as_uuid, not_found
from dashboard.sandbox.models import Organization, ReviewLink, User, Video

_CALLER: Final = (
    "SELECT person.* FROM sandbox_user AS person JOIN sandbox_token AS token ON token.user_id = person.id"
    " WHERE token.value = %s"
)
_ORGANIZATION: Final = "SELECT * FROM sandbox_organization WHERE id = %s"
_LINK: Final = "SELECT * FROM sandbox_reviewlink WHERE id = %s"
_FILM: Final = "SELECT * FROM sandbox_video WHERE id = %s"
_VIDEO: Final = "SELECT * FROM sandbox_video WHERE id = %s AND organization_id = %s"
_WITHIN_REACH: Final = (
    "SELECT video.* FROM sandbox_video AS video JOIN sandbox_organization AS holder ON holder.id = video.organization_id"
    " WHERE video.id = %s AND (holder.id = %s OR holder.parent_id = %s)"
)


def user_of(token: str) -> User | None:
    """Return whose token it is, with the organization; None for an unknown one."""
    user = next(iter(User.objects.raw(_CALLER, [token])), None)
    if user is not None and user.organization_id is not None:
        user.organization = Organization.objects.raw(_ORGANIZATION, [user.organization_id.hex])[0]
    return user


def video_of(organization: Organization, text: str) -> Video:
    """Return the organization's video with this id. Raises the 404 of section 7."""
    identifier = as_uuid(text)
    video = next(iter(Video.objects.raw(_VIDEO, [identifier.hex, organization.pk.hex])), None) if identifier else None
    if video is None:
        raise not_found(Message.VIDEO_NOT_FOUND.format(video_id=text))
    video.organization = organization
    return video


def workflow_video(organization: Organization, text: str) -> Video:
    """Return the video of an AI subtitle: the organization's own, or one of its sub-accounts [5]. Raises a 404."""
    identifier = as_uuid(text)
    reach = [identifier.hex, organization.pk.hex, organization.pk.hex] if identifier else []
    video = next(iter(Video.objects.raw(_WITHIN_REACH, reach)), None) if reach else None
    if video is None:
        raise not_found(Message.VIDEO_NOT_FOUND.format(video_id=text))
    return video


def addressed_video(request: SandboxRequest) -> Video:
    """Return the video that the path names."""
    return video_of(request.organization, request.arguments["video_id"])


def addressed_link(request: SandboxRequest) -> ReviewLink:
    """Return the review link that the path names, with its video. Raises a 404."""
    identifier = as_uuid(request.arguments["link_id"])
    link = next(iter(ReviewLink.objects.raw(_LINK, [identifier.hex])), None) if identifier else None
    if link is None:
        raise not_found("Review link not found")
    link.video = Video.objects.raw(_FILM, [link.video_id.hex])[0]
    return link
