"""Saves of AI content in a real browser: what comes in between takes no text, no press and no answer's place."""

from typing import Any

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from dashboard.sandbox.models import AiFile
from tests.ai_content.packages import package
from tests.journeys.conftest import Complaints, OpenBrowser, wait_until

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


def open_a_question(page: Page) -> Locator:
    """Open the first question of the list, and return the field of its text."""
    with page.expect_response("**/questions/*/"):
        page.locator(".quiz-row__link").first.click()
    field = page.locator("#enunciate")
    expect(field).to_have_value("Question number 2?")
    return field


def saved(cast: dict[str, Any]) -> str:
    """What the platform has of the quiz."""
    files = AiFile.objects.filter(video=cast["videos"]["with_ai_content"], lang="en")
    return str([file.content for file in files])


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


def test_a_form_that_an_answer_brings_is_sent_without_leaving_the_page_from_its_first_moment(
    desk: OpenBrowser, quiz: str
) -> None:
    page = desk()
    page.goto(quiz)
    page.evaluate(
        """() => {
          window.sameVisit = true;
          new MutationObserver((_, watch) => {
            const form = document.querySelector("form[data-save]");
            if (!form) return;
            watch.disconnect();
            form.requestSubmit();
          }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    page.locator(".quiz-row__link").first.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
    assert page.evaluate("window.sameVisit")


def test_news_that_come_while_a_save_is_on_its_way_leave_it_its_place(desk: OpenBrowser, quiz: str) -> None:
    page = desk()
    change_the_draft(page, quiz)
    route, answer = save_and_hold_the_answer(page)
    with page.expect_response(lambda response: "/pulse/" in response.url and response.status == 200):
        wake(page)
    page.wait_for_timeout(300)
    expect(page.locator("form[data-save].htmx-request")).to_have_count(1)
    route.fulfill(response=answer)
    expect(page.locator("form[data-save]")).to_have_count(0)
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)


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
    question = open_a_question(page)
    route, answer = save_and_hold_the_answer(page)
    question.fill("Typed meanwhile?")
    page.wait_for_timeout(1200)
    expect(page.locator("form[data-save].htmx-request")).to_have_count(1)
    with page.expect_response(lambda response: "/questions/" in response.url and response.request.method == "POST"):
        route.fulfill(response=answer)
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
    expect(page.locator("#bar")).to_contain_text("Not sent")
    expect(question).to_have_value("Typed meanwhile?")
    page.reload()
    expect(question).to_have_value("Typed meanwhile?")


def test_a_save_waits_for_what_was_typed_while_an_earlier_text_was_on_its_way(
    desk: OpenBrowser, quiz: str, cast: dict[str, Any]
) -> None:
    page = desk()
    change_the_draft(page, quiz)
    keeps: list[Route] = []
    question = open_a_question(page)
    page.route("**/questions/*/", lambda route: keeps.append(route), times=1)
    question.fill("Typed first")
    wait_until(page, lambda: len(keeps) == 1, "the first text is on its way")
    question.fill("Typed first, and then more?")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(300)
    keeps[0].fulfill(response=keeps[0].fetch())
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
    assert "Typed first, and then more?" in saved(cast)


def test_save_clicked_while_typing_saves_the_last_letter(desk: OpenBrowser, quiz: str, cast: dict[str, Any]) -> None:
    page = desk()
    change_the_draft(page, quiz)
    open_a_question(page).fill("Typed to the end?")
    page.locator("#save-button").click()
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
    assert "Typed to the end?" in saved(cast)


def test_undo_clicked_while_typing_undoes_what_was_typed(desk: OpenBrowser, quiz: str) -> None:
    page = desk()
    change_the_draft(page, quiz)
    open_a_question(page).fill("Typed to the end?")
    with page.expect_navigation():
        page.locator("#undo-button").click()
    expect(page.locator("#bar")).to_contain_text("1 change")
    expect(page.locator("#questions")).not_to_contain_text("Typed to the end?")


@pytest.mark.parametrize(("button", "keys"), [("save", False), ("save", True), ("undo", False)])
def test_whoever_presses_twice_while_typing_has_pressed_once(
    desk: OpenBrowser, quiz: str, button: str, keys: bool
) -> None:
    page = desk()
    change_the_draft(page, quiz)
    question = open_a_question(page)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.url.endswith(f"/{button}/") else None)
    question.fill("Typed and pressed twice?")
    if keys:
        page.keyboard.press("Control+s")
        page.keyboard.press("Control+s")
    else:
        page.locator(f"#{button}-button").dblclick()
    wait_until(page, lambda: posts, "it is pressed")
    page.wait_for_timeout(1500)
    assert len(posts) == 1
    if button == "save":
        expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
        expect(question).to_have_value("Typed and pressed twice?")


def test_a_button_that_is_brought_anew_while_it_is_held_down_is_pressed(desk: OpenBrowser, quiz: str) -> None:
    page = desk()
    change_the_draft(page, quiz)
    page.locator("#save-button").hover()
    page.mouse.down()
    page.evaluate("htmx.swap('#bar', bar.outerHTML, { swapStyle: 'outerHTML' })")
    page.mouse.up()
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)


def test_the_right_mouse_button_presses_nothing_that_is_brought_anew(desk: OpenBrowser, quiz: str) -> None:
    page = desk()
    change_the_draft(page, quiz)
    saves: list[str] = []
    page.on("request", lambda request: saves.append(request.url) if request.url.endswith("/en/save/") else None)
    page.locator("#save-button").hover()
    page.mouse.down(button="right")
    page.evaluate("htmx.swap('#bar', bar.outerHTML, { swapStyle: 'outerHTML' })")
    page.mouse.up(button="right")
    page.wait_for_timeout(300)
    assert saves == []
    page.keyboard.press("Control+s")
    expect(page.locator("#pulse")).to_contain_text(PREVIOUS)
    assert len(saves) == 1


def test_news_wait_while_a_button_is_held_down(desk: OpenBrowser, quiz: str) -> None:
    page = desk()
    change_the_draft(page, quiz)
    page.route("**/pulse/?*", lambda route: route.fulfill(body='<div id="pulse">News</div>', content_type="text/html"))
    page.locator("#save-button").hover()
    page.mouse.down()
    with page.expect_response("**/pulse/?*"):
        wake(page)
    page.wait_for_timeout(300)
    expect(page.locator("#pulse")).not_to_contain_text("News")
    page.mouse.move(0, 0)
    page.mouse.up()
    wake(page)
    expect(page.locator("#pulse")).to_contain_text("News")


def test_what_is_typed_while_a_save_is_lost_on_its_way_is_kept(
    desk: OpenBrowser, quiz: str, complaints: Complaints
) -> None:
    complaints.expected += ["htmx:sendError", "ERR_FAILED"]
    page = desk()
    change_the_draft(page, quiz)
    question = open_a_question(page)
    saves: list[Route] = []
    page.route("**/en/save/", lambda route: saves.append(route), times=1)
    page.keyboard.press("Control+s")
    wait_until(page, lambda: len(saves) == 1, "the save is on its way")
    question.fill("Typed meanwhile?")
    page.wait_for_timeout(1200)
    with page.expect_response(lambda response: "/questions/" in response.url and response.request.method == "POST"):
        saves[0].abort()
    page.reload()
    expect(question).to_have_value("Typed meanwhile?")
