"""How the creation of a sub-account stands, and what the platform says that sub-accounts use."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.platform_api.organizations import Usage
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.refusals import Listing
from dashboard.sub_accounts.queries import TRAFFIC_NAMES
from dashboard.writes.models import State, Write
from dashboard.writes.pages import OpenWrite, open_write


@dataclass(frozen=True)
class Creation:
    """A sub-account that was created from here.

    The platform never says that it is ready; an account of its name that is connected here, as one of `children`, is.
    """

    write: Write
    children: list[Account]

    @cached_property
    def is_connected(self) -> bool:
        """Whether its token is connected here."""
        return any(child.name == self.write.label for child in self.children)

    @property
    def badge(self) -> tuple[str, str]:
        """The word of its state, and the shape."""
        if self.is_connected:
            return _("Connected"), "finished"
        return {
            State.DONE: (_("Creating"), "running"),
            State.REFUSED: (_("Refused"), "error"),
            State.SENDING: (_("Sending"), "running"),
        }.get(State(self.write.state), (_("Not confirmed"), "unknown"))

    @property
    def organization_id(self) -> str:
        """What the platform calls it; "" where that is not known."""
        return str((self.write.result or {}).get("organization_id", ""))

    @cached_property
    def notice(self) -> OpenWrite | None:
        """What is said while its end is open."""
        return None if self.is_connected else open_write(self.write)

    @property
    def version(self) -> str:
        """Changes with what its page shows."""
        return f"{self.write.state}-{self.write.attempt}-{self.is_connected:d}"

    @property
    def refusal(self) -> str:
        """Why it was not created; "" where it was, or may have been."""
        if self.is_connected or self.write.state != State.REFUSED:
            return ""
        if self.write.error is None:
            return _("Nothing was sent. Create the sub-account again.")
        return f"{refusals.explain(self.write.error).cause} " + _("Nothing was created.")

    @property
    def connect(self) -> str:
        """Where its token is connected; "" once it is, and where nothing was created."""
        if self.is_connected or self.write.state == State.REFUSED:
            return ""
        called, parent = self.write.label, self.write.account_id
        return address("accounts:sign_in", add=1, parent=parent, called=called, organization=self.organization_id)


@dataclass(frozen=True)
class UsageRow:
    """What one sub-account uses: `figures` are names of columns and values, "–" where one is not told.

    `address`: where it is shown, where it was created from here.
    """

    name: str
    address: str
    state: str
    figures: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class UsagePanel:
    """templates/sub_accounts/_usage.html. `columns`: names, and whether they are ours. `trouble`: why it is not known."""

    columns: tuple[tuple[str, bool], ...]
    rows: tuple[UsageRow, ...]
    trouble: str

    @property
    def is_foreign(self) -> bool:
        """Whether a column has a name that only the platform knows."""
        return not all(is_known for _name, is_known in self.columns)


Figure = tuple[str, Callable[[float], str]]


def _list_known_figures() -> dict[str, Figure]:
    """What figures of usual names are called, and how they are written: bytes where sizes are told in bytes elsewhere."""
    figures: dict[str, tuple[Figure, str]] = {
        "videos": ((_("Videos"), formats.number), "videos_count video_count videos total_videos"),
        "storage": ((_("Storage"), formats.file_size), "storage_size storage storage_used"),
        "traffic": ((_("Traffic"), formats.file_size), " ".join(TRAFFIC_NAMES)),
    }
    return {name: figure for figure, names in figures.values() for name in names.split()}


def build_usage(usage: Listing[Usage], creations: list[Write]) -> UsagePanel:
    """The figures in the order in which the platform tells them."""
    figures_by_name = _list_known_figures()
    names = tuple(dict.fromkeys(name for row in usage.found for name in row.figures))
    creations_by_id = {(creation.result or {}).get("organization_id", ""): creation for creation in creations}
    trouble = usage.trouble
    if usage.unlisted:
        trouble = _("This platform does not give it over its API. See the platform’s own pages.")
    return UsagePanel(
        columns=tuple(
            (figures_by_name[name][0] if name in figures_by_name else name, name in figures_by_name) for name in names
        ),
        rows=tuple(_build_usage_row(row, names, figures_by_name, creations_by_id) for row in usage.found),
        trouble=trouble,
    )


def _build_usage_row(
    usage: Usage, names: tuple[str, ...], figures_by_name: dict[str, Figure], creations_by_id: dict[str, Write]
) -> UsageRow:
    creation = creations_by_id.get(usage.organization_id) if usage.organization_id else None
    return UsageRow(
        name=usage.name or usage.organization_id,
        address=reverse("sub_accounts:sub_account", args=[creation.pk]) if creation else "",
        state={"active": _("Active"), "creating": _("Creating")}.get(usage.status.lower(), usage.status),
        figures=tuple(
            _format_figure(figures_by_name.get(name, (name, formats.number)), usage.figures.get(name)) for name in names
        ),
    )


def _format_figure(figure: Figure, value: float | None) -> tuple[str, str]:
    label, write = figure
    return label, "–" if value is None else write(value)
