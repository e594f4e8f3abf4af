"""Platforms whose network is a function of the test's."""

from collections.abc import Callable
from typing import Protocol

import httpx
import pytest

from dashboard.platform_api import Call, Platform, PlatformConfig, errors, open_http
from tests.platform_api.operations import CONFIG, OPERATIONS, TOKEN

Handler = Callable[[httpx.Request], httpx.Response]


class Answering(Protocol):
    """Makes a platform that answers as told."""

    def __call__(
        self, handler: Handler | httpx.Response, config: PlatformConfig = CONFIG, token: str = TOKEN
    ) -> Platform: ...


class Recorder:
    """What left, how long was slept, and what was observed."""

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []
        self.calls: list[Call] = []


def error_of(operation: str, platform: Platform) -> errors.CallError | None:
    """The error that an operation ends in; None where it ends well."""
    try:
        OPERATIONS[operation].call(platform)
    except errors.CallError as error:
        return error
    return None


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def answering(recorder: Recorder) -> Answering:
    """A platform that answers with a response, or with what a function makes of the request. It never really sleeps."""

    def make(handler: Handler | httpx.Response, config: PlatformConfig = CONFIG, token: str = TOKEN) -> Platform:
        def handle(request: httpx.Request) -> httpx.Response:
            recorder.requests.append(request)
            return handler if isinstance(handler, httpx.Response) else handler(request)

        http = open_http(config, httpx.MockTransport(handle))
        return Platform(config, http, token, observe=recorder.calls.append, sleep=recorder.pauses.append)

    return make
