"""View models of who else is here, and for the owner of who watched how far."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.shared import formats
from review_portal import spans, viewings
from review_portal.context import Visit
from review_portal.models import ReviewLink, Viewing
from review_portal.spans import Span
from review_portal.videos import LinkVideo

GAPS_SHOWN = 4
"""Parts that were not watched and are written out; of more the number is told."""


@dataclass(frozen=True)
class PersonHere:
    """Somebody who is here, and the moment they are at."""

    name: str
    clock: str
    address: str


@dataclass(frozen=True)
class PeoplePage:
    """templates/review_portal/_people.html. `known`: the reader has a name here, and may choose."""

    people: tuple[PersonHere, ...]
    known: bool
    is_seen: bool
    shares: bool


@dataclass(frozen=True)
class WatchedRow:
    """How far a reviewer watched. `bars`: begin and width of each part, in thousandths of the video."""

    name: str
    share: str
    gaps: str
    bars: tuple[tuple[int, int], ...]


def build_people_page(visit: Visit) -> PeoplePage:
    """What the menu shows to one reader."""
    viewing = viewings.get_viewing(visit.reviewer)
    return PeoplePage(
        people=tuple(
            PersonHere(name, formats.clock(second), f"?t={second}") for name, second in viewings.load_people(visit)
        ),
        known=viewing is not None,
        is_seen=bool(viewing and viewing.is_seen),
        shares=bool(viewing and viewing.shares),
    )


def build_watched_rows(link: ReviewLink) -> tuple[WatchedRow, ...]:
    """How far each reviewer watched who shares it, by name; () where the length of the video is not known."""
    last = LinkVideo.from_kept(link.video).last_second
    return tuple(_build_row(viewing, last) for viewing in viewings.list_viewings(link)) if last else ()


def _build_row(viewing: Viewing, length: int) -> WatchedRow:
    watched = spans.join_spans((start, min(end, length)) for start, end in viewing.spans)
    seconds = spans.count_seconds(watched)
    return WatchedRow(
        name=viewing.reviewer.name,
        share=formats.percent(seconds * 100 // length / 100, 0),
        gaps=_describe_gaps(spans.list_gaps(watched, length)),
        bars=tuple((start * 1000 // length, max(2, (end - start) * 1000 // length)) for start, end in watched),
    )


def _describe_gaps(gaps: list[Span]) -> str:
    written = ", ".join(f"{formats.clock(start)}–{formats.clock(end)}" for start, end in gaps[:GAPS_SHOWN])
    if len(gaps) > GAPS_SHOWN:
        return _("%(parts)s and %(count)s more") % {"parts": written, "count": len(gaps) - GAPS_SHOWN}
    return written or _("Nothing")
