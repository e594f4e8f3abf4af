"""Every address of the dashboard with the platform 300 ms away: with nothing known, and with everything known.

Pages wait for everything here, however long it takes, and nothing is taken off. With nothing known a page takes one call's
time and what is ours (two calls' where tests/upstream/test_levels.py says why); with everything known, however old, what is
ours alone.

Other work on the machine lengthens what is measured on the clock. So what is ours is also told as CPU: what this process computes
before the last call leaves and after the last answer is back, which is what a page takes over its slowest call where it has a
processor for itself.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import mean, median

import httpx
from django.test import Client
from django.utils.module_loading import import_string

from tests.bench.figure import Figure
from tests.bench.served import Clocks, as_served, clocks
from tests.bench.upstream import far_away, wait_for_background
from tests.forgetting import forget, make_old
from tests.house.addresses import ALL
from tests.house.things import address, make_things
from tests.upstream.conftest import APART
from tests.upstream.test_levels import ANEW, SECOND_LEVEL

LATENCY_MS = 300
ROUNDS, RUNS = 3, 3
"""Visits to one address, so many at a time: the rounds lie minutes apart, because the host of a virtual machine slows it down for
a minute or two at times."""
COLD, WARM = 1.5, 0.5
"""At most, of the slowest call. A second level may take one more, and so may what is always read anew."""
FEW = 2
OWN = 1.08
"""What a page takes of its slowest call, by our CPU alone, where so many calls or fewer bring it."""
OWN_OF_MANY = 1.3
"""The same where more do: each takes some CPU before it leaves, and they are answered at the same moment."""
BARE = (1, 8, 24)
"""So many calls side by side by httpx alone: no page that needs as many can take less."""
LOOP = 200_000
SECONDS_OF_LOOP = 0.0045
"""CPU of a plain loop, the least that was seen on the machine for which the bounds are said. Processes that share a core slow
each other down: so the loop is measured before and after each page, and CPU is told as if it had taken so long."""


@dataclass(frozen=True)
class Visit:
    """Calls that the page waited for, its time over that of the slowest call, and what its own CPU makes of that."""

    calls: int
    cold: float
    warm: float
    own: float


@dataclass
class _Samples:
    """What the visits to one address took, each as a part of a call, as `Visit`."""

    calls: int = 0
    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)

    def visit(self) -> Visit:
        """The medians."""
        return Visit(self.calls, median(self.cold), median(self.warm), median(self.own))


def figures() -> list[Figure]:
    """By address: the time over the slowest call, cold and warm, and how many calls there are."""
    visits, bare = measure()
    told = [Figure(f"{count} bare calls, by CPU", own, OWN_OF_MANY, "of a call") for count, own in bare.items()]
    return told + [figure for name, visit in visits.items() for figure in _figures_of(name, visit)]


def measure(names: tuple[str, ...] = ()) -> tuple[dict[str, Visit], dict[int, float]]:
    """The visits to these addresses, or to all; and what calls take without anything around them, by how many there are."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    with as_served(), far_away(LATENCY_MS), clocks() as clock:
        client = Client()
        client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
        things = make_things(client, roles)
        paths = {name: address(name, things) for name in names or ALL if not name.startswith(APART)}
        samples = {name: _Samples() for name in paths}
        for _round in range(ROUNDS):
            for name, path in paths.items():
                _measure(client, path, clock, samples[name])
        bare = {count: _bare(clock, count) for count in BARE}
    return {name: sample.visit() for name, sample in samples.items() if sample.own}, bare


def _figures_of(name: str, visit: Visit) -> Iterator[Figure]:
    level = 1 if name in SECOND_LEVEL else 0
    yield Figure(f"{name}, {visit.calls} calls, nothing known", visit.cold, COLD + level, "of a call")
    if not level:
        most = OWN if visit.calls <= FEW else OWN_OF_MANY
        yield Figure(f"{name}, {visit.calls} calls, nothing known, by CPU", visit.own, most, "of a call")
    yield Figure(f"{name}, everything known", visit.warm, COLD + level if name in ANEW else WARM, "of a call")


def _measure(client: Client, path: str, clock: Clocks, samples: _Samples) -> None:
    """Some visits more; none where the address asks for nothing."""
    for _run in range(RUNS):
        wait_for_background()  # what is read beside one page is no part of the next one
        forget()
        loop = _loop()
        visit = clock.visit(client, path)
        if not visit.exchanges:  # nothing was waited for
            continue
        samples.calls = len(visit.exchanges)
        samples.cold.append(visit.milliseconds / visit.slowest)
        samples.own.append(1 + visit.own * SECONDS_OF_LOOP / mean((loop, _loop())) / LATENCY_MS)
    for _run in range(RUNS if samples.own else 0):
        make_old(24 * 3600)
        samples.warm.append(clock.visit(client, path).milliseconds / LATENCY_MS)


def _bare(clock: Clocks, count: int) -> float:
    """What the CPU of so many calls side by side makes of the time of one, where nothing else is done."""
    request = clock.request
    assert request is not None
    with ThreadPoolExecutor(max_workers=count) as threads, httpx.Client(timeout=60) as client:
        own = []
        for _run in range(ROUNDS * RUNS + 1):
            begun = time.process_time()
            list(threads.map(lambda _number: client.get(request.url, headers=request.headers).json(), range(count)))
            own.append(1 + (time.process_time() - begun) * 1000 * SECONDS_OF_LOOP / _loop() / LATENCY_MS)
    return median(own[1:])  # the first one opens connections


def _loop() -> float:
    """Seconds of CPU of a plain loop."""
    begun, total = time.thread_time(), 0
    for number in range(LOOP):
        total += number % 7
    return time.thread_time() - begun
