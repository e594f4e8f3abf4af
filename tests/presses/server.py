"""The product on gunicorn with two processes, forked from the test: its databases, its platform, a port for each process.

Every call to the platform that is not a read is written into a journal, one line each, whichever process makes it.
"""

import http.client
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test import override_settings
from gunicorn.app.base import BaseApplication

from dashboard.platform_api.sending import Call
from dashboard.upstream import clients, platform_health
from tests.installation.servers import free_port

PROCESSES = 2


class Worker(Protocol):
    """The part of gunicorn's worker that is used here."""

    age: int
    sockets: list[Any]


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn as the product starts it, but each of its processes answers on a port of its own."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        super().__init__()

    def load_config(self) -> None:
        for name, value in {
            "bind": [f"127.0.0.1:{port}" for port in self.ports],
            "workers": PROCESSES,
            "worker_class": "gthread",
            "threads": 4,
            "keepalive": 30,
            "timeout": 120,
            "loglevel": "error",
            "control_socket_disable": True,
            "post_fork": take_port,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return get_wsgi_application()


def take_port(server: object, worker: Worker) -> None:
    """The first process has the first port, the second the second."""
    worker.sockets = [worker.sockets[(worker.age - 1) % PROCESSES]]


def journal_writes(journal: Path) -> Callable[[Sequence[Call]], None]:
    """An observer that adds a line for every write."""
    observe = platform_health.observe

    def observed(calls: Sequence[Call]) -> None:
        with journal.open("a") as lines:
            lines.writelines(
                f"{call.operation} {call.status or call.error}\n" for call in calls if call.method != "GET"
            )
        observe(calls)

    return observed


def _serve(ports: list[int], folder: Path) -> None:
    shared = {"BACKEND": "dashboard.file_cache.FileCache", "LOCATION": folder / "cache.sqlite3", "OPTIONS": {}}
    with override_settings(CACHES=settings.CACHES | {"default": shared, "machine": shared}):
        clients.forget()
        setattr(platform_health, "observe", journal_writes(folder / "journal.txt"))  # noqa: B010  (a function, for a type checker)
        Server(ports).run()


@contextmanager
def serving(folder: Path) -> Iterator[list[int]]:
    """The server, from its first answer on, until the block ends. Gives the port of each process."""
    connections.close_all()
    (folder / "journal.txt").touch()
    ports = [free_port() for _ in range(PROCESSES)]
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(ports, folder))
    process.start()
    try:
        for port in ports:
            _wait_for(port, process)
        yield ports
    finally:
        process.terminate()
        process.join(20)
        if process.is_alive():
            process.kill()


def _wait_for(port: int, process: Any) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.is_alive():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    raise AssertionError(f"nobody answers on port {port}")
