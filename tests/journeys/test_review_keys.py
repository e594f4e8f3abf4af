"""The keyboard of the room: every key that the sheet lists does what the sheet says, and only where it may."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from review_portal.responses import SHEET
from tests.journeys.conftest import Complaints, OpenBrowser, wait_until

PRESSES = [press for keys, _, _ in SHEET for press, _ in keys]
CLOCK = "document.querySelector('video').currentTime"

Check = Callable[[Page], None]


@pytest.fixture
def room(open_browser: OpenBrowser, cast: dict[str, Any]) -> Page:
    """A room with an own comment at 0:20, the picture at 0:20, and the focus nowhere."""
    page = open_browser()
    page.goto(f"/{cast['review_links']['open']}?t=20")
    until(page, "document.querySelector('video').readyState > 0")
    page.locator("#text").fill("Mine to edit.")
    page.locator("#name").fill("Ana Prado")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    page.locator("#threads [data-mine] .timecode").click()
    page.locator("body").click(position={"x": 2, "y": 2})
    return page


def until(page: Page, expression: str, seconds: float = 5) -> None:
    """Wait for something in the page."""
    wait_until(page, lambda: page.evaluate(expression), expression, seconds)


def at(page: Page, seconds: float, within: float = 0.6) -> None:
    until(page, f"Math.abs({CLOCK} - {seconds}) < {within}")


def pressed(name: str) -> Check:
    return lambda page: expect(page.locator(f'[data-do="{name}"]').last).to_have_attribute("aria-pressed", "true")


def value(selector: str, shown: str) -> Check:
    return lambda page: expect(page.locator(selector)).to_have_value(shown)


def focused(selector: str) -> Check:
    return lambda page: expect(page.locator(selector).first).to_be_focused()


def plays(page: Page) -> None:
    until(page, "!document.querySelector('video').paused")


def stands(page: Page) -> None:
    until(page, "document.querySelector('video').paused")


def moved(page: Page) -> None:
    until(page, "document.querySelector('.thread--active:not([data-mine])') !== null")


def typing(page: Page) -> None:
    page.locator("#text").fill("Words")


def resolved(page: Page) -> None:
    expect(page.locator("#threads details[data-mine]")).to_have_count(1)


def ranged(page: Page) -> None:
    page.keyboard.press("i")


def went_to_the_transcript_and_back(page: Page) -> None:
    """The words stand in the place of the comments until the same key is pressed again."""
    expect(page.locator("#transcript .sentence").first).to_be_visible()
    page.keyboard.press("g")
    expect(page.locator("#threads")).to_be_visible()


DOES: dict[str, tuple[Check | None, Check]] = {
    "Space": (None, plays),
    "j": (None, lambda page: until(page, f"{CLOCK} < 19.5")),
    "k": (lambda page: page.keyboard.press("l"), stands),
    "l": (None, plays),
    "k+j": (None, lambda page: until(page, f"{CLOCK} < 20 && {CLOCK} > 19.8")),
    "k+l": (None, lambda page: until(page, f"{CLOCK} > 20 && {CLOCK} < 20.2")),
    "<": (None, value("#speed", "0.75")),
    ">": (None, value("#speed", "1.25")),
    "Shift+K": (lambda page: page.keyboard.press(">"), value("#speed", "1")),
    "ArrowLeft": (None, lambda page: at(page, 15)),
    "ArrowRight": (None, lambda page: at(page, 25)),
    "Shift+ArrowLeft": (None, lambda page: at(page, 19)),
    "Shift+ArrowRight": (None, lambda page: at(page, 21)),
    ",": (None, lambda page: until(page, f"{CLOCK} < 20 && {CLOCK} > 19.8")),
    ".": (None, lambda page: until(page, f"{CLOCK} > 20 && {CLOCK} < 20.2")),
    "n": (None, moved),
    "p": (None, moved),
    "c": (None, focused("#text")),
    "d": (None, focused(".stage[role=group]")),
    "g": (None, went_to_the_transcript_and_back),
    "r": (None, focused(".reply-box textarea")),
    "e": (None, focused("[data-edit-form] textarea")),
    "x": (None, resolved),
    "Shift+X": (None, resolved),
    "i": (None, lambda page: expect(page.locator("b[data-range]")).to_have_text("0:20–…")),
    "o": (None, lambda page: expect(page.locator("b[data-range]")).to_have_text("…–0:20")),
    "u": (ranged, lambda page: expect(page.locator("b[data-range]")).to_be_hidden()),
    "m": (None, pressed("mute")),
    "t": (None, pressed("captions")),
    "f": (None, lambda page: until(page, "document.fullscreenElement !== null")),
    "0": (None, lambda page: at(page, 0)),
    "9": (None, lambda page: until(page, f"{CLOCK} > 60")),
    "Home": (None, lambda page: at(page, 0)),
    "End": (None, lambda page: until(page, f"{CLOCK} > 70")),
    "/": (None, focused("#q")),
    "?": (None, lambda page: expect(page.locator("#keys")).to_be_visible()),
    "Control+Enter": (typing, lambda page: expect(page.locator("#outbox")).to_contain_text("Words")),
    "Escape": (typing, lambda page: expect(page.locator("#text")).not_to_be_focused()),
    "Alt+k": (typing, plays),
    "Alt+j": (typing, lambda page: at(page, 15)),
    "Alt+l": (typing, lambda page: at(page, 25)),
}


def test_every_key_of_the_sheet_does_what_it_says(room: Page) -> None:
    assert set(DOES) == set(PRESSES)
    for press in PRESSES:
        before, after = DOES[press]
        if before:
            before(room)
        room.keyboard.press(press)
        try:
            after(room)
        except AssertionError as error:
            raise AssertionError(f"{press} does not do what the sheet says") from error
        reset(room)


LAYOUTS = {
    "Russian": [
        ("с", "KeyC", False, "#text"),
        ("л", "KeyK", False, ""),
        ("ю", "Period", False, "."),
        ("б", "Comma", False, ","),
    ],
    "French": [(".", "Comma", True, "."), (",", "KeyM", False, ","), ("?", "KeyM", True, "#keys")],
    "Turkish": [("ı", "KeyI", False, "b[data-range]")],
}
PRESS = """([key, code, shiftKey]) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true }))"""


def test_letters_and_signs_of_other_layouts_do_the_same(room: Page) -> None:
    steps = {
        ".": f"{CLOCK} > 20 && {CLOCK} < 20.2",
        ",": f"{CLOCK} < 20 && {CLOCK} > 19.8",
        "#text": "document.activeElement.id === 'text'",
        "#keys": "document.getElementById('keys').open",
        "b[data-range]": "!document.querySelector('b[data-range]').hidden",
    }
    for layout, presses in LAYOUTS.items():
        for key, code, shift, does in presses:
            is_free = room.evaluate(PRESS, [key, code, shift])
            assert not is_free, f"{layout}: {key} does nothing"
            if does:
                until(room, steps[does])
            reset(room)
    room.locator("#text").focus()
    assert room.evaluate(PRESS, ["с", "KeyC", False]), "in a field it is a letter"


CALM = """() => {
  const press = (selector) => document.querySelector(selector)?.click();
  const video = document.querySelector("video");
  document.querySelector("dialog[open]")?.close();
  if (document.fullscreenElement) document.exitFullscreen();
  video.pause();
  video.playbackRate = 1;
  video.muted = false;
  press('.transport [data-do=captions][aria-pressed="true"]');
  press(".transport__range [data-do=clear]:not([hidden])");
  press("#threads .reply-box [data-leave]");
  press(".draw-bar [data-drawn]");
  press("#toasts button");
  press('#outbox button[value="undo"]');
}"""


def reset(room: Page) -> None:
    """As it was: nothing open, nothing typed, the picture at 0:20 and at normal speed."""
    undone = room.locator("#outbox [data-sent]").count()
    room.evaluate("document.activeElement.blur()")
    room.keyboard.press("k")
    room.evaluate(CALM)
    room.locator("#threads article[data-mine]").wait_for()
    if undone:
        expect(room.locator("#text")).not_to_have_value("")
    room.locator("#text").fill("")
    room.locator("#threads [data-mine] .timecode").first.click()
    at(room, 20, within=0.01)
    room.evaluate("document.activeElement.blur()")


def test_nothing_is_taken_while_typing_in_dialogs_with_modifiers_or_when_switched_off(room: Page) -> None:
    room.locator("#text").fill("")
    room.locator("#text").press_sequentially("kjlcx?")
    expect(room.locator("#text")).to_have_value("kjlcx?")
    expect(room.locator("#speed")).to_have_value("1")
    room.keyboard.press("Escape")
    room.keyboard.press("Control+>")
    expect(room.locator("#speed")).to_have_value("1")
    composing = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '>', bubbles: true, isComposing: %s}))"
    room.evaluate(composing % "true")
    expect(room.locator("#speed")).to_have_value("1")
    room.evaluate(composing % "false")
    expect(room.locator("#speed")).to_have_value("1.25")
    room.keyboard.press("Shift+K")
    room.keyboard.press("?")
    room.keyboard.press(">")
    expect(room.locator("#speed")).to_have_value("1")
    room.get_by_label("Use single-key shortcuts").uncheck()
    room.keyboard.press("Escape")
    room.keyboard.press(">")
    expect(room.locator("#speed")).to_have_value("1")
    room.reload()
    room.locator("body").click(position={"x": 2, "y": 2})
    room.keyboard.press(">")
    expect(room.locator("#speed")).to_have_value("1")


def test_markers_are_one_tab_stop_with_arrows_inside(room: Page) -> None:
    markers = room.locator("#markers li:not([hidden]) > .marker")
    assert room.locator("#markers .marker[tabindex='0']:visible").count() == 1
    room.locator("#markers .marker[tabindex='0']").focus()
    room.keyboard.press("Home")
    expect(markers.first).to_be_focused()
    expect(room.locator("[data-peek]")).to_be_visible()
    room.keyboard.press("ArrowRight")
    expect(markers.nth(1)).to_be_focused()
    room.keyboard.press("End")
    expect(markers.last).to_be_focused()
    group = room.locator(".marker--group").first
    group.focus()
    room.keyboard.press("Enter")
    expect(room.locator(".marker-peek__link").first).to_be_focused()
    room.keyboard.press("Escape")
    expect(group).to_be_focused()


def test_shuttle_gets_faster_turns_round_and_ends_at_the_chosen_speed(room: Page) -> None:
    rate = "document.querySelector('video').playbackRate"
    room.keyboard.press(">")
    expect(room.locator("#speed")).to_have_value("1.25")
    for wanted in (1, 2, 4, 8, 8):
        room.keyboard.press("l")
        until(room, f"{rate} === {wanted}")
    plays(room)
    expect(room.locator("[data-announce]")).to_have_text("Speed 8×")
    room.keyboard.press("k")
    stands(room)
    until(room, f"{rate} === 1.25")
    room.locator("#threads [data-mine] .timecode").first.click()
    at(room, 20, within=0.01)
    room.evaluate("document.activeElement.blur()")
    room.keyboard.press("l")
    room.keyboard.press("j")
    room.keyboard.press("j")
    expect(room.locator("[data-announce]")).to_have_text("Backwards 2×")
    until(room, f"{CLOCK} < 18")
    room.keyboard.press(" ")  # whoever plays ends it
    plays(room)
    before = room.evaluate(CLOCK)
    until(room, f"{CLOCK} > {before} + 0.5")
    room.keyboard.press("Home")
    room.keyboard.press("j")
    stands(room)
    room.keyboard.press("l")
    until(room, f"{rate} === 1")


def ranged_comment(page: Page) -> None:
    """In at 0:20, play on, out at 0:22, all by keys; the focus is in the box then."""
    page.keyboard.press("i")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    at(page, 22)
    page.keyboard.press("o")
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    page.keyboard.press("c")


def test_range_belongs_to_the_comment_until_it_is_taken_out(room: Page) -> None:
    box, time = room.locator("#text"), room.locator("#at")
    ranged_comment(room)
    room.keyboard.type("The logo jumps.")
    expect(box).to_have_value("0:20-0:22 The logo jumps.")
    expect(time).to_have_value("0:20")
    room.keyboard.press("Escape")
    room.locator("#threads .timecode").first.click()
    room.locator(".transport__range [data-do=loop]").click()
    room.reload()
    expect(box).to_have_value("0:20-0:22 The logo jumps.")
    expect(room.locator("b[data-range]")).to_have_text("0:20–0:22")
    take_out = room.locator("[data-add-range]")
    expect(take_out).to_have_text("Remove 0:20-0:22")
    room.context.set_offline(True)
    box.press("Control+Enter")
    expect(room.locator("#outbox [data-waits]")).to_contain_text("0:20-0:22 The logo jumps.")
    expect(room.locator("b[data-range]")).to_be_hidden()
    room.locator("#outbox [data-waits]").get_by_role("button", name="Undo").click()
    expect(box).to_have_value("0:20-0:22 The logo jumps.")
    room.context.set_offline(False)
    box.press("Control+Enter")
    room.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(room.locator("#threads > li", has_text="The logo jumps.")).to_contain_text("0:22")
    expect(box).to_have_value("")


def test_range_is_changed_and_taken_out_without_a_mouse_and_leaves_the_words(room: Page) -> None:
    box, take_out = room.locator("#text"), room.locator("[data-add-range]")
    ranged_comment(room)
    room.keyboard.type("Words.")
    room.keyboard.press("Escape")
    room.keyboard.press("Shift+ArrowRight")
    at(room, 23)
    room.keyboard.press("o")
    expect(box).to_have_value("0:20-0:23 Words.")
    room.locator("[data-nudge='1']").press("Enter")
    expect(box).to_have_value("0:21-0:23 Words.")
    expect(room.locator("b[data-range]")).to_have_text("0:21–0:23")
    take_out.press("Enter")
    expect(box).to_have_value("Words.")
    expect(room.locator("b[data-range]")).to_have_text("0:21–0:23")
    expect(take_out).to_have_text("Add 0:21-0:23")
    take_out.press("Enter")
    expect(box).to_have_value("0:21-0:23 Words.")
    room.keyboard.press("Escape")
    room.keyboard.press("u")
    expect(box).to_have_value("Words.")
    expect(take_out).to_be_hidden()


def is_ranged(page: Page, words: str = "The logo jumps.") -> None:
    """The box has the words and their range, and so has the bar."""
    expect(page.locator("#text")).to_have_value(f"0:20-0:22 {words}")
    expect(page.locator("#at")).to_have_value("0:20")
    expect(page.locator("b[data-range]")).to_have_text("0:20–0:22")
    expect(page.locator("[data-add-range]")).to_have_text("Remove 0:20-0:22")


@pytest.mark.parametrize("status", [400, 403])
def test_range_comes_back_with_a_comment_that_the_platform_refused(room: Page, faults: ModuleType, status: int) -> None:
    faults.set("public_review.create_comment", status=status)
    ranged_comment(room)
    room.keyboard.type("The logo jumps.")
    room.locator("#text").press("Control+Enter")
    card = room.locator("#outbox [data-sent]")
    card.get_by_role("button", name="Send now").click()
    expect(room.locator("b[data-range]")).to_be_hidden()
    card.locator("[data-take-up]").click()
    is_ranged(room)
    faults.clear()
    room.locator("#text").press("Control+Enter")
    card.get_by_role("button", name="Send now").click()
    expect(room.locator("#threads > li", has_text="The logo jumps.")).to_contain_text("0:22")


def test_range_stays_on_the_card_of_a_comment_that_the_platform_failed_at(room: Page, faults: ModuleType) -> None:
    faults.set("public_review.create_comment", status=500)
    ranged_comment(room)
    room.keyboard.type("The logo jumps.")
    room.locator("#text").press("Control+Enter")
    card = room.locator("#outbox [data-sent]")
    card.get_by_role("button", name="Send now").click()
    expect(card.get_by_role("button", name="send again")).to_be_visible()
    for _look in range(2):
        expect(card).to_have_attribute("data-text", "0:20-0:22 The logo jumps.")
        expect(card).to_have_attribute("data-time", "20")
        room.reload()


def test_range_stays_through_a_refusal_of_ours_and_a_reply_in_between(room: Page, complaints: Complaints) -> None:
    complaints.expected += ["422", "400 (Bad Request)"]
    ranged_comment(room)
    room.keyboard.type("The logo <jumps>.")
    room.locator("#text").press("Control+Enter")
    expect(room.locator("#text-error")).to_be_visible()
    is_ranged(room, "The logo <jumps>.")
    room.locator("#text").fill("0:20-0:22 The logo jumps.")
    room.locator("#threads [data-reply]:visible").first.click()
    room.locator(".reply-box textarea").fill("In between.")
    room.locator(".reply-box textarea").press("Control+Enter")
    room.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(room.locator("#threads .replies", has_text="In between.")).to_be_visible()
    is_ranged(room)
    room.reload()
    is_ranged(room)
