"""Ownership of links: an account owns a link by proof, never because it typed the id first.

Proof is what the platform answers to the account's own token: that it created the link [4.4], that it lists the link among
those of a video, or, where the link's own record names a video, that the account can get this video. A comment that the
platform takes through a link proves that the link exists, not whose it is.

Without proof an import is a `Claim`, visible only to the account that made it. It opens no page to visitors, shows nothing
of other accounts, and does not block them.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from dashboard.accounts.models import Account
from dashboard.platform_api.videos import Video
from review_portal.models import Claim, Cut, ReviewLink
from review_portal.videos import LinkVideo


def prove(account: Account, link: ReviewLink) -> None:
    """Make the account an owner of the link; its claim to it is settled."""
    link.accounts.add(account)
    Claim.objects.filter(account=account, link_id=link.pk).delete()


def claim(account: Account, link_id: uuid.UUID, video: Video) -> Claim:
    """Note that the account says the link is its own and shows this video, which its token can get."""
    fields = {"video_id": uuid.UUID(video.id), "video": LinkVideo.keep_record(video, {})}
    return Claim.objects.update_or_create(account=account, link_id=link_id, defaults=fields)[0]


def list_claims(account: Account, video_id: uuid.UUID | None = None) -> QuerySet[Claim]:
    """The account's imports that the platform has not confirmed, newest first."""
    claims = Claim.objects.filter(account=account).order_by("-claimed_at", "pk")
    return claims if video_id is None else claims.filter(video_id=video_id)


def get_claim(account: Account, claim_id: int) -> Claim:
    """One import of the account. Raises `Claim.DoesNotExist`."""
    return Claim.objects.get(account=account, pk=claim_id)


def update_claim(claim: Claim, fields: Mapping[str, Any]) -> None:
    """Save what the account says about its import: name, closing time, switches; None for what it does not say."""
    Claim.objects.filter(pk=claim.pk).update(**fields)


def settle_claims(link: ReviewLink) -> None:
    """The platform has said which video the link shows: accounts that claimed it by this very video own it."""
    for claimed in Claim.objects.filter(link_id=link.pk, video_id=link.video_id).select_related("account"):
        prove(claimed.account, link)


def correct_video(link: ReviewLink, video_id: uuid.UUID) -> None:
    """The platform names another video than the copy holds, or is the first to name one: who owned the link by the
    wrong video only claims it from now on."""
    if link.video_id != video_id:
        for account in link.accounts.all():
            fields = {"video_id": link.video_id, "video": link.video}
            Claim.objects.get_or_create(account=account, link_id=link.pk, defaults=fields)
        link.accounts.clear()
        Cut.objects.filter(link=link).delete()
        link.video, link.video_read_at = {}, None
    link.video_id, link.confirmed = video_id, True
    link.save(update_fields=["video_id", "confirmed", "video", "video_read_at"])
