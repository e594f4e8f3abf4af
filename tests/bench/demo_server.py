"""The product as production starts it, in a folder and a process of its own, with the demo's account and full rooms."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.bench.upstream import free_port, wait_for

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("manage.py", "dashboard", "review_portal", "templates", "static", "tests")
ROOMS = """
from dashboard.sandbox.models import ReviewComment
from tests.bench import bench_review

def room(replies):
    link = bench_review.fill(replies)
    last = ReviewComment.objects.filter(video__review_links=link, reply_to=None).last()
    ReviewComment.objects.filter(reply_to=last).delete()
    last.delete()
    return link

full, many = room(31), room(173)
print("ROOMS", bench_review.fill_small(), full, many)
"""
"""A video with thirty comments takes replies only: these rooms have 29 threads, so that their composer is open."""


@dataclass(frozen=True)
class Served:
    """Where it answers, and the addresses of rooms with 14, 928 and 5,046 comments."""

    address: str
    rooms: tuple[str, str, str]


@contextmanager
def production() -> Iterator[Served]:
    """Collected static files, gunicorn, the embedded platform behind it: `manage.py demo`, on a port of its own."""
    with TemporaryDirectory(prefix="first-visit-") as name:
        folder = Path(name)
        for part in COPIED:
            source = ROOT / part
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, folder / part)
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
        for unset in ("DEBUG", "DATABASE_URL", "CACHE_URL", "LOG_LEVEL"):
            environment.pop(unset, None)
        port = free_port()
        with (folder / "log.txt").open("wb") as log:
            command = [sys.executable, "manage.py", "demo", "--no-open", "--port", str(port)]
            server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
            try:
                wait_for(f"http://127.0.0.1:{port}/healthz", seconds=180)
                made = subprocess.run(
                    [sys.executable, "manage.py", "shell", "-v", "0", "-c", ROOMS],
                    cwd=folder, env=environment | {"DEMO": "on", "SANDBOX": "on"}, capture_output=True, text=True, check=True,
                )  # fmt: skip
                rooms = next(line for line in made.stdout.splitlines() if line.startswith("ROOMS ")).split()[1:]
                for room in rooms:
                    _wait_until_read(f"http://127.0.0.1:{port}/{room}")
                yield Served(f"http://127.0.0.1:{port}", (f"/{rooms[0]}", f"/{rooms[1]}", f"/{rooms[2]}"))
            finally:
                server.terminate()
                server.wait(timeout=30)


def _wait_until_read(room: str, seconds: float = 60) -> None:
    """A room that nobody has opened says that it is being read: its first visit is measured with its comments."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with urlopen(room, timeout=30) as answer:  # noqa: S310  (our own server)
            if b"data-composer" in answer.read():
                return
        time.sleep(0.5)
    raise TimeoutError("the room was not read")
