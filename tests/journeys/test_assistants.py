"""The matrix of chats in a real browser."""

from types import ModuleType

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways

ADDRESS = "/dashboard/assistants/"


@pytest.mark.smoke
def test_a_chat_is_switched_and_taken_back_by_keyboard_and_a_refused_one_visibly_goes_back(
    desk: OpenBrowser, axe: FindingsOf, faults: ModuleType, complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto(ADDRESS)
    assert axe(page) + sideways(page) == []
    cell = page.locator("[data-chat-cell]", has_text="Shown").first
    cell = page.locator(f"[id='{cell.get_attribute('id')}']")
    show, hide = cell.get_by_role("button", name="Show"), cell.get_by_role("button", name="Hide")
    hide.press("Enter")
    expect(cell).to_contain_text("Hidden")
    expect(hide).to_be_focused()
    expect(hide).to_have_attribute("aria-pressed", "true")
    page.locator(".toast", has_text="is hidden on").get_by_role("button", name="Undo").press("Enter")
    expect(cell).to_contain_text("Shown")
    expect(show).to_be_focused()
    expect(cell).not_to_have_attribute("aria-busy", "true")  # a cell under way takes no second press
    faults.set("assistants.update_chat_visibility", status=403, latency_ms=2_000)
    hide.press("Enter")
    expect(cell).to_contain_text("Hidden")
    expect(cell).to_contain_text("Shown")
    expect(show).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".toast", has_text="may not do that")).to_be_visible()
