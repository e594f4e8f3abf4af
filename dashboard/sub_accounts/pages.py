"""View models of the sub-accounts templates."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.platform_api.records.organizations import Usage
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.listing import Listing
from dashboard.sub_accounts.portfolio_queries import TRAFFIC_NAMES
from dashboard.writes.models import State, Write
from dashboard.writes.pages import OpenWrite, open_write

CONNECTED = "finished"


@dataclass(frozen=True)
class SubAccountRow:
    """One sub-account that was created from here."""

    name: str
    detail: str
    state: str
    shape: str
    when: str
    address: str


@dataclass(frozen=True)
class UsageColumn:
    """One figure of the table. `known`: whether its name is ours, or the platform's own."""

    name: str
    known: bool


@dataclass(frozen=True)
class UsageCell:
    """One figure under the name of its column; "–" where it is not told."""

    label: str
    value: str


@dataclass(frozen=True)
class UsageRow:
    """What one sub-account uses."""

    name: str
    address: str
    """Where it is shown, where it was created from here."""
    state: str
    figures: tuple[UsageCell, ...]


@dataclass(frozen=True)
class UsagePanel:
    """templates/sub_accounts/_usage.html. `trouble`: why it is not known."""

    columns: tuple[UsageColumn, ...]
    rows: tuple[UsageRow, ...]
    foreign: bool
    """Whether a column has a name that only the platform knows."""
    trouble: str


@dataclass(frozen=True)
class SubAccountsPage:
    """templates/sub_accounts/sub_accounts.html. `usage`: None for an account that can have no sub-accounts."""

    parent_name: str
    rows: tuple[SubAccountRow, ...]
    usage: UsagePanel | None


def build_sub_accounts_page(
    account: Account, creations: list[Write], children: list[Account], usage: Listing[Usage] | None = None
) -> SubAccountsPage:
    """`creations` from here, newest first; `children` are connected accounts that name this one as their parent."""
    return SubAccountsPage(
        usage=None if usage is None else _build_usage(usage, creations),
        parent_name=account.parent.name if account.parent else "",
        rows=tuple(_build_row(creation, {child.name for child in children}) for creation in creations),
    )


Figure = tuple[str, Callable[[float], str]]


def _list_known_figures() -> dict[str, Figure]:
    """What figures of usual names are called, and how they are written: bytes where sizes are told in bytes elsewhere."""
    figures: dict[str, tuple[Figure, str]] = {
        "videos": ((_("Videos"), formats.number), "videos_count video_count videos total_videos"),
        "storage": ((_("Storage"), formats.file_size), "storage_size storage storage_used"),
        "traffic": ((_("Traffic"), formats.file_size), " ".join(TRAFFIC_NAMES)),
    }
    return {name: figure for figure, names in figures.values() for name in names.split()}


def _build_usage(usage: Listing[Usage], creations: list[Write]) -> UsagePanel:
    """The figures in the order in which the platform tells them."""
    figures_by_name = _list_known_figures()
    names = tuple(dict.fromkeys(name for row in usage.found for name in row.figures))
    creations_by_id = {(creation.result or {}).get("organization_id", ""): creation for creation in creations}
    trouble = usage.trouble
    if usage.unlisted:
        trouble = _("This platform does not give it over its API. See the platform’s own pages.")
    return UsagePanel(
        columns=tuple(
            UsageColumn(figures_by_name[name][0] if name in figures_by_name else name, name in figures_by_name)
            for name in names
        ),
        rows=tuple(_build_usage_row(row, names, figures_by_name, creations_by_id) for row in usage.found),
        foreign=any(name not in figures_by_name for name in names),
        trouble=trouble,
    )


def _build_usage_row(
    usage: Usage, names: tuple[str, ...], figures_by_name: dict[str, Figure], creations_by_id: dict[str, Write]
) -> UsageRow:
    creation = creations_by_id.get(usage.organization_id) if usage.organization_id else None
    figures = [
        UsageCell(*_format_figure(figures_by_name.get(name, (name, formats.number)), usage.figures.get(name)))
        for name in names
    ]
    return UsageRow(
        name=usage.name or usage.organization_id,
        address=reverse("sub_accounts:sub_account", args=[creation.pk]) if creation else "",
        state={"active": _("Active"), "creating": _("Creating")}.get(usage.status.lower(), usage.status),
        figures=tuple(figures),
    )


def _format_figure(figure: Figure, value: float | None) -> tuple[str, str]:
    label, write = figure
    return label, "–" if value is None else write(value)


def _build_row(creation: Write, connected: set[str]) -> SubAccountRow:
    """The platform never says that it is ready; an account of its name that is connected here is."""
    state, shape = {
        State.DONE: (_("Creating"), "running"),
        State.REFUSED: (_("Refused"), "error"),
        State.SENDING: (_("Sending"), "running"),
    }.get(State(creation.state), (_("Not confirmed"), "unknown"))
    if creation.label in connected:
        state, shape = _("Connected"), CONNECTED
    return SubAccountRow(
        name=creation.label,
        detail=creation.request["user"]["email"],
        state=state,
        shape=shape,
        when=formats.ago(creation.sent_at or creation.created_at),
        address=reverse("sub_accounts:sub_account", args=[creation.pk]),
    )


@dataclass(frozen=True)
class SubAccountPage:
    """templates/sub_accounts/sub_account.html and its polled part."""

    row: SubAccountRow
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


def build_sub_account_page(creation: Write, children: list[Account]) -> SubAccountPage:
    """One creation: what is known, what cannot be known, and what to do next."""
    row = _build_row(creation, {child.name for child in children})
    connected, refused = row.shape == CONNECTED, creation.state == State.REFUSED
    organization_id = (creation.result or {}).get("organization_id", "")
    connect = address(
        "accounts:sign_in", add=1, parent=creation.account_id, called=creation.label, organization=organization_id
    )
    return SubAccountPage(
        row=row,
        organization_id=organization_id,
        open=None if connected else open_write(creation),
        refusal=_format_refusal(creation) if refused and not connected else "",
        connect="" if connected or refused else connect,
        connected=connected,
        progress=reverse("sub_accounts:progress", args=[creation.pk]),
        arrived=reverse("sub_accounts:arrived", args=[creation.pk]),
        again=reverse("sub_accounts:again", args=[creation.pk]),
        version=f"{creation.state}-{creation.attempt}-{connected:d}",
    )


def _format_refusal(creation: Write) -> str:
    if creation.error is None:
        return _("Nothing was sent. Create the sub-account again.")
    return f"{refusals.explain(creation.error).cause} " + _("Nothing was created.")
