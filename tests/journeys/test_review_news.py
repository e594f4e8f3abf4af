"""What comes while nobody looks: in a hidden tab, beside a list that is scrolled away, over an open box, after a reload."""

import uuid
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from dashboard.sandbox import models as platform
from tests.journeys.conftest import PHONE, OpenBrowser, wait_until

HIDE = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.away === true });"
TURN = "away => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }"
OVERLAPS = """() => {
  const markers = [...document.querySelectorAll("#markers li:not([hidden]) > .marker")];
  const boxes = markers.map((one) => one.getBoundingClientRect());
  const meets = (one, other) => one.left + 2 < other.right && other.left + 2 < one.right;
  return boxes.filter((one, at) => boxes.slice(at + 1).some((other) => meets(one, other))).length;
}"""


@pytest.fixture
def link(cast: dict[str, Any]) -> platform.ReviewLink:
    """An open link with more threads than fit beside the film.

    Link and film are of this journey alone: a page of the journey before may still be read for when this one begins.
    """
    found = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    film = found.video
    film.pk, film.external_id, film._state.adding = uuid.uuid4(), uuid.uuid4(), True
    film.save(force_insert=True)
    own = platform.ReviewLink.objects.create(video=film, name=found.name, expires_at=found.expires_at)
    for number in range(6):
        comment(own, f"Thread {number}.", 3 + 8 * number)
    return own


def comment(link: platform.ReviewLink, text: str, second: int, **fields: Any) -> platform.ReviewComment:
    """Somebody outside of Reelroom writes."""
    at = {"created_at": timezone.now(), "updated_at": timezone.now()}
    return platform.ReviewComment.objects.create(
        video=link.video, token=uuid.uuid4(), user_name="Outside", text=text, time=second, **at, **fields
    )


def enter(open_browser: OpenBrowser, link: platform.ReviewLink, query: str = "", **options: Any) -> Page:
    page = open_browser(**options)
    page.goto(f"/{link.pk}?fresh=1{query}")
    expect(page.locator("#threads").get_by_text("Thread 5.")).to_have_count(1)
    return page


def passes(page: Page) -> str:
    """The title, when a hidden tab has asked once more."""
    page.clock.fast_forward(31_000)
    page.wait_for_timeout(200)
    return page.title()


def test_title_and_icon_of_a_hidden_tab_count_what_came(open_browser: OpenBrowser, link: platform.ReviewLink) -> None:
    page = open_browser()
    page.add_init_script(HIDE)
    page.clock.install()
    page.goto(f"/{link.pk}?fresh=1")
    page.locator("#threads article").first.wait_for()
    title, icon = page.title(), page.locator("link[rel=icon]").get_attribute("href")
    page.evaluate(TURN, True)
    comment(link, "Said while you were away.", 40)
    wait_until(page, lambda: passes(page) == f"(1) {title}", "the title does not count")
    assert page.locator("link[rel=icon]").get_attribute("href") != icon
    said = platform.ReviewComment.objects.get(video=link.video, text="Thread 1.")
    comment(link, "And an answer.", said.time, reply_to=said)
    wait_until(page, lambda: passes(page) == f"(2) {title}", "the title does not go on counting")
    page.evaluate(TURN, False)
    assert page.title() == title
    assert str(page.locator("link[rel=icon]").get_attribute("href")).endswith(str(icon))
    comment(link, "You are here again.", 42)
    wait_until(page, lambda: passes(page) and page.get_by_text("You are here again.").count(), "nothing came")
    assert page.title() == title


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE], ids=["wide", "phone"])
def test_news_beside_a_list_that_is_scrolled_away_is_offered_until_it_is_seen(
    open_browser: OpenBrowser, link: platform.ReviewLink, viewport: Any
) -> None:
    page = enter(open_browser, link, viewport=viewport)
    comment(link, "At the very end.", 73)
    button = page.get_by_role("button", name="Show 1 new comment")
    expect(button).to_be_in_viewport()
    expect(page.locator("[data-announce]")).to_have_text("1 new comment")
    expect(page.locator("#threads").get_by_text("At the very end.")).not_to_be_in_viewport()
    button.click()
    news = page.locator("#threads .thread", has_text="At the very end.")
    expect(news).to_be_in_viewport()
    expect(news).to_be_focused()
    expect(button).to_be_hidden()
    comment(link, "At the very beginning.", 1)
    expect(button).to_be_in_viewport()
    page.locator("#threads > li").first.scroll_into_view_if_needed()
    expect(button).to_be_hidden()


def test_own_comment_that_lands_out_of_sight_says_where(open_browser: OpenBrowser, link: platform.ReviewLink) -> None:
    page = enter(open_browser, link, "&t=72", viewport={"width": 1280, "height": 800})
    page.locator("#text").fill("Mine, far below.")
    page.locator("#name").fill("Ana")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(page.locator(".toast")).to_contain_text("Comment posted")
    page.locator(".toast").get_by_role("button", name="Show").click()
    expect(page.locator("#threads .thread", has_text="Mine, far below.")).to_be_in_viewport()


def test_markers_never_overlap_while_news_waits_for_an_open_box(
    open_browser: OpenBrowser, link: platform.ReviewLink
) -> None:
    page = enter(open_browser, link, viewport={"width": 1280, "height": 800})
    wait_until(page, lambda: page.evaluate(OVERLAPS) == 0, "markers overlap at first")
    page.locator("#threads article [data-reply]").first.click()
    page.locator(".reply-box textarea").fill("While I type")
    before = page.locator(".reply-box textarea").bounding_box()
    for second in range(3, 43, 5):
        comment(link, f"News at {second}.", second)
    expect(page.get_by_role("button", name="Show 8 new comments")).to_be_visible()
    assert page.evaluate(OVERLAPS) == 0
    assert page.locator(".reply-box textarea").bounding_box() == before
    page.locator(".marker--group").first.click()
    page.locator(".marker-peek__link", has_text="News at 3.").click()
    expect(page.locator("#threads .thread", has_text="News at 3.")).to_be_in_viewport()
    expect(page.locator(".reply-box textarea")).to_have_value("While I type")


def test_reload_in_the_hold_says_that_the_comment_is_sent(open_browser: OpenBrowser, link: platform.ReviewLink) -> None:
    page = enter(open_browser, link)
    page.locator("#text").fill("Sent by leaving.")
    page.locator("#name").fill("Ana")
    page.locator("#text").press("Control+Enter")
    expect(page.locator("#outbox")).to_contain_text("Sends in")
    page.reload()
    expect(page.locator("#threads").get_by_text("Sent by leaving.")).to_have_count(1)
    expect(page.locator("#outbox [data-sent]")).to_have_count(0)
    assert platform.ReviewComment.objects.filter(text="Sent by leaving.").count() == 1
