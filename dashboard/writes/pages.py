"""What pages say of a write: one that waits, is being sent, is not confirmed, or ended after its author had gone on.

An `OpenWrite` is drawn on the page of what the write is about, whose own addresses its buttons have. A `WriteNotice` stands on
any page, names its write, and leads to the write's address in Activity.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.activity.recorder import name_of
from dashboard.platform_api import errors
from dashboard.shared import formats, refusals
from dashboard.writes import outbox
from dashboard.writes.failures import LOST, RESTORED, ParentTokenHeld
from dashboard.writes.models import State, Write

MOST = 10
"""Notices on one page."""


@dataclass(frozen=True)
class OpenWrite:
    """components/_open_write.html. `decide`: its author is asked whether it arrived."""

    sentence: str
    attempt: int
    decide: bool


def not_offered(account: Account, operation: str) -> str:
    """That the platform does not have this operation, where that was its last word; "" else."""
    ended = Write.objects.filter(account=account, operation=operation, state__in=(State.DONE, State.REFUSED))
    last = ended.order_by("created_at").last()
    if last is None or last.state == State.DONE or not refusals.is_not_offered(last.error):
        return ""
    when = {"when": formats.ago(last.ended_at or last.created_at)}
    return _("The platform said %(when)s that it does not offer this over its API. You can try again.") % when


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
    if write.reason == RESTORED:
        return _restored_sentence(write)
    if write.due_at is not None and outbox.may_decide(write):
        return _("Not confirmed. We keep checking automatically. If you know whether it arrived, choose below.")
    return unconfirmed_sentence(write)


def unconfirmed_sentence(write: Write) -> str:
    """Who finds out whether a write arrived: reads, or a person where they have not told and are made no more."""
    if write.due_at is not None:
        return _("Not confirmed. We keep checking automatically.")
    if write.status is None:
        return _("The platform didn't answer, so this is not confirmed. Check on the platform whether it arrived.")
    sentence = _(
        "The platform gave no clear answer, so this is not confirmed. Check on the platform whether it arrived."
    )
    return sentence + (f" {_('The platform says: “%(words)s”.')}" % {"words": write.message} if write.message else "")


def _restored_sentence(write: Write) -> str:
    sentence = _(
        "Reelroom was restored from a backup. This may have been sent after the backup, so it is not sent by itself."
    )
    if write.due_at is None:
        return f"{sentence} {_('Check on the platform whether it arrived.')}"
    if outbox.may_decide(write):
        return f"{sentence} {_('We keep checking automatically. If you know whether it arrived, choose below.')}"
    return f"{sentence} {_('We keep checking automatically.')}"


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
    if isinstance(error, errors.RateLimited) and write.due_at is not None and write.due_at > timezone.now():
        return _(
            "The platform received too many requests. Your change is saved here and will be sent automatically after %(time)s."
        ) % {"time": formats.time_of_day(write.due_at, seconds=True)}
    if isinstance(error, errors.RateLimited):
        return _("The platform received too many requests. Your change is saved here and will be sent automatically.")
    return _("The platform didn't answer. Your change is saved here and will be sent automatically.")


@dataclass(frozen=True)
class WriteNotice:
    """templates/components/_write.html. An empty address: not possible now."""

    id: str
    attempt: int
    title: str
    sentence: str
    quoted: str
    """The platform's own words about a refusal, in a sentence."""
    look: str
    address: str
    poll: str
    """Where the notice is read again; "" when it does not change by itself any more."""
    back: str
    """Where its buttons lead."""
    confirm: bool
    send_again: bool
    dismiss: bool


def load_notices(
    account: Account, *operations: str, back: str, subject: str = "", waiting: bool = True
) -> tuple[WriteNotice, ...]:
    """The notices of an account's open writes of these operations, oldest first; `subject` limits them to one thing.

    Without `waiting`, those that are still to be sent are left out: a page of many says how many they are.
    """
    reported = Q(state__in=(State.UNCONFIRMED, State.REFUSED))
    if waiting:
        reported |= Q(state=State.SENDING) | Q(state=State.HELD, attempt__gt=0)
    writes = Write.objects.filter(reported, account=account, operation__in=operations, shown=True)
    if subject:
        writes = writes.filter(subject=subject)
    return tuple(build_notice(write, back) for write in writes.order_by("created_at")[:MOST])


def build_notice(write: Write, back: str) -> WriteNotice:
    """The notice of one write. `back` is the address of the page that shows it."""
    readable = write.due_at is not None
    refused = refusals.explain(write.error) if write.state == State.REFUSED and write.error is not None else None
    asks = outbox.may_decide(write)
    unsent = write.state == State.HELD and not readable
    lost = write.state == State.REFUSED and write.reason in LOST
    here = reverse("activity:write", args=[write.pk])
    return WriteNotice(
        id=str(write.pk),
        attempt=write.attempt,
        title=f"{name_of(write.operation)}: {write.label or write.subject}",
        sentence=f"{refused.sentence} {refused.next_step}".strip() if refused else _notice_sentence(write, lost=lost),
        quoted=refused.quoted if refused else "",
        look="plain" if write.state == State.DONE else "trouble" if write.state == State.REFUSED else "warning",
        address=here,
        poll=f"{here}?{urlencode({'v': version(write), 'back': back})}" if readable else "",
        back=back,
        confirm=asks,
        send_again=asks or unsent or lost,
        dismiss=unsent or write.state == State.REFUSED,
    )


def version(write: Write) -> str:
    """Changes whenever the notice does."""
    return f"{write.state}{write.attempt}{'d' if outbox.may_decide(write) else ''}"


def _notice_sentence(write: Write, *, lost: bool) -> str:
    opened = open_write(write)
    if opened is not None:
        return opened.sentence
    if write.state == State.HELD:
        return _("Waiting to be sent.")
    if write.state == State.DONE:
        return _("Done.")
    if write.state == State.CANCELLED:
        return _("Cancelled. Nothing was sent.")
    if lost:
        return _("It did not reach the platform. Nothing was changed.")
    return _("The platform refused.")
