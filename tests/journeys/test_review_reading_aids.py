"""The room by ear and by Tab: ways around the list, a heading per comment, words in any direction."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.sandbox import models as platform
from tests.journeys.conftest import FindingsOf, OpenBrowser

FOCUSED_IN = "selector => document.activeElement.closest(selector) !== null"


@pytest.fixture
def enter(open_browser: OpenBrowser, cast: dict[str, Any]) -> Callable[..., Page]:
    """Opens the room, with a comment and an answer in Hebrew."""
    link = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    top = platform.ReviewComment.objects.filter(video=link.video, reply_to=None, status="open").earliest("time")
    hebrew = {"video": link.video, "token": link.pk, "user_name": "דנה", "time": top.time}
    platform.ReviewComment.objects.create(text="הלוגו מאוחר (2 שניות).", **hebrew)
    platform.ReviewComment.objects.create(text="גם הצליל.", reply_to=top, **hebrew)

    def entered(**options: Any) -> Page:
        page = open_browser(**options)
        page.goto(f"/{link.pk}?fresh=1")
        page.locator("#threads article").first.wait_for()
        return page

    return entered


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_first_links_of_the_room_lead_past_what_is_long(enter: Callable[..., Page], script: bool) -> None:
    page = enter(java_script_enabled=script)
    for name, place, presses in (
        ("Skip to the player", ".watch__pinned", 1),
        ("Skip to the filters", ".talk__head", 1),
        ("Skip to the comments", "#threads", 1),
        ("Skip to writing a comment", "#composer", 0),
    ):
        page.goto(page.url.partition("#")[0])
        page.locator("#threads article").first.wait_for()
        link = page.get_by_role("link", name=name).first
        for _ in range(8):
            page.keyboard.press("Tab")
            if link.evaluate("one => one === document.activeElement"):
                break
        expect(link).to_be_focused()
        expect(link).to_be_in_viewport()
        page.keyboard.press("Enter")
        for _ in range(presses):
            page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED_IN, place), name


def test_list_can_be_left_at_its_beginning_by_tab(enter: Callable[..., Page]) -> None:
    page = enter()
    page.locator("#sort").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_be_focused()


def test_each_comment_has_a_heading_and_runs_in_its_own_direction(enter: Callable[..., Page], axe: FindingsOf) -> None:
    page = enter()
    threads, replies = page.locator("#threads > li"), page.locator("#threads .replies > li[id]")
    expect(threads.get_by_role("heading", level=3)).to_have_count(threads.count())
    assert page.locator("#threads .replies > li h4").count() == replies.count()
    starts = page.evaluate(
        """() => [...document.querySelectorAll("#threads p")].filter((one) => one.textContent.match(/^[א-ת]/))
          .map((one) => { const range = document.createRange(); range.selectNodeContents(one.firstChild);
            return one.getBoundingClientRect().right - range.getBoundingClientRect().right; })"""
    )
    assert len(starts) == 2
    assert all(space < 2 for space in starts), "words in Hebrew begin at the right"
    page.locator("#text").fill("שלום")
    assert page.locator("#text").evaluate("one => getComputedStyle(one).direction") == "rtl"
    page.locator("#text").fill("Hello")
    assert page.locator("#text").evaluate("one => getComputedStyle(one).direction") == "ltr"
    assert axe(page) == []
