"""Independent reads of one page, side by side, within the page's patience."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import close_old_connections

from dashboard.platform_api.circuits import MOST_IN_FLIGHT
from dashboard.platform_api.errors import PlatformError, Unreachable

log = logging.getLogger(__name__)
T = TypeVar("T")

THREADS = 32
_pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="read")
_background = ThreadPoolExecutor(max_workers=MOST_IN_FLIGHT, thread_name_prefix="background")
_here = threading.local()
"""`inside`: this thread is one of the pool's."""


@dataclass(frozen=True)
class Ready(Generic[T]):
    """The read brought `value`."""

    value: T


@dataclass(frozen=True)
class Failed:
    """The platform refused or could not answer; the error belongs to this panel, not to the page."""

    error: PlatformError


@dataclass(frozen=True)
class Late:
    """The answer was not there when the page's patience was over: the panel fetches itself."""


Outcome = Ready[Any] | Failed | Late


def gather(patience: float | None = None, **reads: Callable[[], Any]) -> dict[str, Outcome]:
    """Run each read and return its outcome by name.

    `patience` is in seconds (default: PAGE_PATIENCE_MS). Inside a read of another `gather` the reads run one after another
    and none is late: reads that waited for places in the pool while they hold one could hold them all. Any exception but
    a `PlatformError` is a mistake of ours and is raised.
    """
    if _on_this_thread():
        return {name: _outcome(read) for name, read in reads.items()}
    deadline = time.monotonic() + (page_patience() if patience is None else patience)
    futures = {name: _pool.submit(copy_context().run, _in_thread, read) for name, read in reads.items()}
    return {name: _await(future, deadline) for name, future in futures.items()}


def beside(main: Callable[[], T], **spare: Callable[[], Any]) -> tuple[T, dict[str, Outcome]]:
    """`main`, however long it takes, and side by side with it reads that the page can do without.

    Those are waited for no longer than the page's patience. What `main` raises is raised.
    """
    if _on_this_thread():
        return main(), {name: _outcome(read) for name, read in spare.items()}
    deadline = time.monotonic() + page_patience()
    futures = {name: _pool.submit(copy_context().run, _in_thread, read) for name, read in spare.items()}
    return main(), {name: _await(future, deadline) for name, future in futures.items()}


def needed(**reads: Callable[[], Any]) -> dict[str, Any]:
    """Reads of which the page can do without none, side by side. What one of them raises is raised."""
    found = {}
    for name, outcome in gather(settings.PLATFORM_TIMEOUT, **reads).items():
        match outcome:
            case Ready(value):
                found[name] = value
            case Failed(error):
                raise error
            case _:
                raise Unreachable(name)
    return found


def start(read: Callable[[], Any], patience: float = 0.0) -> None:
    """Run a read that nobody needs the outcome of, and wait no longer for it than `patience` seconds.

    It has threads of its own: what hangs there takes none from pages. A mistake of ours in it is logged.
    """
    if _on_this_thread():
        read()
        return
    wait([_background.submit(copy_context().run, _beside_a_request, read)], timeout=patience)


def _beside_a_request(read: Callable[[], Any]) -> None:
    try:
        _in_thread(read)
    except Exception:  # nobody waits for it who could be told
        log.exception("a read beside a request failed")


def _on_this_thread() -> bool:
    """Tests read in their own transaction, which no other thread sees."""
    return not settings.READ_SIDE_BY_SIDE or getattr(_here, "inside", False)


def page_patience() -> float:
    """Seconds that a page waits for what it can do without."""
    return float(settings.PAGE_PATIENCE_MS) / 1000


def _await(future: "Future[Outcome]", deadline: float) -> Outcome:
    try:
        return future.result(timeout=max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        future.cancel()
        return Late()


def _in_thread(read: Callable[[], Any]) -> Outcome:
    _here.inside = True
    try:
        return _outcome(read)
    finally:
        close_old_connections()


def _outcome(read: Callable[[], Any]) -> Outcome:
    try:
        return Ready(read())
    except PlatformError as error:
        return Failed(error)
