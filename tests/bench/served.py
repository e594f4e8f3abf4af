"""Pages as production makes them, although the settings of tests are those of a fresh clone."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import httpx
from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.template import Template
from django.test import Client, override_settings

from dashboard.upstream import parallel

PLENTY: Final = 100_000
"""Calls of a minute: counted, and never used up."""


_is_beside: ContextVar[bool] = ContextVar("is_beside", default=False)


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


@dataclass(frozen=True)
class Exchange:
    """One call of a page: the process's seconds of CPU when it left and when its answer came; the time between on the wall."""

    left: float
    back: float
    milliseconds: float


@dataclass
class Clock:
    """Seconds of this process's CPU at the turns of one visit; `milliseconds` on the wall until the answer can be sent."""

    begun: float = 0.0
    began_at: float = field(default_factory=time.perf_counter)
    milliseconds: float = 0.0
    exchanges: list[Exchange] = field(default_factory=list)
    """Those that the page waits for. What is read beside it delays nobody."""
    gone: float = 0.0
    over: float = 0.0

    @property
    def own(self) -> float:
        """Milliseconds of CPU that lie before the last call left, and after the last answer came: what a page adds to it.

        What is computed while calls are out delays nobody, and what is computed when the page has gone does not either.
        """
        last_left, last_back = max(call.left for call in self.exchanges), max(call.back for call in self.exchanges)
        return (last_left - self.begun + self.gone - last_back) * 1000

    @property
    def slowest(self) -> float:
        """Milliseconds of the slowest call, until its answer came: not until we had read it."""
        return max(call.milliseconds for call in self.exchanges)


class Clocks:
    """Clocks of visits, from inside of what they pass."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.request: httpx.Request | None = None
        """The first one that was sent, whose answer is small."""

    def visit(self, client: Client, path: str) -> Clock:
        """One visit by its clock."""
        self.clock = clock = Clock(begun=time.process_time())
        client.get(path)
        clock.over = time.process_time()
        clock.exchanges = [call for call in clock.exchanges if call.back <= clock.gone]
        return clock


def _beside(read: Callable[[], Any]) -> Callable[[], Any]:
    """A read beside a page, of which the calls say so."""

    def marked() -> Any:
        _is_beside.set(True)
        return read()

    return marked


@contextmanager
def clocks() -> Iterator[Clocks]:
    """Clocks for the visits of this process."""
    found = Clocks()
    send, respond, submit = httpx.HTTPTransport.handle_request, BaseHandler.get_response, parallel._submit_reads

    def handle_request(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        found.request = found.request or request
        clock, left, left_at = found.clock, time.process_time(), time.perf_counter()
        response = send(self, request)
        if not _is_beside.get():
            milliseconds = (time.perf_counter() - left_at) * 1000
            clock.exchanges.append(Exchange(left, time.process_time(), milliseconds))
        return response

    def get_response(self: BaseHandler, request: Any) -> Any:
        response = respond(self, request)
        found.clock.gone = time.process_time()
        found.clock.milliseconds = (time.perf_counter() - found.clock.began_at) * 1000
        return response

    with (
        patch.object(parallel, "_submit_reads", lambda reads: submit([(run, _beside(read)) for run, read in reads])),
        patch.object(httpx.HTTPTransport, "handle_request", handle_request),
        patch.object(BaseHandler, "get_response", get_response),
    ):
        yield found
