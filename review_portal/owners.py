"""What the dashboard reads of an account's links and of their comments, without a call, and what owners write on their own links.

An owner writes with one reviewer session per link. The platform's interface has no other way, so the link's rules hold for
owners too [4.7, 4.8].
"""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Count, F, Q, QuerySet, Sum
from django.http import HttpRequest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.shared import refusals
from dashboard.writes import outbox as writes
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.requests import is_current
from review_portal import forms, messages, outbox, reviewers, rules, sync
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
from review_portal.writes import UPDATE

if TYPE_CHECKING:
    from dashboard.activity.models import Entry as Activity


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
        row.comment_id, row.user_name, text=text, status=row.status, time=row.time, reply_to=row.reply_to, created_at=row.created_at, born=row.born,
        version=row.version, mine=is_own, unsettled=unsettled, by_owner=by_owner, frame=frames.find(row.comment_id, row.time), drawing=drawing, namesake=namesake,
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


@dataclass(frozen=True)
class ReplyResult:
    """Result of a reply: problems by form field ("" is the form itself), or none and whether the reply arrived."""

    problems: Mapping[str, tuple[str, ...]]
    arrived: bool = False


def set_status(
    account: Account,
    link: ReviewLink,
    comment_id: uuid.UUID,
    status: CommentStatus,
    *,
    key: uuid.UUID,
    actor: str = "",
    undoes: "Activity | None" = None,
    later: bool = False,
) -> Write:
    """Resolve or reopen a comment through `link`; with `later` the worker sends it.

    The comment may be known only from another of the account's links of the same video: comments are the video's. All
    copies of it then say the same. Raises `Comment.DoesNotExist` for a comment that no link of the account's shows for this
    video, and the `PlatformError` of a refusal. A write that is not done is held or not confirmed.
    """
    comment = get_comment(account, link, comment_id)
    comment.link = link
    return _send(comment, account, key, {"status": status.value}, actor=actor, undoes=undoes, later=later)


def _send(
    comment: Comment,
    account: Account,
    key: uuid.UUID,
    changes: Mapping[str, Any],
    *,
    actor: str,
    undoes: "Activity | None",
    later: bool = False,
) -> Write:
    session = reviewers.get_or_create_owner(comment.link, account)
    first, key = outbox.find_attempt(comment.link, key)
    write = (
        outbox.finish_attempt(first)
        if first
        else outbox.change(comment, session, key, changes, actor=actor, undoes=undoes, hold=later)
    )
    if write.state == State.REFUSED:
        writes.dismiss(write)  # told at once, where it was asked
        raise write.raised or write.error or errors.Refused(write.operation)
    return write


def load_unsettled_statuses(links: Iterable[ReviewLink]) -> dict[uuid.UUID, str]:
    """By comment, the status that a change through one of these links is to give it: the newest that is not settled."""
    scopes = [str(link.pk) for link in links]
    changes = Write.objects.filter(scope__in=scopes, operation=UPDATE, state__in=OPEN).order_by("created_at")
    requests = [request for request in changes.values_list("request", flat=True) if "status" in request["changes"]]
    return {uuid.UUID(request["comment_id"]): request["changes"]["status"] for request in requests}


def find_attempted(links: Iterable[ReviewLink], key: uuid.UUID) -> ReviewLink | None:
    """The one of these links through which the form with `key` was sent already."""
    return next((link for link in links if outbox.find_attempt(link, key)[0]), None)


def get_comment(account: Account, link: ReviewLink, comment_id: uuid.UUID) -> Comment:
    """The comment as this link shows it, else as another of the account's links of the video does."""
    known = Comment.objects.filter(link__accounts=account, link__video_id=link.video_id, comment_id=comment_id)
    return known.filter(link=link).first() or known.latest("written_at")


def send_reply(account: Account, link: ReviewLink, data: Mapping[str, str]) -> ReplyResult:
    """Answer the comment `reply_to` with `text` under the name `user_name`, through the same outbox as reviewers: `key`
    makes a second press harmless, and what cannot be sent now is sent later.
    """
    first, key = outbox.find_attempt(link, forms.read_key(data, account.pk))
    if first is not None:
        return ReplyResult({}, arrived=outbox.finish_attempt(first).state == State.DONE)
    closed = rules.why_no_comment(link, timezone.now())
    post = forms.read_post(link, data, by_owner=True)
    wrong = [rules.Problem("", closed)] if closed else post.problems
    if not data.get("reply_to"):
        wrong = [rules.Problem("", rules.Reason.PARENT_MISSING)]
    if wrong or post.words is None:
        return _find_concurrent(link, key) or _build_result(wrong)
    write = outbox.submit(link, reviewers.get_or_create_owner(link, account), key, post.words, hold=False)
    if write.state == State.REFUSED:
        writes.dismiss(write)
        return ReplyResult({"text": (messages.describe_write(write, guest=False),)})
    return ReplyResult({}, arrived=write.state == State.DONE)


