"""The embedded platform's own page in a browser: findable faults, no findings."""

from typing import Any

from playwright.sync_api import expect

from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways


def test_axe_finds_nothing_and_nothing_is_cut_off(open_browser: OpenBrowser, axe: FindingsOf) -> None:
    page = open_browser()
    page.goto("/sandbox/")
    page.get_by_label("Operation", exact=True).select_option("videos.get")
    page.get_by_label("What it does").select_option("503")
    page.get_by_role("button", name="Set fault").click()
    expect(page.get_by_role("rowheader", name="videos.get")).to_be_visible()
    assert axe(page) + sideways(page) == []


def test_a_fault_is_set_and_cleared_without_javascript(open_browser: OpenBrowser, cast: dict[str, Any]) -> None:
    page = open_browser(java_script_enabled=False)
    page.goto("/sandbox/")
    page.get_by_label("What it does").select_option("lost")
    page.get_by_label("How many times").fill("2")
    page.get_by_role("button", name="Set fault").click()
    expect(page.get_by_text("2 more calls")).to_be_visible()
    page.get_by_role("button", name="Clear all").click()
    expect(page.get_by_text("Everything works")).to_be_visible()
