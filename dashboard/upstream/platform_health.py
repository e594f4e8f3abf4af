"""How the platform is doing, from the calls that pages make anyway: per operation, and as a whole.

Kept in the cache: shared by all processes where the cache is, and gone when nobody has asked for an hour.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.core.cache import cache

from dashboard.platform_api.sending import Call

KEPT = 60 * 60
LATENCIES = 20
TROUBLE_WINDOW = 120
"""Seconds in which failures count as trouble."""
TROUBLE_AFTER = 3
"""Failures without a success in between, of whatever operation."""
TROUBLE_KINDS = frozenset({"Unreachable", "PlatformDown"})
INDEX, WHOLE = "pulse:operations", "pulse:whole"


@dataclass(frozen=True)
class Pulse:
    """One operation: when it last worked (seconds since the epoch), how fast (ms, newest last), how often it failed."""

    operation: str
    calls: int = 0
    failures: int = 0
    last_success: float | None = None
    last_failure: float | None = None
    last_error: str = ""
    latencies: tuple[float, ...] = ()

    @property
    def median(self) -> float | None:
        """The middle one of the last latencies, in milliseconds."""
        return sorted(self.latencies)[len(self.latencies) // 2] if self.latencies else None


@dataclass(frozen=True)
class Whole:
    """The platform as a whole: failures in a row, since when."""

    failures: int = 0
    since: float = 0.0
    milliseconds: float | None = None


def observe(call: Call) -> None:
    """Count one attempt. Two processes counting at once may lose one: it is a pulse, not an account."""
    now = time.time()
    known = _of(call.operation)
    failed = call.error in TROUBLE_KINDS or call.error == "RateLimited"
    counted = replace(
        known,
        calls=known.calls + 1,
        failures=known.failures + failed,
        last_success=known.last_success if failed else now,
        last_failure=now if failed else known.last_failure,
        last_error=(call.error or "") if failed else known.last_error,
        latencies=(*known.latencies, call.milliseconds)[-LATENCIES:],
    )
    cache.set(f"pulse:{call.operation}", counted, KEPT)
    names: frozenset[str] = cache.get(INDEX) or frozenset()
    if call.operation not in names:
        cache.set(INDEX, names | {call.operation}, KEPT)
    _count_whole(call, now)


def _count_whole(call: Call, now: float) -> None:
    whole: Whole = cache.get(WHOLE) or Whole()
    if call.error in TROUBLE_KINDS:
        begun = whole.since if whole.failures and now - whole.since < TROUBLE_WINDOW * 5 else now
        cache.set(WHOLE, Whole(whole.failures + 1, begun, whole.milliseconds), TROUBLE_WINDOW)
    else:
        cache.set(WHOLE, Whole(milliseconds=call.milliseconds), KEPT)


def operations() -> list[Pulse]:
    """Every operation that was called in the last hour, by name."""
    names: Iterable[str] = cache.get(INDEX) or ()
    return [_of(name) for name in sorted(names)]


def load_whole() -> Whole:
    """The platform as a whole, as the last calls found it."""
    return cache.get(WHOLE) or Whole()


def in_trouble() -> bool:
    """Several calls in a row failed a moment ago. Ends with the first that works, or by itself."""
    return load_whole().failures >= TROUBLE_AFTER


def _of(operation: str) -> Pulse:
    pulse: Pulse | None = cache.get(f"pulse:{operation}")
    return pulse or Pulse(operation)
