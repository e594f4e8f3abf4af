"""The platform's refusals as sentences for people: what happened, at which field, and what to do next.

Known messages (section 7) become ours; an unknown one is shown as it came, in quotes.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import Message
from dashboard.shared import formats

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
class _Known:
    sentence: str
    next_step: str = ""
    field: str = ""


KNOWN: dict[Message, _Known] = {
    Message.FROM_LANG_REQUIRED: _Known(gettext_noop("Choose the source language."), "", "from_lang"),
    Message.TO_LANG_REQUIRED: _Known(gettext_noop("Choose at least one target language."), "", "to_lang"),
    Message.TIER_REQUIRED: _Known(gettext_noop("Choose a tier."), "", "tier"),
    Message.SOURCE_SUBTITLE_MISSING: _Known(
        gettext_noop("The video has no subtitles in the source language yet."),
        gettext_noop("Transcribe the video first, then translate."),
        "from_lang",
    ),
    Message.TARGET_SUBTITLE_EXISTS: _Known(
        gettext_noop("The video already has subtitles in that language."),
        gettext_noop("Delete them on the platform first if they must be made again."),
        "to_lang",
    ),
    Message.SUBTITLE_EXISTS: _Known(
        gettext_noop("The video already has subtitles in its source language."),
        gettext_noop("Translate them, or delete them on the platform first."),
        "from_lang",
    ),
    Message.TRANSCRIPTION_RUNNING: _Known(
        gettext_noop("This video is being transcribed already."), gettext_noop("Wait until that job has ended.")
    ),
    Message.TRANSLATION_RUNNING: _Known(
        gettext_noop("This video is being translated into that language already."),
        gettext_noop("Wait until that job has ended."),
        "to_lang",
    ),
    Message.NO_ORGANIZATION: _Known(
        gettext_noop("The platform finds no organization for this token."),
        gettext_noop("Check on the platform that the account is complete."),
    ),
    Message.AUTO_NOT_ON_ESSENTIAL: _Known(
        gettext_noop("Tier Essential cannot detect the language."),
        gettext_noop("Name the source language, or choose Pro or Advanced."),
        "from_lang",
    ),
    Message.VIDEO_NOT_FOUND: _Known(
        gettext_noop("The platform does not have this video any more."),
        gettext_noop("Choose another video."),
        "video_id",
    ),
    Message.SUB_ACCOUNT_OF_SUB_ACCOUNT: _Known(
        gettext_noop("A sub-account cannot create sub-accounts."), gettext_noop("Switch to the parent account.")
    ),
    Message.ORGANIZATION_NOT_ACTIVE: _Known(
        gettext_noop("This account is not active, so it cannot create sub-accounts."),
        gettext_noop("Activate it on the platform first."),
    ),
    Message.ORGANIZATION_IN_TRIAL: _Known(
        gettext_noop("Accounts in trial or without an active subscription cannot create sub-accounts."),
        gettext_noop("Start or renew the subscription on the platform."),
    ),
    Message.VERIFY_PERMISSIONS: _Known(
        gettext_noop(
            "This token may not create sub-accounts: it needs the permissions get-subaccount and put-subaccount."
        ),
        gettext_noop("Ask the administrator of the account for them."),
    ),
    Message.EXPIRY_TOO_FAR: _Known(
        gettext_noop("A review link can be open for 30 days at most."),
        gettext_noop("Choose an earlier end."),
        "expires_at",
    ),
    Message.LIVE_ALREADY_STARTED: _Known(
        gettext_noop("The live has been started already, or was never scheduled."),
        gettext_noop("Look at its state below."),
    ),
    Message.LIVE_NOT_FOR_TRIAL: _Known(
        gettext_noop("Trial accounts cannot start lives."), gettext_noop("Start a subscription on the platform.")
    ),
    Message.LIVE_ID_INVALID: _Known(
        gettext_noop("This is not the id of a live."), gettext_noop("Open it from the list.")
    ),
    Message.LIVE_NOT_FOUND: _Known(
        gettext_noop("The platform has no such live in this account."), gettext_noop("Open it from the list.")
    ),
    Message.LIVE_INGEST_FAILED: _Known(
        gettext_noop("The platform could not open the live’s input, so it was not started."),
        gettext_noop("Try again in a minute."),
    ),
    Message.LIVE_SUBSCRIPTION_UNREAD: _Known(
        gettext_noop("The platform could not read the account’s subscription, so the live was not started."),
        gettext_noop("Try again in a minute."),
    ),
    Message.FUNNEL_NEEDS_FIRST: _Known(gettext_noop("Mark one video as the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_ONE_FIRST: _Known(gettext_noop("Only one video can be the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_VIDEO_UNKNOWN: _Known(
        gettext_noop("One of the videos is not in this account."), gettext_noop("Take it out and send again."), "videos"
    ),
    Message.TYPE_NOT_SPECIFIED: _Known(gettext_noop("The platform was not told what to do with the test.")),
    Message.PLAYLIST_NOT_FOUND: _Known(
        gettext_noop("The platform does not have this playlist any more."), gettext_noop("Nothing was deleted.")
    ),
    Message.PLAYLIST_NOT_OWNED: _Known(
        gettext_noop("This playlist belongs to another account."), gettext_noop("Only its owner can delete it.")
    ),
}

SUB_ACCOUNT: Final = "organizations.create_sub_account"


def _not_taken(field: str, next_step: str = "") -> _Known:
    return _Known(gettext_noop("The platform does not accept this."), next_step, field)


CONDITIONS: Final = (
    ("lives.start", "subscription", KNOWN[Message.LIVE_SUBSCRIPTION_UNREAD]),
    ("lives.start", "ingest", KNOWN[Message.LIVE_INGEST_FAILED]),
    (
        "custom_fields.update",
        r"duplicate|unique|already",
        _Known(gettext_noop("Another field of this video has this key. Choose a different one."), "", "key"),
    ),
    ("custom_fields.update", r"\bvalue\b", _not_taken("value")),
    ("custom_fields.update", r"\bkey\b", _not_taken("key")),
    (
        "review_links.create",
        "link.?name",
        _not_taken("link_name", gettext_noop("Use letters, digits, spaces and - _ . in the name.")),
    ),
    ("review_links.create", "expires.?at", _not_taken("expires_at", gettext_noop("Choose another end."))),
    (SUB_ACCOUNT, "e-?mail", _not_taken("user_email")),
    (SUB_ACCOUNT, r"user\W?name", _not_taken("user_name")),
    (SUB_ACCOUNT, "tax.?id|cpf|cnpj", _not_taken("tax_id")),
    (SUB_ACCOUNT, "phone", _not_taken("phone")),
    (SUB_ACCOUNT, "currency", _not_taken("currency")),
    (SUB_ACCOUNT, r"\bname\b", _not_taken("name")),
)
"""Refusals that section 7 describes without the platform's sentence: the operation, and words that only such a one has."""


