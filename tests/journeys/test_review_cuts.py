"""Cuts of one video: declared by their owner, checked without script, compared in step, by keyboard and on a phone."""

import re
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from dashboard.sandbox import models as platform
from review_portal.models import CommentDrawing, ReviewLink
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways, wait_until
from tests.review_portal.test_drawings import SKETCH

FRAME = 1 / 15
"""Seconds: the seeded videos have fifteen frames a second."""
TIMECODE = re.compile(r"^\d\d:\d\d:\d\d:\d\d$")
STATE = """() => {
  const [before, after] = document.querySelectorAll(".pane video");
  return [before.currentTime, after.currentTime, before.paused || after.paused];
}"""

LOOKS = """(() => {
  const every = window.setInterval;
  window.looks = [];
  window.setInterval = (act, pause) => every(() => {
    act();
    const films = [...document.querySelectorAll(".pane video")];
    const said = document.querySelector("[data-in-step-word]");
    if (said && films.length === 2 && films.every((film) => !film.paused)) {
      const times = films.map((film) => film.currentTime);
      window.looks.push([performance.now() / 1000, ...times, films.map((film) => film.playbackRate), said.innerText.trim()]);
    }
  }, pause);
})()"""
"""What the page says at each of its looks at both films, and where they are in that same moment."""


@pytest.fixture
def cuts(desk: OpenBrowser, cast: dict[str, Any]) -> tuple[str, str]:
    """The addresses of two cuts, which their owner declared on the page of the newer one."""
    before, after = cast["review_links"]["view_only"], cast["review_links"]["open"]
    platform.ReviewLink.objects.filter(pk=before).update(allow_comment=True, updated_at=timezone.now())
    page = desk()
    page.goto("/dashboard/review-links/")
    wait_until(page, lambda: ReviewLink.objects.filter(pk__in=[before, after]).count() == 2, "the links are known")
    page.goto(f"/dashboard/review-links/{after}/")
    page.get_by_label("This is the next cut of").select_option(before)
    page.get_by_role("button", name="Save as next cut").click()
    expect(page.locator(".cut-list > li[aria-current]")).to_contain_text("2")
    page.context.close()
    return f"/{before}", f"/{after}"


def drift(page: Page) -> float:
    """How far the two videos are apart, in frames; the earlier cut ahead is above nought."""
    before, after, _paused = page.evaluate(STATE)
    return float(before - after) / FRAME


def count_together(looks: list[list[Any]]) -> int:
    """At how many of the page's looks the films were within a frame.

    They are farther apart only where a busy machine has taken them there: one stood still since they were in step.
    """
    count, stood = 0, [0.0, 0.0]
    for (then, *times, rates, _said), (now, *later_times, _rates, said) in pairwise(looks):
        apart = abs(later_times[0] - later_times[1]) / FRAME
        assert said != "In step" or apart <= 0.5, f"{apart} frames apart are called in step"
        for film, (time, later, rate) in enumerate(zip(times, later_times, rates, strict=True)):
            stood[film] += ((now - then) * rate - (later - time)) / FRAME
        assert apart < 1 or abs(stood[0] - stood[1]) > 0.5, f"{apart} frames apart"
        count += apart < 1
        if apart <= 0.5:
            stood = [0.0, 0.0]
    return count


def frames(page: Page) -> list[int]:
    """The frames that both films stand on."""
    return [int(time / FRAME + 0.001) for time in page.evaluate(STATE)[:2]]


def stand_on(page: Page, frame: int) -> bool:
    return frames(page) == [frame, frame]


def word(page: Page) -> str:
    return str(page.locator("[data-in-step-word]").inner_text()).strip()


