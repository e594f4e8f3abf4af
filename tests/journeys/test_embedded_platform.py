"""The embedded platform's own page in a browser: findable faults, no findings."""

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
