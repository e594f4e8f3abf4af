"""Which videos a query selects, for actions on many of them: a feature asks here, and the list of videos answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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


Loader = Callable[[Account, str, str], Selection]
_loaders: dict[str, Loader] = {}


def register_loader(loader: Loader) -> Loader:
    """Let `loader` say what a query selects. There is one: the list of videos registers it when the app starts."""
    _loaders["videos"] = loader
    return loader


def load_selection(account: Account, query: str, person: str = "") -> Selection:
    """The videos of the account that match a query, as the list shows them to `person` ("" selects all). Reads nothing
    anew unless the list was never read.

    Raises the `PlatformError` of a list that could not be read.
    """
    return _loaders["videos"](account, query, person)
