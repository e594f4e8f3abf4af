"""The embedded player inside another page: what it says, and that it does what it is told."""

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

OpenBrowser = Callable[..., Page]
LISTEN = """() => {
  window.heard = [];
  window.addEventListener("message", (event) => window.heard.push(event.data));
}"""
EMBED = """(address) => {
  const frame = document.createElement("iframe");
  frame.src = address;
  frame.width = 640;
  frame.height = 360;
  document.body.append(frame);
  window.player = frame;
}"""
TELL = "([type, parameter]) => window.player.contentWindow.postMessage({ type, parameter }, location.origin)"


def embedded(open_browser: OpenBrowser, cast: dict[str, Any], query: str = "") -> Page:
    """A page of ours with the player of a video in it, ready."""
    page = open_browser()
    page.goto("/sandbox/")
    page.evaluate(LISTEN)
    address = f"/sandbox/media/player/embed/?v={cast['external_ids']['plain']}{query}"
    page.evaluate(EMBED, address)
    wait_for(page, "one.message === 'panda_allData'")
    return page


def wait_for(page: Page, condition: str) -> None:
    """Wait until a message `one` of the player fits. By looking again: the page's policy lets nobody wait inside it."""
    give_up_at = time.monotonic() + 10
    while not page.evaluate(f"window.heard.some((one) => {condition})"):
        assert time.monotonic() < give_up_at, (condition, page.evaluate("window.heard"))
        page.wait_for_timeout(50)


def test_it_says_that_it_is_ready_how_long_the_film_is_and_which(
    open_browser: OpenBrowser, cast: dict[str, Any]
) -> None:
    page = embedded(open_browser, cast)
    heard = page.evaluate("window.heard")
    names = [one["message"] for one in heard]
    assert names.index("panda_ready") < names.index("panda_allData")
    everything = next(one for one in heard if one["message"] == "panda_allData")
    assert everything["playerData"]["duration"] > 1 and everything["playerData"]["paused"] is True
    assert {one["video"] for one in heard} == {cast["external_ids"]["plain"]}


def test_it_seeks_plays_and_pauses_when_it_is_told(open_browser: OpenBrowser, cast: dict[str, Any]) -> None:
    page = embedded(open_browser, cast, "&muted=true")
    page.evaluate(TELL, ["currentTime", 12.5])
    wait_for(page, "one.message === 'panda_seeked' && Math.abs(one.currentTime - 12.5) < 0.3")
    page.evaluate(TELL, ["play", None])
    wait_for(page, "one.message === 'panda_play'")
    wait_for(page, "one.message === 'panda_timeupdate' && one.currentTime > 12.8")
    page.evaluate(TELL, ["pause", None])
    wait_for(page, "one.message === 'panda_pause'")


def test_it_begins_where_its_address_says(open_browser: OpenBrowser, cast: dict[str, Any]) -> None:
    page = embedded(open_browser, cast, "&startTime=7")
    wait_for(page, "one.message === 'panda_seeked' && Math.abs(one.currentTime - 7) < 0.3")


def test_it_does_nothing_that_is_no_command(open_browser: OpenBrowser, cast: dict[str, Any]) -> None:
    page = embedded(open_browser, cast)
    for wrong in (["currentTime", "12"], ["currentTime", None], ["constructor", 1], ["volume", "loud"]):
        page.evaluate(TELL, wrong)
    page.evaluate("window.player.contentWindow.postMessage('play', location.origin)")
    page.evaluate(TELL, ["currentTime", 3])
    wait_for(page, "one.message === 'panda_seeked'")
    seeked = page.evaluate("window.heard.filter((one) => one.message === 'panda_seeked').map((one) => one.currentTime)")
    assert seeked == [3]
