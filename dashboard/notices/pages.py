"""View models of an account's settings of notices."""

import uuid
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.notices import registry, subscriptions
from dashboard.notices.models import Subscription
from dashboard.notices.subscriptions import RHYTHMS, State
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.upstream import clients

BADGES = {
    State.ASKED: ("queue", "queue"),
    State.OLD: ("expired", "expired"),
    State.ON: ("finished", "finished"),
    State.REFUSED: ("error", "error"),
}
"""By state: class and shape of its badge."""


@dataclass(frozen=True)
class RhythmChoice:
    """How often, to choose."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class AddressRow:
    """An address of the account."""

    id: str
    address: str
    kind: str
    shape: str
    word: str
    sentence: str
    letters: str
    action: str
    rhythms: tuple[RhythmChoice, ...]
    is_on: bool
    key: str
    """Of this form: a test sent twice is one."""


@dataclass(frozen=True)
class SettingsPage:
    """notices/settings.html. `trouble`: why no e-mail is offered, else empty."""

    addresses: tuple[AddressRow, ...]
    trouble: str
    mailbox: str
    zone: str


def build_settings_page(account: Account) -> SettingsPage:
    """The settings of an account."""
    offered = subscriptions.is_offered()
    return SettingsPage(
        addresses=tuple(map(_build_row, subscriptions.list_of_account(account))),
        trouble="" if offered else _("E-mail is not set up on this server. Set EMAIL_URL and EMAIL_FROM to offer it."),
        mailbox=address("notices:mailbox") if clients.embedded() else "",
        zone=formats.zone_name().replace("_", " "),
    )


def build_rhythms(current: str) -> tuple[RhythmChoice, ...]:
    """The choices, one of them chosen."""
    return tuple(RhythmChoice(value, str(label), value == current) for value, label in RHYTHMS)


def _build_row(subscription: Subscription) -> AddressRow:
    state = subscriptions.get_state(subscription)
    kind, shape = BADGES[state]
    words = {
        State.ASKED: (_("Not confirmed yet"), _("Press the button in the e-mail that was sent to it.")),
        State.OLD: (_("Confirmation expired"), _("Delete the address and add it again to get a new confirmation.")),
        State.ON: (_("Confirmed"), ""),
        State.REFUSED: (_("Address refused"), _("The mail server refused it: there is no such address.")),
    }
    word, sentence = words[state]
    subjects = registry.list_subjects(subscription.pk)
    return AddressRow(
        id=str(subscription.pk),
        address=subscriptions.get_masked_address(subscription) or _("unreadable address"),
        kind=kind,
        shape=shape,
        word=word,
        sentence=sentence,
        letters=_("Also gets %(what)s.") % {"what": ", ".join(subjects)} if subjects else "",
        action=address("notices:address", subscription.pk),
        rhythms=build_rhythms(subscription.every),
        is_on=state == State.ON,
        key=str(uuid.uuid4()),
    )
