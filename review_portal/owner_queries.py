"""What the dashboard reads of an account's links and of their comments: the portal's own rows, without a call."""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, F, Q, QuerySet, Sum

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import CommentStatus
from review_portal import outbox, reviewers, sync
from review_portal.drawings import strip_address
from review_portal.export_files import ExportSubject, find_cut, list_decisions
from review_portal.models import Comment, Decision, ReviewLink
from review_portal.threads import (
    DrawnStill,
    Entry,
    FramesOfVideo,
    Thread,
    ThreadReader,
    build_threads,
    list_comments_by_writers,
    load_drawings,
    load_frames,
)
from review_portal.videos import LinkVideo

TOP_LEVEL = Q(comments__reply_to=None)

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class CommentCounts(TypedDict):
        """What `list_links` adds to each row: how many of its top-level comments are open, and how many resolved."""

        open_count: int
        resolved_count: int

    CountedLink = WithAnnotations[ReviewLink, CommentCounts]
else:
    CountedLink = ReviewLink


def list_links(account: Account, video_id: uuid.UUID | None = None) -> QuerySet[CountedLink]:
    """The account's links, newest first, with `open_count` and `resolved_count` of their top-level comments."""
    links = ReviewLink.objects.filter(accounts=account)
    if video_id is not None:
        links = links.filter(video_id=video_id)
    return links.annotate(
        open_count=Count("comments", filter=TOP_LEVEL & Q(comments__status=CommentStatus.OPEN), distinct=True),
        resolved_count=Count("comments", filter=TOP_LEVEL & Q(comments__status=CommentStatus.RESOLVED), distinct=True),
    ).order_by("-created_at", "-known_since", "pk")


def list_quiet_links(account: Account, most: int) -> QuerySet[ReviewLink]:
    """Some of the account's links: those whose reads have brought nothing new for longest."""
    return ReviewLink.objects.filter(accounts=account).order_by(F("merged_at").asc(nulls_first=True), "pk")[:most]


def load_video_titles(account: Account) -> dict[str, str]:
    """The titles of the videos of the account's links, by their identifiers."""
    rows = ReviewLink.objects.filter(accounts=account).values_list("video_id", "video__title")
    return {str(video_id): str(title or "") for video_id, title in rows}


def list_links_of_videos(account: Account, videos: Collection[uuid.UUID]) -> QuerySet[ReviewLink]:
    """The account's links of these videos, newest first."""
    links = ReviewLink.objects.filter(accounts=account, video_id__in=videos)
    return links.order_by("-created_at", "-known_since", "pk")


def load_versions(account: Account) -> tuple[int, int]:
    """What changes with every change of the account's links and of their comments."""
    totals = ReviewLink.objects.filter(accounts=account).aggregate(links=Count("pk"), versions=Sum("version"))
    return totals["links"], totals["versions"] or 0


def get_link(account: Account, link_id: uuid.UUID) -> ReviewLink:
    """One link of the account. Raises `ReviewLink.DoesNotExist` for every other."""
    return ReviewLink.objects.get(pk=link_id, accounts=account)


def find_link(account: Account, link_id: uuid.UUID) -> ReviewLink | None:
    """One link of the account, or None."""
    return ReviewLink.objects.filter(pk=link_id, accounts=account).first()


def list_comments_of_video(account: Account, video_id: uuid.UUID) -> list[Comment]:
    """Every comment of the video over the account's links, once each: the copy that changed last is shown."""
    rows = Comment.objects.filter(link__accounts=account, link__video_id=video_id).select_related("reviewer")
    newest = {row.comment_id: row for row in rows.order_by("updated_at", "written_at")}
    return order_comments(newest.values())


def order_comments(rows: Iterable[Comment]) -> list[Comment]:
    """Top-level comments by time, each followed by its replies; replies whose parent is not there stand alone."""
    everything = sorted(rows, key=lambda row: (row.time, row.created_at or row.written_at, row.comment_id))
    tops = {row.comment_id for row in everything if row.reply_to is None}
    replies: dict[uuid.UUID, list[Comment]] = {}
    for row in sorted(everything, key=lambda row: (row.created_at or row.written_at, row.comment_id)):
        if row.reply_to in tops:
            replies.setdefault(row.reply_to, []).append(row)
    alone = [row for row in everything if row.reply_to is None or row.reply_to not in tops]
    return [entry for row in alone for entry in (row, *replies.get(row.comment_id, ()))]


def are_comments_complete(rows: Iterable[ReviewLink]) -> bool:
    """Whether all comments of these links' video are known here: one link was read, or there is none. Else there may be more."""
    whole = [sync.is_complete(link) for link in rows]
    return any(whole) or (not whole and sync.is_readable())


def load_threads_of_link(account: Account, link: ReviewLink) -> list[Thread]:
    """The copy's comments as threads, by time; what the account wrote is `mine`."""
    owner = reviewers.find_owner(link, account)
    return build_threads(ThreadReader(link, owner, outbox.load_unsettled_changes(link.video_id)).entries())


def load_threads_of_video(account: Account, video_id: uuid.UUID) -> list[Thread]:
    """Every comment of the video over the account's links, as threads by time."""
    rows = list_comments_of_video(account, video_id)
    return build_threads(_build_entries(account, video_id, rows))


