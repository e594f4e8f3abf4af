"""What pages read of the platform: what is known here first, and anew beside the page where that is older than its interval.

    reads = of(request)
    reads.get(lambda platform: platform.videos.get(video_id))          # the record, or a `PlatformError`
    reads.gather(folders=lambda platform: platform.folders.list())     # outcomes by name, within the page's patience
    reads.spare(subtitles=lambda platform: platform.videos.subtitles(video_id))  # what is known; never waited for

A question that nobody has asked yet is waited for. Of all who ask one at the same moment, in all processes, one asks the
platform: whose turn it is (`Turn`) is a key in the cache that all processes share. Whoever waits for one that is held in the same
process is woken when it ends; what another process holds is looked at every few milliseconds.

Records made of known answers are held for as long as the answers stay the same (`decode`): thousands of records cost a page too
much.
"""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from dashboard.platform_api import Operations
from dashboard.platform_api.config import ASSUMED, PUBLIC_FILES
from dashboard.platform_api.errors import BadToken, CallError, Missing, RateLimited, Unreachable
from dashboard.platform_api.platform import Question, question_of, read_again
from dashboard.platform_api.values import Unreadable
from dashboard.shared import vault
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import budget, capabilities, clients, page_sources, parallel, store
from dashboard.upstream.intervals import SECONDS
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.store import Known

if TYPE_CHECKING:
    from dashboard.accounts.models import Account


T = TypeVar("T")
Call: TypeAlias = Callable[[Operations], T]

WAIT_STEP: Final = 0.02
REMEMBERED: Final = 60
"""Seconds for which it is known that a turn has ended: longer than a read that looked up its answer waits for a thread."""


class Turn(Enum):
    """What came of asking for a turn. After another one, what that one read may be known by now; after none, nothing new is."""

    FIRST = auto()
    AFTER_ANOTHER = auto()
    OF_ANOTHER = auto()


_turns_held: dict[str, threading.Event] = {}
"""Turns that threads of this process have, and what wakes those who wait for them."""
_ended: set[str] = set()
"""Turns whose read is over in this process, and which keep other processes off until its answer is written."""
_awaited: Counter[str] = Counter()
"""The ends of how many pages such a turn waits for: any of them may be the one that writes the answer."""
_turns_lock = threading.Lock()


def acquire_turn(turn: str) -> Turn:
    """Ask for a turn. Whoever gets it, first or after another, ends it."""
    if cache.add(turn, 1, settings.PLATFORM_TIMEOUT):
        state = Turn.FIRST if cache.get(_trace(turn)) is None else Turn.AFTER_ANOTHER
    elif _take_ended(turn):
        state = Turn.AFTER_ANOTHER
    else:
        return Turn.OF_ANOTHER
    _turns_held[turn] = threading.Event()
    return state


def wait_for_turn(turn: str, seconds: float) -> None:
    """Wait until a turn of this process ends, at most so long; for one of another process a moment."""
    event = _turns_held.get(turn)
    if event is None:
        time.sleep(WAIT_STEP)
    else:
        event.wait(seconds)


def release_turn(turn: str, *, is_written: bool) -> None:
    """End a turn: for all processes at once, or for this one where the others find the answer only when its page has gone."""
    if is_written:
        _drop([turn])
    else:
        with _turns_lock:
            _ended.add(turn)
            _awaited[turn] += 1
        parallel.afterwards(_end_for_all, turn, last=True)
    event = _turns_held.pop(turn, None)
    if event is not None:
        event.set()


def _take_ended(turn: str) -> bool:
    """Have the turn of a read that is over in this process, so that no page waits for its own end. One thread gets it."""
    with _turns_lock:
        if turn not in _ended:
            return False
        _ended.remove(turn)
        return True


