"""A full room in a real browser: it begins light, and nothing that a reader looks for is missing."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from dashboard.sandbox import models as platform
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways, wait_until

THREADS, REPLIES = 30, 29
NODES = 2_500


@pytest.fixture
def link(cast: dict[str, Any]) -> str:
    """The address of an open link whose video has thirty threads of twenty-nine replies each."""
    found = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    platform.ReviewComment.objects.filter(video=found.video).delete()
    begun = timezone.now() - timedelta(days=2)

    def comment(text: str, minute: int, second: int, **fields: Any) -> platform.ReviewComment:
        at = begun + timedelta(minutes=minute)
        fields |= {"video": found.video, "token": uuid.uuid4(), "created_at": at, "updated_at": at}
        return platform.ReviewComment(text=text, time=second, user_name=f"Person {minute % 7}", **fields)

    tops = [comment(f"Thread {number}.", 0, 2 * number) for number in range(THREADS)]
    replies = [
        comment(f"Reply {number} of thread {at}.", number + 1, top.time, reply_to=top)
        for at, top in enumerate(tops)
        for number in range(REPLIES)
    ]
    platform.ReviewComment.objects.bulk_create(tops + replies)
    return f"/{found.pk}"


@pytest.fixture
def enter(open_browser: OpenBrowser, link: str) -> Callable[..., Page]:
    """Opens the room in a browser of its own and waits until its comments are there."""

    def entered(query: str = "", **options: Any) -> Page:
        page = open_browser(**options)
        page.goto(link + query)
        expect(page.locator("#threads > li")).to_have_count(THREADS)
        return page

    return entered


def left_out(page: Page) -> int:
    """How many replies the page does not have yet."""
    return int(
        page.evaluate(
            "() => [...document.querySelectorAll('[data-rest]')].reduce((n, one) => n + +one.dataset.rest, 0)"
        )
    )


def test_room_begins_light_and_brings_what_comes_near(enter: Callable[..., Page], axe: FindingsOf) -> None:
    page = enter()
    assert page.evaluate("() => document.querySelectorAll('*').length") <= NODES
    assert left_out(page) > 400
    last = page.get_by_text("Reply 28 of thread 3.")
    expect(last).to_have_count(0)
    page.locator("[data-scroller]").hover()

    def came_near() -> bool:
        page.mouse.wheel(0, 200)
        return last.count() == 1

    wait_until(page, came_near, "the replies of the thread never came")
    texts = page.locator("#threads > li").nth(3).locator(".replies > li > p").all_text_contents()
    assert texts == [f"Reply {number} of thread 3." for number in range(REPLIES)]
    assert axe(page) + sideways(page) == []


def test_link_of_the_rest_brings_it_by_keyboard_and_the_focus_goes_on_there(
    enter: Callable[..., Page], complaints: Complaints
) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    page = enter()
    page.context.set_offline(True)  # coming near brings nothing
    rest = page.locator("#threads > li").nth(29).locator("[data-rest] a")
    with page.expect_event("requestfailed"):
        rest.scroll_into_view_if_needed()
    expect(rest).to_have_text("Show 26 more replies")
    page.context.set_offline(False)
    rest.press("Enter")
    expect(page.get_by_text("Reply 28 of thread 29.")).to_have_count(1)
    assert "Reply 3 of thread 29." in page.evaluate("() => document.activeElement.textContent")


def test_search_finds_what_is_not_written_yet(enter: Callable[..., Page]) -> None:
    page = enter()
    page.get_by_role("searchbox").fill("Reply 27 of thread 21.")
    expect(page.locator("#threads > li")).to_have_count(1)
    expect(page.get_by_text("Reply 27 of thread 21.")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(page.locator("#threads > li")).to_have_count(THREADS)


def test_address_of_a_reply_that_is_not_written_yet_leads_to_it(enter: Callable[..., Page]) -> None:
    reply = platform.ReviewComment.objects.get(text="Reply 27 of thread 21.")
    page = enter(f"#c-{str(reply.pk)[:8]}")
    expect(page.get_by_text("Reply 27 of thread 21.")).to_be_in_viewport()


def test_what_others_write_in_a_thread_that_is_not_whole_is_counted_once(enter: Callable[..., Page]) -> None:
    page = enter()
    top = platform.ReviewComment.objects.get(text="Thread 21.")
    page.locator("#threads article [data-reply]").first.click()
    page.locator(".reply-box textarea").fill("While I type")
    platform.ReviewComment.objects.create(
        video=top.video, token=uuid.uuid4(), user_name="Outside", time=top.time, reply_to=top, text="From outside."
    )
    expect(page.get_by_role("button", name="Show 1 new comment")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Show 1 new comment").click()
    expect(page.get_by_text("From outside.")).to_have_count(1)
    expect(page.locator(".reply-box textarea")).to_have_value("While I type")
    assert page.locator("#threads > li").nth(21).locator(".replies > li[id]").count() == REPLIES + 1
