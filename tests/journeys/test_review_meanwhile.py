"""While an answer is on its way to a room, people go on: what they type stays, and so does the place where they are."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.sandbox import models as platform
from tests.journeys.conftest import OpenBrowser, hold_back, wait_until

SENT = "The logo is cut off."
MORE = " And the music is too loud."


@pytest.fixture
def room(open_browser: OpenBrowser, cast: dict[str, Any]) -> Page:
    """A room with one comment of whoever looks and one of somebody else."""
    link = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    platform.ReviewComment.objects.filter(video=link.video).delete()
    platform.ReviewComment.objects.create(video=link.video, token=uuid4(), user_name="Bo", time=3, text="Theirs.")
    page = open_browser()
    page.goto(f"/{link.pk}")
    page.locator("#text").fill("Mine.")
    page.locator("#name").fill("Ana Prado")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(thread(page, "Mine.")).to_be_visible()
    return page


def thread(page: Page, words: str) -> Locator:
    return page.locator("#threads > li", has_text=words)


def act_late(page: Page, method: str, addresses: str, act: Callable[[], object]) -> Callable[[], None]:
    """Does what is answered late, and returns what lets the answer through."""
    held = hold_back(page, method, addresses)
    act()
    wait_until(page, lambda: held, "nothing is answered")

    def let_through() -> None:
        [(route, answer)] = held
        route.fulfill(response=answer)
        page.wait_for_timeout(300)  # for what must not happen

    return let_through


def reply_late(page: Page) -> tuple[Locator, Callable[[], None]]:
    """Sends a reply to the comment of somebody else: its box, and what lets the answer through."""
    thread(page, "Theirs.").get_by_role("link", name="Reply").click()
    box = page.locator("#threads textarea")
    box.fill(SENT)
    return box, act_late(page, "POST", "**/comments", lambda: box.press("Control+Enter"))


def test_the_late_answer_of_a_filter_leaves_the_focus_in_the_search_box(room: Page) -> None:
    open_ones = room.locator("#chips [data-show=open]")
    answer = act_late(room, "GET", "**/comments?show=open**", open_ones.click)
    room.locator("#q").press_sequentially("the")
    answer()
    expect(room.locator("#q")).to_be_focused()
    room.locator("#q").press_sequentially("irs")
    expect(room.locator("#q")).to_have_value("theirs")
    expect(room.locator("#threads > li")).to_have_count(1)


def test_the_late_answer_of_a_filter_gives_the_focus_to_the_filter_that_replaces_the_pressed_one(room: Page) -> None:
    open_ones = room.locator("#chips [data-show=open]")
    answer = act_late(room, "GET", "**/comments?show=open**", open_ones.click)
    answer()
    expect(open_ones).to_be_focused()
    expect(open_ones).to_have_attribute("aria-current", "true")


def test_a_pressed_filter_is_marked_at_once_and_a_poll_leaves_the_focus_on_it(room: Page) -> None:
    filters = room.locator("#chips")
    filters.get_by_role("link", name="Open").click()
    expect(filters.locator("[aria-current]")).to_have_text(re.compile(r"Open\s+2"))
    first = platform.ReviewComment.objects.get(text="Theirs.")
    platform.ReviewComment.objects.create(video=first.video, token=uuid4(), user_name="Bo", time=9, text="Another.")
    expect(filters.locator("[aria-current]")).to_have_text(re.compile(r"Open\s+3"))
    expect(filters.get_by_role("link", name="Open")).to_be_focused()
    expect(room.get_by_role("link", name=re.compile(r"^Comments\s+3$"))).to_be_visible()


def test_words_typed_after_a_comment_is_posted_stay_in_its_box_as_the_next_comment(room: Page) -> None:
    box = room.locator("#text")
    box.fill(SENT)
    answer = act_late(room, "POST", "**/comments", lambda: box.press("Control+Enter"))
    box.press_sequentially(MORE)
    answer()
    expect(box).to_have_value(MORE.strip())
    room.reload()
    expect(box).to_have_value(MORE.strip())
    expect(room.locator("#outbox, #threads").filter(has_text=SENT)).not_to_have_count(0)


def test_a_comment_of_several_lines_leaves_an_empty_box(room: Page) -> None:
    box = room.locator("#text")
    box.fill("First line.\n\nThird line.")
    act_late(room, "POST", "**/comments", lambda: box.press("Control+Enter"))()
    expect(box).to_have_value("")


def test_words_that_replace_a_posted_comment_in_its_box_stay_there(room: Page) -> None:
    box = room.locator("#text")
    box.fill(SENT)
    answer = act_late(room, "POST", "**/comments", lambda: box.press("Control+Enter"))
    box.fill("Something else.")
    answer()
    expect(box).to_have_value("Something else.")


def test_words_typed_after_a_reply_is_posted_stay_in_its_box(room: Page) -> None:
    box, answer = reply_late(room)
    box.press_sequentially(MORE)
    answer()
    expect(box).to_have_value(MORE.strip())
    expect(box).to_be_focused()
    box.press("Control+Enter")
    expect(box).to_have_count(0)
    for card in (SENT, MORE.strip()):
        room.locator("#outbox > *", has_text=card).get_by_role("button", name="Send now").click()
    expect(thread(room, "Theirs.").get_by_text(SENT, exact=True)).to_have_count(1)
    expect(thread(room, "Theirs.").get_by_text(MORE.strip(), exact=True)).to_have_count(1)


def test_words_typed_after_an_edit_is_saved_stay_in_its_box_and_can_be_saved(room: Page) -> None:
    thread(room, "Mine.").get_by_role("link", name="Edit").click()
    box = room.locator("#threads textarea")
    box.fill(SENT)
    answer = act_late(room, "POST", "**/comments/**", lambda: box.press("Control+Enter"))
    box.press_sequentially(MORE)
    answer()
    expect(box).to_have_value(SENT + MORE)
    expect(box).to_be_focused()
    room.get_by_role("button", name="Save changes").click()
    expect(box).to_have_count(0)
    expect(thread(room, SENT + MORE)).to_have_count(1)


def test_whoever_writes_while_a_thread_is_resolved_goes_on_writing(room: Page) -> None:
    resolve = thread(room, "Theirs.").get_by_role("button", name="Resolve", exact=True)
    answer = act_late(room, "POST", "**/comments/**", resolve.click)
    box = room.locator("#text")
    box.press_sequentially("Half a ")
    answer()
    expect(thread(room, "Theirs.").locator(".is-resolved")).to_have_count(1)
    expect(box).to_be_focused()
    room.keyboard.type("sentence")
    expect(box).to_have_value("Half a sentence")


def test_whoever_writes_elsewhere_while_a_reply_is_posted_goes_on_writing(room: Page) -> None:
    reply, answer = reply_late(room)
    room.locator("#text").press_sequentially("Half a ")
    answer()
    expect(reply).to_have_count(0)
    room.keyboard.type("sentence")
    expect(room.locator("#text")).to_have_value("Half a sentence")
