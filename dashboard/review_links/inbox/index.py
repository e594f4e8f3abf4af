"""Brings the index of an account's inbox up to date with the portal's own rows.

A link's version grows with every change of the link, its comments or its decisions, so comparing versions tells which videos
have to be read again: one short query where nothing changed, however many comments there are.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import (
    Case,
    Count,
    F,
    Max,
    OuterRef,
    PositiveIntegerField,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import CommentStatus, LinkStatus
from dashboard.review_links.inbox import totals
from dashboard.review_links.models import TITLE_MAX, InboxIndex, InboxItem, LinkReading
from dashboard.shared.text import fold
from review_portal import decisions, messages, owner_queries, sync
from review_portal.models import Comment, Decision, ReviewLink

FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
"""How long a link is open of which nobody knows when it closes."""
VIDEOS_AT_ONCE = 100
UPDATED = (
    "link", "title", "author", "text", "words", "time", "state", "replies", "created_at", "heard", "news_at", "until",
)  # fmt: skip
COLUMNS = (
    "comment_id", "link_id", "user_name", "text", "status", "time", "reply_to", "created_at", "written_at",
    "reviewer_id", "reviewer__account_id", "link__video_id",
)  # fmt: skip


class CommentRow(NamedTuple):
    """A comment or a reply in the copy of one link."""

    comment_id: uuid.UUID
    link_id: uuid.UUID
    user_name: str
    text: str
    status: str
    time: int
    reply_to: uuid.UUID | None
    created_at: datetime | None
    written_at: datetime
    reviewer_id: uuid.UUID | None
    account_id: uuid.UUID | None
    video_id: uuid.UUID

    @property
    def at(self) -> datetime:
        return self.created_at or self.written_at


def refresh(account: Account) -> None:
    """Read again what changed since the index was made, and nothing else."""
    if not _load_standings([account])[account.pk].is_current:
        _update(account)


def _update(account: Account) -> None:
    with transaction.atomic():
        index = InboxIndex.objects.select_for_update().get_or_create(account=account)[0]
        links = list(ReviewLink.objects.filter(accounts=account).only("video_id", "version", "known_since"))
        version, current = _join_versions(links), _group_versions(links)
        now, is_counted = timezone.now(), index.counted == version
        if index.version == version and is_counted and not _is_past(index.closes, now):
            return  # another request did it while this one waited
        stale = [uuid.UUID(video) for video, last in current.items() if index.videos.get(video) != last]
        gone = [uuid.UUID(video) for video in index.videos if video not in current]
        InboxItem.objects.filter(account=account, video_id__in=gone).delete()
        for begin in range(0, len(stale), VIDEOS_AT_ONCE):
            _index_videos(account, stale[begin : begin + VIDEOS_AT_ONCE], set(index.videos))
        index.version, index.videos = version, current
        totals.count_rows(index, now)
        index.save()


def load_heard(account: Account) -> str:
    """What a page compares to tell whether others have written something since."""
    return InboxIndex.objects.filter(account=account).values_list("heard", flat=True).first() or ""


class Standing(NamedTuple):
    """The account's links as they are, the version that the index shows, and how many of its comments wait."""

    links: int
    versions: int | None
    newest: datetime | None
    indexed: str | None
    counted: str | None
    closes: datetime | None
    waiting: int | None
    left: int | None
    """How much of the library is not looked through for links, at least; None where that has not begun."""

    @property
    def is_current(self) -> bool:
        """Whether nothing changed since the index was made, and no link of it closed."""
        version = _format_version(self.links, self.versions or 0, self.newest)
        if self.indexed is None and version == _format_version(0, 0, None):
            return True
        return self.indexed == self.counted == version and not _is_past(self.closes, timezone.now())


def load_waiting(account: Account) -> tuple[int, bool]:
    """How many comments wait for the owner, and whether there may be more, because the library is still looked through.

    One short query where nothing changed, because every page asks.
    """
    standing = _load_current([account])[account.pk]
    return standing.waiting or 0, standing.left != 0 and sync.is_readable()


