"""What the links in e-mails name: signed, so that nobody makes one up.

A confirmation is for one asking, works once and expires. The link that stops works as long as the address is here.
"""

from django.core import signing
from django.utils import timezone

from dashboard.accounts import identity
from dashboard.notices.models import Subscription
from dashboard.notices.rules import CONFIRMABLE
from dashboard.shared.text import parse_uuid

CONFIRM = "notices.confirm"
STOP = "notices.stop"


def build_confirmation(subscription: Subscription) -> str:
    """The token that confirms the last asking of this address."""
    return identity.signer(CONFIRM).sign(f"{subscription.pk.hex}-{subscription.nonce}").replace(":", "~")


def build_stop(subscription: Subscription) -> str:
    """The token that stops e-mails to this address."""
    return identity.signer(STOP).sign(subscription.pk.hex).replace(":", "~")


def find_confirmed(token: str) -> Subscription | None:
    """Whose confirmation it is, used or not; None for what nobody signed, and for an earlier asking."""
    value = _unsign(CONFIRM, token)
    key, _dash, nonce = value.partition("-")
    subscription = _find(key)
    return subscription if subscription is not None and nonce and nonce == subscription.nonce else None


def find_stopped(token: str) -> Subscription | None:
    """Whose link to stop it is; None for what nobody signed, and where nothing is kept any more."""
    return _find(_unsign(STOP, token))


def is_expired(subscription: Subscription) -> bool:
    """Whether its confirmation has come too late."""
    return subscription.confirmed_at is None and timezone.now() - subscription.asked_at > CONFIRMABLE


def _unsign(salt: str, token: str) -> str:
    try:
        return identity.signer(salt).unsign(token.replace("~", ":"))
    except signing.BadSignature:
        return ""


def _find(key: str) -> Subscription | None:
    pk = parse_uuid(key)
    return Subscription.objects.select_related("account").filter(pk=pk).first() if pk else None
