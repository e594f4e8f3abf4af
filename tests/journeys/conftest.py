"""Journeys: a real Chromium against a live server over the seeded embedded platform.

A journey asks for `open_browser` (people who know each other do not share cookies: every call is a browser of its own) or for
`desk`, which is signed in already, and for `axe` where it looks for findings. It fails on any script error, refused
resource or server error that its pages report, unless it says with `complaints` that it expects one.
"""

import os
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client, override_settings
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Route,
    ViewportSize,
    expect,
)
from pytest_django.live_server_helper import LiveServer

from dashboard.upstream import parallel
from tests.chromium import CHROMIUM, MISSING
from tests.journeys.findings import Known, list_findings

# Playwright's synchronous interface runs an event loop in this thread, and Django then refuses to touch its database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# What is expected comes as soon as it is there: patience costs only a test that fails, and a slow machine is no failure.
expect.set_options(timeout=15_000)
PATIENCE = 20_000

HERE = Path(__file__).parent
UNUSED = (
    "WebUIOmniboxPopup WebUIOmniboxFullPopup WebUIOmniboxAimPopup "  # two more pages for every window, never looked at
    "AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable "
    "LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect "
    "OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch"  # as Playwright does: one list counts
)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-features=" + ",".join(UNUSED.split()),
]  # fmt: skip
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 900}
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
"""Adds up in `window.shifted` how much of a page moved without anybody touching it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder is a journey over both databases, and really commits: the server has threads of its own.

    One that fails is walked once more, in a new browser over new data: a busy machine can take a frame or a key away. The
    summary names it as a rerun, so that it is looked at; one that fails twice fails.
    """
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))
            item.add_marker(pytest.mark.django_db(transaction=True, databases=["default", "sandbox"]))


@pytest.fixture(scope="session", autouse=True)
def chromium() -> str:
    """Where Chromium is. Without one the journeys are skipped, and with REQUIRE_BROWSER=1 that is a failure."""
    if CHROMIUM:
        return CHROMIUM
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(f"REQUIRE_BROWSER=1, but: {MISSING}", pytrace=False)
    pytest.skip(MISSING)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], chromium: str) -> dict[str, Any]:
    """How Chromium starts: the system's own, nothing downloaded, nothing asked of the network."""
    return {**browser_type_launch_args, "executable_path": chromium, "args": FLAGS}


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Production's settings for static files, and the files collected as they want them: joined, hashed, kept by browsers."""
    production = {
        "STATIC_ROOT": tmp_path_factory.mktemp("static"),
        "STORAGES": {
            **settings.STORAGES,
            "staticfiles": {"BACKEND": "dashboard.static_storage.JoinedManifestStorage"},
        },
        "WHITENOISE_SKIP_COMPRESS_EXTENSIONS": ("css", "js", "svg", "vtt"),  # nothing is far away
        "WHITENOISE_USE_FINDERS": False,
        "WHITENOISE_AUTOREFRESH": False,
    }
    with override_settings(**production):
        call_command("collectstatic", interactive=False, verbosity=0)
    return production


@pytest.fixture(autouse=True)
def as_in_production(collected: dict[str, Any]) -> Iterator[None]:
    """Pages name their static files as in production."""
    with override_settings(**collected):
        yield


@pytest.fixture(scope="session")
def live_server(collected: dict[str, Any]) -> Iterator[LiveServer]:
    """The server, which answers static files through WhiteNoise as in production, not through Django's finders."""
    with (
        override_settings(**collected),
        patch("django.contrib.staticfiles.handlers.StaticFilesHandler", lambda app: app),
    ):
        server = LiveServer("localhost")
    yield server
    server.stop()


ABANDONED = ("htmx:sendAbort", "htmx:afterRequest, ")
"""What htmx reports when a newer request or another page takes the place of one that was under way."""


@dataclass
class Complaints:
    """What pages reported: script errors, refused resources, server errors. `expected` are parts of allowed ones."""

    heard: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Hear everything that this page complains about."""
        page.on("pageerror", lambda error: self.heard.append(f"script: {error}"))
        page.on("console", self._console)
        page.on("response", lambda r: self.heard.append(f"{r.status} {r.url}") if r.status >= 500 else None)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.heard.append(f"console: {message.text} ({message.location.get('url', '')})")

    @property
    def unexpected(self) -> list[str]:
        """What nobody expected."""
        allowed = (*self.expected, *ABANDONED)
        return [one for one in self.heard if not any(part in one for part in allowed)]


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """What the pages of this journey reported; anything unexpected fails it."""
    found = Complaints()
    yield found
    assert found.unexpected == []


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Raises TimeoutError in what takes longer: Playwright waits without end for a browser that does not close."""

    def ring(*_signal: object) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def browsers(launch_browser: Callable[[], Browser]) -> Iterator[list[Browser]]:
    """The last one is in use; one that did not answer is left behind."""
    started = [launch_browser()]
    yield started
    with alarm(60):
        started[-1].close()


