"""Views of the referral summary, its link and its stored history."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.platform_api.answers import as_it_came
from dashboard.referrals import models, pages
from dashboard.referrals.models import ReferralDay
from dashboard.referrals.rules import parse_summary
from dashboard.shared import csv
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.figures import FigureQuery, get_full_timeout, read_figures, trouble

SUMMARY = FigureQuery("analytics.member_referrals", (), 60)


@require_safe
def referrals(request: OwnerRequest) -> HttpResponse:
    """The summary and its history. `?panel=now` renders the summary alone, for htmx."""
    alone = request.htmx and request.GET.get("panel") == "now"
    got = read_figures(request, {"now": SUMMARY}, patience=get_full_timeout() if alone else None)["now"]
    referral_summary = parse_summary(got.value.raw) if got.value is not None else None
    if referral_summary is not None and got.at is not None and not got.old:
        models.save_day(request.account.pk, got.at.date(), referral_summary)
    days = (
        models.list_days(request.account.pk, referral_summary.currency)
        if referral_summary
        else _list_latest_days(request)
    )
    chart = pages.build_history_chart(days)
    context = {
        "summary": referral_summary,
        "amounts": pages.format_amounts(referral_summary) if referral_summary else {},
        "raw": as_it_came(got.value.raw) if referral_summary and referral_summary.empty else "",
        "trouble": trouble(got) if got.late or got.error or got.old else None,
        "is_late": got.late,
        "chart": chart,
        "exports": pages.build_exports(days) if chart else None,
        "history_note": pages.format_history_note(days),
    }
    return render(request, "referrals/_now.html" if alone else "referrals/referrals.html", context)


@require_safe
def file(request: OwnerRequest, extension: str) -> HttpResponse:
    """Download the stored days as CSV or SVG."""
    chart = pages.build_history_chart(_list_latest_days(request)) if extension in {"csv", "svg"} else None
    if chart is None:
        raise Http404
    name = csv.file_name("referrals", f"{chart.places[0].key}_{chart.places[-1].key}_UTC", extension)
    if extension == "csv":
        return csv.download(chart.csv(), name)
    response = HttpResponse(chart.svg(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _list_latest_days(request: OwnerRequest) -> list[ReferralDay]:
    """List the stored days in the currency of the latest one."""
    latest = ReferralDay.objects.filter(account_id=request.account.pk).last()
    return models.list_days(request.account.pk, latest.currency) if latest else []
