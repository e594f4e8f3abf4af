"""What one request does beside its reads: work while they are out, and work when its answer has gone.

A page of which nothing is known takes as long as the slowest of its calls, and what is computed before they leave and after they
are back. So what does not need their answers is computed while they are out (`meanwhile`), and what nobody reads on the page,
such as keeping those answers, is done once the browser has it (`afterwards`).
"""

import logging
import threading
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from functools import cache, partial
from typing import Any, Final, TypeVar

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
        _do(self._afterwards)
        with self._lock:
            self._is_done = True
        _do(self._last)
        self._prepare, self._afterwards, self._last, self._made, self._making = [], {}, {}, {}, {}


def _do(acts: dict[Callable[[list[Any]], object], list[Any]]) -> None:
    for act, pieces in acts.items():
        try:
            act(pieces)
        except Exception:  # the person has the page: nobody is there who could be told
            log.exception("work after a page failed")


_visit: ContextVar[PageVisit | None] = ContextVar("visit", default=None)


def begin() -> PageVisit:
    """A request begins. What its thread has left of another one is done first."""
    end()
    visit = PageVisit()
    _visit.set(visit)
    return visit


def current() -> PageVisit | None:
    """The request that this thread works for; None outside of one."""
    return _visit.get()


def end(**kwargs: object) -> None:
    """The request of this thread is over."""
    visit = _visit.get()
    if visit is not None:
        visit.end()


def forget() -> None:
    """Drop the request of this thread with what is left to do: only tests have requests that break off without an end."""
    _visit.set(None)


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
