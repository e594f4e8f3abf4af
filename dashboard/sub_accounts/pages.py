"""What the templates of sub-accounts get: every decision is already a boolean or a sentence."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.shared import refusals, words
from dashboard.shared.addresses import address
from dashboard.writes.models import State, Write
from dashboard.writes.pages import OpenWrite, open_write

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


def sub_accounts_page(account: Account, creations: list[Write], children: list[Account]) -> SubAccountsPage:
    """`creations` from here, newest first; `children` are connected accounts that name this one as their parent."""
    return SubAccountsPage(
        parent_name=account.parent.name if account.parent else "",
        rows=tuple(_created(creation, {child.name for child in children}) for creation in creations),
        connected=tuple(
            Row(child.name, "", _("Connected"), CONNECTED, "", reverse("accounts:account", args=[child.pk]))
            for child in children
        ),
    )


def _created(creation: Write, connected: set[str]) -> Row:
    """The platform never says that it is ready; an account of its name that is connected here is."""
    state, shape = {
        State.DONE: (_("Creating"), "running"),
        State.REFUSED: (_("Refused"), "error"),
        State.SENDING: (_("Sending"), "running"),
    }.get(State(creation.state), (_("Not confirmed"), "unknown"))
    if creation.label in connected:
        state, shape = _("Connected"), CONNECTED
    return Row(
        name=creation.label,
        detail=creation.request["user"]["email"],
        state=state,
        shape=shape,
        when=words.ago(creation.sent_at or creation.created_at),
        address=reverse("sub_accounts:sub_account", args=[creation.pk]),
    )


@dataclass(frozen=True)
class SubAccountPage:
    """templates/sub_accounts/sub_account.html and its polled part."""

    row: Row
    organization_id: str
    open: OpenWrite | None
    refusal: str
    connect: str
    """Where its token is connected; "" once it is, and where nothing was created."""
    connected: bool
    progress: str
    arrived: str
    again: str
    version: str


def sub_account_page(creation: Write, children: list[Account]) -> SubAccountPage:
    """One creation: what is known, what cannot be known, and what to do next."""
    row = _created(creation, {child.name for child in children})
    connected, refused = row.shape == CONNECTED, creation.state == State.REFUSED
    connect = address("accounts:sign_in", add=1, parent=creation.account_id, called=creation.label)
    return SubAccountPage(
        row=row,
        organization_id=(creation.result or {}).get("organization_id", ""),
        open=None if connected else open_write(creation),
        refusal=_refusal(creation) if refused and not connected else "",
        connect="" if connected or refused else connect,
        connected=connected,
        progress=reverse("sub_accounts:progress", args=[creation.pk]),
        arrived=reverse("sub_accounts:arrived", args=[creation.pk]),
        again=reverse("sub_accounts:again", args=[creation.pk]),
        version=f"{creation.state}-{creation.attempt}-{connected:d}",
    )


def _refusal(creation: Write) -> str:
    if creation.error is None:
        return _("Nothing was sent. Create the sub-account again.")
    return f"{refusals.explain(creation.error).cause} " + _("Nothing was created.")
