"""The embedded platform in a process of its own: late as one far away, and its CPU is not the dashboard's."""

import gc
import multiprocessing
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Barrier
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from django.db import connections
from django.test import override_settings
from django.utils.module_loading import import_string

from dashboard import memory
from dashboard.platform_api import Call
from dashboard.upstream import parallel, platform_health
from tests.forgetting import forget

LATENCY_MS = 50
TIMES, OURS_MS = 1.1, 30
"""What a page that has read nothing before may take: so many times its slowest call, and so much of our own."""


@contextmanager
def far_away(latency: int = LATENCY_MS) -> Iterator[list[Call]]:
    """The platform of these databases over HTTP, that late; gives every call that is made meanwhile.

    Pages wait for it however long it takes: here it has no more than its share of a core.
    """
    threshold = gc.get_threshold()
    memory.search_garbage_seldom()  # as production does before its first page (dashboard.gunicorn)
    try:
        with _serving(latency) as address, override_settings(**addresses(address)), observed() as calls:
            yield calls
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)


@contextmanager
def observed() -> Iterator[list[Call]]:
    """Every upstream call that is made meanwhile."""
    made: list[Call] = []
    observe = platform_health.observe

    def noted(calls: Sequence[Call]) -> None:
        made.extend(calls)
        observe(calls)

    platform_health.observe = noted
    try:
        yield made
    finally:
        platform_health.observe = observe


def cold(ask: Callable[[], object]) -> None:
    """A page that has read nothing before."""
    forget()
    ask()


def over(ask: Callable[[], object], calls: list[Call]) -> float:
    """The time of a page that has read nothing before, without what is allowed to us, over its slowest call."""
    wait_for_background()
    calls.clear()
    begun = time.perf_counter()
    cold(ask)
    spent = (time.perf_counter() - begun) * 1000
    return (spent - OURS_MS) / max(call.milliseconds for call in calls)


def wait_for_background() -> None:
    """Until what the last page began beside it has ended: it is not the next page's.

    All threads of the pool meet; what is still queued then was begun by one of the reads that have just ended.
    """
    pool, queued = parallel._background, [1]
    while queued[-1]:
        meeting = Barrier(pool._max_workers + 1, action=lambda: queued.append(pool._work_queue.qsize()))
        for _thread in range(pool._max_workers):
            pool.submit(meeting.wait)
        meeting.wait()


@contextmanager
def _serving(latency: int) -> Iterator[str]:
    port = free_port()
    connections.close_all()  # a connection does not survive a fork
    server = multiprocessing.get_context("fork").Process(target=_serve, args=(port, latency), daemon=True)
    server.start()
    try:
        wait_for(f"http://127.0.0.1:{port}/sandbox/openapi.json")
        yield f"http://127.0.0.1:{port}/sandbox"
    finally:
        server.terminate()
        server.join(20)


def _serve(port: int, latency: int) -> None:
    sys.argv[1:] = []  # gunicorn would read ours
    import_string("dashboard.sandbox.faults.baseline").latency_ms = latency
    import_string("dashboard.sandbox.management.commands.sandbox.Server")(f"127.0.0.1:{port}", 1).run()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(address: str, seconds: float = 60) -> None:
    """Until something answers there."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(URLError, ConnectionError, TimeoutError), urlopen(address, timeout=5):  # noqa: S310 - our own server
            return
        time.sleep(0.1)
    raise TimeoutError("the embedded platform did not start")


def addresses(address: str, *, patient: bool = True) -> dict[str, Any]:
    """The settings that lead there; `patient` pages wait for everything."""
    waits = {"PAGE_PATIENCE_MS": 60_000, "PLATFORM_TIMEOUT": 60} if patient else {}
    return {
        **waits,
        "PLATFORM_EMBEDDED": False,
        "READ_SIDE_BY_SIDE": True,
        "PLATFORM_BASE_URL": f"{address}/api",
        "PLATFORM_DATA_URL": f"{address}/data",
        "PLATFORM_TRAFFIC_URL": f"{address}/traffic",
        "PLATFORM_CONFIG_URL": f"{address}/config",
    }
