"""Back up a running installation while people write, break it, restore it: everything is there, nothing is sent twice."""

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from tests.installation.browser import Browser

HELD = "Held while it was backed up."
MEANWHILE = 5
CREATE = "public_review.create_comment"
PATIENCE = 90.0


class Platform:
    """The embedded platform that runs on the copy in `folder`, with what goes wrong there."""

    def __init__(self, folder: Path, address: str, link: str) -> None:
        self.folder, self.address, self.link = folder, address, link

    def refuse_for_now(self, *, refuse: bool) -> None:
        """Answer new comments with "not now", so that they are held."""
        change = f"set({CREATE!r}, status=429)" if refuse else f"clear({CREATE!r})"
        code = f"from dashboard.sandbox import faults; faults.{change}"
        environment = {**os.environ, "DEBUG": "on"}
        subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", code], cwd=self.folder, env=environment, check=True
        )

    def count(self, text: str) -> int:
        """How many comments of the link have these words."""
        path = f"{self.address}/api/public-video-review/{self.link}/comments?token={uuid.uuid4()}"
        return httpx.get(path, timeout=30, trust_env=False).text.count(text)


def manage(folder: Path, environment: dict[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    """A command as docs/operations.md has it."""
    command = ["uv", "run", "manage.py", *words]
    return subprocess.run(
        command, cwd=folder, env={**environment, "UV_ENV_FILE": ".env"}, capture_output=True, text=True
    )


def back_up(folder: Path, environment: dict[str, str], address: str, host: str, platform: Platform) -> Path:
    """A backup with one comment held in it, taken while others write; then the held one is sent."""
    held, others = Browser(address, host), Browser(address, host)
    platform.refuse_for_now(refuse=True)
    _comment(held, platform.link, HELD)
    assert platform.count(HELD) == 0

    def write_on() -> None:
        for number in range(MEANWHILE):
            _comment(others, platform.link, f"Meanwhile {number}.")

    target = folder.parent / "backup"
    with ThreadPoolExecutor(1) as thread:
        writing = thread.submit(write_on)
        done = manage(folder, environment, "backup", str(target))
        writing.result()
    assert done.returncode == 0, done.stderr
    refused = manage(folder, environment, "restore", str(target), "--replace")
    assert refused.returncode and "Nothing was changed." in refused.stderr, refused.stderr
    platform.refuse_for_now(refuse=False)
    wait_until(lambda: platform.count(HELD) == 1 and platform.count("Meanwhile ") == MEANWHILE)
    return target


def break_database(folder: Path, environment: dict[str, str]) -> None:
    """What was in the database is gone."""
    if address := environment.get("DATABASE_URL"):
        drop = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        subprocess.run(["psql", "-q", address, "-c", drop], check=True, capture_output=True)
        return
    for file in (folder / ".data").glob("reelroom.sqlite3*"):
        file.unlink()


def restore(folder: Path, environment: dict[str, str], target: Path) -> str:
    """What the command says."""
    done = manage(folder, environment, "restore", str(target))
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_nothing_is_sent_twice(platform: Platform) -> None:
    """The worker has had several turns, and the platform has everything once."""
    time.sleep(15)
    assert (platform.count(HELD), platform.count("Meanwhile ")) == (1, MEANWHILE)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Return when it is so; fail when it takes too long."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.5)


def _comment(visitor: Browser, link: str, text: str) -> None:
    answer = visitor.submit(f"/{link}", "/comments", text=text, user_name="Ana", time="0:02")
    assert answer.status_code in {302, 303}, answer.status_code
