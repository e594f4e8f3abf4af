"""Finding what an address or a body names, within what the caller may see. Raises the platform's own refusals."""

from django.db.models import Q

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox.models import Organization, ReviewLink, Video
from dashboard.sandbox.wire import SandboxRequest, as_uuid, not_found


def video_of(organization: Organization, text: str) -> Video:
    """Return the organization's video with this id. Raises the 404 of section 7."""
    identifier = as_uuid(text)
    found = organization.videos.filter(pk=identifier).first() if identifier else None
    if found is None:
        raise not_found(Message.VIDEO_NOT_FOUND.format(video_id=text))
    return found


def workflow_video(organization: Organization, text: str) -> Video:
    """Return the video of an AI subtitle: the organization's own, or one of its sub-accounts [5]. Raises a 404."""
    identifier = as_uuid(text)
    reach = Q(organization=organization) | Q(organization__parent=organization)
    found = Video.objects.filter(reach, pk=identifier).first() if identifier else None
    if found is None:
        raise not_found(Message.VIDEO_NOT_FOUND.format(video_id=text))
    return found


def addressed_video(request: SandboxRequest) -> Video:
    """Return the video that the path names."""
    return video_of(request.organization, request.arguments["video_id"])


def addressed_link(request: SandboxRequest) -> ReviewLink:
    """Return the review link that the path names, with its video. Raises a 404."""
    identifier = as_uuid(request.arguments["link_id"])
    found = (
        ReviewLink.objects.select_related("video__organization").filter(pk=identifier).first() if identifier else None
    )
    if found is None:
        raise not_found("Review link not found")
    return found
