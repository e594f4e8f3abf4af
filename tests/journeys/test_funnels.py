"""The board of a funnel in a real browser: by keyboard, by pointer, without script, on a phone."""

import random
import re
from typing import Any

import pytest
from django.templatetags.static import static
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from dashboard.funnels import rules
from dashboard.sandbox.models import Funnel
from dashboard.sandbox.seed.large import LibrarySize, seed_large
from tests.journeys.conftest import DESK, PHONE, SHIFTS, FindingsOf, OpenBrowser, sideways

NAME = "From cherry to cup"
TIDY = "async ([script, cards, entry]) => (await import(script)).tidy(cards, entry)"
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


def test_the_board_by_keyboard_alone(desk: OpenBrowser, axe: FindingsOf, address: str) -> None:
    page = opened(desk(), address)
    assert axe(page) + sideways(page) == []
    page.locator("#board").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".card--entry")).to_be_focused()
    page.keyboard.press("Home")
    card = page.locator("[data-card]", has_text=NAME)
    expect(card).to_be_focused()
    expect(page.locator("[data-card][tabindex='0']")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert place(page) == ("320", "160")
    expect(card).to_contain_text("at 320, 160, moved")
    page.keyboard.press("Control+z")
    assert place(page) == ("300", "60")
    page.keyboard.press("Control+y")
    assert place(page) == ("320", "160")
    page.keyboard.press("Shift+PageDown")
    page.keyboard.press("Control+PageDown")
    page.keyboard.press("Space")
    expect(page.locator("[data-side-name]")).to_have_text("3 cards chosen")
    page.keyboard.press("Escape")
    card.focus()
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
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Send funnel").press("Enter")
    expect(page.locator("#unsent")).to_contain_text("No changes")
    assert place(page) == ("500", "160")


def dragged(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, end[1], steps=3)
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def test_several_cards_are_framed_dragged_together_tidied_with_undo_and_there_after_leaving_at_once(
    desk: OpenBrowser, address: str
) -> None:
    page = opened(desk(), address)
    first, second = (page.locator("[data-card]", has_text=name) for name in (NAME, "Brewing at altitude"))
    first.click()
    second.click(modifiers=["Shift"])
    expect(page.locator("[data-side-name]")).to_have_text("2 cards chosen")
    page.keyboard.press("Escape")
    upper, lower = first.bounding_box(), second.bounding_box()
    assert upper and lower
    dragged(page, (upper["x"] - 30, upper["y"] - 20), (lower["x"] + 60, lower["y"] + 60))
    expect(page.locator("[data-side-name]")).to_have_text("2 cards chosen")
    expect(first).to_be_focused()
    dragged(page, (lower["x"] + 50, lower["y"] + 90), (lower["x"] + 150, lower["y"] + 90))
    moved = int(place(page)[0]) - 300
    assert moved > 0
    assert moved % 20 == 0
    assert int(place(page, "Brewing at altitude")[0]) - 300 == moved
    page.get_by_role("button", name="Tidy up").click()
    tidied = place(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    assert place(page) != tidied
    assert int(place(page)[0]) == 300 + moved
    page.goto("/dashboard/funnels/")
    opened(page, address)
    if page.locator("[data-restore]").is_visible():
        page.get_by_role("button", name="Bring it back").click()
    assert int(place(page)[0]) == 300 + moved


def test_a_finger_chooses_several_and_the_script_tidies_as_the_server_does(desk: OpenBrowser, address: str) -> None:
    page = opened(desk(viewport=PHONE, has_touch=True), address)
    page.get_by_role("button", name="Choose several").tap()
    for card in page.locator("[data-card]").all()[:2]:
        card.tap()
    expect(page.locator("[data-side-name]")).to_have_text("2 cards chosen")
    numbers = random.Random(7)
    for count in (0, 1, 2, 7, 60):
        cards = [
            rules.Card(
                str(n), "", numbers.randrange(-900, 2000), numbers.randrange(-900, 900), n == 1, None, False, False
            )
            for n in range(count)
        ]
        plain = [{"id": card.id, "x": card.x, "y": card.y} for card in cards]
        entry = "1" if count > 1 else ""
        tidied = page.evaluate(TIDY, [static("js/board_tidy.js"), plain, entry])
        assert {key: (at["x"], at["y"]) for key, at in tidied} == rules.arrange_in_grid(cards)


@pytest.mark.smoke
def test_review_is_offered_only_while_something_differs(desk: OpenBrowser, address: str) -> None:
    page = opened(desk(), address)
    review, across = page.get_by_role("button", name="Review and send"), page.get_by_label(f"Across, {NAME}")
    before = across.input_value()
    expect(review).to_be_disabled()
    across.press_sequentially("1")
    expect(review).to_be_enabled()
    across.press("Enter")
    expect(page.locator("#unsent")).to_contain_text("1 card moved")
    page.reload()
    expect(review).to_be_enabled()
    across.fill(before)
    across.press("Enter")
    expect(page.locator("#unsent")).to_contain_text("No changes")
    expect(review).to_be_disabled()


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_the_board_does_not_move_while_the_page_comes(desk: OpenBrowser, address: str, viewport: ViewportSize) -> None:
    page = desk(viewport=viewport)
    page.add_init_script(SHIFTS)
    opened(page, address)
    expect(page.locator("[data-side-name]")).to_be_visible()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.shifted") < 0.1


def test_a_touch_phone_has_no_keys_before_the_list(desk: OpenBrowser, address: str) -> None:
    keys = ".board__keys"
    expect(opened(desk(), address).locator(keys)).to_be_visible()
    phone = opened(desk(viewport=PHONE, has_touch=True, is_mobile=True), address)
    expect(phone.locator("#list-title")).to_be_visible()
    expect(phone.locator(keys)).to_be_hidden()


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_a_list_of_three_hundred_cards_makes_no_long_page(desk: OpenBrowser, viewport: ViewportSize) -> None:
    seed_large(timezone.now(), LibrarySize(400, folders=50, cards=300, sub_accounts=0))
    funnel = Funnel.objects.get(name="All courses")
    page = opened(desk(viewport=viewport), f"/dashboard/funnels/{funnel.pk}/")
    assert page.locator("[data-row]").count() >= 300
    assert page.evaluate("document.documentElement.scrollHeight") < 15_500 / 2, (
        "what all cards one below the other took"
    )


def test_ticked_videos_stay_over_searches_and_pages_until_they_are_added(
    desk: OpenBrowser, axe: FindingsOf, address: str
) -> None:
    page = desk(viewport=PHONE)
    page.goto(f"{address}add/")
    page.get_by_role("checkbox", name="Launch teaser, 15 seconds").check()
    search = page.get_by_label("Title, folder or id")
    search.fill("vertical 9x16")
    search.press("Enter")
    expect(search).to_be_in_viewport()
    expect(page.get_by_role("checkbox", name="Launch teaser, 15 seconds")).to_be_checked()
    page.get_by_role("checkbox", name="Vertical: what altitude tastes like").check()
    search.fill("")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("list", name="Chosen").get_by_role("checkbox", checked=True)).to_have_count(2)
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Add chosen videos").click()
    expect(page.get_by_text("2 videos came onto the board. They are not sent yet.")).to_be_visible()
