"""What the owner's desk may do with review links: the only crossing into the portal.

    remember(account, platform_link, video=None)   keep a link that the platform just answered to this account
    video_to_keep(video)                           what a link keeps of its video, as JSON; `remember` takes it as `kept`
    import_link(account, link_id, video_id)        take in a link that was made elsewhere; without proof, a Claim
    claims_of(account, video_id=None)              the account's imports that the platform has not confirmed
    note(claim, said)                              keep what the account says of one of them
    claim_of(account, claim_id)                    one of them, or Claim.DoesNotExist
    of_video(listed, video)                        the rows of a list that are about this video
    links_of(account, video_id=None)               the account's links with `open_count` and `resolved_count`
    link_of(account, link_id)                      one of them, or ReviewLink.DoesNotExist: another account's is not shown
    comments_of_video(account, video_id)           all comments of the video over all the account's links, each once
    trouble(link)                                  why its comments could not be read, when that was last tried
    merge(link)                                    bring in what is new on the platform; the error of a read that failed
    bring_news(link, patience=0)                   the same beside the request, waiting no longer than `patience` seconds
    set_status(account, link, comment_id, status, key)  resolve or reopen as the owner -> Write
    known_comment(account, link, comment_id)       the comment in the account's copies
    read_key(data, *about)                         what a form is known by when it is sent again
    sentence_of(write)                             how a write stands that is not there yet; "" for one that is
    answer(account, link, data)                    answer a comment as the owner, exactly once -> Answered
    rewrite(account, link, comment_id, data)       change an answer of the owner's own -> Answered
    own(account, link, comment_id)                 one of those, or Comment.DoesNotExist
    put_back(account, link, comment_id, …)         the same for Activity's undo: words that stood there before
    waiting(link)                                  what is late or not confirmed on the link, whoever wrote it
    of_unsettled(change)                           that a comment may be older than what somebody sent, in words
    settle(request, link, key)                     the owner says that it arrived, or sends it once more
    are_counted(rows)                              whether the comments of these links' video are all known here
    can_be_read()                                  whether the platform can be read at all (PLATFORM_REVIEW_READS)
    threads_of_link(account, link)                 its comments as threads, for lists and files
    threads_of_video(account, video_id)            the same over all the account's links of the video
    show_decisions(link)                           what its reviewers decided, newest first: from now on an owner has seen it
    unseen_decisions(account)                      rows of decisions that no owner has seen, of all links of the account
    verdict_of(decision)                           a verdict in words
    written_through(account, video_id)             the name of the link that each comment came through, where known
    used_comments(account)                         top-level comments of each video: the platform takes 30 [8]

and, for lists and files that work as the portal's do: `choice_of chosen people query_of folded linked times_of` and
`About menu timeline_of as_file handed_over line summary`.

What comes back are rows of `review_portal.models`: `ReviewLink` (the platform's fields, and `video`: read it with
`videos.Shown.from_kept(link.video)`) and `Comment` (`comment_id`, `user_name`, `text`, `status`, `time` in seconds,
`reply_to`, `created_at`, `updated_at`). Comments are top-level ones by time, each followed by its replies in order.
The owner sees resolved comments even where a link hides them from reviewers.
"""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.platform_api import errors, records
from dashboard.platform_api.vocabulary import CommentStatus
from review_portal import outbox, ownership, reviewers, sync
from review_portal.context import choice_of
from review_portal.decision_pages import Decided, show_decisions, verdict_of
from review_portal.decisions import load_unseen as unseen_decisions
from review_portal.export_files import (
    About,
    Line,
    Menu,
    as_file,
    decisions_of,
    handed_over,
    line,
    menu,
    query_of,
    summary,
    timeline_of,
    times_of,
)
from review_portal.forms import read_key
from review_portal.markup import linked
from review_portal.messages import of_unsettled
from review_portal.messages import of_write as sentence_of
from review_portal.models import Claim, Comment, ReviewLink
from review_portal.owner_writes import (
    Answered,
    Waiting,
    answer,
    known_comment,
    own,
    put_back,
    rewrite,
    set_status,
    settle,
    waiting,
)
from review_portal.ownership import note
from review_portal.rules import Choice, Show, Sort, people
from review_portal.rules import fold as folded
from review_portal.sync import read_at, trouble
from review_portal.threads import Entry, Reading, Thread, chosen, threads_of
from review_portal.videos import Shown

__all__ = [
    "About",
    "Answered",
    "Choice",
    "Claim",
    "Decided",
    "Line",
    "Menu",
    "NotImportable",
    "NotImported",
    "Show",
    "Sort",
    "Thread",
    "Waiting",
    "about",
    "answer",
    "are_counted",
    "as_file",
    "can_be_read",
    "choice_of",
    "chosen",
    "claim_of",
    "claims_of",
    "comments_of_video",
    "folded",
    "handed_over",
    "import_link",
    "in_order",
    "known_comment",
    "line",
    "link_of",
    "linked",
    "links_of",
    "menu",
    "merge",
    "note",
    "of_unsettled",
    "of_video",
    "own",
    "people",
    "put_back",
    "query_of",
    "read_at",
    "read_key",
    "remember",
    "rewrite",
    "sentence_of",
    "set_status",
    "settle",
    "show_decisions",
    "summary",
    "threads_of_link",
    "threads_of_video",
    "timeline_of",
    "times_of",
    "trouble",
    "unseen_decisions",
    "used_comments",
    "verdict_of",
    "video_to_keep",
    "waiting",
    "written_through",
]

