"""What the templates of one link and of one video's comments get."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.notices import subscriptions
from dashboard.platform_api.errors import CallError
from dashboard.review_links import addresses, comment_pages, rules
from dashboard.review_links.comment_pages import CommentList
from dashboard.review_links.import_pages import ClaimRow, Permission, build_claim_row, build_permission
from dashboard.review_links.pages import (
    Badge,
    LinkRow,
    Meter,
    build_badge,
    build_link_row,
    build_meter,
    format_closing_time,
    format_full_moment,
    get_video_title,
)
from dashboard.shared import formats, qr, refusals
from dashboard.shared.addresses import address, path_of
from dashboard.shared.http import OwnerRequest
from review_portal import (
    decision_comments,
    decision_pages,
    export_files,
    exports,
    owner_queries,
    owner_writes,
    people_pages,
    sync,
)
from review_portal.models import Claim, ReviewLink
from review_portal.owner_queries import CountedLink


@dataclass(frozen=True)
class Freshness:
    """How fresh the comments are, and what to say when they cannot be."""

    sentence: str
    trouble: str
    unreadable: bool


@dataclass(frozen=True)
class LinkPage:
    """templates/review_links/link.html."""

    id: str
    name: str
    video: str
    video_address: str
    badge: Badge
    closes: str
    closes_full: str
    zone: str
    closed: bool
    public: str
    code: SafeString
    permissions: tuple[Permission, ...]
    meter: Meter
    recreate: str
    talk: CommentList
    reading: Freshness
    poll: str
    waiting: tuple[owner_writes.WaitingWrite, ...]
    drawings: bool
    """Whether the platform's text of a comment with a drawing ends with the address of its still."""
    preview: bool
    sends_decisions: bool
    why_no_decisions: str
    """Why the next decision cannot become a comment, where the owner wishes that it does."""
    decisions: tuple[decision_pages.DecisionRow, ...]
    watched: tuple[people_pages.WatchedRow, ...]


@dataclass(frozen=True)
class VideoCommentsPage:
    """templates/review_links/video.html."""

    id: str
    title: str
    length: str
    create: str
    links: tuple[LinkRow, ...]
    meter: Meter
    talk: CommentList
    reading: Freshness
    claims: tuple[ClaimRow, ...]


@dataclass(frozen=True)
class PrintPage:
    """templates/review_links/print.html."""

    title: str
    subtitle: str
    summary: str
    lines: tuple[export_files.PrintedComment, ...]
    decisions: Sequence[exports.Decided]
    cut: exports.CutNumber | None
    back: str


def build_link_page(
    request: OwnerRequest,
    link: ReviewLink,
    reading: Freshness,
    talk: CommentList,
    used: int,
    now: datetime,
    waiting: Sequence[owner_writes.WaitingWrite] = (),
    decisions: Sequence[decision_pages.DecisionRow] = (),
) -> LinkPage:
    """One link. `used`: main comments of its video over all its links. `waiting`: what is not there yet. `decisions`: of its
    reviewers, newest first.
    """
    public = addresses.public(request, link.pk)
    return LinkPage(
        id=str(link.pk),
        name=link.name or _("Link without a name"),
        video=get_video_title(link),
        video_address=path_of("review_links:video", link.video_id),
        badge=build_badge(link, now),
        closes=format_closing_time(link),
        closes_full=format_full_moment(link.expires_at) if link.expires_at else "",
        zone=formats.zone_name(),
        closed=rules.state_of(link, now) not in rules.USABLE,
        public=public,
        code=qr.code(public, _("QR code of the review page")),
        permissions=tuple(build_permission(name, getattr(link, name)) for name in rules.SWITCHES),
        meter=build_meter(used, known=owner_queries.are_comments_complete([link])),
        recreate=f"{path_of('review_links:create')}?{urlencode({'video': link.video_id, 'like': link.pk})}",
        talk=talk,
        reading=reading,
        poll=f"{talk.here}news/{comment_pages.format_query({**talk.kept, 'v': str(link.version)})}",
        waiting=tuple(waiting),
        preview=link.allow_preview,
        drawings=link.address_drawings,
        sends_decisions=link.send_decisions,
        why_no_decisions=_describe_unsent(link, now) if link.send_decisions else "",
        decisions=tuple(decisions),
        watched=people_pages.build_watched_rows(link),
    )


def _describe_unsent(link: ReviewLink, now: datetime) -> str:
    problem = decision_comments.why_not_sent(link, now)
    if problem is None:
        return ""
    if problem.limit:
        return _("The video has %(limit)s comments, the most the platform allows. New decisions stay in Reelroom.") % {
            "limit": problem.limit
        }
    return _("This link takes no comments. New decisions stay in Reelroom.")


def build_video_page(
    video_id: uuid.UUID,
    about: export_files.ExportSubject,
    rows: Sequence[CountedLink],
    talk: CommentList,
    reading: Freshness,
    used: int,
    now: datetime,
    claims: Iterable[Claim] = (),
    cuts: Mapping[uuid.UUID, tuple[int, int]] | None = None,
) -> VideoCommentsPage:
    """One video over all the account's links of it; `claims`: those imported and not confirmed. `cuts`: numbers of cuts."""
    return VideoCommentsPage(
        id=str(video_id),
        title=about.title or _("Video without a title"),
        length="" if about.length is None else formats.clock(about.length),
        create=f"{path_of('review_links:create')}?{urlencode({'video': video_id})}",
        links=tuple(build_link_row(link, now, used, (cuts or {}).get(link.pk)) for link in rows),
        meter=build_meter(used, known=owner_queries.are_comments_complete(rows)),
        talk=talk,
        reading=reading,
        claims=tuple(build_claim_row(claim) for claim in claims),
    )


def build_freshness(at: datetime | None, error: CallError | None, now: datetime) -> Freshness:
    """How fresh the comments are. `at`: when they were last read from the platform; None: never."""
    if not sync.is_readable():
        return Freshness("", "", unreadable=True)
    trouble = refusals.explain(error).sentence if error else ""
    if at is None:
        return Freshness(_("Not read from the platform yet."), trouble, unreadable=False)
    return Freshness(_("Read from the platform %(ago)s.") % {"ago": formats.ago(at, now)}, trouble, unreadable=False)


@dataclass(frozen=True)
class NoticeChoice:
    """How often e-mails tell of this link: value, label and whether it is chosen; the first is that of all links."""

    action: str
    options: tuple[tuple[str, str, bool], ...]


def build_notice_choice(account: Account, scope: str) -> NoticeChoice | None:
    """None where no e-mail can be sent."""
    if not subscriptions.is_offered():
        return None
    current = subscriptions.get_choice(account, scope) or ""
    options = [("", _("As for all links")), *((value, str(label)) for value, label in subscriptions.RHYTHMS)]
    return NoticeChoice(
        address("notices:link", scope), tuple((value, label, value == current) for value, label in options)
    )
