"""Pages as production makes them, although the settings of tests are those of a fresh clone."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import httpx
from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.template import Template
from django.test import Client, override_settings

PLENTY: Final = 100_000
"""Calls of a minute: counted, and never used up."""


@contextmanager
def as_served() -> Iterator[None]:
    """Templates are parsed once and drawn without the notes of tests, the cache is the machine's file, and calls are counted."""
    loaders = [("django.template.loaders.cached.Loader", settings.TEMPLATE_LOADERS)]
    templates = [{**backend, "OPTIONS": {**backend["OPTIONS"], "loaders": loaders}} for backend in settings.TEMPLATES]
    with tempfile.TemporaryDirectory() as folder:
        cache = {**settings.CACHES["machine"], "LOCATION": Path(folder) / "cache.sqlite3"}
        caches = {"default": cache, "machine": cache}
        with (
            patch.object(Template, "_render", lambda template, context: template.nodelist.render(context)),
            override_settings(TEMPLATES=templates, CACHES=caches, PLATFORM_CALLS_PER_MINUTE=PLENTY),
        ):
            yield


@dataclass
class Clock:
    """Seconds of this process's CPU at the turns of one visit; `milliseconds` on the wall until the answer can be sent."""

    begun: float = 0.0
    began_at: float = field(default_factory=time.perf_counter)
    milliseconds: float = 0.0
    left: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    gone: float = 0.0
    over: float = 0.0

    @property
    def own(self) -> float:
        """Milliseconds of CPU that lie before the last call left, and after the last answer came: what a page adds to it.

        What is computed while calls are out delays nobody, and what is computed when the page has gone does not either.
        """
        return (self.left_last - self.begun + self.gone - max(self.back)) * 1000

    @property
    def left_last(self) -> float:
        """When the last call left."""
        return max(self.left)


class Clocks:
    """Clocks of visits, from inside of what they pass."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.request: httpx.Request | None = None
        """The first one that was sent, whose answer is small."""

    def visit(self, client: Client, path: str) -> Clock:
        """One visit by its clock. Reads that go on beside the page are left out."""
        self.clock = clock = Clock(begun=time.process_time())
        client.get(path)
        clock.over = time.process_time()
        pairs = [(left, back) for left, back in zip(clock.left, clock.back, strict=False) if back <= clock.gone]
        clock.left, clock.back = [left for left, _ in pairs], [back for _, back in pairs]
        return clock


@contextmanager
def clocks() -> Iterator[Clocks]:
    """Clocks for the visits of this process."""
    found = Clocks()
    send, respond = httpx.HTTPTransport.handle_request, BaseHandler.get_response

    def handle_request(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        found.request = found.request or request
        clock, left = found.clock, time.process_time()
        response = send(self, request)
        clock.left.append(left)
        clock.back.append(time.process_time())
        return response

    def get_response(self: BaseHandler, request: Any) -> Any:
        response = respond(self, request)
        found.clock.gone = time.process_time()
        found.clock.milliseconds = (time.perf_counter() - found.clock.began_at) * 1000
        return response

    with (
        patch.object(httpx.HTTPTransport, "handle_request", handle_request),
        patch.object(BaseHandler, "get_response", get_response),
    ):
        yield found