TOP_LEVEL = Q(comments__reply_to=None)


class NotImportable(StrEnum):
    """Why a link cannot be taken in."""

    VIDEO_MISSING = "video-missing"
    """The account has no such video."""
    LINK_MISSING = "link-missing"
    """The platform can be read and has no such link."""
    OTHER_VIDEO = "other-video"
    """The link belongs to another video."""


class NotImported(Exception):
    """Raised by `import_link`; `reason` says why."""

    def __init__(self, reason: NotImportable) -> None:
        super().__init__(reason.value)
        self.reason = reason


def remember(
    account: Account,
    found: records.ReviewLink,
    video: records.Video | None = None,
    *,
    kept: Mapping[str, Any] | None = None,
) -> ReviewLink:
    """Keep a link that the platform answered to this account's token, and that it is theirs.

    With `video`, what is shown of it is kept as well; without it and without any yet, `kept` is (see `video_to_keep`), and
    without that it is read once. Raises `ValueError` when the answer's identifiers are no uuids.
    """
    link = sync.remember(found, video)
    ownership.prove(account, link)
    if not link.video and kept:
        sync.keep_shown(link, kept)
    elif not link.video:
        _read_video(account, link)
    return link


def video_to_keep(video: records.Video) -> dict[str, Any]:
    """What a link keeps of its video, as JSON: for a link that will be known only later."""
    return Shown.from_record(video).to_kept()


def _read_video(account: Account, link: ReviewLink) -> None:
    """Best effort: a link whose video cannot be read now opens without its picture and tries again later."""
    try:
        sync.keep_video(link, clients.platform_for(account).videos.get(link.video_id))
    except errors.CallError:
        return


def import_link(account: Account, link_id: uuid.UUID, video_id: uuid.UUID) -> ReviewLink | Claim:
    """Take in a link made elsewhere. The account must own the video, and the platform must say that the link shows it;
    where nothing can be known of the link, the import is a claim: a note on the account's own desk.

    Raises `NotImported`, and the `PlatformError` of a call that brought no answer.
    """
    try:
        video = clients.platform_for(account).videos.get(video_id)
    except errors.Missing as error:
        raise NotImported(NotImportable.VIDEO_MISSING) from error
    known = _read_again(account, link_id, video) if sync.readable() else None
    known = known or ReviewLink.objects.filter(pk=link_id, confirmed=True).first()
    if known is None:
        return ownership.claim(account, link_id, video)
    if known.video_id != video_id:
        raise NotImported(NotImportable.OTHER_VIDEO)
    sync.keep_video(known, video)
    ownership.prove(account, known)
    return known


def _read_again(account: Account, link_id: uuid.UUID, video: records.Video) -> ReviewLink | None:
    """The link as its own record says; where that cannot be had, as the video's list of links says.

    None where the platform shows neither. Raises `NotImported` where it lists the video's links without this one.
    """
    try:
        return sync.remember(sync.read_link(link_id))
    except (errors.Missing, errors.NotAllowed, ValueError) as error:
        listed = _listed(account, video)
        if listed is None:
            return None
        for found in listed:
            if found.id == str(link_id):
                return sync.remember(found)
        raise NotImported(NotImportable.LINK_MISSING) from error


def _listed(account: Account, video: records.Video) -> list[records.ReviewLink] | None:
    """The video's links; None where the platform does not list them."""
    try:
        return of_video(clients.platform_for(account).review_links.list(video.id), video)
    except (errors.Missing, errors.NotAllowed):
        return None


def of_video(listed: Iterable[records.ReviewLink], video: records.Video) -> list[records.ReviewLink]:
    """What a list of the video's links says of this video: a row that names another one says nothing about its owner."""
    return [replace(found, video_id=video.id) for found in listed if found.video_id.lower() in ("", video.id.lower())]


def claims_of(account: Account, video_id: uuid.UUID | None = None) -> QuerySet[Claim]:
    """The account's imports that the platform has not confirmed, newest first."""
    mine = Claim.objects.filter(account=account).order_by("-claimed_at", "pk")
    return mine if video_id is None else mine.filter(video_id=video_id)


def claim_of(account: Account, claim_id: int) -> Claim:
    """One of them. Raises `Claim.DoesNotExist`."""
    return Claim.objects.get(account=account, pk=claim_id)


