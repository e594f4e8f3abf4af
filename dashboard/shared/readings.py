"""Reading the platform for figures: once per question however many ask, side by side, the last good answer kept.

The cache holds what was read last; `last_good` holds answers about figures once more, for when the cache is gone.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from dashboard import clients
from dashboard.platform_api import Platform
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.platform_api.records.analytics import Analytics
from dashboard.shared import last_good
from dashboard.shared.fan_out import Failed, Late, Outcome, Ready, gather
from dashboard.shared.http import OwnerRequest
from dashboard.shared.ranges import Days
from dashboard.shared.single_flight import Reading, kept_reading, shared_reading

CLOSED_SECONDS: Final = 12 * 60 * 60
"""Days that are over do not change any more."""

OPEN_SECONDS: Final = 120
"""Today does, but nobody needs it by the second."""

TOKEN_IN_A_FORM_OF_ITS_OWN: Final = frozenset({"analytics.traffic"})
"""Operations to which the token travels differently [5]: a 401 there may be about the form, so it belongs to the panel."""


@dataclass(frozen=True)
class Ask:
    """One question to the platform: an operation as `group.method`, and its arguments."""

    operation: str
    arguments: tuple[tuple[str, Any], ...]
    seconds: float = OPEN_SECONDS

    @property
    def question(self) -> str:
        """The question in short. Typed texts go in as a digest: a key has neither spaces nor any length."""
        digest = blake2b(repr(self.arguments).encode(), digest_size=16).hexdigest()
        return f"{self.operation}:{digest}"

    def key(self, account: object) -> str:
        """The question's place in the cache."""
        return f"figures:{account}:{self.question}"

    def put(self, platform: Platform) -> Any:
        """Sends the question."""
        group, method = self.operation.split(".")
        return getattr(getattr(platform, group), method)(**dict(self.arguments))


@dataclass(frozen=True)
class Got:
    """What came back: the answer (an `Analytics`, or the record of the question) and when it was read, an error, or
    neither where it is late. With `value` and `error` both set, the value is the last good one; so it is with `behind`,
    where the new answer is on its way.
    """

    value: Any
    at: datetime | None = None
    error: PlatformError | None = None
    behind: bool = False

    @property
    def late(self) -> bool:
        return self.value is None and self.error is None

    @property
    def old(self) -> bool:
        """Whether the value is not what was asked for just now but the last good one."""
        return self.value is not None and (self.behind or self.error is not None)


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


def read(
    request: OwnerRequest,
    asks: Mapping[str, Ask],
    *,
    patience: float | None = None,
    only: Collection[str] | None = None,
) -> dict[str, Got]:
    """Puts every question, each one once, and returns what came within the page's patience (seconds).

    With `only`, the questions of other names are not put: they bring what is kept of them, however old.
    Raises `BadToken`: that is about the account and not about a panel (but see `TOKEN_IN_A_FORM_OF_ITS_OWN`).
    """
    put = asks if only is None else {name: one for name, one in asks.items() if name in only}
    return understood(request, asks, gather(patience, **reads(request, put)), asked=only)


def reads(request: OwnerRequest, asks: Mapping[str, Ask]) -> dict[str, Callable[[], Reading[Any]]]:
    """The questions as reads for a `gather` of the page's own, each one once; `understood` takes what it brought."""
    account, platform = request.account.pk, clients.platform(request)
    single = {one.key(account): one for one in asks.values()}
    return {key: _reader(account, one, platform) for key, one in single.items()}


def understood(
    request: OwnerRequest,
    asks: Mapping[str, Ask],
    outcomes: Mapping[str, Outcome],
    *,
    asked: Collection[str] | None = None,
) -> dict[str, Got]:
    """What came back, by the names of `asks`. `outcomes` may hold more than these. Raises `BadToken`.

    Names that are not in `asked` were not put on purpose: what is kept of them is no less good for that.
    """
    account = request.account.pk
    brought = {name: outcomes.get(one.key(account), Late()) for name, one in asks.items()}
    missing = {name: one for name, one in asks.items() if not isinstance(brought[name], Ready)}
    kept = _kept(account, missing)
    return {
        name: _understood(outcome, kept.get(name), put=asked is None or name in asked)
        for name, outcome in brought.items()
    }


def _kept(account: UUID, missing: Mapping[str, Ask]) -> dict[str, Reading[Any]]:
    """The last good answers to questions that brought none: of the cache, else of the database."""
    cached = {name: kept_reading(one.key(account)) for name, one in missing.items()}
    found = {name: reading for name, reading in cached.items() if reading is not None}
    rest = {name: one.question for name, one in missing.items() if name not in found}
    stored = last_good.kept(account, set(rest.values())) if rest else {}
    return {**found, **{name: stored[question] for name, question in rest.items() if question in stored}}


def _understood(outcome: Outcome, kept: Reading[Any] | None, *, put: bool) -> Got:
    if isinstance(outcome, Ready):
        return _got(outcome.value)
    if isinstance(outcome, Failed):
        _about_the_account(outcome.error)
        return Got(None, None, outcome.error) if kept is None else Got(kept.value, _moment(kept), outcome.error)
    return Got(kept.value, _moment(kept), behind=put) if kept else Got(None)


def whole_patience() -> float:
    """How long a panel that was asked for alone may take: as long as the platform is given."""
    return float(settings.PLATFORM_TIMEOUT)


def _reader(account: UUID, one: Ask, platform: Platform) -> Callable[[], Reading[Any]]:
    def put() -> Any:
        answer = one.put(platform)
        if isinstance(answer, Analytics):
            last_good.keep(account, one.question, answer)
        return answer

    return lambda: shared_reading(one.key(account), one.seconds, put, patience=whole_patience())


def _about_the_account(error: PlatformError | None) -> None:
    if isinstance(error, BadToken) and error.operation not in TOKEN_IN_A_FORM_OF_ITS_OWN:
        raise error


def _got(reading: Reading[Any]) -> Got:
    _about_the_account(reading.error)
    return Got(reading.value, _moment(reading), reading.error)


def _moment(reading: Reading[Any]) -> datetime:
    return datetime.fromtimestamp(reading.at, UTC)
