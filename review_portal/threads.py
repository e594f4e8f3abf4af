"""Threads of comments: loaded, ordered and filtered, as a whole or as far as a page of a full room needs them.

Such a page has the beginning of each thread, what changed, or one thread. Replies that are left out are counted by the
database and never loaded.
"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Case, Count, F, Max, Min, Q, QuerySet, When, Window
from django.db.models.functions import RowNumber

from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.shared.formats import clock
from review_portal import rules
from review_portal.drawings import Sketch, strip_address
from review_portal.models import Comment, CommentDrawing, CommentFrame, Reviewer, ReviewLink
from review_portal.rules import ListFilter
from review_portal.videos import SECOND, FrameTime, format_middle, format_timecode

COLUMNS = (
    "comment_id", "user_name", "text", "status", "time", "reply_to", "created_at", "born", "version", "reviewer_id"
)  # fmt: skip
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class DrawnStill(NamedTuple):
    """The drawing of a comment, and the end of its still's address."""

    short: str
    sketch: Sketch


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
    frame: FrameTime | None = None
    """Its exact frame, where that is known and still lies within its second."""

    drawing: DrawnStill | None = None
    namesake: bool = False
    """Somebody else wrote on this link before, under a name that looks the same."""

    @property
    def microseconds(self) -> int:
        """Where it stands in the video: at its frame, else where its second begins."""
        return self.frame.microseconds if self.frame else self.time * SECOND

    @property
    def at(self) -> datetime:
        """When it was written; a time that the platform did not give counts as long ago."""
        return self.created_at or LONG_AGO

    @property
    def key(self) -> str:
        return str(self.comment_id)

    @property
    def iso(self) -> str:
        return f"{self.created_at:%Y-%m-%dT%H:%M:%SZ}" if self.created_at else ""

    @property
    def start(self) -> str:
        """Where the video shows what the comment is about, in seconds: the middle of its frame, else its second."""
        return format_middle(self.frame) if self.frame else str(self.time)

    @property
    def timecode(self) -> str:
        """The same as people read it: the timecode of its frame, else its second."""
        return format_timecode(self.frame) if self.frame else clock(self.time)

    @property
    def anchor(self) -> str:
        """The fragment of a comment's address in the page.

        A reply's is cut to the first group of its id: 900 whole ones, which nothing compresses, would be two thirds of what a
        full page sends.
        """
        return f"c-{self.comment_id}" if self.reply_to is None else f"c-{str(self.comment_id)[:8]}"

    @property
    def is_marked(self) -> bool:
        """Whether its reader is told more of who wrote it than the name: people know who they are."""
        return self.by_owner or (self.namesake and not self.mine)


@dataclass(frozen=True, slots=True)
class Totals:
    """What the database says of all replies of a thread, read or not."""

    count: int = 0
    version: int = 0
    """The link's version that last changed one."""
    last_at: datetime = LONG_AGO
    newest: int = 0
    """The link's version that brought the newest of other people's."""


NO_REPLIES = Totals()
NEXT_REPLIES = 40
"""How many replies come at a time when those that a first view left out are near."""


class Place(NamedTuple):
    """Where the words of comments lead: the address of the room, up to and including `?` or `&`."""

    last_second: int | None
    room: str


class Rest(NamedTuple):
    """Replies that are not written yet: the number of the first, counted from 0, and how many."""

    begun: int
    left: int


class Piece(NamedTuple):
    """One reply of a thread, or those in whose place it says that there are more."""

    rest: Rest | None
    reply: Entry | None


