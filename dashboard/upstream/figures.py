"""Reads figures of the platform: each query once, in parallel, with the last good answer as a fallback."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _

from dashboard.platform_api import Operations
from dashboard.platform_api.analytics import Analytics
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.shared import formats, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import HourSums
from dashboard.shared.ranges import Days
from dashboard.upstream import reads
from dashboard.upstream.library import name_videos
from dashboard.upstream.parallel import Failed, Outcome, Ready
from dashboard.upstream.reads import Condensed, Query, Reads

CLOSED_SECONDS: Final = 12 * 60 * 60
"""Seconds. Past days do not change any more."""

OPEN_SECONDS: Final = 120
"""Seconds. Today changes, but may be two minutes old."""

TOKEN_IN_A_FORM_OF_ITS_OWN: Final = frozenset({"analytics.traffic"})
"""Operations to which the token travels differently [5]: a 401 there may be about the form, so it belongs to the panel."""


OPERATIONS: Final[Mapping[str, Callable[[Operations], Callable[..., Any]]]] = {
    "analytics.browser": lambda platform: platform.analytics.browser,
    "analytics.city": lambda platform: platform.analytics.city,
    "analytics.general": lambda platform: platform.analytics.general,
    "analytics.member_referrals": lambda platform: platform.analytics.member_referrals,
    "analytics.ranking": lambda platform: platform.analytics.ranking,
    "analytics.referrer": lambda platform: platform.analytics.referrer,
    "analytics.retention": lambda platform: platform.analytics.retention,
    "analytics.traffic": lambda platform: platform.analytics.traffic,
    "comparisons.get": lambda platform: platform.comparisons.get,
    "folders.list": lambda platform: platform.folders.list,
    "videos.get": lambda platform: platform.videos.get,
    "videos.list": lambda platform: platform.videos.list,
}
"""What a `FigureQuery` can ask, by the operation's name."""


@dataclass(frozen=True)
class FigureQuery:
    """A query to the platform: an operation of `OPERATIONS`, its arguments, and how long its answer stays fresh."""

    operation: str
    arguments: tuple[tuple[str, Any], ...]
    seconds: float = OPEN_SECONDS

    def put(self, platform: Operations) -> Any:
        """Send the query."""
        return OPERATIONS[self.operation](platform)(**dict(self.arguments))

    def query(self) -> Query[Any]:
        """The query as a `Query` of `reads`."""
        return Query(self.put, self.seconds)


@dataclass(frozen=True)
class HourSumsQuery(FigureQuery):
    """A query by hour that keeps only the sums over all labels: `HourSums`."""

    def put(self, platform: Operations) -> Any:
        return HourSums.of(super().put(platform).table)

    def query(self) -> Query[Any]:
        return Query(self.put, self.seconds, shape="hours", condensed=Condensed(HourSums.dumped, HourSums.loaded))


@dataclass(frozen=True)
class FigureAnswer:
    """What came back: the answer (an `Analytics`, or the record of the question) and when it was read, an error, or
    neither where it is late. With `value` and `error` both set, the value is the last good one; so it is with `behind`,
    where the new answer is on its way.
    """

    value: Any
    at: datetime | None = None
    error: CallError | None = None
    behind: bool = False

    @property
    def late(self) -> bool:
        return self.value is None and self.error is None

    @property
    def old(self) -> bool:
        """Whether the value is the last good one, not a current one."""
        return self.value is not None and (self.behind or self.error is not None)


def build_query(operation: str, days: Days | None, settled: date, **arguments: Any) -> FigureQuery:
    """Build a query of `analytics` about days; `settled` is the first day that is not over."""
    seconds = CLOSED_SECONDS if days is not None and days.end < settled else OPEN_SECONDS
    dated = {"start": days.start, "end": days.end} if days is not None else {}
    values = {name: value for name, value in {**dated, **arguments}.items() if value not in (None, "")}
    return FigureQuery(f"analytics.{operation}", tuple(sorted(values.items())), seconds)


