"""A platform that hangs: how long health, rooms, polls, pages of what is known and writes take meanwhile.

In production's manner: two processes, a worker, five hundred people who watch fifty links (`load.py`), and a proxy that
answers none of the calls it is told to hold. The same is measured with a platform that answers, in the same run.
Milliseconds on the clock, so other work on the machine counts.
"""

import random
import re
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from httpx import Response

from dashboard.writes.beside import ANSWER_WAIT
from tests.bench.bench_scale import INTERVAL, WATCHERS
from tests.bench.figure import Figure
from tests.bench.load import Asked, Job, ask
from tests.bench.sentences import sentence
from tests.histories.installation import Installation
from tests.installation.browser import Browser

LINKS: Final = 50
SECONDS: Final = 50.0
PAUSE: Final = 0.2
PATIENT: Final = 3.0
"""Seconds after which somebody opens the next page."""
SETTLING: Final = 10.0
"""Seconds in which the worker reads what it reads after a sign-in."""
WRITING: Final = 1.0
"""Seconds between two comments of a reviewer: a link takes no more than ninety a minute from one network."""
PAGES: Final = ("", "videos/", "subtitles/", "review-links/", "ab-tests/", "analytics/", "folders/", "funnels/")
"""Of the dashboard: one of each large list, and the overview."""
HEALTH, ROOM, POLL, PAGE, WRITE = "health", "a room", "a poll", "a page of what is known", "a comment is taken"
MOST: Final = {HEALTH: 50.0, ROOM: 300.0, POLL: 300.0, PAGE: 300.0, WRITE: 500.0}
"""A comment's own call of the platform is in its time."""
HELD_MOST: Final = ANSWER_WAIT * 1000 + 500
"""Of a comment whose own call hangs: for so long its request waits, and a moment for what is ours."""
NOT_THERE: Final = re.compile(r'data-sent="(late|sending|unconfirmed)"')
VERSION: Final = re.compile(r'id="live" data-v="(\w+)"')


@dataclass(frozen=True)
class Hang:
    """What gets no answer: calls whose address has this part, reads alone or writes too."""

    name: str
    part: str
    writes: bool = False
    openers: int = 0
    """How many people open pages of which nothing is known, one after another."""

    @property
    def other_bounds(self) -> dict[str, float]:
        """Where the platform answers, what is read beside pages takes the processor; where writes hang, they wait.

        Those who open unknown pages wait a page's patience each before they hear that nothing answers.
        """
        if self.openers:
            return dict.fromkeys(MOST, 1_500.0) | {WRITE: HELD_MOST + 1_000}
        if self.part != "/":
            return {WRITE: 1_000.0} if self.part else {PAGE: 500.0, WRITE: 1_000.0}
        return {WRITE: HELD_MOST} if self.writes else {}


HANGS: Final = (
    Hang("the platform answers", ""),
    Hang("the read of comments hangs", "/comments"),
    Hang("every read hangs", "/"),
    Hang("every call hangs", "/", writes=True),
    Hang("every call hangs, and 30 people open what nobody has read", "/", writes=True, openers=30),
)


