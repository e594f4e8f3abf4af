"""The report: one week against the one before, of the account, of a folder, or of a search; and getting it every Monday."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.accounts import access
from dashboard.accounts.access import public
from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import ADDRESS_MOST, Asked, is_address
from dashboard.platform_api.errors import PlatformError
from dashboard.reports import pages, queries, registry, rules, weekly
from dashboard.reports.models import WeeklyReport
from dashboard.reports.pages import Report, build_address, describe_chooser, find_folder_name, find_saved_name
from dashboard.reports.queries import NoFolder, NotThere, Reader, ReportData, Subject
from dashboard.reports.rules import Week
from dashboard.shared import csv, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import library, parallel, reads

ALL: Final = "all"


class WeeklyForm(forms.Form):
    """An address that gets the report every Monday."""

    address = forms.CharField(
        label=gettext_lazy("E-mail address"),
        max_length=ADDRESS_MOST,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": gettext_lazy("Write an e-mail address, such as ana@example.com.")},
        help_text=gettext_lazy("A new address first gets one e-mail with a button to confirm."),
    )

    def clean_address(self) -> str:
        """An address that e-mails can be sent to."""
        address: str = self.cleaned_data["address"].strip()
        if not is_address(address):
            raise forms.ValidationError(_("This is no e-mail address. Write one such as ana@example.com."))
        return address


class ChildrenForm(WeeklyForm):
    """The same for the reports of one of the `children`, or of all of them."""

    which = forms.ChoiceField(label=gettext_lazy("Sub-account"))
    field_order = ("which", "address")

    def __init__(self, *args: Any, children: Collection[Account], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.children = {str(child.pk): child for child in children}
        names = [(key, child.name) for key, child in self.children.items()]
        field = self.fields["which"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (it is declared so)
        field.choices = [(ALL, _("All connected sub-accounts")), *names] if names else []

    def get_chosen(self) -> list[Account]:
        """The sub-accounts whose reports are wanted."""
        which = self.cleaned_data["which"]
        return list(self.children.values()) if which == ALL else [self.children[which]]


@dataclass(frozen=True)
class ReportQuestion:
    """What an address asks for. `last`: the last week that is over."""

    subject: Subject
    week: Week
    last: Week


def parse_subject(request: OwnerRequest, about: str) -> Subject:
    """What a report is about."""
    return pages.parse_about(about, actor_of(request, request.account))


def _parse(request: OwnerRequest, subject: Subject) -> ReportQuestion:
    last = rules.get_last_week(timezone.now(), queries.get_zone(request.account))
    return ReportQuestion(subject, rules.parse_week(request.GET.get("week", ""), last), last)


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
    context["chooser"] = describe_chooser(request, asked.subject, asked.week, asked.last)
    context |= {"weekly": weekly.describe_recipients(reports(), pages.format_about(subject), zone.key), "form": form}
    return render(request, "reports/report.html", context, status=status)


def _build_part(request: OwnerRequest, asked: ReportQuestion) -> Report:
    zone = queries.get_zone(request.account)
    list_lines = partial(_list_lines, request.account, asked.week, zone)
    of_account = parallel.meanwhile(list_lines) if asked.subject.is_account else None
    data = _load(request, asked)
    lines = of_account() if of_account else list_lines(data.videos)
    return pages.build_report(data, lines, zone.key, is_last_week=asked.week == asked.last)


def _list_lines(
    account: Account, week: Week, zone: ZoneInfo, videos: Collection[str] | None = None
) -> list[registry.Done | registry.Next]:
    """What features add to the report; of these videos alone where some are given."""
    return list(registry.collect(queries.build_span(account, week, zone, videos)))


def _load(request: OwnerRequest, asked: ReportQuestion) -> ReportData:
    """The numbers. Whoever asks for them alone waits as long as the platform may take."""
    waits = bool(request.htmx) or request.GET.get("wait") == "1"
    reader = Reader(reads.of(request), library.waiting() if waits else None)
    data = queries.load_report(asked.subject, asked.week, queries.get_zone(request.account), reader)
    return replace(data, name=find_saved_name(request, asked.subject) or data.name)


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
    heads, rows = pages.build_table(pages.build_report(data, (), "", is_last_week=False))
    period = f"{asked.week.days.start}_{asked.week.days.end}"
    return csv.download(csv.written(heads, rows), csv.file_name(f"report-{data.name}", period))


@require_POST
def send_weekly(request: OwnerRequest) -> HttpResponse:
    """Send the report to an address every Monday. The same form twice is one."""
    if not subscriptions.is_offered():
        raise Http404
    subject = parse_subject(request, request.POST.get("about", ""))
    form = WeeklyForm(request.POST)
    if not form.is_valid():
        return render_report(request, subject, form, status=422)
    name = find_name(request, subject)
    asked = weekly.ask(request, request.account, subject, name, form.cleaned_data["address"])
    if asked == Asked.TOO_OFTEN:
        form.add_error("address", weekly.describe_too_often())
        return render_report(request, subject, form, status=429)
    messages.success(request, weekly.describe_asked(request.account, form.cleaned_data["address"]))
    return redirect(build_address(subject) + "#weekly")


@require_POST
def stop_weekly(request: OwnerRequest, report_id: uuid.UUID) -> HttpResponse:
    """Send the report to this address no more. The same form twice is one: the report is stopped."""
    try:
        report = weekly.find_report(request.account, report_id)
    except WeeklyReport.DoesNotExist:
        raise Http404 from None
    if report is not None:
        weekly.stop(report)
    messages.success(request, _("Stopped. This address no longer gets this report."))
    if request.POST.get("about") == weekly.CHILDREN:
        return redirect("reports:sub_accounts")
    subject = parse_subject(request, request.POST.get("about", ""))
    return redirect(build_address(subject) + "#weekly")


@csrf_exempt
@public
@require_http_methods(["GET", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a press; with it, or when a mail program posts for its reader (RFC 8058), the report is sent no more.

    It needs no cookie, so a forged form would have to know the token. Without anything to stop, it says so all the same.
    """
    report = weekly.find_stopped(token)
    if report is not None and request.method == "GET":
        return render(request, "notices/public.html", {"page": weekly.build_stop_page(report)})
    if report is not None:
        weekly.stop(report)
    return render(request, "notices/public.html", {"page": weekly.build_stopped_page()})


