"""A/B tests in a real browser: from an idea to a declared winner, by keyboard, without script, on paper."""

import io
import re
from typing import Any

from playwright.sync_api import expect
from pypdf import PdfReader

from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser


def test_no_page_has_an_accessibility_finding_or_scrolls_sideways(
    desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any]
) -> None:
    page, tests = desk(), cast["ab_tests"]
    for path in ("", f"{tests['in_progress']}/", f"{tests['draft']}/", f"{tests['in_progress']}/finish/", "create/"):
        page.goto(f"/dashboard/ab-tests/{path}")
        assert axe(page) == [], path
        page.set_viewport_size({"width": 320, "height": PHONE["height"]})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        page.set_viewport_size({"width": 1440, "height": 900})


def test_a_test_goes_from_draft_to_winner_with_the_keyboard_alone(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"/dashboard/ab-tests/{cast['ab_tests']['draft']}/")
    expect(page.get_by_role("button", name="Copy address")).to_be_visible()
    page.get_by_role("link", name="Start test").focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("checkbox", name=re.compile("I have checked the variants"))
    box.focus()
    page.keyboard.press("Space")
    page.get_by_role("dialog").get_by_role("button", name="Start test").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").get_by_text("The test is running.")).to_be_visible()
    page.get_by_role("link", name="Finish test").focus()
    page.keyboard.press("Enter")
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.get_by_label("Why now").press_sequentially("The campaign ends today.")
    page.get_by_role("button", name="Finish and declare the winner").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The campaign ends today.")).to_be_visible()
    expect(page.get_by_text(re.compile("^Winner: A,"))).to_be_visible()


def test_a_test_is_finished_without_script_and_nothing_typed_is_lost(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Any
) -> None:
    complaints.expected.append("422")  # the refused form
    page = desk(java_script_enabled=False)
    page.goto(f"/dashboard/ab-tests/{cast['ab_tests']['in_progress']}/finish/")
    page.get_by_label("Why now").fill("Half a reason")
    page.get_by_role("button", name="Finish and declare the winner").click()
    expect(page.get_by_role("alert").first).to_contain_text("Choose the winner.")
    expect(page.get_by_label("Why now")).to_have_value("Half a reason")
    page.get_by_role("radio").last.check()
    page.get_by_role("button", name="Finish and declare the winner").click()
    expect(page.get_by_text("Half a reason")).to_be_visible()


def test_the_result_prints_on_paper_in_vectors(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"/dashboard/ab-tests/{cast['ab_tests']['in_progress']}/result/")
    expect(page.get_by_role("button", name="Print result")).to_be_visible()
    text = " ".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages)
    assert "Leaning to B" in text and "Finish test" not in text
