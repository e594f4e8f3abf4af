"""What pages say of a write that waits, is being sent, or is not confirmed."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.platform_api import errors
from dashboard.writes import outbox
from dashboard.writes.failures import ParentTokenHeld
from dashboard.writes.models import State, Write


@dataclass(frozen=True)
class OpenWrite:
    """components/_open_write.html. `decide`: its author is asked whether it arrived."""

    sentence: str
    attempt: int
    decide: bool


def open_write(write: Write) -> OpenWrite | None:
    """What is said of a write that has not ended; None for one that has, or that nobody has tried to send yet."""
    sentence = _sentence(write)
    return OpenWrite(sentence, write.attempt, outbox.may_decide(write)) if sentence else None


def _sentence(write: Write) -> str:
    if write.state == State.SENDING:
        return _("Sending. This page updates automatically.")
    if write.state == State.UNCONFIRMED:
        return _unconfirmed_sentence(write)
    if write.state == State.HELD and write.reason:
        return waiting_sentence(write)
    return ""


def _unconfirmed_sentence(write: Write) -> str:
    if write.due_at is None:
        return _("The platform didn't answer, so this is not confirmed. Check on the platform whether it arrived.")
    if outbox.may_decide(write):
        return _("Not confirmed. We keep checking automatically. If you know whether it arrived, choose below.")
    return _("Not confirmed. We keep checking automatically.")


def waiting_sentence(write: Write) -> str:
    """Why a held write has not been sent, and when it will be."""
    error = write.error
    if isinstance(error, ParentTokenHeld):
        return _(
            "The platform no longer accepts the parent account's token. Your change is saved here; connect the parent "
            "account again to send it."
        )
    if isinstance(error, errors.BadToken):
        return _("The platform no longer accepts this account's token. Your change is saved here; sign in to send it.")
    if isinstance(error, errors.RateLimited):
        return _("The platform received too many requests. Your change is saved here and will be sent automatically.")
    return _("The platform didn't answer. Your change is saved here and will be sent automatically.")
