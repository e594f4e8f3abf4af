"""The one httpx client of a process."""

import logging
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx

from dashboard.platform_api import deadline
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
    deadline.bound(client)
    return client
