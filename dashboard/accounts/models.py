"""Connected accounts."""

import uuid
from typing import ClassVar

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from dashboard.accounts import identity
from dashboard.shared import vault

IdentityKey = identity.IdentityKey
COLOURS = 8


class Accounts(models.QuerySet["Account"]):
    """Accounts, with or without a stored token."""

    def connected(self) -> "Accounts":
        """Those whose token is stored. The others were disconnected: what is kept for them waits for their token."""
        return self.exclude(sealed_token="")


class Account(models.Model):
    """An account of the platform, known by its API token, which is stored encrypted.

    Everything that Reelroom keeps (versions, snapshots, activity, caches) hangs on an account, so a renewed token is stored
    in the same row, and disconnecting takes the token out of it. The fingerprint stays: the same token finds its row again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    sealed_token = vault.SealedField()
    fingerprint = models.CharField(max_length=64, unique=True)
    colour = models.PositiveSmallIntegerField(default=0)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children")
    pullzone = models.CharField(max_length=100, blank=True)
    zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    """The time zone of its pages, as its name in the database; "": that of whoever looks."""
    organization_id = models.CharField(max_length=64, blank=True, default="", db_default="")
    """The platform's id of a sub-account, as its parent's list tells it; "" where nobody has connected it from there."""
    created_at = models.DateTimeField(auto_now_add=True)
    disconnections = models.PositiveIntegerField(default=0)
    """How often its token was deleted, or every browser was signed out: one that connected it before then is not let in."""

    objects = Accounts.as_manager()

    class Meta:
        ordering = ("name", "created_at")

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> str:
        """What it is beside others, as pages say it."""
        return _("Sub-account of %(name)s") % {"name": self.parent.name} if self.parent else _("Parent account")

    @cached_property
    def token(self) -> str:
        """The API token. Raises `vault.Unreadable` when its key is gone from TOKEN_KEYS."""
        return vault.unseal(self.sealed_token)

    def keep_token(self, token: str) -> None:
        """Store another token for the same account (does not save)."""
        self.sealed_token = vault.seal(token)
        self.fingerprint = identity.fingerprint(token)
        self.__dict__.pop("token", None)

    def forget_token(self) -> None:
        """Delete the stored token, and end the access of every browser (does not save)."""
        self.sealed_token = ""
        self.disconnections += 1
        self.__dict__.pop("token", None)


class Device(models.Model):
    """An account in a signed-in browser. It describes a session and gives no access: with the session, it is over.

    No address of the network and no more of what a browser says about itself is kept.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session_key = models.CharField(max_length=64)
    """Its sha256, as the session's row has it."""
    account = models.ForeignKey(Account, models.CASCADE, related_name="devices")
    browser = models.CharField(max_length=40, blank=True)
    """Its name; "" where it is not known."""
    system = models.CharField(max_length=40, blank=True)
    person = models.CharField(max_length=100, blank=True)
    signed_in_at = models.DateTimeField(null=True)
    """None where that was before devices were listed."""
    seen_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session_key", "account"], name="one_device_per_session")
        ]

    def __str__(self) -> str:
        return f"Device {self.pk}"

    @property
    def name(self) -> str:
        """Firefox on Windows, as far as it is known."""
        browser = self.browser or _("Unknown browser")
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": self.system} if self.system else browser
