"""The desk in a real browser: sign-in, lives, playlists, activity; by keyboard, on a phone, without script, to axe."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, Speak, sideways

PAGES = (
    "/accounts/", "/accounts/devices/", "/dashboard/lives/", "/dashboard/lives/{live}/", "/dashboard/lives/{live}/start/",
    "/dashboard/playlists/", "/dashboard/playlists/{playlist}/", "/dashboard/playlists/{playlist}/delete/",
    "/dashboard/sub-accounts/", "/dashboard/sub-accounts/create/", "/dashboard/activity/", "/dashboard/health/",
    "/dashboard/funnels/", "/dashboard/funnels/{funnel}/", "/dashboard/custom-fields/",
    "/dashboard/custom-fields/changes/", "/dashboard/assistants/",
)  # fmt: skip


def addresses(cast: dict[str, Any]) -> list[str]:
    named = {
        "live": cast["lives"]["scheduled"],
        "playlist": cast["playlists"]["own"],
        "funnel": cast["funnels"]["main"],
    }
    return [address.format(**named) for address in PAGES]


def test_axe_finds_nothing_in_the_accounts_and_none_scrolls_sideways(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto("/accounts/")
    assert axe(page) + sideways(page) == []
    page.goto("/accounts/devices/")
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="Sign out everywhere", exact=True).click()
    expect(page.get_by_role("link", name="Stay signed in")).to_be_visible()
    assert axe(page) + sideways(page) == []


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


def test_longer_words_scroll_nothing_sideways_either(desk: OpenBrowser, cast: dict[str, Any], speak: Speak) -> None:
    page = desk(viewport={"width": 320, "height": 800}, has_touch=True)
    speak(page, "es")  # its words are the longest
    wide = []
    for address in addresses(cast):
        page.goto(address)
        wide += [address] * page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert wide == []


def test_an_account_is_disconnected_and_comes_back_with_its_token(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto("/accounts/")
    page.get_by_role("link", name="Disconnect").press("Enter")
    page.get_by_role("button", name="Disconnect account").press("Enter")
    expect(page.get_by_text("Its token is deleted.")).to_be_visible()
    page.get_by_label("API token").fill(cast["tokens"]["owner"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard/")
    page.goto("/accounts/")
    expect(page.get_by_role("link", name="Account owner", exact=True)).to_be_visible()


@pytest.mark.smoke
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


def test_what_was_typed_when_the_session_had_ended_comes_back_after_sign_in(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto("/accounts/")
    page.get_by_role("link", name="Account owner", exact=True).click()
    page.get_by_label("Name", exact=True).fill("Typed before the end")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save account").click()
    expect(page.get_by_text("What you typed is kept.")).to_be_visible()
    page.get_by_label("API token").fill("wrong")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_label("API token").fill(cast["tokens"]["owner"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="“Save account”, typed at")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Typed before the end")
    page.get_by_role("button", name="Save account").click()
    expect(page.get_by_text("Saved “Typed before the end”.")).to_be_visible()
    expect(page.get_by_text("You were signed out before it was sent")).to_have_count(0)


def test_a_part_that_is_sent_after_the_session_had_ended_takes_its_words_to_sign_in(
    desk: OpenBrowser, cast: dict[str, Any]
) -> None:
    page = desk()
    page.goto("/accounts/")
    page.context.clear_cookies(name="sessionid")
    page.evaluate(
        "htmx.ajax('POST', '/dashboard/lives/x/start/', {source: document.body, values: {note: 'é <b> & kept'}})"
    )
    expect(page.get_by_text("What you typed is kept.")).to_be_visible()
    page.get_by_label("API token").fill(cast["tokens"]["owner"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("definition")).to_have_text("é <b> & kept")
