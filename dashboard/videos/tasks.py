"""What the worker does for the library: it reads on what the platform tells one video at a time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django_tasks import task

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import (
    BadToken,
    CallError,
    Missing,
    NotAllowed,
    OverBudget,
    PlatformDown,
    Refused,
    Unreachable,
)
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.entries import Entry
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, languages, store
from dashboard.upstream.facts import Fact
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Query, Reads
from dashboard.videos import catalog as facts
from dashboard.videos import prepared
from dashboard.videos.library import ListView
from dashboard.videos.models import LibraryReading
from dashboard.videos.prepared import RESOURCES
from dashboard.videos.rules import ListState
from dashboard.writes import library_refresh, schedule

PASSING: Final = Missing | Refused
"""Errors that are about one video: the next one may be read all the same."""
OF_ONE: Final = PlatformDown | Unreachable | NotAllowed
"""Errors that are about one video where another one is told at the same moment. It is asked for again after all others."""
LIST_SECONDS: Final = 15 * 60.0
"""How old the list may be: where the platform gives it in parts of a hundred, it is fifty calls itself."""
ROUND: Final = timedelta(hours=20)
"""After so long a fact is read again although nothing says that it changed, before the search for gaps calls it old."""
LEAST_AGE: Final = timedelta(hours=1)
"""A fact is not read again sooner, whatever the list says: the platform's clock may differ from ours."""
FAILED_SECONDS: Final = 24 * 3600
"""For so long what failed is asked for after all others."""
_Asked: TypeAlias = tuple[Fact[Any], str]
"""A fact of the video with this id."""


def _record_of(video: str) -> Query[Any]:
    return Query(lambda platform: platform.videos.get(video))


FACTS: tuple[Fact[Any], ...] = (languages.LANGUAGES, Fact("record", "videos.get", _record_of))
"""In the order in which they are read the first time."""


@dataclass(frozen=True)
class Due:
    """What is to be read next: what nobody knows yet, and then what may have changed, the oldest first."""

    unknown: tuple[_Asked, ...]
    old: tuple[_Asked, ...]

    @property
    def facts(self) -> tuple[_Asked, ...]:
        return (*self.unknown, *self.old)


def read_on(row: LibraryReading, until: float) -> int:
    """Read the next facts, and note when the ones after them come. Returns how many were asked for.

    Begins no read after `until`, a moment of `time.monotonic`.
    """
    count, left, error = 0, 0, None
    try:
        count, left, error = _read_slice(row, until)
    except Unreadable:  # the key of its token is gone: a person has to sign in again
        error = BadToken(languages.SUBTITLES)
    except CallError as failed:
        if library_refresh.wait_for_budget(failed, until):  # there was no room for the list
            return read_on(row, until)
        error = failed
    library_refresh.put_off(row, error, is_done=not left and not isinstance(error, OverBudget))
    return count


def trouble(account: Account) -> CallError | None:
    """Why the worker pauses for this account; None where it does not."""
    row = LibraryReading.objects.filter(account=account).first()
    return library_refresh.trouble_of(row.reason, row.next_at) if row is not None else None


def _read_slice(row: LibraryReading, until: float) -> tuple[int, int, CallError | None]:
    """How many facts were asked for, how many are left, and what ended it early; None where it went through."""
    reads = Reads(row.account)
    entries = library_refresh.read_entries(reads, LIST_SECONDS)
    due = _due(row.account, entries)
    waiting, failed = list(due.facts), 0
    most, count, error = min(len(waiting), budget.background_calls()), 0, None
    _note_progress(row, len(entries), len(due.unknown))
    while count < most and error is None and time.monotonic() <= until:
        group = waiting[: min(library_refresh.AT_ONCE, most - count)]
        refused, failures, error = _read(reads, row.account, group)
        waiting[: len(group)] = refused
        failed += failures
        count += len(group) - len(refused)
        taken = len(due.facts) - len(waiting)
        _note_progress(row, len(entries), max(0, len(due.unknown) - taken) + failed)
        if library_refresh.wait_for_budget(error, until):
            error = None
    if count:
        prepared.prepare(row.account)  # made here, so that no page has to
    return count, len(waiting) + failed, error