@dataclass(slots=True)
class Thread:
    """A top-level comment and its replies, oldest first: all of them, or those that a page writes (`load_first_view`)."""

    first: Entry
    replies: list[Entry]
    places: Sequence[int] = ()
    """Which replies these are, counted from 0; empty: all."""
    totals: Totals = NO_REPLIES
    """Of all replies, where not all were read."""

    @property
    def is_open(self) -> bool:
        return self.first.status != CommentStatus.RESOLVED

    @property
    def entries(self) -> list[Entry]:
        return [self.first, *self.replies]

    @property
    def version(self) -> int:
        """The link's version that last changed anything in it."""
        return max(self.first.version, self.totals.version, max((reply.version for reply in self.replies), default=0))

    @property
    def last_at(self) -> datetime:
        return max(self.first.at, self.totals.last_at, max((reply.at for reply in self.replies), default=LONG_AGO))

    @property
    def count(self) -> int:
        """How many replies it has, read or not."""
        return max(self.totals.count, len(self.replies))

    @property
    def newest(self) -> int:
        """The link's version that brought the newest reply of other people."""
        return max(self.totals.newest, max((reply.born for reply in self.replies if not reply.mine), default=0))

    @property
    def pieces(self) -> Iterator["Piece"]:
        """The replies that were read, and between them which were not."""
        begun = 0
        for place, reply in zip(self.places or range(len(self.replies)), self.replies, strict=True):
            if begun < place:
                yield Piece(Rest(begun, place - begun), None)
            yield Piece(None, reply)
            begun = place + 1
        if begun < self.count:
            yield Piece(Rest(begun, self.count - begun), None)

    def list_next(self, begun: int, end: int) -> Iterator["Piece"]:
        """What takes the place of a rest, of a thread that was read whole: the next replies, and what is still left."""
        end = min(end, len(self.replies))
        until = min(begun + NEXT_REPLIES, end)
        yield from (Piece(None, reply) for reply in self.replies[begun:until])
        if until < end:
            yield Piece(Rest(until, end - until), None)

    def get_span(self, last_second: int | None) -> tuple[int, int] | None:
        """The seconds from and to which the first comment is about a part of the video; None for a moment."""
        return rules.parse_span(self.first.text, self.first.time, last_second)

    def get_words(self, last_second: int | None) -> str:
        """The first comment's words, without the range that stands beside them as its time."""
        return rules.strip_range(self.first.text, self.first.time, last_second)

    def format_times(self, last_second: int | None) -> str:
        """“0:12”, or for a span “0:12–0:15”."""
        span = self.get_span(last_second)
        return f"{clock(span[0])}–{clock(span[1])}" if span else clock(self.first.time)


class ThreadReader:
    """A link's comments as one reader sees them: which are theirs, an owner's, or have a change that is not there yet.

    `unsettled` says by comment how such a change stands.
    """

    def __init__(self, link: ReviewLink, reviewer: Reviewer | None, unsettled: Mapping[uuid.UUID, str]) -> None:
        self.link, self.reviewer, self.unsettled = link, reviewer, unsettled
        self._by_owners, self._by_namesakes = list_comments_by_writers(link.video_id)
        self.frames, self.drawings = load_frames(link.video_id), load_drawings(link.video_id)

    def entries(self, rows: QuerySet[Comment] | None = None) -> list[Entry]:
        """These comments of the link, or every one, in one query."""
        rows = Comment.objects.filter(link_id=self.link.pk) if rows is None else rows
        return [self.entry(row) for row in rows.order_by("pk").values_list(*COLUMNS)]

    def entry(self, row: Sequence[Any]) -> Entry:
        """A row of COLUMNS as this reader sees it."""
        comment_id, reviewer_id = row[0], row[-1]
        is_own = self.reviewer is not None and reviewer_id == self.reviewer.pk
        unsettled, by_owner = self.unsettled.get(comment_id, ""), comment_id in self._by_owners
        frame, drawing = self.frames.find(comment_id, row[4]), self.drawings.get(comment_id)
        text = strip_address(row[2], drawing.short) if drawing else row[2]
        return Entry._make(
            (*row[:2], text, *row[3:-1], is_own, unsettled, by_owner, frame, drawing, comment_id in self._by_namesakes)
        )