def count_waiting(accounts: Sequence[Account]) -> dict[uuid.UUID, int]:
    """How many wait for each of these accounts, by its id: one query where nothing changed in any of them.

    An account whose library is just being looked through is left out: its number is not known yet.
    """
    standings = _load_current(accounts)
    return {account_id: standing.waiting or 0 for account_id, standing in standings.items() if not standing.left}


def _load_current(accounts: Sequence[Account]) -> dict[uuid.UUID, Standing]:
    """The standings of these accounts, their indexes brought up to date."""
    standings = _load_standings(accounts)
    old = [account for account in accounts if not standings[account.pk].is_current]
    for account in old:
        _update(account)
    if old:
        standings |= _load_standings(old)
    return standings


def _load_standings(accounts: Sequence[Account]) -> dict[uuid.UUID, Standing]:
    indexes = InboxIndex.objects.filter(account=OuterRef("pk"))
    begun = When(
        Q(next_at=None) | ~Q(reason=""), videos=0, then=Value(1, PositiveIntegerField())
    )  # nothing is listed yet
    lefts = LinkReading.objects.filter(account=OuterRef("pk")).annotate(at_least=Case(begun, default=F("left")))
    indexed = [Subquery(indexes.values(name)[:1]) for name in ("version", "counted", "closes", "waiting")]
    rows = Account.objects.filter(pk__in=[account.pk for account in accounts]).annotate(
        left=Subquery(lefts.values("at_least")[:1]),
        links=Count("review_links"),
        versions=Sum("review_links__version"),
        newest=Max("review_links__known_since"),
    )
    values = rows.values_list("pk", "links", "versions", "newest", *indexed, "left")
    return {account_id: Standing(*figures) for account_id, *figures in values}


def _is_past(closes: datetime | None, now: datetime) -> bool:
    return closes is not None and closes <= now


def _join_versions(links: Collection[ReviewLink]) -> str:
    newest = max((link.known_since for link in links), default=None)
    return _format_version(len(links), sum(link.version for link in links), newest)


def _format_version(count: int, versions: int, newest: datetime | None) -> str:
    """Versions only grow, so their sum stays the same only where another link takes the place of one: that one is newer."""
    return f"{count} {versions} {newest.isoformat() if newest else ''}"


def _group_versions(links: Iterable[ReviewLink]) -> dict[str, str]:
    by_video: dict[str, list[ReviewLink]] = defaultdict(list)
    for link in links:
        by_video[str(link.video_id)].append(link)
    return {video: _join_versions(group) for video, group in by_video.items()}


def _index_videos(account: Account, videos: Collection[uuid.UUID], known: Collection[str]) -> None:
    """Write the rows of these videos anew; those of `known` videos were here before, so what is new in them is news."""
    by_video: dict[uuid.UUID, list[ReviewLink]] = {video: [] for video in videos}
    for link in owner_queries.list_links_of_videos(account, videos):
        by_video[link.video_id].append(link)
    comments = _load_comments([link for group in by_video.values() for link in group])
    before = {item.item_id: item for item in _list_items(account, videos)}
    now, items = timezone.now(), []
    for video, group in by_video.items():
        built = [*_build_comments(group, comments[video]), *_build_decisions(group)]
        for item in built:
            item.account, item.video_id = account, video
            item.news_at = _find_news_at(item, before.get(item.item_id), now, is_known=str(video) in known)
        items += built
    current = {item.item_id for item in items}
    _list_items(account, videos).filter(item_id__in=before.keys() - current).delete()
    InboxItem.objects.bulk_create(
        items,
        batch_size=200,
        update_conflicts=True,
        unique_fields=["account", "item_id"],
        update_fields=["video_id", *UPDATED],
    )


def _list_items(account: Account, videos: Collection[uuid.UUID]) -> QuerySet[InboxItem]:
    return InboxItem.objects.filter(account=account, video_id__in=videos)


