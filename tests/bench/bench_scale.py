"""One and two processes, on SQLite and on PostgreSQL with Redis: what requests cost, how many are answered, what memory stays.

The production command on a fresh copy (`production.py`), asked over connections that stay open, as a proxy keeps them, by
other processes (`load.py`).

CPU of a request is that of gunicorn's processes, kernel included, over so many requests: nothing of the browsers, of the
platform, of PostgreSQL or of Redis is in it, and no waiting. Their CPU is a figure of its own where something was measured.

*Answers at saturation.* A machine with as many cores as processes has none left for whoever asks, so the time of the cores
that others used is taken off. While n processes answer for W seconds, and the load generator and the platform use L seconds
of CPU, the processes had min(n * W, cores * W - L) seconds of cores, whether they used them or waited for a lock, for
PostgreSQL or for Redis: those are counted as theirs. With that many cores for themselves alone they answer
n * answers / (that time) a second. Other work on the machine counts against them.

PostgreSQL and Redis are a part of what answers, and use a share of the same cores. Where they have a machine of their own,
as an installation of that size has, L has their CPU too: that is the second figure, and the one with a bound, because two
processes and a database cannot do twice the work of one on two cores.
"""

import os
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from tests.bench.figure import Figure
from tests.bench.load import Answered, Asked, Job, ask
from tests.bench.pages import pages_of
from tests.bench.production import Served, Site, Upstream, cpu_of, named, upstream
from tests.bench.sentences import sentence
from tests.installation import servers

SMALL_ROOMS: Final = 50
WATCHERS, WATCHING_SECONDS, INTERVAL = 500, 15.0, 3.0
"""`QUICK` of static/js/review_portal/live.js: what a room waits between two polls while somebody is there."""
WRITING: Final = 1.5
"""Seconds between two comments, each in another room."""
REQUESTS: Final = 10_000
POLLS, ROOMS, VISITS = 1_000, 150, 5
"""How often a poll, a room and each page are asked for alone."""
SATURATED_SECONDS: Final = 8.0
BROWSERS: Final = 12
POSTS: Final = 40
KNOWN: Final = re.compile(r'id="live" data-v="(\w+)"')
CONNECTIONS: Final = 60
"""Twelve threads in each of two processes, the worker's, and reads under way; PostgreSQL takes a hundred by default."""
NEVER: Final = float("inf")
"""What no bound is set for: it is measured for docs/scale.md."""


@dataclass(frozen=True)
class Crowd:
    """What is asked of a server: polls of rooms that have seen everything, those rooms, and pages of what is known."""

    polls: list[Asked]
    rooms: list[Asked]
    full: Asked
    pages: list[Asked]

    @property
    def mixed(self) -> list[Asked]:
        """Twelve polls to three rooms and three pages: in a minute that is two people who watch, each with a page beside."""
        return [*self.polls * 4, *self.rooms, self.full, *self.pages * 3]


@dataclass(frozen=True)
class Cost:
    """Milliseconds of CPU: of the server's processes, of PostgreSQL and of Redis (0 where there is none)."""

    server: float
    database: float
    cache: float

    def figures(self, name: str, most: float = NEVER) -> list[Figure]:
        """As figures; `most` is the server's bound."""
        found = [Figure(name, self.server, most, "ms CPU")]
        if self.database:
            found += [Figure(f"{name}, PostgreSQL", self.database, NEVER, "ms CPU")]
            found += [Figure(f"{name}, Redis", self.cache, NEVER, "ms CPU")]
        return found

    def less(self, other: "Cost") -> "Cost":
        """What is left without another one."""
        return Cost(self.server - other.server, self.database - other.database, self.cache - other.cache)


@dataclass(frozen=True)
class Saturated:
    """Milliseconds for an answer among many: with PostgreSQL and Redis on the same cores, and with them elsewhere."""

    beside: float
    apart: float


