"""What analytics keeps of its own: the price an account pays for traffic."""

import uuid

from django.db import models


class TrafficPrice(models.Model):
    """What one GB (10⁹ bytes) costs an account. The platform does not tell, so the owner does."""

    account_id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    per_gigabyte = models.DecimalField(max_digits=12, decimal_places=6)
    currency = models.CharField(max_length=3)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.per_gigabyte} {self.currency} per GB"
