"""The history of referrals. The platform only has current figures, so each day is stored here."""

import uuid
from datetime import date
from typing import ClassVar
from uuid import UUID

from django.db import models

from dashboard.referrals.rules import ReferralSummary


class ReferralDay(models.Model):
    """The figures of one account as they stood when they were last seen on a day (UTC)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account_id = models.UUIDField()
    day = models.DateField()
    pending = models.DecimalField(max_digits=18, decimal_places=2, null=True)
    received = models.DecimalField(max_digits=18, decimal_places=2, null=True)
    balance = models.DecimalField(max_digits=18, decimal_places=2, null=True)
    currency = models.CharField(max_length=3, blank=True)

    class Meta:
        ordering: ClassVar = ["day"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["account_id", "day"], name="one_referral_day")]

    def __str__(self) -> str:
        return f"{self.day}: {self.balance}"


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
