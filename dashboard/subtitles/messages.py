"""Messages and labels of subtitles: languages, tiers, states, times, errors."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, Tier
from dashboard.shared import formats, refusals
from dashboard.shared.cues import CUES_MOST
from dashboard.shared.refusals import Explained
from dashboard.subtitles.queries import ParentTokenRefused
from dashboard.subtitles.rules import CellState, RejectionReason
from dashboard.subtitles.tracking import Status

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

STATUS_WORDS: Final[dict[str, Any]] = {
    Status.PLANNED: pgettext_lazy("subtitles", "Planned"),
    Status.SENDING: pgettext_lazy("subtitles", "Sending"),
    Status.UNCONFIRMED: pgettext_lazy("subtitles", "Not confirmed"),
    Status.HELD: pgettext_lazy("subtitles", "Not sent"),
    Status.DROPPED: pgettext_lazy("subtitles", "Not sent"),
    Status.REFUSED: pgettext_lazy("subtitles", "Refused"),
    Status.MISSING: pgettext_lazy("subtitles", "Not found"),
    Status.WAITING: pgettext_lazy("subtitles", "Waiting"),
    Status.QUEUE: pgettext_lazy("subtitles", "In queue"),
    Status.RUNNING: pgettext_lazy("subtitles", "Running"),
    Status.FINISHED: pgettext_lazy("subtitles", "Finished"),
    Status.ERROR: pgettext_lazy("subtitles", "Error"),
    Status.SKIPPED: pgettext_lazy("subtitles", "Skipped"),
}

LOOKS: Final[dict[str, tuple[str, str]]] = {
    Status.PLANNED: ("planned", "picked"),
    Status.SENDING: ("queue", "queue"),
    Status.UNCONFIRMED: ("warning", "unknown"),
    Status.HELD: ("none", "blocked"),
    Status.DROPPED: ("none", "blocked"),
    Status.REFUSED: ("error", "error"),
    Status.MISSING: ("warning", "unknown"),
    Status.WAITING: ("queue", "queue"),
    Status.QUEUE: ("queue", "queue"),
    Status.RUNNING: ("running", "running"),
    Status.FINISHED: ("finished", "finished"),
    Status.ERROR: ("error", "error"),
    Status.SKIPPED: ("skipped", "skipped"),
}
"""The colour (`is-…`) and the shape (`s-…`) of a status."""


def status_word(status: str) -> str:
    """The status in words; one that the specification does not name as it came."""
    return str(STATUS_WORDS.get(status, status))


def find_look(status: str) -> tuple[str, str]:
    """Colour and shape of a status; an unnamed one counts as under way."""
    return LOOKS.get(status, ("running", "running"))


def language(code: str) -> str:
    """The language by name, in the reader's language."""
    return _("Detected language") if code == AUTO_LANGUAGE else formats.language_name(code)


def language_with_code(code: str) -> str:
    """French (Belgium), fr-be."""
    return language(code) if code == AUTO_LANGUAGE else f"{language(code)}, {code}"


def format_languages(codes: Iterable[str]) -> str:
    """fr, de, pt-BR."""
    return ", ".join(_("detected") if code == AUTO_LANGUAGE else code for code in codes)


def tier(value: str) -> str:
    """The tier's name; an unknown one as it came."""
    return str(TIERS.get(value, value))


def sprite() -> str:
    """The file of shapes, for tables that draw hundreds of them."""
    return static("img/icons.svg")


def when(at: datetime) -> str:
    """10:02 for today, date and time for other days."""
    return formats.moment_or_time(at)


def sent_when(at: datetime, actor: str, mine: bool, tier_name: str) -> str:
    """When and by whom a batch was sent: "sent today at 10:02 by you, tier Pro"."""
    today = timezone.localtime(at).date() == timezone.localdate()
    values = {"when": when(at), "actor": actor, "tier": tier_name}
    if today and mine:
        return _("sent today at %(when)s by you, tier %(tier)s") % values
    if today:
        return _("sent today at %(when)s by %(actor)s, tier %(tier)s") % values
    if mine:
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


def explain(error: errors.CallError, parent_name: str = "") -> Explained:
    """An error of the platform for people, with a sentence of its own when it is the parent's token that was refused."""
    if isinstance(error, ParentTokenRefused):
        return Explained(
            _("The platform no longer accepts the token of the parent account “%(name)s”.") % {"name": parent_name},
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
