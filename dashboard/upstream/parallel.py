"""Independent reads of one page, side by side, within the page's patience; and what its request does beside them.

A page of which nothing is known takes as long as the slowest of its calls, and what is computed before they leave and after they
are back. So what does not need their answers is computed while they are out (`meanwhile`), and what nobody reads on the page,
such as keeping those answers, is done once the browser has it (`afterwards`).
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any, Final, Generic, TypeVar

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone, translation

from dashboard import memory
from dashboard.platform_api.circuits import MOST_IN_FLIGHT
from dashboard.platform_api.errors import CallError, Unreachable

log = logging.getLogger(__name__)
T = TypeVar("T")

HEAD_START: Final = 0.1
"""Seconds, at most, for which the threads whose calls have not left yet have the processor for themselves."""


class PageVisit:
    """One request, from any of its threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_over = self._is_done = False
        self._prepare: list[Callable[[], object]] = []
        self._afterwards: dict[Callable[[list[Any]], object], list[Any]] = {}
        self._last: dict[Callable[[list[Any]], object], list[Any]] = {}
        self._made: dict[Hashable, Any] = {}
        self._making: dict[Hashable, threading.RLock] = {}
        self._leaving = 0
        self._have_left = threading.Event()

    def begin_part(self) -> None:
        """Another thread begins to work for the page. Once its call has left, or it waits or ends, it says `leave`."""
        with self._lock:
            self._leaving += 1
            self._have_left.clear()

    def leave(self) -> None:
        """A thread that has begun a part needs the processor no more before an answer is there."""
        with self._lock:
            self._leaving -= 1
            if self._leaving == 0:
                self._have_left.set()

    def wait_until_left(self, seconds: float) -> None:
        """Wait until no thread computes for the page, at most so long.

        Whoever computes meanwhile would keep each of them waiting up to 5 ms, as often as it wrote, read or sent something.
        """
        self._have_left.wait(seconds)

    def meanwhile(self, work: Callable[[], object]) -> None:
        """Do `work` while reads are out, or never where there is no time: it prepares what is made later anyway."""
        self._prepare.append(work)

    def prepare(self) -> None:
        """Do now what was given to `meanwhile`. On the thread of the request, with its language and its connection."""
        while self._prepare:
            self._prepare.pop()()

    def act_early(self, act: Callable[[list[Any]], object]) -> None:
        """Call `act` now with those of its pieces that there are."""
        with self._lock:
            pieces = self._afterwards.pop(act, [])
        if pieces:
            act(pieces)

    def afterwards(self, act: Callable[[list[Any]], object], piece: object, *, last: bool = False) -> bool:
        """Have `act` called once with all of its pieces when the answer has gone, `last` after all others.

        False when that is over: then whoever asks does it at once. What comes last is taken until the others are done: whoever
        finds that a turn has ended must find what was read in it.
        """
        with self._lock:
            is_taken = not (self._is_done if last else self._is_over)
            if is_taken:
                (self._last if last else self._afterwards).setdefault(act, []).append(piece)
            return is_taken

    def made_once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes, once for the request: of all threads that ask for it one makes it, and the others wait."""
        if self._is_over:
            return make()
        with self._lock:
            turn = self._making.setdefault(key, threading.RLock())
        with turn:
            if key not in self._made:
                self._made[key] = make()
            value: T = self._made[key]
            return value

    def end(self) -> None:
        """The answer has gone, or leads to a page that shows what was kept: do what is left. A mistake of ours is logged."""
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
        _do_left(self._afterwards)
        with self._lock:
            self._is_done = True
        _do_left(self._last)
        self._prepare, self._afterwards, self._last, self._made, self._making = [], {}, {}, {}, {}


def _do_left(acts: dict[Callable[[list[Any]], object], list[Any]]) -> None:
    for act, pieces in acts.items():
        try:
            act(pieces)
        except Exception:  # the person has the page: nobody is there who could be told
            log.exception("work after a page failed")


_visit: ContextVar[PageVisit | None] = ContextVar("visit", default=None)


def begin_visit() -> PageVisit:
    """A request begins. What its thread has left of another one is done first."""
    end_visit()
    visit = PageVisit()
    _visit.set(visit)
    return visit


def current_visit() -> PageVisit | None:
    """The request that this thread works for; None outside of one."""
    return _visit.get()


def end_visit(**kwargs: object) -> None:
    """The request of this thread is over."""
    visit = _visit.get()
    if visit is not None:
        visit.end()


def afterwards(act: Callable[[list[Any]], object], piece: object, *, last: bool = False) -> None:
    """`PageVisit.afterwards`, or at once where no answer is waited for."""
    visit = _visit.get()
    if visit is None or not visit.afterwards(act, piece, last=last):
        act([piece])


def meanwhile(make: Callable[[], T]) -> Callable[[], T]:
    """Have `make` called while reads are out. The returned function brings what it made, or has it made where nobody waited."""
    visit = _visit.get()
    if visit is None:
        return cache(make)
    load = partial(visit.made_once, object(), make)
    visit.meanwhile(load)
    return load


def made_once(key: Hashable, make: Callable[[], T]) -> T:
    """`PageVisit.made_once`, or anew outside of a request."""
    visit = _visit.get()
    return make() if visit is None else visit.made_once(key, make)


THREADS = 32
THREADS_BESIDE: Final = 2
"""For what reads beside pages make in their turn, such as fifty reads of links: nobody waits for them, and while thirty threads
wanted the interpreter a page took 0.6 s instead of 0.25. Two bring 400 answers of 0.3 s a minute: above the default budget."""
KEPT_OPEN: Final = 32 if settings.DATABASES["default"]["ENGINE"] == settings.SQLITE else 8
"""Threads whose connection to the database stays open, since opening one costs as much CPU as a call. All threads together
would keep as many open as PostgreSQL takes by default."""
LONG_WAITS: Final = 6
"""Requests of one process that wait longer than a page's patience at the same time: half of its threads. The others are free for
pages of what is known, whatever hangs."""
LEAVING: Final = 0.005
"""Seconds that a call takes to leave once it may."""
ASSEMBLING = 0.03
"""Seconds that a part of a page has left, when its own reads are late, to say what it knows."""
_of_pages = tuple(ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix=name) for name in ("part", "read"))
"""For the reads of a page, and for those that its parts make in their turn: no thread ever waits for one of its own pool."""
_background = ThreadPoolExecutor(max_workers=MOST_IN_FLIGHT, thread_name_prefix="background")
_of_background = (ThreadPoolExecutor(max_workers=THREADS_BESIDE, thread_name_prefix="background-read"),)
_senders = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="send")
"""For writes that a request waits for: reads that hang keep none of them back."""
_long_waits = threading.BoundedSemaphore(LONG_WAITS)
_kept_open = threading.Semaphore(KEPT_OPEN)
_here = threading.local()
"""`pools`: those that reads of this thread run in. `deadline`: when the patience of its page is over.

