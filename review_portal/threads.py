"""The comments of a link as threads: read in one query, put in order, filtered as the address asks."""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dashboard.platform_api.vocabulary import CommentStatus
from review_portal import rules
from review_portal.models import Comment, Reviewer, ReviewLink

COLUMNS = (
    "comment_id", "user_name", "text", "status", "time", "reply_to", "created_at", "born", "version", "reviewer_id"
)  # fmt: skip
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
WRITTEN_AT_FIRST = 130
"""Comments of a first view; what is below comes when it is near."""
REPLIES_AT_LEAST = 2


class Entry(NamedTuple):
    """A comment or a reply, light enough for a thousand of them."""

    comment_id: uuid.UUID
    user_name: str
    text: str
    status: str
    time: int
    reply_to: uuid.UUID | None
    created_at: datetime | None
    born: int
    version: int
    mine: bool
    unsettled: str = ""
    """A change of it that is not there yet: "waiting" or "unconfirmed"."""
    by_owner: bool = False
    """Written at the desk of an account that the link belongs to."""

    @property
    def at(self) -> datetime:
        """When it was written; a time that the platform did not give counts as long ago."""
        return self.created_at or LONG_AGO


@dataclass(slots=True)
class Thread:
    """A top-level comment and its replies, oldest first."""

    first: Entry
    replies: list[Entry]

    @property
    def is_open(self) -> bool:
        return self.first.status != CommentStatus.RESOLVED

    @property
    def entries(self) -> list[Entry]:
        return [self.first, *self.replies]

    @property
    def version(self) -> int:
        """The link's version that last changed anything in it."""
        return max(self.first.version, max((reply.version for reply in self.replies), default=0))

    @property
    def last_at(self) -> datetime:
        return max(self.first.at, max((reply.at for reply in self.replies), default=LONG_AGO))


def entries_of(
    link: ReviewLink, reviewer: Reviewer | None, unsettled: Mapping[uuid.UUID, str] | None = None
) -> list[Entry]:
    """Every comment of the link, as one query brings them; `mine` are the reviewer's; `unsettled` by comment."""
    me = reviewer.pk if reviewer else None
    rows = Comment.objects.filter(link_id=link.pk).values_list(*COLUMNS)
    told, owners = unsettled or {}, written_by_owners(link.video_id)
    return [
        Entry._make((*row[:-1], me is not None and row[-1] == me, told.get(row[0], ""), row[0] in owners))
        for row in rows
    ]


def written_by_owners(video_id: uuid.UUID) -> set[uuid.UUID]:
    """The comments of the video that were written at an owner's desk, through whichever of its links."""
    written = Comment.objects.filter(link__video_id=video_id, reviewer__account__isnull=False)
    return set(written.values_list("comment_id", flat=True))


def threads_of(entries: Iterable[Entry]) -> list[Thread]:
    """Entries as threads, by time. A reply whose parent is not there cannot be shown in its place and is left out."""
    found: dict[uuid.UUID, Thread] = {}
    replies = []
    for entry in entries:
        if entry.reply_to is None:
            found[entry.comment_id] = Thread(entry, [])
        else:
            replies.append(entry)
    for reply in sorted(replies, key=lambda entry: entry.at):
        thread = found.get(reply.reply_to) if reply.reply_to else None
        if thread is not None:
            thread.replies.append(reply)
    return sorted(found.values(), key=_by_time)


def visible(link: ReviewLink, threads: list[Thread]) -> list[Thread]:
    """What reviewers may see: a link can hide what is resolved [2.3]."""
    return threads if link.show_resolved else [thread for thread in threads if thread.is_open]


def chosen(threads: list[Thread], choice: rules.Choice) -> list[Thread]:
    """The threads that the address asks for, in its order."""
    if choice.narrows:
        threads = [thread for thread in threads if rules.matches(choice, thread.entries, thread.is_open)]
    return sorted(threads, key=ORDERS[choice.sort])


def replies_at_first(threads: list[Thread], choice: rules.Choice) -> int | None:
    """How many replies of each thread a first view writes; None: all, where they are few or single ones were looked for."""
    if sum(1 + len(thread.replies) for thread in threads) <= WRITTEN_AT_FIRST or choice.looks_inside:
        return None
    return max(REPLIES_AT_LEAST, WRITTEN_AT_FIRST // len(threads) - 1)


def _by_time(thread: Thread) -> tuple[int, datetime, uuid.UUID]:
    return thread.first.time, thread.first.at, thread.first.comment_id


ORDERS: dict[rules.Sort, Callable[[Thread], Any]] = {
    rules.Sort.TIME: _by_time,
    rules.Sort.NEWEST: lambda thread: -thread.first.at.timestamp(),
    rules.Sort.ACTIVITY: lambda thread: -thread.last_at.timestamp(),
}


def main_count(link: ReviewLink) -> int:
    """Top-level comments of the video known here, over all its links: the platform's limit is the video's [8]."""
    tops = Comment.objects.filter(link__video_id=link.video_id, link__confirmed=True, reply_to=None)
    return tops.values("comment_id").distinct().count()
