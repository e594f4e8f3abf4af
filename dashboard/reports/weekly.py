"""Reports by e-mail every Monday: asking for one, stopping it, and sending it once.

The address is one of the account's, confirmed as for notices. The e-mail is a letter of notices whose key names the report and
the week: however often it is begun, by however many workers, it is one.
"""

import logging
import uuid
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final
from uuid import UUID

from django.core import signing
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.accounts import identity
from dashboard.accounts.models import Account
from dashboard.notices import subscriptions
from dashboard.notices.registry import Letter, LetterSource, NotKnownYet, register_letters
from dashboard.notices.rules import Every
from dashboard.notices.subscriptions import Asked, Audience, State
from dashboard.overview.registry import Rank, Todo, provides
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.reports import registry, rules
from dashboard.reports.models import WeeklyReport, build_key
from dashboard.reports.pages import PartRow, Report, ReportStat, build_address, build_report
from dashboard.reports.queries import NoFolder, NotThere, Reader, ReportData, Subject, build_span, get_zone, load_report
from dashboard.reports.rules import Step, Week
from dashboard.shared.http import OwnerRequest
from dashboard.shared.vault import Unreadable
from dashboard.upstream import budget, clients, library
from dashboard.upstream.reads import Reads
from dashboard.writes.recovery import restored

log = logging.getLogger(__name__)

LETTERS: Final = "reports"
GONE: Final = "gone"
"""In the key of a letter: its folder is gone."""
STOP: Final = "reports.stop"
AGAIN_SECONDS: Final = 900.0
"""How old numbers may be that are looked at again because days were missing."""
IS_OWN: Final = Q(account=F("subscription__account")) | Q(account__parent=F("subscription__account"))
"""Of a report: it is of the account of its address, or of a sub-account of that."""


class Trouble(StrEnum):
    """Why a report is not sent to an address that can be written to."""

    STOPPED = "stopped"
    """Its account is no longer a sub-account of its address's."""
    DISCONNECTED = "disconnected"
    GONE = "gone"
    """Its folder is gone."""
    REFUSED = "refused"
    """The platform did not accept the token of its account."""


def ask(request: HttpRequest, account: Account, subject: Subject, name: str, address: str) -> Asked:
    """Send the report to an address every Monday. One that is not confirmed yet gets a confirmation first."""
    with transaction.atomic():
        asked = _ask_for_address(request, account, address)
        if asked == Asked.SENT:
            _add(account, address, account, subject, name)
    return asked


def ask_for_children(request: HttpRequest, parent: Account, children: Collection[Account], address: str) -> Asked:
    """Send the reports of sub-accounts to one address of their parent, which is confirmed once for all of them."""
    with transaction.atomic():
        asked = _ask_for_address(request, parent, address)
        if asked == Asked.SENT:
            for child in children:
                _add(parent, address, child, Subject(), child.name)
    return asked


def _ask_for_address(request: HttpRequest, account: Account, address: str) -> Asked:
    """Ask for e-mails to an address of the account, in the rhythm that it has."""
    known = subscriptions.find_address(account, address)
    return subscriptions.ask(request, Audience(account), address, Every(known.every) if known else Every.NONE)


def _add(owner: Account, address: str, account: Account, subject: Subject, name: str) -> None:
    """Keep that an address of the `owner` gets a report of the account: its own, or that of a sub-account."""
    subscription = subscriptions.find_address(owner, address)
    if subscription is None:
        return
    child = account.pk if account.pk != owner.pk else None
    key = build_key(subscription.pk, subject.folder, subject.query, child)
    WeeklyReport.objects.filter(pk=key).exclude(stopped_at=None).delete()  # one that stopped begins anew
    WeeklyReport.objects.get_or_create(
        pk=key,
        defaults={
            "account": account,
            "subscription": subscription,
            "folder": subject.folder,
            "query": subject.query,
            "person": subject.person,
            "name": name[:200],
            "week": _get_week_behind(account, subscription.zone),
        },
    )


def _get_week_behind(account: Account, zone_name: str) -> date:
    """The Monday of the last week whose e-mail would have left already: the next one is the first that is sent."""
    zone, now = get_zone(account, zone_name), timezone.now()
    last = rules.get_last_week(now, zone)
    return (last if now >= last.get_mail_moment(zone) else last.before).monday


