"""The subtitles page over a platform that is near, far and very far, and two hundred people who watch one video."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from statistics import median

from django.test import Client, override_settings
from django.utils.module_loading import import_string

from dashboard.platform_api import Call
from dashboard.sandbox import clock
from tests.bench.figure import Figure, cpu
from tests.bench.upstream import addresses, free_port, observed, wait_for
from tests.forgetting import forget

ROOT = Path(__file__).resolve().parents[2]
PLANNER = "/dashboard/subtitles/"
LATENCIES = {5: 8.0, 50: 3.0, 300: 1.35}
"""Milliseconds of the platform, and how many times the slowest call a page may take that has read nothing before.

A page waits for the library alone; what its videos have is read beside it, and comes by itself. What is above 1 is our own
computing, which weighs the more the nearer the platform is.
"""
WATCHERS, INTERVALS, SECONDS = 200, 3, 3.0


def figures() -> list[Figure]:
    """Page time over the slowest upstream call, and what watching costs."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    token = roles["tokens"]["owner"]
    found = [figure for latency, most in LATENCIES.items() for figure in _page(token, latency, most)]
    return [*found, *_watching(token, roles["videos"]["reviewed"])]


def _page(token: str, latency: int, most: float) -> list[Figure]:
    """The planner with ten videos, nothing read before, against the embedded platform over HTTP."""
    with _platform(latency) as address, override_settings(**addresses(address, patient=False)), observed() as calls:
        client = _signed_in(token)
        ratios = []
        for _run in range(7):
            forget()
            calls.clear()
            begun = time.perf_counter()
            client.get(PLANNER)
            spent = (time.perf_counter() - begun) * 1000
            ratios.append(spent / max(call.milliseconds for call in calls))
        begun = time.perf_counter()
        client.get(PLANNER)
        warm = (time.perf_counter() - begun) * 1000
    name = f"planner at {latency} ms"
    return [
        Figure(f"{name}, nothing read before", median(ratios), most, "of slowest call"),
        Figure(f"{name}, upstream calls", len({id(call) for call in calls}), 22, "calls"),
        Figure(f"{name}, read a moment ago", warm, 150, "ms"),
    ]


def _watching(token: str, video: str) -> list[Figure]:
    """Many polls of one video while nothing changes."""
    clock.set_clock(clock.Frozen(clock.Wall().now()))
    try:
        client = _signed_in(token)
        page = client.get(f"{PLANNER}videos/{video}/jobs/").content.decode()
        found = re.search(r'id="live-poll" hx-get="([^"]+)"', page)
        assert found is not None, "the demo has a video with jobs under way"
        where = unescape(found[1])
        with observed() as calls:
            asked = _crowd(client, where, calls)
        unchanged = cpu(lambda: client.get(where, headers={"HX-Request": "true"}), runs=50)
        changed = where.replace("~q", "~x").replace("~r", "~x")
        piece = cpu(lambda: client.get(changed, headers={"HX-Request": "true"}), runs=50)
        whole = cpu(lambda: client.get(f"{PLANNER}videos/{video}/jobs/"), runs=20)
    finally:
        clock.set_clock(clock.Wall())
    return [
        Figure(f"{WATCHERS} watchers, upstream calls an interval", asked, 2, "calls"),
        Figure("unchanged poll over one that brings changes", unchanged / piece, 0.7, "ratio"),
        Figure("unchanged poll over the whole page", unchanged / whole, 0.4, "ratio"),
        Figure("unchanged poll", unchanged, 8, "ms CPU"),
    ]


def _crowd(client: Client, where: str, calls: list[Call]) -> float:
    """Upstream calls an interval while everybody polls once in each."""

    def ask(_watcher: int) -> int:
        watcher = Client()
        watcher.cookies = client.cookies
        return watcher.get(where, headers={"HX-Request": "true"}).status_code

    with ThreadPoolExecutor(12) as people:
        for _interval in range(INTERVALS):
            begun = time.monotonic()
            assert set(people.map(ask, range(WATCHERS))) == {204}
            time.sleep(max(0.0, SECONDS - (time.monotonic() - begun)))
    return sum(call.operation == "ai_workflow.jobs" for call in calls) / INTERVALS


def _signed_in(token: str) -> Client:
    client = Client()
    client.post("/sign-in/", {"token": token})
    return client


@contextmanager
def _platform(latency: int) -> Iterator[str]:
    """The embedded platform in a process of its own, that late."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "manage.py", "sandbox", "--port", str(port), "--latency-ms", str(latency)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/sandbox/openapi.json")
        yield f"http://127.0.0.1:{port}/sandbox"
    finally:
        server.terminate()
        server.wait(20)
