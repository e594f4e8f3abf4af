"""Asking for e-mails, confirming, stopping, and forgetting addresses."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from dashboard.accounts import identity
from dashboard.accounts.models import Account
from dashboard.notices import mailing, rules
from dashboard.notices.models import LinkChoice, Mail, Subscription
from dashboard.notices.rules import Every
from dashboard.shared.callers import address_of, network_of, wait_for_all
from dashboard.shared.vault import Unreadable, seal
from dashboard.upstream import clients

ADDRESS_MOST = 254
RHYTHMS = [
    (Every.NOW.value, _("At once (bundled over 5 minutes)")),
    (Every.HOUR.value, _("Every hour")),
    (Every.DAY.value, _("Once a day, in the morning")),
    (Every.NONE.value, _("Never")),
]
"""How often an address gets e-mails, as choices."""


class State(StrEnum):
    """How an address stands, for whoever left it."""

    OFF = "off"
    ASKED = "asked"
    OLD = "old"
    """The confirmation was not used in time."""
    ON = "on"
    REFUSED = "refused"
    """The mail server knows no such address."""
    STOPPED = "stopped"


class Asked(StrEnum):
    """What came of asking."""

    SENT = "sent"
    WRONG = "wrong"
    TOO_OFTEN = "too-often"


@dataclass(frozen=True)
class Audience:
    """Who asks: an account's people, or a reviewer of a review link."""

    account: Account | None = None
    scope: str = ""
    person: str = ""


def is_offered() -> bool:
    """Whether e-mails can be sent at all; in the demo they are kept and shown."""
    return clients.embedded() or bool(settings.MAIL_SERVER.host and settings.EMAIL_FROM)


def find(audience: Audience) -> Subscription | None:
    """A reviewer's address, if they left one."""
    return Subscription.objects.filter(account=None, scope=audience.scope, person=audience.person).first()


def list_of_account(account: Account | UUID) -> list[Subscription]:
    """The addresses of an account's people that were not stopped, oldest first."""
    return list(Subscription.objects.filter(account=account, stopped_at=None).order_by("asked_at"))


def get_state(subscription: Subscription | None) -> State:
    """How it stands; OFF where nothing was left."""
    if subscription is None:
        return State.OFF
    if subscription.stopped_at is not None:
        return State.STOPPED
    if subscription.refused_at is not None:
        return State.REFUSED
    if subscription.confirmed_at is not None:
        return State.ON
    return State.OLD if timezone.now() - subscription.asked_at > rules.CONFIRMABLE else State.ASKED


def get_masked_address(subscription: Subscription) -> str:
    """The address so that its owner recognises it, and nobody else learns it; "" where it cannot be opened."""
    try:
        return rules.mask_address(subscription.address) if subscription.sealed_address else ""
    except Unreadable:
        return ""


def is_address(address: str) -> bool:
    """Whether an e-mail could be sent there: never to the mail server's own machine, nor to one named by its number."""
    try:
        EmailValidator(allowlist=[])(address)
    except ValidationError:
        return False
    return len(address) <= ADDRESS_MOST and address.isprintable() and not address.endswith("]")


def ask(request: HttpRequest, audience: Audience, address: str, every: Every = Every.NOW) -> Asked:
    """Keep the address and send it a confirmation. The same address again gets another confirmation, within the limits.

    What comes back says nothing of whether the address is known, or was stopped. An address that the account's people have
    confirmed gets no confirmation, so the limits of confirmations do not count it.
    """
    address = address.strip()
    if not is_address(address):
        return Asked.WRONG
    known = find_address(audience.account, address) if audience.account else None
    network, fingerprint = network_of(address_of(request)), _fingerprint(address)
    place = audience.scope or str(audience.account.pk if audience.account else "")
    person = f"{place}:{audience.person or network}"
    if not (known and known.is_on) and wait_for_all(
        (f"notices-person:{person}", rules.ASKS_PER_PERSON),
        (f"notices-network:{network}", rules.ASKS_PER_NETWORK),
        (f"notices-place:{place}", rules.ASKS_PER_LINK),
    ):
        return Asked.TOO_OFTEN
    may_send = not wait_for_all(
        (f"notices-address:{fingerprint}:{person}", rules.ADDRESS_PER_PERSON),
        (f"notices-address:{fingerprint}:{network}", rules.ADDRESS_PER_NETWORK),
        (f"notices-address:{fingerprint}", rules.ADDRESS_BY_ALL),
    )
    save = partial(_save, request, audience, address, fingerprint, every, is_new_asking=may_send)
    try:
        save()
    except IntegrityError:  # another press of the form has left the same address: now it is there
        save()
    return Asked.SENT


def _fingerprint(address: str) -> str:
    return identity.fingerprint(f"address:{address.casefold()}")


@transaction.atomic
def _save(
    request: HttpRequest, audience: Audience, address: str, fingerprint: str, every: Every, *, is_new_asking: bool
) -> None:
    """Keep the asking and send its confirmation. An address that is on gets what it gets in the rhythm chosen last."""
    subscription = _save_row(request, audience, address, fingerprint, every, is_new_asking=is_new_asking)
    if audience.account is not None and subscription.every != every:
        change_rhythm(subscription, every)
    if subscription.confirmed_at is None and is_new_asking:
        mailing.begin(subscription, Mail.Kind.CONFIRM, subscription.nonce)


