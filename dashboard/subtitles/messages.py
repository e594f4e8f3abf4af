"""What people read about subtitles: languages, tiers, states, times, errors, and the platform's refusals [7]."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, Message, Tier
from dashboard.shared import formats, refusals
from dashboard.shared.cues import CUES_MOST
from dashboard.shared.refusals import Explained, Refusal, register
from dashboard.subtitles.queries import ParentTokenRefused
from dashboard.subtitles.rules import CellState, RejectionReason, Status

TIERS: Final[dict[str, Any]] = {
    Tier.ESSENTIAL: gettext_lazy("Essential"),
    Tier.PRO: gettext_lazy("Pro"),
    Tier.ADVANCED: gettext_lazy("Advanced"),
}

CELL_WORDS: Final[dict[CellState, Any]] = {
    CellState.NONE: pgettext_lazy("subtitles", "None"),
    CellState.EXISTS: pgettext_lazy("subtitles", "Available"),
    CellState.QUEUE: pgettext_lazy("subtitles", "Queue"),
    CellState.RUNNING: pgettext_lazy("subtitles", "Running"),
    CellState.FINISHED: pgettext_lazy("subtitles", "Done"),
    CellState.ERROR: pgettext_lazy("subtitles", "Error"),
    CellState.SKIPPED: pgettext_lazy("subtitles", "Skipped"),
    CellState.UNKNOWN: pgettext_lazy("subtitles", "Not checked"),
}
"""One short word in a cell."""


class StateView(NamedTuple):
    """A status as people see it: its colour (`is-…`), its shape (`s-…`) and its word."""

    look: str
    shape: str
    word: Any


STATES: Final[dict[str, StateView]] = {
    Status.PLANNED: StateView("planned", "picked", pgettext_lazy("subtitles", "Planned")),
    Status.SENDING: StateView("queue", "queue", pgettext_lazy("subtitles", "Sending")),
    Status.UNCONFIRMED: StateView("warning", "unknown", pgettext_lazy("subtitles", "Not confirmed")),
    Status.HELD: StateView("none", "blocked", pgettext_lazy("subtitles", "Not sent")),
    Status.DROPPED: StateView("none", "blocked", pgettext_lazy("subtitles", "Not sent")),
    Status.REFUSED: StateView("error", "error", pgettext_lazy("subtitles", "Refused")),
    Status.MISSING: StateView("warning", "unknown", pgettext_lazy("subtitles", "Not found")),
    Status.WAITING: StateView("queue", "queue", pgettext_lazy("subtitles", "Waiting")),
    Status.QUEUE: StateView("queue", "queue", pgettext_lazy("subtitles", "In queue")),
    Status.RUNNING: StateView("running", "running", pgettext_lazy("subtitles", "Running")),
    Status.FINISHED: StateView("finished", "finished", pgettext_lazy("subtitles", "Finished")),
    Status.ERROR: StateView("error", "error", pgettext_lazy("subtitles", "Error")),
    Status.SKIPPED: StateView("skipped", "skipped", pgettext_lazy("subtitles", "Skipped")),
}


def view_state(status: str) -> StateView:
    """A status as people see it; one that the specification does not name looks under way, and is said as it came."""
    return STATES.get(status) or StateView("running", "running", status)


def language(code: str) -> str:
    """The language by name, in the reader's language."""
    return _("Detected language") if code == AUTO_LANGUAGE else formats.language_name(code)


def language_with_code(code: str) -> str:
    """French (Belgium), fr-be."""
    return language(code) if code == AUTO_LANGUAGE else f"{language(code)}, {code}"


def tier(value: str) -> str:
    """The tier's name; an unknown one as it came."""
    return str(TIERS.get(value, value))


def sent_when(at: datetime, actor: str, tier_name: str, *, is_mine: bool) -> str:
    """When and by whom a batch was sent: "sent today at 10:02 by you, tier Pro"."""
    today = timezone.localtime(at).date() == timezone.localdate()
    values = {"when": formats.moment_or_time(at), "actor": actor, "tier": tier_name}
    if today and is_mine:
        return _("sent today at %(when)s by you, tier %(tier)s") % values
    if today:
        return _("sent today at %(when)s by %(actor)s, tier %(tier)s") % values
    if is_mine:
        return _("sent %(when)s by you, tier %(tier)s") % values
    return _("sent %(when)s by %(actor)s, tier %(tier)s") % values


