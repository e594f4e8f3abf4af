"""Stores one row of referral figures per account and day."""

from datetime import date
from uuid import UUID

from dashboard.referrals.models import ReferralDay
from dashboard.referrals.rules import ReferralSummary


def save_day(account_id: UUID, day: date, summary: ReferralSummary) -> None:
    """Save the figures of a day, over earlier ones of that day. A summary without figures is not saved."""
    if summary.pending is None and summary.received is None and summary.balance is None:
        return
    values = {
        "pending": summary.pending,
        "received": summary.received,
        "balance": summary.balance,
        "currency": summary.currency,
    }
    row, created = ReferralDay.objects.get_or_create(account_id=account_id, day=day, defaults=values)
    if not created and any(getattr(row, name) != value for name, value in values.items()):
        ReferralDay.objects.filter(pk=row.pk).update(**values)


def list_days(account_id: UUID, currency: str) -> list[ReferralDay]:
    """List the stored days in one currency, oldest first."""
    return list(ReferralDay.objects.filter(account_id=account_id, currency=currency))