def links_of(account: Account, video_id: uuid.UUID | None = None) -> QuerySet[ReviewLink]:
    """The account's links, newest first, with `open_count` and `resolved_count` of their top-level comments."""
    mine = ReviewLink.objects.filter(accounts=account)
    if video_id is not None:
        mine = mine.filter(video_id=video_id)
    return mine.annotate(
        open_count=Count("comments", filter=TOP_LEVEL & Q(comments__status=CommentStatus.OPEN), distinct=True),
        resolved_count=Count("comments", filter=TOP_LEVEL & Q(comments__status=CommentStatus.RESOLVED), distinct=True),
    ).order_by("-created_at", "-known_since", "pk")


def state_of(account: Account) -> tuple[int, int]:
    """What changes with every change of the account's links and of their comments."""
    found = ReviewLink.objects.filter(accounts=account).aggregate(links=Count("pk"), versions=Sum("version"))
    return found["links"], found["versions"] or 0


def link_of(account: Account, link_id: uuid.UUID) -> ReviewLink:
    """One link of the account. Raises `ReviewLink.DoesNotExist` for every other."""
    return ReviewLink.objects.get(pk=link_id, accounts=account)


def merge(link: ReviewLink) -> errors.CallError | None:
    """Bring in what is new on the platform, at most once every few seconds per link."""
    return sync.merge(link)


def bring_news(link: ReviewLink, patience: float = 0.0) -> None:
    """The same beside the request, which waits for it no longer than `patience` seconds."""
    sync.bring_news(link, patience)


def comments_of_video(account: Account, video_id: uuid.UUID) -> list[Comment]:
    """Every comment of the video over the account's links, once each: the copy that changed last is shown."""
    rows = Comment.objects.filter(link__accounts=account, link__video_id=video_id).select_related("link", "reviewer")
    newest: dict[uuid.UUID, Comment] = {}
    for row in rows.order_by("updated_at", "written_at"):
        newest[row.comment_id] = row
    return in_order(newest.values())


def in_order(rows: Iterable[Comment]) -> list[Comment]:
    """Top-level comments by time, each followed by its replies; replies whose parent is not there stand alone."""
    everything = sorted(rows, key=lambda row: (row.time, row.created_at or row.written_at, row.comment_id))
    tops = {row.comment_id for row in everything if row.reply_to is None}
    replies: dict[uuid.UUID, list[Comment]] = {}
    for row in sorted(everything, key=lambda row: (row.created_at or row.written_at, row.comment_id)):
        if row.reply_to in tops:
            replies.setdefault(row.reply_to, []).append(row)
    alone = [row for row in everything if row.reply_to is None or row.reply_to not in tops]
    return [entry for row in alone for entry in (row, *replies.get(row.comment_id, ()))]


def are_counted(rows: Iterable[ReviewLink]) -> bool:
    """Whether all comments of these links' video are known here: one link was read, or there is none. Else there may be more."""
    whole = [sync.is_whole(link) for link in rows]
    return any(whole) or (not whole and sync.readable())


def can_be_read() -> bool:
    """Whether the platform's links and comments can be read; if not, pages say that they show what passed through here."""
    return sync.readable()


def threads_of_link(account: Account, link: ReviewLink) -> list[Thread]:
    """The copy's comments as threads, by time; what the account wrote is `mine`."""
    owner = reviewers.known_owner(link, account)
    return threads_of(Reading(link, owner, outbox.unsettled_changes(link.video_id)).entries())


def threads_of_video(account: Account, video_id: uuid.UUID) -> list[Thread]:
    """Every comment of the video over the account's links, as threads by time."""
    rows = comments_of_video(account, video_id)
    unsettled = outbox.unsettled_changes(video_id)
    return threads_of(_entry(row, account, unsettled.get(row.comment_id, "")) for row in rows)


def _entry(row: Comment, account: Account, unsettled: str) -> Entry:
    mine = row.reviewer is not None and row.reviewer.account_id == account.pk
    return Entry(
        row.comment_id, row.user_name, row.text, row.status, row.time, row.reply_to, row.created_at, row.born,
        row.version, mine, unsettled, row.reviewer is not None and row.reviewer.account_id is not None,
    )  # fmt: skip


def written_through(account: Account, video_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """By comment, the name of the link it was written through; comments written outside Reelroom are not in it."""
    rows = Comment.objects.filter(link__accounts=account, link__video_id=video_id, reviewer__isnull=False)
    return dict(rows.values_list("comment_id", "reviewer__link__name"))


def used_comments(account: Account) -> dict[uuid.UUID, int]:
    """How many top-level comments each video of the account's links has, over all of them."""
    tops = Comment.objects.filter(link__accounts=account, reply_to=None)
    return dict(tops.values_list("link__video_id").annotate(used=Count("comment_id", distinct=True)))


def about(link: ReviewLink, *, with_decisions: bool = False) -> About:
    """What a file of its comments is called, and what it says beside them."""
    shown, decided = Shown.from_kept(link.video), decisions_of(link) if with_decisions else ()
    return About(shown.title, link.name, shown.length, whole=sync.is_whole(link), decisions=decided)
