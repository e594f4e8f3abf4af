"""What the templates of sub-accounts get: every decision is already a boolean or a sentence."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.shared import words
from dashboard.sub_accounts.models import Creation, State


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
        rows=tuple(_created(creation) for creation in creations),
        connected=tuple(
            Row(child.name, "", _("Connected"), "finished", "", reverse("accounts:account", args=[child.pk]))
            for child in children
        ),
    )


def _created(creation: Creation) -> Row:
    state, shape = {
        State.SENDING: (_("Not confirmed"), "unknown"),
        State.CREATING: (_("Creating"), "running"),
        State.UNCONFIRMED: (_("Not confirmed"), "unknown"),
    }[State(creation.state)]
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


def sub_account_page(creation: Creation) -> SubAccountPage:
    """One creation: what is known, what cannot be known, and what to do next."""
    return SubAccountPage(_created(creation), creation.organization_id, creation.state != State.CREATING)
