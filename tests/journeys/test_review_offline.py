"""Changes without a connection are kept, shown, and sent once; an edit over something newer asks, in two tabs of one person."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from dashboard.sandbox import models as platform
from dashboard.writes.models import Write
from review_portal.models import Comment
from tests.journeys.conftest import Complaints, OpenBrowser, wait_until

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


def hold_back(page: Page, method: str, addresses: str) -> list[tuple[Route, APIResponse]]:
    """The first answer of `method` that brings something, which the page gets only when its route is fulfilled."""
    held: list[tuple[Route, APIResponse]] = []

    def answer(route: Route) -> None:
        if route.request.method != method or held:
            return route.fallback()
        response = route.fetch()
        if response.status == 200:
            return held.append((route, response))
        return route.fulfill(response=response)

    page.route(addresses, answer)
    return held
