"""The report: one week against the one before, of the account, of a folder, or of a search. All of it is in the address."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from zoneinfo import ZoneInfo

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.platform_api.errors import PlatformError
from dashboard.reports import pages, queries, registry, rules, weekly, weekly_pages
from dashboard.reports.chooser import build_chooser, find_folder_name, find_saved_name
from dashboard.reports.forms import WeeklyForm
from dashboard.reports.pages import ReportPart, build_address
from dashboard.reports.queries import NoFolder, NotThere, Reader, ReportData, Subject
from dashboard.reports.rules import Week
from dashboard.shared import csv, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import library, parallel, reads


@dataclass(frozen=True)
class Asked:
    """What an address asks for. `last`: the last week that is over."""

    subject: Subject
    week: Week
    last: Week


def parse_subject(request: OwnerRequest, about: str) -> Subject:
    """What a report is about."""
    return pages.parse_about(about, actor_of(request, request.account))


def _parse(request: OwnerRequest, subject: Subject) -> Asked:
    last = rules.get_last_week(timezone.now(), queries.get_zone(request.account))
    return Asked(subject, rules.parse_week(request.GET.get("week", ""), last), last)


@require_safe
def report(request: OwnerRequest) -> HttpResponse:
    """The report of the address; the part alone for the page that waits for it. A link in an e-mail names its account."""
    account_id = request.GET.get("account", "")
    if account_id and account_id != str(request.account.pk):
        other = next((account for account in access.connected(request) if str(account.pk) == account_id), None)
        return render(request, "reports/other_account.html", {"other": other})
    return render_report(request, parse_subject(request, request.GET.get("about", "")), WeeklyForm())


def render_report(request: OwnerRequest, subject: Subject, form: WeeklyForm, *, status: int = 200) -> HttpResponse:
    """The page, with `form` below the report."""
    asked = _parse(request, subject)
    reports = parallel.meanwhile(partial(weekly.list_reports, request.account, subject))
    context: dict[str, object] = {"again": build_address(subject, asked.week, wait="1")}
    try:
        context["report"] = _build_part(request, asked)
    except NoFolder:
        raise Http404 from None
    except NotThere:
        context["is_late"] = True
    except PlatformError as error:
        context["explained"] = refusals.explain(error, reading=True)
        status = refusals.status_of(error) if status == 200 else status
    if request.htmx:
        return render(request, "reports/_report.html", context)
    zone = queries.get_zone(request.account)
    context["frame_of"] = build_chooser(request, asked.subject, asked.week, asked.last)
    context |= {"weekly": weekly_pages.build_weekly_part(reports(), subject, zone.key), "form": form}
    return render(request, "reports/report.html", context, status=status)


def _build_part(request: OwnerRequest, asked: Asked) -> ReportPart:
    zone = queries.get_zone(request.account)
    list_lines = partial(_list_lines, request.account, asked.week, zone)
    of_account = parallel.meanwhile(list_lines) if asked.subject.is_account else None
    data = _load(request, asked)
    lines = of_account() if of_account else list_lines(data.videos)
    return pages.build_report_part(data, lines, zone.key, is_last_week=asked.week == asked.last)


def _list_lines(
    account: Account, week: Week, zone: ZoneInfo, videos: Collection[str] | None = None
) -> list[registry.Done | registry.Next]:
    """What features add to the report; of these videos alone where some are given."""
    return list(registry.collect(queries.build_span(account, week, zone, videos)))


def _load(request: OwnerRequest, asked: Asked) -> ReportData:
    """The numbers. Whoever asks for them alone waits as long as the platform may take."""
    waits = bool(request.htmx) or request.GET.get("wait") == "1"
    reader = Reader(reads.of(request), library.waiting() if waits else None)
    data = queries.load_report(asked.subject, asked.week, queries.get_zone(request.account), reader)
    return queries.rename(data, find_saved_name(request, asked.subject) or data.name)


def find_name(request: OwnerRequest, subject: Subject) -> str:
    """What the report is called. Raises `Http404` for a folder that is not there."""
    if subject.folder:
        name = find_folder_name(request, subject.folder)
        if not name:
            raise Http404
        return name
    return find_saved_name(request, subject) or subject.query or request.account.name


@require_safe
def file(request: OwnerRequest) -> HttpResponse:
    """Every part as CSV; where it cannot be made, the page, which says why."""
    asked = _parse(request, parse_subject(request, request.GET.get("about", "")))
    page = build_address(asked.subject, asked.week)
    try:
        data = _load(request, asked)
    except NoFolder:
        raise Http404 from None
    except (NotThere, PlatformError):
        return redirect(page)
    heads, rows = pages.build_table(data)
    period = f"{asked.week.days.start}_{asked.week.days.end}"
    return csv.download(csv.written(heads, rows), csv.file_name(f"report-{data.name}", period))
