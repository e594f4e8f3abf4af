"""The platform as one account sees it."""

import time
from collections.abc import Callable

import httpx

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.config import PlatformConfig
from dashboard.platform_api.operations import Operations
from dashboard.platform_api.request import Preview, Request, preview_of
from dashboard.platform_api.sending import Observe, Sender, T


class Platform(Operations):
    """All operations, sent with one account's token; "" for reviewers, who have none.

    `http` comes from `open_http` and is shared by the process. `observe` is told of every attempt. Cheap to make.
    """

    def __init__(
        self,
        config: PlatformConfig,
        http: httpx.Client,
        token: str,
        *,
        observe: Observe | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(Sender(config, http, token, observe, sleep).send, review_reads=config.review_reads)
        self.config = config

    def preview(self, call: Callable[[Operations], object]) -> Preview:
        """What a call would send, without sending it: `platform.preview(lambda p: p.lives.start(live_id))`.

        Raises `ValueError` for a `call` that makes no call, and whatever the operation raises before it sends.
        """
        try:
            call(Operations(_prepare, review_reads=self.config.review_reads))
        except _Prepared as prepared:
            return preview_of(prepared.request, self.config)
        raise ValueError("nothing was called")


class _Prepared(Exception):
    def __init__(self, request: Request) -> None:
        super().__init__(request.operation)
        self.request = request


def _prepare(request: Request, read: Callable[[Answer], T]) -> T:
    raise _Prepared(request)
