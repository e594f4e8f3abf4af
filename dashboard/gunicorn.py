"""gunicorn -c python:dashboard.gunicorn: threads, because pages wait for upstream calls more than they compute."""

import contextlib
import itertools
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final, cast

from gunicorn.glogging import Logger

from dashboard import memory
from dashboard.environment import Environment
from dashboard.monitoring.logs import FORMATS, make_formatter

bind = os.environ.get("BIND", "").strip() or "127.0.0.1:8000"
if bind.startswith(":") or bind.isdecimal():
    bind = f"127.0.0.1:{bind.lstrip(':')}"  # gunicorn takes a port alone for every address, or for a host
worker_class = "gthread"
workers = int(Environment().number("WEB_CONCURRENCY", 2, least=1, most=64))  # checks.E001 names a wrong one
threads = 12
timeout = 60
keepalive = 5
limit_request_line = 8190  # a plan of fifty videos is in its address
forwarded_allow_ips = ""  # what proxies say is believed by one setting, TRUSTED_PROXIES, and not by gunicorn as well
accesslog = None  # addresses of the review portal identify links: the proxy in front logs what it must
errorlog = "-"
loglevel = "warning" if Environment().flag("DEMO", default=False) else "info"
preload_app = True


class ServerLogger(Logger):  # type: ignore[misc]  # gunicorn ships no type information
    """gunicorn's own lines through the formatter of all others, which knows what no line may say."""

    def setup(self, cfg: Any) -> None:
        """Also runs when the configuration is read anew."""
        super().setup(cfg)
        environment = Environment()
        local = environment.flag("DEBUG", default=False) or environment.flag("DEMO", default=False)
        form = environment.choice("LOG_FORMAT", "text" if local else "json", FORMATS)
        for handler in self.error_log.handlers:
            handler.setFormatter(make_formatter(form))


logger_class = ServerLogger
control_socket_disable = True  # nothing of ours runs it, and it would write into the home folder


def on_starting(server: Any) -> None:
    """Refuse to start with an unsafe or incomplete configuration or installation, and say why."""
    memory.keep_little()  # its forks inherit it
    import django
    from django.core import checks
    from django.core.cache import caches
    from django.core.management.base import SystemCheckError
    from django.db import connections

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    from dashboard import installation
    from dashboard.file_cache import FileCache
    from dashboard.monitoring import metrics
    from dashboard.upstream import budget

    messages = checks.run_checks()
    if not any(message.is_serious() for message in messages):
        messages += installation.problems()
    errors = [message for message in messages if message.is_serious()]
    if errors:
        raise SystemExit(str(SystemCheckError("\n".join(str(error) for error in errors))))
    if metrics.is_on():
        metrics.share("web")
    for warning in messages:
        server.log.warning(str(warning))
    # What another version of the code has pickled is not for this one; numbers are, and the last minute's calls have left.
    cast(FileCache, caches["machine"]).clear(but=budget.COUNTERS)
    connections.close_all()  # a connection does not survive the fork of a worker


def when_ready(server: Any) -> None:
    """Run a worker beside the processes of the server, and another one whenever it ends, unless WORKER=off."""
    from django.conf import settings

    if settings.WORKER:
        os.register_at_fork(before=_forks.acquire, after_in_parent=_forks.release, after_in_child=_forks.release)
        threading.Thread(target=_keep_worker_running, args=(os.getpid(),), name="worker", daemon=True).start()


def _keep_worker_running(server_pid: int) -> None:
    """The worker ends by itself when the server is gone. It loads the product anew: it shares nothing with the server."""
    while True:
        worker = _start_worker(server_pid)
        _workers[:] = [worker]
        while worker.poll() is None:
            time.sleep(0.5)
        time.sleep(1)


def _start_worker(server_pid: int) -> "subprocess.Popen[bytes]":
    """While the server forks no process: that would inherit the pipe that `Popen` waits for, and so it waited for its end."""
    manage = Path(__file__).resolve().parent.parent / "manage.py"
    with _forks:
        return subprocess.Popen([sys.executable, str(manage), "worker", "--beside", str(server_pid)])  # noqa: S603


_forks = threading.Lock()
_workers: list["subprocess.Popen[bytes]"] = []


def on_exit(server: Any) -> None:
    """Let the worker end what it has begun."""
    for worker in _workers:
        worker.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            worker.wait(timeout=20)


def child_exit(server: Any, worker: Any) -> None:
    """A process of the server is gone."""
    from dashboard.monitoring import metrics

    metrics.forget_process(worker.pid)


def pre_fork(server: Any, worker: Any) -> None:
    """What was loaded before the fork is never garbage."""
    memory.search_garbage_seldom()


GIVE_BACK_EVERY: Final = 200
"""Requests after which a process gives back what is free: so often it costs each 5 µs."""
_requests = itertools.count(1)


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """Give back, now and then, what answers have left free."""
    if next(_requests) % GIVE_BACK_EVERY == 0:
        memory.give_back()
