"""Drawing on the frame: by keys alone, by touch on a phone that loses its connection, and for people without script."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page, Route, expect

from dashboard.sandbox import models as platform
from review_portal.drawings import CHARACTERS_MOST
from review_portal.models import CommentDrawing
from tests.forms import PlainBrowser
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways, wait_until

STAGE = ".stage[role=group]"


@pytest.fixture
def link(cast: dict[str, Any]) -> str:
    """A link whose video has no comments yet."""
    found = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    platform.ReviewComment.objects.filter(video=found.video).delete()
    return str(found.pk)


def open_room(page: Page, link: str, address: str, at: str = "42.46") -> None:
    """The room at one frame, where the film's rate of 15 has been measured before."""
    page.context.add_cookies([{"name": "film_rates", "value": f"{link[:8]}:15", "url": address}])
    page.goto(f"/{link}?t={at}")
    wait_until(page, lambda: page.evaluate("document.querySelector('video').readyState > 1"), "the frame")


def shapes(page: Page) -> list[dict[str, Any]]:
    """What the box would send."""
    typed = page.locator("#composer [name=drawing]").input_value()
    return list(json.loads(typed)["shapes"]) if typed else []


def announced(page: Page, words: str) -> None:
    expect(page.locator("[data-announce]")).to_have_text(words)


def send(page: Page, words: str, *, now: str = "Send now") -> Locator:
    """Write words where none are, post what is in the box at once, and give its comment. `now`: what its button says."""
    if not page.locator("#text").input_value():
        page.locator("#text").fill(words)
    if page.locator("#name").is_visible():
        page.locator("#name").fill("Ana Prado")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name=now).click()
    thread = page.locator("#threads > li", has_text=words)
    expect(thread.locator(".still")).to_be_visible()
    return thread


def test_keys_alone_draw_move_resize_undo_post_edit_and_delete_and_another_browser_sees_it(
    open_browser: OpenBrowser, link: str, axe: FindingsOf, live_server: Any
) -> None:
    page, other = open_browser(), open_browser()
    open_room(page, link, live_server.url)
    other.goto(f"/{link}")
    keys = page.keyboard
    assert not any(
        "draw.js" in one for one in page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    )
    keys.press("d")
    expect(page.locator(STAGE)).to_be_focused()
    expect(page.locator(STAGE)).to_have_accessible_name("Video, paused at 00:00:42:06. Drawing is on.")
    expect(page.locator("[data-transport]")).to_be_hidden()

    keys.press("a")
    announced(page, "Arrow")
    keys.press("Enter")
    announced(page, "Arrow, from the centre down, yellow")
    for press in ("ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowDown"):
        keys.press(press)
    assert shapes(page)[0]["points"] == [5200, 4900, 5200, 7500]
    keys.press("Control+z")
    assert shapes(page)[0]["points"] == [5200, 4900, 5200, 7400]
    keys.press("Control+Shift+z")
    for press in ("3", "r", "Enter", "n", "Enter"):
        keys.press(press)
    announced(page, "Number 1, in the centre, red")
    keys.press("Shift+Tab")
    announced(page, re.compile("^Rectangle, in the centre, 30% wide, 30% high, red$"))  # type: ignore[arg-type]
    keys.press("Delete")
    assert [shape["kind"] for shape in shapes(page)] == ["arrow", "number"]
    keys.press("k")
    keys.press("ArrowRight")
    assert page.evaluate("document.querySelector('video').paused"), "no key of the room is heard"
    assert axe(page) == []

    keys.press("Escape")
    expect(page.locator("#text")).to_be_focused()
    expect(page.locator("[data-transport]")).to_be_visible()
    expect(page.locator(".attached")).to_contain_text("Frame 00:00:42:06, 2 shapes")
    assert page.locator("#at").get_attribute("readonly") is not None
    keys.type("Lower it to the arrow.")
    assert axe(page) == []
    page.reload()
    expect(page.locator(".attached")).to_contain_text("2 shapes")
    assert page.locator("#text").input_value() == "Lower it to the arrow."

    mine = send(page, "Lower it to the arrow.")
    expect(page.locator(".attached")).to_have_count(0)
    expect(mine.locator(".still__time")).to_have_text("00:00:42:06")
    theirs = other.locator("#threads > li", has_text="Lower it to the arrow.")
    expect(theirs.locator(".still")).to_be_visible()
    theirs.locator(".still").click()
    expect(other.locator(".stage > .drawing")).to_have_count(1)
    wait_until(
        other, lambda: abs(other.evaluate("document.querySelector('video').currentTime") - 42.433) < 0.01, "frame"
    )
    other.keyboard.press(".")
    expect(other.locator(".stage > .drawing")).to_have_count(0)
    assert axe(other) == []

    mine.get_by_role("link", name="Edit").click()
    mine.get_by_role("button", name="Delete", exact=True).first.click()
    mine.get_by_role("button", name="Save changes").click()
    expect(mine.locator(".still")).to_have_count(0)
    assert not CommentDrawing.objects.exists()
    expect(theirs.locator(".still")).to_have_count(0)
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(mine.locator(".still path")).to_have_count(2)
    expect(theirs.locator(".still path")).to_have_count(2)

    theirs.locator(".still").click()
    mine.get_by_role("link", name="Edit").click()
    mine.get_by_role("button", name="Draw").click()
    expect(page.locator(STAGE)).to_be_focused()
    keys.press("Tab")
    keys.press("ArrowLeft")
    mine.get_by_role("button", name="Save changes").click()
    expect(page.locator(".draw-bar")).to_have_count(0)
    expect(page.locator("[data-transport]")).to_be_visible()
    moved = mine.locator(".still path").first.get_attribute("d")
    expect(theirs.locator(".still path").first).to_have_attribute("d", moved or "")
    expect(other.locator(".stage > .drawing path").first).to_have_attribute("d", moved or "")


