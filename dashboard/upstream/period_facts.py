"""What features keep of every video for any days, such as its traffic: reports show it without knowing the feature."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from dashboard.shared.days import Days

if TYPE_CHECKING:
    from dashboard.accounts.models import Account

PeriodSource = Callable[["Account", Days], "Mapping[str, float] | None"]
"""Returns the sums of some days by video id, nothing for a video without any; None where a day of a video is not known."""

_sources: Final[dict[str, PeriodSource]] = {}


def register_period_source(name: str, source: PeriodSource) -> None:
    """Let reports show the fact. It reads nothing of the platform."""
    _sources[name] = source


def load_period_facts(name: str, account: "Account", days: Days) -> Mapping[str, float] | None:
    """The sums of these days by video id; None where they are not known of every video, or nobody keeps them."""
    source = _sources.get(name)
    return source(account, days) if source else None
