"""The one httpx client of a process."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final

import httpx

from dashboard.platform_api.config import PlatformConfig

CONNECT_SECONDS: Final = 3.0
"""A host that does not take a connection in this time will not in ten; the rest of the time is for a second try."""

LIMITS: Final = httpx.Limits(max_connections=64, max_keepalive_connections=20, keepalive_expiry=5.0)
"""The pool looks at every idle connection at each call: hundreds of them cost more CPU than the calls themselves."""


def open_http(config: PlatformConfig, transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """A client with a bounded pool that follows no redirect and keeps no cookie; building one costs about 50 ms.

    `transport` replaces the network (the embedded platform, tests). It serves every account, so nothing that a
    platform sets in one account's answer may leave with another's call.
    """
    for name in ("httpx", "httpcore"):  # httpx logs whole addresses, a reviewer's token included, at INFO
        logging.getLogger(name).setLevel(logging.WARNING)
    client = httpx.Client(
        transport=transport,
        timeout=httpx.Timeout(config.timeout, connect=min(config.timeout, CONNECT_SECONDS)),
        limits=LIMITS,
        follow_redirects=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        headers={"User-Agent": "reelroom", "Accept-Encoding": "gzip"},
    )
    bound(client)
    return client


_give_up_at: ContextVar[float | None] = ContextVar("give_up_at", default=None)


@contextmanager
def until(give_up_at: float) -> Iterator[None]:
    """Let no network operation of this thread wait past `give_up_at` (of `time.monotonic`)."""
    token = _give_up_at.set(give_up_at)
    try:
        yield
    finally:
        _give_up_at.reset(token)


def bound(client: httpx.Client) -> None:
    """Put the deadline under the client's connection pools, those of proxies included.

    httpx has no parameter for it, so this reaches into two attributes of pinned versions; without them it fails at the
    start, and `test_a_server_that_drips_its_headers_is_given_up` fails if they stop having an effect.
    """
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.HTTPTransport):
            pool: Any = transport._pool
            pool._network_backend = _Backend(pool._network_backend)


def _left(timeout: float | None) -> float | None:
    give_up_at = _give_up_at.get()
    if give_up_at is None:
        return timeout
    left = max(give_up_at - time.monotonic(), 0.001)  # 0 would mean "do not block", which is another error
    return left if timeout is None else min(timeout, left)


class _Backend:
    """The network: connections that know the deadline."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, **options: Any) -> "_Stream":
        return _Stream(self._inner.connect_tcp(host, port, timeout=_left(timeout), **options))

    def connect_unix_socket(self, path: str, timeout: float | None = None, **options: Any) -> "_Stream":
        return _Stream(self._inner.connect_unix_socket(path, timeout=_left(timeout), **options))

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _Stream:
    """One connection."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data: bytes = self._inner.read(max_bytes, timeout=_left(timeout))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout=_left(timeout))

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> "_Stream":
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout=_left(timeout)))

    def close(self) -> None:
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
