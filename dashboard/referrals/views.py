"""The referral summary, its link to copy, and the history kept here."""

from datetime import UTC

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard import clients
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.referrals import keeping, pages
from dashboard.referrals.models import ReferralDay
from dashboard.referrals.rules import summary
from dashboard.shared import csv, refusals
from dashboard.shared.http import OwnerRequest


@require_safe
def referrals(request: OwnerRequest) -> HttpResponse:
    """Link, estimate, received, balance; and the days before."""
    account_id = request.account.pk
    try:
        raw = clients.platform(request).analytics.member_referrals().raw
    except BadToken:
        raise
    except PlatformError as error:
        explained = refusals.explain(error)
        trouble = explained.sentence, explained.next_step
        page = pages.referrals_page(None, None, _last_kept(request), trouble)
        return render(request, "referrals/referrals.html", {"page": page}, status=502)
    found = summary(raw)
    keeping.keep(account_id, timezone.now().astimezone(UTC).date(), found)
    page = pages.referrals_page(found, raw, keeping.history(account_id, found.currency))
    return render(request, "referrals/referrals.html", {"page": page})


@require_safe
def file(request: OwnerRequest, extension: str) -> HttpResponse:
    """The kept days as CSV or SVG."""
    chart = pages.history_chart(_last_kept(request)) if extension in {"csv", "svg"} else None
    if chart is None:
        raise Http404
    name = csv.file_name("referrals", f"{chart.places[0].key}_{chart.places[-1].key}_UTC", extension)
    if extension == "csv":
        return csv.download(chart.csv(), name)
    response = HttpResponse(chart.svg(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _last_kept(request: OwnerRequest) -> list[ReferralDay]:
    """The kept days in the currency of the latest one."""
    latest = ReferralDay.objects.filter(account_id=request.account.pk).last()
    return keeping.history(request.account.pk, latest.currency) if latest else []