`keeps_connection`: whether its connection to the database stays open between reads.
"""


@dataclass(frozen=True)
class Ready(Generic[T]):
    """The read brought `value`; `at` is when it was read, where that is known.

    `is_refreshing`: it is older than its interval and is being read anew. `error`: that was tried, and failed.
    """

    value: T
    at: datetime | None = None
    is_refreshing: bool = False
    error: CallError | None = None


@dataclass(frozen=True)
class Failed:
    """The platform refused or could not answer; the error belongs to this panel, not to the page."""

    error: CallError


@dataclass(frozen=True)
class Late:
    """The answer was not there when the page's patience was over: the panel fetches itself."""


Outcome = Ready[Any] | Failed | Late


def gather(patience: float | None = None, **reads: Callable[[], Any]) -> dict[str, Outcome]:
    """Run each read and return its outcome by name.

    `patience` is in seconds (default: what is left of the page's, PAGE_PATIENCE_MS from its first reads). A read may gather
    in its turn; what that reads runs side by side too, and so does what other parts of the page read. Only below that, reads
    run one after another. Any exception but a `PlatformError` is a mistake of ours and is raised.
    """
    return gather_each(reads, patience)


def gather_each(
    reads: Mapping[str, Callable[[], Any]],
    patience: float | None = None,
    each: Callable[[str, Outcome], object] | None = None,
) -> dict[str, Outcome]:
    """The same. `each` is called on this thread with every outcome that came in time, as soon as it is there."""
    if _is_sequential():
        outcomes = {name: _outcome(read) for name, read in reads.items()}
        if each is not None:
            for name, outcome in outcomes.items():
                each(name, outcome)
        return outcomes
    deadline = _deadline(patience)
    with _leaving():
        futures = {name: _submit(read, deadline) for name, read in reads.items()}
    _prepare(futures.values(), deadline)
    soon, names = time.monotonic() + page_patience(), {future: name for name, future in futures.items()}
    if each is not None:
        _give(names, min(deadline, soon), each)
    with _waiting(futures.values(), deadline, soon) as until:
        if each is not None:
            _give(names, until, each)
        return {name: _await(future, until) for name, future in futures.items()}


