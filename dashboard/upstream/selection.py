"""Which videos a query selects, for actions on many of them: a feature asks here, and the list of videos answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dashboard.accounts.models import Account


@dataclass(frozen=True)
class Selection:
    """The videos that match a query now, in the order of the list.

    `complete`: whether these are all: nothing that the query asks for is unknown of any video. `problem`: why the query
    selects nothing at all, as a sentence for people; "" where it does.
    """

    ids: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    """By id."""
    complete: bool = True
    problem: str = ""
    missing: tuple[str, ...] = ()
    """Languages that the query asks to be missing, in its own spelling."""


@dataclass(frozen=True)
class SavedQuery:
    """A query that a person saved under a name."""

    name: str
    query: str


Loader = Callable[["Account", str, str], Selection]
SavedLoader = Callable[["Account", str], "list[SavedQuery]"]
_loaders: dict[str, Loader] = {}
_saved_loaders: dict[str, SavedLoader] = {}


def register_loader(loader: Loader) -> Loader:
    """Let `loader` say what a query selects. There is one: the list of videos registers it when the app starts."""
    _loaders["videos"] = loader
    return loader


def load_selection(account: "Account", query: str, person: str = "") -> Selection:
    """The videos of the account that match a query, as the list shows them to `person` ("" selects all). Reads nothing
    anew unless the list was never read.

    Raises the `PlatformError` of a list that could not be read.
    """
    return _loaders["videos"](account, query, person)


def register_saved_loader(loader: SavedLoader) -> SavedLoader:
    """Let `loader` list what a person saved. There is one, as of selections."""
    _saved_loaders["videos"] = loader
    return loader


def list_saved_queries(account: "Account", person: str) -> list[SavedQuery]:
    """The queries that a person saved in this account, the oldest first."""
    return _saved_loaders["videos"](account, person)
