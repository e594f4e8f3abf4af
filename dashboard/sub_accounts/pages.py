"""What the templates of sub-accounts get: every decision is already a boolean or a sentence."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.shared import words
from dashboard.shared.addresses import address
from dashboard.sub_accounts.models import Creation, State

CONNECTED = "finished"


@dataclass(frozen=True)
class Row:
    """One sub-account that was created from here, or is connected here."""

    name: str
    detail: str
    state: str
    shape: str
    when: str
    address: str


@dataclass(frozen=True)
class SubAccountsPage:
    """templates/sub_accounts/sub_accounts.html."""

    parent_name: str
    rows: tuple[Row, ...]
    connected: tuple[Row, ...]


def sub_accounts_page(account: Account, creations: list[Creation], children: list[Account]) -> SubAccountsPage:
    """`creations` from here, newest first; `children` are connected accounts that name this one as their parent."""
    return SubAccountsPage(
        parent_name=account.parent.name if account.parent else "",
        rows=tuple(_created(creation, {child.name for child in children}) for creation in creations),
        connected=tuple(
            Row(child.name, "", _("Connected"), CONNECTED, "", reverse("accounts:account", args=[child.pk]))
            for child in children
        ),
    )


def _created(creation: Creation, connected: set[str]) -> Row:
    """The platform never says that it is ready; an account of its name that is connected here is."""
    state, shape = {
        State.SENDING: (_("Not confirmed"), "unknown"),
        State.CREATING: (_("Creating"), "running"),
        State.UNCONFIRMED: (_("Not confirmed"), "unknown"),
    }[State(creation.state)]
    if creation.name in connected:
        state, shape = _("Connected"), CONNECTED
    return Row(
        name=creation.name,
        detail=creation.administrator,
        state=state,
        shape=shape,
        when=words.ago(creation.at),
        address=reverse("sub_accounts:sub_account", args=[creation.key]),
    )


@dataclass(frozen=True)
class SubAccountPage:
    """templates/sub_accounts/sub_account.html."""

    row: Row
    organization_id: str
    unconfirmed: bool
    connect: str
    """Where its token is connected; "" once it is."""


def sub_account_page(creation: Creation, children: list[Account]) -> SubAccountPage:
    """One creation: what is known, what cannot be known, and what to do next."""
    row = _created(creation, {child.name for child in children})
    connect = address("accounts:sign_in", add=1, parent=creation.account_id, called=creation.name)
    return SubAccountPage(
        row=row,
        organization_id=creation.organization_id,
        unconfirmed=creation.state != State.CREATING and row.shape != CONNECTED,
        connect="" if row.shape == CONNECTED else connect,
    )