def list_reports(account: Account, subject: Subject) -> list[WeeklyReport]:
    """Who gets this report, the first who asked for it first. What a parent asked for is the parent's."""
    reports = WeeklyReport.objects.filter(account=account, folder=subject.folder, query=subject.query)
    own = reports.filter(subscription__account=account)
    return list(own.select_related("subscription", "account").order_by("created_at"))


def list_reports_of_children(parent: Account) -> list[WeeklyReport]:
    """The reports of sub-accounts that addresses of their parent get, by their names; with those that stopped because theirs
    is no longer a sub-account.
    """
    reports = WeeklyReport.objects.filter(subscription__account=parent).exclude(account=parent)
    return list(reports.select_related("subscription", "account").order_by("name", "created_at"))


def list_wanted() -> QuerySet[WeeklyReport]:
    """Those that their addresses are to get, of all accounts."""
    return WeeklyReport.objects.filter(IS_OWN, stopped_at=None)


def list_sendable() -> QuerySet[WeeklyReport]:
    """Those that may be sent: the account that is told and the account of the address are connected."""
    connected = Account.objects.connected()
    return list_wanted().filter(account__in=connected, subscription__account__in=connected)


def find_trouble(report: WeeklyReport) -> Trouble | None:
    """Why it is not sent, as far as that is not about its address; None where it is."""
    account = report.account
    if report.stopped_at is not None or report.subscription.account_id not in (account.pk, account.parent_id):
        return Trouble.STOPPED
    if not account.sealed_token:
        return Trouble.DISCONNECTED
    if report.gone_at is not None:
        return Trouble.GONE
    return Trouble.REFUSED if report.refused == account.fingerprint else None


def list_unsent(account: Account) -> list[tuple[WeeklyReport, Trouble]]:
    """The reports that the account's confirmed addresses are to get and do not, with why; those that stopped are none."""
    reports = list_wanted().filter(subscription__account=account).select_related("subscription", "account")
    pairs = [(report, find_trouble(report)) for report in reports.order_by("created_at") if report.subscription.is_on]
    return [(report, trouble) for report, trouble in pairs if trouble is not None]


def find_report(account: Account, report_id: uuid.UUID) -> WeeklyReport | None:
    """One that an address of the account gets; None where it is stopped already. Raises `WeeklyReport.DoesNotExist` for one
    of another account's addresses.
    """
    report = WeeklyReport.objects.filter(pk=report_id).select_related("subscription").first()
    if report is not None and report.subscription.account_id != account.pk:
        raise WeeklyReport.DoesNotExist
    return report


def stop(report: WeeklyReport) -> None:
    """Send it no more. An address that gets nothing else is forgotten."""
    with transaction.atomic():
        subscription = report.subscription
        subscriptions.lock(subscription)  # a report that is asked for meanwhile keeps the address
        report.delete()
        others = list_wanted().filter(subscription=subscription).exists()
        if subscription.every == Every.NONE and not others:
            subscriptions.stop(subscription)


def build_stop_token(report: WeeklyReport) -> str:
    """What the link that stops it names: signed, so that nobody makes one up."""
    return identity.signer(STOP).sign(report.pk.hex).replace(":", "~")


def find_stopped(token: str) -> WeeklyReport | None:
    """Whose link it is; None for what nobody signed, and where it is stopped already."""
    try:
        key = uuid.UUID(hex=identity.signer(STOP).unsign(token.replace("~", ":")))
    except (signing.BadSignature, ValueError):
        return None
    return list_wanted().filter(pk=key).select_related("subscription", "account").first()


def build_subject(report: WeeklyReport) -> Subject:
    """What it is about."""
    return Subject(report.folder, report.query, report.person)


def send_due() -> int:
    """Let the e-mails leave whose Monday morning has come. Returns how many."""
    now = timezone.now()
    WeeklyReport.objects.filter(stopped_at=None).exclude(IS_OWN).update(stopped_at=now)
    with budget.background():
        rows = list_sendable().select_related("account", "account__parent", "subscription").order_by("week", "pk")
        return sum(_send_safely(report, now) for report in rows)


