"""Checking a token against the platform and storing it."""

from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils.translation import gettext as _

from dashboard.accounts import identity
from dashboard.accounts.models import COLOURS, Account
from dashboard.platform_api import Platform
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.shared.vault import Unreadable
from dashboard.upstream import clients

PULLZONE_MOST = 63
"""Letters of a zone: no part of a host name has more, and the account is called by it."""
connected = Signal()
"""An account's token was stored (`account`): whoever reads something of every account may begin."""


class TokenRefused(Exception):
    """The platform turned the token down; `words` are its own."""

    def __init__(self, words: str) -> None:
        super().__init__("token refused")
        self.words = words


def connect(token: str, name: str, *, renew: Account | None = None) -> tuple[Account, bool]:
    """Check `token` with a documented read (GET /folders, 4.11) and store it; a known token gives its account.

    With `renew`, the token replaces the one of that account, unless it visibly belongs to another one (other pull zone).
    Gives the account, and whether it is new here. Raises `TokenRefused`, or the `PlatformError` of a platform that could not say.
    """
    platform = clients.platform_with(token)
    try:
        platform.folders.list()
    except BadToken as error:
        raise TokenRefused(error.message) from error
    pullzone = _pullzone(platform)
    known = find_account(token)
    if known is None and renew is not None and pullzone == renew.pullzone:
        known = renew
    is_new = known is None
    if known is None:
        known = _store(token, name, pullzone)
    else:
        known.keep_token(token)
        known.name, known.pullzone = name or known.name, pullzone or known.pullzone
        known.save(update_fields=["sealed_token", "fingerprint", "name", "pullzone"])
    connected.send(Account, account=known)
    return known, is_new


def find_account(token: str) -> Account | None:
    """The account that holds or held this token, whatever keys have changed since; None for a token that is new here."""
    accounts = Account.objects.select_related("parent")
    prints = identity.fingerprints(token)
    by_fingerprint = {account.fingerprint: account for account in accounts.filter(fingerprint__in=prints)}
    known = next((by_fingerprint[mark] for mark in prints if mark in by_fingerprint), None)
    return known or next((account for account in accounts.connected() if _holds(account, token)), None)


def _holds(account: Account, token: str) -> bool:
    try:
        return account.token == token
    except Unreadable:
        return False


def _pullzone(platform: Platform) -> str:
    """The account's CDN zone, which every answer about A/B tests carries (2.5); empty where it cannot be had."""
    try:
        return (platform.comparisons.list().pullzone or "")[:PULLZONE_MOST]
    except CallError:
        return ""  # not every account may read A/B tests, and signing in does not depend on it


def _store(token: str, name: str, pullzone: str) -> Account:
    print_of_token = identity.fingerprint(token)
    account = Account(
        name=name or _default_name(pullzone, print_of_token),
        pullzone=pullzone,
        colour=int(print_of_token[:4], 16) % COLOURS,
    )
    account.keep_token(token)
    try:
        with transaction.atomic():
            account.save()
    except IntegrityError:  # the same token signed in at the same moment, elsewhere
        return Account.objects.select_related("parent").get(fingerprint=print_of_token)
    return account


def _default_name(pullzone: str, print_of_token: str) -> str:
    """A name until the person gives one: the platform has no documented read of it."""
    return _("Account %(mark)s") % {"mark": pullzone or print_of_token[:6]}