def test_answers_are_given_by_keyboard_counted_and_kept_until_they_are_sent(
    open_browser: OpenBrowser, cuts: tuple[str, str], axe: FindingsOf, speak: Speak, complaints: Complaints
) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    _before, after = cuts
    page = open_browser()
    page.goto(f"{after}/from-cut")
    save = page.locator("[data-save]")
    expect(save).to_have_text("Save answers")
    page.locator("main").focus()
    page.keyboard.press("y")
    page.keyboard.press("Shift+Y")
    expect(page.locator("[data-summary-text]")).to_have_text("1 fixed, 1 not fixed, 1 not checked.")
    expect(save).to_have_text("Save and add 1 to cut 2")
    assert axe(page) == []
    page.reload()
    expect(page.locator("[data-summary-text]")).to_have_text("1 fixed, 1 not fixed, 1 not checked.")
    page.locator(".check .timecode").nth(1).click()
    wait_until(page, lambda: page.evaluate("document.querySelector('video').currentTime") == 43, "the video is there")
    page.get_by_label("Your name").fill("Jonas Weber")
    page.context.set_offline(True)
    save.click()
    expect(page.get_by_role("alert")).to_contain_text("You are offline.")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    save.click()
    expect(page.get_by_text("Your answers are saved.")).to_be_visible()
    expect(page.get_by_text("3 comments, 2 checked")).to_be_visible()
    expect(save).to_have_text("Save answers")
    speak(page, "pt-br")
    page.goto(f"{after}/from-cut")
    expect(page.get_by_role("heading", name="Abertos no corte 1")).to_be_visible()
    assert sideways(page) == []
    assert axe(page) == []


def test_two_cuts_stay_within_a_frame_and_follow_the_keyboard(
    open_browser: OpenBrowser, cuts: tuple[str, str], axe: FindingsOf
) -> None:
    _before, after = cuts
    page = open_browser()
    page.add_init_script(LOOKS)
    page.goto(after)
    page.get_by_role("link", name="Compare with cut 1").click()
    expect(page.locator("[data-in-step-word]")).to_have_text("In step")
    assert axe(page) == []
    page.keyboard.press(" ")
    wait_until(page, lambda: page.evaluate(STATE)[1] > 1, "both play")
    page.evaluate("window.looks = []")
    wait_until(page, lambda: count_together(page.evaluate("window.looks")) > 35, "both stay within a frame", 60)
    expect(page.locator("[data-timecode]").last).to_have_text(TIMECODE)  # the rate is known
    page.keyboard.press("]")
    page.keyboard.press("]")
    expect(page.locator("[data-shift-word]")).to_have_text("Shift: +2 frames")
    wait_until(page, lambda: abs(drift(page) - 2) < 0.6, "the earlier cut is two frames ahead")
    page.keyboard.press("k")
    wait_until(page, lambda: page.evaluate(STATE)[2] and abs(drift(page) - 2) < 0.3, "both stand two frames apart")
    page.keyboard.press("[")
    page.keyboard.press("[")
    wait_until(page, lambda: abs(drift(page)) < 0.3, "both stand at the same frame")
    at = frames(page)[1]
    for key, there in ((".", at + 1), (".", at + 2), (",", at + 1)):
        page.keyboard.press(key)
        wait_until(page, partial(stand_on, page, there), f"frame {there}, from {at}")
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet.get_by_text("Shift one cut by a frame, earlier or later")).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("]")
    page.keyboard.press("y")
    page.keyboard.press("Escape")
    expect(page.locator("[data-shift-word]")).to_have_text("Shift: 0 frames")
    expect(page.locator(".check input:checked")).to_have_count(0)
    page.get_by_role("button", name="Shortcuts").click()
    sheet.get_by_label("Use single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("]")
    page.keyboard.press("?")
    expect(sheet).to_be_hidden()
    expect(page.locator("[data-shift-word]")).to_have_text("Shift: 0 frames")
    page.get_by_role("button", name="Shortcuts").click()
    sheet.get_by_label("Use single-key shortcuts").check()
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    wipe = page.get_by_role("slider", name="Wipe: how much of cut 1 is shown")
    expect(wipe).to_have_attribute("aria-valuetext", "50% cut 1, 50% cut 2")
    wipe.focus()
    page.keyboard.press("ArrowRight")
    expect(wipe).to_have_attribute("aria-valuetext", "51% cut 1, 49% cut 2")
    assert axe(page) == []
    page.locator(".check .timecode").first.click()
    wait_until(page, lambda: page.evaluate(STATE)[:2] == [22, 22], "both are where the comment is")
    page.get_by_role("link", name="Back to cut 2").click()
    page.wait_for_url(f"**{after}?t=22")