def _send_safely(report: WeeklyReport, now: datetime) -> bool:
    """One report that breaks must not keep the others waiting."""
    try:
        return _send_if_due(report, now)
    except Exception:
        log.exception("weekly report %s cannot be sent", report.pk)
        return False


def _send_if_due(report: WeeklyReport, now: datetime) -> bool:
    """Whether the report's e-mail was let go. Both the e-mail and that its week is over are kept at once, or neither."""
    zone = get_zone(report.account, report.subscription.zone)
    week = rules.get_last_week(now, zone)
    moment = week.get_mail_moment(zone)
    if (
        week.monday <= report.week <= week.monday + timedelta(days=7) or now < moment
    ):  # later: of a clock that ran ahead
        return False
    try:
        data = read_report(report, week) if report.subscription.is_on else None
    except NoFolder:
        _tell_gone(report, week, now)
        return False
    if data is not None and report.gone_at is not None:  # its folder came back
        WeeklyReport.objects.filter(pk=report.pk).update(gone_at=None)
    step = rules.get_step(now, moment, data.coverage if data else None)
    if step is Step.WAIT:
        return False
    with transaction.atomic():
        if step is Step.SEND:
            subscriptions.send_letter(report.subscription, LETTERS, f"{report.pk} {week.monday}")
        _end_week(report, week)
    return step is Step.SEND


def _tell_gone(report: WeeklyReport, week: Week, now: datetime) -> None:
    """Write once to its address that it is not sent any more: its folder is gone. Next Monday it is looked for again."""
    with transaction.atomic():
        if WeeklyReport.objects.filter(pk=report.pk, gone_at=None).update(gone_at=now):
            subscriptions.send_letter(report.subscription, LETTERS, f"{report.pk} {GONE} {now:%Y-%m-%d}")
        _end_week(report, week)


def _end_week(report: WeeklyReport, week: Week) -> None:
    """Nothing more is to be sent of the week."""
    other = Q(week__lt=week.monday) | Q(week__gt=week.monday + timedelta(days=7))
    WeeklyReport.objects.filter(other, pk=report.pk).update(week=week.monday)


def read_report(report: WeeklyReport, week: Week) -> ReportData | None:
    """Its numbers, read anew where days are missing; None where they are not there. Keeps whether that is because its token
    was refused, or cannot be opened: only a new one helps. Raises `NoFolder`.
    """
    read = partial(Reader, Reads(report.account), library.waiting())
    zone = get_zone(report.account, report.subscription.zone)
    try:
        data = load_report(build_subject(report), week, zone, read())
        if data.coverage.missing:
            data = load_report(build_subject(report), week, zone, read(AGAIN_SECONDS))
    except (BadToken, Unreadable):
        _keep_refused(report, report.account.fingerprint)
        return None
    except (CallError, NotThere):
        return None
    _keep_refused(report, "")
    return data


def _keep_refused(report: WeeklyReport, fingerprint: str) -> None:
    """Keep which token was refused; "" for none."""
    if report.refused != fingerprint:
        WeeklyReport.objects.filter(pk=report.pk).update(refused=fingerprint)


@receiver(restored)
def _skip_sent(sender: object, **kwargs: object) -> None:
    """What was sent after a backup is not sent again after it was restored: the next e-mail is that of the next week."""
    for report in WeeklyReport.objects.select_related("account", "subscription"):
        behind = _get_week_behind(report.account, report.subscription.zone)
        WeeklyReport.objects.filter(pk=report.pk, week__lt=behind).update(week=behind)


CHILDREN: Final = "sub-accounts"
"""What the reports of sub-accounts are about, in the form that stops one."""
STATES: Final = {
    State.ASKED: ("queue", gettext_noop("Not confirmed yet")),
    State.OLD: ("expired", gettext_noop("Confirmation expired")),
    State.ON: ("finished", gettext_noop("Every Monday")),
    State.REFUSED: ("error", gettext_noop("Address refused")),
}
"""By state: class and shape of its badge, and its words (a msgid)."""
TROUBLES: Final = {
    Trouble.STOPPED: gettext_noop("Stopped: no longer a sub-account of this account"),
    Trouble.DISCONNECTED: gettext_noop("Not sent: this account is not connected"),
    Trouble.REFUSED: gettext_noop("Not sent: the platform no longer accepts this account's token"),
}
"""By what keeps a report from being sent: the words of its badge (a msgid). A list is shown only where the folder is there."""


