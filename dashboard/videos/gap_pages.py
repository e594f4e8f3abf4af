"""Progress of a search for missing subtitles: how many videos are looked up, and when it ends."""

from dataclasses import dataclass
from math import ceil

from django.utils.translation import ngettext

from dashboard.platform_api.errors import CallError
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.upstream import budget
from dashboard.upstream.languages import looked_up_sentence
from dashboard.videos.rules import LibraryQuery


@dataclass(frozen=True)
class GapProgress:
    """templates/videos/_looked.html. `poll`: asked while the worker goes on; `newer`: the list with what it found since."""

    sentence: str
    known: int
    count: int
    poll: str
    newer: str
    trouble: str


def build_gap_progress(
    query: LibraryQuery, known: int, count: int, trouble: CallError | None, drawn: int | None = None
) -> GapProgress:
    """Of `count` videos, `known` were looked at. `drawn`: how many that were when the list was drawn; None: it is now."""
    sentence = looked_up_sentence(known, count)
    begun = known if drawn is None else drawn
    return GapProgress(
        sentence=f"{sentence} {_format_rest(count - known)}".strip(),
        known=known,
        count=count,
        poll=address("videos:looked", **query.params(), known=str(begun), v=version(known, trouble))
        if known < count
        else "",
        newer=address("videos:videos", **query.params()) if known > begun else "",
        trouble=refusals.of_pause(trouble),
    )


def version(known: int, trouble: CallError | None) -> str:
    """What a poll compares: how many were looked at, and what the worker waits for."""
    return f"{known}{type(trouble).__name__}" if trouble else str(known)


def _format_rest(count: int) -> str:
    """What happens to the videos that nobody has looked at yet."""
    if count <= 0:
        return ""
    minutes = ceil(count / budget.background_calls())
    return ngettext(
        "The others are looked up in the background: about %(count)s minute left.",
        "The others are looked up in the background: about %(count)s minutes left.",
        minutes,
    ) % {"count": formats.number(minutes)}
