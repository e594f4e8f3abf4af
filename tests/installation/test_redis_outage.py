"""Redis ends and comes back while two web processes and a worker run: no page fails, and nobody has to restart anything."""

import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.histories.installation import Installation
from tests.installation.browser import Browser
from tests.installation.servers import free_port, wait_for_port

pytestmark = pytest.mark.loopback
SAYS = "The shared cache (Redis) does not answer."
PAUSE = 5.0
"""`redis_cache.PAUSE`: for so long a process does without Redis before it tries again."""
ASKED = 60


class Redis:
    """A redis-server that is ended and started at one port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.start()

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_for_port(self.port)

    def end(self) -> None:
        self.process.kill()
        self.process.wait(10)


@pytest.fixture
def redis() -> Iterator[Redis]:
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server on this machine")
    server = Redis()
    yield server
    server.end()


@pytest.fixture
def installation(redis: Redis, tmp_path: Path) -> Iterator[Installation]:
    settings = {"CACHE_URL": f"redis://127.0.0.1:{redis.port}/0", "PLATFORM_TIMEOUT": "15"}
    found = Installation(tmp_path, random.Random(1), links=1, settings=settings)
    yield found
    found.stop()


def test_nothing_fails_while_redis_is_away_and_it_takes_over_again(redis: Redis, installation: Installation) -> None:
    owner = Browser(f"http://127.0.0.1:{installation.ports[0]}", "127.0.0.1")
    assert owner.submit("/sign-in/", "/sign-in/", token=installation.token, person="Ana").status_code == 302
    room = f"/{installation.links[0][0]}"
    pages = (
        "/dashboard/",
        "/dashboard/videos/",
        "/dashboard/activity/",
        "/dashboard/health/",
        room,
        "/healthz",
        "/readyz",
    )

    assert answers(owner, pages) == Counter({200: ASKED})
    assert states(owner) == {"ok"}

    redis.end()
    assert answers(owner, pages) == Counter({200: ASKED})
    assert states(owner) == {"local"}
    assert SAYS in owner.page("/dashboard/health/")
    posted = owner.submit(room, "/comments", text="Louder at the end", user_name="Ana", time="0:01")
    assert posted.status_code in {302, 303}
    assert "Louder at the end" in owner.page(room)

    redis.start()
    wait_until(lambda: states(owner) == {"ok"}, PAUSE + 10)
    assert SAYS not in owner.page("/dashboard/health/")

    redis.process.send_signal(signal.SIGSTOP)  # it takes connections and does not answer
    try:
        assert answers(owner, pages) == Counter({200: ASKED})
        assert states(owner) == {"local"}
    finally:
        redis.process.send_signal(signal.SIGCONT)
    wait_until(lambda: states(owner) == {"ok"}, PAUSE + 10)
    assert [process.poll() for process in (*installation.webs, *installation.workers)] == [None, None]


def answers(browser: Browser, pages: tuple[str, ...]) -> "Counter[int]":
    """How many of many requests, several at a time, were answered with which status."""
    with ThreadPoolExecutor(4) as many:
        found = list(many.map(lambda number: browser.get(pages[number % len(pages)]), range(ASKED)))
    return Counter(answer.status_code for answer in found)


def states(browser: Browser) -> set[str]:
    """What the processes say of the cache; every request meets one of them."""
    return {httpx.Response.json(browser.get("/readyz"))["cache"] for _ in range(20)}


def wait_until(is_so: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not within {seconds:g} s"
        time.sleep(0.2)
