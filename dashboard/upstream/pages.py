"""What is said about the age of a page."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.shared import words
from dashboard.upstream.reads import Used

MOST: Final = 60
"""Questions that one page follows."""


@dataclass(frozen=True)
class KnownPart:
    """templates/upstream/_known.html. `poll`: where to ask whether something new is there; `page`: where it is shown."""

    sentence: str
    poll: str = ""
    page: str = ""


def known_part(request: HttpRequest, used: Used) -> KnownPart | None:
    """What a page says of its age; None where all of it is new."""
    if not (used.refreshing or used.works or used.errors):
        return None
    said = _("Last updated %(when)s.") % {"when": words.ago(used.oldest)} if used.oldest else ""
    if not (used.refreshing or used.works):
        return KnownPart(f"{said} {_('The platform did not answer just now.')}".strip())
    query = {
        "known": [f"{digest}.{at.timestamp():.6f}" for digest, at in used.refreshing.items()][:MOST],
        "work": used.works[:MOST],
        "since": timezone.now().isoformat(),
        "page": request.get_full_path(),
    }
    poll = f"{reverse('upstream:news')}?{urlencode(query, doseq=True)}"
    return KnownPart(f"{said} {_('Updating…')}".strip(), poll)


def followed(page: str, *, is_changed: bool, failed: bool) -> KnownPart:
    """What the same place says when everything has been read anew, or could not be."""
    if is_changed:
        return KnownPart(_("There is newer data."), page=page)
    if failed:
        return KnownPart(_("The platform did not answer just now."))
    return KnownPart("")