def _save_row(
    request: HttpRequest, audience: Audience, address: str, fingerprint: str, every: Every, *, is_new_asking: bool
) -> Subscription:
    """The row of this asking. One that is on already stays on for the same address.

    Without a new asking, the confirmation that was sent for the same address stays the one that works. So does one that has
    not left yet: a form that is pressed twice sends one.
    """
    account = audience.account
    mine = Subscription.objects.select_for_update().filter(account=account)
    row = (
        mine.filter(fingerprint=fingerprint).first()
        if account
        else mine.filter(scope=audience.scope, person=audience.person).first()
    ) or Subscription(account=account, scope=audience.scope, person=audience.person)
    if row.is_on and row.fingerprint == fingerprint:
        return row
    is_same = row.fingerprint == fingerprint
    if row.fingerprint and not is_same:
        mailing.drop_open(row)
        row.mails.all().delete()
    row.sealed_address, row.fingerprint = seal(address), fingerprint
    row.origin = request.build_absolute_uri("/").rstrip("/")
    row.language = get_language() or settings.LANGUAGE_CODE
    row.zone = timezone.get_current_timezone_name()
    if account is not None:
        row.every = every
    is_kept = is_same and bool(row.nonce) and (not is_new_asking or mailing.is_asking(row))
    if not is_kept:
        row.nonce, row.asked_at = get_random_string(24), timezone.now()
    row.confirmed_at = row.stopped_at = row.refused_at = None
    row.__dict__.pop("address", None)
    row.save()
    return row


def find_address(account: Account, address: str) -> Subscription | None:
    """The account's row of an address; None where it was never left, or is stopped."""
    fingerprint = _fingerprint(address.strip())
    return Subscription.objects.filter(account=account, fingerprint=fingerprint, stopped_at=None).first()


def lock(subscription: Subscription) -> None:
    """Let nobody else ask for the address until the transaction ends."""
    Subscription.objects.select_for_update().filter(pk=subscription.pk).first()


def send_letter(subscription: Subscription, source: str, ref: str) -> None:
    """Let `source` of `registry.LETTERS` write to the address at once; the same `ref` again is the same letter."""
    mailing.begin(subscription, Mail.Kind.LETTER, ref, source=source)


def confirm(subscription: Subscription) -> None:
    """Begin to send e-mails to the address."""
    waiting = Subscription.objects.filter(pk=subscription.pk, nonce=subscription.nonce, stopped_at=None)
    waiting.filter(confirmed_at=None).update(confirmed_at=timezone.now())
    subscription.refresh_from_db()


def stop(subscription: Subscription) -> None:
    """Send nothing any more, and forget the address at once. A reviewer's row stays, and says that it was stopped."""
    with transaction.atomic():
        mailing.drop_open(subscription)
        if subscription.account_id is not None:
            subscription.delete()
            return
        subscription.mails.all().delete()
        subscription.sealed_address = subscription.fingerprint = subscription.nonce = ""
        subscription.stopped_at = timezone.now()
        subscription.__dict__.pop("address", None)
        subscription.save()


def change_rhythm(subscription: Subscription, every: Every) -> None:
    """Send as often as this from now on; what waits leaves with the new rhythm."""
    with transaction.atomic():
        Subscription.objects.filter(pk=subscription.pk).update(every=every)
        subscription.every = every
        mailing.plan_again(subscription)


def choose_for_link(account: Account, scope: str, every: Every | None) -> None:
    """How often an account hears of one link; None: as of all others."""
    with transaction.atomic():
        if every is None:
            LinkChoice.objects.filter(account=account, scope=scope).delete()
        else:
            LinkChoice.objects.update_or_create(account=account, scope=scope, defaults={"every": every})
        for subscription in list_of_account(account):
            mailing.plan_again(subscription)


def get_choice(account: Account, scope: str) -> Every | None:
    """What the account chose for one link; None where it chose nothing."""
    every = LinkChoice.objects.filter(account=account, scope=scope).values_list("every", flat=True).first()
    return Every(every) if every else None


def list_left_on() -> set[str]:
    """The links on which reviewers left addresses."""
    return set(Subscription.objects.filter(account=None).values_list("scope", flat=True))


def delete_left_on(scopes: Collection[str]) -> int:
    """Delete the addresses that reviewers left on these links. Returns how many that were."""
    rows = list(Subscription.objects.filter(account=None, scope__in=scopes))
    for row in rows:
        mailing.drop_open(row)
        row.delete()
    return len(rows)


def delete_unconfirmed() -> int:
    """Delete addresses that nobody confirmed, or that were refused, long ago. Returns how many that were."""
    before = timezone.now() - rules.FORGET
    old = Subscription.objects.filter(asked_at__lt=before)
    rows = [*old.filter(confirmed_at=None), *old.filter(refused_at__lt=before)]
    for row in rows:
        row.delete()
    return len(rows)
