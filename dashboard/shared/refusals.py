"""The platform's refusals as sentences for people: what happened, at which field, and what to do next.

Known messages (section 7) become ours; an unknown one is shown as it came, in quotes.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from math import ceil
from typing import Final, Generic, TypeVar

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api import errors
from dashboard.platform_api.errors import Missing, PlatformError
from dashboard.platform_api.vocabulary import Message
from dashboard.shared import formats, refusals

HOUR: Final = 3600
FAR: Final = 253_402_300_000
"""Seconds of the epoch near the end of the year 9999: later ones are no dates."""


@dataclass(frozen=True)
class Explained:
    """An error for people. `field` names the form field it belongs to, `raw` keeps the platform's own words.

    `quoted`: a sentence with those words, "" where `sentence` has them or there are none. `answer`: what a read brought that
    cannot be read.
    """

    sentence: str
    next_step: str
    field: str = ""
    raw: str = ""
    quoted: str = ""
    answer: str = ""

    @property
    def cause(self) -> str:
        """What happened, and the platform's own words."""
        return f"{self.sentence} {self.quoted}".strip()

    @property
    def whole(self) -> str:
        """What happened, what to do next, and the platform's own words."""
        return " ".join(part for part in (self.sentence, self.next_step, self.quoted) if part)


@dataclass(frozen=True)
class Refusal:
    """One refusal for people (msgids): what happened, what to do next, and the form field it belongs to.

    `guest_step`: what a reviewer does next, who has no account, where that differs.
    """

    sentence: str
    next_step: str = ""
    field: str = ""
    guest_step: str = ""


KNOWN: dict[Message, Refusal] = {
    Message.NO_ORGANIZATION: Refusal(
        gettext_noop("The platform finds no organization for this token."),
        gettext_noop("Check on the platform that the account is complete."),
    ),
    Message.VIDEO_NOT_FOUND: Refusal(
        gettext_noop("This video was not found in this account."),
        gettext_noop("Choose another video."),
        "video_id",
    ),
}
"""Sentences of the platform (section 7) and what is shown for them. Each feature adds its own from its `refusals.py`."""

Condition = tuple[str, type[errors.CallError] | tuple[type[errors.CallError], ...], str, Refusal]
CONDITIONS: list[Condition] = []
"""Refusals that section 7 describes without the platform's sentence: the operation, the kind of error, and a pattern of words
that only such a one has; "" for whatever else this kind means of that operation. The first that matches holds.
"""
NOT_OFFERED: dict[str, Refusal] = {}
"""Writes that are only assumed: what to say where the platform does not have them."""


def register(
    *,
    messages: Mapping[Message, Refusal] | None = None,
    conditions: Iterable[Condition] = (),
    not_offered: Mapping[str, Refusal] | None = None,
) -> None:
    """Add a feature's refusals to `KNOWN`, `CONDITIONS` and `NOT_OFFERED`."""
    KNOWN.update(messages or {})
    CONDITIONS.extend(conditions)
    NOT_OFFERED.update(not_offered or {})


def not_accepted(field: str, next_step: str = "") -> Refusal:
    """The refusal of a value without a reason, shown at its field."""
    return Refusal(gettext_noop("The platform does not accept this."), next_step, field)


_NAMES_A_THING: Final = re.compile(r"(?<!/)\b(?:live|folder|video|resource)\b.*\bnot (?:found|exist)", re.IGNORECASE)
"""A 404 that speaks of a thing, and not of an address that the platform does not have."""


@cache
def _pattern(message: Message) -> re.Pattern[str]:
    """The message as a pattern: `{…}` stands for anything; numbers, quotes, spaces and a full stop may be others.

    The platform may append to its sentence.
    """
    parts = (re.escape(part.strip().rstrip(".")) for part in re.split(r"\{[^}]+\}", message.value))
    pattern = r"(?!\w).*".join(parts) + r"(?!\w)"
    for exact, tolerant in ((r"\d+", r"\\d+"), (r"(?:\\ )+", r"\\s+"), ("'", "[\"'‘’“”`]?")):
        pattern = re.sub(exact, tolerant, pattern)
    return re.compile(pattern, re.IGNORECASE)


def explain(error: errors.CallError | None, *, reading: bool = False, guest: bool = False) -> Explained:
    """What to tell the person about `error`; None of an answer that did not come in time.

    `reading`: nothing was to be changed, so there is nothing to look after. `guest`: a reviewer reads it, who has no account.
    """
    if error is None:
        return Explained(_("The platform did not answer in time."), "")
    if reading and isinstance(error, errors.Unreachable):
        return Explained(_unreachable(error)[0], _("Nothing was changed. Try again in a minute."))
    message = error.message.strip()
    quoted = _("The platform says: “%(words)s”.") % {"words": message} if message else ""
    known = _find_known(error, message)
    if known is not None:
        next_step = (guest and known.guest_step) or known.next_step
        return Explained(
            _(known.sentence), _(next_step) if next_step else "", field=known.field, raw=message, quoted=quoted
        )
    sentence, next_step = _by_kind(error)
    if message and not isinstance(error, errors.BadToken | errors.PlatformDown):
        sentence = f"{sentence} {quoted}"
    return Explained(sentence, next_step, "", message, answer=getattr(error, "answer", ""))


TOO_LARGE: Final = Refusal(
    gettext_noop("This is larger than the 10 MB that the platform takes at once. Nothing was changed there."),
    gettext_noop("Make it smaller, for example in several parts, and send it again."),
)


