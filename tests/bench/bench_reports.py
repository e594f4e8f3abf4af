"""What a weekly report of 5,000 videos in 10,000 folders, and why its numbers moved, cost with everything known."""

from functools import partial

from django.test import Client
from django.utils.module_loading import import_string

from tests.bench.bench_library import FOLDERS, LEVELS, VIDEOS, _library
from tests.bench.figure import Figure, cpu

MOST_MS = 100


def figures() -> list[Figure]:
    """The report of the account, and of a folder twelve levels down; CPU to the first byte. Then why, of a search."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    deep, _video = _library(roles, VIDEOS, FOLDERS)
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    found = []
    for name, about in {"account": "", f"folder {LEVELS} levels down": f"?about=folder:{deep}"}.items():
        ask = partial(client.get, f"/dashboard/reports/{about}")
        assert client.get(f"/dashboard/reports/{about}{'&' if about else '?'}wait=1").status_code == 200
        found.append(Figure(f"report of {name}: CPU", cpu(ask, 10), MOST_MS, "ms"))
    for split in ("videos", "rate/videos"):
        ask = partial(client.get, f"/dashboard/analytics/why/{split}/?range=7d&search=film")
        assert ask().status_code == 200
        found.append(Figure(f"why of a search, {split}: CPU", cpu(ask, 10), MOST_MS, "ms"))
    return found
