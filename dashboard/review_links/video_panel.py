"""The review links of one video, with their open comments, on the video's own page."""

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_noop

from dashboard.review_links import pages
from dashboard.review_links.import_pages import ClaimRow, build_claim_row
from dashboard.review_links.pages import LinkRow
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.video_panels import video_panel
from dashboard.upstream import parallel
from review_portal import owner_queries, ownership, sync


@dataclass(frozen=True)
class LinksOfVideo:
    """templates/review_links/_video_panel.html."""

    rows: tuple[LinkRow, ...]
    create: str
    comments: str
    claims: tuple[ClaimRow, ...]
    readable: bool
    """Whether the platform can be asked for links that were made elsewhere."""


@video_panel(
    "review_links",
    title=gettext_noop("Review links"),
    template="review_links/_video_panel.html",
    order=15,
    wide=True,
)
def review_links(request: OwnerRequest, video_id: UUID) -> LinksOfVideo:
    """Out of the portal's own copy: no call of the platform."""
    parallel.let_calls_leave()
    now = timezone.now()
    account_links = owner_queries.list_links(request.account, video_id)
    used = owner_queries.count_comments_by_video(request.account).get(video_id, 0)
    rows = tuple(pages.build_link_row(link, now, used) for link in account_links)
    claims = tuple(build_claim_row(claim) for claim in ownership.list_claims(request.account, video_id))
    comments = address("review_links:video", video_id) if rows else ""
    return LinksOfVideo(rows, address("review_links:create", video=video_id), comments, claims, sync.is_readable())
