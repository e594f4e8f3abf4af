"""5,000 videos in 10,000 folders: what pages take over the platform's slowest call, and how their CPU grows from a tenth."""

from functools import partial
from typing import Any
from uuid import UUID

from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string

from tests.bench.figure import Figure, cpu
from tests.bench.served import as_served
from tests.bench.upstream import OURS_MS, TIMES, cold, far_away, over

VIDEOS, FOLDERS, LEVELS = 5_000, 10_000, 12
RUNS = 8
PALETTE = {"HX-Request": "true"}


def figures() -> list[Figure]:
    """Each page with nothing read before, and its CPU against that of a library of a tenth."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    small = _measured(roles, VIDEOS // 10, FOLDERS // 10, runs=0)
    large = _measured(roles, VIDEOS, FOLDERS, runs=RUNS)
    found = []
    for name, (late, first, warm) in large.items():
        found += [
            Figure(f"{name}, but for {OURS_MS} ms", late, TIMES, "of slowest call"),
            Figure(f"{name}, ten times the data", first / small[name][1], 10, "times the CPU"),
            Figure(f"{name}, read a moment ago", warm / small[name][2], 10, "times the CPU"),
        ]
    return found


def _pages(deep: str, video: str) -> dict[str, tuple[str, dict[str, str]]]:
    return {
        "library": ("/dashboard/videos/", {}),
        "library sorted": ("/dashboard/videos/?sort=title", {}),
        "folders": ("/dashboard/folders/", {}),
        f"folder {LEVELS} levels down": (f"/dashboard/folders/?folder={deep}", {}),
        "folders by name": ("/dashboard/folders/?find=folder+9", {}),
        "one video": (f"/dashboard/videos/{video}/", {}),
        "palette": ("/dashboard/search/?q=folder+77", PALETTE),
    }


def _measured(roles: dict[str, Any], videos: int, folders: int, *, runs: int) -> dict[str, tuple[float, float, float]]:
    """Page time over the slowest call, CPU with nothing read before, and CPU with all of it read; by page.

    The embedded platform answers over HTTP in a process of its own, so that the CPU is that of the dashboard alone.
    """
    deep, video = _library(roles, videos, folders)
    found = {}
    with as_served(), far_away() as calls:
        client = Client()
        client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
        for name, (page, headers) in _pages(deep, video).items():
            ask = partial(client.get, page, headers=headers)
            assert ask().status_code == 200
            found[name] = (
                min((over(ask, calls) for _run in range(runs)), default=0.0),
                cpu(partial(cold, ask), 3),
                cpu(ask, 3),
            )
    return found


def _library(roles: dict[str, Any], videos: int, folders: int) -> tuple[str, str]:
    """That many videos and folders in the owner's account; the deepest folder and a video in it."""
    shelf, film = import_string("dashboard.sandbox.models.Folder"), import_string("dashboard.sandbox.models.Video")
    pattern, now = film.objects.get(pk=roles["videos"]["plain"]), timezone.now()
    whose = {"organization_id": pattern.organization_id, "user_id": pattern.user_id}
    dated = {"created_at": now, "updated_at": now}
    shelf.objects.filter(name__startswith="Folder ").delete()
    film.objects.filter(title__startswith="Film ").delete()
    made: list[Any] = []
    for number in range(folders - shelf.objects.filter(**whose).count()):
        chain = number < LEVELS
        parent = made[number - 1] if chain and number else None if number % 10 == 0 else made[number - number % 10]
        made.append(shelf(id=UUID(int=number + 1), name=f"Folder {number:05}", parent=parent, **whose, **dated))
    shelf.objects.bulk_create(made)
    new = range(videos - film.objects.filter(**whose).count())
    films = [
        film(title=f"Film {n:05}", status="CONVERTED", length=60 + n, folder=made[n % len(made)], **whose, **dated)
        for n in new
    ]
    film.objects.bulk_create(films)
    return str(made[LEVELS - 1].pk), str(films[LEVELS - 1].pk)
