"""What is said about the age of a page."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api.errors import CallError, RateLimited
from dashboard.shared import formats, refusals
from dashboard.upstream.models import CapabilityState
from dashboard.upstream.used import Used

STATES: Final = {
    CapabilityState.FOUND: ("healthy", gettext_noop("Available")),
    CapabilityState.FORBIDDEN: ("blocked", gettext_noop("Not allowed for this account")),
    CapabilityState.ABSENT: ("none", gettext_noop("Not on this platform")),
    CapabilityState.UNTRIED: ("unknown", gettext_noop("Not known yet")),
}
"""Whether the platform has a read for an account: shape and words, what says most first."""
MOST: Final = 60
"""Questions that one page follows."""
LONGEST_WAIT: Final = 600
"""Seconds after which a page asks, however long the pause is."""


@dataclass(frozen=True)
class KnownPart:
    """templates/upstream/_known.html. `poll`: where to ask whether something new is there; `page`: where it is shown."""

    sentence: str
    poll: str = ""
    page: str = ""
    seconds: int = 0
    """How long the page waits before it asks for the first time."""


def known_part(request: HttpRequest, used: Used) -> KnownPart | None:
    """What a page says of its age; None where all of it is new."""
    if not (used.refreshing or used.works or used.errors):
        return None
    sentence = _("Last updated %(when)s.") % {"when": formats.ago(used.oldest)} if used.oldest else ""
    if (pause := last_pause(used.errors)) is not None:
        return paused_part(sentence, pause, request.get_full_path())
    if not (used.refreshing or used.works):
        return KnownPart(f"{sentence} {_('The platform did not answer just now.')}".strip())
    query = {
        "known": [f"{digest}.{at.timestamp():.6f}" for digest, at in used.refreshing.items()][:MOST],
        "work": used.works[:MOST],
        "since": timezone.now().isoformat(),
        "page": request.get_full_path(),
    }
    poll = f"{reverse('upstream:news')}?{urlencode(query, doseq=True)}"
    return KnownPart(f"{sentence} {_('Updating…')}".strip(), poll)


def last_pause(errors: Iterable[CallError]) -> RateLimited | None:
    """Of these errors the pause that ends last; None where nothing has to wait."""
    pauses = [error for error in errors if isinstance(error, RateLimited) and (error.until or 0) > time.time()]
    return max(pauses, key=lambda error: error.until or 0, default=None)


def paused_part(sentence: str, pause: RateLimited, page: str) -> KnownPart:
    """What a page says that shows what is known, and is read anew after a pause: until when, and that it comes by itself."""
    until = pause.until or 0.0
    follows = _("Too many requests. Updates automatically after %(time)s.") % {"time": refusals.until_of(pause)}
    poll = f"{reverse('upstream:news')}?{urlencode({'until': f'{until:.0f}', 'page': page})}"
    return KnownPart(
        f"{sentence} {follows}".strip(), poll, seconds=max(1, min(ceil(until - time.time()), LONGEST_WAIT))
    )


def resumed(page: str) -> KnownPart:
    """What the same place says after the pause: opened again, the page is read anew."""
    return KnownPart(_("You can update this page now."), page=page)


def followed(page: str, *, is_changed: bool, failed: bool) -> KnownPart:
    """What the same place says when everything has been read anew, or could not be."""
    if is_changed:
        return KnownPart(_("There is newer data."), page=page)
    if failed:
        return KnownPart(_("The platform did not answer just now."))
    return KnownPart("")
