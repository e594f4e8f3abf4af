"""python -m tests.installation [--servers]: README's production commands in a fresh copy, and what people do then.

With `--servers` on a PostgreSQL and a Redis that it starts, else on SQLite with nothing else. The platform is the embedded
one in another process, over HTTP.
"""

import argparse
import html
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx

from tests.installation import backup, servers
from tests.installation.browser import Browser
from tests.installation.readme import ROOT, copy_as_cloned, production_blocks
from tests.termination import unwind_on_termination

HOST = "reelroom.example.com"
REPLAYS = 40
CHANGES = 12
WORDS = "The logo is cut off at the left."
STATIC = re.compile(r'(?:src|href)="(/static/[^"#]+)[#"]')
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")
_began = time.monotonic()


def say(text: str) -> None:
    """A line of the walk's report, with the seconds since its start."""
    sys.stdout.write(f"{time.monotonic() - _began:6.1f} s  {text}\n")
    sys.stdout.flush()


def bare_environment() -> dict[str, str]:
    """The machine's variables without any of ours."""
    documented = set(re.findall(r"^\| `(\w+)`", (ROOT / "docs/operations.md").read_text(), re.MULTILINE))
    ours = documented | {"VIRTUAL_ENV", "UV_ENV_FILE", "DJANGO_SETTINGS_MODULE", "PYTHONPATH"}
    found = {name: value for name, value in os.environ.items() if name not in ours}
    # Commands that people copy find the machine's own Python first, not that of the environment this test runs in.
    own = str(Path(sys.prefix) / "bin")
    found["PATH"] = os.pathsep.join(part for part in found["PATH"].split(os.pathsep) if part != own)
    return found


@contextmanager
def platform(folder: Path, *options: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The embedded platform in a process of its own, on a fresh copy without an environment; its address and its cast.

    `options` are those of `manage.py sandbox`.
    """
    here, port = copy_as_cloned(folder), servers.free_port()
    manage = [sys.executable, "manage.py"]
    printed = subprocess.run([*manage, "cast"], cwd=here, env=bare_environment(), capture_output=True, check=True)
    command = [*manage, "sandbox", "--port", str(port), *options]
    process = subprocess.Popen(command, cwd=here, env=bare_environment(), stdout=sys.stderr)  # a bench prints JSON
    try:
        servers.wait_for_port(port)
        yield f"http://127.0.0.1:{port}/sandbox", json.loads(printed.stdout)
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def site(folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """README's *Run*, as it stands there, until it is stopped. Gives where it answers."""
    address = f"http://{environment['BIND']}"
    command = ["bash", "-euo", "pipefail", "-c", production_blocks()["Run"]]
    process = subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True)
    try:
        _wait_until_ready(process, address)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)


def _wait_until_ready(process: "subprocess.Popen[bytes]", address: str) -> None:
    for _ in range(1800):
        if process.poll() is not None:
            raise SystemExit(f"README's commands ended with {process.returncode}")
        try:
            answer = httpx.get(f"{address}/readyz", headers={"Host": HOST}, timeout=5, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.1)
            continue
        assert (answer.status_code, set(answer.json().values())) == (200, {"ok"}), answer.text
        return
    raise SystemExit("README's commands did not bring up a site")


def check_page(browser: Browser, path: str) -> None:
    """A page opens, and every static file that it links is there under a name that carries its hash."""
    links = set(STATIC.findall(browser.page(path)))
    assert links, f"{path} links no static file"
    for link in links:
        assert HASHED.search(link), f"{path} links {link}, without a hash"
        browser.page(link)


def sign_in(browser: Browser, token: str, leads_to: str = "/dashboard/") -> None:
    """As a person does: the form, then the dashboard."""
    check_page(browser, "/sign-in/")
    answer = browser.submit("/sign-in/", "/sign-in/", token=token, person="Walker")
    assert (answer.status_code, answer.headers.get("location")) == (302, leads_to), answer.status_code
    for path in (
        leads_to,
        "/dashboard/",
        "/dashboard/videos/",
        "/dashboard/analytics/",
        "/dashboard/health/",
        "/accounts/",
    ):
        check_page(browser, path)


def create_link(browser: Browser, video: str) -> str:
    """A review link of a video, made on its page; returns the link's id."""
    form = f"/dashboard/review-links/create/?video={video}"
    answer = browser.submit(form, "/create/", name="First cut")
    assert answer.status_code == 302, answer.status_code
    found = re.search(r"/review-links/([0-9a-f-]{36})/", answer.headers["location"])
    assert found, answer.headers["location"]
    return found[1]


def comment(visitor: Browser, link: str, platform_address: str) -> None:
    """A visitor without an account writes; the platform has the words."""
    check_page(visitor, f"/{link}")
    answer = visitor.submit(f"/{link}", "/comments", text=WORDS, user_name="Ana", time="0:01")
    assert answer.status_code in {302, 303}, answer.status_code
    read = f"{platform_address}/api/public-video-review/{link}/comments?token={uuid.uuid4()}"
    upstream = httpx.get(read, timeout=30, trust_env=False)
    assert WORDS in upstream.text, (
        f"the platform does not have the comment: {upstream.status_code} {upstream.text[:200]}"
    )