NOT_OFFERED: dict[str, _Known] = {
    "lives.create": _Known(
        gettext_noop("This platform does not offer to create lives over its API, so no live was created."),
        gettext_noop("Create the live on the platform’s own pages."),
    ),
    "lives.finish": _Known(
        gettext_noop("This platform does not offer to finish lives over its API, so the live was not finished."),
        gettext_noop("Finish the live on the platform’s own pages."),
    ),
    "ai_workflow.generate_package": _Known(
        gettext_noop("This platform does not offer generating AI content over its API. Nothing was generated."),
        gettext_noop("Generate it on the platform itself; what it makes can be edited here."),
    ),
    "ai_workflow.delete_package": _Known(
        gettext_noop("This platform does not offer deleting AI content over its API. Nothing was deleted."),
        gettext_noop("Delete it on the platform itself."),
    ),
}
"""Writes that are only assumed: what to say where the platform does not have them."""
_NAMES_A_THING: Final = re.compile(r"(?<!/)\b(?:live|folder|video|resource)\b.*\bnot (?:found|exist)", re.IGNORECASE)
"""A 404 that speaks of a thing, and not of an address that the platform does not have."""


def _pattern(message: Message) -> re.Pattern[str]:
    """The message as a pattern: `{…}` stands for anything. The platform may append to its sentence."""
    parts = re.split(r"\{[^}]+\}", message.value)
    return re.compile(".*".join(re.escape(part.rstrip(".")) for part in parts), re.IGNORECASE)


