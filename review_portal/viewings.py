"""What reviewers let others know: that they are here, and what they watched. Nothing of anybody without a name.

Who is here lives in the cache alone, one entry for each link that ends by itself; what was watched is kept with the
reviewer, as parts of the video in whole seconds, the ends not included.
"""

import json
import re
import time
import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from dashboard.shared import formats
from dashboard.shared.locks import lock
from review_portal import reviewers
from review_portal.context import Visit
from review_portal.models import Reviewer, ReviewLink, Viewing
from review_portal.videos import LinkVideo

Span = tuple[int, int]

SPANS_MOST: Final = 400
"""Spans that are kept of one reviewer: whoever watches in more pieces has the last ones left out."""
_SPAN: Final = re.compile(r"(\d{1,7})-(\d{1,7})", re.ASCII)
_TEXT_MOST: Final = 20_000


def parse_spans(text: str, last_second: int | None) -> list[Span]:
    """`0-12,40-61` as spans within the video; what is none is left out."""
    pairs = [(int(start), int(end)) for start, end in _SPAN.findall(text[:_TEXT_MOST])]
    most = None if last_second is None else last_second + 1
    return [(start, end if most is None else min(end, most)) for start, end in pairs if most is None or start < most]


def join_spans(*groups: Iterable[Span]) -> list[Span]:
    """All of them in order, those that touch as one."""
    joined: list[Span] = []
    for start, end in sorted(span for group in groups for span in group):
        if end <= start:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined[:SPANS_MOST]


def count_seconds(spans: Iterable[Span]) -> int:
    """How long they are together, where none overlaps."""
    return sum(end - start for start, end in spans)


def list_gaps(spans: Iterable[Span], length: int, least: int = 2) -> list[Span]:
    """What of the video lies in none of the joined spans, from `least` seconds on."""
    gaps, at = [], 0
    for start, end in [*spans, (length, length)]:
        if min(start, length) - at >= least:
            gaps.append((at, min(start, length)))
        at = max(at, end)
    return gaps


HERE: Final = "Reelroom-Here"
"""Response header of a poll: the seconds at which others are, as JSON. No names: their length is the writers' choice, and
proxies refuse long headers."""
BEAT_SECONDS: Final = 15
"""A reviewer's place is written down at most this often."""
GONE_SECONDS: Final = 45
"""Who was not heard for so long is not here."""
TURN_SECONDS: Final = 2
TURN_PATIENCE: Final = 1.0
"""Who is here is changed after the others who do so now: else one of two would be lost, or come back after leaving. Whoever died in
the middle holds up the others no longer than this."""
HERE_MOST: Final = 99
"""People that are counted and named."""

Places = dict[str, tuple[str, int, float]]
"""By reviewer: name, second of the video, and when that was said."""


def get_viewing(reviewer: Reviewer | None) -> Viewing | None:
    """What a reviewer chose; the defaults where they never did. None for somebody without a name."""
    if reviewer is None or not reviewer.name:
        return None
    return Viewing.objects.filter(reviewer=reviewer).first() or Viewing(reviewer=reviewer)


def choose(reviewer: Reviewer, *, is_seen: bool | None = None, shares: bool | None = None) -> None:
    """Keep what the reviewer chose. Whoever stops sharing has what was kept deleted, whoever hides is gone at once."""
    with transaction.atomic():
        viewing = _lock(reviewer)
        if is_seen is not None:
            viewing.is_seen = is_seen
        if shares is not None:
            viewing.shares = shares
        if not viewing.shares:
            viewing.spans = []
        viewing.save()
    if not viewing.is_seen:
        leave(reviewer)


def add_watched(reviewer: Reviewer, watched: list[Span]) -> None:
    """Add to what the reviewer watched; nothing of one who does not share it."""
    with transaction.atomic():
        viewing = _lock(reviewer)
        joined = [list(span) for span in join_spans(map(tuple, viewing.spans), watched)]
        if viewing.shares and joined != viewing.spans:
            viewing.spans = joined
            viewing.save()


def _lock(reviewer: Reviewer) -> Viewing:
    Viewing.objects.get_or_create(reviewer=reviewer)
    return Viewing.objects.select_for_update().get(reviewer=reviewer)


def list_viewings(link: ReviewLink) -> list[Viewing]:
    """What reviewers of a link watched and share, by name. The owner's own people are not among them."""
    rows = Viewing.objects.filter(reviewer__link=link, reviewer__account=None, shares=True).exclude(spans=[])
    return list(rows.select_related("reviewer").order_by("reviewer__name", "pk"))


# Who is here


