"""A/B tests in a real browser: from an idea to a declared winner, by keyboard, without script, on paper."""

import io
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader
from pypdf.generic import ContentStream

from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways

PAGES = ("", "create/", "{in_progress}/", "{completed}/result/", "{in_progress}/edit/", "{draft}/")
QUESTIONS = ("{in_progress}/finish/", "{draft}/start/", "{draft}/delete/")


def test_no_page_has_a_finding_or_scrolls_sideways(desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any]) -> None:
    page = desk()
    for path in (*PAGES, *QUESTIONS):
        page.goto(f"/dashboard/ab-tests/{path.format(**cast['ab_tests'])}")
        assert axe(page) + sideways(page) == [], path


def press(page: Page, control: Locator, key: str = "Enter") -> None:
    """Walk to a control with Tab alone, as far as it takes, and press a key on it."""
    wanted = control.element_handle()
    for _ in range(80):
        if page.evaluate("one => one === document.activeElement", wanted):
            page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{control} cannot be reached with Tab")


@pytest.mark.smoke
def test_a_test_goes_from_draft_to_winner_and_away_with_the_keyboard_alone(
    desk: OpenBrowser, cast: dict[str, Any]
) -> None:
    page = desk()
    page.goto(f"/dashboard/ab-tests/{cast['ab_tests']['draft']}/")
    expect(page.get_by_role("button", name="Copy address")).to_be_visible()
    press(page, page.get_by_role("link", name="Start test"))
    press(page, page.get_by_role("checkbox", name=re.compile("I have checked the variants")), "Space")
    press(page, page.get_by_role("dialog").get_by_role("button", name="Start test"))
    expect(page.get_by_role("status").get_by_text("The test is running.")).to_be_visible()
    press(page, page.get_by_role("link", name="Finish test"))
    press(page, page.get_by_role("radio").first, "Space")
    press(page, page.get_by_label("Why now"), "T")
    page.keyboard.type("he campaign ends today.")
    press(page, page.get_by_role("button", name="Finish and declare the winner"))
    expect(page.get_by_text("The campaign ends today.")).to_be_visible()
    expect(page.get_by_text(re.compile("^Winner: A,"))).to_be_visible()
    name = page.get_by_role("heading", level=1).inner_text()
    press(page, page.get_by_role("link", name="Delete test"))
    press(page, page.get_by_label("Type the name of the test"), "End")
    page.keyboard.type(name)
    press(page, page.get_by_role("dialog").get_by_role("button", name="Delete test"))
    expect(page.get_by_role("status").get_by_text(f"Deleted “{name}”.")).to_be_visible()


def inside(pdf: PdfReader, kind: str) -> list[Any]:
    """Everything of a kind that the sheets use: pictures, or groups with content of their own."""
    resources: list[Any] = [sheet["/Resources"] for sheet in pdf.pages]
    used = (one.get_object() for found in resources for one in found.get("/XObject", {}).values())
    return [one for one in used if one.get("/Subtype") == kind]


def lines_drawn(pdf: PdfReader) -> int:
    """How many pieces of line the sheets draw, in their own content and in the groups that they use."""
    contents = [*(sheet.get_contents() for sheet in pdf.pages), *inside(pdf, "/Form")]
    operations = (one for content in contents if content for one in ContentStream(content, pdf).operations)
    return sum(operator in (b"l", b"c") for _operands, operator in operations)


def test_the_result_prints_on_paper_with_charts_in_vectors(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    page.goto(f"/dashboard/ab-tests/{cast['ab_tests']['in_progress']}/result/")
    expect(page.get_by_role("button", name="Print result")).to_be_visible()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 between margins of 1 cm
    cut = "[...document.querySelectorAll('.table-scroll')].filter(one => one.scrollWidth > one.clientWidth).length"
    assert page.evaluate(cut) == 0, "paper cannot be scrolled: a column outside of it would be lost"
    page.emulate_media(media="screen")
    posters = page.locator("main img").count()
    pdf = PdfReader(io.BytesIO(page.pdf(format="A4")))
    text = " ".join(sheet.extract_text() for sheet in pdf.pages)
    assert "To tell your team" in text and "Finish test" not in text
    assert "Show as a table" in text and "1:12" in text, "the tables beside the charts are open on paper"
    assert len(inside(pdf, "/Image")) <= posters, "only posters are pictures"
    page.evaluate("document.querySelectorAll('.chart__svg, .interval').forEach(one => one.remove())")
    without = PdfReader(io.BytesIO(page.pdf(format="A4")))
    assert lines_drawn(pdf) - lines_drawn(without) > 200, "curves of 73 seconds and their bands leave as lines"
