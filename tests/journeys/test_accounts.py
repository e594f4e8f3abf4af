"""The desk in a real browser: sign-in, lives, playlists, activity; by keyboard, on a phone, without script, to axe."""

from typing import Any

import pytest
from playwright.sync_api import expect

from dashboard.sandbox.clock import Frozen
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways

PAGES = (
    "/accounts/", "/dashboard/lives/", "/dashboard/lives/{live}/", "/dashboard/lives/{live}/start/",
    "/dashboard/playlists/", "/dashboard/playlists/{playlist}/", "/dashboard/playlists/{playlist}/delete/",
    "/dashboard/sub-accounts/", "/dashboard/sub-accounts/create/", "/dashboard/activity/", "/dashboard/health/",
)  # fmt: skip


def test_axe_finds_nothing_on_any_page_and_none_scrolls_sideways(
    desk: OpenBrowser, cast: dict[str, Any], axe: FindingsOf
) -> None:
    page = desk()
    found = []
    for address in PAGES:
        page.goto(address.format(live=cast["lives"]["scheduled"], playlist=cast["playlists"]["own"]))
        found += [f"{address} {finding}" for finding in axe(page)]
        found += [f"{address} scrolls sideways at {width}" for width in sideways(page)]
    assert found == []


def test_axe_finds_nothing_before_signing_in(
    open_browser: OpenBrowser, axe: FindingsOf, complaints: Complaints
) -> None:
    page = open_browser()
    page.goto("/sign-in/")
    assert axe(page) == []
    complaints.expected.append("422")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("[data-error-summary]")).to_be_focused()
    assert axe(page) == []


@pytest.mark.parametrize("language", ["pt-br", "es"])
def test_longer_words_scroll_nothing_sideways_either(
    desk: OpenBrowser, cast: dict[str, Any], speak: Speak, language: str
) -> None:
    page = desk(viewport={"width": 320, "height": 800}, has_touch=True)
    speak(page, language)
    for address in PAGES:
        page.goto(address.format(live=cast["lives"]["scheduled"], playlist=cast["playlists"]["own"]))
        assert sideways(page) == [], address


def test_a_live_goes_to_the_air_without_a_reload(desk: OpenBrowser, cast: dict[str, Any], clock: Frozen) -> None:
    page = desk()
    page.goto(f"/dashboard/lives/{cast['lives']['scheduled']}/start/")
    page.get_by_role("button", name="Start live").click()
    expect(page.get_by_role("status").first).to_contain_text("Waiting for the encoder")
    page.evaluate("window.stayed = true")
    clock.travel(60)
    expect(page.get_by_role("status").first).to_have_text("On air", timeout=15_000)
    assert page.evaluate("window.stayed"), "the page was not loaded again"
    expect(page.locator("#progress[hx-get]")).to_have_count(0)


def test_a_deletion_is_taken_back_in_time(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"/dashboard/playlists/{cast['playlists']['own']}/")
    name = page.locator("h1").inner_text()
    page.get_by_role("link", name="Delete playlist").click()
    page.get_by_label("Type the name").fill(name)
    page.get_by_role("button", name="Delete playlist").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_text("Taken back. Nothing was sent")).to_be_visible()


def test_a_deletion_leaves_by_itself_when_its_time_is_over(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.clock.install()
    page.goto(f"/dashboard/playlists/{cast['playlists']['own']}/delete/")
    page.get_by_label("Type the name").fill(page.locator("h1").inner_text().split("“")[1].rstrip("”?"))
    page.get_by_role("button", name="Delete playlist").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.clock.run_for(10_500)
    expect(page.get_by_text("is deleted. Its videos are still there.")).to_be_visible()


def test_without_script_everything_still_works(open_browser: OpenBrowser, cast: dict[str, Any]) -> None:
    page = open_browser(java_script_enabled=False, viewport=PHONE)
    page.goto("/dashboard/playlists/")
    page.get_by_role("button", name="Look around with demo data").click()
    assert page.url.endswith("/dashboard/playlists/"), "back to where the person was going"
    page.goto(f"/dashboard/playlists/{cast['playlists']['own']}/delete/")
    name = page.locator("h1").inner_text().split("“")[1].rstrip("”?")
    page.get_by_label("Type the name").fill(name)
    page.get_by_role("button", name="Delete playlist").click()
    page.get_by_role("button", name="Delete now").click()
    expect(page.get_by_text("is deleted.")).to_be_visible()
    page.goto("/dashboard/")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Activity", exact=True).click()
    expect(page.get_by_role("link", name="Playlist deleted")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Language").select_option("pt-br")
    page.get_by_role("button", name="Switch").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Atividade")


def test_signing_in_by_keyboard_alone(open_browser: OpenBrowser, cast: dict[str, Any]) -> None:
    page = open_browser()
    page.goto("/sign-in/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("API token")).to_be_focused()
    page.keyboard.type(cast["tokens"]["owner"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard/")


def test_the_theme_switches_at_once_and_is_remembered(desk: OpenBrowser) -> None:
    page = desk()
    page.goto("/dashboard/")
    page.get_by_role("button", name="Theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