@dataclass(frozen=True)
class Measured:
    """What each kind of request costs, an answer among many, and megabytes."""

    poll: Cost
    room: Cost
    full_room: Cost
    page: Cost
    saturated: Saturated
    resident: float

    def figures(self, name: str) -> list[Figure]:
        """As figures of the server called `name`."""
        return [
            *self.poll.figures(f"{name}: an unchanged poll", 2.0),
            *self.room.figures(f"{name}: opening a room of 14 comments"),
            *self.full_room.figures(f"{name}: opening a room of 930 comments"),
            *self.page.figures(f"{name}: a dashboard page of what is known"),
            Figure(f"{name}: an answer at saturation", self.saturated.beside, NEVER, "ms"),
            Figure(f"{name}: resident memory of a process", self.resident, 150, "MB"),
        ]


def figures() -> list[Figure]:
    """Everything that can be measured here; a line on standard error says what was left out."""
    found = []
    with tempfile.TemporaryDirectory(prefix="reelroom-scale-") as name:
        folder = Path(name)
        with upstream(folder / "platform", SMALL_ROOMS) as platform:
            if missing := servers.missing():
                sys.stderr.write(f"Left out: everything on PostgreSQL and Redis, for want of {missing}.\n")
            else:
                with servers.running(folder / "servers") as variables:
                    site = Site(folder / "with-servers", platform, variables)
                    found += _of_engine(site, platform, "PostgreSQL + Redis")
            found += _of_engine(Site(folder / "sqlite", platform, {}), platform, "SQLite")
    return found


def _of_engine(site: Site, platform: Upstream, engine: str) -> list[Figure]:
    """The figures of one and of two processes, and how much more two answer."""
    with site.serve(1) as served:
        one = _measure(served, _gather(served, platform), REQUESTS)
    with site.serve(2) as served:
        crowd = _gather(served, platform)
        two = _measure(served, crowd)
        others = [*_writes(served, crowd, engine), *_watched(served, crowd, engine)]
    return [
        *one.figures(f"{engine}, 1 process"),
        *two.figures(f"{engine}, 2 processes"),
        *_more(one.saturated, two.saturated, engine),
        *others,
    ]  # fmt: skip


def _more(one: Saturated, two: Saturated, engine: str) -> list[Figure]:
    """How much longer two processes take than they would with 1.8 times the answers of one."""
    name = f"{engine}: 1.8 x the answers of one process, over those of two"
    beside = Figure(name, 1.8 * two.beside / one.beside, NEVER, "times")
    if engine == "SQLite":
        return [beside]
    return [beside, Figure(f"{name}, PostgreSQL and Redis elsewhere", 1.8 * two.apart / one.apart, 1.0, "times")]


def _gather(served: Served, platform: Upstream) -> Crowd:
    """Visit every room and page until all of it is known, as somebody who is signed in."""
    owner = served.browser
    owner.submit("/sign-in/", "/sign-in/", token=platform.cast["tokens"]["owner"], person="Ana")
    cookie = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())
    pages = [Asked("page", path, cookie) for path in pages_of(platform.cast).values()]
    full, *rooms = [Asked("room", f"/{link}") for link, _film in platform.links]
    for _visit in range(2):
        ask(Job(served.port, [full, *rooms, *pages], connections=4, count=len(rooms) + len(pages) + 1))
    time.sleep(1)
    return Crowd([_unchanged(served, room) for room in rooms], rooms, full, pages)


def _unchanged(served: Served, room: Asked) -> Asked:
    version = KNOWN.search(served.browser.page(room.path))
    assert version, f"{room.path} polls nothing"
    return Asked("poll", f"{room.path}/comments?v={version[1]}&after={version[1]}")


