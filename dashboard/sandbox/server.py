"""The embedded platform as a server of its own: gunicorn with threads, calls straight to the dispatcher."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from gunicorn.app.base import BaseApplication

from dashboard.sandbox import http

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
        return http.application(environ, start_response)

    return serve