OpenBrowser = Callable[..., Page]


@pytest.fixture
def open_browser(
    browsers: list[Browser],
    launch_browser: Callable[[], Browser],
    live_server: LiveServer,
    cast: dict[str, Any],
    complaints: Complaints,
) -> Iterator[OpenBrowser]:
    """Opens a browser of its own on the live server: `open_browser(viewport=PHONE, java_script_enabled=False, …)`.

    Options are Playwright's for a context. The embedded platform is seeded (`cast`).
    """
    contexts: list[BrowserContext] = []

    def opened(**options: Any) -> Page:
        context = browsers[-1].new_context(
            **{"viewport": DESK, "base_url": live_server.url, "locale": "en-US", **options}
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        complaints.listen(page)
        return page

    yield opened
    try:
        with alarm(60):
            for context in contexts:
                context.close()
    except TimeoutError:
        browsers.append(launch_browser())
        raise
    wait_for_reads()


def wait_for_reads() -> None:
    """Until every read that pages left behind has ended: it would write what it brings into the next journey's database."""
    for pool in (parallel._background, *parallel._of_background, *parallel._of_pages):
        threads = pool._max_workers
        everybody = threading.Barrier(threads + 1)  # all threads of the pool meet here, so none has anything else to do
        for _thread in range(threads):
            pool.submit(everybody.wait, 60)
        everybody.wait(60)


@pytest.fixture
def desk(open_browser: OpenBrowser, live_server: LiveServer, cast: dict[str, Any]) -> OpenBrowser:
    """Opens a browser that is signed in as a role of the cast, on no page yet: `desk()`, `desk("trial", viewport=PHONE)`.

    The form is sent without the browser, which takes over the session: journeys that are about signing in fill it in.
    """

    def signed_in(role: str = "owner", person: str = "Ana", **options: Any) -> Page:
        form = {"token": cast["tokens"][role], "name": f"Account {role}", "person": person}
        client = Client()
        answer = client.post("/sign-in/", form)
        assert answer.status_code == 302, answer.content.decode()
        page = open_browser(**options)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        return page

    return signed_in


Speak = Callable[[Page, str], None]


@pytest.fixture
def speak(live_server: LiveServer) -> Speak:
    """Chooses the language of the pages that this browser opens from now on: `speak(page, "pt-br")`."""

    def chosen(page: Page, language: str) -> None:
        page.context.add_cookies([{"name": "language", "value": language, "url": live_server.url}])

    return chosen


def wait_until(page: Page, look: Callable[[], Any], what: str, seconds: float = 15) -> None:
    """Look again until something is there: the page's policy forbids the evaluation that Playwright's own waiting needs."""
    give_up_at = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < give_up_at, what
        page.wait_for_timeout(50)


def hold_back(page: Page, method: str, addresses: str) -> list[tuple[Route, APIResponse]]:
    """The first answer of `method` that brings something, which the page gets only when its route is fulfilled."""
    held: list[tuple[Route, APIResponse]] = []

    def answer(route: Route) -> None:
        if route.request.method != method or held:
            return route.fallback()
        response = route.fetch()
        if response.status == 200:
            return held.append((route, response))
        return route.fulfill(response=response)

    page.route(addresses, answer)
    return held


def sideways(page: Page) -> list[int]:
    """The widths, of a phone and of the narrowest screen there is to be, at which this page would scroll sideways."""
    before = page.viewport_size or DESK
    found = []
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(width)
    page.set_viewport_size(before)
    return found


FindingsOf = Callable[[Page], list[str]]


@pytest.fixture(scope="session")
def without_finding() -> Known:
    """What axe was asked about and had nothing to say of."""
    return defaultdict(set)


@pytest.fixture
def axe(complaints: Complaints, without_finding: Known) -> FindingsOf:
    """What axe finds on a page as it stands, in light and in dark, one line a finding; an accessible page has none."""

    def findings(page: Page) -> list[str]:
        before = len(complaints.heard)
        found = list_findings(page, without_finding)
        page.evaluate("document.readyState")  # what axe itself did wrong under our policy has been reported by now
        del complaints.heard[before:]
        return found

    return findings


@pytest.fixture
def link(cast: dict[str, Any]) -> str:
    """The address of an open review link with threads."""
    return f"/{cast['review_links']['open']}"
