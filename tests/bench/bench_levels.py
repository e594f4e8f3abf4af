"""Every address of the dashboard with the platform 300 ms away: with nothing known, and with everything known.

Pages wait for everything here, however long it takes, and nothing is taken off. With nothing known a page takes one call's
time and what is ours (two calls' where tests/upstream/test_levels.py says why); with everything known, however old, what is
ours alone.
"""

import time
from dataclasses import dataclass
from statistics import median

from django.test import Client
from django.utils.module_loading import import_string

from dashboard.platform_api import Call
from tests.bench.figure import Figure
from tests.bench.upstream import far_away
from tests.forgetting import forget, make_old
from tests.house.addresses import ALL
from tests.house.things import address, make_things
from tests.upstream.test_levels import ANEW, APART, SECOND_LEVEL

LATENCY_MS = 300
RUNS = 5
COLD, WARM = 1.5, 0.5
"""At most, of the slowest call. A second level may take one more, and so may what is always read anew."""


@dataclass(frozen=True)
class Visit:
    """Calls that the page waited for, and its time over that of the slowest call."""

    calls: int
    cold: float
    warm: float


def figures() -> list[Figure]:
    """By address: the time over the slowest call, cold and warm, and how many calls there are."""
    roles = import_string("dashboard.sandbox.seed.cast")()
    with far_away(LATENCY_MS) as calls:
        client = Client()
        client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
        things = make_things(client, roles)
        paths = {name: address(name, things) for name in ALL if not name.startswith(APART)}
        measured = {name: _measured(client, path, calls) for name, path in paths.items()}
    found = []
    for name, visit in measured.items():
        if visit is not None:
            most = COLD + (1 if name in SECOND_LEVEL else 0)
            found += [Figure(f"{name}, {visit.calls} calls, nothing known", visit.cold, most, "of a call")]
            most = most if name in ANEW else WARM
            found += [Figure(f"{name}, everything known", visit.warm, most, "of a call")]
    return found


def _measured(client: Client, path: str, calls: list[Call]) -> Visit | None:
    """The medians of some visits; None where the address asks for nothing."""
    cold, warm, count = [], [], 0
    for _run in range(RUNS):
        forget()
        calls.clear()
        spent = _spent(client, path)
        if not calls:
            return None
        count, slowest = len(calls), max(call.milliseconds for call in calls)
        cold.append(spent / slowest)
        make_old(24 * 3600)
        warm.append(_spent(client, path) / slowest)
    return Visit(count, median(cold), median(warm))


def _spent(client: Client, path: str) -> float:
    """Milliseconds of one visit."""
    begun = time.perf_counter()
    client.get(path)
    return (time.perf_counter() - begun) * 1000
