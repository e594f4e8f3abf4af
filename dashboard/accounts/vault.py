"""API tokens at rest: encrypted with the newest of TOKEN_KEYS, readable with any of them, so that keys can be rotated."""

import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class Unreadable(Exception):
    """The token was stored under a key that is no longer in TOKEN_KEYS."""


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


def fingerprint(token: str) -> str:
    """Recognises a token that is already stored, without being it: a keyed hash."""
    return hmac.new(settings.SECRET_KEY.encode(), token.encode(), hashlib.sha256).hexdigest()


def _fernet() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.TOKEN_KEYS])
