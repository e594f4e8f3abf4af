"""The list of 5,000 videos and the pages of runs with everything known: CPU to the last byte, and counts that are exact."""

from collections.abc import Callable
from functools import partial
from html import unescape
from typing import Any

from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string

from tests.bench.figure import Figure, cpu
from tests.bench.served import as_served
from tests.pages import one_line

MOST_MS = 100
LIST = "/dashboard/videos/"
QUERIES = {
    "": lambda videos: videos.count(),
    "?sort=title": lambda videos: videos.count(),
    "?q=missing:fr&sort=-length": lambda videos: videos.exclude(subtitles__lang="fr").count(),
    "?q=folder:%22Course+0007:+Water%22/**+missing:fr,it&sort=title": lambda videos: videos.filter(
        title__endswith="of course 7"
    ).count(),
    "?q=length>20min+-missing:es&sort=-created&page=3": lambda videos: videos.filter(
        length__gt=1200, subtitles__lang="es"
    ).count(),
}
"""Addresses of the list, each with how many videos the platform itself has that match."""
RUNS = (140, 1_000)


def figures() -> list[Figure]:
    """The list as people search and sort it, and runs on the way and at their end."""
    with as_served():
        return _measure()


def _measure() -> list[Figure]:
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    import_string("dashboard.sandbox.seed.large.seed_large")(timezone.now())
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    _read_all(client)
    videos = _own_videos(roles)
    found = [_measure_list(client, address, count, videos) for address, count in QUERIES.items()]
    account = import_string("dashboard.accounts.models.Account").objects.get(pk=client.session["account"])
    ids = [str(pk) for pk in videos.order_by("pk").values_list("pk", flat=True)[: max(RUNS)]]
    for count in RUNS:
        for name, state in (("under way", "waiting"), ("finished", "done"), ("refused in part", "refused")):
            address = _make_run(account, ids[:count], state)
            ask = partial(client.get, address)
            page = unescape(one_line(client.get(address, headers={"Accept-Encoding": ""}).content.decode()))
            done = count if state == "done" else count - count // 3
            assert f"{done:,} of {count:,}" in page, "the counts are exact"
            found.append(Figure(f"run over {count:,} videos, {name}: CPU", cpu(ask, 10), MOST_MS, "ms"))
    return found


def _read_all(client: Client) -> None:
    """What the worker reads of every video, its subtitles; and the list with what it reads beside its page."""
    queries = import_string("dashboard.videos.tasks")
    queries.FACTS = queries.FACTS[:1]
    client.get(f"{LIST}?wait=1")
    account = import_string("dashboard.accounts.models.Account").objects.get(pk=client.session["account"])
    import_string("tests.kept_subtitles.keep_subtitles")(account)
    assert import_string("dashboard.videos.tasks.read_library").call() == 0, "everything is known"
    client.get(f"{LIST}?wait=1")


def _own_videos(roles: dict[str, Any]) -> Any:
    videos = import_string("dashboard.sandbox.models.Video").objects
    return videos.filter(organization=videos.get(pk=roles["videos"]["plain"]).organization)


def _measure_list(client: Client, address: str, count: Callable[[Any], int], videos: Any) -> Figure:
    page = one_line(client.get(LIST + address, headers={"Accept-Encoding": ""}).content.decode())
    said = import_string("tests.videos.test_videos.count_of")(page)
    assert said == f"{count(videos):,} of {videos.count():,} videos match", (address, said)
    ask = partial(client.get, LIST + address)
    return Figure(f"list of {videos.count():,} videos, {address or 'all'}: CPU", cpu(ask, 10), MOST_MS, "ms")


def _make_run(account: Any, ids: list[str], state: str) -> str:
    """A run of which a third is in this state and the others are finished; its page."""
    models = import_string("dashboard.runs.models")
    run = models.Run.objects.create(
        account=account,
        action="hide_chat",
        options={"assistant_id": "tutor", "name": "Tutor"},
        title="Hide chat",
        actor="Ana",
        state="running" if state == "waiting" else "finished",
        started_at=timezone.now(),
        finished_at=None if state == "waiting" else timezone.now(),
    )
    third = len(ids) // 3 if state != "done" else 0
    models.RunItem.objects.bulk_create(
        models.RunItem(run=run, position=n, video_id=pk, title=f"Lesson {n}", state=state if n < third else "done")
        for n, pk in enumerate(ids)
    )
    return f"/dashboard/runs/{run.pk}/"
