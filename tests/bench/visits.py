"""Visits of a real Chromium on a slow phone, with nothing in its cache."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.chromium import CHROMIUM, MISSING

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""1.6 Mbit/s down, 150 ms until the first byte of each answer."""
SLOWER_CPU = 4
STILLS = "/media/"
"""In the address of a picture of a film: it is the platform's, and as large as the platform makes it."""
PHONE = {"width": 390, "height": 844}
LOOK = """
  const note = () => { window.seenAt ??= performance.now(); };
  const look = () => { requestAnimationFrame((%s) ? note : look); };
  requestAnimationFrame(look);
"""
TYPE = """
  const type = () => {
    const box = document.querySelector("#text");
    if (box) { box.value = "x"; box.dispatchEvent(new InputEvent("input", { bubbles: true, data: "x" })); }
    if (document.querySelector("[data-lock][aria-pressed=true]")) window.answeredAt = performance.now();
    else setTimeout(type, 20);
  };
  type();
"""
"""A letter is typed again and again until the composer answers it: it says that the comment's moment is locked."""
TASKS = """
  new PerformanceObserver((list) => { (window.tasks ??= []).push(...list.getEntries().map((task) => task.duration)); })
    .observe({ type: "longtask" });
"""


@dataclass
class Visit:
    """Bytes with headers and requests until nothing came for half a second; milliseconds from the beginning."""

    bytes: float = 0.0
    requests: int = 0
    page_bytes: float = 0.0
    painted: float = 0.0
    seen: float = 0.0
    answered: float = 0.0
    nodes: int = 0
    script: float = 0.0
    sizes: dict[str, float] = field(default_factory=dict)

    @property
    def own_bytes(self) -> float:
        """Those of everything but stills."""
        return sum(size for address, size in self.sizes.items() if STILLS not in address)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's own Chromium. Raises `LookupError` where there is none."""
    if not CHROMIUM:
        raise LookupError(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def visit(browser: Browser, address: str, *, cookies: list[Any], drawn: str = "false", types: bool = False) -> Visit:
    """One first visit. `drawn`: what is true, in the page's script, once there is something to see."""
    context = browser.new_context(viewport=PHONE, locale="en-US", device_scale_factor=2)  # type: ignore[arg-type]  # two numbers
    context.add_cookies(cookies)
    try:
        return _visited(context, address, LOOK % drawn + (TYPE if types else ""))
    finally:
        context.close()


def _visited(context: BrowserContext, address: str, script: str) -> Visit:
    page = context.new_page()
    page.add_init_script(script)
    found, names = Visit(), {}
    phone = slow_down(page)
    phone.on("Network.requestWillBeSent", lambda event: names.update({event["requestId"]: event["request"]["url"]}))

    def loaded(event: dict[str, Any]) -> None:
        name = names.get(event["requestId"], "")
        if name.startswith("http"):
            found.sizes[name] = event["encodedDataLength"]

    phone.on("Network.loadingFinished", loaded)
    page.goto(address, wait_until="load", timeout=60_000)
    page.wait_for_load_state("networkidle", timeout=60_000)
    page.wait_for_timeout(300)
    found.bytes, found.requests = sum(found.sizes.values()), len(found.sizes)
    found.page_bytes = found.sizes.get(address, 0.0)
    found.painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    found.seen, found.answered = page.evaluate("[window.seenAt ?? 0, window.answeredAt ?? 0]")
    found.nodes = page.evaluate("document.querySelectorAll('*').length")
    metrics = {one["name"]: one["value"] for one in phone.send("Performance.getMetrics")["metrics"]}
    found.script = metrics["ScriptDuration"] * 1000
    return found


def slow_down(page: Page, cpu: int = SLOWER_CPU) -> Any:
    """The tools of this page, which is from now on on a slow phone."""
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Performance.enable")
    tools.send("Network.emulateNetworkConditions", SLOW)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": cpu})
    return tools


def long_tasks(browser: Browser, address: str, text: str, cpu: int) -> list[float]:
    """Milliseconds of each task over 50 ms while a text is typed into the composer of a room that has settled."""
    context = browser.new_context(viewport=PHONE, locale="en-US")  # type: ignore[arg-type]  # two numbers
    try:
        page = context.new_page()
        page.goto(address, wait_until="networkidle")
        page.locator("#text").focus()
        page.wait_for_timeout(1500)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": cpu})
        page.wait_for_timeout(500)
        page.evaluate(TASKS)
        page.keyboard.type(text, delay=80)
        page.wait_for_timeout(500)
        return list(page.evaluate("window.tasks ?? []"))
    finally:
        context.close()


def signed_in(browser: Browser, address: str, pages: list[str]) -> list[Any]:
    """The cookies of the demo's owner, who has read these pages before: what they ask of the platform is known."""
    context = browser.new_context(locale="en-US", viewport=PHONE, base_url=address)  # type: ignore[arg-type]  # two numbers
    try:
        page = context.new_page()
        page.goto("/sign-in/")
        page.get_by_role("button", name=re.compile("Look around")).click()
        page.wait_for_url("**/dashboard/**")
        for path in pages:
            page.goto(path, wait_until="networkidle")
        return list(context.cookies())
    finally:
        context.close()
