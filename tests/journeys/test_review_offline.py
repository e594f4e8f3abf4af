"""Changes without a connection are kept, shown, and sent once; every other form stays on its page with what was typed.

An edit over something newer asks, in two tabs of one person.
"""

import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.sandbox import models as platform
from dashboard.writes.models import Write
from review_portal.models import Comment
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, hold_back, sideways, wait_until

CHANGE = "public_review.update_comment"
WORDS = ("First of mine.", "Second of mine.")
THEIRS = ("Theirs, open.", "Theirs, resolved.")


@pytest.fixture
def room(open_browser: OpenBrowser, cast: dict[str, Any], complaints: Complaints) -> Page:
    """A room with two comments of whoever looks, and two of others, of which one is resolved."""
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    link = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    platform.ReviewComment.objects.filter(video=link.video).delete()
    for text, status in zip(THEIRS, ("open", "resolved"), strict=True):
        platform.ReviewComment.objects.create(
            video=link.video, token=uuid4(), user_name="Bo", time=3, text=text, status=status
        )
    page = open_browser()
    page.goto(f"/{link.pk}")
    for words in WORDS:
        page.locator("#text").fill(words)
        if page.locator("#name").is_visible():
            page.locator("#name").fill("Ana Prado")
        page.locator("#text").press("Control+Enter")
        page.locator("#outbox").get_by_role("button", name="Send now").click()
        expect(page.locator("#threads").get_by_text(words)).to_be_visible()
    return page


def thread(page: Page, words: str) -> Locator:
    return page.locator("#threads > li", has_text=words)


def save(page: Page, words: str, wanted: str) -> None:
    thread(page, words).get_by_role("link", name="Edit").click()
    page.locator("#threads textarea").fill(wanted)
    page.get_by_role("button", name="Save changes").click()


def test_changes_made_offline_are_kept_and_shown_and_sent_once_after_reconnecting(room: Page) -> None:
    thread(room, WORDS[0]).get_by_role("link", name="Edit").click()  # what boxes need is there before the tunnel
    thread(room, WORDS[0]).get_by_role("link", name="Close").click()
    room.context.set_offline(True)
    save(room, WORDS[0], "Edited in the tunnel.")
    thread(room, WORDS[1]).get_by_role("link", name="Withdraw").click()
    room.get_by_role("button", name="Withdraw comment").click()
    thread(room, THEIRS[0]).get_by_role("button", name="Resolve", exact=True).click()
    thread(room, THEIRS[1]).locator("summary").first.click()
    thread(room, THEIRS[1]).get_by_role("button", name="Reopen").click()
    waiting = room.locator("#outbox [data-waits]")
    expect(waiting).to_have_count(4)
    expect(waiting).to_contain_text(["Edited in the tunnel."] + ["Waiting for the connection"] * 3)
    assert not Write.objects.filter(operation=CHANGE).exists()
    room.context.set_offline(False)
    expect(waiting).to_have_count(0)
    expect(thread(room, "Edited in the tunnel.")).to_have_count(1)
    changed = Write.objects.filter(operation=CHANGE)
    assert sorted(changed.values_list("state", "attempt")) == [("done", 1)] * 4
    there = dict(platform.ReviewComment.objects.filter(user_name__in=("Ana Prado", "Bo")).values_list("text", "status"))
    assert there == {
        "Edited in the tunnel.": "open", "Withdrawn by its writer.": "resolved", THEIRS[0]: "resolved", THEIRS[1]: "open",
    }  # fmt: skip


