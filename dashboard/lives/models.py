"""What Reelroom remembers of a live: that its start was asked for."""

from django.db import models


class Start(models.Model):
    """One accepted, or not confirmed, start. It makes a second press impossible and gives the wait its clock."""

    account_id = models.UUIDField()
    live_id = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True)
    confirmed = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account_id", "live_id"], name="one_start_of_a_live"),)

    def __str__(self) -> str:
        return f"start of {self.live_id} at {self.at:%Y-%m-%d %H:%M}"
