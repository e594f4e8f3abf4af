"""The room under fingers: one tap mends a time, nothing smaller than a fingertip, a phone on its side, full screen."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, ViewportSize, expect

from dashboard.sandbox import models as platform
from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser, Speak, sideways, wait_until
from tests.journeys.test_review_cuts import cuts

__all__ = ["cuts"]
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}
SIDEWAYS: list[ViewportSize] = [{"width": 844, "height": 390}, {"width": 667, "height": 375}]
FINGERTIP = 44
REACH = """(fingertip) => {
  const small = [];
  const more = (style, from, to) =>
    style.position === "absolute" ? -parseFloat(style[from]) - parseFloat(style[to]) : 0;
  for (const one of document.querySelectorAll("a, button, input, select, textarea, summary")) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest(".visually-hidden, .skip-link, dialog")) continue;
    if (one.closest(".comment__text, .replies p, .talk__note, p.muted")) continue; // a link in a sentence
    const box = ((one.matches("[type=radio], [type=checkbox]") && one.closest("label")) || one).getBoundingClientRect();
    const around = one.matches(".marker") ? {} : getComputedStyle(one, "::after"); // presses there count as well
    const [width, height] = [box.width + more(around, "left", "right"), box.height + more(around, "top", "bottom")];
    const name = one.className || one.name || one.tagName;
    const words = one.textContent.trim().slice(0, 20);
    if (Math.min(width, height) < fingertip - 0.5) small.push(`${name} ${width}x${height} ${words}`);
  }
  return small;
}"""


@pytest.fixture
def enter(open_browser: OpenBrowser, cast: dict[str, Any]) -> Callable[..., Page]:
    """Opens the room on a phone, with everything read."""

    def entered(query: str = "", **options: Any) -> Page:
        page = open_browser(**{"viewport": PHONE, **TOUCH, **options})
        page.goto(f"/{cast['review_links']['open']}?fresh=1{query}")
        page.locator("#threads article").first.wait_for()
        wait_until(page, lambda: page.evaluate("document.querySelector('video').readyState > 0"), "no film")
        return page

    return entered


def test_stray_letter_in_the_time_is_mended_by_one_tap_and_refuses_nothing(enter: Callable[..., Page]) -> None:
    page = enter("&t=12")
    page.locator("#text").tap()
    page.locator("#text").fill("Here.")
    page.locator("#name").fill("Ana Prado")
    for typed, meant in (("0:12x", "0:12"), ("x", "0:12"), ("0:99:99", "0:12"), ("1:2.", "1:02")):
        page.locator("#at").fill(typed)
        expect(page.locator("#at-error")).to_contain_text("Write the time")
        page.locator("#composer").get_by_role("button", name=f"Use {meant}").tap()
        expect(page.locator("#at")).to_have_value(meant)
        expect(page.locator("#at")).not_to_have_attribute("aria-invalid", "true")
        expect(page.locator("#at-error")).to_be_hidden()
    page.get_by_role("button", name="Post comment").tap()
    expect(page.locator("#outbox")).to_contain_text("Sends in")


@pytest.mark.parametrize(
    "viewport", [PHONE, {"width": 320, "height": 640}, *SIDEWAYS], ids=["390", "320", "844", "667"]
)
def test_nothing_to_press_is_smaller_than_a_fingertip(enter: Callable[..., Page], viewport: Any) -> None:
    page = enter(viewport=viewport)
    assert page.evaluate(REACH, FINGERTIP) == []
    page.locator("#text").tap()
    page.locator(".talk__foot[data-open]").wait_for()
    assert page.evaluate(REACH, FINGERTIP) == []
    page.locator(".transport summary").tap()
    assert page.evaluate(REACH, FINGERTIP) == []


def test_group_of_markers_at_the_beginning_is_whole(enter: Callable[..., Page], cast: dict[str, Any]) -> None:
    link = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    for _ in range(2):
        platform.ReviewComment.objects.create(video=link.video, token=link.pk, user_name="Ana", text="At once.", time=0)
    for options in ({}, {"is_mobile": False, "has_touch": False}):
        page = enter(**options)
        group = page.locator(".marker--group").first
        group.wait_for()
        box = group.bounding_box()
        assert box and box["x"] >= 0, options
    platform.ReviewComment.objects.filter(text="At once.").delete()


@pytest.mark.parametrize("viewport", SIDEWAYS, ids=["844", "667"])
def test_phone_on_its_side_shows_film_controls_comments_and_the_box_at_once(
    enter: Callable[..., Page], viewport: Any, axe: FindingsOf, speak: Speak
) -> None:
    page = enter(viewport=viewport)

    def whole(part: str) -> FloatRect:
        box = page.locator(part).first.bounding_box()
        assert box, part
        assert box["y"] >= 0 and box["y"] + box["height"] <= viewport["height"] + 0.5, part
        assert box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"] + 0.5, part
        return box

    for language in ("es", "en"):  # the longest words first
        speak(page, language)
        page.reload()
        for part in (".stage", ".bar-lane", ".transport", "#text", "#at", "#threads > li .comment__head"):
            whole(part)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), language
    assert whole(".stage")["height"] > 200
    page.locator("#threads > li").last.scroll_into_view_if_needed()
    for part in (".stage", ".transport", "#text"):
        whole(part)
    page.locator("#text").tap()
    page.locator("#text").fill("Seen on its side.")
    for part in (".stage", ".transport", "#text", "#composer [type=submit]"):
        whole(part)
    assert axe(page) == []
    page.set_viewport_size({"width": viewport["width"], "height": 170})  # its keyboard is up
    page.locator("#text").scroll_into_view_if_needed()
    assert whole_height(page, "#text", 170)
    assert whole_height(page, ".stage", 170)


def test_pages_around_the_room_fit_and_have_targets_as_large_as_a_fingertip(
    open_browser: OpenBrowser, cuts: tuple[str, str], axe: FindingsOf, speak: Speak
) -> None:
    before, after = cuts
    page = open_browser(**TOUCH)
    speak(page, "es")  # its words are the longest
    found = []
    for path in ("?tab=transcript", "/finish", "/device", "/from-cut", f"/compare?with={before[1:]}"):
        page.goto(f"{after}{path}")
        page.locator("h1, h2, .sentence").first.wait_for()
        for viewport in (PHONE, *SIDEWAYS):
            page.set_viewport_size(viewport)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"{path} scrolls sideways at {viewport}")
            found += [f"{path} at {viewport} {one}" for one in page.evaluate(REACH, FINGERTIP) + axe(page)]
    assert found == []
    page.goto(f"{after}/from-cut")
    expect(page.get_by_role("heading", name="Abiertos en el corte 1")).to_be_in_viewport()
    page.goto(after)
    page.get_by_role("button", name="Dibujar", exact=True).tap()
    for viewport in (PHONE, *SIDEWAYS):
        page.set_viewport_size(viewport)
        expect(page.locator(".draw-bar")).to_be_in_viewport()
        assert page.evaluate(REACH, FINGERTIP) == [], viewport


def whole_height(page: Page, part: str, height: int) -> bool:
    box = page.locator(part).bounding_box()
    return box is not None and box["y"] >= -1 and box["y"] + min(box["height"], 44) <= height


@pytest.mark.parametrize(
    "options", [{}, {"viewport": {"width": 1280, "height": 800}, "is_mobile": False}], ids=["phone", "desk"]
)
def test_full_screen_takes_comments_and_shows_what_became_of_them(
    enter: Callable[..., Page], options: dict[str, Any]
) -> None:
    page = enter("&t=20", **options)
    page.locator("[data-do=full]").click()
    expect(page.locator(":root:fullscreen .stage")).to_be_visible()
    expect(page.locator("#threads")).to_be_hidden()
    height = page.locator(".stage").bounding_box()
    assert height and height["height"] > 0.4 * page.evaluate("innerHeight")
    page.keyboard.press("c")
    expect(page.locator("#text")).to_be_focused()
    expect(page.locator("#text")).to_be_in_viewport()
    page.keyboard.type("Seen on the whole screen.")
    page.locator("#name").fill("Ana Prado")
    page.locator("#text").press("Control+Enter")
    expect(page.locator("#outbox").get_by_role("button", name="Undo")).to_be_in_viewport()
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    toast = page.locator(".toast", has_text="Comment posted")
    expect(toast).to_be_in_viewport()
    assert page.evaluate("document.fullscreenElement !== null")
    toast.get_by_role("button", name="Show").click()
    expect(page.locator("#threads .thread", has_text="Seen on the whole screen.")).to_be_in_viewport()
    assert page.evaluate("document.fullscreenElement === null")
    assert sideways(page) == []


def test_toast_about_the_connection_leaves_the_button_free(enter: Callable[..., Page], complaints: Any) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    for options in ({}, {"viewport": SIDEWAYS[0]}, {"viewport": {"width": 1280, "height": 800}, "is_mobile": False}):
        page = enter(**options)
        page.locator("#text").click()
        page.locator("#text").fill("Words.")
        page.locator("#name").fill("Ana")
        page.context.set_offline(True)
        toast = page.locator(".toast", has_text="You are offline")
        expect(toast).to_be_visible()
        button = page.get_by_role("button", name="Post comment")
        over, under = toast.bounding_box(), button.bounding_box()
        assert over and under
        apart = over["y"] + over["height"] <= under["y"] or over["x"] + over["width"] <= under["x"]
        assert apart, (over, under)
        page.context.set_offline(False)


LOW = [{"width": 667, "height": 375}, {"width": 667, "height": 390}, {"width": 844, "height": 390}]
SCROLLED = """(place) => {
  scrollTo(0, place);
  for (const list of document.querySelectorAll(".talk__list, .words__list")) list.scrollTop = place;
}"""
CUT = """() => {
  const list = document.querySelector(".talk__list").getBoundingClientRect();
  const foot = document.querySelector(".talk__foot").getBoundingClientRect();
  return [list.bottom - foot.top, foot.bottom - innerHeight].map(Math.round);
}"""


@pytest.mark.parametrize("viewport", LOW, ids=["667x375", "667x390", "844x390"])
def test_what_is_written_in_covers_nothing_of_the_list_in_a_very_low_room_however_it_is_scrolled(
    enter: Callable[..., Page], viewport: Any, axe: FindingsOf
) -> None:
    page = enter(viewport=viewport)
    for place in (0, 113, 290):
        page.evaluate(SCROLLED, place)
        wait_until(page, lambda: page.evaluate(CUT)[0] <= 0, "the list ends where the box begins")
        assert axe(page) == [], place
    page.evaluate(SCROLLED, 0)
    wait_until(page, lambda: page.evaluate(CUT) == [0, 0], "nothing is cut")
    page.locator("#text").tap()
    page.locator("#text").fill("Written on its side.")
    wait_until(page, lambda: page.evaluate(CUT) == [0, 0], "nothing is cut while somebody writes")
    expect(page.locator("#composer [type=submit]")).to_be_in_viewport(ratio=1)
    assert axe(page) == []


def test_cuts_stand_beside_each_other_on_a_phone_on_its_side(
    open_browser: OpenBrowser, cuts: tuple[str, str], axe: FindingsOf
) -> None:
    before, after = cuts
    page = open_browser(viewport=LOW[0], **TOUCH)
    page.goto(f"{after}/compare?with={before[1:]}")
    first, second = (page.locator(".pane").nth(place).bounding_box() for place in (0, 1))
    assert first and second and first["y"] == second["y"] and first["x"] + first["width"] <= second["x"]
    page.goto(f"{after}/from-cut")
    for place in (0, 60, 140):
        page.evaluate(SCROLLED, place)
        assert axe(page) == [], place