def beside(
    main: Callable[[], T], patience: float | None = None, **spare: Callable[[], Any]
) -> tuple[T, dict[str, Outcome]]:
    """`main`, however long it takes, and side by side with it reads that the page can do without.

    Those are waited for no longer than `patience` (seconds; None: the page's). What `main` raises is raised.
    """
    if _is_sequential():
        return main(), {name: _outcome(read) for name, read in spare.items()}
    deadline, soon = _deadline(patience), time.monotonic() + page_patience()
    with _leaving():
        futures = {name: _submit(read, deadline) for name, read in spare.items()}
        value = main()
    _prepare(futures.values(), deadline)
    with _waiting(futures.values(), deadline, soon) as until:
        return value, {name: _await(future, until) for name, future in futures.items()}


def needed(**reads: Callable[[], Any]) -> dict[str, Any]:
    """Reads of which the page can do without none, side by side. What one of them raises is raised."""
    records = {}
    for name, outcome in gather(settings.PLATFORM_TIMEOUT, **reads).items():
        match outcome:
            case Ready(value):
                records[name] = value
            case Failed(error):
                raise error
            case _:
                raise Unreachable(name)
    return records


def start(read: Callable[[], Any], patience: float) -> None:
    """Run a read that nobody needs the outcome of, and wait no longer for it than `patience` seconds.

    It has threads of its own: what hangs there takes none from pages. A mistake of ours in it is logged.
    """
    if settings.READ_SIDE_BY_SIDE:
        wait([_background.submit(_as_here(), _beside_a_request, read)], timeout=patience)
    else:
        read()


def finish_within(work: Callable[[], None], seconds: float) -> bool:
    """Run `work` and wait for its end; False where it goes on after so many seconds.

    What it raises is raised. Where nobody waits any more, it is logged.
    """
    future = _senders.submit(_as_here(), _send, work)
    begun = time.monotonic()
    with _waiting([future], begun + seconds, begun + page_patience()) as until:
        ended = wait([future], timeout=max(0.0, until - time.monotonic())).done
    if not ended:
        future.add_done_callback(_log_failure)
        return False
    if isinstance(outcome := future.result(), Failed):
        raise outcome.error
    return True


def start_meanwhile(read: Callable[[], Any]) -> None:
    """Run a read that nobody needs the outcome of while the page waits for its own, or once it has gone."""
    if settings.READ_SIDE_BY_SIDE:
        afterwards(_submit_reads, (_as_here(), read))
    else:
        read()


def start_afterwards(read: Callable[[], Any]) -> None:
    """Run a read that nobody needs the outcome of once the page of this request has gone: until then it has the processor."""
    if settings.READ_SIDE_BY_SIDE:
        afterwards(_submit_last, (_as_here(), read))
    else:
        read()


def _submit_reads(reads: Sequence[tuple[Callable[..., Any], Callable[[], Any]]]) -> None:
    for as_there, read in reads:
        _background.submit(as_there, _beside_a_request, read)


def _submit_last(reads: Sequence[tuple[Callable[..., Any], Callable[[], Any]]]) -> None:
    """An act of its own, so that `_prepare` begins early only what `start_meanwhile` was given."""
    _submit_reads(reads)


def _beside_a_request(read: Callable[[], Any]) -> None:
    try:
        _in_thread(read, _of_background, time.monotonic() + settings.PLATFORM_TIMEOUT)
    except Exception:  # nobody waits for it who could be told
        log.exception("a read beside a request failed")


def _send(work: Callable[[], None]) -> Outcome:
    """With a connection to the database that lasts as long as the work: those that stay open are for reads."""
    _here.keeps_connection = False
    return _in_thread(work, _of_pages, time.monotonic() + settings.PLATFORM_TIMEOUT)


def _log_failure(future: "Future[Outcome]") -> None:
    if (error := future.exception()) is not None:
        log.error("what a request has not waited for failed", exc_info=error)


def _pools() -> tuple[ThreadPoolExecutor, ...]:
    return getattr(_here, "pools", _of_pages)


def _is_sequential() -> bool:
    """Whether reads run one after another here: below all pools, and in tests, whose transaction no other thread sees."""
    return not settings.READ_SIDE_BY_SIDE or not _pools()


def _deadline(patience: float | None) -> float:
    """When waiting ends. Without a patience of its own, a part of a page has no more than the page has left."""
    if patience is not None:
        return time.monotonic() + patience
    page: float | None = getattr(_here, "deadline", None)
    return time.monotonic() + page_patience() if page is None else page - ASSEMBLING


def _submit(read: Callable[[], Any], deadline: float) -> "Future[Outcome]":
    pool, *below = _pools()
    here = current_visit()
    if here is not None:
        here.begin_part()
    return pool.submit(_as_here(), _part, read, tuple(below), deadline)