def test_what_waits_offline_survives_a_closed_tab_and_is_sent_once_by_two(room: Page) -> None:
    thread(room, WORDS[0]).get_by_role("link", name="Edit").click()
    thread(room, WORDS[0]).get_by_role("link", name="Close").click()
    room.context.set_offline(True)
    save(room, WORDS[0], "Edited in the tunnel.")
    expect(room.locator("#outbox")).to_contain_text("Edited in the tunnel.")
    room.context.set_offline(False)
    others = [room.context.new_page() for _tab in range(2)]
    for other in others:
        other.goto(room.url)
        expect(thread(other, "Edited in the tunnel.")).to_have_count(1)
    assert Write.objects.filter(operation=CHANGE).values_list("state", "attempt").get() == ("done", 1)


def test_an_edit_over_a_newer_one_of_another_tab_shows_both_texts_and_asks(room: Page, complaints: Complaints) -> None:
    complaints.expected.append("409 (Conflict)")
    other = room.context.new_page()
    other.goto(room.url)
    for page in (room, other):
        thread(page, WORDS[0]).get_by_role("link", name="Edit").click()
        expect(page.locator("#threads textarea")).to_have_value(WORDS[0])
    other.locator("#threads textarea").fill("From the other tab.")
    other.get_by_role("button", name="Save changes").click()
    expect(thread(other, "From the other tab.")).to_have_count(1)
    room.locator("#threads textarea").fill("From the first tab.")
    room.get_by_role("button", name="Save changes").click()
    expect(room.get_by_role("alert").filter(has_text="It now says: “From the other tab.”")).to_be_visible()
    expect(room.locator("#threads textarea")).to_have_value("From the first tab.")
    mine = Comment.objects.filter(reviewer__name="Ana Prado").exclude(text=WORDS[1])
    assert mine.get().text == "From the other tab.", "nothing is overwritten unasked"
    room.get_by_role("button", name="Save changes").click()
    expect(thread(room, "From the first tab.")).to_have_count(1)
    assert mine.get().text == "From the first tab."


def test_an_answer_that_a_later_one_overtakes_brings_nothing_old_back(room: Page) -> None:
    """A poll that read the list before an edit arrives after it, while the next change is on its way."""
    polled = hold_back(room, "GET", "**/comments?**")
    first = platform.ReviewComment.objects.get(text=WORDS[0])
    platform.ReviewComment.objects.create(
        video=first.video, token=uuid4(), user_name="Bo", time=first.time, text="Answered.", reply_to=first
    )
    wait_until(room, lambda: polled, "no poll brings anything")
    save(room, WORDS[0], "Edited meanwhile.")
    expect(thread(room, "Edited meanwhile.")).to_have_count(1)
    resolved = hold_back(room, "POST", "**/comments/**")
    thread(room, THEIRS[0]).get_by_role("button", name="Resolve", exact=True).click()
    wait_until(room, lambda: resolved, "the change is not answered")
    for route, answer in polled:
        route.fulfill(response=answer)
    room.wait_for_timeout(500)  # for what must not happen
    assert thread(room, WORDS[0]).count() == 0, "not even for a moment"
    for route, answer in resolved:
        route.fulfill(response=answer)
    expect(thread(room, THEIRS[0]).locator(".is-resolved")).to_have_count(1)
    expect(thread(room, "Edited meanwhile.")).to_contain_text("Answered.")
    assert thread(room, WORDS[0]).count() == 0


def press_offline(page: Page, name: str) -> None:
    """A press without a connection, and what the page says until the connection is back."""
    where = page.url
    page.context.set_offline(True)
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("alert")).to_contain_text("You are offline. What you entered stays here")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.url == where