def _due(account: Account, entries: Sequence[Entry]) -> Due:
    now, failed = timezone.now(), cache.get(_failed_key(account), frozenset())
    unknown: list[_Asked] = []
    old: list[tuple[float, Fact[Any], str]] = []
    for fact in FACTS:
        read = store.read_moments(account.pk, fact.operation)
        untold = languages.untold(account, [entry.id for entry in entries if entry.id not in read], fact.operation)
        for entry in entries:
            at = read.get(entry.id)
            if at is None:
                unknown += [] if entry.id in untold else [(fact, entry.id)]
            elif at < now - ROUND or (at < now - LEAST_AGE and (entry.updated or 0.0) > at.timestamp()):
                old.append((at.timestamp(), fact, entry.id))
    unknown.sort(key=lambda asked: _name(asked) in failed)
    old.sort(key=lambda item: item[0])
    return Due(tuple(unknown), tuple((fact, video) for _at, fact, video in old))


def _note_progress(row: LibraryReading, videos: int, left: int) -> None:
    """Keep how far the first reading is, for the page that says so: `left` facts are unknown.

    A video of which half is known counts as half a one.
    """
    read = videos - ceil(left / len(FACTS))
    if (row.videos, row.read, row.left) != (videos, read, left):
        row.videos, row.read, row.left = videos, read, left
        LibraryReading.objects.filter(pk=row.pk).update(videos=videos, read=read, left=left)


def _read(reads: Reads, account: Account, group: Sequence[_Asked]) -> tuple[list[_Asked], int, CallError | None]:
    """Ask for these facts; what is told is kept.

    Returns those that were not asked for, because the budget was used up, how many failed and are asked for again in the next
    run, and what forbids to go on, a pause first. What fails beside others that are told is about one video, and forbids nothing.
    """
    named = {_name(asked): asked for asked in group}
    calls = {name: fact.query(video) for name, (fact, video) in named.items()}
    with library_refresh.take_turn(account.pk):
        outcomes = reads.gather(float(settings.PLATFORM_TIMEOUT), **calls)
    troubles = {name: outcome.error for name, outcome in outcomes.items() if isinstance(outcome, Failed)}
    for name, error in troubles.items():
        if isinstance(error, PASSING):
            fact, video = named[name]
            languages.note_untold(account, video, fact.operation)
    refused = [named[name] for name, error in troubles.items() if isinstance(error, OverBudget)]
    failed = [named[name] for name, error in troubles.items() if not isinstance(error, PASSING | OverBudget)]
    _note_failed(account, failed)
    passing = PASSING | OF_ONE if len(troubles) < len(outcomes) else PASSING
    return refused, len(failed), library_refresh.first_ending(troubles.values(), passing)


def _note_failed(account: Account, failed: Sequence[_Asked]) -> None:
    """Others come first from now on."""
    if failed:
        before = cache.get(_failed_key(account), frozenset())
        cache.set(_failed_key(account), before | set(map(_name, failed)), FAILED_SECONDS)


def _failed_key(account: Account) -> str:
    return f"videos:{account.pk}:failed"


def _name(asked: _Asked) -> str:
    fact, video = asked
    return f"{fact.operation} {video}"


BEING_READ: Final = gettext_noop("Your library is being read. Counts say so far until that is done.")
READ_BY_WORKER: Final[dict[str, Fact[Any]]] = {facts.LANGUAGES: languages.LANGUAGES, facts.RESOURCES: RESOURCES}
"""What the platform tells one video at a time, by the column of the catalog."""