def _find_known(error: errors.CallError, message: str) -> Refusal | None:
    """What is known of the platform's sentence, or of the condition that a refusal of this operation names."""
    if error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return TOO_LARGE
    for sentence, known in KNOWN.items():
        if _pattern(sentence).match(message):
            return known
    for operation, kind, words, known in CONDITIONS:
        if operation == error.operation and isinstance(error, kind) and re.search(words, message, re.IGNORECASE):
            return known
    return _not_offered(error)


def is_not_offered(error: errors.CallError | None) -> bool:
    """Whether the platform said that it does not have this operation at all."""
    return error is not None and _not_offered(error) is not None


def _not_offered(error: errors.CallError) -> Refusal | None:
    if not isinstance(error, errors.Missing) or (error.status == 404 and _NAMES_A_THING.search(error.message)):
        return None
    return NOT_OFFERED.get(error.operation)


STATUS_OF: dict[type[errors.CallError], int] = {
    errors.Missing: 404,
    errors.NotAllowed: 403,
    errors.RateLimited: 503,
    errors.Unreachable: 504,
}
"""What a page answers that shows an error of the platform; anything else is a 502."""


def of_pause(error: errors.CallError | None) -> str:
    """Why the worker pauses, and what a person can do about it, if anything; "" where it does not."""
    if error is None:
        return ""
    explained = explain(error)
    if isinstance(error, errors.BadToken | errors.NotAllowed):
        return f"{explained.sentence} {explained.next_step}"
    until = until_of(error)
    again = _("Continues at %(time)s.") % {"time": until} if until else ""
    return f"{explained.sentence} {again or _('Reelroom tries again automatically.')}"


def status_of(error: errors.CallError) -> int:
    """The status of a page that can show nothing but this error."""
    return next((status for kind, status in STATUS_OF.items() if isinstance(error, kind)), 502)


def _by_kind(error: errors.CallError) -> tuple[str, str]:
    for kind, describe in BY_KIND:
        if isinstance(error, kind):
            return describe(error)
    return _("The platform refused."), _("Check what was sent, then try again.")


def _unreachable(error: errors.CallError) -> tuple[str, str]:
    if isinstance(error, errors.Unreachable) and error.sent:
        return _("The platform did not answer in time."), _(
            "Check on the platform whether it was done before you try again."
        )
    return _("The platform cannot be reached right now."), _("Nothing was changed. Try again in a minute.")


def _rate_limited(error: errors.CallError) -> tuple[str, str]:
    until = until_of(error)
    return _("Too many requests."), _("Try again after %(time)s.") % {"time": until} if until else _(
        "Try again in a minute."
    )


def until_of(error: errors.CallError) -> str:
    """When the platform can be asked again, as a time of day: 14:32:10; "" where nobody said when."""
    if not isinstance(error, errors.RateLimited) or error.until is None:
        return ""
    at = datetime.fromtimestamp(ceil(min(error.until, FAR)), UTC)
    is_soon = error.until - time.time() < HOUR
    return formats.time_of_day(at, seconds=True) if is_soon else formats.moment_or_time(at)


def _bad_token(error: errors.CallError) -> tuple[str, str]:
    """Traffic alone wants its token in a form that clients and specification disagree about [5]."""
    if error.operation != "analytics.traffic":
        return _("The platform no longer accepts this token."), _("Sign in with a new one.")
    now = settings.PLATFORM_TRAFFIC_AUTH
    values = {"setting": "PLATFORM_TRAFFIC_AUTH", "other": "bearer" if now == "raw" else "raw", "now": now}
    return (
        _("The platform accepts this token, but not for traffic."),
        _(
            "Traffic may need it in another form. "
            "The administrator of Reelroom can set %(setting)s to %(other)s; it is %(now)s now."
        )
        % values,
    )


def _platform_down(error: errors.CallError) -> tuple[str, str]:
    """It failed; or it answered, and in a shape that no reader knows."""
    if errors.is_unreadable(error):
        return _("The platform answered, but its answer cannot be read."), _("Try again in a minute.")
    return _("The platform has trouble of its own."), _("Try again in a minute.")


BY_KIND: tuple[tuple[type[errors.CallError], Callable[[errors.CallError], tuple[str, str]]], ...] = (
    (errors.Unreachable, _unreachable),
    (errors.RateLimited, _rate_limited),
    (errors.PlatformDown, _platform_down),
    (errors.BadToken, _bad_token),
    (errors.NotAllowed, lambda e: (_("This account may not do that."), _("Ask the administrator of the account."))),
    (
        errors.Missing,
        lambda e: (_("It was not found on the platform, or it belongs to another account."), _("Go back to the list.")),
    ),
    (errors.Refused, lambda e: (_("The platform refused."), _("Check what was sent, then try again."))),
)


T = TypeVar("T")


@dataclass(frozen=True)
class Listing(Generic[T]):
    """What the platform lists; or `trouble` says why it does not, and `unlisted` that it never will.

    `status` is how the page answers: a list that the platform does not have is no failure.
    """

    found: tuple[T, ...] = ()
    trouble: str = ""
    unlisted: bool = False
    status: int = 200
    answer: str = ""
    """What came, where it cannot be read."""


def listing(read: Callable[[], Sequence[T]]) -> Listing[T]:
    """The list that `read` brings. Only a refused token is raised."""
    try:
        return Listing(tuple(read()))
    except PlatformError as error:
        explained, until = refusals.explain(error), refusals.until_of(error)
        again = _("It can be asked again after %(time)s.") % {"time": until} if until else ""
        unlisted = isinstance(error, Missing)
        return Listing(
            trouble=f"{explained.sentence} {again}".strip(),
            unlisted=unlisted,
            status=200 if unlisted else refusals.status_of(error),
            answer=explained.answer,
        )
