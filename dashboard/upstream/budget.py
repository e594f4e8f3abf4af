"""The calls that the platform takes of this installation in a minute, counted over all its processes.

Every call is counted before it leaves, in slots of three seconds, in the cache that all processes share anyway: one count, one
look for the calls that leave together, and no lock between processes. In no minute, whenever it begins, more calls leave than
PLATFORM_CALLS_PER_MINUTE; a bucket that refills while it is emptied would let twice as many through. A 429 pauses everything of
its account. A cache that fails stops nobody.
"""

import hashlib
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from dashboard.platform_api.errors import OverBudget, RateLimited
from dashboard.platform_api.request import Request

SLOT: Final = 3
"""Seconds that are counted as one."""
SLOTS: Final = 60 // SLOT + 1
"""Whole slots before the current one that are counted with it: a minute, and three seconds for calls that take their time."""
LEAST_PAUSE: Final = 1.0
FIRST_PAUSE: Final = 10.0
"""Seconds after a 429 that names none; twice as long each time that the first calls after a pause bring another one."""
LONGEST_GUESS: Final = 60.0
LONGEST_PAUSE: Final = 3600.0
REMEMBERED: Final = 120.0
"""For so long after a pause the next one is longer."""
LOOK_LASTS: Final = 0.1
"""Seconds for which a process goes by its last look: the calls of a page leave together. What it counts itself is exact all the
same, and slots that are over do not change; a pause that another process has been told is seen so much later."""
LOOKS_MOST: Final = 100
"""Kept at the same time; what is older than a moment is of no use anyway."""


COUNTERS: Final = "calls:"
"""How the keys of counters begin. They stay when a server starts anew: what has left a minute ago has left."""


class Kind(StrEnum):
    """What a call is for."""

    WRITE = "write"
    PAGE = "page"
    BACKGROUND = "background"


SHARES: Final[Mapping[Kind, float]] = {Kind.WRITE: 1.0, Kind.PAGE: 0.9, Kind.BACKGROUND: 0.6}
"""Up to which part of the budget calls of a kind leave, those of all kinds counted: the rest is for what is more urgent."""
UNIT: Final[Mapping[Kind, int]] = {Kind.WRITE: 1, Kind.PAGE: 10**6, Kind.BACKGROUND: 10**12}
"""One counter has all kinds, each in digits of its own, so that one look and one step tell all."""
UNLIMITED: Final = 600
"""Calls that background reading makes in a minute where there is no budget."""

_kind: ContextVar[Kind] = ContextVar("kind", default=Kind.PAGE)
_past: dict[str, dict[int, int]] = {}
"""The counters of slots that are over, as this process has read them, by bucket."""
_looks: dict[tuple[str, str], "_Look"] = {}
"""The last look of this process, by host and caller."""
_looking = threading.Lock()
"""Calls that leave at the same moment look once."""


def forget() -> None:
    """Read all counters anew: for tests, in which nothing of the last minute counts any more."""
    _past.clear()
    _looks.clear()


@contextmanager
def background() -> Iterator[None]:
    """Inside, reads are such as nobody waits for: they leave only while there is more than enough for everybody else."""
    before = _kind.set(Kind.BACKGROUND)
    try:
        yield
    finally:
        _kind.reset(before)


def background_calls() -> int:
    """How many calls background reading may make in a minute when nobody else makes any."""
    limit = settings.PLATFORM_CALLS_PER_MINUTE
    return _share(limit, Kind.BACKGROUND) if limit else UNLIMITED


@dataclass(frozen=True)
class Use:
    """The calls of the last minute by kind, of how many, and until when the account pauses (seconds of the epoch)."""

    limit: int
    calls: Mapping[Kind, int]
    paused_until: float | None = None


@dataclass(frozen=True)
class _Pause:
    """Until when nothing leaves, and how many seconds that were."""

    until: float
    seconds: float


@dataclass(frozen=True)
class _Look:
    """What a process saw at `at`, in the slot `current`: the counters of its minute by slot, oldest first, and the last pause."""

    current: int
    counts: dict[int, int]
    pause: _Pause | None
    at: float


