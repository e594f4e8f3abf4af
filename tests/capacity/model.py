"""A day of a thousand accounts and a hundred thousand watchers, hour by hour, and what it needs of each part.

The load is this model's own and is written here; what it costs is measured (`costs.py`). Everything random comes from one
seed, so the same costs give the same report.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from tests.capacity.costs import Costs

ACCOUNTS, VIDEOS = 1_000, 5_000
WATCHERS: Final = 100_000
"""At the busiest hour."""
SEED: Final = 10
ROOMS: Final = 20
"""Links that an account's reviewers look at on one day; the newest one draws most."""
SPREAD: Final = 0.8
"""Sigma of the lognormal share that an account has of all watchers."""
SESSION_SECONDS: Final = 12 * 60.0
"""How long a watcher stays: a room is opened as often."""
COMMENT_SECONDS: Final = 10 * 60.0
"""Between two comments of a watcher."""
OWNERS: Final = 2.0
"""People of an account in its dashboard at the busiest hour, each of whom opens a page every `PAGE_SECONDS`."""
PAGE_SECONDS: Final = 20.0
READS_OF_A_PAGE: Final = 2.0
"""Calls of a page beside it: what is older than its interval."""
ROOM_READ_SECONDS, LINK_READ_SECONDS = 3.0, 60.0
"""One reader of all who watch a room asks so often (`mirror.MERGE_SECONDS`, `LINK_SECONDS`)."""

CALLS_A_MINUTE: Final = 200.0
"""What the platform may take of one account: it says nothing [gaps], and the product plans with this elsewhere."""
LATENCY: Final = 0.3
WORKER_THREADS: Final = 4
DATABASE_CORES, CACHE_CORES = 16.0, 1.0
"""One PostgreSQL on a machine of sixteen such cores; Redis runs on one."""
FULL: Final = 0.7
"""Of a part's capacity: above it, waiting grows faster than load."""


@dataclass(frozen=True)
class Hour:
    """What an hour brings: people, things a second, and calls a minute of the account that calls most."""

    hour: int
    watchers: int
    rooms: int
    openings: float
    pages: float
    writes: float
    calls: float
    busiest_account: float


@dataclass(frozen=True)
class Part:
    """A part, what one unit of it gives, what the busiest hour needs, and at how many watchers one unit is full."""

    name: str
    unit: str
    gives: float
    needs: float
    full_at: float

    @property
    def units(self) -> int:
        """How many units the busiest hour takes."""
        return max(1, math.ceil(self.needs / self.gives))


def day(seed: int = SEED) -> list[Hour]:
    """The hours of one day."""
    dice = random.Random(seed)
    shares = [dice.lognormvariate(0, SPREAD) for _account in range(ACCOUNTS)]
    accounts = list(accumulate(shares))
    rooms = list(accumulate(1 / (place + 1) for place in range(ROOMS)))
    return [_hour(dice, hour, accounts, rooms) for hour in range(24)]


def _hour(dice: random.Random, hour: int, accounts: list[float], rooms: list[float]) -> Hour:
    share = busy(hour)
    watchers = round(WATCHERS * share * dice.uniform(0.97, 1.0)) if share < 1 else WATCHERS
    watched = set(
        zip(
            dice.choices(range(ACCOUNTS), cum_weights=accounts, k=watchers),
            dice.choices(range(ROOMS), cum_weights=rooms, k=watchers),
            strict=True,
        )
    )
    pages = ACCOUNTS * OWNERS * share / PAGE_SECONDS
    reads_of_room = 1 / ROOM_READ_SECONDS + 1 / LINK_READ_SECONDS
    writes = watchers / COMMENT_SECONDS
    by_account = Counter(account for account, _room in watched)
    beside = (pages * READS_OF_A_PAGE + writes) / ACCOUNTS
    return Hour(
        hour=hour,
        watchers=watchers,
        rooms=len(watched),
        openings=watchers / SESSION_SECONDS,
        pages=pages,
        writes=writes,
        calls=len(watched) * reads_of_room + beside * ACCOUNTS,
        busiest_account=60 * (max(by_account.values()) * reads_of_room + beside),
    )


def busy(hour: int) -> float:
    """The share of its busiest hour, three in the afternoon, that an hour has: a twentieth at night."""
    return max(0.05, math.cos((hour - 15) / 24 * 2 * math.pi) * 0.5 + 0.5) ** 1.5 if hour != 15 else 1.0


def parts(costs: Costs, hours: list[Hour]) -> list[Part]:
    """Every part, the one that is full first at first."""
    found = [
        _part("the platform's call budget", "account", CALLS_A_MINUTE, [hour.busiest_account for hour in hours], hours),
        _part("worker", f"process of {WORKER_THREADS} threads", WORKER_THREADS / LATENCY,
              [hour.writes for hour in hours], hours),
        _part("database", f"server of {DATABASE_CORES:g} cores", DATABASE_CORES,
              [_cores(costs, hour, "database") for hour in hours], hours),
        _part("cache", "server", CACHE_CORES, [_cores(costs, hour, "cache") for hour in hours], hours),
        _part("web", "process", 1.0, [_cores(costs, hour, "web") for hour in hours], hours),
    ]  # fmt: skip
    return sorted(found, key=lambda part: part.full_at)


def _cores(costs: Costs, hour: Hour, where: str) -> float:
    """Cores that an hour needs of one part."""
    rates = zip(costs.all, (hour.watchers, hour.openings, hour.pages, hour.writes), strict=True)
    spent: float = sum(getattr(cost, where) * rate for cost, rate in rates)
    return spent / 1000


def _part(name: str, unit: str, gives: float, needs: list[float], hours: list[Hour]) -> Part:
    return Part(name, unit, gives * FULL, max(needs), _crossing(gives * FULL, list(_points(needs, hours))))


def _points(needs: list[float], hours: list[Hour]) -> Iterator[tuple[int, float]]:
    yield 0, 0.0
    yield from sorted(zip((hour.watchers for hour in hours), needs, strict=True))


def _crossing(limit: float, points: list[tuple[int, float]]) -> float:
    """At how many watchers the need meets the limit, on the line between two hours, and beyond the last one on that line."""
    for (few, less), (many, more) in pairwise(points):
        if more >= limit > less:
            return few + (many - few) * (limit - less) / (more - less)
    many, more = points[-1]
    return many * limit / more if more else math.inf
