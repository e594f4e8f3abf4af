"""Facts that the platform returns for one video at a time, read by the worker: subtitles, and the record with its AI content.

A fact is read once, and then again where the list says that its video has changed since, and otherwise once a day. All that was
read is in the store of known answers, so a worker that is killed loses nothing of it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.accounts.vault import Unreadable
from dashboard.platform_api.errors import BadToken, CallError, Missing, OverBudget, Refused
from dashboard.shared.entries import Entry
from dashboard.upstream import budget, languages, library, store
from dashboard.upstream.facts import Fact
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Query, Reads
from dashboard.videos import prepared
from dashboard.videos.models import LibraryReading
from dashboard.writes import library_refresh

AT_ONCE: Final = 4
"""Calls in flight for one account."""
PASSING: Final = Missing | Refused
"""Errors that are about one video: the next one may be read all the same."""
LIST_SECONDS: Final = 15 * 60.0
"""How old the list may be: where the platform gives it in parts of a hundred, it is fifty calls itself."""
ROUND: Final = timedelta(hours=20)
"""After so long a fact is read again although nothing says that it changed, before the search for gaps calls it old."""
LEAST_AGE: Final = timedelta(hours=1)
"""A fact is not read again sooner, whatever the list says: the platform's clock may differ from ours."""


def _record_of(video: str) -> Query[Any]:
    return Query(lambda platform: platform.videos.get(video))


FACTS: tuple[Fact[Any], ...] = (languages.LANGUAGES, Fact("record", "videos.get", _record_of))
"""In the order in which they are read the first time."""


@dataclass(frozen=True)
class Due:
    """What is to be read next: what nobody knows yet, and then what may have changed, the oldest first."""

    unknown: tuple[tuple[Fact[Any], str], ...]
    old: tuple[tuple[Fact[Any], str], ...]

    @property
    def facts(self) -> tuple[tuple[Fact[Any], str], ...]:
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
    entries = library.all_entries(reads, LIST_SECONDS)
    due = _due(row.account, entries)
    waiting = list(due.facts)
    most, count, error = min(len(waiting), budget.background_calls()), 0, None
    _note_progress(row, len(entries), due, count)
    while count < most and error is None and time.monotonic() <= until:
        group = waiting[: min(AT_ONCE, most - count)]
        refused, error = _read(reads, row.account, group)
        waiting[: len(group)] = refused
        count += len(group) - len(refused)
        _note_progress(row, len(entries), due, count)
        if library_refresh.wait_for_budget(error, until):
            error = None
    if count:
        prepared.prepare(row.account)  # made here, so that no page has to
    return count, len(waiting), error


def _due(account: Account, entries: Sequence[Entry]) -> Due:
    now = timezone.now()
    unknown: list[tuple[Fact[Any], str]] = []
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
    old.sort(key=lambda item: item[0])
    return Due(tuple(unknown), tuple((fact, video) for _at, fact, video in old))


def _note_progress(row: LibraryReading, videos: int, due: Due, count: int) -> None:
    """Keep how far the first reading is, for the page that says so. A video of which half is known counts as half a one."""
    left = max(0, len(due.unknown) - count)
    read = videos - ceil(left / len(FACTS))
    if (row.videos, row.read, row.left) != (videos, read, left):
        row.videos, row.read, row.left = videos, read, left
        LibraryReading.objects.filter(pk=row.pk).update(videos=videos, read=read, left=left)


def _read(
    reads: Reads, account: Account, group: Sequence[tuple[Fact[Any], str]]
) -> tuple[list[tuple[Fact[Any], str]], CallError | None]:
    """Ask for these facts; what is told is kept.

    Returns those that were not asked for, because the budget was used up, and what forbids to go on, a pause first.
    """
    named = {f"{fact.operation} {video}": (fact, video) for fact, video in group}
    calls = {name: fact.query(video) for name, (fact, video) in named.items()}
    outcomes = reads.gather(float(settings.PLATFORM_TIMEOUT), **calls)
    troubles = {name: outcome.error for name, outcome in outcomes.items() if isinstance(outcome, Failed)}
    for name, error in troubles.items():
        if isinstance(error, PASSING):
            fact, video = named[name]
            languages.note_untold(account, video, fact.operation)
    refused = [named[name] for name, error in troubles.items() if isinstance(error, OverBudget)]
    return refused, library_refresh.first_ending(troubles.values(), PASSING)
