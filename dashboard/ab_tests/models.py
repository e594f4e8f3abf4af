"""Stored settings of A/B tests: how a test is judged, and why it was ended."""

import uuid
from typing import ClassVar

from django.db import models


class Terms(models.Model):
    """How the owner wants a test to be judged, what was planned before it started, and what is kept from then on.

    `worth_finding` is the difference that the read-out looks for, from 0 to 1: set once, from the play rate known at the start
    (`base_at_start`, `base_from`) and the planned lift. `split_wrong_on`: when the variants were found to be shown unevenly.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account_id = models.UUIDField()
    comparison_id = models.CharField(max_length=100)
    level = models.PositiveSmallIntegerField(default=95)
    equal_points = models.DecimalField(max_digits=5, decimal_places=2, default=0)
    planned_lift = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    planned_days = models.PositiveIntegerField(null=True, blank=True)
    planned_base = models.FloatField(null=True, blank=True)
    planned_daily = models.FloatField(null=True, blank=True)
    worth_finding = models.FloatField(null=True, blank=True)
    base_at_start = models.FloatField(null=True, blank=True)
    base_from = models.CharField(max_length=10, blank=True, default="", db_default="")
    split_wrong_on = models.DateField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account_id", "comparison_id"], name="one_terms_per_test")
        ]

    def __str__(self) -> str:
        return f"terms of {self.comparison_id}"


class Decision(models.Model):
    """Why a test was ended as it was: the winner, the read-out at that moment, and the reason where they disagree."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account_id = models.UUIDField()
    comparison_id = models.CharField(max_length=100)
    winner = models.CharField(max_length=100)
    verdict = models.CharField(max_length=20)
    reason = models.TextField(blank=True)
    figures = models.JSONField(default=list)
    actor = models.CharField(max_length=120, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account_id", "comparison_id"], name="one_decision_per_test")
        ]

    def __str__(self) -> str:
        return f"{self.comparison_id} ended"