def replay(address: str, cookies: dict[str, str]) -> int:
    """How many of many tries, over all processes, an old cookie still opens the dashboard."""

    def opens(_number: int) -> bool:
        return Browser(address, HOST, dict(cookies)).get("/dashboard/").status_code == 200

    with ThreadPoolExecutor(8) as many:
        return sum(many.map(opens, range(REPLAYS)))


def read_notices(owner: Browser) -> None:
    """Every change is followed by its notice, whichever processes take the form and show the page."""
    found = re.search(r"/accounts/[0-9a-f-]{36}/", owner.page("/accounts/"))
    assert found, "no account is listed"
    for number in range(CHANGES):
        answer = owner.submit(found[0], found[0], name=f"Studio {number}")
        assert f"Saved “Studio {number}”." in html.unescape(owner.page(answer.headers["location"])), number


def lose_everything(folder: Path, environment: dict[str, str], platform: backup.Platform, token: str) -> None:
    """Back up while people write, lose the database, restore."""
    with site(folder, environment) as address:
        target = backup.back_up(folder, environment, address, HOST, platform)
        owner = Browser(address, HOST)
        sign_in(owner, token)
        old = dict(owner.cookies)
    say("backed up while people wrote; what was held then has been sent since")
    backup.break_database(folder, environment)
    said = backup.restore(folder, environment, target)
    assert "Writes that were open then: " in said, said
    with site(folder, environment) as address:
        say("restored and serving")
        assert replay(address, old) == 0
        owner = Browser(address, HOST)
        sign_in(owner, token)
        assert WORDS in owner.page(f"/dashboard/review-links/{platform.link}/")
        assert "Not confirmed" in owner.page("/dashboard/activity/")
        backup.check_nothing_is_sent_twice(platform)
        say("everything is there, nobody was signed in, nothing was sent twice")


def walk(folder: Path, environment: dict[str, str], platform_address: str, cast: dict[str, Any]) -> None:
    """Everything between installing and finding it all again after a restart."""
    token = cast["tokens"]["owner"]
    install = ["bash", "-euo", "pipefail", "-c", production_blocks()["Install"]]
    subprocess.run(install, cwd=folder, env=environment, check=True)
    say("installed")
    with site(folder, environment) as address:
        say("serving")
        owner, visitor = Browser(address, HOST), Browser(address, HOST)
        sign_in(owner, token, leads_to="/dashboard/getting-started/")
        link = create_link(owner, cast["videos"]["plain"])
        comment(visitor, link, platform_address)
        say("signed in, opened pages with their files, made a link, a visitor's comment is on the platform")
        read_notices(owner)
        say(f"{CHANGES} changes, each followed by its notice")
        old = dict(owner.cookies)
        assert replay(address, old) == REPLAYS, "a signed-in person is signed in with every process"
        owner.submit("/dashboard/", "/sign-out/")
        opened = replay(address, old)
        assert opened == 0, f"after signing out, {opened} of {REPLAYS} replays of the old cookie opened the dashboard"
        say(f"signed out: the old cookie opened nothing in {REPLAYS} tries")
    with site(folder, environment) as address:
        say("serving again")
        assert replay(address, old) == 0
        assert WORDS in Browser(address, HOST, visitor.cookies).page(f"/{link}")
        owner = Browser(address, HOST)
        sign_in(owner, token)
        assert WORDS in owner.page(f"/dashboard/review-links/{link}/")
        assert "Walker" in owner.page("/dashboard/activity/")
        say("everything is there again")
    lose_everything(folder, environment, backup.Platform(folder.parent / "platform", platform_address, link), token)


def main() -> None:
    unwind_on_termination()
    parser = argparse.ArgumentParser(prog="python -m tests.installation")
    parser.add_argument("--servers", action="store_true", help="On PostgreSQL and Redis instead of SQLite alone.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reelroom-") as name:
        folder = Path(name)
        others = servers.running(folder / "servers") if arguments.servers else nullcontext(dict[str, str]())
        with others as variables, platform(folder / "platform") as (address, cast):
            say(f"the platform serves at {address}")
            environment = {
                **bare_environment(),
                "PLATFORM_BASE_URL": f"{address}/api",
                "PLATFORM_DATA_URL": f"{address}/data",
                "PLATFORM_CONFIG_URL": f"{address}/config",
                "PLATFORM_SUBTITLES_URL": f"{address}/subtitles",
                "PLATFORM_LIVE_CONFIG_URL": f"{address}/live-config",
                "PLATFORM_CALLS_PER_MINUTE": "100000",
                "BIND": f"127.0.0.1:{servers.free_port()}",
                **variables,
            }
            walk(copy_as_cloned(folder / "site"), environment, address, cast)


if __name__ == "__main__":
    main()