@dataclass(frozen=True)
class Recipient:
    """An address that gets a report, with its badge: class and shape, and words. `trouble`: why it is not sent."""

    report: WeeklyReport
    trouble: Trouble | None
    shape: str
    word: str

    @property
    def address(self) -> str:
        return subscriptions.get_masked_address(self.report.subscription) or _("unreadable address")

    @property
    def zone(self) -> str:
        """The time zone in which it leaves on Monday."""
        return get_zone(self.report.account, self.report.subscription.zone).key.replace("_", " ")


@dataclass(frozen=True)
class StopPage:
    """templates/notices/public.html: `button` sends the form."""

    title: str
    sentences: tuple[str, ...]
    button: str = ""
    other: str = ""
    back: str = ""


def describe_recipients(reports: list[WeeklyReport], about: str, zone: str = "") -> dict[str, object]:
    """What templates/reports/_weekly.html needs: who gets the report `about` something, or those of `CHILDREN`.

    `zone`: in which the report leaves; those of sub-accounts have one each.
    """
    return {
        "recipients": list(map(_build_recipient, reports)),
        "about": about,
        "zone": zone.replace("_", " "),
        "is_offered": subscriptions.is_offered(),
        "is_demo": clients.embedded(),
    }


def _build_recipient(report: WeeklyReport) -> Recipient:
    """Its badge: what keeps the report from an address that can be written to, else how the address stands."""
    trouble, state = find_trouble(report), subscriptions.get_state(report.subscription)
    if trouble in TROUBLES and (trouble is Trouble.STOPPED or state == State.ON):
        return Recipient(report, trouble, "warning", _(TROUBLES[trouble]))
    shape, word = STATES[state]
    return Recipient(report, trouble, shape, _(word))


def describe_asked(account: Account, address: str) -> str:
    """What comes next, for whoever asked for a report."""
    if subscriptions.get_state(subscriptions.find_address(account, address)) == State.ON:
        return _("The first e-mail comes on Monday at 8:00.")
    return _("Open the e-mail that was just sent and press “Confirm address”.")


def describe_too_often() -> str:
    """Why nothing was sent."""
    return _("Too many confirmations were asked for. Nothing was sent; try again in an hour.")


def build_stop_page(report: WeeklyReport) -> StopPage:
    """Ask before the report is stopped."""
    values = {"address": subscriptions.get_masked_address(report.subscription), "name": report.name}
    return StopPage(
        _("Stop this report?"),
        (_("%(address)s gets the weekly report “%(name)s” every Monday.") % values,),
        _("Stop this report"),
    )


def build_stopped_page() -> StopPage:
    """It is sent no more."""
    return StopPage(_("The report is stopped"), (_("This address no longer gets this report."),))


def write(ref: str) -> Letter | None:
    """The letter about a report and a week ("<report> <Monday>"), or that its folder is gone ("<report> gone <day>"); None
    where nothing of that is left to say, or the address may not be told. Raises `NotKnownYet`.
    """
    key, _space, rest = ref.partition(" ")
    report = list_sendable().filter(pk=key).select_related("account", "subscription").first()
    if report is None:
        return None
    if rest.startswith(GONE):
        return _write_gone(report) if report.gone_at else None
    return _write_week(report, rest)


def _write_gone(report: WeeklyReport) -> Letter:
    values = {"name": report.name, "account": report.account.name}
    return Letter(
        title=_("“%(name)s” can no longer be reported") % values,
        sentences=(
            _("The folder “%(name)s” of “%(account)s” is gone, so its weekly report isn't sent any more.") % values,
            _("If the folder comes back, so does the report. Stop the report if you no longer need it."),
        ),
        lists=(),
        button=_("Open the reports"),
        address=build_address(Subject(), account=str(report.account_id)),
        reason=_describe_reason(report),
        stop_label=_("Stop this report"),
        stop=reverse("reports:stop", args=[build_stop_token(report)]),
    )


