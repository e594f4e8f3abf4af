"""The matrix of chats in a real browser."""

from types import ModuleType

from playwright.sync_api import expect

from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways

ADDRESS = "/dashboard/assistants/"


def test_a_chat_is_switched_and_taken_back_by_keyboard_with_the_focus_kept(desk: OpenBrowser) -> None:
    page = desk()
    page.goto(ADDRESS)
    cell = page.locator("button.cell", has_text="Shown").first
    name = cell.get_attribute("id")
    cell = page.locator(f"[id='{name}']")
    cell.focus()
    page.keyboard.press("Enter")
    expect(cell).to_contain_text("Hidden")
    expect(cell).to_be_focused()
    toast = page.locator(".toast", has_text="is hidden on")
    toast.get_by_role("button", name="Undo").press("Enter")
    expect(cell).to_contain_text("Shown")
    expect(cell).to_be_focused()


def test_a_refused_switch_visibly_goes_back(desk: OpenBrowser, faults: ModuleType, complaints: Complaints) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto(ADDRESS)
    faults.set("assistants.update_chat_visibility", status=403, latency_ms=700)
    cell = page.locator("button.cell", has_text="Shown").first
    cell = page.locator(f"[id='{cell.get_attribute('id')}']")
    cell.click()
    expect(cell).to_contain_text("Hidden")
    expect(cell).to_contain_text("Shown")
    expect(page.locator(".toast", has_text="may not do that")).to_be_visible()


def test_several_are_switched_without_script(desk: OpenBrowser) -> None:
    page = desk(java_script_enabled=False)
    page.goto(ADDRESS)
    for box in page.get_by_role("checkbox").all()[:3]:
        box.check()
    page.get_by_label("Assistant", exact=True).select_option(index=0)
    page.get_by_role("button", name="Switch chats").click()
    expect(page.get_by_text("3 chats were switched.")).to_be_visible()
    page.locator("button.cell", has_text="Not known").first.click()
    expect(page.get_by_text("is shown on")).to_be_visible()


def test_nobody_is_shut_out(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto(ADDRESS)
    assert axe(page) == []
    assert sideways(page) == []