REASONS: Final[dict[str, Any]] = {
    RejectionReason.NOT_CHECKED: gettext_lazy("The subtitles of this video couldn't be checked."),
    RejectionReason.IS_SOURCE: gettext_lazy("This is the source language."),
    RejectionReason.SOURCE_MISSING: gettext_lazy("The video has no subtitles in the source language yet."),
    RejectionReason.SOURCE_UNDER_WAY: gettext_lazy("The subtitles in the source language are still being made."),
    RejectionReason.SOURCE_EXISTS: gettext_lazy("The video already has subtitles in its source language."),
    RejectionReason.TARGET_EXISTS: gettext_lazy("The video already has subtitles in this language."),
    RejectionReason.TRANSCRIPTION_RUNNING: gettext_lazy("The video is being transcribed already."),
    RejectionReason.TRANSLATION_RUNNING: gettext_lazy("Subtitles in this language are being made already."),
    RejectionReason.NEEDS_TRANSCRIPTION: gettext_lazy(
        "Extra languages come with a transcription, and this video cannot have one now."
    ),
}


def reason(code: str) -> str:
    """Why a cell may not be made."""
    return str(REASONS.get(code, code))


def explain(error: errors.CallError, account: Account | None = None) -> Explained:
    """An error of the platform for people, with a sentence of its own when it is the token of the account's parent."""
    if isinstance(error, ParentTokenRefused):
        parent = account.parent if account else None
        return Explained(
            _("The platform no longer accepts the token of the parent account “%(name)s”.")
            % {"name": parent.name if parent else ""},
            _("Connect the parent account again with its new token."),
            "",
            error.message,
        )
    return refusals.explain(error)


def too_long() -> Explained:
    """That a file is too long to be read here."""
    sentence = _("The file has more than %(most)s characters, too many to show as text.")
    return Explained(sentence % {"most": formats.number(CUES_MOST)}, _("Download it as WebVTT."))


def kept_error(kind: str, words_of_platform: str) -> errors.CallError:
    """An error again, out of what a cell keeps of it: the name of its class and the platform's words.

    Of calls without an answer only those are kept that never left.
    """
    if kind == errors.Unreachable.__name__:
        return errors.Unreachable("ai_workflow.create", sent=False)
    error_classes = {**vars(errors), ParentTokenRefused.__name__: ParentTokenRefused}
    error_class = error_classes.get(kind)
    raised_class = (
        error_class
        if isinstance(error_class, type) and issubclass(error_class, errors.CallError)
        else errors.PlatformError
    )
    return raised_class("ai_workflow.create", None, words_of_platform)


MESSAGES = {
    Message.FROM_LANG_REQUIRED: Refusal(gettext_noop("Choose the source language."), "", "from_lang"),
    Message.TO_LANG_REQUIRED: Refusal(gettext_noop("Choose at least one target language."), "", "to_lang"),
    Message.TIER_REQUIRED: Refusal(gettext_noop("Choose a tier."), "", "tier"),
    Message.SOURCE_SUBTITLE_MISSING: Refusal(
        gettext_noop("The video has no subtitles in the source language yet."),
        gettext_noop("Transcribe the video first, then translate."),
        "from_lang",
    ),
    Message.TARGET_SUBTITLE_EXISTS: Refusal(
        gettext_noop("The video already has subtitles in that language."),
        gettext_noop("Delete them on the platform first if they must be made again."),
        "to_lang",
    ),
    Message.SUBTITLE_EXISTS: Refusal(
        gettext_noop("The video already has subtitles in its source language."),
        gettext_noop("Translate them, or delete them on the platform first."),
        "from_lang",
    ),
    Message.TRANSCRIPTION_RUNNING: Refusal(
        gettext_noop("This video is being transcribed already."), gettext_noop("Wait until that job has ended.")
    ),
    Message.TRANSLATION_RUNNING: Refusal(
        gettext_noop("This video is being translated into that language already."),
        gettext_noop("Wait until that job has ended."),
        "to_lang",
    ),
    Message.AUTO_NOT_ON_ESSENTIAL: Refusal(
        gettext_noop("Tier Essential cannot detect the language."),
        gettext_noop("Name the source language, or choose Pro or Advanced."),
        "from_lang",
    ),
}

register(messages=MESSAGES)
