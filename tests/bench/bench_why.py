"""Why traffic rose, over 5,000 videos in 10,000 folders whose traffic of 56 days is known: CPU to the page's last byte."""

from datetime import UTC, datetime
from functools import partial

from django.test import Client
from django.utils.module_loading import import_string

from tests.bench.figure import Figure, cpu

MOST_MS = 100
PAGES = ("causes/?", "videos/?", "folders/?", "videos/?cause=more-plays&")


def figures() -> list[Figure]:
    """Each split with everything known, and the list of a cause."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    import_string("dashboard.sandbox.seed.large.seed_large")(datetime.now(UTC))
    client = Client()
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    account = import_string("dashboard.accounts.models.Account").objects.get(pk=client.session["account"])
    videos = import_string("tests.kept_traffic.keep_traffic")(account)
    found = []
    for path in PAGES:
        ask = partial(client.get, f"/dashboard/analytics/why/traffic/{path}range=28d&zone=UTC")
        page = ask().content.decode()
        assert "why-videos" in page
        found.append(Figure(f"why traffic, {path.rstrip('?&')}, {videos:,} videos", cpu(ask, 8), MOST_MS, "ms CPU"))
    return found
