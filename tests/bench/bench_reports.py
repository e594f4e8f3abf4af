"""What a weekly report of 5,000 videos in 10,000 folders costs with everything known: CPU to the first byte."""

from functools import partial

from django.test import Client
from django.utils.module_loading import import_string

from tests.bench.bench_library import FOLDERS, LEVELS, VIDEOS, _library
from tests.bench.figure import Figure, cpu

MOST_MS = 100


def figures() -> list[Figure]:
    """The report of the account, and of a folder twelve levels down."""
    roles = import_string("dashboard.sandbox.seed.cast")()
    deep, _video = _library(roles, VIDEOS, FOLDERS)
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    found = []
    for name, about in {"account": "", f"folder {LEVELS} levels down": f"?about=folder:{deep}"}.items():
        ask = partial(client.get, f"/dashboard/reports/{about}")
        assert client.get(f"/dashboard/reports/{about}{'&' if about else '?'}wait=1").status_code == 200
        found.append(Figure(f"report of {name}: CPU", cpu(ask, 10), MOST_MS, "ms"))
    return found