def figures() -> list[Figure]:
    """The slowest of a hundred answers, by what was asked and by what hangs."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(
            Path(folder), random.Random(1), links=LINKS, workers=1, settings={"PLATFORM_TIMEOUT": "10"}
        )
        try:
            people = People(installation)
            for hang in HANGS:
                installation.proxy.hanging, installation.proxy.hangs_writes = hang.part, hang.writes
                with people.watching(), people.opening(hang.openers):
                    taken = people.measure()
                found += [
                    Figure(f"{hang.name}: {what}, the slowest of a hundred", _slowest(taken[what]), most, "ms")
                    for what, most in (MOST | hang.other_bounds).items()
                ]
            people.look_for_what_waits()
        finally:
            installation.stop()
    return found


class People:
    """An owner who is signed in, a reviewer, and those who watch; all have seen everything once."""

    def __init__(self, installation: Installation) -> None:
        self._port = installation.ports[0]
        self._rooms = [f"/{link}" for link, _film in installation.links]
        self._dice = random.Random(2)
        self._owner, self._reviewer = self._browser(), self._browser()
        self._written: tuple[str, str] = ("", "")
        self._owner.submit("/sign-in/", "/sign-in/", token=installation.token, person="Ana")
        for _visit in range(2):
            for path in PAGES:
                self._owner.page(f"/dashboard/{path}")
                time.sleep(1)  # what is read beside a page
        for room in self._rooms:
            self._reviewer.page(room)
        time.sleep(SETTLING)

    def _browser(self) -> Browser:
        return Browser(f"http://127.0.0.1:{self._port}", "127.0.0.1")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Meanwhile five hundred people watch. Raises `RuntimeError` where one of their polls was an error."""
        seen = [self._poll(room) for room in self._rooms]
        polls = [Asked("poll", seen[number % len(seen)]) for number in range(WATCHERS)]
        failures: list[RuntimeError] = []

        def watch() -> None:
            try:
                ask(Job(self._port, polls, seconds=SECONDS + INTERVAL, interval=INTERVAL))
            except RuntimeError as error:
                failures.append(error)

        watchers = threading.Thread(target=watch)
        watchers.start()
        time.sleep(INTERVAL)
        yield
        watchers.join()
        if failures:
            raise failures[0]

    @contextmanager
    def opening(self, openers: int) -> Iterator[None]:
        """Meanwhile so many people open pages of videos that nobody has read. In a process of their own, as watchers are."""
        crowd = get_context("fork").Process(target=_open_pages, args=(self._owner, openers), daemon=True)
        crowd.start()
        try:
            yield
        finally:
            crowd.kill()  # its threads would be waited for
            crowd.join()

    def measure(self) -> dict[str, list[float]]:
        """Milliseconds of each answer, one after another."""
        taken: dict[str, list[float]] = {what: [] for what in MOST}
        begun, pages = time.monotonic(), cycle(PAGES)
        while time.monotonic() - begun < SECONDS:
            room = self._dice.choice(self._rooms)
            for what, browser, path in (
                (HEALTH, self._reviewer, "/healthz"),
                (ROOM, self._reviewer, room),
                (POLL, self._reviewer, self._poll(room)),
                (PAGE, self._owner, f"/dashboard/{next(pages)}"),
            ):
                taken[what].append(_milliseconds(partial(browser.get, path), {200, 204}))
            if len(taken[WRITE]) < (time.monotonic() - begun) / WRITING:
                taken[WRITE].append(self._write(room))
            time.sleep(PAUSE)
        return taken

    def look_for_what_waits(self) -> None:
        """What was written last is in its room, which says that it waits."""
        room, text = self._written
        page = self._reviewer.page(room)
        assert text in page, f"{room} does not show what was written there"
        assert NOT_THERE.search(page), f"{room} does not say that it is not there yet"

    def _write(self, room: str) -> float:
        """Comment as somebody does who has that room open: milliseconds of the sending alone."""
        self._written = room, sentence(self._dice)
        form = self._reviewer.form(room, "/comments")
        typed = {"text": self._written[1], "user_name": "Ana", "time": "0:01"}
        return _milliseconds(partial(self._reviewer.send, form, room, **typed), {302, 303})

    def _poll(self, room: str) -> str:
        version = VERSION.search(self._reviewer.page(room))
        assert version, f"{room} polls nothing"
        return f"{room}/comments?v={version[1]}&after={version[1]}"


def _open_pages(browser: Browser, openers: int) -> None:
    """Never ends. Any answer will do."""

    def open_pages() -> None:
        time.sleep(random.uniform(0, PATIENT))
        while True:
            browser.get(f"/dashboard/videos/{uuid.uuid4()}/")
            time.sleep(PATIENT)

    with ThreadPoolExecutor(max_workers=max(1, openers)) as people:
        for _ in range(openers):
            people.submit(open_pages)


def _milliseconds(act: Callable[[], Response], fine: set[int]) -> float:
    begun = time.perf_counter()
    answer = act()
    taken = (time.perf_counter() - begun) * 1000
    assert answer.status_code in fine, (answer.status_code, answer.text[:300])
    return taken


def _slowest(taken: list[float]) -> float:
    return sorted(taken)[int(len(taken) * 0.99)]
