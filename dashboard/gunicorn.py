"""gunicorn -c python:dashboard.gunicorn: threads, because pages wait for upstream calls more than they compute."""

import gc
import os
from typing import Any

bind = os.environ.get("BIND", "0.0.0.0:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 12
timeout = 60
keepalive = 5
limit_request_line = 8190  # a plan of fifty videos is in its address
forwarded_allow_ips = ""  # what proxies say is believed by one setting, TRUSTED_PROXIES, and not by gunicorn as well
accesslog = None  # addresses of the review portal identify links: the proxy in front logs what it must
errorlog = "-"
preload_app = True
control_socket_disable = True  # nothing of ours runs it, and it would write into the home folder


def on_starting(server: Any) -> None:
    """Refuse to start with an unsafe or incomplete configuration, and say why."""
    import django
    from django.core import checks
    from django.core.management.base import SystemCheckError

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    errors = [message for message in checks.run_checks() if message.is_serious()]
    if errors:
        raise SystemExit(str(SystemCheckError("\n".join(str(error) for error in errors))))


def pre_fork(server: Any, worker: Any) -> None:
    """What was loaded before the fork is never garbage: looked through by every full collection, it costs a page 70 ms."""
    gc.collect()
    gc.freeze()
