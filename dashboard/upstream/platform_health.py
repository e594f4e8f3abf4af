"""How the platform is doing, from the calls that pages make anyway: per operation, and as a whole.

Kept in the cache: shared by all processes where the cache is, and gone when nobody has asked for an hour.
"""

import time
from collections.abc import Iterable, Sequence
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


def observe(calls: Sequence[Call]) -> None:
    """Count these attempts. Two processes counting at once may lose one: it is a pulse, not an account."""
    now = time.time()
    names = {_name(call.operation): call.operation for call in calls}
    known = cache.get_many([*names, INDEX, WHOLE])
    pulses = {name: known.get(name) or Pulse(operation) for name, operation in names.items()}
    whole: Whole = known.get(WHOLE) or Whole()
    for call in calls:
        name = _name(call.operation)
        pulses[name] = _count(pulses[name], call, now)
        whole = _count_whole(whole, call, now)
    index: frozenset[str] = known.get(INDEX) or frozenset()
    new_index = {} if index.issuperset(names.values()) else {INDEX: index.union(names.values())}
    cache.set_many({**pulses, **new_index, WHOLE: whole}, KEPT)
    if whole.failures:
        cache.set(WHOLE, whole, TROUBLE_WINDOW)


def _count(pulse: Pulse, call: Call, now: float) -> Pulse:
    failed = call.error in TROUBLE_KINDS or call.error == "RateLimited"
    return replace(
        pulse,
        calls=pulse.calls + 1,
        failures=pulse.failures + failed,
        last_success=pulse.last_success if failed else now,
        last_failure=now if failed else pulse.last_failure,
        last_error=(call.error or "") if failed else pulse.last_error,
        latencies=(*pulse.latencies, call.milliseconds)[-LATENCIES:],
    )


def _count_whole(whole: Whole, call: Call, now: float) -> Whole:
    if call.error not in TROUBLE_KINDS:
        return Whole(milliseconds=call.milliseconds)
    begun = whole.since if whole.failures and now - whole.since < TROUBLE_WINDOW * 5 else now
    return Whole(whole.failures + 1, begun, whole.milliseconds)


def operations() -> list[Pulse]:
    """Every operation that was called in the last hour, by name."""
    names: Iterable[str] = cache.get(INDEX) or ()
    pulses = cache.get_many(map(_name, names))
    return [pulses.get(_name(operation)) or Pulse(operation) for operation in sorted(names)]


def load_whole() -> Whole:
    """The platform as a whole, as the last calls found it."""
    return cache.get(WHOLE) or Whole()


def in_trouble() -> bool:
    """Several calls in a row failed a moment ago. Ends with the first that works, or by itself."""
    return load_whole().failures >= TROUBLE_AFTER


def _name(operation: str) -> str:
    return f"pulse:{operation}"
