"""What reviewers let others know: that they are here, and what they watched. Nothing of anybody without a name.

Who is here lives in the cache alone, one entry for each link that ends by itself; what was watched is kept with the reviewer.
"""

import json
import time
import uuid
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from review_portal import reviewers, spans
from review_portal.context import Visit
from review_portal.models import Reviewer, ReviewLink, Viewing
from review_portal.spans import Span

HERE: Final = "Reelroom-Here"
"""Response header of a poll: the seconds at which others are, as JSON. No names: their length is the writers' choice, and
proxies refuse long headers."""
BEAT_SECONDS: Final = 15
"""A reviewer's place is written down at most this often."""
GONE_SECONDS: Final = 45
"""Who was not heard for so long is not here."""
TURN_SECONDS: Final = 2
TURN_PAUSE: Final = 0.01
TURN_TRIES: Final = 100
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
        joined = [list(span) for span in spans.join_spans(map(tuple, viewing.spans), watched)]
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
    with _take_turn(reviewer.link_id):
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
    with _take_turn(link_id):
        since = time.time() - GONE_SECONDS
        known: Places = cache.get(_key(link_id)) or {}
        places = {key: place for key, place in known.items() if place[2] > since}
        places[own] = (viewing.reviewer.name, second, time.time())
        cache.set(_key(link_id), places, GONE_SECONDS)
    return places


@contextmanager
def _take_turn(link_id: uuid.UUID) -> Iterator[None]:
    """Change who is here after the others who do so now: else one of two would be lost, or come back after leaving.

    Whoever died in the middle holds up the others no longer than `TURN_TRIES`.
    """
    key = f"review-here-turn:{link_id}"
    for _try in range(TURN_TRIES):
        if cache.add(key, 1, TURN_SECONDS):
            break
        time.sleep(TURN_PAUSE)
    try:
        yield
    finally:
        cache.delete(key)


def _said_at(places: Places, own: str) -> float:
    return places[own][2] if own in places else 0.0


def _key(link_id: uuid.UUID) -> str:
    return f"review-here:{link_id}"


def list_links() -> list[str]:
    """The links on which something watched is kept."""
    return [str(pk) for pk in Viewing.objects.values_list("reviewer__link", flat=True).distinct()]


def delete_left_on(links: Collection[str]) -> int:
    """Delete what was watched on these links. Returns how many rows that were."""
    deleted, _by_model = Viewing.objects.filter(reviewer__link__in=[uuid.UUID(link) for link in links]).delete()
    return deleted