class FramesOfVideo:
    """Exact frames of a video's comments, through whichever of its links they were written.

    `rate`: frames a second of the video, as most of those who wrote measured them; "" where nobody did.
    """

    def __init__(self, frames: Mapping[uuid.UUID, FrameTime], rates: Counter[str]) -> None:
        self._frames = frames
        self.rate = rates.most_common(1)[0][0] if rates else ""

    def find(self, comment_id: uuid.UUID, time: int) -> FrameTime | None:
        """The frame of a comment that stands at `time` now; None where it was moved to another second."""
        frame = self._frames.get(comment_id)
        if frame is None or frame.second != time:
            return None
        return frame if frame.rate else replace(frame, rate=self.rate)


def load_frames(video_id: uuid.UUID, comments: Collection[uuid.UUID] | None = None) -> FramesOfVideo:
    """The frames of all comments of the video, or of some."""
    of_video = CommentFrame.objects.filter(link__video_id=video_id)
    rows = of_video if comments is None else of_video.filter(comment_id__in=comments)
    frames = {
        comment_id: FrameTime(microseconds, rate)
        for comment_id, microseconds, rate in rows.values_list("comment_id", "microseconds", "rate")
    }
    if comments is None:
        return FramesOfVideo(frames, Counter(frame.rate for frame in frames.values() if frame.rate))
    measured = of_video.exclude(rate="").values_list("rate").annotate(Count("pk"))
    return FramesOfVideo(frames, Counter(dict(measured)))


def load_drawings(video_id: uuid.UUID, comments: Collection[uuid.UUID] | None = None) -> dict[uuid.UUID, DrawnStill]:
    """The drawings of all comments of the video, or of some, by comment."""
    of_video = CommentDrawing.objects.filter(link__video_id=video_id)
    of_video = of_video if comments is None else of_video.filter(comment_id__in=comments)
    rows = of_video.values_list("comment_id", "short", "sketch")
    return {
        comment_id: DrawnStill(short, Sketch.from_kept(sketch))
        for comment_id, short, sketch in rows
        if comment_id is not None
    }


def strip_still(comment: Comment, drawings: Mapping[uuid.UUID, DrawnStill]) -> str:
    """A comment's words, without the address of its drawing's still."""
    drawing = drawings.get(comment.comment_id)
    return strip_address(comment.text, drawing.short) if drawing else comment.text


def list_comments_by_writers(video_id: uuid.UUID) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """The comments of the video that owners wrote, and those of people whose name looks like that of somebody who wrote on
    the same link before them. One query for the owners' and for each name of a person once; another where somebody is marked.
    """
    written = Comment.objects.filter(link__video_id=video_id, reviewer__isnull=False)
    rows = written.annotate(at_desk=Case(When(reviewer__account__isnull=False, then="comment_id"), default=None))
    groups = rows.order_by().values_list("link_id", "user_name", "reviewer_id", "at_desk")
    owners: set[uuid.UUID] = set()
    marked: set[tuple[str, uuid.UUID]] = set()
    first: dict[tuple[uuid.UUID, str], uuid.UUID] = {}
    skeletons: dict[str, set[str]] = {}
    for link_id, name, reviewer_id, at_desk, _first in groups.annotate(first=Min("pk")).order_by("first"):
        if name not in skeletons:
            skeletons[name] = rules.list_skeletons(name)
        writers = {first.setdefault((link_id, key), reviewer_id) for key in skeletons[name]}
        if at_desk is not None:
            owners.add(at_desk)
        elif writers - {reviewer_id}:
            marked.add((name, reviewer_id))
    if not marked:
        return owners, set()
    named = written.filter(reviewer__in={reviewer_id for _name, reviewer_id in marked})
    rows_of_marked = named.values_list("comment_id", "user_name", "reviewer_id")
    return owners, {comment_id for comment_id, *who in rows_of_marked if tuple(who) in marked}


