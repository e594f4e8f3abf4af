"""Access to a link, checked for every address of the portal before anything of the link is shown.

| state of the link | what opens |
|---|---|
| open | everything |
| expired | what only reads (`READABLE`): its comments stay readable |
| switched off | nothing |
| unknown, or its owner not confirmed | nothing: it is not known here |

A view asks `arrive` for its reader and returns what it gets instead of one. Nothing else of the portal looks up a link by
its address. `tests/review_portal/test_access.py` takes every address out of the URL configuration and tries it in each state.
"""

import uuid
from collections.abc import Callable
from typing import Final

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from dashboard.platform_api import errors
from dashboard.shared.callers import address_of, network_of, wait_for
from review_portal import responses, rules, sync
from review_portal.context import Visit, build_token
from review_portal.models import ReviewLink
from review_portal.rules import LinkState, Problem

OPEN: Final = frozenset({LinkState.OPEN})
READABLE: Final = frozenset({LinkState.OPEN, LinkState.EXPIRED})
KNOWN: Final = frozenset(LinkState)
"""For forms: a form that was sent before gets its result, whatever state the link is in now."""

STANDING: Final = "SELECT id, version, status, expires_at FROM review_portal_reviewlink WHERE id = %s AND confirmed"
"""Raw SQL: building this query with the ORM takes longer than the rest of a poll."""

Read = Callable[[HttpRequest, ReviewLink], object]
"""Reads the link from the platform before its state is checked."""


def load_visit(
    request: HttpRequest, link_id: uuid.UUID, opens: frozenset[LinkState] = OPEN, read: Read | None = None
) -> Visit | HttpResponse:
    """The visit of a link whose state is one of `opens`, or the response that explains why it is not available."""
    try:
        link = get_link(request, link_id)
    except ReviewLink.DoesNotExist:
        return responses.render_unknown(request)
    except errors.CallError:
        return responses.render_unavailable(request)
    if read is not None:
        read(request, link)
    visit = Visit(request, link, timezone.now())
    return visit if visit.state in opens else render_refusal(visit, visit.state)


def is_up_to_date(link_id: uuid.UUID, token: str) -> bool:
    """Whether a poll with this `token` has nothing new to get: the most frequent of all requests.

    False where the link is not open, and where the platform is to be read again.
    """
    key = ReviewLink._meta.pk.get_db_prep_value(link_id, connection)
    link = next(iter(ReviewLink.objects.raw(STANDING, [key])), None)
    if link is None or rules.state_of(link, timezone.now()) != LinkState.OPEN:
        return False
    is_read, away = sync.get_standing(link)
    return is_read and token == build_token(link, away=away)


def get_link(request: HttpRequest, link_id: uuid.UUID) -> ReviewLink:
    """The link of the address. Raises `ReviewLink.DoesNotExist`, and the `PlatformError` of a read that failed.

    A link that is not confirmed costs a call to the platform, so each network has a limit; beyond it the link is unknown.
    """
    link = ReviewLink.objects.filter(pk=link_id, confirmed=True).first()
    if link is not None:
        return link
    limit, seconds = rules.LOOKUPS_PER_NETWORK
    if wait_for(f"review-lookup:{network_of(address_of(request))}", limit=limit, seconds=seconds):
        raise ReviewLink.DoesNotExist
    return sync.get_link(link_id)


def render_refusal(visit: Visit, state: LinkState) -> HttpResponse:
    """The page of a closed link, with the words that were being sent; for a form sent by script, only the reason."""
    reason = rules.why_no_writing(visit.link, visit.now)
    if reason and visit.request.method == "POST" and responses.wants_part(visit.request):
        return responses.render_problems(visit.request, [Problem("", reason)])
    return responses.render_closed(visit, state, text=visit.request.POST.get("text", ""))
