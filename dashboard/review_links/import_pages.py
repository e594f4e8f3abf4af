"""What the template of an import gets that the platform has not confirmed, and its line in lists."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.review_links import rules
from dashboard.shared import formats
from dashboard.upstream import clients
from review_portal import sync
from review_portal.models import Claim


@dataclass(frozen=True)
class Permission:
    """One switch of a link, as its reviewers see it."""

    kind: str
    sentence: str


PERMISSIONS = {
    ("allow_comment", True): gettext_noop("Reviewers write comments and replies."),
    ("allow_comment", False): gettext_noop("Reviewers watch and read. There is nothing to write in."),
    ("allow_status_edit", True): gettext_noop("Every reviewer can resolve and reopen comments."),
    ("allow_status_edit", False): gettext_noop("Reviewers see what is resolved but cannot change it."),
    ("show_resolved", True): gettext_noop("Resolved comments stay in the list, folded."),
    ("show_resolved", False): gettext_noop("A comment disappears for reviewers when it is resolved."),
}
UNKNOWN = {
    "allow_comment": gettext_noop("Whether reviewers may comment"),
    "allow_status_edit": gettext_noop("Whether reviewers may resolve and reopen"),
    "show_resolved": gettext_noop("Whether resolved comments stay visible"),
}


def build_permission(name: str, on: bool) -> Permission:
    """What a switch that is known means for reviewers."""
    return Permission("finished" if on else "blocked", _(PERMISSIONS[name, on]))


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
    name: str
    """What the account says that it is called; "" where it does not say. So with `closes` and `permissions`."""
    closes: str
    permissions: tuple[Permission, ...]
    unknown: tuple[str, ...]
    """What neither the platform nor the account says."""


def build_claim_row(claim: Claim) -> ClaimRow:
    """A line that leads to the import's page."""
    address = reverse("review_links:claim", args=[claim.pk])
    title = _("%(name)s, as you said") % {"name": claim.name} if claim.name else get_video_title(claim)
    return ClaimRow(str(claim.link_id), address, title, formats.moment(claim.claimed_at))


def build_claim_page(claim: Claim) -> ClaimPage:
    """One unconfirmed import."""
    review_url, readable = clients.config().review_url, sync.is_readable()
    return ClaimPage(
        id=str(claim.link_id),
        video=get_video_title(claim),
        video_address=reverse("review_links:video", args=[claim.video_id]),
        imported=formats.moment(claim.claimed_at),
        elsewhere=f"{review_url}/{claim.link_id}" if review_url else "",
        create=f"{reverse('review_links:create')}?{urlencode({'video': claim.video_id})}",
        action=reverse("review_links:claim", args=[claim.pk]),
        can_check=readable,
        reason=_("Reelroom has not found this link on the platform for your account yet.")
        if readable
        else _("This platform does not let Reelroom read review links, so Reelroom cannot check whose link this is."),
        name=claim.name,
        closes=formats.moment(claim.expires_at) if claim.expires_at else "",
        permissions=tuple(
            build_permission(name, on) for name in rules.SWITCHES if (on := getattr(claim, name)) is not None
        ),
        unknown=tuple(_list_unknown(claim)),
    )


def _list_unknown(claim: Claim) -> Iterator[str]:
    """Names of what nobody has said about the link."""
    switches = [name for name in rules.SWITCHES if getattr(claim, name) is None]
    if not claim.name and not claim.expires_at:
        yield _("Name and closing time")
    elif not claim.name:
        yield _("Name")
    elif not claim.expires_at:
        yield _("Closing time")
    if len(switches) == len(rules.SWITCHES):
        yield _("What reviewers may do")
    else:
        yield from (_(UNKNOWN[name]) for name in switches)
    yield _("Whether there are comments, and how many")


def get_video_title(claim: Claim) -> str:
    """The title of the video that the account named."""
    return str(claim.video.get("title") or "") or _("Video without a title")
