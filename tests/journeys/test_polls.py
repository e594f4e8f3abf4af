"""Polled parts of a page in a real browser: an answer that comes late or in between takes nothing's place."""

from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from dashboard.sandbox.models import AiFile
from tests.ai_content.packages import package
from tests.journeys.conftest import OpenBrowser, wait_until

PREVIOUS = "Viewers still get the previous version"


@pytest.fixture
def quiz(cast: dict[str, Any]) -> str:
    """The address of a quiz of five questions, whose page polls the state of its last save."""
    video = cast["videos"]["with_ai_content"]
    AiFile.objects.filter(video=video, lang="en").update(content=package(5))
    return f"/dashboard/ai-content/{video}/en/quiz/"


def change_the_draft(page: Page, quiz: str) -> None:
    """Move a question, and wait until the server has it."""
    page.goto(quiz)
    page.locator(".quiz-row__link").first.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#bar")).to_contain_text("Not sent")


def wake(page: Page) -> None:
    """Let each polled part ask at once, as on the return to a hidden tab."""
    page.evaluate("document.body.dispatchEvent(new Event('wake'))")


def save_and_hold_the_answer(page: Page) -> tuple[Route, APIResponse]:
    """The server has saved and answered; the page waits until the route is fulfilled with the answer."""
    under_way: list[Route] = []
    page.route("**/en/save/", lambda route: under_way.append(route))
    page.keyboard.press("Control+s")
    wait_until(page, lambda: len(under_way) == 1, "the save is on its way")
    return under_way[0], under_way[0].fetch()


def test_a_question_for_news_ends_when_a_save_brings_them(desk: OpenBrowser, quiz: str) -> None:
    page = desk()
    change_the_draft(page, quiz)
    asked: list[Route] = []
    page.route("**/pulse/?*", lambda route: asked.append(route), times=1)
    wake(page)
    wait_until(page, lambda: len(asked) == 1, "somebody asks for news")
    old = asked[0].fetch()
    with page.expect_event("requestfailed", lambda request: "/pulse/" in request.url):
        page.keyboard.press("Control+s")
        expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
    asked[0].fulfill(response=old)
    page.wait_for_timeout(300)
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)


def test_what_is_typed_while_a_save_is_on_its_way_is_kept_and_the_save_has_its_answer(
    desk: OpenBrowser, quiz: str
) -> None:
    page = desk()
    change_the_draft(page, quiz)
    page.locator(".quiz-row__link").first.click()
    expect(page.locator("#enunciate")).to_be_visible()
    route, answer = save_and_hold_the_answer(page)
    page.locator("#enunciate").fill("Typed meanwhile?")
    page.wait_for_timeout(1200)
    expect(page.locator("form[data-save].htmx-request")).to_have_count(1)
    with page.expect_response(lambda response: "/questions/" in response.url and response.request.method == "POST"):
        route.fulfill(response=answer)
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
    expect(page.locator("#bar")).to_contain_text("Not sent")
    expect(page.locator("#enunciate")).to_have_value("Typed meanwhile?")
    page.reload()
    expect(page.locator("#enunciate")).to_have_value("Typed meanwhile?")