def _find_news_at(item: InboxItem, before: InboxItem | None, now: datetime, *, is_known: bool) -> datetime:
    """When the newest word of others came. The platform's time would be over before a late read brings it."""
    if before is None:
        return now if is_known else item.news_at
    return now if item.heard > before.heard else before.news_at


def _load_comments(links: Collection[ReviewLink]) -> dict[uuid.UUID, dict[uuid.UUID, list[CommentRow]]]:
    """By video and comment its copies, the one that changed last at the end."""
    rows = Comment.objects.filter(link__in=links).order_by("updated_at", "written_at").values_list(*COLUMNS)
    comments: dict[uuid.UUID, dict[uuid.UUID, list[CommentRow]]] = defaultdict(lambda: defaultdict(list))
    for values in rows:
        row = CommentRow._make(values)
        comments[row.video_id][row.comment_id].append(row)
    return comments


def _build_comments(links: list[ReviewLink], copies: dict[uuid.UUID, list[CommentRow]]) -> list[InboxItem]:
    replies: dict[uuid.UUID, list[CommentRow]] = defaultdict(list)
    for rows in copies.values():
        if rows[-1].reply_to is not None:
            replies[rows[-1].reply_to].append(rows[-1])
    owners = {key for key, rows in copies.items() if any(row.account_id for row in rows)}
    tops = [rows for rows in copies.values() if rows[-1].reply_to is None]
    return [_build_comment(links, rows, replies[rows[-1].comment_id], owners) for rows in tops]


def _build_comment(
    links: list[ReviewLink], copies: list[CommentRow], replies: list[CommentRow], owners: Collection[uuid.UUID]
) -> InboxItem:
    """A row out of the copies of a comment and its replies; `owners`: comments that were written at an owner's desk."""
    first, shown_by = copies[-1], {row.link_id for row in copies}
    thread = sorted([first, *replies], key=lambda row: row.at)
    others = [row for row in thread if row.comment_id not in owners]
    written_through = next((row.link_id for row in copies if row.reviewer_id), None)
    link = next(
        (link for link in links if link.pk == written_through), next(link for link in links if link.pk in shown_by)
    )
    return InboxItem(
        item_id=first.comment_id,
        link=link,
        title=_get_title(link),
        author=first.user_name,
        text=first.text,
        words=fold(" ".join([_get_title(link), link.name, *(f"{row.user_name} {row.text}" for row in thread)])),
        time=first.time,
        state=_get_state(first, is_waiting=thread[-1].comment_id not in owners),
        replies=len(replies),
        created_at=first.at,
        heard=len(others),
        news_at=max((row.at for row in others), default=first.at),
        until=_find_until(links),
    )


def _get_state(first: CommentRow, *, is_waiting: bool) -> InboxItem.State:
    if first.status == CommentStatus.RESOLVED or first.text in messages.list_withdrawal_texts():
        return InboxItem.State.RESOLVED
    return InboxItem.State.UNANSWERED if is_waiting else InboxItem.State.ANSWERED


def _build_decisions(links: list[ReviewLink]) -> list[InboxItem]:
    decided = decisions.list_decisions_of(links)
    return [_build_decision(link, decision) for link in links for decision in decided if decision.link_id == link.pk]


def _build_decision(link: ReviewLink, decision: Decision) -> InboxItem:
    title = _get_title(link)
    return InboxItem(
        item_id=decision.reviewer_id,
        link=link,
        title=title,
        author=decision.name,
        text=decision.note,
        words=fold(f"{title} {link.name} {decision.name} {decision.note}"),
        state=decision.verdict,
        created_at=decision.made_at,
        heard=decision.pk,
        news_at=decision.made_at,
    )


def _get_title(link: ReviewLink) -> str:
    return fold(str(link.video.get("title") or ""))[:TITLE_MAX]


def _find_until(links: list[ReviewLink]) -> datetime | None:
    """How long there is a link of the video through which the owner can answer or resolve."""
    allowing = [
        link.expires_at or FOREVER
        for link in links
        if link.status == LinkStatus.ACTIVE and (link.allow_comment or link.allow_status_edit)
    ]
    return max(allowing, default=None)
