"""Two people in one room: who is here, where they are, and how far they watched, as far as each of them wants it."""

import json

from playwright.sync_api import Page, expect

from review_portal.models import Viewing
from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser, sideways, wait_until

MANY = "row => { for (let n = 0; n < 60; n++) row.parentElement.append(row.cloneNode(true)); }"


def write(page: Page, name: str) -> None:
    page.locator("#text").fill(f"{name} was here.")
    page.locator("#name").fill(name)
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(page.locator("#threads").get_by_text(f"{name} was here.")).to_be_visible()


def spans() -> list[list[int]]:
    viewing = Viewing.objects.filter(reviewer__name="Ana Prado").first()
    kept: list[list[int]] = viewing.spans if viewing else []
    return kept


def test_others_and_the_owner_see_what_a_reviewer_chose_to_show_and_nothing_else(
    open_browser: OpenBrowser, desk: OpenBrowser, axe: FindingsOf, link: str
) -> None:
    ana, guest = open_browser(), open_browser(viewport=PHONE)
    ana.goto(link)
    write(ana, "Ana Prado")
    ana.goto(f"{link}?t=20")
    guest.goto(link)
    menu = ana.locator("[data-people]")
    menu.locator("summary").click()
    expect(menu.get_by_text("Nobody else shows that they’re here.")).to_be_visible()
    menu.get_by_label("Show others that I’m here").check()
    expect(menu.locator("[data-people-status]")).to_have_text("Your choice is saved.")
    assert axe(ana) == []
    ana.keyboard.press("Escape")
    expect(guest.locator("[data-people-count]")).to_have_text("1")
    guest.locator("[data-people] summary").click()
    expect(guest.get_by_role("link", name="Ana Prado 0:20")).to_be_visible()
    assert sideways(guest) == []
    guest.locator(".people__list li").evaluate(MANY)
    assert guest.locator("[data-people-list]").evaluate("menu => menu.offsetHeight") < PHONE["height"]
    ana.locator(".transport__play").click()
    ana.wait_for_timeout(2500)
    ana.locator(".transport__play").click()
    wait_until(ana, lambda: sum(end - start for start, end in spans()) >= 2, "what was played is kept at the pause")
    assert spans()[0][0] in (20, 21)
    owner = desk()
    owner.goto("/dashboard/review-links/")
    owner.locator(f"a[href*='{link}/']").first.click()
    row = owner.locator("tr", has_text="Ana Prado").filter(has=owner.locator(".watched"))
    expect(row).to_contain_text("0:00–0:2")
    assert axe(owner) == []
    menu.locator("summary").click()
    menu.get_by_label("Let the owner see what I watched").uncheck()
    expect(menu.locator("[data-people-status]")).to_have_text("Your choice is saved.")
    assert spans() == []
    menu.get_by_label("Show others that I’m here").uncheck()
    expect(guest.locator("[data-people-count]")).to_have_text("")
    ana.keyboard.press("Escape")
    ana.locator(".transport__play").click()
    ana.wait_for_timeout(1500)
    ana.goto(f"{link}/finish")  # leaving says nothing either
    assert spans() == []
    assert json.loads(ana.evaluate("key => localStorage.getItem(key)", f"review:{link[1:]}:unsent") or "[]") == []
