"""The e-mails of the demo's mailbox, and how each of them stands."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from dashboard.accounts.models import Account
from dashboard.notices import letters, mailing
from dashboard.notices.models import Mail
from dashboard.notices.registry import NotKnownYet, find_place
from dashboard.notices.subscriptions import get_masked_address
from dashboard.shared import formats
from dashboard.writes.models import State, Write

MOST = 100
"""E-mails listed, the newest first."""
KINDS = {
    (Mail.Kind.CONFIRM, "now"): gettext_noop("Confirmation"),
    (Mail.Kind.TEST, "now"): gettext_noop("Test"),
    (Mail.Kind.NEWS, "now"): gettext_noop("News"),
    (Mail.Kind.NEWS, "hour"): gettext_noop("Hourly"),
    (Mail.Kind.NEWS, "day"): gettext_noop("Daily"),
    (Mail.Kind.LETTER, "now"): gettext_noop("Weekly report"),
}


def list_mails(account: Account) -> QuerySet[Mail]:
    """The e-mails of the account's people and of reviewers on its links, newest first."""
    left = Mail.objects.filter(subscription__account=None).values_list("subscription__scope", flat=True)
    scopes = [scope for scope in left.distinct() if find_place(scope, account)]
    mine = Q(subscription__account=account) | Q(subscription__account=None, subscription__scope__in=scopes)
    return Mail.objects.filter(mine).select_related("subscription__account").order_by("-created_at", "pk")


def load_letter(mail: Mail) -> letters.Letter | None:
    """The e-mail as it was sent; one that waits as it would leave now, and None where nothing is left to say."""
    if mail.subject:
        return letters.Letter(mail.subject, mail.text, mail.html, {})
    try:
        return letters.build_letter(mail, mailing.list_told(mail))
    except NotKnownYet:
        return None


@dataclass(frozen=True)
class MailRow:
    """An e-mail, with the write that sends it where it is one of the list."""

    mail: Mail
    write: Write | None

    @property
    def to(self) -> str:
        """Its kind and its address, which is masked."""
        values = {"kind": _(KINDS[Mail.Kind(self.mail.kind), self.mail.every]), "address": self.address}
        return _("%(kind)s, to %(address)s") % values

    @property
    def address(self) -> str:
        """To whom, masked."""
        return get_masked_address(self.mail.subscription)

    @cached_property
    def letter(self) -> letters.Letter | None:
        """What is sent; None where nothing is left to say."""
        return load_letter(self.mail)

    @property
    def subject(self) -> str:
        """Of the e-mail as it was sent, or would be now."""
        return self.mail.subject or (self.letter.subject if self.letter else _("Nothing to send"))

    @property
    def is_waiting(self) -> bool:
        """Whether it can be sent now."""
        return self.write is not None and self.write.state == State.HELD

    @property
    def badge(self) -> tuple[str, str]:
        """The word of its state, and the shape."""
        write = self.write
        if write is None:
            return "", ""
        due = formats.moment_or_time(write.due_at) if write.due_at else ""
        if write.state == State.DONE:
            return (_("Not confirmed"), "warning") if write.reason else (pgettext("e-mail", "Sent"), "finished")
        if write.state == State.REFUSED:
            return pgettext("e-mail", "Not sent"), "error"
        if write.reason:
            return _("Retry at %(time)s") % {"time": due}, "error"
        if write.state == State.HELD and write.due_at and write.due_at > timezone.now():
            return _("Waiting until %(time)s") % {"time": due}, "queue"
        return _("Sending"), "running"

    @property
    def reason(self) -> str:
        """Why it waits, or was not sent."""
        if self.write and self.write.state == State.HELD and self.write.reason:
            return _("The mail server didn't answer. Nothing was lost.")
        return _("The mail server didn't take it.") if self.write and self.write.state == State.REFUSED else ""


def list_rows(account: Account) -> list[MailRow]:
    """The newest e-mails of the account that were sent, or are to be."""
    mails = list(list_mails(account)[:MOST])
    writes = {write.key: write for write in Write.objects.filter(operation=mailing.SEND, key__in=[m.pk for m in mails])}
    return [MailRow(mail, writes[mail.pk]) for mail in mails if mail.pk in writes]


def describe_late(rows: Iterable[MailRow]) -> str:
    """How many are sent again, and when; "" where none is."""
    due = [write.due_at for row in rows if (write := row.write) and row.is_waiting and write.reason and write.due_at]
    if not due:
        return ""
    return ngettext(
        "The mail server didn't answer. Nothing was lost: %(count)s e-mail will be sent again at %(time)s.",
        "The mail server didn't answer. Nothing was lost: %(count)s e-mails will be sent again from %(time)s.",
        len(due),
    ) % {"count": formats.number(len(due)), "time": formats.moment_or_time(min(due))}