def _part(read: Callable[[], Any], pools: tuple[ThreadPoolExecutor, ...], deadline: float) -> Outcome:
    _here.is_leaving = True
    try:
        return _in_thread(read, pools, deadline)
    finally:
        leave()


@contextmanager
def _leaving() -> Iterator[None]:
    """Inside, this thread begins calls: what lets those leave first waits for it, too."""
    here = current_visit()
    if here is not None and not getattr(_here, "is_leaving", False):
        _here.is_leaving = True
        here.begin_part()
    try:
        yield
    finally:
        leave()


def leave() -> None:
    """The call of this thread leaves now, or the thread waits for others: as soon as all have left, the page may compute."""
    here = current_visit()
    if here is not None and getattr(_here, "is_leaving", False):
        _here.is_leaving = False
        here.leave()


def _as_here() -> Callable[..., Any]:
    """How a thread runs what it is given: with the context of this one, in its language and its time zone.

    Django keeps those two by thread; no context carries them along.
    """
    context, language, zone = copy_context(), translation.get_language(), timezone.get_current_timezone()

    def run(work: Callable[..., Any], *arguments: Any) -> Any:
        with translation.override(language), timezone.override(zone):
            return work(*arguments)

    return lambda *arguments: memory.call_in_one_block(context.run, run, *arguments)


def let_calls_leave() -> None:
    """For a part of a page that asks nothing more, and has much to compute: the calls of the others go first."""
    leave()
    here = current_visit()
    if here is not None and not _is_of_request():
        here.wait_until_left(HEAD_START)


def page_patience() -> float:
    """Seconds that a page waits for what it can do without."""
    return float(settings.PAGE_PATIENCE_MS) / 1000


def _prepare(futures: "Collection[Future[Outcome]]", deadline: float) -> None:
    """On the thread of a request, while its calls are out: begin what is read beside the page, and compute what it needs
    anyway."""
    here = current_visit()
    if here is None or not futures or not _is_of_request():
        return
    head_start = min(HEAD_START, deadline - time.monotonic())
    if head_start > 0:
        here.wait_until_left(head_start)
    if wait(futures, timeout=LEAVING).not_done:
        here.act_early(_submit_reads)
        here.prepare()


def _is_of_request() -> bool:
    """Whether this is the thread of a request, and none of those that read for it."""
    return current_visit() is not None and not hasattr(_here, "pools")


@contextmanager
def _waiting(futures: "Collection[Future[Outcome]]", deadline: float, soon: float) -> Iterator[float]:
    """Until when this thread may wait for them: beyond `soon`, the end of its patience, only few requests of a process do."""
    may_wait = deadline <= soon or not _is_of_request()
    if may_wait or not wait(futures, timeout=max(0.0, soon - time.monotonic())).not_done:
        yield deadline
    elif _long_waits.acquire(blocking=False):
        try:
            yield deadline
        finally:
            _long_waits.release()
    else:
        yield soon


def _give(names: "dict[Future[Outcome], str]", deadline: float, each: Callable[[str, Outcome], object]) -> None:
    """Call `each` with what comes before the deadline, in the order in which it comes, and take it out of `names`."""
    while names and (done := wait(names, max(0.0, deadline - time.monotonic()), FIRST_COMPLETED).done):
        for future in done:
            each(names.pop(future), future.result())


def _await(future: "Future[Outcome]", deadline: float) -> Outcome:
    try:
        return future.result(timeout=max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        future.cancel()
        return Late()


def _in_thread(read: Callable[[], Any], pools: tuple[ThreadPoolExecutor, ...], deadline: float) -> Outcome:
    _here.pools, _here.deadline = pools, deadline
    connection = connections["default"]
    connection.close_if_unusable_or_obsolete()
    try:
        return _outcome(read)
    finally:
        _end_use(connection)


def _end_use(connection: BaseDatabaseWrapper) -> None:
    """A thread of a pool waits for its next read now, and needs no connection; opening one again must not cost much."""
    if connection.connection is None:  # nothing was asked of it
        return
    if not _keeps_connection():
        connection.close()


def _keeps_connection() -> bool:
    """Whether this thread is one of the first, whose connections stay open. No thread of a pool ends before its process."""
    if not hasattr(_here, "keeps_connection"):
        _here.keeps_connection = _kept_open.acquire(blocking=False)
    return bool(_here.keeps_connection)


def _outcome(read: Callable[[], Any]) -> Outcome:
    try:
        return Ready(read())
    except CallError as error:
        # Its traceback refers to the frames that it went through, and one of those to the outcome: 256 kB in a circle.
        return Failed(error.with_traceback(None))
