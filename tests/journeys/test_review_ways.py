"""The same results by other ways: a phone on its side, without a connection in the middle, another language, two people."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.sandbox import models as platform
from review_portal.models import CommentFrame
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways, wait_until
from tests.journeys.test_inbox import open_inbox, opened
from tests.journeys.test_review_draw import link, open_room
from tests.journeys.test_review_people import write
from tests.journeys.test_review_touch import SCROLLED

__all__ = ["link"]
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"width": 844, "height": 390}
AT = "document.querySelector('video').currentTime"


@pytest.mark.parametrize(
    ("viewport", "language"), [(PHONE, "pt-br"), (ON_ITS_SIDE, "es")], ids=["390 in Portuguese", "844 in Spanish"]
)
def test_exact_frame_is_kept_by_touch_and_without_a_connection(
    open_browser: OpenBrowser,
    link: str,
    live_server: Any,
    complaints: Complaints,
    speak: Speak,
    axe: FindingsOf,
    viewport: Any,
    language: str,
) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    phone = open_browser(viewport=viewport, color_scheme="dark", **TOUCH)
    speak(phone, language)
    open_room(phone, link, live_server.url)
    phone.locator(".transport summary").tap()
    phone.locator(".settings [data-do=frame-forward]").tap()
    wait_until(phone, lambda: 42.47 < phone.evaluate(AT) < 42.6, "a frame on")
    phone.keyboard.press("Escape")
    phone.locator("#text").tap()
    phone.locator("#text").fill("This very frame.")
    phone.locator("#name").fill("Ana Prado")
    phone.context.set_offline(True)
    phone.locator("#composer [type=submit]").tap()
    expect(phone.locator("#outbox [data-waits]")).to_contain_text("This very frame.")
    phone.context.set_offline(False)
    expect(phone.locator("#threads > li", has_text="This very frame.")).to_have_count(1)
    phone.evaluate(SCROLLED, 0)
    assert viewport == PHONE or axe(phone) == [], "upright, the box lies over whatever is scrolled under it"
    kept = CommentFrame.objects.get().microseconds / 1_000_000
    assert abs(kept * 15 - 637) < 0.1, "the frame after the one that the address names, and not the second alone"
    other = open_browser()
    other.goto(f"/{link}")
    other.locator("#threads > li", has_text="This very frame.").locator(".timecode").click()
    wait_until(other, lambda: 42.47 < other.evaluate(AT) < 42.53, "its time leads to the frame in another browser too")


@pytest.mark.parametrize("viewport", [PHONE, ON_ITS_SIDE], ids=["390", "844"])
def test_sentence_becomes_a_comment_by_touch_without_a_connection_and_another_browser_reads_it(
    open_browser: OpenBrowser, link: str, complaints: Complaints, speak: Speak, viewport: Any
) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    phone, other = open_browser(viewport=viewport, **TOUCH), open_browser()
    speak(phone, "pt-br")
    phone.goto(f"/{link}?tab=transcript")
    row = phone.locator(".sentence").nth(1)
    row.locator("button").first.tap()
    expect(phone.locator("#text")).to_be_visible()
    phone.locator("#text").fill("Estas palavras.")
    phone.locator("#name").fill("Ana Prado")
    phone.context.set_offline(True)
    phone.locator("#composer [type=submit]").tap()
    expect(phone.locator("#outbox [data-waits]")).to_contain_text("Estas palavras.")
    phone.context.set_offline(False)
    wait_until(
        phone,
        lambda: platform.ReviewComment.objects.filter(text__contains="Estas palavras.").count() == 1,
        "it is sent once",
    )
    other.goto(f"/{link}?fresh=1")
    expect(other.locator("#threads")).to_contain_text("Estas palavras.")


@pytest.mark.parametrize(("language", "words"), [("es", "Quién está aquí"), ("pt-br", "Quem está aqui")])
def test_who_is_here_is_chosen_by_keyboard_on_a_phone_on_its_side_and_says_when_it_is_not_saved(
    open_browser: OpenBrowser,
    link: str,
    axe: FindingsOf,
    speak: Speak,
    complaints: Complaints,
    language: str,
    words: str,
) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    page = open_browser(viewport=ON_ITS_SIDE, has_touch=True)
    page.goto(f"/{link}")
    write(page, "Ana Prado")
    speak(page, language)
    page.reload()
    menu = page.locator("[data-people]")
    summary = menu.locator("summary")
    expect(summary).to_have_accessible_name(words)
    summary.focus()
    page.keyboard.press("Enter")
    seen = menu.locator("[name=is_seen]")
    expect(seen).to_be_visible()
    assert axe(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.set_offline(True)
    seen.focus()
    page.keyboard.press("Space")
    status = menu.locator("[data-people-status]")
    expect(status).to_have_text(str(status.get_attribute("data-failed")))
    page.context.set_offline(False)
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    expect(status).to_have_text(str(status.get_attribute("data-saved")))


def test_address_for_answers_is_left_by_keyboard_alone_in_spanish_on_a_phone_on_its_side(
    open_browser: OpenBrowser, link: str, axe: FindingsOf, speak: Speak
) -> None:
    page = open_browser(viewport=ON_ITS_SIDE, color_scheme="dark")
    page.goto(f"/{link}")
    write(page, "Ana Prado")
    speak(page, "es")
    page.reload()
    page.locator("#email-offer summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("ana@example.com")
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(page.locator("#email")).to_contain_text("a…@example.com")
    assert axe(page) == [] and sideways(page) == []


def test_inbox_keeps_a_reply_without_a_connection_on_a_phone_on_its_side_and_a_colleague_sees_it_once(
    desk: OpenBrowser, cast: dict[str, Any], axe: FindingsOf, speak: Speak, complaints: Complaints
) -> None:
    complaints.expected += ["ERR_INTERNET_DISCONNECTED", "htmx:sendError"]
    page, colleague = desk(viewport=ON_ITS_SIDE, has_touch=True), desk(person="Bruno")
    speak(page, "pt-br")
    open_inbox(page, cast["videos"]["reviewed"])
    page.locator(".inbox-row__link").first.tap()
    wait_until(page, lambda: opened(page), "the row opens")
    key = opened(page)
    box = page.locator("#answer-text")
    box.fill("Written in the tunnel.")
    assert axe(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.set_offline(True)
    page.locator("#answer button[type=submit]").first.tap()
    expect(page.locator(".toast, [role=alert]").filter(has_text="não").first).to_be_visible()
    expect(box).to_have_value("Written in the tunnel.")
    page.context.set_offline(False)
    page.locator("#answer button[type=submit]").first.tap()
    sent = platform.ReviewComment.objects.filter(text="Written in the tunnel.")
    wait_until(page, lambda: sent.count() == 1, "it is sent once")
    look(colleague, f"/dashboard/review-links/inbox/{key}/?video={cast['videos']['reviewed']}")


def look(colleague: Page, address: str) -> None:
    """A colleague at the same desk reads the reply, once."""
    colleague.goto(address)
    expect(colleague.locator("#thread").get_by_text("Written in the tunnel.")).to_have_count(1)
