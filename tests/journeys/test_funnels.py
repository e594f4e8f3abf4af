"""The board of a funnel in a real browser: by keyboard, by pointer, without script, on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways

NAME = "From cherry to cup"
ENTRY = re.compile(f"^Entry ?: {NAME}$")


@pytest.fixture
def address(cast: dict[str, Any]) -> str:
    return f"/dashboard/funnels/{cast['funnels']['main']}/"


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator("[data-board][data-ready]").wait_for()
    return page


def place(page: Page, name: str = NAME) -> tuple[str, str]:
    """What the fields of the list say."""
    return tuple(page.get_by_label(f"{axis}, {name}").input_value() for axis in ("Across", "Down"))  # type: ignore[return-value]


def test_the_board_by_keyboard_alone(desk: OpenBrowser, address: str) -> None:
    page = opened(desk(), address)
    card = page.locator("[data-card]", has_text=NAME)
    card.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert place(page) == ("320", "160")
    expect(card).to_contain_text("at 320, 160, moved")
    page.keyboard.press("Control+z")
    assert place(page) == ("300", "60")
    page.keyboard.press("Control+y")
    assert place(page) == ("320", "160")
    page.keyboard.press("Enter")
    expect(page.locator("#side-x")).to_be_focused()
    page.keyboard.type("500")
    page.keyboard.press("Enter")
    assert place(page) == ("500", "160")
    page.get_by_role("button", name="Make this the entry").press("Enter")
    expect(page.get_by_role("radio", name=ENTRY)).to_be_checked()
    expect(page.locator("#unsent")).to_contain_text("1 card moved, another entry")
    page.get_by_role("button", name="Review and send").press("Enter")
    expect(page.get_by_text("moves from 300, 60 to 500, 160, becomes the entry")).to_be_visible()
    page.get_by_role("button", name="Send funnel").press("Enter")
    expect(page.locator("#unsent")).to_contain_text("Nothing differs from the platform.")
    assert place(page) == ("500", "160")


def test_several_cards_are_dragged_together_and_tidied_with_undo(desk: OpenBrowser, address: str) -> None:
    page = opened(desk(), address)
    first, second = (
        page.locator("[data-card]", has_text=NAME),
        page.locator("[data-card]", has_text="Brewing at altitude"),
    )
    first.click()
    second.click(modifiers=["Shift"])
    expect(page.locator("[data-side-name]")).to_have_text("2 cards chosen")
    box = second.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 90)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 90, steps=5)
    page.mouse.move(box["x"] + 150, box["y"] + 90, steps=5)
    page.mouse.up()
    moved = int(place(page)[0]) - 300
    assert moved > 0
    assert moved % 20 == 0
    assert int(place(page, "Brewing at altitude")[0]) - 300 == moved
    page.get_by_role("button", name="Tidy up").click()
    tidied = place(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    assert place(page) != tidied
    assert int(place(page)[0]) == 300 + moved


def test_what_was_arranged_is_there_after_the_page_was_left_at_once(desk: OpenBrowser, address: str) -> None:
    page = opened(desk(), address)
    page.locator("[data-card]", has_text=NAME).focus()
    page.keyboard.press("ArrowRight")
    page.goto("/dashboard/funnels/")
    opened(page, address)
    if page.locator("[data-restore]").is_visible():
        page.get_by_role("button", name="Bring it back").click()
    assert place(page) == ("320", "60")


def test_everything_works_without_script(desk: OpenBrowser, address: str) -> None:
    page = desk(java_script_enabled=False)
    page.goto(address)
    page.get_by_label(f"Across, {NAME}").fill("420")
    page.get_by_role("radio", name=ENTRY).check()
    page.get_by_role("button", name="Add videos").click()
    page.get_by_role("checkbox", disabled=False).first.check()
    page.get_by_role("button", name="Add chosen videos").click()
    expect(page.locator("#unsent")).to_contain_text("1 new video, 1 card moved, another entry")
    page.get_by_role("button", name="Review and send").click()
    expect(page.get_by_text("comes into the funnel at")).to_be_visible()
    page.get_by_role("button", name="Send funnel").click()
    expect(page.locator("#unsent")).to_contain_text("Nothing differs from the platform.")


def test_nobody_is_shut_out(desk: OpenBrowser, axe: FindingsOf, address: str) -> None:
    page = opened(desk(), address)
    page.locator("[data-card]", has_text=NAME).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#unsent")).to_contain_text("1 card moved")
    for part in ("", "add/", "review/"):
        page.goto(address + part)
        assert axe(page) + sideways(page) == [], part