@require_http_methods(["GET", "POST"])
def sub_accounts(request: OwnerRequest) -> HttpResponse:
    """Who gets which report; POST sends those of the chosen sub-accounts every Monday. The same form twice is one."""
    children = _list_children(request)
    if request.account.parent is not None and not children and not weekly.list_reports_of_children(request.account):
        return redirect("reports:report")
    if request.method == "GET":
        which = request.GET.get("account", "")
        return _render_sub_accounts(request, ChildrenForm(children=children, initial={"which": which}), children)
    if not subscriptions.is_offered():
        raise Http404
    form = ChildrenForm(request.POST, children=children)
    if not form.is_valid():
        return _render_sub_accounts(request, form, children, status=422)
    mail_address = form.cleaned_data["address"]
    asked = weekly.ask_for_children(request, request.account, form.get_chosen(), mail_address)
    if asked == Asked.TOO_OFTEN:
        form.add_error("address", weekly.describe_too_often())
        return _render_sub_accounts(request, form, children, status=429)
    messages.success(request, weekly.describe_asked(request.account, mail_address))
    return redirect("reports:sub_accounts")


def _list_children(request: OwnerRequest) -> list[Account]:
    """The sub-accounts that are connected in this browser: nobody is sent what they could not open."""
    return [account for account in access.connected(request) if account.parent_id == request.account.pk]


def _render_sub_accounts(
    request: OwnerRequest, form: ChildrenForm, children: list[Account], status: int = 200
) -> HttpResponse:
    context = {
        "weekly": weekly.describe_recipients(weekly.list_reports_of_children(request.account), weekly.CHILDREN),
        "form": form if children else None,
        "portfolio": address("sub_accounts:sub_accounts"),
    }
    return render(request, "reports/sub_accounts.html", context, status=status)
