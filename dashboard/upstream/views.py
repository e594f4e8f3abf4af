"""Whether what a page was drawn from has been read anew since."""

import math
import time
from datetime import datetime, timedelta
from typing import Final

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from dashboard.shared.http import OwnerRequest, own_path, unchanged
from dashboard.upstream import page_sources, reads, store

WAITED_FOR: Final = timedelta(seconds=30)
"""How long a page asks whether there is something new."""


@require_safe
def news(request: OwnerRequest) -> HttpResponse:
    """The polled part: 204 while something is being read anew; then whether the page says something else now."""
    if "until" in request.GET:
        return _after_pause(request)
    since = _moment(request.GET.get("since", ""))
    versions = dict(map(_shown, request.GET.getlist("known")[: page_sources.MOST]))
    works = request.GET.getlist("work")[: page_sources.MOST]
    states, ended = store.states(request.account.pk, versions), page_sources.list_ended(request.account.pk, works)
    read = [digest for digest, state in states.items() if state.read_at.timestamp() > versions[digest]]
    is_waiting = len(read) < len(versions) or len(ended) < len(set(works))
    if is_waiting and (pause := page_sources.last_pause(reads.unread(request.account.pk, versions.keys() - set(read)))):
        address = own_path(request, request.GET.get("page", ""))
        return render(request, "upstream/_known.html", {"known": page_sources.paused_part("", pause, address)})
    if is_waiting and timezone.now() < since + WAITED_FOR:
        return unchanged()
    is_changed = any(ended) or any(states[digest].changed_at.timestamp() > versions[digest] for digest in read)
    page = page_sources.followed(
        own_path(request, request.GET.get("page", "")), is_changed=is_changed, failed=is_waiting
    )
    return render(request, "upstream/_known.html", {"known": page})


def _after_pause(request: OwnerRequest) -> HttpResponse:
    """What a page is told that waits for the end of a pause: nothing until then, and then to be opened again."""
    try:
        is_over = time.time() >= float(request.GET["until"])
    except ValueError:
        is_over = True
    if not is_over:
        return unchanged()
    known = page_sources.resumed(own_path(request, request.GET.get("page", "")))
    return render(request, "upstream/_known.html", {"known": known})


def _shown(known: str) -> tuple[str, float]:
    """The digest of a question and when the answer was read that the page shows (seconds of the epoch)."""
    digest, _point, seconds = known.partition(".")
    try:
        return digest, float(seconds)
    except ValueError:
        return digest, math.inf


def _moment(text: str) -> datetime:
    """The moment that an address names; the epoch of long ago for what is none."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    return moment if moment is not None and timezone.is_aware(moment) else timezone.now() - WAITED_FOR
