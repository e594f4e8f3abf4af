"""Who somebody is, however keys are rotated: one key that stays recognises accounts, reviewers, codes and pending forms.

It is kept in the database, sealed twice: with TOKEN_KEYS, and as a spare with SECRET_KEY. So changing either of them, even
without a fallback, makes no account and no reviewer a second time. What was made with SECRET_KEY itself is recognised too.
"""

import base64
import hashlib
import hmac
import secrets
from functools import cache
from typing import Any, Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core import signing
from django.db import models
from django.utils.encoding import force_bytes

from dashboard.shared import vault

COOKIE_KEY: Final = b"django.http.cookies"
"""What Django puts before the key of its signed cookies."""


class IdentityKey(models.Model):
    """The key, in row 1. Further rows exist only where no earlier one could be opened: the first that opens is the key."""

    number = models.PositiveSmallIntegerField(primary_key=True)
    sealed_key = vault.SealedField()
    spare = models.TextField()
    """The same key, sealed with SECRET_KEY."""

    class Meta:
        ordering = ("number",)

    def __str__(self) -> str:
        return f"IdentityKey {self.number}"


@cache
def key() -> str:
    """The key that identities are made with. It never changes, so a process reads it once."""
    rows = list(IdentityKey.objects.all())
    for row in rows:
        if opened := _open(row):
            return opened
    return make(IdentityKey, secrets.token_urlsafe(50), number=rows[-1].number + 1 if rows else 1)


def make(model: Any, secret: str, *, number: int) -> str:
    """Store `secret` as the key, in `model`; of two processes at once, one is first and both return its key."""
    values = {"sealed_key": vault.seal(secret), "spare": _seal_spare(secret)}
    row, is_ours = model.objects.get_or_create(number=number, defaults=values)
    return secret if is_ours else _open(row) or secret


def all_keys() -> list[str | bytes]:
    """The key that identities are made with, then those that may have made them before it was there."""
    return [key(), settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def fingerprint(token: str) -> str:
    """Recognises a token that is already stored, without being it: a keyed hash."""
    return _hash(key(), token)


def fingerprints(token: str) -> tuple[str, ...]:
    """Every fingerprint that the token may be stored under, the one of today first."""
    return tuple(_hash(key, token) for key in all_keys())


def signer(salt: str) -> signing.Signer:
    """Signs what has to be recognised after SECRET_KEY has changed."""
    first, *others = all_keys()
    return signing.Signer(key=first, fallback_keys=others, salt=salt)


def cookie_signer(salt: str) -> signing.TimestampSigner:
    """The same for a cookie, in the form of Django's own."""
    first, *others = [COOKIE_KEY + force_bytes(key) for key in all_keys()]
    return signing.TimestampSigner(key=first, fallback_keys=[*others], salt=salt)


def _hash(secret: str | bytes, token: str) -> str:
    return hmac.new(force_bytes(secret), token.encode(), hashlib.sha256).hexdigest()


def _open(row: IdentityKey) -> str | None:
    """The key of a row, or None. Of its two seals, the one that does not open any more is made anew."""
    sealed, spare = _unseal(row.sealed_key), _unseal_spare(row.spare)
    opened = sealed or spare
    if opened and not sealed:
        type(row).objects.filter(pk=row.pk, sealed_key=row.sealed_key).update(sealed_key=vault.seal(opened))
    if opened and not spare:
        type(row).objects.filter(pk=row.pk, spare=row.spare).update(spare=_seal_spare(opened))
    return opened


def _unseal(sealed: str) -> str | None:
    try:
        return vault.unseal(sealed)
    except vault.Unreadable:
        return None


def _unseal_spare(spare: str) -> str | None:
    try:
        return _spare_fernet().decrypt(spare.encode()).decode()
    except InvalidToken:
        return None


def _seal_spare(secret: str) -> str:
    return _spare_fernet().encrypt(secret.encode()).decode()


def _spare_fernet() -> MultiFernet:
    """Fernet keys made of SECRET_KEY and its fallbacks, for nothing else."""
    sources = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    hashes = (hashlib.sha256(b"dashboard.accounts.identity" + source.encode()).digest() for source in sources)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in hashes])
