"""What the templates of accounts get: every decision is already a boolean or a sentence."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.accounts.models import Account, Device
from dashboard.shared import formats


@dataclass(frozen=True)
class SignInPage:
    """templates/accounts/sign_in.html."""

    next: str
    kept: bool
    carried: str
    """What was typed, signed, as the page hands it on."""
    lost: bool
    """More was typed than can be handed on."""
    demo: bool
    refused_name: str
    renew: str
    parent_name: str
    parent: str
    organization: str
    """The platform's id of the sub-account that is connected; "" where it is not known."""
    stays: bool
    """Whether the parent account stays in use."""


def sign_in_page(
    *,
    next_address: str,
    has_kept: bool,
    carried: str,
    lost: bool,
    refused: Account | None,
    demo: bool,
    parent: Account | None,
    organization: str,
    stays: bool,
) -> SignInPage:
    """`has_kept`: typed work waits; `refused`: the account whose token the platform turned down; `parent`: whose sub-account
    is connected, which the platform knows as `organization`; `stays`: whether the parent stays in use."""
    return SignInPage(
        next=next_address,
        kept=has_kept,
        carried=carried,
        lost=lost,
        demo=demo,
        refused_name=refused.name if refused else "",
        renew=str(refused.pk) if refused else "",
        parent_name=parent.name if parent else "",
        parent=str(parent.pk) if parent else "",
        organization=organization if parent else "",
        stays=stays and parent is not None,
    )


@dataclass(frozen=True)
class AccountRow:
    """One connected account."""

    id: uuid.UUID
    name: str
    kind: str
    colour: int
    in_use: bool


@dataclass(frozen=True)
class AccountsPage:
    """templates/accounts/accounts.html."""

    rows: tuple[AccountRow, ...]


def accounts_page(in_use: Account, connected: list[Account]) -> AccountsPage:
    """The connected accounts, the one in use marked."""
    return AccountsPage(tuple(account_row(account, in_use) for account in connected))


def account_row(account: Account, in_use: Account | None) -> AccountRow:
    """An account as the switcher shows it."""
    parent = account.parent
    kind = _("Sub-account of %(name)s") % {"name": parent.name} if parent else _("Parent account")
    return AccountRow(account.pk, account.name, kind, account.colour, in_use is not None and account.pk == in_use.pk)


@dataclass(frozen=True)
class DeviceRow:
    """One signed-in browser."""

    id: uuid.UUID
    name: str
    person: str
    signed_in: str
    """Date and time; "" where it is not known."""
    seen: str
    here: bool


@dataclass(frozen=True)
class DevicesPage:
    """templates/accounts/devices.html."""

    name: str
    rows: tuple[DeviceRow, ...]
    others: bool
    """Other browsers than this one are listed."""


def devices_page(account: Account, devices: Iterable[Device], session_key: str) -> DevicesPage:
    """The signed-in browsers, the one of the stored `session_key` first."""
    rows = [_device_row(device, here=device.session_key == session_key) for device in devices]
    rows.sort(key=lambda row: not row.here)
    return DevicesPage(account.name, tuple(rows), any(not row.here for row in rows))


def _device_row(device: Device, *, here: bool) -> DeviceRow:
    return DeviceRow(
        id=device.pk,
        name=device_name(device),
        person=device.person,
        signed_in=formats.moment(device.signed_in_at) if device.signed_in_at else "",
        seen=_("now") if here else formats.ago(device.seen_at),
        here=here,
    )


def device_name(device: Device) -> str:
    """Firefox on Windows, as far as it is known."""
    browser = device.browser or _("Unknown browser")
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": device.system} if device.system else browser


def refused_sentence(words: str) -> str:
    """Why the token does not work, with the platform's own words."""
    sentence = _(
        "The platform does not know this token. Copy it again, whole, from the settings of your video account."
    )
    return f"{sentence} " + _("The platform says: “%(words)s”.") % {"words": words} if words else sentence


def other_sentence(name: str) -> str:
    """Why the token of another account, which is connected already, connects no sub-account."""
    return _("This is the token of “%(name)s”. Paste the token of the sub-account itself.") % {"name": name}


def wait_sentence(seconds: int) -> str:
    """How long to wait after too many attempts."""
    minutes = max(1, -(-seconds // 60))
    return ngettext(
        "Too many attempts. Wait %(count)s minute, then try again.",
        "Too many attempts. Wait %(count)s minutes, then try again.",
        minutes,
    ) % {"count": minutes}
