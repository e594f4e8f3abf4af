"""What pages say of writes that are still open, or that ended after whoever asked for them had gone on."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.activity.operations import name_of
from dashboard.shared import refusals
from dashboard.writes import outbox
from dashboard.writes.failures import LOST
from dashboard.writes.models import State, Write
from dashboard.writes.pages import open_write

MOST = 10


@dataclass(frozen=True)
class WriteNotice:
    """templates/components/_write.html. An empty address: not possible now."""

    id: str
    attempt: int
    title: str
    sentence: str
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
    told = Q(state__in=(State.UNCONFIRMED, State.REFUSED))
    if waiting:
        told |= Q(state=State.SENDING) | Q(state=State.HELD, attempt__gt=0)
    writes = Write.objects.filter(told, account=account, operation__in=operations, shown=True)
    if subject:
        writes = writes.filter(subject=subject)
    return tuple(build_notice(write, back) for write in writes.order_by("created_at")[:MOST])


def build_notice(write: Write, back: str) -> WriteNotice:
    """The notice of one write. `back` is the address of the page that shows it."""
    readable = write.due_at is not None
    asks = outbox.may_decide(write)
    unsent = write.state == State.HELD and not readable
    lost = write.state == State.REFUSED and write.reason in LOST
    here = reverse("activity:write", args=[write.pk])
    return WriteNotice(
        id=str(write.pk),
        attempt=write.attempt,
        title=f"{name_of(write.operation)}: {write.label or write.subject}",
        sentence=_sentence(write, lost=lost),
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


def _sentence(write: Write, *, lost: bool) -> str:
    opened = open_write(write)
    if opened is not None:
        return opened.sentence
    if write.state == State.DONE:
        return _("Done.")
    if write.state == State.CANCELLED:
        return _("Cancelled. Nothing was sent.")
    if lost:
        return _("It did not reach the platform. Nothing was changed.")
    error = write.error
    return refusals.explain(error).sentence if error is not None else _("The platform refused.")
