"""What a page is drawn from: what it has used of what was known, work that goes on beside it, and how its frame says and follows that.

What is used is noted while the page is made (`Used`). Work beside it shows what it brought when it has ended (`begin_work`).
"""

import time
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from logging import getLogger
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.platform_api.errors import CallError, RateLimited
from dashboard.platform_api.platform import Question
from dashboard.shared import formats, refusals
from dashboard.upstream import parallel
from dashboard.upstream.parallel import Outcome, Ready


@dataclass
class Used:
    """What a page has used of what was known: the oldest reading, which are read anew, and errors of that."""

    oldest: datetime | None = None
    refreshing: dict[str, datetime] = field(default_factory=dict)
    """When the answers were read that the page shows, by the digests of their questions."""
    errors: list[CallError] = field(default_factory=list)
    works: list[str] = field(default_factory=list)
    """Pieces of work that go on beside the page (`begin_work`)."""

    def note(self, answer: Ready[Any], question: Question) -> None:
        """One answer that the page shows."""
        if answer.at is not None and (self.oldest is None or answer.at < self.oldest):
            self.oldest = answer.at
        if answer.is_refreshing and answer.at is not None:
            self.refreshing[question.digest] = answer.at
        if answer.error is not None:
            self.errors.append(answer.error)


_used: ContextVar[Used | None] = ContextVar("used", default=None)


def watch() -> Used:
    """From now on everything that this request uses is noted in what is returned."""
    fresh = Used()
    _used.set(fresh)
    return fresh


def current() -> Used | None:
    """What this request has used so far; None outside a request."""
    return _used.get()


def note(outcomes: Mapping[str, Outcome], questions: Mapping[str, Question]) -> None:
    """Outcomes that a page shows, and the questions of those that were asked, by name."""
    noted = current()
    if noted is None:
        return
    for name, outcome in outcomes.items():
        if isinstance(outcome, Ready) and outcome.at is not None:
            noted.note(outcome, questions[name])


log = getLogger(__name__)

KEPT_SECONDS: Final = 120
"""How long the end of a piece of work is known to the page that follows it."""


def begin_work(account_id: UUID, work: Callable[[], bool], patience: float = 0.0) -> None:
    """Begin `work`, which says whether it changed anything, and wait for it no longer than `patience` seconds.

    What is not waited for begins when the page of this request has gone. The page follows what has not ended by then. A
    `PlatformError` ends the work: what it was to bring is tried again when somebody asks for it the next time.
    """
    name = uuid4().hex
    run = partial(_run, _key(account_id, name), work)
    if patience:
        parallel.start(run, patience)
    else:
        parallel.start_afterwards(run)
    page = current()
    if page is not None and cache.get(_key(account_id, name)) is None:
        page.works.append(name)


def list_ended(account_id: UUID, names: list[str]) -> list[bool]:
    """Of the pieces of work of these names, those that have ended: whether each of them changed anything."""
    values = cache.get_many([_key(account_id, name) for name in names])
    return list(values.values())


def _run(key: str, work: Callable[[], bool]) -> None:
    is_changed = False
    try:
        is_changed = work()
    except CallError as error:
        log.info("work beside a page ended early: %s", error)
    finally:
        cache.set(key, is_changed, KEPT_SECONDS)


def _key(account_id: UUID, name: str) -> str:
    return f"work:{account_id}:{name[:32]}"


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


Answer = Callable[[HttpRequest], HttpResponse]


def note_what_is_known(get_response: Answer) -> Answer:
    """`request.known` is what the answer to this request uses of what was known (`Used`).

    What is left when a page has gone is done then (`parallel.end_visit`, by the signal of the end of a request). Any other answer leads
    somewhere else, to another process perhaps, where what was read is known already: it is kept before that answer goes.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request.known = watch()  # type: ignore[attr-defined]  # read by the frame of a page
        if not settings.READ_SIDE_BY_SIDE:
            return get_response(request)
        here = parallel.begin_visit()
        response = get_response(request)
        if request.method not in ("GET", "HEAD") or response.status_code != 200 or response.streaming:
            here.end()
        return response

    return middleware
