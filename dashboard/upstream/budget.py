"""What holds calls back: the budget of background reading, and the pause that a 429 of the platform asks for.

What people open, send and sign in with is not counted: only the platform refuses it. Background reading has six tenths of
PLATFORM_CALLS_PER_MINUTE in each minute of the clock, over all processes. After a 429 all calls of that account that can wait
(background reading, reads of what is known already, writes of the outbox) do so until the time that it named. A cache that fails
holds nothing back.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from hashlib import blake2b
from typing import Final

from django.conf import settings
from django.core.cache import cache

from dashboard.platform_api.errors import OverBudget, RateLimited
from dashboard.platform_api.request import Request

MINUTE: Final = 60
UNLIMITED: Final = 600
"""Calls that background reading makes in a minute where there is no budget."""
LEAST_PAUSE, USUAL_PAUSE, LONGEST_PAUSE = 1.0, 10.0, 3600.0
"""Seconds; the usual one follows a 429 that names none."""
COUNTERS: Final = "calls:"
"""How the keys of counters begin. They stay when a server starts anew: what has left a moment ago has left."""
AT_ONCE, CAN_WAIT, BACKGROUND = range(3)
_kind: ContextVar[int] = ContextVar("kind", default=AT_ONCE)


@contextmanager
def _calls(kind: int) -> Iterator[None]:
    before = _kind.get()
    _kind.set(max(before, kind))
    try:
        yield
    finally:
        _kind.set(before)


can_wait, background = partial(_calls, CAN_WAIT), partial(_calls, BACKGROUND)
"""Inside, calls wait for the end of a pause: who makes them sees what is known meanwhile, or is told. Or nobody looks at all."""


def background_calls() -> int:
    """How many calls background reading may make in a minute: the rest of what the platform takes is left to people."""
    limit = settings.PLATFORM_CALLS_PER_MINUTE
    return max(1, limit * 6 // 10) if limit else UNLIMITED


class Budget:
    """What may leave with one token ("": without). Cheap to make."""

    def __init__(self, token: str) -> None:
        self._caller = blake2b(token.encode("utf-8", "replace"), digest_size=8).hexdigest() if token else ""

    def admit(self, request: Request) -> RateLimited | None:
        """Why a call has to wait, and for how many seconds; None where it leaves now. Counts what is read in the background."""
        kind, now = _kind.get(), time.time()
        if kind == AT_ONCE:
            return None
        if (until := self.paused_until(request)) > now:
            return RateLimited(request.operation, retry_after=until - now)
        if kind == BACKGROUND and self.count_background(1) > background_calls():
            return OverBudget(request.operation, retry_after=MINUTE - now % MINUTE)
        return None

    def slow_down(self, request: Request, requested: float | None) -> float:
        """The platform answered 429 and named so many seconds, or none: begin or prolong the pause. Returns how long it is."""
        seconds = USUAL_PAUSE if requested is None else min(max(requested, LEAST_PAUSE), LONGEST_PAUSE)
        seconds = max(self.paused_until(request) - time.time(), seconds)
        cache.set(self._pause_name(request), time.time() + seconds, seconds)
        return seconds

    def paused_until(self, request: Request | None = None) -> float:
        """Until when the account pauses, in seconds of the epoch; without a token, the link that the request is about."""
        return float(cache.get(self._pause_name(request), 0.0))

    def count_background(self, step: int = 0) -> int:
        """Add to what was read in the background in this minute; how many calls that are now."""
        caller = self._caller if settings.PLATFORM_CALLS_COUNTED_BY == "token" else ""
        name = f"{COUNTERS}{caller}:{int(time.time() // MINUTE)}"
        try:
            cache.add(name, 0, 2 * MINUTE)
            return int(cache.incr(name, step))
        except ValueError:  # a cache that fails has counted nothing
            return 0

    def _pause_name(self, request: Request | None) -> str:
        return f"calls-paused:{self._caller or '/'.join(map(str, request.path[:2] if request else ()))}"
