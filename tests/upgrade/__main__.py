"""python -m tests.upgrade [REF] [--servers]: the version before and this one side by side on one database.

The old version begins: an account, a review link, comments, one that is held. Then this version migrates and serves beside it.
People post through both in turns, press twice, once through each, and nothing is lost or doubled; sessions go on in both.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from cryptography.fernet import Fernet

from tests.installation import servers
from tests.installation.__main__ import HOST, bare_environment, create_link, platform, say
from tests.installation.browser import Browser, FormReader
from tests.installation.readme import copy_as_cloned
from tests.termination import unwind_on_termination
from tests.upgrade import previous

SETTINGS = """
from dashboard.settings import *
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
"""
"""Nobody looks at colours here, and hashing the files of two versions takes longer than everything else."""
TURNS = 6
HELD = "Held while the old version ran alone."


@dataclass(frozen=True)
class Version:
    """One version's code, and where its pages answer."""

    name: str
    folder: Path
    environment: dict[str, str]

    @property
    def address(self) -> str:
        return f"http://{self.environment['BIND']}"

    def install(self) -> None:
        """An environment of its own, from its own pins."""
        subprocess.run(
            ["uv", "sync", "-q", "--extra", "postgres", "--extra", "redis"],
            cwd=self.folder,
            env=self.environment,
            check=True,
        )
        (self.folder / "upgrade_settings.py").write_text(SETTINGS)

    def manage(self, *words: str) -> None:
        subprocess.run([*self._python, "manage.py", *words], cwd=self.folder, env=self.environment, check=True)

    @contextmanager
    def running(self, *words: str) -> Iterator[None]:
        """A process of this version, until it is stopped."""
        with (self.folder / "log.txt").open("ab") as log:
            process = subprocess.Popen(
                [*self._python, *words], cwd=self.folder, env=self.environment, stdout=log, stderr=log
            )
            try:
                yield
            finally:
                process.terminate()
                process.wait(60)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Its pages."""
        with self.running("-m", "gunicorn", "dashboard.wsgi", "-c", "python:dashboard.gunicorn"):
            servers.wait_for_port(int(self.environment["BIND"].rpartition(":")[2]))
            yield

    @property
    def _python(self) -> tuple[str, ...]:
        return (str(self.folder / ".venv" / "bin" / "python"),)


def environment_of(variables: dict[str, str]) -> dict[str, str]:
    """What both versions run with: production, one process each, no worker of their own."""
    return {
        **bare_environment(),
        "DJANGO_SETTINGS_MODULE": "upgrade_settings",
        "SECRET_KEY": f"upgrade-{Fernet.generate_key().decode()}",
        "TOKEN_KEYS": Fernet.generate_key().decode(),
        "ALLOWED_HOSTS": HOST,
        "TRUSTED_PROXIES": "1",
        "WORKER": "off",
        "WEB_CONCURRENCY": "1",
        **variables,
    }


def sign_in(browser: Browser, token: str) -> None:
    """A session of the version that answers."""
    answer = browser.submit("/sign-in/", "/sign-in/", token=token, person="Walker")
    assert answer.status_code == 302, answer.status_code


def post(visitor: Browser, link: str, text: str, **fields: str) -> dict[str, str]:
    """A comment through the form as it stands; returns what was sent, to be pressed again."""
    form = FormReader("/comments")
    form.feed(visitor.page(f"/{link}"))
    sent = {**form.fields, "text": text, "user_name": "Ana", "time": "0:01", **fields}
    press(visitor, link, sent)
    return sent


def press(visitor: Browser, link: str, sent: dict[str, str]) -> None:
    """Send a form, also one that another version has drawn."""
    answer = visitor._send("POST", f"/{link}/comments", sent, f"/{link}")
    assert answer.status_code in {302, 303}, answer.status_code


def count_comments(platform_address: str, link: str) -> Counter[str]:
    """How often the platform has each text."""
    address = f"{platform_address}/api/public-video-review/{link}/comments?token={uuid.uuid4()}"
    body: Any = httpx.get(address, timeout=30, trust_env=False).json()
    texts: Counter[str] = Counter()
    pending = [body]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            texts.update([value["text"]] if isinstance(value.get("text"), str) else [])
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    return texts


def wait_until_sent(platform_address: str, link: str, text: str) -> None:
    """Until a worker has sent it."""
    end = time.monotonic() + 180  # a worker needs seconds to start, on a busy machine many
    while time.monotonic() < end:
        if count_comments(platform_address, link)[text]:
            return
        time.sleep(0.5)
    raise AssertionError(f"never sent: {text}")


def walk(old: Version, new: Version, platform_address: str, cast: dict[str, Any]) -> None:
    """From the old version alone to both, and to the end of what waits."""
    with ExitStack() as running:
        old.manage("migrate", "-v", "0")
        running.enter_context(old.serving())
        owner, visitor = Browser(old.address, HOST), Browser(old.address, HOST)
        sign_in(owner, cast["tokens"]["owner"])
        link = create_link(owner, cast["videos"]["plain"])
        expected = ["Written in the old version.", HELD]
        post(visitor, link, expected[0])
        post(visitor, link, HELD, hold="1")
        assert count_comments(platform_address, link)[HELD] == 0, "it waits for a worker"
        say("the old version serves; a comment is held")
        new.manage("migrate", "-v", "0")
        running.enter_context(new.serving())
        say("this version has migrated and serves beside it")
        beside = Browser(new.address, HOST, visitor.cookies)
        for turn in range(TURNS):
            first, second = (visitor, beside) if turn % 2 else (beside, visitor)
            expected.append(f"Turn {turn}.")
            press(second, link, post(first, link, expected[-1]))
        fresh = Browser(new.address, HOST)
        sign_in(fresh, cast["tokens"]["owner"])
        for session in (owner, fresh):
            for version in (old, new):
                for path in ("/dashboard/", "/dashboard/activity/", f"/dashboard/review-links/{link}/"):
                    Browser(version.address, HOST, session.cookies).page(path)
        say("posted through both in turns; sessions of each open the pages of both")
        for version in (old, new):
            running.enter_context(version.running("manage.py", "worker"))
        wait_until_sent(platform_address, link, HELD)
        time.sleep(2)  # a second sender would have left by now: both workers look every half second
        found = count_comments(platform_address, link)
        assert found == Counter(expected), f"lost or doubled: {found} instead of {expected}"
        for version in (old, new):
            page = Browser(version.address, HOST, visitor.cookies).page(f"/{link}")
            assert all(text in page for text in expected), f"{version.name} does not show everything"
        say(f"{len(expected)} comments, each once on the platform and shown by both versions")


def main() -> None:
    unwind_on_termination()
    parser = argparse.ArgumentParser(prog="python -m tests.upgrade")
    parser.add_argument(
        "ref", nargs="?", default="", help="The version before (default: the newest tag, or .ci/previous)."
    )
    parser.add_argument("--servers", action="store_true", help="On PostgreSQL and Redis instead of SQLite alone.")
    arguments = parser.parse_args()
    ref = previous.choose_ref(arguments.ref)
    commit = previous.find_commit(ref)
    if not commit:
        sys.stdout.write(f"{ref} is not in this clone. Not checked: the version before and this one on one database.\n")
        return
    with tempfile.TemporaryDirectory(prefix="reelroom-") as name:
        folder = Path(name)
        others = servers.running(folder / "servers") if arguments.servers else nullcontext(dict[str, str]())
        with others as variables, platform(folder / "platform") as (address, cast):
            shared = environment_of(
                {
                    "PLATFORM_BASE_URL": f"{address}/api",
                    "PLATFORM_DATA_URL": f"{address}/data",
                    "PLATFORM_CONFIG_URL": f"{address}/config",
                    "PLATFORM_CALLS_PER_MINUTE": "100000",
                    "DATABASE_URL": f"sqlite:///{folder / 'shared.sqlite3'}",
                    **variables,
                }
            )
            codes = {"old": previous.extract(commit, folder / "old"), "new": copy_as_cloned(folder / "new")}
            old, new = (
                Version(title, code, {**shared, "BIND": f"127.0.0.1:{servers.free_port()}"})
                for title, code in codes.items()
            )
            with ThreadPoolExecutor(2) as both:
                list(both.map(Version.install, (old, new)))
            say(f"installed {commit[:10]} and this version")
            try:
                walk(old, new, address, cast)
            except BaseException:
                for version in (old, new):
                    log = version.folder / "log.txt"
                    sys.stderr.write(f"{version.name}: {log.read_text()[-3000:] if log.exists() else ''}{os.linesep}")
                raise


if __name__ == "__main__":
    main()