def _describe_reason(report: WeeklyReport) -> str:
    text = _("You get this because this address gets the weekly report “%(name)s” of “%(account)s”.")
    return text % {"name": report.name, "account": report.account.name}


def _write_week(report: WeeklyReport, monday: str) -> Letter | None:
    week, zone = Week(date.fromisoformat(monday)), get_zone(report.account, report.subscription.zone)
    subject = build_subject(report)
    try:
        data = load_report(subject, week, zone, Reader(Reads(report.account), is_known=True))
    except NoFolder:
        return None
    except (NotThere, CallError):
        data = _read_again(report, week)
    lines = registry.collect(build_span(report.account, data.week, zone, data.videos))
    part = build_report(data, lines, zone.key, is_last_week=True)
    return Letter(
        title=_("%(name)s: weekly report") % {"name": report.name},
        sentences=(part.week, *(finding.text for finding in part.findings)),
        lists=_build_letter_lists(part),
        button=_("Open the report"),
        address=build_address(subject, week, account=str(report.account_id)),
        reason=_describe_reason(report),
        stop_label=_("Stop this report"),
        stop=reverse("reports:stop", args=[build_stop_token(report)]),
    )


def _read_again(report: WeeklyReport, week: Week) -> ReportData:
    """What was known when the e-mail was let go, and is not any more. Raises `NotKnownYet`."""
    try:
        with budget.background():
            data = read_report(report, week)
    except NoFolder:
        data = None
    if data is None:
        raise NotKnownYet
    return data


def list_subjects(subscription_id: UUID) -> list[str]:
    """The reports that an address gets."""
    names = list_wanted().filter(subscription=subscription_id).order_by("created_at").values_list("name", flat=True)
    return [_("the weekly report “%(name)s”") % {"name": name} for name in names]


def _build_letter_lists(part: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    lists = (
        (_("Numbers"), tuple(map(_describe_stat, part.stats))),
        (part.parts_title, tuple(_describe_row(row, part) for row in part.rows)),
        (_("Done"), tuple(line.text for line in part.done)),
        (_("Next"), tuple(line.text for line in part.next)),
    )
    return tuple((title, lines) for title, lines in lists if lines)


def _describe_stat(stat: ReportStat) -> str:
    return f"{stat.label}: {stat.value}" + (f" ({stat.was})" if stat.was else "")


def _describe_row(row: PartRow, part: Report) -> str:
    now = f"{row.label}: {row.now}"
    if part.data.coverage.past is None:
        return now
    share = f", {row.signed[:1]}{row.change.words}" if row.change and row.change.words[:1].isdigit() else ""
    return f"{now} ({row.signed}{share})"


register_letters(LETTERS, LetterSource(write, list_subjects))


MOST = 5
WHYS: Final = {
    Trouble.DISCONNECTED: gettext_noop("“%(name)s” is not connected. Once it is, the report is sent again."),
    Trouble.GONE: gettext_noop("Its folder is gone. If it comes back, so does the report."),
    Trouble.REFUSED: gettext_noop(
        "The platform no longer accepts the token of “%(name)s”. Once it has a new one, the report is sent again."
    ),
}
"""By what keeps a report from being sent (a msgid)."""


@provides("reports", asks_platform=False)
def list_todos(request: OwnerRequest) -> Iterator[Todo]:
    """Weekly reports whose folder is gone, and those of sub-accounts that cannot be read."""
    for report, trouble in list_unsent(request.account)[:MOST]:
        yield _build_todo(report, trouble)


def _build_todo(report: WeeklyReport, trouble: Trouble) -> Todo:
    stop = reverse("reports:stop", args=[build_stop_token(report)])
    return Todo(
        rank=Rank.BROKEN,
        shape="warning",
        word=_("Not sent"),
        title=_("The weekly report “%(name)s” is no longer sent") % {"name": report.name},
        address=stop if trouble is Trouble.GONE else reverse("reports:sub_accounts"),
        why=_(WHYS[trouble]) % {"name": report.account.name},
        action=_("Stop this report"),
        action_address=stop,
        at=report.gone_at,
    )
