"""Locks that all processes share, in the cache, and what is made once for all who ask at the same time."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.cache import cache

from dashboard.platform_api.errors import CallError

T = TypeVar("T")

KEEP = 24 * 60 * 60
WAIT_STEP = 0.02


@contextmanager
def lock(name: str, seconds: float, *, wait: float = 0.0) -> Iterator[bool]:
    """Yield whether the caller has the lock `name`, which nobody else has meanwhile, after waiting for it for `wait` seconds.

    It ends by itself after `seconds`: whoever holds it may die.
    """
    deadline = time.monotonic() + wait
    while not (is_held := cache.add(name, 1, seconds)) and time.monotonic() < deadline:
        time.sleep(WAIT_STEP)
    try:
        yield is_held
    finally:
        if is_held:
            cache.delete(name)


@dataclass(frozen=True)
class Reading(Generic[T]):
    """What was read, when (seconds since the epoch), and the error of a later attempt if the last one failed."""

    value: T
    at: float
    error: CallError | None = None

    @property
    def age(self) -> float:
        """Seconds since the value was read."""
        return max(0.0, time.time() - self.at)


def shared_read(key: str, seconds: float, produce: Callable[[], T], *, patience: float = 15.0) -> T:
    """Return the value of `key`, at most `seconds` old, reading it once for all threads and processes that ask.

    `key` must carry the account wherever the answer depends on it. Raises the `PlatformError` of `produce`.
    """
    return shared_reading(key, seconds, produce, patience=patience, stale=False).value


def shared_reading(
    key: str, seconds: float, produce: Callable[[], T], *, patience: float = 15.0, stale: bool = True
) -> Reading[T]:
    """Like `shared_read`, with its age; with `stale`, the last good value is kept and returned beside a failure."""
    name, deadline = f"read:{key}", time.monotonic() + patience
    while True:
        last: Reading[T] | None = cache.get(name)
        if last is not None and last.age < seconds:
            return last
        with lock(f"reading:{key}", patience) as is_ours:
            if is_ours:
                last = cache.get(name)  # whoever held the lock until now has read it since it was looked up
                return last if last and last.age < seconds else _read(name, produce, last if stale else None)
        if stale and last is not None:
            return last  # somebody is reading it anew: what is there is good enough meanwhile
        if time.monotonic() >= deadline:
            return Reading(produce(), time.time())
        time.sleep(WAIT_STEP)


def _read(name: str, produce: Callable[[], T], last: Reading[T] | None) -> Reading[T]:
    try:
        fresh = Reading(produce(), time.time())
    except CallError as error:
        if last is None:
            raise
        return Reading(last.value, last.at, error)
    cache.set(name, fresh, KEEP)
    return fresh


def kept_reading(key: str) -> Reading[Any] | None:
    """What was last read for `key`, however old, without reading it anew. None where nothing is kept."""
    reading: Reading[Any] | None = cache.get(f"read:{key}")
    return reading


def forget(key: str) -> None:
    """Drop what is kept of `key`, after a write that changed it."""
    cache.delete(f"read:{key}")
