"""Reading the platform for figures: once per question however many ask, side by side, the last good answer kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import blake2b
from typing import Any, Final

from django.conf import settings

from dashboard import clients
from dashboard.platform_api import Platform
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared.fan_out import Failed, Outcome, Ready, gather
from dashboard.shared.http import OwnerRequest
from dashboard.shared.ranges import Days
from dashboard.shared.single_flight import Reading, kept_reading, shared_reading

CLOSED_SECONDS: Final = 12 * 60 * 60
"""Days that are over do not change any more."""

OPEN_SECONDS: Final = 120
"""Today does, but nobody needs it by the second."""


@dataclass(frozen=True)
class Ask:
    """One question to the platform: an operation as `group.method`, and its arguments."""

    operation: str
    arguments: tuple[tuple[str, Any], ...]
    seconds: float = OPEN_SECONDS

    def key(self, account: object) -> str:
        """The question's place in the cache. Typed texts go in as a digest: a key has neither spaces nor any length."""
        digest = blake2b(repr(self.arguments).encode(), digest_size=16).hexdigest()
        return f"figures:{account}:{self.operation}:{digest}"

    def put(self, platform: Platform) -> Any:
        """Sends the question."""
        group, method = self.operation.split(".")
        return getattr(getattr(platform, group), method)(**dict(self.arguments))


@dataclass(frozen=True)
class Got:
    """What came back: the answer (an `Analytics`, or the record of the question) and when it was read, an error, or
    neither where it is late. With `value` and `error` both set, the value is the last good one.
    """

    value: Any
    at: datetime | None = None
    error: PlatformError | None = None

    @property
    def late(self) -> bool:
        return self.value is None and self.error is None


def ask(operation: str, days: Days | None, settled: date, **arguments: Any) -> Ask:
    """A question of `analytics` about days; `settled` is the first day that is not over."""
    seconds = CLOSED_SECONDS if days is not None and days.end < settled else OPEN_SECONDS
    dated = {"start": days.start, "end": days.end} if days is not None else {}
    given = {name: value for name, value in {**dated, **arguments}.items() if value not in (None, "")}
    return Ask(f"analytics.{operation}", tuple(sorted(given.items())), seconds)


VIDEO_SECONDS: Final = 300
LIST_SECONDS: Final = 60
OFFERED: Final = 100
"""How many videos a chooser offers; the rest is found by title."""


def video_ask(video_id: str) -> Ask:
    """The record of one video, for its title, and to know that it belongs to this account."""
    return Ask("videos.get", (("video_id", video_id),), VIDEO_SECONDS)


def list_ask(find: str) -> Ask:
    """The videos to choose from."""
    return Ask("videos.list", (("limit", OFFERED), *((("title", find),) if find else ())), LIST_SECONDS)


def read(request: OwnerRequest, asks: Mapping[str, Ask], *, patience: float | None = None) -> dict[str, Got]:
    """Puts every question, each one once, and returns what came within the page's patience (seconds).

    Raises `BadToken`: that is about the account and not about a panel.
    """
    return understood(request, asks, gather(patience, **reads(request, asks)))


def reads(request: OwnerRequest, asks: Mapping[str, Ask]) -> dict[str, Callable[[], Reading[Any]]]:
    """The questions as reads for a `gather` of the page's own, each one once; `understood` takes what it brought."""
    account, platform = request.account.pk, clients.platform(request)
    single = {one.key(account): one for one in asks.values()}
    return {key: _reader(key, one, platform) for key, one in single.items()}


def understood(request: OwnerRequest, asks: Mapping[str, Ask], outcomes: Mapping[str, Outcome]) -> dict[str, Got]:
    """What came back, by the names of `asks`. `outcomes` may hold more than these. Raises `BadToken`."""
    return {name: _understood(key, outcomes[key]) for name, one in asks.items() if (key := one.key(request.account.pk))}


def _understood(key: str, outcome: Outcome) -> Got:
    if isinstance(outcome, Ready):
        return _got(outcome.value)
    if isinstance(outcome, Failed):
        if isinstance(outcome.error, BadToken):
            raise outcome.error
        return Got(None, None, outcome.error)
    kept = kept_reading(key)
    return _got(kept) if kept else Got(None)


def whole_patience() -> float:
    """How long a panel that was asked for alone may take: as long as the platform is given."""
    return float(settings.PLATFORM_TIMEOUT)


def _reader(key: str, one: Ask, platform: Platform) -> Callable[[], Reading[Any]]:
    return lambda: shared_reading(key, one.seconds, lambda: one.put(platform), patience=whole_patience())


def _got(reading: Reading[Any]) -> Got:
    if isinstance(reading.error, BadToken):
        raise reading.error
    return Got(reading.value, datetime.fromtimestamp(reading.at, UTC), reading.error)
