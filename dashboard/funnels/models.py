"""What was arranged and not sent yet."""

from django.db import models


class Draft(models.Model):
    """What differs from the platform's funnel: places, added videos, another entry. Gone once it has arrived."""

    account_id = models.UUIDField()
    funnel_id = models.CharField(max_length=64)
    places = models.JSONField(default=dict)
    """By video: `[x, y]`."""
    added = models.JSONField(default=dict)
    """By video: `{"title", "thumbnail", "length"}`, in the order of adding."""
    entry = models.CharField(max_length=64, blank=True)
    """The video that is to be the entry; "" leaves it as it is."""
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account_id", "funnel_id"], name="one_draft_of_a_funnel"),)

    def __str__(self) -> str:
        return f"draft of {self.funnel_id}"
