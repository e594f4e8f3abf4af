"""Custom fields in a real browser: found, changed in place, and from a file."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.custom_fields.conftest import work
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways

ADDRESS = "/dashboard/custom-fields/"
SAVE_COLOR = re.compile("^Save field ?: color$")


def read(page: Page) -> Page:
    """The page after its first reading, which goes on by itself."""
    page.goto(ADDRESS)
    expect(page.get_by_role("link", name="color")).to_be_visible()
    return page


@pytest.mark.smoke
def test_a_field_is_found_changed_and_taken_back_by_keyboard(
    desk: OpenBrowser, axe: FindingsOf, complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = read(desk())
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="color").press("Enter")
    row = page.locator(".field-row", has=page.get_by_role("button", name=SAVE_COLOR))
    value = row.get_by_label("Value")
    before = value.input_value()
    value.fill("")
    row.get_by_role("button", name="Save field").press("Enter")
    expect(row).to_contain_text("Enter a value.")
    assert axe(page) + sideways(page) == []
    value.fill("verde")
    row.get_by_role("button", name="Save field").press("Enter")
    expect(row).to_contain_text("Saved.")
    expect(row.get_by_role("button", name="Save field")).to_be_focused()
    row.get_by_role("button", name="Undo").press("Enter")
    expect(value).to_have_value(before)


def test_a_file_is_compared_sent_reported_and_taken_back(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = read(desk())
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Export CSV").click()
    text = waiting.value.path().read_text("utf-8-sig").replace("terracota", "verde")
    page.get_by_role("link", name="Import from a file").click()
    file = {"name": "fields.csv", "mimeType": "text/csv", "buffer": f"{text}nobody,,color,x\r\n".encode()}
    page.get_by_label("CSV file").set_input_files(file)  # type: ignore[arg-type]  # a FilePayload
    page.get_by_role("button", name="Compare the file").click()
    expect(page.get_by_text("This continues automatically. You can close this page.")).to_be_visible()
    assert axe(page) + sideways(page) == []
    work()
    page.get_by_role("button", name="Send 1 change").click()
    expect(page.get_by_text("0 of 1 changes sent.")).to_be_visible()
    work()
    expect(page.get_by_text("Changed: 1. Without difference: 8. Not changed: 1.")).to_be_visible()
    page.get_by_role("link", name="Refused lines 1", exact=True).click()
    expect(page.get_by_text("Enter the id of the video in the column video_id.")).to_be_visible()
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Undo the changes").press("Enter")
    expect(page.get_by_text("This continues automatically.")).to_be_visible()
    work()
    page.get_by_role("button", name="Send 1 change").press("Enter")
    expect(page.get_by_text("0 of 1 changes sent.")).to_be_visible()
    work()
    expect(page.get_by_text("Changed: 1. Without difference: 0. Not changed: 0.")).to_be_visible()
    expect(page.get_by_role("row", name="terracota")).to_contain_text("verde")
    assert axe(page) + sideways(page) == []
