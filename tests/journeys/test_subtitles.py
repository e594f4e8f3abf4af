"""Plan three videos in four languages, one of them blocked; check, send, and watch every cell to its end."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.sandbox.clock import Frozen
from tests.forgetting import forget
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways

PLANNER = "/dashboard/subtitles/"
VIDEOS = ("Meet Joaquim", "Serra Alta, launch film, cup cut", "Visita guiada à fazenda")
LANGUAGES = ("French", "German", "Italian", "Spanish")
HEAR = """() => {
  window.loadedOnce = true;
  window.heard = [];
  new MutationObserver(() => {
    const said = document.getElementById("announcer").textContent.trim();
    if (said) window.heard.push(said);
  }).observe(document.getElementById("announcer"), { childList: true, characterData: true, subtree: true });
}"""


def choose(page: Page, search: str, title: str) -> None:
    """Look for a video and tick it."""
    page.get_by_label("Search titles").fill(search)
    page.get_by_role("button", name="Show videos").click()
    page.get_by_role("checkbox", name=title, exact=False).first.check()


def plan(page: Page) -> None:
    """Choose the videos, one search after the other, and then the languages."""
    page.goto(PLANNER)
    for title in VIDEOS:
        choose(page, title, title)
    for language in LANGUAGES:
        page.get_by_role("group", name="Target languages").get_by_role("checkbox", name=language).first.check()


def send(page: Page) -> None:
    """Send what was checked."""
    expect(page.get_by_text("Each job uses AI credits of “Account owner”.")).to_be_visible()
    page.get_by_role("button", name="Send 8 jobs").click()
    expect(page.get_by_text("0 of 8 ended").first).to_be_visible()


def test_three_videos_in_four_languages_watched_to_their_end(desk: OpenBrowser, axe: FindingsOf, clock: Frozen) -> None:
    page = desk()
    plan(page)
    expect(page.get_by_role("button", name="Check 8 jobs")).to_be_visible()
    blocked = page.get_by_role("link", name="Visita guiada à fazenda, French: Blocked.")
    expect(blocked).to_have_accessible_name(
        "Visita guiada à fazenda, French: Blocked. The video has no subtitles in the source language yet. Transcribe it first"
    )
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("heading", name="Send 8 jobs?")).to_be_visible()
    assert axe(page) + sideways(page) == []
    send(page)
    assert axe(page) + sideways(page) == []

    page.evaluate(HEAR)
    cell = page.get_by_role("link", name="Meet Joaquim fr French In queue")
    cell.focus()
    focused = page.evaluate_handle("document.activeElement")
    clock.travel(6)
    forget()  # what was read a moment ago is shown for a moment
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # back from another tab: looked at once
    expect(page.locator(".cell__state.is-running")).to_have_count(8)
    assert page.evaluate("heard") == [], "going on is not announced"
    clock.travel(60)
    expect(page.get_by_text("8 of 8 ended").first).to_be_visible()
    expect(page.locator(".cell__state.is-finished")).to_have_count(8)
    assert page.evaluate("loadedOnce"), "the page was never loaded again"
    assert page.evaluate("element => element === document.activeElement", focused), "the focus stayed where it was"
    assert page.evaluate("heard") == ["8 jobs finished"], "one announcement for the whole change"
    expect(page.locator("#live-poll[hx-get]")).to_have_count(0)


@pytest.mark.smoke
def test_with_script_settings_keep_the_focus_and_the_address_keeps_the_plan(
    desk: OpenBrowser, axe: FindingsOf, complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto(f"{PLANNER}?q=joaquim")
    page.get_by_role("checkbox", name="Meet Joaquim 4:30").check()
    french = page.get_by_role("group", name="Target languages").get_by_role("checkbox", name="French")
    french.check()
    expect(page.get_by_role("button", name="Check 1 job")).to_be_visible()
    expect(french).to_be_focused()
    italian = page.get_by_role("checkbox", name="Plan: Meet Joaquim it Italian")
    italian.check(force=True)
    expect(page.get_by_role("button", name="Check 2 jobs")).to_be_visible()
    expect(italian).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Check 2 jobs")).to_be_visible()
    page.get_by_role("radio", name="Essential").check(force=True)
    source = page.get_by_label("Source language", exact=True)
    source.focus()
    source.select_option("fr")
    expect(page.get_by_text("Essential doesn't support this language.")).to_be_visible()
    expect(source).to_be_focused()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("[data-error-summary]")).to_be_focused()
    assert axe(page) == [], "the refused form"


def test_a_line_of_the_text_leads_to_its_moment_in_the_film(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"{PLANNER}videos/{cast['videos']['with_subtitles']}/pt-BR/")
    line = page.locator("[data-at-second]").nth(3)
    line.click()
    page.wait_for_function("document.querySelector('[data-film]').currentTime >= 15")
    expect(line).to_have_attribute("aria-current", "true")


def test_no_other_page_has_a_finding_or_scrolls_sideways(
    desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any]
) -> None:
    page, video = desk(), cast["videos"]["with_subtitles"]
    for path in ("jobs/", "history/", f"videos/{video}/jobs/", f"videos/{video}/pt-BR/", f"videos/{video}/sv/"):
        page.goto(f"{PLANNER}{path}")
        assert axe(page) + sideways(page) == [], path
