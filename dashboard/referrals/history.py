"""Keeping one row per account and day."""

from datetime import date
from uuid import UUID

from dashboard.referrals.models import ReferralDay
from dashboard.referrals.rules import ReferralSummary


def save_day(account_id: UUID, day: date, summary: ReferralSummary) -> None:
    """Keep the figures of a day; the last ones seen on it count. An answer without figures is not kept."""
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
    """The days that were kept, oldest first, in one currency."""
    return list(ReferralDay.objects.filter(account_id=account_id, currency=currency))