def load_thread(account: Account, video_id: uuid.UUID, comment_id: uuid.UUID) -> Thread | None:
    """One comment of the video with its replies, over the account's links; None where none of them shows it."""
    within = Q(comment_id=comment_id) | Q(reply_to=comment_id)
    rows = Comment.objects.filter(within, link__accounts=account, link__video_id=video_id).select_related("reviewer")
    newest = {row.comment_id: row for row in rows.order_by("updated_at", "written_at")}
    return next(iter(build_threads(_build_entries(account, video_id, newest.values(), newest.keys()))), None)


def _build_entries(
    account: Account, video_id: uuid.UUID, rows: Iterable[Comment], only: Collection[uuid.UUID] | None = None
) -> list[Entry]:
    """These comments as the desk sees them. A link's copy may not know that an owner wrote it through another link.

    `only`: their ids, where they are few of the video's.
    """
    unsettled, (by_owners, by_namesakes) = outbox.load_unsettled_changes(video_id), list_comments_by_writers(video_id)
    frames, drawings = load_frames(video_id, only), load_drawings(video_id, only)
    return [
        _build_entry(
            row,
            account,
            unsettled.get(row.comment_id, ""),
            frames,
            drawings.get(row.comment_id),
            by_owner=row.comment_id in by_owners,
            namesake=row.comment_id in by_namesakes,
        )
        for row in rows
    ]


def _build_entry(
    row: Comment,
    account: Account,
    unsettled: str,
    frames: FramesOfVideo,
    drawing: DrawnStill | None,
    *,
    by_owner: bool,
    namesake: bool,
) -> Entry:
    is_own = row.reviewer is not None and row.reviewer.account_id == account.pk
    text = strip_address(row.text, drawing.short) if drawing else row.text
    return Entry(
        row.comment_id, row.user_name, text, row.status, row.time, row.reply_to, row.created_at, row.born,
        row.version, is_own, unsettled, by_owner, frames.find(row.comment_id, row.time), drawing, namesake,
    )  # fmt: skip


def load_link_names(account: Account, video_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """By comment, the name of the link it was written through; comments written outside Reelroom are not in it."""
    rows = Comment.objects.filter(link__accounts=account, link__video_id=video_id, reviewer__isnull=False)
    return dict(rows.values_list("comment_id", "reviewer__link__name"))


def count_comments_by_video(account: Account) -> dict[uuid.UUID, int]:
    """How many top-level comments each video of the account's links has, over all of them."""
    tops = Comment.objects.filter(link__accounts=account, reply_to=None)
    return dict(tops.values_list("link__video_id").annotate(used=Count("comment_id", distinct=True)))


def count_open_comments(account: Account) -> dict[uuid.UUID, tuple[int, int]]:
    """By video, how many of its top-level comments are open, and how many there are, over all of the account's links."""
    tops = Comment.objects.filter(link__accounts=account, reply_to=None)
    counts = tops.values_list("link__video_id").annotate(
        open=Count("comment_id", filter=Q(status=CommentStatus.OPEN), distinct=True),
        total=Count("comment_id", distinct=True),
    )
    return {video: (opened, total) for video, opened, total in counts}


@dataclass(frozen=True)
class WeekCounts:
    """Comments of reviewers in some days, how many of them were answered by the owner or resolved, and decisions."""

    comments: int
    answered: int
    decisions: int


def count_week(account: Account, start: datetime, end: datetime, videos: Collection[str] | None = None) -> WeekCounts:
    """What came in from `start` to before `end`, over all of the account's links; with `videos`, of these alone."""
    tops = Comment.objects.filter(link__accounts=account, reply_to=None, created_at__gte=start, created_at__lt=end)
    rows = tops.exclude(reviewer__account=account).values_list("comment_id", "link__video_id", "status")
    statuses = {comment: status for comment, video, status in rows if videos is None or str(video) in videos}
    replies = Comment.objects.filter(link__accounts=account, reviewer__account=account, reply_to__in=list(statuses))
    answered = set(replies.values_list("reply_to", flat=True))
    answered |= {comment for comment, status in statuses.items() if status == CommentStatus.RESOLVED}
    verdicts = Decision.objects.filter(link__accounts=account, made_at__gte=start, made_at__lt=end)
    decided = verdicts.exclude(verdict=Decision.Verdict.WITHDRAWN).values_list("pk", "link__video_id").distinct()
    decisions = sum(videos is None or str(video) in videos for _key, video in decided)
    return WeekCounts(len(statuses), len(answered), decisions)


def list_linked_videos(account: Account) -> list[uuid.UUID]:
    """The video of each of the account's links."""
    return list(ReviewLink.objects.filter(accounts=account).values_list("video_id", flat=True))


def list_videos_read(account: Account) -> set[uuid.UUID]:
    """The videos whose comments are all known here: one of their links was read."""
    if not sync.is_readable():
        return set()
    read = ReviewLink.objects.filter(accounts=account, merged_at__isnull=False)
    return set(read.values_list("video_id", flat=True))


def build_subject(link: ReviewLink, *, with_decisions: bool = False) -> ExportSubject:
    """What a file of its comments is called, and what it says beside them: with the decisions, which cut they are about."""
    video, decisions = LinkVideo.from_kept(link.video), list_decisions(link) if with_decisions else ()
    cut, whole = find_cut(link) if with_decisions else None, sync.is_complete(link)
    return ExportSubject(video.title, link.name, video.length, whole=whole, decisions=decisions, cut=cut)
