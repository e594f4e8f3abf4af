"""manage.py sandbox: the embedded platform alone, over HTTP, for other clients and for benchmarks."""

import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from typing import Any, Final

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.utils.module_loading import import_string
from gunicorn.app.base import BaseApplication

from dashboard.sandbox import clock, faults, transport
from dashboard.sandbox.faults import Shape
from dashboard.sandbox.seed import large

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
THREADS: Final = 64
_CALLS: Final = re.compile(r"/sandbox/(?:api|data|traffic|config|media(?!/player/))/")
_PAGES: Final = re.compile(r"/(?:sandbox|static|theme|language)/")


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn is untyped
    """gunicorn without a configuration file."""

    def __init__(self, bind: str, workers: int) -> None:
        self.bind, self.workers = bind, workers
        super().__init__()

    def load_config(self) -> None:
        """Threads, because calls mostly wait: for the latency they were told to have."""
        for name, value in {
            "bind": self.bind,
            "workers": self.workers,
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": 30,
            "timeout": 120,
            "errorlog": "-",
            "loglevel": "warning",
            "preload_app": True,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Application:
        """The application of every worker."""
        return application(get_wsgi_application())


def application(pages: WSGIHandler) -> Application:
    """Send calls past Django's middleware, the platform's own pages through it, and anything else nowhere."""

    def serve(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if _PAGES.match(path) and not _CALLS.match(path):
            return pages(environ, start_response)
        return transport.application(environ, start_response)

    return serve


class Command(BaseCommand):
    """Migrates, seeds, and serves `/sandbox/` until it is stopped."""

    help = "Serve only the embedded platform over HTTP."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8001)
        parser.add_argument("--latency-ms", type=float, default=0, help="Milliseconds that every call takes longer.")
        parser.add_argument("--jitter-ms", type=float, default=0, help="How much that varies, up and down.")
        parser.add_argument("--without", default="", help="Operations that it does not have, separated by commas.")
        parser.add_argument(
            "--shape", default=Shape.PLAIN.value, choices=[shape.value for shape in Shape],
            help="How reads are answered that the specification does not show.",
        )  # fmt: skip
        parser.add_argument(
            "--library", default="demo", choices=["demo", "large"],
            help="What the demo's account has: large adds 5,000 videos, 10,000 folders, 300 funnel cards, 12 sub-accounts.",
        )  # fmt: skip
        parser.add_argument("--workers", type=int, default=1, help="Processes; each has 64 threads.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SANDBOX:
            raise CommandError(
                "The embedded platform is off. Leave SANDBOX and PLATFORM_BASE_URL unset, or set SANDBOX=on."
            )
        if min(options["latency_ms"], options["jitter_ms"]) < 0:
            raise CommandError("Latency and jitter are milliseconds, 0 or more.")
        try:
            names = frozenset(name.strip() for name in options["without"].split(",") if name.strip())
            faults.use_manner(without=names, shape=options["shape"])
        except ValueError as error:
            raise CommandError(str(error)) from error
        call_command("migrate", verbosity=0)
        call_command("migrate", database="sandbox", verbosity=0)
        import_string(settings.SANDBOX_CAST)()
        if options["library"] == "large":
            large.seed_large(clock.now())
        connections.close_all()  # a connection does not survive the fork of a worker
        faults.baseline.latency_ms, faults.baseline.jitter_ms = options["latency_ms"], options["jitter_ms"]
        host, port = options["host"], options["port"]
        here = f"http://{'localhost' if host in {'0.0.0.0', '::'} else host}:{port}"  # noqa: S104 - compared, not bound
        settings.SANDBOX_PUBLIC_URL = here
        self.stdout.write(f"Platform   {here}/sandbox/  (base_url {here}/sandbox/api; tokens: manage.py cast)")
        self.stdout.flush()
        Server(f"{host}:{port}", options["workers"]).run()
