"""View models of the part below a report: who gets it every Monday; and of the pages that stop it."""

from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.accounts.models import Account
from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import State
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from dashboard.reports.pages import format_about
from dashboard.reports.queries import Subject, get_zone
from dashboard.reports.weekly import Trouble
from dashboard.shared.addresses import address
from dashboard.upstream import clients

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
class WeeklyRow:
    """An address that gets the report. `button` sends the form `stop`.

    `name`: whose report it is, and `hour`: when it leaves, where several are listed.
    """

    address: str
    shape: str
    word: str
    stop: str
    button: str
    name: str = ""
    hour: str = ""


@dataclass(frozen=True)
class WeeklyPart:
    """templates/reports/_weekly.html. `hour`: when it leaves. `trouble`: why no e-mail is offered, else empty."""

    rows: tuple[WeeklyRow, ...]
    about: str
    trouble: str
    mailbox: str
    hour: str


@dataclass(frozen=True)
class StopPage:
    """templates/notices/public.html: `button` sends the form."""

    title: str
    sentences: tuple[str, ...]
    button: str = ""
    other: str = ""
    back: str = ""


def build_weekly_part(reports: list[WeeklyReport], subject: Subject, zone: str) -> WeeklyPart:
    """Who gets the report, and the form that adds somebody."""
    hour = _("This report leaves on Monday at 8:00 (%(zone)s), once the numbers of the week are known.")
    return _build_part(tuple(map(_build_row, reports)), format_about(subject), hour % {"zone": zone.replace("_", " ")})


def build_children_part(reports: list[WeeklyReport]) -> WeeklyPart:
    """Who gets the reports of sub-accounts."""
    hour = _(
        "The reports leave on Monday at 8:00 in each sub-account's time zone, once the numbers of the week are known."
    )
    return _build_part(tuple(map(_build_child_row, reports)), CHILDREN, hour)


def _build_child_row(report: WeeklyReport) -> WeeklyRow:
    """The row of a sub-account. One that is none any more keeps the name under which its report was asked for."""
    row, trouble = _build_row(report), weekly.find_trouble(report)
    if trouble is Trouble.STOPPED:
        return replace(row, name=report.name, button=_("Remove"))
    zone = get_zone(report.account, report.subscription.zone).key.replace("_", " ")
    hour = "" if trouble else _("8:00, %(zone)s") % {"zone": zone}
    return replace(row, name=report.account.name, hour=hour)


def _build_part(rows: tuple[WeeklyRow, ...], about: str, hour: str) -> WeeklyPart:
    offered = subscriptions.is_offered()
    return WeeklyPart(
        rows=rows,
        about=about,
        trouble="" if offered else _("E-mail is not set up on this server. Set EMAIL_URL and EMAIL_FROM to offer it."),
        mailbox=address("notices:mailbox") if clients.embedded() else "",
        hour=hour,
    )


def _build_row(report: WeeklyReport) -> WeeklyRow:
    shape, word = _describe_state(report)
    return WeeklyRow(
        address=subscriptions.get_masked_address(report.subscription) or _("unreadable address"),
        shape=shape,
        word=_(word),
        stop=address("reports:stop_weekly", report.pk),
        button=_("Stop"),
    )


def _describe_state(report: WeeklyReport) -> tuple[str, str]:
    """Class and shape of its badge, and its words (a msgid): what keeps it from an address that can be written to, else how
    the address stands.
    """
    trouble, state = weekly.find_trouble(report), subscriptions.get_state(report.subscription)
    if trouble in TROUBLES and (trouble is Trouble.STOPPED or state == State.ON):
        return "warning", TROUBLES[trouble]
    return STATES[state]


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
