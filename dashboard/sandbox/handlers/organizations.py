"""Sub-accounts [2.2, 4.2, 5], and AI credits (`gaps.md` section 2)."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import Final
from uuid import uuid4

from dashboard.platform_api.vocabulary import (
    EMAIL_MAX,
    PERMISSIONS_FOR_SUB_ACCOUNTS,
    SUB_ACCOUNT_NAME_MAX,
    SUBSCRIPTIONS_FOR_SUB_ACCOUNTS,
    Currency,
    Message,
)
from dashboard.sandbox import clock, jobs, reports, serializers
from dashboard.sandbox.audience import Period, read_account
from dashboard.sandbox.handlers.analytics import asked_period
from dashboard.sandbox.http_types import Answer, SandboxRequest, bad_request, forbidden, moment, ok
from dashboard.sandbox.models import Organization, Token, User
from dashboard.sandbox.validators import Choice, Field, Shape, Text, query_value

_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
_TAX_ID: Final = re.compile(r"\d{11}|[0-9A-Z]{12}\d{2}")
_PHONE: Final = re.compile(r"[+0-9 ().-]*[0-9][+0-9 ().-]*")
TRAFFIC_DAYS: Final = 30
ADMINISTRATOR: Final = Shape(
    (
        Field("name", Text(1, SUB_ACCOUNT_NAME_MAX), required=True),
        Field("email", Text(3, EMAIL_MAX, _EMAIL, r"^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$"), required=True),
    ),
    closed=True,
)
SUB_ACCOUNT: Final = Shape(
    (
        Field("name", Text(1, SUB_ACCOUNT_NAME_MAX), required=True),
        Field("currency", Choice(tuple(Currency)), required=True),
        Field("phone", Text(1, 40, _PHONE, r"^[+0-9 ().-]*[0-9][+0-9 ().-]*$"), required=True),
        Field("tax_id", Text(11, 14, _TAX_ID, r"^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$"), required=True),
        Field("user", ADMINISTRATOR, required=True),
    ),
    closed=True,
)


def create_sub_account(request: SandboxRequest) -> Answer:
    """POST /organizations?action=create-sub-account. Checks: 403, then the 400s in the order of section 7."""
    organization = request.organization
    if not set(PERMISSIONS_FOR_SUB_ACCOUNTS) <= set(request.user.permissions):
        raise forbidden(Message.VERIFY_PERMISSIONS)
    body = SUB_ACCOUNT.check(request.json())
    if organization.parent_id is not None:
        raise bad_request(Message.SUB_ACCOUNT_OF_SUB_ACCOUNT)
    if not organization.active:
        raise bad_request(Message.ORGANIZATION_NOT_ACTIVE)
    if organization.plan not in SUBSCRIPTIONS_FOR_SUB_ACCOUNTS:
        raise bad_request(Message.ORGANIZATION_IN_TRIAL)
    digits = uuid4().hex
    child = Organization.objects.create(
        name=body["name"],
        parent=organization,
        pullzone=f"vz-{digits[:8]}-{digits[8:11]}",
        ready_at=request.now + clock.SUB_ACCOUNT_READY_AFTER,
        currency=body["currency"],
        phone=body["phone"],
        tax_id=body["tax_id"],
        created_at=request.now,
        updated_at=request.now,
    )
    user = User.objects.create(
        organization=child,
        name=body["user"]["name"],
        email=body["user"]["email"],
        permissions=list(PERMISSIONS_FOR_SUB_ACCOUNTS),
        created_at=request.now,
        updated_at=request.now,
    )
    Token.objects.create(value=f"demo-{uuid4().hex}", user=user, note=child.name[:80])
    return ok(serializers.sub_account(child, request.now))


def usage(request: SandboxRequest) -> Answer:
    """GET /organizations?action=list-sub-accounts-usage: what each sub-account holds and its last 30 whole days delivered.

    Path and shape are assumed.
    """
    if not set(PERMISSIONS_FOR_SUB_ACCOUNTS) <= set(request.user.permissions):
        raise forbidden(Message.VERIFY_PERMISSIONS)
    children = request.organization.children.prefetch_related("videos").order_by("-created_at", "id")
    period = Period(request.now.date() - timedelta(days=TRAFFIC_DAYS), request.now.date() - timedelta(days=1))
    return ok(
        {
            "sub_accounts": [
                {
                    **serializers.sub_account(child, request.now),
                    "videos_count": len(child.videos.all()),
                    "storage_size": sum(video.storage_size for video in child.videos.all()),
                    "traffic": reports.account_traffic(read_account(child, request.now), period),
                    "created_at": moment(child.created_at),
                }
                for child in children
            ]
        }
    )


CREDIT_TYPE: Final = Choice(("general",))


def credit_history(request: SandboxRequest) -> Answer:
    """GET /credits?type=general&start_date=&end_date=: newest first."""
    query_value(request.query, "type", CREDIT_TYPE)
    organization, period = request.organization, asked_period(request)
    jobs.settle(request.now)
    first, last = (datetime.combine(day, time(), UTC) for day in (period.start, period.end))
    entries = organization.credit_entries.select_related("video").filter(
        created_at__gte=first, created_at__lt=last + timedelta(days=1)
    )
    return ok(
        {
            "balance": jobs.credit_balance(organization),
            "history": [serializers.credit_entry(entry) for entry in entries.order_by("-created_at", "id")],
        }
    )
