"""A first look at the room: light, and nobody notices what comes later."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.conftest import Complaints, OpenBrowser

LATER = ("boxes", "embedded", "find", "outbox", "patch", "rate", "shuttle", "unseen")


def loaded(page: Page) -> set[str]:
    """The names of the scripts that the page has fetched, without the marks of their content behind a dot or a dash."""
    found = page.evaluate("performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
    return {re.split(r"[.-]", path.rsplit("/", 1)[1])[0] for path in found if path.endswith(".js")}


def test_what_a_first_look_does_not_need_comes_with_the_first_touch_and_loses_none(
    open_browser: OpenBrowser, cast: dict[str, Any]
) -> None:
    page = open_browser()
    page.goto(f"/{cast['review_links']['open']}")
    page.wait_for_load_state("networkidle")
    assert "room" in loaded(page)
    assert loaded(page).isdisjoint(LATER)
    page.locator("#threads article [data-reply]").first.evaluate("control => control.click()")
    page.keyboard.type("xx")  # on its way, these are no shortcuts: nothing is resolved
    box = page.locator(".reply-box textarea")
    expect(box).to_be_focused()
    expect(page.locator("#toasts .toast")).to_have_count(0)
    box.press("Escape")
    page.locator("#q").fill("ridge")
    expect(page.locator("#threads article")).to_have_count(1)
    assert {"boxes", "find", "outbox"} <= loaded(page)
    assert "embedded" not in loaded(page), "a browser that plays the film itself needs no other player"


def test_who_is_offline_before_the_first_touch_stays_on_the_page_and_is_told(
    open_browser: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected += ["ERR_INTERNET_DISCONNECTED"]
    page = open_browser()
    page.goto(f"/{cast['review_links']['open']}")
    page.locator(".composer").wait_for()
    page.context.set_offline(True)
    page.locator("#threads article [data-reply]").first.click()
    expect(page.locator("#toasts")).to_contain_text("You are offline.")
    page.locator("#text").fill("Typed before anything came.")
    page.locator("#name").fill("Ana")
    page.locator("#text").press("Control+Enter")
    expect(page.locator("#outbox")).to_contain_text("Waiting for the connection")
    page.context.set_offline(False)
    expect(page.locator("#threads").get_by_text("Typed before anything came.")).to_be_visible()
    page.locator("#threads article [data-reply]").first.click()
    expect(page.locator(".reply-box textarea")).to_be_focused()
