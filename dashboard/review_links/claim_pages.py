"""What the template of an import gets that the platform has not confirmed, and its line in lists."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard import clients
from dashboard.shared import words
from review_portal import links


@dataclass(frozen=True)
class ClaimRow:
    """One unconfirmed import in a list."""

    id: str
    address: str
    title: str
    imported: str


@dataclass(frozen=True)
class ClaimPage:
    """templates/review_links/claim.html. `elsewhere` is the link's page on the platform, where its address is known."""

    id: str
    video: str
    video_address: str
    imported: str
    elsewhere: str
    create: str
    action: str
    can_check: bool
    reason: str


def claim_row(claim: Any) -> ClaimRow:
    """A line that leads to the import's page."""
    address = reverse("review_links:claim", args=[claim.pk])
    return ClaimRow(str(claim.link_id), address, video_title(claim), words.moment(claim.claimed_at))


def claim_page(claim: Any) -> ClaimPage:
    """One unconfirmed import."""
    review_url, readable = clients.config().review_url, links.can_be_read()
    return ClaimPage(
        id=str(claim.link_id),
        video=video_title(claim),
        video_address=reverse("review_links:video", args=[claim.video_id]),
        imported=words.moment(claim.claimed_at),
        elsewhere=f"{review_url}/{claim.link_id}" if review_url else "",
        create=f"{reverse('review_links:create')}?{urlencode({'video': claim.video_id})}",
        action=reverse("review_links:claim", args=[claim.pk]),
        can_check=readable,
        reason=_("Reelroom has not found this link on the platform for your account yet.")
        if readable
        else _("This platform does not let Reelroom read review links, so Reelroom cannot check whose link this is."),
    )


def video_title(claim: Any) -> str:
    """The title of the video that the account named."""
    return str(claim.video.get("title") or "") or _("Video without a title")
