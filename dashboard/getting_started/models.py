"""How far an account is set up."""

from django.db import models


class Setup(models.Model):
    """What an account has checked. Without a row it has checked nothing."""

    account = models.OneToOneField("accounts.Account", models.CASCADE, related_name="+")
    played_at = models.DateTimeField(null=True)
    """When a video of the account was first seen to play on a page of ours."""
    finished_at = models.DateTimeField(null=True)
    """When somebody said that all is set up: the overview leads there no more."""

    def __str__(self) -> str:
        return f"Setup of {self.account_id}"
