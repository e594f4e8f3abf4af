"""Analytics in a real browser: keyboard, phone, without script, print, pictures, late panels."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser

PATHS = ["", "browsers/", "cities/?country=BR", "referrers/", "ranking/", "traffic/", "retention/"]


def analytics(page: Page, path: str = "") -> None:
    """Opens a page of analytics."""
    page.goto(f"/dashboard/analytics/{path}")


def test_no_page_has_an_accessibility_finding(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    for path in PATHS:
        analytics(page, path)
        assert axe(page) == [], path
    analytics(page)
    assert axe(page) == []


def test_a_page_that_names_its_slips_has_no_finding_and_leads_to_the_field(
    desk: OpenBrowser, axe: FindingsOf, complaints: Any
) -> None:
    complaints.expected += ["400", "does not conform"]
    page = desk()
    analytics(page, "?start=2026-11-14&end=2026-11-01")
    assert axe(page) == []
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    summary.get_by_role("link").first.click()
    expect(page.get_by_label("To", exact=True)).to_be_focused()


def test_a_phone_never_scrolls_sideways(desk: OpenBrowser) -> None:
    page = desk(viewport={**PHONE, "width": 320})
    for path in PATHS:
        analytics(page, path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_the_chart_is_read_point_by_point_with_the_keyboard(desk: OpenBrowser) -> None:
    page = desk()
    analytics(page, "browsers/?start=2026-11-01&end=2026-11-07&zone=UTC&compare=none")
    chart = page.get_by_role("group", name=re.compile("Views per day"))
    chart.focus()
    page.keyboard.press("ArrowRight")
    spoken = chart.locator("output")
    expect(spoken).to_have_text(re.compile(r"Sun, Nov 1, [\d,]+"))
    page.keyboard.press("End")
    expect(spoken).to_have_text(re.compile(r"Sat, Nov 7, [\d,]+"))
    page.keyboard.press("ArrowLeft")
    expect(spoken).to_have_text(re.compile(r"Fri, Nov 6, [\d,]+"))
    row = page.locator("#panel-events-table tbody tr").nth(5).locator("td").first.text_content()
    assert row and row in (spoken.text_content() or "")
    expect(chart.locator("[data-cursor-line]")).to_be_visible()


def test_single_keys_choose_days_and_can_be_switched_off(desk: OpenBrowser) -> None:
    page = desk()
    analytics(page)
    page.keyboard.press("w")
    page.wait_for_url(re.compile(r"start="))
    expect(page.get_by_role("link", name="7 days")).to_have_attribute("aria-current", "true")
    page.keyboard.press("x")
    page.wait_for_url(re.compile(r"compare=none"))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(lambda address: "compare=none" in address)
    page.get_by_label("Single keys on").uncheck()
    before = page.url
    page.locator("h1").click()
    page.keyboard.press("m")
    page.wait_for_timeout(300)
    assert page.url == before
    page.reload()
    expect(page.get_by_label("Single keys on")).not_to_be_checked()


def test_days_are_chosen_and_shown_with_the_keyboard_alone(desk: OpenBrowser) -> None:
    page = desk()
    analytics(page, "?zone=UTC")
    expect(page.get_by_role("button", name="Copy address")).to_be_visible()
    page.get_by_label("Compare with").focus()
    page.get_by_label("Compare with").select_option("chosen")
    against = page.get_by_label("Compare from")
    expect(against).to_be_visible()
    against.fill("2026-03-01")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("against=2026-03-01"))
    expect(page.locator(".date-bar__zone")).to_contain_text("against Mar 1")


def test_everything_can_be_read_and_chosen_without_script(desk: OpenBrowser) -> None:
    page = desk(java_script_enabled=False)
    analytics(page, "?zone=UTC")
    expect(page.locator(".chart__svg path.line").first).to_be_visible()
    page.locator("#panel-events .figure__twin > summary").click()
    expect(page.locator("#panel-events-table")).to_be_visible()
    page.locator("#panel-events details.menu > summary").click()
    expect(page.get_by_role("link", name="Table CSV").first).to_be_visible()
    expect(page.get_by_text("PNG").first).to_be_hidden()
    page.get_by_label("Count", exact=True).select_option("plays")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="Plays per day")).to_be_visible()


def test_the_picture_is_made_in_the_browser_and_named_by_its_days(desk: OpenBrowser, tmp_path: Path) -> None:
    page = desk()
    analytics(page, "browsers/?start=2026-11-01&end=2026-11-07&zone=UTC&compare=none")
    page.locator("#panel-events details.menu > summary").click()
    with page.expect_download() as download:
        page.locator("#panel-events [data-picture]").click()
    assert download.value.suggested_filename == "events-views_2026-11-01_2026-11-07_UTC.png"
    made = tmp_path / "made.png"
    download.value.save_as(made)
    assert made.read_bytes().startswith(b"\x89PNG") and made.stat().st_size > 20_000


def test_it_prints_in_vectors_with_its_tables_open(desk: OpenBrowser) -> None:
    page = desk()
    analytics(page, "?start=2026-11-01&end=2026-11-07&zone=UTC")
    reader = PdfReader(io.BytesIO(page.pdf(format="A4")))
    images = [image for sheet in reader.pages for image in sheet.images]
    assert images == []
    text = " ".join(sheet.extract_text() for sheet in reader.pages)
    assert "Sun, Nov 1" in text, "the table twins are open"


def test_a_panel_that_failed_is_tried_alone(
    desk: OpenBrowser, faults: Any, complaints: Any, cast: Callable[..., Any]
) -> None:
    faults.set("analytics.city", status=500)
    page = desk()
    analytics(page, "?zone=UTC")
    panel = page.locator("#panel-cities")
    expect(panel.get_by_text("The platform has trouble of its own.")).to_be_visible()
    faults.clear()
    address = page.url
    panel.get_by_role("link", name="Try again").click()
    expect(panel.get_by_role("img", name=re.compile("Map of cities"))).to_be_visible()
    assert page.url == address


def test_forced_colours_and_no_motion_keep_every_line_apart(desk: OpenBrowser) -> None:
    page = desk(forced_colors="active", reduced_motion="reduce")
    analytics(page, "?zone=UTC")
    line = page.locator("#panel-events path.line").last
    assert line.evaluate("element => getComputedStyle(element).stroke") not in {"none", "rgba(0, 0, 0, 0)"}
    past = page.locator("#panel-events .chart__svg path.line--past")
    assert past.evaluate("element => getComputedStyle(element).strokeDasharray") != "none"
