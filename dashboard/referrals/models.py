"""The history of referrals. The platform only has current figures, so each day is stored here."""

import uuid
from typing import ClassVar

from django.db import models


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