def test_cut_that_does_not_load_leaves_the_other_one_playing(
    open_browser: OpenBrowser, cuts: tuple[str, str], complaints: Complaints
) -> None:
    before, after = cuts
    complaints.expected = ["Failed to load resource", "404"]
    page = open_browser()
    folder = ReviewLink.objects.get(pk=before[1:]).video["mp4_url"].rpartition("/")[0]
    broken = [True]

    def refuse(route: Route) -> None:
        if broken[0]:
            route.fulfill(status=404)
        else:
            route.continue_()

    page.route(f"**{folder}/*", refuse)
    page.goto(f"{after}/compare?with={before[1:]}")
    expect(page.get_by_text("Cut 1 didn't load. Cut 2 plays on its own.")).to_be_visible()
    page.keyboard.press("k")
    wait_until(page, lambda: page.evaluate(STATE)[1] > 0.5, "the other cut plays")
    assert word(page) == "Cut 2 plays on its own"
    page.keyboard.press("k")
    broken[0] = False
    page.get_by_role("button", name="Retry").click()
    expect(page.locator("[data-in-step-word]")).to_have_text("In step")
    assert abs(drift(page)) < 1


def test_cuts_stand_one_over_the_other_on_a_phone(
    open_browser: OpenBrowser, cuts: tuple[str, str], axe: FindingsOf, speak: Speak
) -> None:
    before, after = cuts
    page = open_browser(viewport=PHONE, has_touch=True, is_mobile=True)
    speak(page, "pt-br")
    page.goto(f"{after}/compare?with={before[1:]}")
    first, second = (page.locator(".pane").nth(place).bounding_box() for place in (0, 1))
    assert first and second and second["y"] >= first["y"] + first["height"] and first["width"] == second["width"] == 390
    expect(page.locator("[data-in-step-word]")).to_have_text("Em sincronia")
    assert sideways(page) == []
    small = "e => e.filter(x => x.checkVisibility() && x.getBoundingClientRect().height < 44).map(x => x.outerHTML)"
    assert (
        page.locator(".cuts__link, .transport button, .segments__item, .compare__shift button").evaluate_all(small)
        == []
    )
    assert axe(page) == []
    page.goto(after)
    assert sideways(page) == []
    page.get_by_role("link", name="1", exact=True).tap()
    page.wait_for_url(f"**{before}")
    expect(page.get_by_role("link", name="Abrir o corte 2")).to_be_visible()


def test_list_of_keys_opens_on_the_page_of_the_cut_before_and_its_switch_turns_single_keys_off(
    open_browser: OpenBrowser, cuts: tuple[str, str], axe: FindingsOf
) -> None:
    page = open_browser()
    page.goto(f"{cuts[1]}/from-cut")
    page.locator("main").focus()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_contain_text("Fixed, or not fixed; then the next comment")
    expect(sheet).not_to_contain_text("Play or pause")
    assert axe(page) == []
    page.keyboard.press("y")
    expect(page.locator(".check input:checked")).to_have_count(0)
    sheet.get_by_label("Use single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    expect(page.locator(".check input:checked")).to_have_count(0)
    page.get_by_role("button", name="Shortcuts").click()
    sheet.get_by_label("Use single-key shortcuts").check()
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    expect(page.locator(".check input[value=fixed]:checked")).to_have_count(1)


def test_drawing_of_the_cut_before_is_carried_over_and_stands_over_this_video(
    open_browser: OpenBrowser, cuts: tuple[str, str], axe: FindingsOf
) -> None:
    before, after = cuts
    drawn = platform.ReviewComment.objects.get(text__startswith="O mostrador do torrador")
    CommentDrawing.objects.create(
        link_id=before[1:], comment_id=drawn.pk, short="0123456789", sketch=SKETCH, name=drawn.user_name, time=43
    )
    page = open_browser(viewport=PHONE, color_scheme="dark")
    page.goto(f"{after}/from-cut")
    row = page.locator(".check", has_text="O mostrador do torrador")
    expect(row.locator(".still path").first).to_be_visible()
    assert axe(page) == [] and sideways(page) == []
    row.get_by_text("Not fixed", exact=True).click()
    page.get_by_label("Your name").fill("Jonas Weber")
    page.locator("[data-save]").click()
    expect(page.get_by_text("Your answers are saved.")).to_be_visible()
    row.get_by_role("link", name="Open the added comment").click()
    mine = page.locator("#threads > li", has_text="0:43 in cut 1, Helena Vasques: O mostrador")
    expect(mine.locator(".still path").first).to_be_visible()
    mine.locator(".still").click()
    expect(page.locator(".stage > .drawing path").first).to_be_visible()
    assert CommentDrawing.objects.count() == 2
