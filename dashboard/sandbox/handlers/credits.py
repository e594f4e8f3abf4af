"""AI credits: what is left, and what changed it (`gaps.md` section 2)."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

from dashboard.sandbox import credits, progress, serializers
from dashboard.sandbox.handlers.analytics import asked_period
from dashboard.sandbox.http_types import Answer, SandboxRequest, ok
from dashboard.sandbox.validators import Choice, query_value

TYPE: Final = Choice(("general",))


def history(request: SandboxRequest) -> Answer:
    """GET /credits?type=general&start_date=&end_date=: newest first."""
    query_value(request.query, "type", TYPE)
    organization, period = request.organization, asked_period(request)
    progress.settle(request.now)
    first, last = (datetime.combine(day, time(), UTC) for day in (period.start, period.end))
    entries = organization.credit_entries.select_related("video").filter(
        created_at__gte=first, created_at__lt=last + timedelta(days=1)
    )
    return ok(
        {
            "balance": credits.balance(organization),
            "history": [serializers.credit_entry(entry) for entry in entries.order_by("-created_at", "id")],
        }
    )