def add_people(request: HttpRequest, link_id: uuid.UUID, response: HttpResponse) -> HttpResponse:
    """Tell in the answer of a poll where others are who are here. A poll with `at` says where its own reviewer is."""
    places: Places = cache.get(_key(link_id)) or {}
    at = request.GET.get("at", "")
    own = ""
    if places or at:
        own = reviewers.get_id(request, link_id)
    if own and at.isascii() and at.isdigit() and len(at) < 8 and time.time() - _said_at(places, own) >= BEAT_SECONDS:
        places = _beat(link_id, own, int(at))
    people = list_people(places, own)
    if people:
        response.headers[HERE] = json.dumps([second for _name, second in people])
    return response


def list_people(places: Mapping[str, tuple[str, int, float]], own: str = "") -> list[tuple[str, int]]:
    """Names and seconds of those who are here, but of `own`."""
    since = time.time() - GONE_SECONDS
    others = [(name, second) for key, (name, second, at) in places.items() if key != own and at > since]
    return sorted(others)[:HERE_MOST]


def load_people(visit: Visit) -> list[tuple[str, int]]:
    """Who else is here, for a page."""
    own = str(visit.reviewer.pk) if visit.reviewer else ""
    return list_people(cache.get(_key(visit.link.pk)) or {}, own)


def leave(reviewer: Reviewer) -> None:
    """Somebody hides, or has left the page."""
    with lock(_turn_key(reviewer.link_id), TURN_SECONDS, wait=TURN_PATIENCE):
        places: Places = cache.get(_key(reviewer.link_id)) or {}
        if places.pop(str(reviewer.pk), None):
            cache.set(_key(reviewer.link_id), places, GONE_SECONDS)


def _beat(link_id: uuid.UUID, own: str, second: int) -> Places:
    """Write down where a reviewer is who chose to be seen."""
    viewing = (
        Viewing.objects.filter(reviewer=uuid.UUID(own), reviewer__link=link_id, is_seen=True)
        .select_related("reviewer")
        .first()
    )
    if viewing is None:
        return cache.get(_key(link_id)) or {}
    with lock(_turn_key(link_id), TURN_SECONDS, wait=TURN_PATIENCE):
        since = time.time() - GONE_SECONDS
        known: Places = cache.get(_key(link_id)) or {}
        places = {key: place for key, place in known.items() if place[2] > since}
        places[own] = (viewing.reviewer.name, second, time.time())
        cache.set(_key(link_id), places, GONE_SECONDS)
    return places


def _said_at(places: Places, own: str) -> float:
    return places[own][2] if own in places else 0.0


def _turn_key(link_id: uuid.UUID) -> str:
    return f"review-here-turn:{link_id}"


def _key(link_id: uuid.UUID) -> str:
    return f"review-here:{link_id}"


def list_links() -> list[str]:
    """The links on which something watched is kept."""
    return [str(pk) for pk in Viewing.objects.values_list("reviewer__link", flat=True).distinct()]


def delete_left_on(links: Collection[str]) -> int:
    """Delete what was watched on these links. Returns how many rows that were."""
    deleted, _by_model = Viewing.objects.filter(reviewer__link__in=[uuid.UUID(link) for link in links]).delete()
    return deleted


GAPS_SHOWN = 4
"""Parts that were not watched and are written out; of more the number is told."""


@dataclass(frozen=True)
class WatchedRow:
    """How far a reviewer watched. `bars`: begin and width of each part, in thousandths of the video."""

    name: str
    share: str
    gaps: str
    bars: tuple[tuple[int, int], ...]


def build_watched_rows(link: ReviewLink) -> tuple[WatchedRow, ...]:
    """How far each reviewer watched who shares it, by name; () where the length of the video is not known."""
    last = LinkVideo.from_kept(link.video).last_second
    return tuple(_build_row(viewing, last) for viewing in list_viewings(link)) if last else ()


def _build_row(viewing: Viewing, length: int) -> WatchedRow:
    watched = join_spans((start, min(end, length)) for start, end in viewing.spans)
    seconds = count_seconds(watched)
    return WatchedRow(
        name=viewing.reviewer.name,
        share=formats.percent(seconds * 100 // length / 100, 0),
        gaps=_describe_gaps(list_gaps(watched, length)),
        bars=tuple((start * 1000 // length, max(2, (end - start) * 1000 // length)) for start, end in watched),
    )


def _describe_gaps(gaps: list[Span]) -> str:
    written = ", ".join(f"{formats.clock(start)}–{formats.clock(end)}" for start, end in gaps[:GAPS_SHOWN])
    if len(gaps) > GAPS_SHOWN:
        return _("%(parts)s and %(count)s more") % {"parts": written, "count": len(gaps) - GAPS_SHOWN}
    return written or _("Nothing")
