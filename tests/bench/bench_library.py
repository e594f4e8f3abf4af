"""5,000 videos in 10,000 folders: what pages take over the platform's slowest call, and how their CPU grows from a tenth."""

import multiprocessing
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen
from uuid import UUID

from django.core.cache import cache
from django.db import connections
from django.test import Client, override_settings
from django.utils import timezone
from django.utils.module_loading import import_string

from dashboard.platform_api import Call
from dashboard.shared import pulse
from tests.bench.figure import Figure, cpu

VIDEOS, FOLDERS, LEVELS = 5_000, 10_000, 12
LATENCY_MS = 50
TIMES, OURS_MS = 1.1, 30
RUNS = 4
PALETTE = {"HX-Request": "true"}


def figures() -> list[Figure]:
    """Each page with nothing read before, and its CPU against that of a library of a tenth."""
    roles = import_string("dashboard.sandbox.seed.cast")()
    small = _measured(roles, VIDEOS // 10, FOLDERS // 10, runs=0)
    large = _measured(roles, VIDEOS, FOLDERS, runs=RUNS)
    found = []
    for name, (over, cold, warm) in large.items():
        found += [
            Figure(f"{name}, but for {OURS_MS} ms", over, TIMES, "of slowest call"),
            Figure(f"{name}, ten times the data", cold / small[name][1], 10, "times the CPU"),
            Figure(f"{name}, read a moment ago", warm / small[name][2], 10, "times the CPU"),
        ]
    return found


def _pages(deep: str, video: str) -> dict[str, tuple[str, dict[str, str]]]:
    return {
        "library": ("/dashboard/videos/", {}),
        "library sorted": ("/dashboard/videos/?sort=title", {}),
        "folders": ("/dashboard/folders/", {}),
        f"folder {LEVELS} levels down": (f"/dashboard/folders/?folder={deep}", {}),
        "folders by name": ("/dashboard/folders/?find=folder+9", {}),
        "one video": (f"/dashboard/videos/{video}/", {}),
        "palette": ("/dashboard/search/?q=folder+77", PALETTE),
    }


def _measured(roles: dict[str, Any], videos: int, folders: int, *, runs: int) -> dict[str, tuple[float, float, float]]:
    """Page time over the slowest call, CPU with nothing read before, and CPU with all of it read; by page.

    The embedded platform answers over HTTP in a process of its own, so that the CPU is that of the dashboard alone. The
    pages wait for it however long it takes: here it has no more than its share of a core.
    """
    deep, video = _library(roles, videos, folders)
    found = {}
    with _platform() as address, override_settings(**_addresses(address)), _observed() as calls:
        client = Client()
        client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
        for name, (page, headers) in _pages(deep, video).items():
            ask = partial(client.get, page, headers=headers)
            assert ask().status_code == 200
            found[name] = (
                min((_over(ask, calls) for _run in range(runs)), default=0.0),
                cpu(partial(_cold, ask), 3),
                cpu(ask, 3),
            )
    return found


def _cold(ask: Any) -> None:
    cache.clear()
    ask()


def _over(ask: Any, calls: list[Call]) -> float:
    """The time of a page that has read nothing before, without what is allowed to us, over its slowest call."""
    calls.clear()
    begun = time.perf_counter()
    _cold(ask)
    spent = (time.perf_counter() - begun) * 1000
    return (spent - OURS_MS) / max(call.milliseconds for call in calls)


def _library(roles: dict[str, Any], videos: int, folders: int) -> tuple[str, str]:
    """That many videos and folders in the owner's account; the deepest folder and a video in it."""
    shelf, film = import_string("dashboard.sandbox.models.Folder"), import_string("dashboard.sandbox.models.Video")
    pattern, now = film.objects.get(pk=roles["videos"]["plain"]), timezone.now()
    whose = {"organization_id": pattern.organization_id, "user_id": pattern.user_id}
    dated = {"created_at": now, "updated_at": now}
    shelf.objects.filter(name__startswith="Folder ").delete()
    film.objects.filter(title__startswith="Film ").delete()
    made: list[Any] = []
    for number in range(folders - shelf.objects.filter(**whose).count()):
        chain = number < LEVELS
        parent = made[number - 1] if chain and number else None if number % 10 == 0 else made[number - number % 10]
        made.append(shelf(id=UUID(int=number + 1), name=f"Folder {number:05}", parent=parent, **whose, **dated))
    shelf.objects.bulk_create(made)
    new = range(videos - film.objects.filter(**whose).count())
    films = [
        film(title=f"Film {n:05}", status="CONVERTED", length=60 + n, folder=made[n % len(made)], **whose, **dated)
        for n in new
    ]
    film.objects.bulk_create(films)
    return str(made[LEVELS - 1].pk), str(films[LEVELS - 1].pk)


@contextmanager
def _observed() -> Iterator[list[Call]]:
    """Every upstream call that is made meanwhile."""
    calls: list[Call] = []
    observe = pulse.observe

    def noted(call: Call) -> None:
        calls.append(call)
        observe(call)

    pulse.observe = noted
    try:
        yield calls
    finally:
        pulse.observe = observe


@contextmanager
def _platform() -> Iterator[str]:
    """The embedded platform over these databases, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    connections.close_all()  # a connection does not survive a fork
    server = multiprocessing.get_context("fork").Process(target=_serve, args=(port,), daemon=True)
    server.start()
    try:
        _wait_for(f"http://127.0.0.1:{port}/sandbox/openapi.json")
        yield f"http://127.0.0.1:{port}/sandbox"
    finally:
        server.terminate()
        server.join(20)


def _serve(port: int) -> None:
    sys.argv[1:] = []  # gunicorn would read ours
    import_string("dashboard.sandbox.faults.baseline").latency_ms = LATENCY_MS
    import_string("dashboard.sandbox.alone.Server")(f"127.0.0.1:{port}", 1).run()


def _wait_for(address: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(URLError, ConnectionError, TimeoutError), urlopen(address, timeout=5):  # noqa: S310 - our own server
            return
        time.sleep(0.1)
    raise TimeoutError("the embedded platform did not start")


def _addresses(address: str) -> dict[str, Any]:
    return {
        "PAGE_PATIENCE_MS": 60_000,
        "PLATFORM_TIMEOUT": 60,
        "PLATFORM_EMBEDDED": False,
        "PLATFORM_BASE_URL": f"{address}/api",
        "PLATFORM_DATA_URL": f"{address}/data",
        "PLATFORM_TRAFFIC_URL": f"{address}/traffic",
        "PLATFORM_CONFIG_URL": f"{address}/config",
    }