def _measure(served: Served, crowd: Crowd, requests: int = 0) -> Measured:
    """What each kind costs alone, then all of them at once, with so many requests in all.

    A poll is measured five times, and the least is taken: what else the machine does only adds. It is that of one room: what
    it costs to read fifty of them from the platform is in the cost of those who watch them.
    """
    poll = min((_cost(served, crowd.polls[:1], POLLS) for _ in range(5)), key=lambda cost: cost.server)
    room, full_room = _cost(served, crowd.rooms, ROOMS), _cost(served, [crowd.full], ROOMS // 3)
    page = _cost(served, crowd.pages, VISITS * len(crowd.pages))
    asked = 5 * POLLS + ROOMS + ROOMS // 3 + VISITS * len(crowd.pages)
    job = Job(served.port, crowd.mixed, BROWSERS, SATURATED_SECONDS)
    saturated, answered = _saturate(served, job)
    asked += answered.count
    if requests > asked:
        ask(Job(served.port, crowd.mixed, BROWSERS, count=requests - asked))
    return Measured(poll, room, full_room, page, saturated, mean(served.resident()))


def _cost(served: Served, requests: list[Asked], count: int) -> Cost:
    """What one of these requests costs, over `count` of them."""
    before = _used(served)
    ask(Job(served.port, requests, connections=2, count=count))
    return _spent(served, before, count)


def _used(served: Served) -> tuple[float, float, float]:
    """Seconds of CPU that the server, PostgreSQL and Redis have used so far."""
    database, cache = (sum(map(cpu_of, named(program))) for program in (b"postgres", b"redis-server"))
    return served.cpu(), database, cache


def _spent(served: Served, before: tuple[float, float, float], count: float) -> Cost:
    """What has been used since, by each of `count`."""
    used = zip(before, _used(served), strict=True)
    return Cost(*((now - then) * 1000 / count for then, now in used))


def _saturate(served: Served, job: Job) -> tuple[Saturated, Answered]:
    """What an answer takes where the server has the cores that it could use for itself, see above."""
    platform, before = named(b"sandbox"), _used(served)
    asked_before = sum(map(cpu_of, platform))
    answered = ask(job)
    asking = sum(map(cpu_of, platform)) - asked_before + answered.cpu
    stores = sum(_used(served)[1:]) - sum(before[1:])

    def for_an_answer(others: float) -> float:
        processes, cores = len(served.processes), os.cpu_count() or 1
        had = min(processes * answered.seconds, cores * answered.seconds - others)
        return had * 1000 / processes / answered.count

    return Saturated(for_an_answer(asking), for_an_answer(asking + stores)), answered


def _watched(served: Served, crowd: Crowd, engine: str) -> list[Figure]:
    """Watchers of all the rooms, who have opened them, while somebody writes now and then."""
    seen = [_unchanged(served, room) for room in crowd.rooms]
    polls = [seen[number % len(seen)] for number in range(WATCHERS)]
    before = _used(served)
    with _writing(served, crowd.rooms):
        answered = ask(Job(served.port, polls, seconds=WATCHING_SECONDS, interval=INTERVAL))
    taken, name = sorted(answered.milliseconds["poll"]), f"{engine}, 2 processes, {WATCHERS} watchers"
    assert answered.news >= WATCHING_SECONDS / WRITING * WATCHERS / len(seen) / 2, "somebody wrote, and few were told"
    return [
        Figure(f"{name}: connections to PostgreSQL", len(named(b"postgres: reelroom")), CONNECTIONS, ""),
        Figure(f"{name}: 99 of 100 polls within", taken[int(len(taken) * 0.99)], 500, "ms"),
        *_spent(served, before, WATCHERS * answered.seconds).figures(f"{name}: one for a second"),
    ]


@contextmanager
def _writing(served: Served, rooms: list[Asked]) -> Iterator[None]:
    """Meanwhile somebody writes in one room after another."""
    over = threading.Event()

    def write() -> None:
        for room in rooms:
            if over.wait(WRITING):
                return
            _write(served, room)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        over.set()
        writer.join()


def _write(served: Served, room: Asked) -> None:
    """Open a room as somebody new and comment there."""
    words = sentence(random.Random(time.monotonic_ns()))
    answer = served.browser.submit(room.path, "/comments", text=words, user_name="Ana", time="0:01")
    assert answer.status_code in {302, 303}, (answer.status_code, answer.text[:2000])


def _writes(served: Served, crowd: Crowd, engine: str) -> list[Figure]:
    """What one comment costs from its form to the platform, without the opening of its room."""
    opened, before = _cost(served, crowd.rooms, 100), _used(served)
    for room in crowd.rooms[:POSTS]:
        _write(served, room)
    return _spent(served, before, POSTS).less(opened).figures(f"{engine}: a comment is written")
