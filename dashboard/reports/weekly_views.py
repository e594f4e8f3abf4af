"""Getting a report by e-mail every Monday, and stopping that: on the page, and by the link in the e-mail."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.accounts.access import public
from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import Asked
from dashboard.reports import weekly, weekly_pages
from dashboard.reports.forms import WeeklyForm
from dashboard.reports.models import WeeklyReport
from dashboard.reports.pages import build_address
from dashboard.reports.views import find_name, parse_subject, render_report
from dashboard.shared.http import OwnerRequest


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
        form.add_error("address", weekly_pages.describe_too_often())
        return render_report(request, subject, form, status=429)
    messages.success(request, weekly_pages.describe_asked(request.account, form.cleaned_data["address"]))
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
    if request.POST.get("about") == weekly_pages.CHILDREN:
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
        return render(request, "notices/public.html", {"page": weekly_pages.build_stop_page(report)})
    if report is not None:
        weekly.stop(report)
    return render(request, "notices/public.html", {"page": weekly_pages.build_stopped_page()})
