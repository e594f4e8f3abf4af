"""How far the worker has read what the platform tells one video at a time: one line above the list while it reads."""

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import CallError
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.upstream import languages
from dashboard.upstream.facts import Fact
from dashboard.videos import library_queries
from dashboard.videos.library import ListView
from dashboard.videos.models import LibraryReading
from dashboard.videos.prepared import RESOURCES
from dashboard.videos.query import catalog as facts
from dashboard.videos.rules import ListState
from dashboard.writes import library_refresh

BEING_READ: Final = gettext_noop("Your library is being read. Counts say so far until that is done.")
READ_BY_WORKER: Final[dict[str, Fact[Any]]] = {facts.LANGUAGES: languages.LANGUAGES, facts.RESOURCES: RESOURCES}
"""What the platform tells one video at a time, by the column of the catalog."""


@dataclass(frozen=True)
class ReadingProgress:
    """templates/videos/_progress.html. `poll`: asked while the worker goes on; `newer`: the list with what it found since."""

    sentence: str
    trouble: str
    read: int
    videos: int
    poll: str
    newer: str


def load_progress(
    account: Account, state: ListState, drawn: int | None = None, *, is_reading: bool = False
) -> ReadingProgress | None:
    """The line above the list; None where everything is read. `drawn`: how many were when the list was drawn."""
    row = LibraryReading.objects.filter(account=account).first()
    is_reading = is_reading or (row is not None and bool(row.left or not row.videos))
    if row is None or (not is_reading and drawn is None):
        return None
    begun = row.read if drawn is None else drawn
    here = state.params(page=state.page)
    trouble = library_queries.trouble(account)
    sentence = _(BEING_READ) if is_reading and not row.left else f"{format_read(row)} {_format_rest(row.left)}"
    return ReadingProgress(
        sentence=sentence.strip(),
        trouble=refusals.of_pause(trouble),
        read=row.read,
        videos=row.videos if row.left or not is_reading else 0,
        poll=address("videos:progress", **here, known=str(begun), v=_version(row, trouble)) if is_reading else "",
        newer=address("videos:videos", **here) if row.read > begun or not is_reading else "",
    )


def is_same(account: Account, version: str) -> bool:
    """Whether nothing has changed since a page was told this version."""
    row = LibraryReading.objects.filter(account=account).first()
    return row is not None and _version(row, library_queries.trouble(account)) == version


def is_reading(account: Account, view: ListView) -> bool:
    """Whether the worker has something to read yet that the platform may tell."""
    row = LibraryReading.objects.filter(account=account).first()
    return row is None or bool(row.left) or not row.videos or (bool(view.match.unknown) and _has_unread(account, view))


def _has_unread(account: Account, view: ListView) -> bool:
    """Whether a fact that a query asks for is unknown of a video of which the platform has not refused it."""
    operations = {fact.operation for fact in library_queries.FACTS}
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
