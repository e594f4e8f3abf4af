"""manage.py demo: the whole product on this machine, with the embedded platform behind it."""

import os
import subprocess
import sys
import webbrowser
from argparse import ArgumentParser
from collections.abc import Mapping
from threading import Timer
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from dashboard.accounts.models import Account
from dashboard.accounts.tokens import TokenRefused, connect
from dashboard.feature import list_features
from dashboard.platform_api.errors import CallError


class Command(BaseCommand):
    """Migrates, seeds, collects the static files, and becomes the production server on demo data."""

    help = "Serve the dashboard and the review portal on demo data, and say where to look."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--reset", action="store_true", help="Start again from the seed: forget everything done in the demo."
        )
        parser.add_argument("--no-open", action="store_true", help="Do not open a browser.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SANDBOX:
            raise CommandError("The demo needs the embedded platform. Leave SANDBOX and PLATFORM_BASE_URL unset.")
        if options["reset"]:
            self._forget()
        call_command("migrate", verbosity=0)
        call_command("migrate", database="sandbox", verbosity=0)
        cast = import_string(settings.SANDBOX_CAST)()
        if not Account.objects.exists():
            self._plant(cast)
        host, port = options["host"], options["port"]
        here = f"http://{'localhost' if host in {'0.0.0.0', '::'} else host}:{port}"  # noqa: S104  (compared, not bound)
        self.stdout.write(f"Dashboard  {here}/  (press “Look around with demo data”)")
        self.stdout.write(f"Review     {here}/{cast['review_links']['open']}")
        self.stdout.write(f"Platform   {here}/sandbox/  (its faults, its address for other clients)")
        self.stdout.flush()
        if not options["no_open"] and sys.stdout.isatty():
            Timer(2.0, webbrowser.open, [here]).start()
        self._serve(host, port)

    def _forget(self) -> None:
        """Delete both databases of the demo and what was cached of them; the secrets stay."""
        for name in ("reelroom", "sandbox", "cache"):
            for path in settings.DATA_DIR.glob(f"{name}.sqlite3*"):
                path.unlink()

    def _plant(self, cast: Mapping[str, Any]) -> None:
        """Connect the owner's account and let features prepare what the platform does not know, once: it may be undone."""
        try:
            owner, _is_new = connect(cast["tokens"]["owner"], cast["names"]["owner"])
            for feature in list_features():
                if feature.demo:
                    import_string(feature.demo)(owner, cast)
        except (CallError, TokenRefused) as error:  # the panel of faults lets any call fail, also after a restart
            self.stderr.write(f"The demo starts without its cuts: {error}")

    def _serve(self, host: str, port: int) -> None:
        """Become gunicorn: the demo is served the way production is, over plain http on this machine."""
        environment = {
            **os.environ,
            "DEMO": "on",
            "DEBUG": "off",
            "SANDBOX": "on",
            "ALLOWED_HOSTS": ",".join({host, "localhost", "127.0.0.1", "[::1]"} - {"0.0.0.0"}),  # noqa: S104
            "BIND": f"{host}:{port}",
            "WEB_CONCURRENCY": "1",  # enough for one person
        }
        manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]
        subprocess.run([*manage, "collectstatic", "--no-input", "-v", "0"], env=environment, check=True)  # noqa: S603
        os.chdir(settings.BASE_DIR)
        os.execve(  # noqa: S606  (no shell is meant)
            sys.executable,
            [sys.executable, "-m", "gunicorn", "dashboard.wsgi", "-c", "python:dashboard.gunicorn"],
            environment,
        )
