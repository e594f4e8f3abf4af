"""Facts that the platform returns for one video at a time, read by the worker: subtitles, and the record with its AI content.

A fact is read once, and then again where the list says that its video has changed since, and otherwise once a day. All that was
read is in the store of known answers, so a worker that is killed loses nothing of it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

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
from dashboard.shared.entries import Entry
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, languages, store
from dashboard.upstream.facts import Fact
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Query, Reads
from dashboard.videos import prepared
from dashboard.videos.models import LibraryReading
from dashboard.writes import library_refresh

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
