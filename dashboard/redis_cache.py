"""Redis, and this machine's own cache while Redis does not answer: nothing that people ask for fails with it."""

import logging
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.core.cache import BaseCache, caches
from django.core.cache.backends import redis as django_redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from dashboard.monitoring import metrics

log = logging.getLogger(__name__)

PAUSE: Final = 5.0
"""Seconds without Redis after a failure; then one call tries it again."""
REMEMBERED: Final = 10_000
"""Keys changed meanwhile that are dropped from Redis when it is back: what it holds of them is older."""
OPTIONS: Final = {"socket_connect_timeout": 0.25, "socket_timeout": 1.0}


@dataclass
class Outage:
    """What this process knows of Redis: whether it answers, when to try again, what was changed meanwhile."""

    away: bool = False
    try_at: float = 0.0
    changed: dict[str, None] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def may_try(self) -> bool:
        """Whether this call goes to Redis. After a failure only one does, once per pause."""
        if not self.away:
            return True
        with self.lock:
            if time.monotonic() < self.try_at:
                return False
            self.try_at = time.monotonic() + PAUSE
            return True

    def begin(self, error: Exception, local: BaseCache) -> None:
        """Redis failed: start with an empty cache of this machine, what is left there of an earlier time is old."""
        with self.lock:
            begins, self.away, self.try_at = not self.away, True, time.monotonic() + PAUSE
        if begins:
            local.clear()
            log.warning("Redis does not answer (%s): this machine's own cache is used until it does", error)

    def remember(self, keys: Iterable[str]) -> None:
        """Keep in mind that Redis holds something older of these."""
        with self.lock:
            for key in keys:
                self.changed[key] = None
                if len(self.changed) > REMEMBERED:
                    del self.changed[next(iter(self.changed))]

    def end(self) -> None:
        """Redis answered, and what was changed meanwhile is dropped from it."""
        with self.lock:
            self.away, self.changed = False, {}
        log.warning("Redis answers again")


_outages: dict[str, Outage] = {}


class RedisCacheClient(django_redis.RedisCacheClient):
    """Django's, which makes a client of redis-py for each call; that costs as much as the call, so here one is kept."""

    _kept: Any = None

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client of the one server that CACHE_URL names, for reads and writes alike."""
        if self._kept is None:
            self._kept = super().get_client(key, write=write)
        return self._kept


class RedisCache(django_redis.RedisCache):
    """Django's, with short time limits and a cache of this machine (`machine` in CACHES) behind it."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        options = {**OPTIONS, "retry": Retry(NoBackoff(), 1), **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = RedisCacheClient
        self._outage = _outages.setdefault(str(server), Outage())

    @property
    def away(self) -> bool:
        """Whether Redis failed when it was last tried."""
        return self._outage.away

    def _either(self, method: str, *arguments: Any, changes: Iterable[str] = (), **version: int | None) -> Any:
        """What Redis answers, else what this machine's cache does; `changes` are the keys that the method changes."""
        outage, local = self._outage, caches["machine"]
        if outage.may_try():
            try:
                if outage.away and outage.changed:
                    self._cache.delete_many(list(outage.changed))
                answer = getattr(super(), method)(*arguments, **version)
            except (RedisError, OSError) as error:
                outage.begin(error, local)
            else:
                if outage.away:
                    outage.end()
                self._count(method, arguments, answer)
                return answer
        outage.remember(self.make_and_validate_key(key, **version) for key in changes)
        return getattr(local, method)(*arguments, **version)

    def _count(self, method: str, arguments: tuple[Any, ...], answer: Any) -> None:
        """Count what Redis was asked; this machine's cache counts for itself."""
        if method == "get":
            metrics.count_cache_reads(1, answer is not arguments[1])
        elif method == "get_many":
            metrics.count_cache_reads(len(arguments[0]), len(answer))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._either("get", key, default, version=version)

    def get_many(self, keys: Iterable[str], version: int | None = None) -> Any:
        return self._either("get_many", list(keys), version=version)

    def has_key(self, key: str, version: int | None = None) -> Any:
        return self._either("has_key", key, version=version)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._either("set", key, value, timeout, changes=[key], version=version)

    def set_many(self, data: Mapping[str, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> Any:
        return self._either("set_many", data, timeout, changes=data, version=version)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> Any:
        return self._either("add", key, value, timeout, changes=[key], version=version)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> Any:
        return self._either("incr", key, delta, changes=[key], version=version)

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> Any:
        return self._either("touch", key, timeout, version=version)

    def delete(self, key: str, version: int | None = None) -> Any:
        return self._either("delete", key, changes=[key], version=version)

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        names = list(keys)
        self._either("delete_many", names, changes=names, version=version)

    def clear(self) -> None:
        self._either("clear")
