"""AI credits: what is left, what used or added some, and that as a file."""

from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.platform_api.credits import Credits
from dashboard.platform_api.errors import BadToken
from dashboard.shared import csv, refusals
from dashboard.shared.csv import Cell
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.credits import CreditsKnown, credit_rows, last_days, query, understood

CHOICES: Final = (30, 90, 365)
"""Days that can be shown, the usual ones first."""
CSV_HEADS: Final = ("created_at", "type", "status", "amount", "video_id", "video_title", "description", "id")


def format_trouble(result: CreditsKnown) -> str:
    """Why nothing is known; "" where something is, and where this platform never tells."""
    if result.credits is not None or result.is_absent:
        return ""
    return refusals.explain(result.error, reading=True).whole


def build_csv_rows(credits: Credits) -> Iterator[tuple[Cell, ...]]:
    """The history in the platform's own words; an empty cell for what it did not tell."""
    for entry in credits.history or ():
        yield (
            entry.created_at.isoformat() if entry.created_at else None,
            entry.type,
            entry.status,
            entry.amount,
            entry.video_id,
            entry.video_title,
            entry.description,
            entry.id,
        )


@require_safe
def credits(request: OwnerRequest) -> HttpResponse:
    """Balance and history of the chosen days."""
    days = _parse_days(request)
    result = _load(request, days)
    status = refusals.STATUS_OF.get(type(result.error), 502) if result.error and not result.is_absent else 200
    context = {
        "credits": result.credits,
        "is_absent": result.is_absent,
        "trouble": format_trouble(result),
        "rows": credit_rows((result.credits.history if result.credits else None) or ()),
        "choices": CHOICES,
        "days": days,
    }
    return render(request, "credits/credits.html", context, status=status)


@require_safe
def export(request: OwnerRequest) -> HttpResponse:
    """The history as CSV: what the page of the same days shows. Raises the `PlatformError` of a read that failed."""
    days = _parse_days(request)
    history = reads.Reads(request.account).get(query(days))
    start, end = last_days(days)
    name = csv.file_name("ai-credits", f"{start.isoformat()}_{end.isoformat()}_UTC")
    return csv.download(csv.written(CSV_HEADS, build_csv_rows(history)), name)


def _parse_days(request: OwnerRequest) -> int:
    """The days that the address asks for; what is no choice counts as none."""
    text = request.GET.get("days", "")
    return next((days for days in CHOICES if text == str(days)), CHOICES[0])


def _load(request: OwnerRequest, days: int) -> CreditsKnown:
    """What reading them brought. Raises `BadToken`."""
    result = understood(reads.of(request).gather(settings.PLATFORM_TIMEOUT, credits=query(days))["credits"])
    if isinstance(result.error, BadToken):
        raise result.error
    return result