LANGUAGES = {
    "pt-br": ("Vídeo, pausado em 00:00:42:06. Modo de desenho ligado.", "Seta, do centro para baixo, amarelo", "agora"),
    "es": (
        "Video, en pausa en 00:00:42:06. Modo de dibujo activado.",
        "Flecha, del centro hacia abajo, amarillo",
        "ahora",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_drawing_speaks_to_its_reader_in_their_language(
    open_browser: OpenBrowser, link: str, speak: Speak, axe: FindingsOf, live_server: Any, language: str
) -> None:
    stage, arrow, now = LANGUAGES[language]
    page = open_browser()
    speak(page, language)
    open_room(page, link, live_server.url)
    page.keyboard.press("d")
    expect(page.locator(STAGE)).to_have_accessible_name(stage)
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    announced(page, arrow)
    assert axe(page) == [] and sideways(page) == []
    page.keyboard.press("Escape")
    mine = send(page, "Abaixo da seta.", now=f"Enviar {now}")
    expect(mine.locator(".still")).to_have_accessible_name(re.compile(arrow))


def test_a_stroke_over_the_middle_of_a_video_that_never_played_draws_and_plays_nothing(
    open_browser: OpenBrowser, link: str, live_server: Any
) -> None:
    page = open_browser()
    open_room(page, link, live_server.url, at="0")
    expect(page.locator(".stage__play")).to_be_visible()
    page.keyboard.press("d")
    expect(page.locator(".stage__play")).to_be_hidden()
    page.mouse.move(*middle_of(page))
    page.mouse.down()
    page.mouse.move(*middle_of(page, right=90))
    page.mouse.up()
    assert [shape["kind"] for shape in shapes(page)] == ["arrow"]
    assert page.evaluate("document.querySelector('video').paused")


def test_drawing_waits_for_the_size_of_the_picture(open_browser: OpenBrowser, link: str) -> None:
    page = open_browser()
    held: list[Route] = []
    page.route(re.compile(r"\.mp4"), lambda route: held.append(route), times=1)
    page.goto(f"/{link}", wait_until="domcontentloaded")
    with page.expect_response(re.compile(r"/drawing\S*\.css")):
        page.keyboard.press("d")
    page.wait_for_timeout(300)
    expect(page.locator(".draw-bar")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".draw-bar")).to_be_visible()


def middle_of(page: Page, right: int = 0) -> tuple[float, float]:
    box = page.locator(".drawing--open").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2 + right, box["y"] + box["height"] / 2


def touch(page: Page, places: list[tuple[float, float]]) -> None:
    """One finger on the picture, in parts of its width and height."""
    box = page.locator(".drawing--open").bounding_box()
    assert box is not None
    points = [{"x": box["x"] + x * box["width"], "y": box["y"] + y * box["height"]} for x, y in places]
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
    for point in points[1:]:
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_finger_draws_on_a_phone_and_drawing_and_comment_wait_for_the_connection_together(
    open_browser: OpenBrowser, link: str, axe: FindingsOf, live_server: Any, complaints: Complaints
) -> None:
    complaints.expected.append("ERR_INTERNET_DISCONNECTED")
    page = open_browser(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    open_room(page, link, live_server.url)
    page.get_by_role("button", name="Draw", exact=True).tap()
    expect(page.locator(".draw-bar")).to_be_visible()
    for control in page.locator(".draw-bar :is(.tools__item, .inks__menu, button):visible").all():
        box = control.bounding_box()
        assert box is not None and box["width"] >= 44 and box["height"] >= 42, control.inner_text()
    touch(page, [(0.5, 0.5), (0.5, 0.7), (0.5, 0.85)])
    page.locator("input[value=pen]").check(force=True)
    page.locator(".inks__menu select").select_option("red")
    touch(page, [(0.6, 0.2), (0.7, 0.3), (0.8, 0.2), (0.9, 0.3)])
    touch(page, [(0.1, 0.1), (0.101, 0.1)])
    arrow, pen = shapes(page)
    assert (arrow["kind"], arrow["colour"], pen["kind"], pen["colour"]) == ("arrow", "yellow", "pen", "red")
    assert abs(arrow["points"][1] - 5000) < 60 and abs(arrow["points"][3] - 8500) < 60 and len(pen["points"]) == 8
    assert axe(page) == []
    page.get_by_role("button", name="Undo the last step").tap()
    assert len(shapes(page)) == 1
    page.get_by_role("button", name="Done").tap()
    page.locator("#text").fill("In the tunnel.")
    page.locator("#name").fill("Bea")
    page.context.set_offline(True)
    page.get_by_role("button", name="Post comment").tap()
    expect(page.locator("#outbox [data-waits]")).to_contain_text("In the tunnel.")
    expect(page.locator(".attached")).to_have_count(0)
    page.locator("#outbox [data-waits]").get_by_role("button", name="Undo").tap()
    expect(page.locator(".attached")).to_contain_text("1 shape")
    page.get_by_role("button", name="Post comment").tap()
    assert not platform.ReviewComment.objects.filter(text__startswith="In the tunnel.").exists()
    page.context.set_offline(False)
    expect(page.locator("#threads > li", has_text="In the tunnel.").locator(".still")).to_be_visible()
    assert platform.ReviewComment.objects.filter(text__startswith="In the tunnel.").count() == 1
    assert CommentDrawing.objects.count() == 1
    assert sideways(page) == []


def test_drawing_at_the_first_frame_never_stands_over_the_poster(
    open_browser: OpenBrowser, link: str, live_server: Any
) -> None:
    page = open_browser()
    page.goto(f"/{link}")
    expect(page.locator("video[poster]")).to_have_count(1)
    page.keyboard.press("d")
    expect(page.locator(STAGE)).to_be_focused()
    expect(page.locator("video[poster]")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".attached .still__picture > *")).to_have_count(1)
    send(page, "Here.")
    page.goto(f"/{link}")
    expect(page.locator(".stage > .drawing")).to_be_visible()
    expect(page.locator("video[poster]")).to_have_count(0)


def test_people_without_script_see_drawings_and_read_why_they_cannot_draw(
    open_browser: OpenBrowser, link: str, live_server: Any, axe: FindingsOf
) -> None:
    page = open_browser()
    open_room(page, link, live_server.url)
    page.keyboard.press("d")
    expect(page.locator(STAGE)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.locator("#text").fill("Here.")
    send(page, "Here.")
    plain = PlainBrowser(Client()).open(f"/{link}")
    assert "Drawing needs JavaScript. You can still comment at this moment." in plain.text
    plain.follow("Open drawing")
    assert plain.has("h1", "Drawing at 00:00:42:06 by Ana Prado")
    assert plain.has("li", "Arrow, from the centre down, yellow")
    page.goto(plain.address)
    assert axe(page) == [] and sideways(page) == []
    assert re.search(r"\?t=42\.43\d*#c-", plain.follow("Open this frame in the video").address)


def test_line_that_would_make_the_drawing_too_large_to_send_is_refused_while_it_is_drawn(
    open_browser: OpenBrowser, link: str, live_server: Any
) -> None:
    page = open_browser()
    open_room(page, link, live_server.url)
    pen = {"kind": "pen", "colour": "red", "points": [9999, 9999] * 400}
    number = {"kind": "number", "colour": "red", "points": [1000, 1000]}
    fill = {"size": [1920, 1080], "shapes": [pen] * 14 + [{**pen, "points": [9999, 9999] * 325}]}
    size = len(json.dumps(fill, separators=(",", ":")))
    assert CHARACTERS_MOST - 150 < size < CHARACTERS_MOST
    put = "([id, value]) => { const field = document.querySelector(id); field.disabled = false; field.value = value; }"
    page.evaluate(put, ["#composer [name=drawing]", json.dumps(fill, separators=(",", ":"))])
    page.keyboard.press("d")
    expect(page.locator(STAGE)).to_be_focused()
    page.keyboard.press("p")
    page.mouse.move(*middle_of(page))
    page.mouse.down()
    across, down = middle_of(page)
    for step in range(1, 30):
        page.mouse.move(across + 9 * step, down + (60 if step % 2 else -60))
    page.mouse.up()
    expect(page.locator("#toasts")).to_contain_text("This line does not fit: the drawing is nearly full.")
    assert len(shapes(page)) == 15
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    assert shapes(page)[15]["kind"] == number["kind"], "a small shape still fits"
    page.keyboard.press("Escape")
    page.locator("#text").fill("Much.")
    send(page, "Much.")
    assert len(CommentDrawing.objects.get().sketch["shapes"]) == 16
