"""The e-mail about a week: the report in short, out of what is known, which is read again where it was forgotten since."""

from datetime import date
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.notices.registry import Letter, LetterSource, NotKnownYet, register_letters
from dashboard.platform_api.errors import CallError
from dashboard.reports import registry, weekly
from dashboard.reports.models import WeeklyReport
from dashboard.reports.pages import PartRow, ReportPart, ReportStat, build_address, build_report_part
from dashboard.reports.queries import NoFolder, NotThere, Reader, ReportData, Subject, build_span, get_zone, load_report
from dashboard.reports.rules import Week
from dashboard.upstream import budget
from dashboard.upstream.reads import Reads


def write(ref: str) -> Letter | None:
    """The letter about a report and a week ("<report> <Monday>"), or that its folder is gone ("<report> gone <day>"); None
    where nothing of that is left to say, or the address may not be told. Raises `NotKnownYet`.
    """
    key, _space, rest = ref.partition(" ")
    report = weekly.list_sendable().filter(pk=key).select_related("account", "subscription").first()
    if report is None:
        return None
    if rest.startswith(weekly.GONE):
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
        stop=reverse("reports:stop", args=[weekly.build_stop_token(report)]),
    )


def _describe_reason(report: WeeklyReport) -> str:
    text = _("You get this because this address gets the weekly report “%(name)s” of “%(account)s”.")
    return text % {"name": report.name, "account": report.account.name}


def _write_week(report: WeeklyReport, monday: str) -> Letter | None:
    week, zone = Week(date.fromisoformat(monday)), get_zone(report.account, report.subscription.zone)
    subject = weekly.build_subject(report)
    try:
        data = load_report(subject, week, zone, Reader(Reads(report.account), is_known=True))
    except NoFolder:
        return None
    except (NotThere, CallError):
        data = _read_again(report, week)
    lines = registry.collect(build_span(report.account, data.week, zone, data.videos))
    part = build_report_part(data, lines, zone.key, is_last_week=True)
    return Letter(
        title=_("%(name)s: weekly report") % {"name": report.name},
        sentences=(part.week, *(finding.text for finding in part.findings)),
        lists=_build_lists(part),
        button=_("Open the report"),
        address=build_address(subject, week, account=str(report.account_id)),
        reason=_describe_reason(report),
        stop_label=_("Stop this report"),
        stop=reverse("reports:stop", args=[weekly.build_stop_token(report)]),
    )


def _read_again(report: WeeklyReport, week: Week) -> ReportData:
    """What was known when the e-mail was let go, and is not any more. Raises `NotKnownYet`."""
    try:
        with budget.background():
            data = weekly.read_report(report, week)
    except NoFolder:
        data = None
    if data is None:
        raise NotKnownYet
    return data


def list_subjects(subscription_id: UUID) -> list[str]:
    """The reports that an address gets."""
    names = (
        weekly.list_wanted().filter(subscription=subscription_id).order_by("created_at").values_list("name", flat=True)
    )
    return [_("the weekly report “%(name)s”") % {"name": name} for name in names]


def _build_lists(part: ReportPart) -> tuple[tuple[str, tuple[str, ...]], ...]:
    lists = (
        (_("Numbers"), tuple(map(_describe_stat, part.stats))),
        (part.parts_title, tuple(_describe_row(row, part) for row in part.rows)),
        (_("Done"), tuple(line.text for line in part.done)),
        (_("Next"), tuple(line.text for line in part.next)),
    )
    return tuple((title, lines) for title, lines in lists if lines)


def _describe_stat(stat: ReportStat) -> str:
    return f"{stat.label}: {stat.value}" + (f" ({stat.was})" if stat.was else "")


def _describe_row(row: PartRow, part: ReportPart) -> str:
    now = f"{row.label}: {row.now}"
    if not part.is_compared:
        return now
    share = f", {row.difference[:1]}{row.change.words}" if row.change and row.change.words[:1].isdigit() else ""
    return f"{now} ({row.difference}{share})"


register_letters(weekly.LETTERS, LetterSource(write, list_subjects))