VIDEO_SECONDS: Final = 300
LIST_SECONDS: Final = 60
OFFERED: Final = 100
"""How many videos a chooser lists; the others are found by search."""


def build_video_query(video_id: str) -> FigureQuery:
    """Build the query of one video: its title, and whether it belongs to this account."""
    return FigureQuery("videos.get", (("video_id", video_id),), VIDEO_SECONDS)


def build_video_list_query(find: str) -> FigureQuery:
    """Build the query of the videos to choose from."""
    return FigureQuery("videos.list", (("limit", OFFERED), *((("title", find),) if find else ())), LIST_SECONDS)


def read_figures(
    request: OwnerRequest,
    asks: Mapping[str, FigureQuery],
    *,
    patience: float | None = None,
    only: Collection[str] | None = None,
    spare: bool = False,
    each: Callable[[str, FigureAnswer], object] | None = None,
) -> dict[str, FigureAnswer]:
    """Run each query once and return the answers that came within `patience` (seconds; None: the page's).

    With `only`, the questions of other names are not put: they bring what is known of them, however old. `spare`: nothing is
    waited for; what is not known is read beside the page. `each` is called with every answer that is waited for, as soon as
    it is there.
    Raises `BadToken`: that is about the account and not about a panel (but see `TOKEN_IN_A_FORM_OF_ITS_OWN`).
    """
    put = {name: question.query() for name, question in asks.items() if only is None or name in only}
    rest = {name: question.query() for name, question in asks.items() if name not in put}
    reader = reads.of(request) if patience is None else Reads(request.account)

    def answer(name: str, outcome: Outcome) -> FigureAnswer:
        built = build_answer(outcome)
        return name_ranked(request.account.pk, built) if asks[name].operation == "analytics.ranking" else built

    give = None if each is None else lambda name, outcome: each(name, answer(name, outcome))
    answers = reader.spare(**put) if spare else reader.gather_each(put, patience, give)
    outcomes = {**answers, **reader.known(**rest)}
    return {name: answer(name, outcomes[name]) for name in asks}


def build_answer(outcome: Outcome) -> FigureAnswer:
    """What a read brought. Raises `BadToken`, as `read_figures` does."""
    match outcome:
        case Ready(value, at, is_refreshing, error):
            _raise_for_account(error)
            return FigureAnswer(value, at, error, is_refreshing)
        case Failed(error):
            _raise_for_account(error)
            return FigureAnswer(None, None, error)
    return FigureAnswer(None)


def name_ranked(account_id: UUID, answer: FigureAnswer) -> FigureAnswer:
    """A ranking with what is known of videos that it names by an id alone: players name them by their external ids."""
    if not isinstance(answer.value, Analytics) or answer.value.table is None:
        return answer
    return replace(answer, value=replace(answer.value, table=name_videos(account_id, answer.value.table)))


def get_full_timeout() -> float:
    """Seconds that a panel loaded alone may take: the platform's whole timeout."""
    return float(settings.PLATFORM_TIMEOUT)


def _raise_for_account(error: CallError | None) -> None:
    if isinstance(error, BadToken) and error.operation not in TOKEN_IN_A_FORM_OF_ITS_OWN:
        raise error


@dataclass(frozen=True)
class Trouble:
    """templates/components/_trouble.html: why there is no fresh data. `aged` says how old what is shown is.

    `aged` is empty where nothing is shown. `late`: nothing failed, the answer is only not here yet.
    """

    sentence: str
    next_step: str
    aged: str
    late: bool = False


def trouble(got: FigureAnswer) -> Trouble:
    """What happened to the latest attempt to read: it failed, or it is late."""
    aged = ""
    if got.value is not None and got.at is not None:
        aged = _("These are the last numbers received, %(when)s.") % {"when": formats.ago(got.at)}
    if got.error is None:
        return Trouble(_("The platform is still answering this question."), "", aged, late=True)
    explained = refusals.explain(got.error)
    return Trouble(explained.sentence, explained.next_step, aged)
