"""What is counted while people use the product. Nothing is counted unless METRICS is on.

Several processes serve one machine: `share` lets each count into files of its own below `.data/metrics/`, one folder for the
processes of the web server and one for workers, and `/metrics` adds the files up. Without it, as in development, a process
counts for itself. Labels come from our code alone (names of views, operations, states), so they are bounded.
"""

import os
import socket
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.db import transaction
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from dashboard.platform_api.sending import NOT_SENT, Call

KINDS: Final = ("web", "worker")
ENDS: Final = frozenset({"done", "refused", "cancelled"})
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
REQUEST_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
CALL_SECONDS: Final = (0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30)


@dataclass(frozen=True)
class Meters:
    """The counters of a process. `circuit_open` is 1 for an operation whose last read was not begun."""

    collectors: CollectorRegistry
    requests: Counter
    request_seconds: Histogram
    calls: Counter
    call_seconds: Histogram
    circuit_open: Gauge
    writes: Counter
    cache_reads: Counter


@dataclass
class _Process:
    """What this process is, and its counters once it has any."""

    kind: str = "web"
    shared: bool = False
    meters: Meters | None = None
    lock: IO[str] | None = None


_process = _Process()
_building = threading.Lock()


def is_on() -> bool:
    """Whether anything is counted."""
    return bool(settings.METRICS)


def get_meters() -> Meters:
    """The counters of this process."""
    with _building:
        if _process.meters is None:
            _process.meters = _build()
        return _process.meters


def _build() -> Meters:
    collectors = CollectorRegistry()

    def count(name: str, text: str, *labels: str) -> Counter:
        return Counter(f"reelroom_{name}", text, ["process", *labels], registry=collectors)

    def measure(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"reelroom_{name}", text, ["process", *labels], buckets=buckets, registry=collectors)

    circuit_open = Gauge(
        "reelroom_platform_circuit_open",
        "1 while reads of an operation are not begun.",
        ["process", "operation"],
        registry=collectors,
        multiprocess_mode="livemax",
    )
    return Meters(
        collectors,
        requests=count("requests", "Answers to requests.", "view", "method", "status"),
        request_seconds=measure("request_seconds", "Time until the answer.", REQUEST_SECONDS, "view"),
        calls=count("platform_calls", "Attempts of calls to the platform.", "operation", "outcome"),
        call_seconds=measure("platform_call_seconds", "Time of an attempt of a call.", CALL_SECONDS, "operation"),
        circuit_open=circuit_open,
        writes=count("writes_settled", "Writes that ended.", "operation", "state"),
        cache_reads=count("cache_reads", "Values asked of the cache.", "outcome"),
    )


def count_request(view: str, method: str, status: int, seconds: float) -> None:
    """Count an answer."""
    if is_on():
        meters, kind = get_meters(), _process.kind
        meters.requests.labels(kind, view, method if method in METHODS else "other", status).inc()
        meters.request_seconds.labels(kind, view).observe(seconds)


def count_call(call: Call) -> None:
    """Count an attempt of a call to the platform."""
    if is_on():
        meters, kind = get_meters(), _process.kind
        meters.calls.labels(kind, call.operation, call.error or "ok").inc()
        meters.circuit_open.labels(kind, call.operation).set(call.error == NOT_SENT)
        if call.error != NOT_SENT:
            meters.call_seconds.labels(kind, call.operation).observe(call.milliseconds / 1000)


def count_write(operation: str, state: str) -> None:
    """Count a write that came into `state`, if it ends there, when that is stored."""
    if is_on() and state in ENDS:
        transaction.on_commit(partial(_count_write, operation, str(state)))


def _count_write(operation: str, state: str) -> None:
    get_meters().writes.labels(_process.kind, operation, state).inc()


def count_cache_reads(asked: int, hits: int) -> None:
    """Count values that were asked of the cache."""
    if is_on():
        reads, kind = get_meters().cache_reads, _process.kind
        if hits:
            reads.labels(kind, "hit").inc(hits)
        if asked > hits:
            reads.labels(kind, "miss").inc(asked - hits)


def identify_process(pid: int | None = None) -> str:
    """The name of a process in files that several containers may share, whose numbers of processes may be the same."""
    return f"{os.getpid() if pid is None else pid}-{socket.gethostname().replace('_', '-')}"


def share(kind: str) -> None:
    """Count into files from now on, together with the other processes of this kind; before any process is forked.

    Where none of them lives, what dead ones counted is dropped: counters begin anew. Where one does, it stays, because a
    sum that shrinks would be taken for a restart.
    """
    import fcntl

    folder = _folder(kind)
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder.with_suffix(".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(lock, fcntl.LOCK_SH)
    else:
        for file in folder.glob("*.db"):
            file.unlink(missing_ok=True)
        fcntl.flock(lock, fcntl.LOCK_SH)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    values.ValueClass = values.MultiProcessValue(identify_process)  # type: ignore[no-untyped-call]  # theirs has no types
    _process.kind, _process.shared, _process.meters, _process.lock = kind, True, None, lock
    get_meters()


def forget_process(pid: int) -> None:
    """A process of the web server ended: nothing that only a living one says stays; what it counted does."""
    if _process.shared:
        mark_process_dead(identify_process(pid), str(_folder(_process.kind)))  # type: ignore[no-untyped-call]  # as above


def _folder(kind: str) -> Path:
    folder: Path = settings.DATA_DIR / "metrics" / kind
    return folder


def collect_counted() -> Iterable[Metric]:
    """What all processes of this machine counted."""
    if not _process.shared:
        return list(get_meters().collectors.collect())
    for _attempt in range(3):
        files = [str(file) for kind in KINDS for file in _folder(kind).glob("*.db")]
        try:
            merged: Any = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]  # as above
        except FileNotFoundError:  # a worker began anew meanwhile
            continue
        return list(merged)
    return []