def load_progress(
    account: Account, state: ListState, drawn: int | None = None, *, is_reading: bool = False
) -> dict[str, object] | None:
    """templates/videos/_progress.html: the line above the list; None where everything is read.

    `drawn`: how many were when the list was drawn. `poll`: asked while the worker goes on; `newer`: the list with what it
    found since.
    """
    row = LibraryReading.objects.filter(account=account).first()
    is_reading = is_reading or (row is not None and bool(row.left or not row.videos))
    if row is None or (not is_reading and drawn is None):
        return None
    begun = row.read if drawn is None else drawn
    here = state.params(page=state.page)
    error = trouble(account)
    sentence = _(BEING_READ) if is_reading and not row.left else f"{format_read(row)} {_format_rest(row.left)}"
    return {
        "sentence": sentence.strip(),
        "trouble": refusals.of_pause(error),
        "read": row.read,
        "videos": row.videos if row.left or not is_reading else 0,
        "poll": address("videos:progress", **here, known=str(begun), v=_version(row, error)) if is_reading else "",
        "newer": address("videos:videos", **here) if row.read > begun or not is_reading else "",
    }


def is_same(account: Account, version: str) -> bool:
    """Whether nothing has changed since a page was told this version."""
    row = LibraryReading.objects.filter(account=account).first()
    return row is not None and _version(row, trouble(account)) == version


def is_reading(account: Account, view: ListView) -> bool:
    """Whether the worker has something to read yet that the platform may tell."""
    row = LibraryReading.objects.filter(account=account).first()
    return row is None or bool(row.left) or not row.videos or (bool(view.match.unknown) and _has_unread(account, view))


def _has_unread(account: Account, view: ListView) -> bool:
    """Whether a fact that a query asks for is unknown of a video of which the platform has not refused it."""
    operations = {fact.operation for fact in FACTS}
    for column, fact in READ_BY_WORKER.items():
        if fact.operation not in operations:
            continue
        numbers = view.match.unknown & view.catalog.unknown(column)
        positions = view.catalog.list_positions(numbers, range(len(view.catalog.entries)))
        ids = [view.catalog.entries[position].id for position in positions]
        if len(languages.untold(account, ids, fact.operation)) < len(ids):
            return True
    return False


def _version(row: LibraryReading, trouble: CallError | None) -> str:
    return f"{row.read}-{row.left}{type(trouble).__name__ if trouble else ''}"


def format_read(row: LibraryReading) -> str:
    """3,200 of 5,000 videos read."""
    words = ngettext("%(read)s of %(count)s video read.", "%(read)s of %(count)s videos read.", row.videos)
    return words % {"read": formats.number(row.read), "count": formats.number(row.videos)}


def _format_rest(left: int) -> str:
    """How long the rest takes: the platform tells it one video at a time."""
    if left <= 0:
        return ""
    minutes = library_refresh.estimate_minutes(left)
    return ngettext(
        "Counts say so far until all are: about %(count)s minute left.",
        "Counts say so far until all are: about %(count)s minutes left.",
        minutes,
    ) % {"count": formats.number(minutes)}


def begin(account: Account) -> None:
    """Let the worker look at the videos of this account that nobody has looked at for a while, beginning now."""
    row = library_refresh.want(LibraryReading, account)
    if not row.reason:
        LibraryReading.objects.filter(pk=row.pk).update(next_at=None)
    if cache.add(f"videos:{account.pk}:gaps-begun", 1, library_refresh.EVERY.total_seconds()):
        read_library.enqueue()


@task()
def read_library() -> int:
    """Read on for accounts that somebody was signed in to lately, those that waited longest first.

    Returns how much was asked for. Each account has at most the background's share of the call budget in one run.
    """
    library_refresh.want_for_all_seen(LibraryReading)
    return library_refresh.read_due(LibraryReading, read_on)


def is_wanted() -> bool:
    """Whether somebody was signed in lately of whose videos there is something to read now."""
    library_refresh.want_for_all_seen(LibraryReading)
    return library_refresh.is_due(LibraryReading)


schedule.recur(read_library, every=library_refresh.EVERY, when=is_wanted)
