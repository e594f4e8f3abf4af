"""What the pages of notices say: settings, the webhook, the demo's mailbox, and what the links in e-mails open."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from dashboard.accounts.models import Account
from dashboard.notices import letters, mailing, registry, subscriptions
from dashboard.notices.letters import describe_subjects
from dashboard.notices.models import Mail, Subscription, Webhook, WebhookAttempt
from dashboard.notices.registry import NotKnownYet, Place, find_place
from dashboard.notices.rules import Every
from dashboard.notices.subscriptions import get_masked_address, get_state, list_of_account
from dashboard.notices.webhooks import DEMO
from dashboard.shared import formats
from dashboard.shared.vault import Unreadable
from dashboard.writes.models import State, Write


def list_addresses(account: Account) -> list[tuple[Subscription, str, subscriptions.State, list[str]]]:
    """Each address of the account: its record, as it is shown, how it stands, and what it gets beside the news."""
    return [
        (row, get_masked_address(row) or _("unreadable address"), get_state(row), registry.list_subjects(row.pk))
        for row in list_of_account(account)
    ]


@dataclass(frozen=True)
class PublicPage:
    """notices/public.html. `button` sends the form; `other` is a second one with `every`."""

    title: str
    sentences: tuple[str, ...]
    button: str = ""
    other: str = ""
    back: str = ""
    back_label: str = ""


def build_confirm_page(subscription: Subscription) -> PublicPage:
    """Ask whether the address may get e-mails."""
    values = {"address": get_masked_address(subscription)}
    return PublicPage(
        title=_("Confirm your e-mail address"),
        sentences=(
            _("%(address)s gets e-mails about %(what)s.") % {**values, "what": _describe_subject(subscription)},
        ),
        button=_("Confirm address"),
    )


def build_confirmed_page(subscription: Subscription) -> PublicPage:
    """Say what it gets from now on."""
    return _add_way_back(
        subscription,
        _("Your address is confirmed"),
        _("%(address)s gets e-mails about %(what)s. Each e-mail has a link that stops them.")
        % {"address": get_masked_address(subscription), "what": _describe_subject(subscription)},
    )


def build_expired_page(subscription: Subscription | None) -> PublicPage:
    """The confirmation is too old, was replaced by a newer one, or is none."""
    sentence = _(
        "This confirmation has expired or was replaced by a newer one. Ask for e-mails again to get a new one."
    )
    return _add_way_back(subscription, _("This confirmation no longer works"), sentence)


def build_stop_page(subscription: Subscription) -> PublicPage:
    """Ask before e-mails are stopped."""
    is_daily = subscription.every == Every.DAY
    return PublicPage(
        title=_("Stop these e-mails?"),
        sentences=(
            _("%(address)s gets e-mails about %(what)s. The address is deleted when you stop them.")
            % {"address": get_masked_address(subscription), "what": _describe_subject(subscription)},
        ),
        button=_("Stop these e-mails"),
        other="" if is_daily or not subscription.is_on else _("Get them once a day"),
    )


def build_stopped_page(subscription: Subscription | None) -> PublicPage:
    """Nothing is sent any more."""
    sentence = _("This address gets no further e-mails and was deleted here.")
    return _add_way_back(subscription, _("E-mails are stopped"), sentence)


def build_daily_page(subscription: Subscription) -> PublicPage:
    """Once a day from now on."""
    sentence = _("From now on you get at most one e-mail a day, in the morning.")
    return _add_way_back(subscription, _("Once a day"), sentence)


def _add_way_back(subscription: Subscription | None, title: str, sentence: str) -> PublicPage:
    place = _find_place(subscription)
    back = place.address if place else ""
    return PublicPage(title, (sentence,), back=back, back_label=_("Open the review link") if back else "")


def _describe_subject(subscription: Subscription) -> str:
    place = _find_place(subscription)
    if place is None:
        return describe_subjects(subscription)
    return _("answers on the review link “%(name)s” of “%(title)s”") % {"name": place.name, "title": place.title}


def _find_place(subscription: Subscription | None) -> Place | None:
    if subscription is None or not subscription.scope:
        return None
    place = find_place(subscription.scope, None)
    return place if place is not None and place.is_open else None


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


LISTED: Final = 30
SAMPLE: Final = json.dumps(
    {
        "id": "5f0c…",
        "event": "comment.created",
        "created_at": "2026-11-20T13:05:00+00:00",
        "account": {"id": "8d4d…", "name": "Serra Alta"},
        "link": {"id": "e3fa…", "name": "Cut 3", "title": "Launch", "address": "/dashboard/review-links/e3fa…/"},
        "item": {
            "id": "90ab…",
            "author": "Priya Nair",
            "by_owner": False,
            "namesake": False,
            "text": "Lower the wordmark.",
            "verdict": "",
            "seconds": 42,
            "address": "/dashboard/review-links/e3fa…/#c-90ab…",
        },
    },
    indent=2,
    ensure_ascii=False,
)
REASONS: dict[str, Callable[[], str]] = {
    "no-address": lambda: _("This is no address. Write one that begins with https:// and has no name or password."),
    "not-https": lambda: _("The address must begin with https://."),
    "unknown-host": lambda: _("No server has this name. Check the address for typing errors."),
    "private": lambda: _("This address belongs to a private network. Use one that is reachable from the internet."),
    "no-connection": lambda: _("No connection"),
    "time-out": lambda: _("No answer in time"),
    "broken": lambda: _("The connection broke"),
    DEMO: lambda: _("Not posted: this is the demo"),
}
"""What each reason of a `WrongAddress` and each error of an attempt means."""


def describe_reason(reason: str) -> str:
    """Why nothing was taken, in words."""
    return REASONS[reason]() if reason in REASONS else reason


def get_host(webhook: Webhook) -> str:
    """Only the host: the rest of an address may be a secret."""
    try:
        return urlsplit(webhook.address).hostname or ""
    except Unreadable:
        return _("unreadable address")


def list_attempts(webhook: Webhook) -> list[tuple[WebhookAttempt, str, str]]:
    """The last attempts: each with what came of it, as the kind of its badge and in words."""
    return [
        (
            attempt,
            "finished" if attempt.is_taken else "none" if attempt.error == DEMO else "error",
            describe_reason(attempt.error) if attempt.status is None else f"HTTP {attempt.status}",
        )
        for attempt in webhook.attempts.order_by("-at", "-pk")[:LISTED]
    ]
