"""What a feature says about itself in its `apps.py`: other features show it without importing the feature."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar
from uuid import UUID

from django.apps import AppConfig, apps
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from dashboard.accounts.models import Account
    from dashboard.shared.http import OwnerRequest


@dataclass(frozen=True)
class Count:
    """How much waits at a place: its number, and the same in words ("31 unanswered")."""

    number: str
    words: str


@dataclass(frozen=True)
class Place:
    """One link of the navigation: its group (`navigation.GROUPS`), its position there, its view, its label (a msgid)."""

    group: str
    order: int
    view: str
    label: str
    icon: str
    count: str = ""
    """The dotted name of a function of the account that counts what waits there (`Count`, None for nothing)."""


@dataclass(frozen=True)
class Action:
    """One line of the search's actions: its position, its label (a msgid), the view it opens and that view's query."""

    order: int
    label: str
    view: str
    icon: str
    query: Mapping[str, str] = field(default_factory=dict)


class Feature(AppConfig):
    """App of a feature. Subclass it as `feature.Feature`: Django takes the only AppConfig that stands in an `apps.py`."""

    registers: ClassVar[tuple[str, ...]] = ()
    """Modules imported at start, because they register what other features call: `writes`, `tasks`, `undo`, `refusals`,
    `overview_items`, `search_provider`, `video_panel`."""
    places: ClassVar[tuple[Place, ...]] = ()
    actions: ClassVar[tuple[Action, ...]] = ()
    operation_names: ClassVar[Mapping[str, str]] = {}
    """What Activity calls the operations that this feature sends (msgids), by the platform client's methods."""
    demo: ClassVar[str] = ""
    """The dotted name of a function that prepares a new demo: of the owner's account and the cast. It makes there what the
    platform does not know."""
    annotated_operations: ClassVar[tuple[str, ...]] = ()
    """Operations that charts mark, because they may change what people watch."""
    tallies: ClassVar[Mapping[str, str]] = {}
    """What this feature counts for several accounts at once, by name: dotted names of functions for `tally`."""

    def ready(self) -> None:
        """Import what `registers` names."""
        for module in self.registers:
            import_module(f"{self.name}.{module}")


def list_features() -> list[Feature]:
    """The installed features, in the order of INSTALLED_APPS."""
    return [config for config in apps.get_app_configs() if isinstance(config, Feature)]


def tally(name: str, accounts: "Sequence[Account]") -> dict[UUID, int] | None:
    """How many of `name` ("waiting", "running") each account has, by its id; None where no feature counts them."""
    dotted = next((config.tallies[name] for config in list_features() if name in config.tallies), None)
    if dotted is None:
        return None
    counts: dict[UUID, int] = import_string(dotted)(accounts)
    return {account.pk: counts.get(account.pk, 0) for account in accounts}


Reader = Callable[["OwnerRequest", UUID], object | None]


@dataclass(frozen=True)
class VideoPanel:
    """One panel: its word, its title (a msgid), its template, where it stands, and how its content is read."""

    name: str
    title: str
    template: str
    order: int
    read: Reader
    wide: bool = False
    """Stands under the film, where there is room; else in the narrow column."""


PANELS: dict[str, VideoPanel] = {}


def video_panel(name: str, *, title: str, template: str, order: int, wide: bool = False) -> Callable[[Reader], Reader]:
    """Register what a feature says about a video on that video's page. A second panel of the same name replaces the first.

    A feature names the module that does so in its `apps.py`:

        @video_panel("review_links", title=gettext_noop("Review links"), template="review_links/_video_panel.html", order=30)
        def review_links(request: OwnerRequest, video_id: UUID) -> LinksOfVideo | None: …

    What the function returns is `content` in its template; None leaves the panel out. It may read the platform and raise its
    `PlatformError`: the panels are read side by side, and a late or failed one says so in its own place.
    """

    def register(read: Reader) -> Reader:
        PANELS[name] = VideoPanel(name, title, template=template, order=order, read=read, wide=wide)
        return read

    return register


def panels() -> list[VideoPanel]:
    """Every panel, in the order of the page."""
    return sorted(PANELS.values(), key=lambda panel: (panel.order, panel.name))
