"""What features know of every video of an account, such as its comments: lists show and search it without knowing the feature."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dashboard.accounts.models import Account


@dataclass(frozen=True)
class VideoFacts:
    """A fact by video id; `rest` is that of every other video, None where it is not known. Plain values: caches hold them."""

    values: Mapping[str, Any]
    rest: Any = None


@dataclass(frozen=True)
class VideoSource:
    """One fact. `version` is another one whenever `load` would bring something else; both read nothing of the platform.

    `refresh` reads anew beside a page what is older than its interval, in few calls for all videos.
    """

    name: str
    version: Callable[["Account"], Hashable]
    load: Callable[["Account"], VideoFacts]
    refresh: Callable[["Account"], None] | None = None


SOURCES: Final[dict[str, VideoSource]] = {}


def register_source(source: VideoSource) -> None:
    """Let lists show the fact. A second source of the same name replaces the first."""
    SOURCES[source.name] = source