def build_threads(entries: Iterable[Entry]) -> list[Thread]:
    """Entries as threads, by time. A reply whose parent is not there cannot be shown in its place and is left out."""
    threads: dict[uuid.UUID, Thread] = {}
    replies = []
    for entry in entries:
        if entry.reply_to is None:
            threads[entry.comment_id] = Thread(entry, [])
        else:
            replies.append(entry)
    for reply in sorted(replies, key=lambda entry: entry.at):
        thread = threads.get(reply.reply_to) if reply.reply_to else None
        if thread is not None:
            thread.replies.append(reply)
    return sorted(threads.values(), key=_time_order)


def select_visible(link: ReviewLink, threads: list[Thread]) -> list[Thread]:
    """What reviewers may see: a link can hide what is resolved [2.3]."""
    return threads if link.show_resolved else [thread for thread in threads if thread.is_open]


def select_threads(threads: list[Thread], choice: rules.ListFilter) -> list[Thread]:
    """The threads that the address asks for, in its order."""
    if choice.narrows:
        threads = [thread for thread in threads if rules.matches(choice, thread.entries, thread.is_open)]
    return sorted(threads, key=ORDERS[choice.sort])


def find_own_left_out(threads: list[Thread], selected: list[Thread], since: datetime) -> Entry | None:
    """What the reader wrote last in an open thread since a moment, if a filter leaves just that out."""
    visible = {entry.comment_id for thread in selected for entry in thread.entries}
    own = [entry for thread in threads if thread.is_open for entry in thread.entries if entry.mine]
    newest = max(own, key=lambda entry: entry.at, default=None)
    return None if newest is None or newest.comment_id in visible or newest.at < since else newest


def _time_order(thread: Thread) -> tuple[int, datetime, uuid.UUID]:
    return thread.first.microseconds, thread.first.at, thread.first.comment_id


ORDERS: dict[rules.Sort, Callable[[Thread], Any]] = {
    rules.Sort.TIME: _time_order,
    rules.Sort.NEWEST: lambda thread: -thread.first.at.timestamp(),
    rules.Sort.ACTIVITY: lambda thread: -thread.last_at.timestamp(),
}


def count_main_comments(link: ReviewLink) -> int:
    """Top-level comments of the video known here, over all its links: the platform's limit is the video's [8]."""
    tops = Comment.objects.filter(link__video_id=link.video_id, link__confirmed=True, reply_to=None)
    return tops.values("comment_id").distinct().count()


WRITTEN_AT_FIRST = 130
"""Comments of a first view; what is below comes when it is near."""
REPLIES_AT_LEAST = 2


