"""Production as README starts it, on a fresh copy of the project: real processes, static files collected, a platform far away.

The platform is the embedded one in a process of its own, over HTTP, and what it answers is read and kept as in production.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.fernet import Fernet

from tests.installation.__main__ import bare_environment, platform
from tests.installation.browser import Browser
from tests.installation.readme import copy_as_cloned
from tests.installation.servers import free_port, wait_for_port

SEED: Final = """
import json
from dashboard.sandbox.models import ReviewLink, Token, User
from tests.bench import bench_review
links = [bench_review.fill(), *(bench_review.fill_small() for _ in range({small}))]
Token.objects.get_or_create(value="bench-token", user=User.objects.get(name="Bench"))
films = dict(ReviewLink.objects.filter(pk__in=links).values_list("pk", "video_id"))
print("SEEDED", json.dumps([[str(link), str(films[link])] for link in links]))
"""
CONNECT: Final = """
import uuid
from dashboard.accounts.tokens import connect
from review_portal import imports
account, _is_new = connect("bench-token", "Bench")
for link, film in {links!r}:
    imports.import_link(account, uuid.UUID(link), uuid.UUID(film))
"""
TICK: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Upstream:
    """The platform: where it answers, its cast, and links with their films: the first has 930 comments, the others 14."""

    address: str
    cast: dict[str, Any]
    links: list[tuple[str, str]]


@dataclass(frozen=True)
class Served:
    """A server that runs: where it listens, and the processes that answer."""

    port: int
    processes: list[int]

    @property
    def browser(self) -> Browser:
        """Somebody who has not been here before."""
        return Browser(f"http://127.0.0.1:{self.port}", "127.0.0.1")

    def cpu(self) -> float:
        """Seconds of CPU that its processes have used, the kernel's share included."""
        return sum(cpu_of(process) for process in self.processes)

    def resident(self) -> list[float]:
        """Megabytes of memory that each process holds now."""
        return [_status(process, "VmRSS") / 1000 for process in self.processes]


@contextmanager
def upstream(folder: Path, small: int) -> Iterator[Upstream]:
    """The platform, with a room of 930 comments and `small` rooms of fourteen."""
    with platform(folder) as (address, cast):
        shell = [sys.executable, "manage.py", "shell", "-v", "0", "-c", SEED.format(small=small)]
        environment = bare_environment() | {"DEBUG": "on"}
        printed = subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True)
        line = next((line for line in printed.stdout.splitlines() if line.startswith("SEEDED ")), None)
        assert line, printed.stderr[-2000:]
        yield Upstream(address, cast, [(link, film) for link, film in json.loads(line.removeprefix("SEEDED "))])


class Site:
    """A copy of the project with the settings of production; `servers` are the variables of its database and cache."""

    def __init__(self, folder: Path, upstream: Upstream, servers: Mapping[str, str]) -> None:
        self.folder = copy_as_cloned(folder)
        self.environment = {
            **bare_environment(),
            "SECRET_KEY": Fernet.generate_key().decode() + Fernet.generate_key().decode(),
            "TOKEN_KEYS": Fernet.generate_key().decode(),
            "ALLOWED_HOSTS": "127.0.0.1",
            "TRUSTED_PROXIES": "1",
            "PLATFORM_BASE_URL": f"{upstream.address}/api",
            "PLATFORM_DATA_URL": f"{upstream.address}/data",
            "PLATFORM_CONFIG_URL": f"{upstream.address}/config",
            "PLATFORM_REVIEW_READS": "on",
            "PLATFORM_CALLS_PER_MINUTE": "100000",  # counted, and never used up
            "LOG_LEVEL": "error",
            **servers,
        }
        self.manage("migrate", "-v", "0")
        self.manage("collectstatic", "--no-input", "-v", "0")
        if upstream.links:
            self.manage("shell", "-v", "0", "-c", CONNECT.format(links=upstream.links))

    def manage(self, *arguments: str) -> str:
        """What a command of the product prints."""
        command = [sys.executable, "manage.py", *arguments]
        ran = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr[-2000:]
        return ran.stdout

    @contextmanager
    def serve(self, processes: int) -> Iterator[Served]:
        """The production command with so many processes and the worker beside them, until it is stopped."""
        port = free_port()
        environment = self.environment | {"BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": str(processes)}
        command = [sys.executable, "-m", "gunicorn", "dashboard.wsgi", "-c", "python:dashboard.gunicorn"]
        with (self.folder / "server.log").open("ab") as log:
            server = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        try:
            wait_for_port(port)
            while len(answering := _answering(server.pid)) < processes:
                assert server.poll() is None, (self.folder / "server.log").read_text()[-2000:]
                time.sleep(0.05)
            yield Served(port, answering)
        finally:
            server.terminate()
            server.wait(60)


def cpu_of(process: int) -> float:
    """Seconds of CPU that a process has used, and those that it started and that have ended."""
    fields = _read(process, "stat").rpartition(b")")[2].split()
    return sum(map(int, fields[11:15])) / TICK


def children_of(process: int) -> list[int]:
    """The processes that it has started, and those that they have."""
    threads = [
        thread.name for thread in Path(f"/proc/{process}/task").glob("*")
    ]  # a child is that of the thread that forked
    direct = [child for thread in threads for child in _read(process, f"task/{thread}/children").split()]
    return [one for child in map(int, direct) for one in (child, *children_of(child))]


def named(words: bytes) -> list[int]:
    """The processes that this one has started, or they in turn, whose command has these words."""
    return [one for one in children_of(os.getpid()) if words in _command(one)]


def _command(process: int) -> bytes:
    return _read(process, "cmdline")


def _read(process: int, name: str) -> bytes:
    """What the kernel says of a process; nothing of one that has ended."""
    try:
        return Path(f"/proc/{process}/{name}").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def _answering(server: int) -> list[int]:
    """The processes of a gunicorn that answer requests: its children, without the worker beside it."""
    return [one for one in children_of(server) if b"manage.py" not in _command(one)]


def _status(process: int, name: str) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
