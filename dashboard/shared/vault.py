"""Secrets at rest: encrypted with the newest of TOKEN_KEYS, readable with any of them, so that keys can be rotated."""

from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models


class Unreadable(Exception):
    """The token was stored under a key that is no longer in TOKEN_KEYS."""


class SealedField(models.TextField):  # type: ignore[type-arg]  # generic for mypy alone
    """A column of sealed text; empty where nothing is stored. `rotation` finds what is sealed by this class.

    For the database and its migrations it is text.
    """

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


def seal(token: str) -> str:
    """Encrypt a token for storage."""
    return _fernet().encrypt(token.encode()).decode()


def unseal(sealed: str) -> str:
    """Decrypt a stored token. Raises `Unreadable` when its key is gone."""
    try:
        return _fernet().decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise Unreadable from error


def rotate(sealed: str) -> str:
    """The same token under the newest key. Raises `Unreadable` when its key is gone."""
    try:
        return _fernet().rotate(sealed.encode()).decode()
    except InvalidToken as error:
        raise Unreadable from error


def is_newest(sealed: str) -> bool:
    """Whether it is sealed with the newest key."""
    try:
        Fernet(settings.TOKEN_KEYS[0]).decrypt(sealed.encode())
    except InvalidToken:
        return False
    return True


def _fernet() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.TOKEN_KEYS])
