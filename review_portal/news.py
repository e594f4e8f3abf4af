"""What happens on review links, for notices: who hears of it, and its words as far as they may be shown.

The worker looks at the links whose version has grown since it last did. An account hears of comments and decisions that
are not its own; a reviewer who left an address, of replies where they wrote, and of what the owner writes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account
from dashboard.notices import history, registry
from dashboard.notices.history import Happening
from dashboard.notices.registry import News, NewsKind, NewsSource, Place
from dashboard.platform_api.vocabulary import CommentStatus, LinkStatus
from dashboard.shared.addresses import address
from dashboard.shared.text import parse_uuid
from review_portal.decisions import describe_verdict
from review_portal.drawings import describe_sketch
from review_portal.messages import describe_writer
from review_portal.models import Comment, Decision, ReviewLink
from review_portal.threads import list_comments_by_writers, load_drawings, strip_still
from review_portal.videos import LinkVideo

SOURCE = "review_portal"
OLDEST = timedelta(days=7)
"""What is older when it is first seen is no news: an imported link brings all its comments at once."""
MOST = 200
"""Links looked at in one go."""
BURST = 10
"""Decisions on a link within an hour; of more its owner is told once, and not of each."""


def select_changed() -> "QuerySet[ReviewLink]":
    """Links on which something happened since they were last looked at."""
    return ReviewLink.objects.filter(version__gt=F("noticed_version"), confirmed=True)


def scan() -> int:
    """Tell of what is new on every link. Returns how many links that were."""
    links = list(select_changed().order_by("pk").prefetch_related("accounts")[:MOST])
    for link in links:
        with transaction.atomic():
            history.record(_list_happenings(link))
            ReviewLink.objects.filter(pk=link.pk, noticed_version__lt=link.version).update(noticed_version=link.version)
    return len(links)


def _list_happenings(link: ReviewLink) -> Iterator[Happening]:
    since = timezone.now() - OLDEST
    subscribers = history.list_subscribers(str(link.pk))
    fresh = Comment.objects.filter(link=link, born__gt=link.noticed_version, born__lte=link.version)
    for comment in fresh.select_related("reviewer"):
        at = comment.created_at or comment.written_at
        if at > since:
            owner_id = comment.reviewer.account_id if comment.reviewer else None
            accounts = [account.pk for account in link.accounts.all() if account.pk != owner_id]
            people = _list_people(comment, subscribers, by_owner=owner_id is not None) if subscribers else ()
            yield Happening(
                SOURCE, str(link.pk), ref=f"comment:{comment.comment_id}", at=at, accounts=accounts, people=people
            )
    decisions = Decision.objects.filter(link=link, version__gt=link.noticed_version, version__lte=link.version)
    accounts = [account.pk for account in link.accounts.all()]
    bursts = _list_bursts(link, min(row.made_at for row in decisions)) if decisions else set()
    for decision in decisions:
        if (hour := _floor_to_hour(decision.made_at)) in bursts:
            yield Happening(
                SOURCE, str(link.pk), ref=f"decisions:{hour.timestamp():.0f}", at=decision.made_at, accounts=accounts
            )
        elif decision.verdict != Decision.Verdict.WITHDRAWN or _was_told(decision):
            yield Happening(SOURCE, str(link.pk), ref=f"decision:{decision.pk}", at=decision.made_at, accounts=accounts)


def _list_bursts(link: ReviewLink, since: datetime) -> set[datetime]:
    """The hours from then on in which so many decided on the link that its owner is told once of all of them."""
    moments = Decision.objects.filter(link=link, made_at__gte=_floor_to_hour(since)).values_list("made_at", flat=True)
    counts = Counter(map(_floor_to_hour, moments))
    return {hour for hour, count in counts.items() if count > BURST}


def _floor_to_hour(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _was_told(withdrawal: Decision) -> bool:
    """Whether somebody heard of the decision that was withdrawn, and so has to hear of this."""
    before = _load_withdrawn([withdrawal]).get(withdrawal.pk)
    return before is not None and history.was_told(SOURCE, f"decision:{before.pk}")


def _load_withdrawn(decisions: Collection[Decision]) -> dict[int, Decision]:
    """By withdrawal among these, the decision that counted until then; not where none did."""
    reviewers = {row.reviewer_id for row in decisions if row.verdict == Decision.Verdict.WITHDRAWN}
    rows = list(Decision.objects.filter(reviewer__in=reviewers).order_by("reviewer", "pk")) if reviewers else []
    return {
        row.pk: before
        for before, row in pairwise(rows)
        if row.verdict == Decision.Verdict.WITHDRAWN != before.verdict and row.reviewer_id == before.reviewer_id
    }


def _list_people(comment: Comment, subscribers: Collection[str], *, by_owner: bool) -> set[str]:
    """The reviewers who hear of a comment: never its writer."""
    writer = str(comment.reviewer_id)
    if by_owner:
        return set(subscribers) - {writer}
    if comment.reply_to is None:
        return set()
    thread = Q(comment_id=comment.reply_to) | Q(reply_to=comment.reply_to)
    writers = Comment.objects.filter(thread, link_id=comment.link_id).values_list("reviewer_id", flat=True)
    return {str(reviewer_id) for reviewer_id in writers} & set(subscribers) - {writer}


def load_place(scope: str, account: Account | None) -> Place | None:
    """A review link, for an account only its own; None for what is none."""
    link = _find_link(scope, account)
    if link is None:
        return None
    video = LinkVideo.from_kept(link.video)
    return Place(
        scope=scope,
        title=video.title or link.name,
        name=link.name,
        address=address("review_links:link", link.pk) if account else f"/{link.pk}",
        closes_at=link.expires_at,
        is_open=_may_be_shown(link),
    )


def load_news(scope: str, refs: Collection[str], account: Account | None, person: str) -> list[News]:
    """What `refs` are about. Nothing of a link that is switched off, no comment that it hides, no withdrawn decision; a
    withdrawal only while its reviewer has not decided anew.
    """
    link = _find_link(scope, account)
    if link is None or not _may_be_shown(link):
        return []
    keys = [ref.partition(":")[::2] for ref in refs]
    comments = Comment.objects.filter(link=link, comment_id__in=[key for kind, key in keys if kind == "comment"])
    decisions = Decision.objects.filter(link=link, pk__in=[key for kind, key in keys if kind == "decision"])
    later = Decision.objects.filter(link=link, reviewer=OuterRef("reviewer"), pk__gt=OuterRef("pk"))
    is_withdrawn = Exists(later.filter(verdict=Decision.Verdict.WITHDRAWN))
    is_over = Q(verdict=Decision.Verdict.WITHDRAWN) & Exists(later)
    news = list(_build_comments(link, comments.select_related("reviewer"), account, person))
    bursts = [int(key) for kind, key in keys if kind == "decisions"]
    return [
        *news,
        *_build_decisions(link, decisions.exclude(is_withdrawn).exclude(is_over), account),
        *(_build_burst(link, hour, account) for hour in bursts),
    ]


def _build_burst(link: ReviewLink, hour: int, account: Account | None) -> News:
    begin = datetime.fromtimestamp(hour, UTC)
    decisions = Decision.objects.filter(link=link, made_at__gte=begin, made_at__lt=begin + timedelta(hours=1))
    people = decisions.aggregate(count=Count("reviewer", distinct=True), last=Max("made_at"))
    return News(
        ref=f"decisions:{hour}",
        kind=NewsKind.DECISION,
        at=people["last"] or begin,
        author=ngettext("%(count)s person", "%(count)s people", people["count"]) % {"count": people["count"]},
        text="",
        verdict=_("many decisions within an hour. Check who they are from."),
        shape=Decision.Verdict.ROUND,
        address=address("review_links:link", link.pk) if account else f"/{link.pk}/finish",
    )


def _build_comments(
    link: ReviewLink, comments: Iterable[Comment], account: Account | None, person: str
) -> Iterator[News]:
    comments = list(comments)
    replied = [row.reply_to for row in comments if row.reply_to]
    parents = list(Comment.objects.filter(link=link, comment_id__in=replied).select_related("reviewer"))
    parent_of = {parent.comment_id: parent for parent in parents}
    drawings = load_drawings(link.video_id, [row.comment_id for row in (*comments, *parents)]) if comments else {}
    by_owners, by_namesakes = list_comments_by_writers(link.video_id) if comments else (set(), set())
    for row in comments:
        parent = parent_of.get(row.reply_to) if row.reply_to else None
        if not link.show_resolved and account is None and (parent or row).status == CommentStatus.RESOLVED:
            continue
        yield News(
            ref=f"comment:{row.comment_id}",
            kind=NewsKind.REPLY if row.reply_to else NewsKind.COMMENT,
            at=row.created_at or row.written_at,
            author=row.user_name,
            text=strip_still(row, drawings),
            drawing=describe_sketch(drawings[row.comment_id].sketch) if row.comment_id in drawings else "",
            address=_build_address(link, row, account),
            by_owner=row.comment_id in by_owners,
            mark=describe_writer(by_owner=row.comment_id in by_owners, namesake=row.comment_id in by_namesakes),
            quote=strip_still(parent, drawings) if parent else "",
            quoted=parent.user_name if parent else "",
            is_own_quote=parent is not None and _is_own(parent, account, person),
            moment=row.time,
        )


def _is_own(comment: Comment, account: Account | None, person: str) -> bool:
    if comment.reviewer is None:
        return False
    return comment.reviewer.account_id == account.pk if account else str(comment.reviewer_id) == person


def _build_decisions(link: ReviewLink, decisions: Iterable[Decision], account: Account | None) -> Iterator[News]:
    decisions = list(decisions)
    withdrawn = _load_withdrawn(decisions)
    for decision in decisions:
        before = withdrawn.get(decision.pk)
        yield News(
            ref=f"decision:{decision.pk}",
            kind=NewsKind.WITHDRAWAL if before else NewsKind.DECISION,
            at=decision.made_at,
            author=decision.name,
            text=decision.note,
            verdict=describe_verdict(before or decision),
            shape=decision.verdict,
            address=address("review_links:link", link.pk) if account else f"/{link.pk}/finish",
        )


def _build_address(link: ReviewLink, comment: Comment, account: Account | None) -> str:
    """Where it stands: on the desk for an account, else in the room, which opens at its moment."""
    if account is not None:
        return f"{address('review_links:link', link.pk)}#c-{comment.reply_to or comment.comment_id}"
    return f"/{link.pk}/comments/{comment.comment_id}"


def _find_link(scope: str, account: Account | None) -> ReviewLink | None:
    if not (link_id := parse_uuid(scope)):
        return None
    links = ReviewLink.objects.filter(pk=link_id, confirmed=True)
    return (links.filter(accounts=account) if account else links).first()


def _may_be_shown(link: ReviewLink) -> bool:
    return link.status == LinkStatus.ACTIVE


def list_long_closed(scopes: Collection[str], before: datetime) -> list[str]:
    """Those of `scopes` that closed before then, or were switched off."""
    closed = Q(expires_at__lt=before) | (~Q(status=LinkStatus.ACTIVE) & Q(changed_at__lt=before))
    links = ReviewLink.objects.filter(pk__in=scopes).alias(changed_at=Coalesce("updated_at", "known_since"))
    links = links.filter(closed)
    return [str(link_id) for link_id in links.values_list("pk", flat=True)]


registry.register(SOURCE, NewsSource(load_news, load_place))
