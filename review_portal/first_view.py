"""Loads the comments that a page of a full room needs: the beginning of each thread, what changed, or one thread.

Replies that are left out are counted by the database and never loaded.
"""

import uuid
from collections import defaultdict
from dataclasses import replace

from django.db.models import Count, F, Max, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from review_portal import rules
from review_portal.models import Comment
from review_portal.rules import ListFilter
from review_portal.threads import (
    COLUMNS,
    LONG_AGO,
    NO_REPLIES,
    Entry,
    Thread,
    ThreadReader,
    Totals,
    build_threads,
    select_threads,
    select_visible,
)

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
