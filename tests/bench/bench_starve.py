"""A platform that hangs: how long health, rooms and polls take meanwhile, with people who watch thirty links.

In production's manner: two processes, a worker, and a proxy that answers none of the reads it is told to hold. The same is
measured with a platform that answers, in the same run. Milliseconds on the clock, so other work on the machine counts.
"""

import http.client
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.figure import Figure
from tests.histories.installation import Installation

LINKS = 30
SECONDS = 20.0
HEALTH, ROOM, POLL = "health", "a room", "a poll"
MOST = {HEALTH: 50.0, ROOM: 300.0, POLL: 300.0}
BEHIND_PROXY = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
HANGS = {"": "the platform answers", "/comments": "the read of comments hangs", "/": "every read hangs"}


def figures() -> list[Figure]:
    """The slowest of a hundred answers, by address and by what hangs."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(
            Path(folder), random.Random(1), links=LINKS, workers=1, settings={"PLATFORM_TIMEOUT": "10"}
        )
        try:
            port, links = installation.ports[0], [link for link, _film in installation.links]
            for link in links:
                _ask(port, f"/{link}")
            for part, name in HANGS.items():
                installation.proxy.hanging = part
                with _watched(port, links):
                    taken = _measure(port, links)
                found += [
                    Figure(f"{name}: {what}, the slowest of a hundred", _slowest(taken[what]), MOST[what], "ms")
                    for what in MOST
                ]
        finally:
            installation.stop()
    return found


@contextmanager
def _watched(port: int, links: list[str]) -> Iterator[None]:
    """Somebody watches each link: a poll a second."""
    over = threading.Event()

    def watch(link: str) -> None:
        while not over.wait(random.uniform(0.8, 1.2)):
            _ask(port, f"/{link}/comments?v=0")

    threads = [threading.Thread(target=watch, args=(link,)) for link in links]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _measure(port: int, links: list[str]) -> dict[str, list[float]]:
    """Milliseconds of each answer."""
    taken: dict[str, list[float]] = {what: [] for what in MOST}
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        link = random.choice(links)
        for what, path in ((HEALTH, "/healthz"), (ROOM, f"/{link}"), (POLL, f"/{link}/comments?v=0")):
            begun = time.perf_counter()
            _ask(port, path)
            taken[what].append((time.perf_counter() - begun) * 1000)
        time.sleep(0.05)
    return taken


def _slowest(taken: list[float]) -> float:
    return sorted(taken)[int(len(taken) * 0.99)]


def _ask(port: int, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=BEHIND_PROXY | ({"HX-Request": "true"} if "comments" in path else {}))
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status, body[:300])
    finally:
        connection.close()
