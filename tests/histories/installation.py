"""A whole installation as real processes: platform, faults, web processes and workers, each of which can be killed."""

import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from cryptography.fernet import Fernet

from tests.histories.proxy import Faults, Proxy

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("manage.py", "dashboard", "review_portal", "templates", "static", "tests")
SEED = """
import datetime, json, uuid
from django.utils import timezone
from dashboard.sandbox.models import ReviewLink, Video
from dashboard.sandbox.seed.demo import cast
roles = cast()
mould = Video.objects.get(pk=roles["videos"]["plain"])
made = []
for n in range({count}):
    video = Video.objects.get(pk=mould.pk)
    video.pk, video._state.adding, video.title, video.external_id = uuid.uuid4(), True, f"Film {{n}}", uuid.uuid4()
    video.save(force_insert=True)
    link = ReviewLink.objects.create(video=video, name=f"Cut {{n}}", expires_at=timezone.now() + datetime.timedelta(days=3))
    made.append([str(link.pk), str(video.pk)])
print("SEEDED", json.dumps([roles["tokens"]["owner"], made]))
"""


PREPARE = """
import uuid
from django.core.management import call_command
call_command("migrate", verbosity=0)
from dashboard.accounts.tokens import connect
from review_portal import imports
account, _is_new = connect({token!r}, "Owner")
for link, film in {links!r}:
    imports.import_link(account, uuid.UUID(link), uuid.UUID(film))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Installation:
    """The product in production mode in `folder`, its platform behind a proxy with faults.

    Its account has `links`, so that Activity records what is written through them.
    `webs` gunicorn servers with two processes each and `workers` workers share one database: SQLite, or `database_url`.
    """

    def __init__(
        self,
        folder: Path,
        dice: random.Random,
        *,
        links: int,
        webs: int = 1,
        workers: int = 1,
        database_url: str = "",
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.dice = folder, dice
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                (folder / name).symlink_to(source)
            else:
                shutil.copy(source, folder / name)
        self.log = (folder / "log.txt").open("ab")
        platform = free_port()
        self.platform_port = platform
        base = {**os.environ, "PYTHONPATH": str(folder), "PYTHONUNBUFFERED": "1", "HISTORY": str(folder)}
        for name in ("DATABASE_URL", "CACHE_URL", "DEBUG", "DEMO", "DJANGO_SETTINGS_MODULE"):
            base.pop(name, None)
        self.sandbox_environment = {**base, "DEBUG": "on", "DJANGO_SETTINGS_MODULE": "tests.histories.settings"}
        self.faults = Faults(random.Random(dice.random()), calm=True)
        self.proxy = Proxy(platform, self.faults)
        self.webs: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        self.ports = [free_port() for _ in range(webs)]
        here = f"http://127.0.0.1:{self.proxy.port}/sandbox"
        self.environment = {
            **base,
            "DJANGO_SETTINGS_MODULE": "tests.histories.settings",
            "DEBUG": "off",
            "SECRET_KEY": "history-" + Fernet.generate_key().decode(),
            "TOKEN_KEYS": Fernet.generate_key().decode(),
            "ALLOWED_HOSTS": "127.0.0.1",
            "SANDBOX": "off",
            "WORKER": "off",
            "TRUSTED_PROXIES": "1",
            "CSRF_TRUSTED_ORIGINS": ",".join(f"https://127.0.0.1:{port}" for port in self.ports),
            "PLATFORM_BASE_URL": f"{here}/api",
            "PLATFORM_DATA_URL": f"{here}/data",
            "PLATFORM_TRAFFIC_URL": f"{here}/traffic",
            "PLATFORM_CONFIG_URL": f"{here}/config",
            "PLATFORM_SUBTITLES_URL": f"{here}/subtitles",
            "PLATFORM_LIVE_CONFIG_URL": f"{here}/live-config",
            "PLATFORM_REVIEW_READS": "on",
            "PLATFORM_TIMEOUT": "3",
            "PLATFORM_CALLS_PER_MINUTE": "0",  # a 429 that is thrown in would stop everything for a while
            **({"DATABASE_URL": database_url} if database_url else {}),
            **(settings or {}),
        }
        try:
            self._begin(links, workers)
        except BaseException:
            self.stop()
            raise

    def _begin(self, links: int, workers: int) -> None:
        """Start everything, each process once what it needs answers."""
        self._start("platform", self.sandbox_environment, "sandbox", "--port", str(self.platform_port))
        self._wait_for(self.platform_port, "/sandbox/api/folders")
        self.token, self.links = self._seed(links)
        self.manage("shell", "-v", "0", "-c", PREPARE.format(token=self.token, links=self.links))
        self.webs += [self._web(port) for port in self.ports]
        self.workers += [self._worker() for _ in range(workers)]
        for port in self.ports:
            self._wait_for(port, "/healthz")

    def manage(self, *arguments: str, sandbox: bool = False) -> str:
        """What a command of the product prints."""
        environment = self.sandbox_environment if sandbox else self.environment
        ran = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def _seed(self, count: int) -> tuple[str, list[tuple[str, str]]]:
        """The owner's token on the seeded platform, and `count` new links there, each with the film of its own."""
        printed = self.manage("shell", "-c", SEED.format(count=count), sandbox=True)
        line = next(line for line in printed.splitlines() if line.startswith("SEEDED "))
        token, made = json.loads(line.removeprefix("SEEDED "))
        return token, [(link, film) for link, film in made]

    def kill_something(self) -> str:
        """SIGKILL a worker or a web process; a worker is started again, gunicorn replaces its own. Returns what it was."""
        if self.workers and self.dice.random() < 0.5:
            place = self.dice.randrange(len(self.workers))
            self.workers[place].kill()
            self.workers[place].wait()
            self.workers[place] = self._worker()
            return "worker"
        server = self.dice.choice(self.webs)
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        if children:
            os.kill(int(self.dice.choice(children)), signal.SIGKILL)
        return "web process"

    def stop(self) -> None:
        """End everything."""
        for process in (*self.workers, *self.webs, *self._others):
            process.terminate()
        for process in (*self.workers, *self.webs, *self._others):
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
        self.proxy.shutdown()
        self.proxy.server_close()
        self.log.close()

    _others: tuple[subprocess.Popen[bytes], ...] = ()

    def _start(self, name: str, environment: dict[str, str], *arguments: str) -> None:
        self._others = (*self._others, self._popen([sys.executable, "manage.py", *arguments], environment))

    def _web(self, port: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "gunicorn", "dashboard.wsgi", "-c", "python:dashboard.gunicorn"]
        environment = self.environment | {"BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "2"}
        return self._popen(command, environment)

    def _worker(self) -> subprocess.Popen[bytes]:
        return self._popen([sys.executable, "manage.py", "worker"], self.environment)

    def _popen(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=self.log, stderr=self.log)

    def _wait_for(self, port: int, path: str) -> None:
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            try:
                connection.request("GET", path)
                connection.getresponse().read()
                return
            except OSError:
                time.sleep(0.1)
            finally:
                connection.close()
        raise AssertionError(f"nothing answers on port {port}: {(self.folder / 'log.txt').read_text()[-3000:]}")