def _end_for_all(turns: Sequence[str]) -> None:
    """A turn that another thread has taken meanwhile is ended by that one."""
    with _turns_lock:
        _awaited.subtract(turns)
        ended = {turn for turn in _ended.intersection(turns) if _awaited[turn] <= 0}
        _ended.difference_update(ended)
        for turn in [turn for turn in set(turns) if _awaited[turn] <= 0]:
            del _awaited[turn]
    _drop(sorted(ended))


def _drop(turns: Sequence[str]) -> None:
    """The trace comes first: whoever takes the turn next finds it."""
    cache.set_many({_trace(turn): 1 for turn in turns}, REMEMBERED)
    cache.delete_many(turns)


def _trace(turn: str) -> str:
    return f"{turn}:ended"


MOST_BYTES: Final = 800_000
"""Of the deflated answers whose records one process holds; the records are some twenty times that."""

DEFLATED: Final = 8
"""How many times smaller answers are for being deflated: an estimate."""

_records: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
_lock = threading.Lock()
_bytes = 0


@dataclass(frozen=True)
class Condensed:
    """How a record that takes long to make of an answer is kept beside it. `load` raises `ValueError`."""

    dump: Callable[[Any], bytes]
    load: Callable[[bytes], Any]


@dataclass(frozen=True)
class Reader:
    """What is made of an answer: by `call`; `shape` names it where that is not the operation's record."""

    call: Callable[[Operations], Any]
    shape: str = ""
    condensed: Condensed | None = None


def decode(account_id: UUID, digest: str, reader: Reader, known: Known) -> Any:
    """What a reader makes of the known answer to the question of this digest. Raises `Unreadable`."""
    key = (account_id, digest, reader.shape, known.changed_at)
    with _lock:
        if key in _records:
            _records.move_to_end(key)
            return _records[key][1]
    value = _load(reader, known)
    if value is None:
        value = read_again(reader.call, known.answer, review_reads=clients.config().review_reads)
        if reader.condensed is not None:
            store.condense(account_id, digest, known, reader.condensed.dump(value))
    _hold(key, value, len(known.condensed or known.packed))
    return value