def _find_concurrent(link: ReviewLink, key: uuid.UUID) -> ReplyResult | None:
    """The answer to a form that another press of it sent between the look for its key and the checks."""
    first = outbox.find_attempt(link, key)[0]
    return ReplyResult({}, arrived=outbox.finish_attempt(first).state == State.DONE) if first else None


def _build_result(wrong: list[rules.Problem]) -> ReplyResult:
    problems: dict[str, tuple[str, ...]] = {}
    for problem in wrong:
        problems[problem.field] = (*problems.get(problem.field, ()), messages.describe_problem(problem))
    return ReplyResult(problems)


@dataclass(frozen=True)
class WaitingWrite:
    """A write on the link that is not there yet: its text and writer, how it stands, and whether a person may settle it."""

    key: uuid.UUID
    attempt: int
    text: str
    actor: str
    sentence: str
    unconfirmed: bool


def list_waiting(link: ReviewLink) -> list[WaitingWrite]:
    """Writes on the link that are late or not confirmed, by all reviewers, oldest first."""
    return [
        WaitingWrite(
            key=write.key,
            attempt=write.attempt,
            text=write.label,
            actor=write.actor,
            sentence=messages.describe_write(write),
            unconfirmed=write.state == State.UNCONFIRMED,
        )
        for write in outbox.list_open_writes(link)
        if write.reason
    ]


def settle(request: HttpRequest, link: ReviewLink, key: uuid.UUID) -> bool:
    """Settle an unconfirmed write as the owner says: "confirm" (it arrived) or "again" (send it once more).

    A form about an attempt that is over changes nothing. False for a key that is not of this link.
    """
    write = writes.find(str(link.pk), key)
    if write is None:
        return False
    what = request.POST.get("do", "") if is_current(request, write) else ""
    if what == "confirm":
        writes.confirm(write)
    elif what == "again":
        writes.send_again(write)
    return True


def edit_reply(
    account: Account, link: ReviewLink, comment_id: uuid.UUID, data: Mapping[str, str], *, actor: str = ""
) -> ReplyResult:
    """Change the `text` of what the account itself wrote through this link [4.8].

    Raises `Comment.DoesNotExist` for everything that it did not write.
    """
    comment = get_own_comment(account, link, comment_id)
    closed = rules.why_no_writing(link, timezone.now())
    key = forms.read_key(data, account.pk, comment_id)
    first = outbox.find_attempt(link, key)[0]
    if first is not None:
        return ReplyResult({}, arrived=outbox.finish_attempt(first).state == State.DONE)
    edit = forms.read_edit(comment, {name: data[name] for name in ("text", "opened_text") if name in data})
    wrong = [rules.Problem("", closed)] if closed else edit.problems
    if wrong:
        return _find_concurrent(link, key) or _build_result(wrong)
    try:
        write = restore_comment(account, link, comment_id, edit.changes, key=key, actor=actor)
    except errors.CallError as error:
        return ReplyResult({"text": (refusals.explain(error).whole,)})
    return ReplyResult({}, arrived=write.state == State.DONE)


def restore_comment(
    account: Account,
    link: ReviewLink,
    comment_id: uuid.UUID,
    values: Mapping[str, Any],
    *,
    key: uuid.UUID,
    actor: str = "",
    undoes: "Activity | None" = None,
) -> Write:
    """Give the account's own comment `wanted` values of text and time. Raises as `rewrite`, and the `PlatformError` of a
    refusal: the platform forbids an owner's change of a reviewer's text, and Reelroom does not use a reviewer's session.
    """
    return _send(get_own_comment(account, link, comment_id), account, key, values, actor=actor, undoes=undoes)


def get_own_comment(account: Account, link: ReviewLink, comment_id: uuid.UUID) -> Comment:
    """A comment that the account wrote through this link. Raises `Comment.DoesNotExist` for everything else."""
    return Comment.objects.select_related("link").get(link=link, comment_id=comment_id, reviewer__account=account)