def load_first_view(reading: ThreadReader, choice: ListFilter, whole: uuid.UUID | None) -> list[Thread]:
    """Every visible thread by time, with the replies that the page writes at first: of `whole` all.

    All replies where they are few, or where the choice looks for single ones.
    """
    if not _is_full(reading, choice):
        return select_visible(reading.link, build_threads(reading.entries()))
    threads = _load_outlines(reading)
    selected = select_threads(threads, choice)
    each = WRITTEN_AT_FIRST
    if sum(1 + thread.count for thread in selected) > WRITTEN_AT_FIRST:
        each = max(REPLIES_AT_LEAST, WRITTEN_AT_FIRST // len(selected) - 1)
    oldest = Q(number__lte=each)
    if len(selected) < len(threads):
        oldest &= Q(reply_to__in=_list_ids(selected))
    return _add_replies(reading, threads, oldest | Q(reply_to=whole) if whole else oldest)


def load_changed(reading: ThreadReader, choice: ListFilter, after: int) -> list[Thread]:
    """Every visible thread by time; those that changed after a version with all their replies."""
    if not _is_full(reading, choice):
        return select_visible(reading.link, build_threads(reading.entries()))
    threads = _load_outlines(reading)
    changed = [thread for thread in threads if thread.version > after]
    return _add_replies(reading, threads, Q(reply_to__in=_list_ids(changed)))


def load_thread(reading: ThreadReader, comment_id: uuid.UUID) -> Thread | None:
    """The whole thread that a comment belongs to; None where this reader cannot see it."""
    comment = _list_rows(reading).filter(comment_id=comment_id).values_list("comment_id", "reply_to").first()
    if comment is None:
        return None
    own, parent = comment
    rows = _list_rows(reading).filter(Q(comment_id=parent or own) | Q(reply_to=parent or own))
    return next(iter(select_visible(reading.link, build_threads(reading.entries(rows)))), None)


def list_people(reading: ThreadReader, threads: list[Thread]) -> list[tuple[str, int]]:
    """Who wrote in these threads and how many comments, most first; read or not."""
    if all(len(thread.replies) == thread.count for thread in threads):
        return rules.count_by_name(entry.user_name for thread in threads for entry in thread.entries)
    within = Q(comment_id__in=_list_ids(threads)) | Q(reply_to__in=_list_ids(threads))
    counts = _list_rows(reading).filter(within).values_list("user_name").annotate(Count("pk"))
    return sorted(counts, key=lambda row: (-row[1], row[0]))


def _list_rows(reading: ThreadReader) -> QuerySet[Comment]:
    return Comment.objects.filter(link_id=reading.link.pk)


def _is_full(reading: ThreadReader, choice: ListFilter) -> bool:
    return not choice.looks_inside and _list_rows(reading).count() > WRITTEN_AT_FIRST


def _list_ids(threads: list[Thread]) -> list[uuid.UUID]:
    return [thread.first.comment_id for thread in threads]


def _load_outlines(reading: ThreadReader) -> list[Thread]:
    """The visible threads by time without their replies, which are only counted."""
    threads = select_visible(reading.link, build_threads(reading.entries(_list_rows(reading).filter(reply_to=None))))
    others = Q() if reading.reviewer is None else ~Q(reviewer=reading.reviewer)
    counts = (
        _list_rows(reading)
        .filter(reply_to__isnull=False)
        .values_list("reply_to")
        .annotate(Count("pk"), Max("version"), Max("created_at"), newest=Max("born", filter=others))
    )
    totals = {
        first: Totals(count, version, last_at or LONG_AGO, newest or 0)
        for first, count, version, last_at, newest in counts
    }
    return [replace(thread, totals=totals.get(thread.first.comment_id, NO_REPLIES)) for thread in threads]


def _add_replies(reading: ThreadReader, threads: list[Thread], which: Q) -> list[Thread]:
    """The threads with `which` of their replies, and with those that are the reader's or are being changed."""
    if reading.unsettled:
        which |= Q(comment_id__in=list(reading.unsettled))
    if reading.reviewer is not None:
        which |= Q(reviewer=reading.reviewer)
    oldest_first = (F("created_at").asc(nulls_first=True), F("pk").asc())
    number = Window(RowNumber(), partition_by=F("reply_to"), order_by=oldest_first)
    numbered = _list_rows(reading).filter(reply_to__isnull=False).annotate(number=number).filter(which)
    places = dict(numbered.values_list("pk", "number"))  # keys and numbers alone: texts are not carried through a sort
    replies: dict[uuid.UUID | None, list[tuple[int, Entry]]] = defaultdict(list)
    for pk, *row in _list_rows(reading).filter(pk__in=places).values_list("pk", *COLUMNS):
        entry = reading.entry(row)
        replies[entry.reply_to].append((places[pk] - 1, entry))
    return [_set_places(thread, sorted(replies[thread.first.comment_id])) for thread in threads]


def _set_places(thread: Thread, numbered: list[tuple[int, Entry]]) -> Thread:
    return replace(thread, replies=[entry for _place, entry in numbered], places=[place for place, _entry in numbered])