class Budget:
    """What may leave with one token ("": without). Cheap to make."""

    def __init__(self, token: str) -> None:
        self._limit = settings.PLATFORM_CALLS_PER_MINUTE
        self._caller = hashlib.blake2b(token.encode("utf-8", "replace"), digest_size=8).hexdigest() if token else ""

    def admit(self, request: Request, host: str) -> RateLimited | None:
        """Count a call to `host` that leaves now, or say why it does not, and in how many seconds it may."""
        kind = _kind.get() if request.method == "GET" else Kind.WRITE
        while True:
            now = time.time()
            current = int(now // SLOT)
            counts, pause = self._look(host, current)
            if pause is not None and pause.until > now:
                return RateLimited(request.operation, retry_after=pause.until - now)
            most = _share(self._limit, kind)
            if sum(map(_total, counts.values())) >= most:
                return OverBudget(request.operation, retry_after=_wait(counts, most, now))
            counts[current] = self._count(host, current, UNIT[kind])
            is_same_slot = int(time.time() // SLOT) == current  # else others may have looked past what was counted
            if is_same_slot and sum(map(_total, counts.values())) <= most:
                return None
            self._count(host, current, -UNIT[kind])
            _looks.pop((host, self._caller), None)  # others have counted since

    def slow_down(self, requested: float | None, host: str) -> float:
        """The platform answered 429: nothing of this account leaves for as many seconds as are returned.

        `requested` are those that it named, None where it named none.
        """
        now, name = time.time(), self._pause_name(host)
        last: _Pause | None = cache.get(name)
        seconds = FIRST_PAUSE if last is None else min(last.seconds * 2, LONGEST_GUESS)
        if requested is not None:
            seconds = min(max(requested, LEAST_PAUSE), LONGEST_PAUSE)
        elif last is not None and last.until > now:  # one of several calls that were out together
            return last.until - now
        if last is None or last.until < now + seconds:
            cache.set(name, _Pause(now + seconds, seconds), seconds + REMEMBERED)
            _looks.clear()  # after it is written: whoever looks next finds it, whatever host is called
            return seconds
        return last.until - now

    def use(self, host: str) -> Use:
        """What was used of the budget of `host` in the last minute."""
        now = time.time()
        counts, pause = self._ask(host, int(now // SLOT))
        calls = {kind: sum(count // unit % 10**6 for count in counts.values()) for kind, unit in UNIT.items()}
        return Use(self._limit, calls, pause.until if pause and pause.until > now else None)

    def _look(self, host: str, current: int) -> tuple[dict[int, int], _Pause | None]:
        """What `_ask` has found a moment ago, or finds now."""
        with _looking:
            last = _looks.get((host, self._caller))
            if last is None or last.current != current or not 0 <= time.time() - last.at < LOOK_LASTS:
                if len(_looks) >= LOOKS_MOST:
                    _looks.clear()
                last = _looks[host, self._caller] = _Look(current, *self._ask(host, current), time.time())
            return dict(last.counts), last.pause

    def _ask(self, host: str, current: int) -> tuple[dict[int, int], _Pause | None]:
        """The counters of the minute by slot, oldest first, and the last pause: in one question to the cache.

        Nobody counts in a slot that is over, so a process asks for each of those once.
        """
        slots = range(current - SLOTS, current + 1)
        past = {slot: count for slot, count in _past.get(self._bucket(host), {}).items() if slot in slots}
        names = {slot: self._slot_name(host, slot) for slot in slots if slot not in past}
        pause = self._pause_name(host)
        known: dict[str, Any] = cache.get_many([*names.values(), pause])
        counts = {slot: past[slot] if slot in past else known.get(names[slot], 0) for slot in slots}
        _past[self._bucket(host)] = {slot: count for slot, count in counts.items() if slot < current - 1}
        return counts, known.get(pause)

    def _count(self, host: str, slot: int, step: int) -> int:
        """Add to the counter of a slot; what it is now. A cache that fails has counted nothing."""
        name = self._slot_name(host, slot)
        for _time in range(2):
            try:
                return int(cache.incr(name, step))
            except ValueError:
                cache.add(name, 0, (SLOTS + 2) * SLOT)
        return 0

    def _bucket(self, host: str) -> str:
        """The budget is that of the whole installation, or of the token where the platform counts so."""
        return f"{host}:{self._caller}" if settings.PLATFORM_CALLS_COUNTED_BY == "token" else host

    def _slot_name(self, host: str, slot: int) -> str:
        return f"{COUNTERS}{self._bucket(host)}:{slot}"

    def _pause_name(self, host: str) -> str:
        return f"calls-paused:{self._caller or host}"


def _share(limit: int, kind: Kind) -> int:
    return max(1, int(limit * SHARES[kind]))


def _total(count: int) -> int:
    """Calls of all kinds in one counter."""
    return count % 10**6 + count // 10**6 % 10**6 + count // 10**12


def _wait(counts: Mapping[int, int], most: int, now: float) -> float:
    """Seconds until enough of the oldest slots have left the minute that one more call fits below `most`."""
    total = sum(map(_total, counts.values()))
    for slot, count in counts.items():
        total -= _total(count)
        if total < most:
            return max((slot + SLOTS + 1) * SLOT - now, 0.0)
    return float(SLOT)