_PATTERNS = [(_pattern(message), known) for message, known in KNOWN.items()]


def explain(error: errors.CallError, *, reading: bool = False) -> Explained:
    """What to tell the person about `error`. `reading`: nothing was to be changed, so there is nothing to look after."""
    if reading and isinstance(error, errors.Unreachable):
        return Explained(_unreachable(error)[0], _("Nothing was changed. Try again in a minute."))
    message = error.message.strip()
    quoted = _("The platform says: “%(words)s”.") % {"words": message}
    if message and (known := _find_known(error, message)) is not None:
        next_step = _(known.next_step) if known.next_step else ""
        return Explained(_(known.sentence), next_step, known.field, message, quoted)
    if (absent := _not_offered(error)) is not None:
        return Explained(_(absent.sentence), _(absent.next_step), "", message, quoted if message else "")
    sentence, next_step = _by_kind(error)
    if message and not isinstance(error, errors.BadToken | errors.PlatformDown):
        sentence = f"{sentence} {quoted}"
    return Explained(sentence, next_step, "", message, answer=getattr(error, "answer", ""))


def _find_known(error: errors.CallError, message: str) -> _Known | None:
    """What is known of the platform's sentence, or of the condition that a refusal of this operation names."""
    for pattern, known in _PATTERNS:
        if pattern.match(message):
            return known
    if not isinstance(error, errors.Refused):
        return None
    found = (
        known for name, words_, known in CONDITIONS if name == error.operation and re.search(words_, message, re.I)
    )
    return next(found, None)


def is_not_offered(error: errors.CallError | None) -> bool:
    """Whether the platform said that it does not have this operation at all."""
    return error is not None and _not_offered(error) is not None


def _not_offered(error: errors.CallError) -> _Known | None:
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
    said = explain(error)
    if isinstance(error, errors.BadToken | errors.NotAllowed):
        return f"{said.sentence} {said.next_step}"
    until = until_of(error)
    again = _("Reelroom tries again automatically after %(time)s.") % {"time": until} if until else ""
    return f"{said.sentence} {again or _('Reelroom tries again by itself.')}"


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
        return _("The platform did not answer in time."), _("Look whether it was done before trying again.")
    return _("The platform cannot be reached right now."), _("Nothing was changed. Try again in a minute.")


def _rate_limited(error: errors.CallError) -> tuple[str, str]:
    until = until_of(error)
    said = _("The platform asks for a pause.")
    if isinstance(error, errors.OverBudget):
        said = _("Reelroom has made as many requests as the platform allows per minute.")
    return said, _("Try again after %(time)s.") % {"time": until} if until else _("Try again in a minute.")


def until_of(error: errors.CallError) -> str:
    """When the platform can be asked again, as a time of day: 14:32:10; "" where nobody said when."""
    if not isinstance(error, errors.RateLimited) or error.until is None:
        return ""
    at = datetime.fromtimestamp(ceil(min(error.until, FAR)), UTC)
    is_soon = error.until - time.time() < HOUR
    return formats.time_of_day(at, seconds=True) if is_soon else formats.moment_or_time(at, "medium")


def _bad_token(error: errors.CallError) -> tuple[str, str]:
    """Traffic alone wants its token in a form that clients and specification disagree about [5]."""
    if error.operation != "analytics.traffic":
        return _("The platform no longer accepts this token."), _("Sign in with a new one.")
    now = settings.PLATFORM_TRAFFIC_AUTH
    values = {"setting": "PLATFORM_TRAFFIC_AUTH", "other": "bearer" if now == "raw" else "raw", "now": now}
    return (
        _("The platform accepts this token, but not for traffic."),
        _(
            "It may want it in another form there. Whoever runs Reelroom can set %(setting)s to %(other)s: it is %(now)s."
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
        lambda e: (_("The platform does not have it, or it belongs to another account."), _("Go back to the list.")),
    ),
    (errors.Refused, lambda e: (_("The platform refused."), _("Check what was sent, then try again."))),
)
