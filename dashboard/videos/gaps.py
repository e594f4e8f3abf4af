"""The subtitles of all videos of an account: the platform tells them one video at a time, so the worker reads them on."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from dashboard.accounts.models import Account
from dashboard.accounts.vault import Unreadable
from dashboard.platform_api.errors import BadToken, Missing, OverBudget, PlatformError, Refused
from dashboard.upstream import budget
from dashboard.upstream.parallel import Failed
from dashboard.upstream.reads import Reads
from dashboard.videos import languages, library
from dashboard.videos.models import SubtitleReading
from dashboard.writes import reading_on

AT_ONCE: Final = 4
"""Calls in flight for one account."""
PASSING: Final = Missing | Refused
"""Errors that are about one video: the next one may be read all the same."""


@dataclass(frozen=True)
class Slice:
    """What one slice asked for, in videos. `error` is what ended it early; None where it went through."""

    asked: int
    left: int
    error: PlatformError | None = None


def read_on(row: SubtitleReading, until: float) -> int:
    """Look at the next videos, and note when the ones after them come. Returns how many were looked at.

    Begins no read after `until`, a moment of `time.monotonic`.
    """
    try:
        found = _read_slice(row.account, until)
    except Unreadable:  # the key of its token is gone: a person has to sign in again
        found = Slice(0, 0, BadToken("videos.subtitles"))
    except PlatformError as error:
        found = Slice(0, 0, error)
    reading_on.put_off(row, found.error, is_done=not found.left)
    return found.asked


def trouble(account: Account) -> PlatformError | None:
    """Why the worker pauses for this account; None where it does not."""
    row = SubtitleReading.objects.filter(account=account).first()
    return reading_on.trouble_of(row.reason, row.next_at) if row is not None else None


def _read_slice(account: Account, until: float) -> Slice:
    reads = Reads(account)
    ids = [one.id for one in library.all_entries(reads)]
    done = languages.all_languages(reads).keys() | languages.untold(account, ids)
    waiting = [video for video in ids if video not in done]
    most, asked, error = min(len(waiting), budget.background_calls()), 0, None
    while asked < most and error is None and time.monotonic() <= until:
        group = waiting[asked : min(asked + AT_ONCE, most)]
        refused, error = _look_at(reads, account, group)
        asked += len(group) - refused
    return Slice(asked, len(waiting) - asked, error)


def _look_at(reads: Reads, account: Account, videos: Sequence[str]) -> tuple[int, PlatformError | None]:
    """Ask for the subtitles of these videos; what is told is kept.

    Returns how many were not asked for, because the budget was used up, and what forbids to go on, a pause first.
    """
    outcomes = reads.gather(
        float(settings.PLATFORM_TIMEOUT), **{video: languages.languages_of(video) for video in videos}
    )
    troubles = {video: one.error for video, one in outcomes.items() if isinstance(one, Failed)}
    for video, error in troubles.items():
        if isinstance(error, PASSING):
            languages.note_untold(account, video)
    refused = sum(isinstance(error, OverBudget) for error in troubles.values())
    return refused, reading_on.first_ending(troubles.values(), PASSING)