def share_record(account_id: UUID, question: Question, shape: str, value: Any) -> None:
    """Hold what a read has just made of its answer, for whoever waited for the same: it is not made a second time.

    Of lives it is not what is known, which is without their secrets.
    """
    fresh = store.get_unwritten(account_id, question.digest)
    if fresh is not None and not question.operation.startswith("lives."):
        begun, size = fresh
        _hold((account_id, question.digest, shape, begun), value, size // DEFLATED)


def memoize(key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """What `make` brings, for as long as its key is asked for: the key names the state of all that it is made of.

    `size`: of how many deflated bytes it is worth.
    """
    with _lock:
        if key in _records:
            _records.move_to_end(key)
            value: T = _records[key][1]
            return value
    value = make()
    _hold(key, value, size(value))
    return value


def _load(reader: Reader, known: Known) -> Any:
    if reader.condensed is not None and known.condensed is not None:
        with suppress(ValueError):
            return reader.condensed.load(known.condensed)
    return None


def _hold(key: Hashable, value: Any, size: int) -> None:
    global _bytes
    with _lock:
        if size > MOST_BYTES or key in _records:
            return
        _records[key] = size, value
        _bytes += size
        while _bytes > MOST_BYTES:
            _bytes -= _records.popitem(last=False)[1][0]


FAILURE_SECONDS: Final = 5.0
"""How long a reading beside a page that failed is not tried again, and its error is told."""


@dataclass(frozen=True)
class Query(Generic[T]):
    """One read. `seconds`: how old its answer may be (default: its operation's). `token_of`: whose token it is sent with."""

    call: Call[T]
    seconds: float | None = None
    token_of: "Account | None" = None
    shape: str = ""
    """What `call` makes of the operation's record, where that is something else: "tuples"."""
    condensed: Condensed | None = None
    """How that is kept beside the answer, where making it takes long."""


def of(request: OwnerRequest) -> "Reads":
    """The reads of a page: what is known is shown at once. A part that was asked for alone waits, and so does a form."""
    return Reads(request.account, waits=not is_page(request))


def is_page(request: OwnerRequest) -> bool:
    """Whether somebody opens a whole page, which follows by itself what is read meanwhile."""
    return request.method in ("GET", "HEAD") and not getattr(request, "htmx", False)


def anew(request: OwnerRequest) -> "Reads":
    """Reads of what is compared or changed next: nothing that is known stands in for the platform's answer."""
    return Reads(request.account, seconds=0.0)


@dataclass(frozen=True)
class _Asked:
    """A read with its question, what is known of it, and whether that is younger than its interval."""

    query: Query[Any]
    question: Question
    known: Known | None = None
    value: Any = None
    is_new: bool = False

    @property
    def identity(self) -> Hashable:
        """The same for reads that bring the same record: panels of a page ask for the same days."""
        return self.question.digest, self.query.shape, self.query.token_of.pk if self.query.token_of else None

    @property
    def is_waited_for(self) -> bool:
        """Whether a page waits for it even where it waits for nothing else: it is unknown, or our own write changed it."""
        return self.known is None or self.known.is_outdated

    def ready(self, *, is_refreshing: bool = False, error: CallError | None = None) -> Ready[Any]:
        return Ready(self.value, self.known.read_at if self.known else None, is_refreshing, error)


class Reads:
    """The platform as one account sees it.

    `waits`: what is older than its interval is waited for. `seconds`: how old answers may be (default: their operation's
    interval); with 0 they are asked for, and an error is an error.
    """

    def __init__(self, account: "Account", *, waits: bool = True, seconds: float | None = None) -> None:
        self.account = account
        self._waits = waits or not settings.READ_SIDE_BY_SIDE
        self._seconds = seconds

    def get(self, call: "Call[T] | Query[T]") -> T:
        """The one answer that a page cannot do without. Raises its `PlatformError`."""
        value: T = self.needed(it=call)["it"]
        return value

    def needed(self, **calls: "Call[Any] | Query[Any]") -> dict[str, Any]:
        """Answers of which a page can do without none, by name. Raises the `PlatformError` of the first that fails."""
        values = {}
        for name, outcome in self.gather(settings.PLATFORM_TIMEOUT, **calls).items():
            if isinstance(outcome, Failed):
                raise outcome.error
            if isinstance(outcome, Late):
                raise Unreachable(name)
            values[name] = outcome.value
        return values

    def gather(self, patience: float | None = None, **calls: "Call[Any] | Query[Any]") -> dict[str, Outcome]:
        """Outcomes by name. What is not known is waited for, side by side, for `patience` seconds (default: the page's)."""
        return self.gather_each(calls, patience)

    def gather_each(
        self,
        calls: Mapping[str, "Call[Any] | Query[Any]"],
        patience: float | None = None,
        each: Callable[[str, Outcome], object] | None = None,
    ) -> dict[str, Outcome]:
        """The same. `each` is called on this thread with every answer that is waited for, as soon as it is there."""
        lookups, outcomes = self._look_up(calls)
        waited = [
            name for name, lookup in lookups.items() if not lookup.is_new and (lookup.is_waited_for or self._waits)
        ]
        leaders: dict[Hashable, str] = {}
        first = {name: leaders.setdefault(lookups[name].identity, name) for name in waited}

        def give(asked: str, outcome: Outcome) -> None:
            for name in [name for name in waited if first[name] == asked]:
                outcomes[name] = self._or_known(lookups[name], outcome)
                if each is not None:
                    each(name, outcomes[name])

        reads = {name: partial(self._read, lookups[name]) for name in leaders.values()}
        read = parallel.gather_each(reads, patience, give if each is not None else None)
        for name in lookups.keys() - outcomes.keys():
            is_waited = name in first
            outcomes[name] = (
                self._or_known(lookups[name], read[first[name]]) if is_waited else self._shown(lookups[name])
            )
        return _note({name: outcomes[name] for name in calls}, lookups)

    def spare(self, **calls: "Call[Any] | Query[Any]") -> dict[str, Outcome]:
        """What is known, by name. The rest is `Late`: it is read beside the page, and there when somebody looks again.

        Who waits (a part, a form) waits for it as long as a page does.
        """
        if self._waits:
            return self.gather(None, **calls)
        lookups, outcomes = self._look_up(calls)
        for name, lookup in lookups.items():
            outcomes[name] = self._shown(lookup) if lookup.known else self._begun(lookup)
        return _note({name: outcomes[name] for name in calls}, lookups)

    def known(self, **calls: "Call[Any] | Query[Any]") -> dict[str, Outcome]:
        """What is known, by name, however old. Nothing is read: the rest is `Late`."""
        lookups, outcomes = self._look_up(calls)
        for name, lookup in lookups.items():
            outcomes[name] = lookup.ready() if lookup.known else Late()
        return {name: outcomes[name] for name in calls}

    def _look_up(self, calls: Mapping[str, "Call[Any] | Query[Any]"]) -> tuple[dict[str, _Asked], dict[str, Outcome]]:
        """What is known of each read, and the outcomes of those that cannot be put into a question."""
        questions: dict[str, tuple[Query[Any], Question]] = {}
        impossible: dict[str, Outcome] = {}
        for name, call in calls.items():
            query = call if isinstance(call, Query) else Query(call)
            try:
                question = question_of(query.call, review_reads=clients.config().review_reads)
            except CallError as error:
                impossible[name] = Failed(error)
                continue
            if (absence := self._absence(question)) is not None:
                impossible[name] = Failed(absence)
            else:
                questions[name] = query, question
        known = store.load(self.account.pk, [question.digest for _, question in questions.values()])
        lookups = {
            name: self._asked(query, question, known.get(question.digest))
            for name, (query, question) in questions.items()
        }
        return lookups, impossible

    def _absence(self, question: Question) -> CallError | None:
        """The error of a read that this platform does not have for this account: it is not asked for."""
        if question.operation not in ASSUMED and question.operation not in PUBLIC_FILES:
            return None
        offered = clients.capabilities_of(self.account)
        return offered.error(question.operation, capabilities.path_of(question.operation, clients.config()))

    def _asked(self, query: Query[Any], question: Question, known: Known | None) -> _Asked:
        """A read with the value that it makes of what is known; another release may have kept what it does not understand."""
        if known is None:
            return _Asked(query, question)
        try:
            reader = Reader(query.call, query.shape, query.condensed)
            value = decode(self.account.pk, question.digest, reader, known)
        except (Unreadable, CallError):
            return _Asked(query, question)
        ages = (query.seconds, self._seconds, SECONDS.get(question.operation, 0.0))
        seconds = next(candidate for candidate in ages if candidate is not None)
        age = (timezone.now() - known.read_at).total_seconds()
        return _Asked(query, question, known, value, is_new=age < seconds and not known.is_outdated)

    def _shown(self, lookup: _Asked) -> Outcome:
        """What is known, at once; where that is older than its interval, it is read anew beside the page."""
        if lookup.is_new:
            return lookup.ready()
        error = cache.get(self._key("unread", lookup.question))
        if isinstance(error, BadToken):
            return Failed(error)
        if error is None:
            parallel.start_meanwhile(partial(self._refresh, lookup))
        return lookup.ready(is_refreshing=error is None, error=error)

    def _begun(self, lookup: _Asked) -> Outcome:
        error = cache.get(self._key("unread", lookup.question))
        if error is not None:
            return Failed(error)
        parallel.start_meanwhile(partial(self._refresh, lookup))
        return Late()

    def _refresh(self, lookup: _Asked) -> None:
        """Read beside a page, unless somebody reads the same at this moment, or has since it was looked up."""
        turn = self._key("reading", lookup.question)
        state = acquire_turn(turn)
        if state is Turn.OF_ANOTHER:
            return
        try:
            if state is Turn.FIRST or not self._is_read_since(lookup):
                self._ask(lookup)
        except CallError as error:
            cache.set(self._key("unread", lookup.question), error, _failure_seconds(error))
        finally:
            self._end(turn, lookup)

    def _read(self, lookup: _Asked) -> Any:
        """Ask the platform, or take the answer that another thread or process has asked for meanwhile."""
        turn = self._key("reading", lookup.question)
        give_up_at = time.monotonic() + settings.PLATFORM_TIMEOUT
        while (seconds := give_up_at - time.monotonic()) > 0:
            state = acquire_turn(turn)
            if state is Turn.OF_ANOTHER:
                parallel.leave()
                wait_for_turn(turn, seconds)
                other = self._look_again(lookup)
                if other is not None:
                    return other.value
                continue
            try:
                other = self._look_again(lookup) if state is Turn.AFTER_ANOTHER else None
                return self._ask(lookup) if other is None else other.value
            finally:
                self._end(turn, lookup)
        raise Unreachable(lookup.question.operation, sent=False)

    def _end(self, turn: str, lookup: _Asked) -> None:
        release_turn(turn, is_written=not store.is_unwritten(self.account.pk, lookup.question.digest))

    def _is_read_since(self, lookup: _Asked) -> bool:
        """Whether another part of the page, or another process, has read this since it was looked up."""
        state = store.states(self.account.pk, [lookup.question.digest]).get(lookup.question.digest)
        return state is not None and (lookup.known is None or state.read_at > lookup.known.read_at)

    def _look_again(self, lookup: _Asked) -> _Asked | None:
        """What has become known since this read was looked up; None where that is nothing new."""
        known = store.load(self.account.pk, [lookup.question.digest]).get(lookup.question.digest)
        other = self._asked(lookup.query, lookup.question, known)
        return other if other.known and not other.known.is_outdated and other.known != lookup.known else None

    def _ask(self, lookup: _Asked) -> Any:
        holder = lookup.query.token_of or self.account
        try:
            platform = clients.platform_for(holder, known_of=self.account)
        except vault.Unreadable as lost:
            if holder is self.account:
                raise
            raise BadToken(lookup.question.operation) from lost
        is_known = not lookup.is_waited_for and self._seconds != 0
        with budget.can_wait() if is_known else nullcontext():
            value = lookup.query.call(platform)
        share_record(self.account.pk, lookup.question, lookup.query.shape, value)
        if lookup.query.condensed is not None:
            parallel.start_afterwards(partial(self._look_again, lookup))  # so that no page has to make it of the answer
        return value

    def _or_known(self, lookup: _Asked, outcome: Outcome) -> Outcome:
        """The outcome of a read that was waited for, or what is known where that brought nothing."""
        if isinstance(outcome, Ready):
            return Ready(outcome.value, timezone.now())
        is_final = isinstance(outcome, Failed) and isinstance(outcome.error, BadToken | Missing)
        if lookup.known is None or is_final or self._seconds == 0:
            return outcome
        return lookup.ready(is_refreshing=isinstance(outcome, Late), error=getattr(outcome, "error", None))

    def _key(self, what: str, question: Question) -> str:
        return f"{what}:{self.account.pk}:{question.digest}"


def unread(account_id: UUID, digests: Iterable[str]) -> list[CallError]:
    """Of the reads beside pages with these questions, the errors of those that failed a moment ago."""
    return list(cache.get_many([f"unread:{account_id}:{digest}" for digest in digests]).values())


def _failure_seconds(error: CallError) -> float:
    """How long a read that ended so is left alone: as long as nothing may leave, where that is known."""
    return max(FAILURE_SECONDS, error.retry_after or 0.0) if isinstance(error, RateLimited) else FAILURE_SECONDS


def _note(outcomes: dict[str, Outcome], lookups: Mapping[str, _Asked]) -> dict[str, Outcome]:
    page_sources.note(outcomes, {name: lookup.question for name, lookup in lookups.items()})
    return outcomes
