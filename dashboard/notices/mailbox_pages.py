"""View models of the demo's mailbox."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from dashboard.accounts.models import Account
from dashboard.notices import letters, mailing
from dashboard.notices.models import Mail
from dashboard.notices.registry import NotKnownYet, find_place
from dashboard.notices.subscriptions import get_masked_address
from dashboard.shared import formats
from dashboard.shared.addresses import address
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


@dataclass(frozen=True)
class MailRow:
    """A line of the list. `kind` is class and shape of the badge."""

    address: str
    to: str
    subject: str
    when: str
    kind: str
    shape: str
    word: str
    why: str
    current: bool


@dataclass(frozen=True)
class ShownMail:
    """The chosen e-mail."""

    subject: str
    meta: str
    text: str
    frame: str
    send: str


@dataclass(frozen=True)
class MailboxPage:
    """notices/mailbox.html."""

    rows: tuple[MailRow, ...]
    count: str
    late: str
    mail: ShownMail | None


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


def build_mailbox_page(account: Account, requested: Mail | None) -> MailboxPage:
    """The list, and the requested e-mail or the newest."""
    mails = list(list_mails(account)[:MOST])
    writes = {
        write.key: write for write in Write.objects.filter(operation=mailing.SEND, key__in=[mail.pk for mail in mails])
    }
    visible = [mail for mail in mails if mail.pk in writes and writes[mail.pk].state != State.CANCELLED]
    current = requested or next(iter(visible), None)
    return MailboxPage(
        rows=tuple(_build_row(mail, writes[mail.pk], current=mail == current) for mail in visible),
        count=ngettext("%(count)s e-mail", "%(count)s e-mails", len(visible)) % {"count": formats.number(len(visible))},
        late=_describe_late(writes),
        mail=_build_mail(current, writes.get(current.pk)) if current else None,
    )


def _build_row(mail: Mail, write: Write, *, current: bool) -> MailRow:
    kind, shape, word = _describe_state(write)
    letter = None if mail.subject else load_letter(mail)
    values = {"kind": _(KINDS[Mail.Kind(mail.kind), mail.every]), "address": get_masked_address(mail.subscription)}
    return MailRow(
        address=address("notices:mail", mail.pk),
        to=_("%(kind)s, to %(address)s") % values,
        subject=mail.subject or (letter.subject if letter else _("Nothing to send")),
        when=formats.moment_or_time(write.settled_at or write.created_at),
        kind=kind,
        shape=shape,
        word=word,
        why=_describe_reason(write),
        current=current,
    )


def _describe_state(write: Write) -> tuple[str, str, str]:
    due = formats.moment_or_time(write.due_at) if write.due_at else ""
    if write.state == State.DONE and write.reason:
        return "warning", "warning", _("Not confirmed")
    if write.state == State.DONE:
        return "finished", "finished", pgettext("e-mail", "Sent")
    if write.state == State.REFUSED:
        return "error", "error", pgettext("e-mail", "Not sent")
    if write.reason:
        return "error", "error", _("Retry at %(time)s") % {"time": due}
    if write.state == State.HELD and write.due_at and write.due_at > timezone.now():
        return "queue", "queue", _("Waiting until %(time)s") % {"time": due}
    return "running", "running", _("Sending")


def _describe_reason(write: Write) -> str:
    if write.state == State.HELD and write.reason:
        return _("The mail server didn't answer. Nothing was lost.")
    if write.state == State.REFUSED:
        return _("The mail server didn't take it.")
    return ""


def _describe_late(writes: Mapping[UUID, Write]) -> str:
    late = [write for write in writes.values() if write.state == State.HELD and write.reason and write.due_at]
    if not late:
        return ""
    when = formats.moment_or_time(min(write.due_at for write in late if write.due_at))
    return ngettext(
        "The mail server didn't answer. Nothing was lost: %(count)s e-mail will be sent again at %(time)s.",
        "The mail server didn't answer. Nothing was lost: %(count)s e-mails will be sent again from %(time)s.",
        len(late),
    ) % {"count": formats.number(len(late)), "time": when}


def _build_mail(mail: Mail, write: Write | None) -> ShownMail:
    letter = load_letter(mail)
    waits = write is not None and write.state == State.HELD
    meta = _("To %(address)s. %(state)s.") % {
        "address": get_masked_address(mail.subscription),
        "state": _describe_state(write)[2] if write else "",
    }
    return ShownMail(
        subject=letter.subject if letter else _("Nothing to send"),
        meta=meta,
        text=letter.text if letter else "",
        frame=address("notices:mail_html", mail.pk) if letter else "",
        send=address("notices:send", mail.pk) if waits else "",
    )