def test_address_for_answers_stays_in_the_room_and_on_its_page_until_there_is_a_connection(
    room: Page, axe: FindingsOf
) -> None:
    offer = room.locator("#email-offer")
    offer.locator("summary").click()
    offer.get_by_label("E-mail address").fill("ana@example.com")
    room.context.set_offline(True)
    offer.get_by_role("button", name="Get answers by e-mail").click()
    expect(offer.get_by_role("alert")).to_contain_text("You are offline.")
    assert axe(room) == [] and sideways(room) == []
    room.context.set_offline(False)
    expect(offer.get_by_role("alert")).to_have_count(0)
    expect(offer.get_by_label("E-mail address")).to_have_value("ana@example.com")
    offer.get_by_role("button", name="Get answers by e-mail").click()
    panel = room.locator("#email")
    expect(panel).to_contain_text("Press the button in the e-mail to a…@example.com")
    panel.get_by_text("Use another address").click()
    panel.get_by_label("E-mail address").fill("ana@example.org")
    press_offline(room, "Get answers by e-mail")
    expect(panel.get_by_label("E-mail address")).to_have_value("ana@example.org")
    press_offline(room, "Send the confirmation again")
    press_offline(room, "Stop e-mails and delete the address")
    expect(panel).to_contain_text("Press the button in the e-mail to a…@example.com")
    panel.get_by_role("button", name="Get answers by e-mail").click()
    expect(panel).to_contain_text("a…@example.org")


def test_codes_for_another_device_wait_for_the_connection(
    room: Page, open_browser: OpenBrowser, axe: FindingsOf
) -> None:
    address = room.url.split("?")[0] + "/device"
    room.goto(address)
    press_offline(room, "Show a code")
    room.get_by_role("button", name="Show a code").click()
    code = room.locator(".device__typed").inner_text()
    press_offline(room, "Show a new code")
    phone = open_browser(viewport=PHONE, has_touch=True)
    phone.goto(address)
    phone.get_by_role("textbox", name="Code").fill(code)
    press_offline(phone, "Check the code")
    expect(phone.get_by_role("textbox", name="Code")).to_have_value(code)
    phone.get_by_role("button", name="Check the code").tap()
    expect(phone.get_by_role("button", name="Continue as Ana Prado")).to_be_visible()
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Continue as Ana Prado").tap()
    expect(phone.get_by_role("alert")).to_contain_text("You are offline.")
    assert axe(phone) == [] and sideways(phone) == []
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Continue as Ana Prado").tap()
    expect(phone.get_by_text("You continue here as Ana Prado.")).to_be_visible()


def test_filters_search_and_language_stay_with_what_is_typed_while_there_is_no_connection(room: Page) -> None:
    room.locator("#q").fill("tunnel")
    expect(room.locator("#threads article")).to_have_count(0)
    room.get_by_role("link", name=re.compile("^All")).click()
    room.locator("#q").fill("")
    expect(room.locator("#threads > li")).to_have_count(4)
    room.locator("#text").fill("Half a sentence")
    where = room.url
    room.context.set_offline(True)
    room.locator("#q").fill("mine")
    expect(room.locator(".toast", has_text="You are offline").first).to_be_visible()
    room.locator("#sort").focus()
    room.locator("#sort").select_option("newest")
    expect(room.locator("#sort")).to_have_value("time")  # what is shown
    room.locator("#language").select_option("es")
    expect(room.locator("#language")).to_have_value("en")
    expect(room.locator("#text")).to_have_value("Half a sentence")
    expect(room.locator("#q")).to_have_value("mine")
    assert room.url == where
    room.context.set_offline(False)
    room.locator("#q").press("Enter")
    expect(room.locator("#threads > li")).to_have_count(2)


def test_back_without_a_connection_stays_with_the_list_that_is_shown_and_says_so(room: Page) -> None:
    room.locator("#chips [data-show=open]").click()
    room.wait_for_url("**?show=open")
    room.locator("#sort").select_option("newest")
    room.wait_for_url("**sort=newest*")
    where = room.url
    room.context.set_offline(True)
    room.go_back()
    expect(room.locator(".toast", has_text="You are offline").first).to_be_visible()
    expect(room).to_have_url(where)
    expect(room.locator("#sort")).to_have_value("newest")
    room.context.set_offline(False)
    room.go_back()
    expect(room.locator("#sort")).to_have_value("time")
    expect(room).to_have_url(re.compile(r"\?show=open$"))
