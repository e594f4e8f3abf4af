"""Connected accounts."""

import uuid

from django.db import models
from django.utils.functional import cached_property

from dashboard.accounts import vault

COLOURS = 8


class Account(models.Model):
    """An account of the platform, known by its API token, which is stored encrypted.

    Everything that Reelroom keeps (versions, snapshots, activity, caches) hangs on an account, so a renewed token is stored
    in the same row.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    sealed_token = models.TextField()
    fingerprint = models.CharField(max_length=64, unique=True)
    colour = models.PositiveSmallIntegerField(default=0)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children")
    pullzone = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "created_at")

    def __str__(self) -> str:
        return self.name

    @cached_property
    def token(self) -> str:
        """The API token. Raises `vault.Unreadable` when its key is gone from TOKEN_KEYS."""
        return vault.unseal(self.sealed_token)

    def keep_token(self, token: str) -> None:
        """Store another token for the same account (does not save)."""
        self.sealed_token = vault.seal(token)
        self.fingerprint = vault.fingerprint(token)
        self.__dict__.pop("token", None)
