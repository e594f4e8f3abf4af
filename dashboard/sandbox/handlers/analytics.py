"""Analytics [4.5, 4.12, 4.15]: checks here, numbers in `audience` and `reports`."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from dashboard.platform_api.vocabulary import Granularity
from dashboard.sandbox import reports
from dashboard.sandbox.audience import Account, AudienceVideo, Period, read_account
from dashboard.sandbox.http_types import Answer, Refusal, SandboxRequest, bad_request, ok
from dashboard.sandbox.models import Referral, Video
from dashboard.sandbox.validators import Choice, Text, addressed_video, query_value, video_of

GRANULARITY: Final = Choice(tuple(Granularity))
COUNTRY: Final = Text(2, 2, re.compile(r"[A-Za-z]{2}"), r"^[A-Za-z]{2}$")
REGION: Final = Text(1, 100)
DAYS_DEFAULT: Final = 30
DAYS_KEPT: Final = 400
_PLAIN_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
"""As traffic takes it [4.12]; the others take ISO 8601 [4.15]."""
_DATE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T[0-9:.]+(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII)


def browser(request: SandboxRequest) -> Answer:
    """GET /browser: all videos."""
    return ok(
        reports.browsers(read_account(request.organization, request.now), asked_period(request), _granularity(request))
    )


def browser_of_video(request: SandboxRequest) -> Answer:
    """GET /browser/{video_id}."""
    video = addressed_video(request)
    account = read_account(request.organization, request.now)
    return ok(reports.browsers(account, asked_period(request), _granularity(request), account.video(video.pk)))


def city(request: SandboxRequest) -> Answer:
    """GET /city: `region` is required when granularity is day or hour."""
    country = query_value(request.query, "country", COUNTRY) or ""
    region = query_value(request.query, "region", REGION)
    granularity = _granularity(request)
    if granularity != Granularity.TOTAL and region is None:
        raise bad_request("region is required when granularity is day or hour")
    account = read_account(request.organization, request.now)
    return ok(reports.cities(account, asked_period(request), granularity, country.upper(), region or ""))


def referrer(request: SandboxRequest) -> Answer:
    """GET /referrer."""
    return ok(
        reports.referrers(read_account(request.organization, request.now), asked_period(request), _granularity(request))
    )


def ranking(request: SandboxRequest) -> Answer:
    """GET /ranking."""
    return ok(reports.ranking(read_account(request.organization, request.now), asked_period(request)))


def general(request: SandboxRequest) -> Answer:
    """GET /general/{video_id}: plays of a variant."""
    return _of_video(request, reports.general, addressed_video(request), asked_period(request))


def retention(request: SandboxRequest) -> Answer:
    """GET /retention/{video_id}."""
    return _of_video(request, reports.retention, addressed_video(request), asked_period(request))


def traffic(request: SandboxRequest) -> Answer:
    """GET /analytics/traffic: 400 for parameters, then 404 [7]."""
    for name in ("video_id", "start_date", "end_date"):
        if not request.query.get(name):
            raise bad_request(f"{name} is required")
        if name != "video_id" and not _PLAIN_DATE.fullmatch(request.query[name]):
            raise _wrong_day(name)
    period = asked_period(request)
    return _of_video(request, reports.traffic, video_of(request.organization, request.query["video_id"]), period)


def _of_video(
    request: SandboxRequest,
    report: Callable[[Account, AudienceVideo, Period], reports.Json],
    video: Video,
    period: Period,
) -> Answer:
    account = read_account(request.organization, request.now)
    return ok(report(account, account.video(video.pk), period))


def member_referrals(request: SandboxRequest) -> Answer:
    """GET /member-referrals: link, estimate from pending referrals, total received, balance [2.9]; money in cents."""
    referral = Referral.objects.filter(pk=request.user.pk).first()
    return ok(
        {
            "referral_link": referral.link if referral else None,
            "pending_estimated_value": referral.pending_estimate if referral else 0,
            "total_received": referral.total_received if referral else 0,
            "current_balance": referral.balance if referral else 0,
            "currency": referral.currency if referral else "brl",
        }
    )


def _granularity(request: SandboxRequest) -> Granularity:
    return Granularity(query_value(request.query, "granularity", GRANULARITY) or Granularity.TOTAL)


def asked_period(request: SandboxRequest) -> Period:
    """Return the days asked for, by default the last 30, without those nobody has numbers for. Raises a 400."""
    today = request.now.date()
    end = _day(request, "end_date") or today
    start = _day(request, "start_date") or end - timedelta(days=min(DAYS_DEFAULT - 1, (end - date.min).days))
    if start > end:
        raise bad_request("start_date must not be after end_date")
    return Period(max(start, today - timedelta(days=DAYS_KEPT - 1)), min(end, today))


def _day(request: SandboxRequest, name: str) -> date | None:
    text = request.query.get(name)
    if text is None:
        return None
    match = _DATE.fullmatch(text)
    try:
        if match:
            return date.fromisoformat(match.group(1))
    except ValueError:
        pass
    raise _wrong_day(name)


def _wrong_day(name: str) -> Refusal:
    return bad_request(f"{name} must be a date: YYYY-MM-DD")
