"""The picture of the room, whatever plays it: the browser's own video, the platform's player, or nobody at all."""

import re
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.sandbox import media, serializers
from dashboard.sandbox import models as platform
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, sideways

VIDEO = "document.querySelector('video')"
CLOCK = f"{VIDEO}.currentTime"
FILM = Path(media.__file__).parent / "film" / "film.mp4"

NO_FILE = {"video_mp4": "", "video_hls": ""}


def until(look: Callable[[], Any], what: str = "") -> None:
    """Wait by looking again: the page's policy forbids the evaluation that Playwright's own waiting would need."""
    give_up_at = time.monotonic() + 15
    while not look():
        assert time.monotonic() < give_up_at, what or look
        time.sleep(0.05)


@pytest.fixture
def room(cast: dict[str, Any]) -> str:
    """A link with a comment that names another moment."""
    link = platform.ReviewLink.objects.get(pk=cast["review_links"]["open"])
    platform.ReviewComment.objects.create(
        video=link.video, token=link.pk, user_name="Ana", text="As bright as at 0:52, please.", time=34
    )
    return f"/{link.pk}"


Gives = Callable[..., None]


@pytest.fixture
def platform_gives(monkeypatch: pytest.MonkeyPatch) -> Gives:
    """Changes what the platform says of its videos: `platform_gives(video_mp4="")`."""
    real = serializers.video

    def gives(**fields: Any) -> None:
        monkeypatch.setattr(serializers, "video", lambda *asked: real(*asked) | fields)

    return gives


@pytest.fixture
def only_embedded(platform_gives: Gives) -> None:
    """The platform gives no file that a browser plays, only its player."""
    platform_gives(**NO_FILE)


def in_frame(page: Page) -> Callable[[str], Any]:
    """Asks the platform's player itself: `ask("currentTime")`."""
    page.locator(".stage iframe").wait_for(state="attached")
    until(lambda: len(page.frames) > 1, "no frame")
    page.frames[1].wait_for_selector("video")
    return lambda what: page.frames[1].evaluate(f"{VIDEO}.{what}")


MESSAGE = """([mine, origin, message, currentTime]) => {
  const source = mine ? document.querySelector(".stage iframe").contentWindow : window;
  dispatchEvent(new MessageEvent("message", { source, origin: origin || location.origin, data: { message, currentTime } }));
}"""


def say(page: Page, message: str, at: float, *, by_player: bool = True, origin: str = "") -> None:
    """A message reaches the page: from the player's frame and origin, or from a stranger."""
    page.evaluate(MESSAGE, [by_player, origin, message, at])


def test_the_platforms_player_seeks_plays_and_keeps_the_time_of_the_room(
    open_browser: OpenBrowser, room: str, only_embedded: None
) -> None:
    page = open_browser()
    page.goto(f"{room}?t=20")
    ask = in_frame(page)
    until(lambda: ask("currentTime") == 20, "?t= does not reach the player")
    expect(page.locator("#at")).to_have_value("0:20")
    page.locator("#threads a", has_text="0:52").click()
    until(lambda: ask("currentTime") == 52, "a time in a text does not seek")
    expect(page.locator("[data-clock]")).to_have_text("0:52")
    expect(page.locator("#at")).to_have_value("0:52")
    marker = page.locator("#markers [data-t='46']")
    expect(marker).not_to_have_attribute("aria-current", "true")
    marker.click()
    until(lambda: ask("currentTime") == 46, "a marker does not seek")
    expect(marker).to_have_attribute("aria-current", "true")
    page.locator("[data-do=play]").last.click()
    until(lambda: not ask("paused") and ask("currentTime") > 46.2, "it does not play")
    expect(page.locator("[data-do=play]").last).to_have_text("Pause")
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:4[7-9]|0:5\d"))  # it goes on while we look
    page.locator("#text").press_sequentially("It")
    until(lambda: ask("paused"), "typing does not pause it")
    stamp = page.locator("#at").input_value()
    assert 46 <= int(stamp.split(":")[1]) <= ask("currentTime")
    # Speed, frames and captions are not the room's to set here, so nothing offers them.
    for control in ("#speed", "[data-do=captions]", "[data-do=frame-back]"):
        expect(page.locator(control)).to_be_hidden()
    assert sideways(page) == []


def test_only_the_players_own_frame_and_origin_are_heard(
    open_browser: OpenBrowser, room: str, only_embedded: None
) -> None:
    page = open_browser()
    page.goto(f"{room}?t=20")
    until(lambda: in_frame(page)("currentTime") == 20)
    clock = page.locator("[data-clock]")
    expect(clock).to_have_text("0:20")
    say(page, "panda_timeupdate", 33, origin="https://elsewhere.example")
    say(page, "panda_timeupdate", 33, by_player=False)
    say(page, "panda_play", 33, origin="https://elsewhere.example")
    expect(clock).to_have_text("0:20")
    expect(page.locator("[data-do=play]").last).to_have_text("Play")
    say(page, "panda_timeupdate", 33)  # the very same is believed when the player says it
    expect(clock).to_have_text("0:33")
    expect(page.locator("#at")).to_have_value("0:33")


def test_a_player_that_says_nothing_leaves_the_clock_to_typed_times(
    open_browser: OpenBrowser, room: str, only_embedded: None
) -> None:
    page = open_browser(viewport=PHONE, has_touch=True)
    page.clock.install()
    page.route("**/media/player/embed/**", lambda route: route.fulfill(body="<p>Silence</p>", content_type="text/html"))
    page.goto(room)
    page.frame_locator(".stage iframe").get_by_text("Silence").wait_for()
    page.clock.fast_forward("00:07")
    page.locator("#text").tap()
    lock = page.locator("[data-lock]")
    expect(lock).to_have_text("Type the time you mean")
    expect(page.locator("[data-no-picture]")).to_be_hidden()
    page.locator("#at").fill("0:47")
    page.locator("#at").press("Enter")
    expect(page.locator("#text")).to_be_focused()
    page.clock.fast_forward("00:01")
    until(
        lambda: "startTime=47" in str(page.locator(".stage iframe").get_attribute("src")), "the frame stays elsewhere"
    )
    page.locator("#text").fill("Said without a clock.")
    page.locator("#name").fill("Ana")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").tap()
    expect(page.locator("#threads [data-mine] .timecode")).to_have_text("0:47")
    assert platform.ReviewComment.objects.get(text="Said without a clock.").time == 47
    say(page, "panda_timeupdate", 12)  # it speaks after all
    expect(lock).to_have_text("Follows the video")
    expect(page.locator("[data-clock]")).to_have_text("0:12")


def test_without_any_picture_a_comment_still_finds_its_second(
    open_browser: OpenBrowser, room: str, platform_gives: Gives, axe: FindingsOf
) -> None:
    platform_gives(**NO_FILE, video_player="")
    page = open_browser()
    page.goto(f"{room}?t=20")
    expect(page.locator("[data-no-picture]")).to_be_visible()
    expect(page.locator("[data-do=play]").last).to_be_hidden()
    expect(page.locator("#at")).to_have_value("0:20")
    page.locator("#threads a", has_text="0:52").click()
    expect(page.locator("#at")).to_have_value("0:52")
    page.locator("#markers [data-t='46']").click()
    expect(page.locator("[data-clock]")).to_have_text("0:46")
    page.locator("#text").fill("Read, not seen.")
    page.get_by_role("button", name="One second later").click()
    page.locator("#name").fill("Ana")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(page.locator("#threads").get_by_text("Read, not seen.")).to_be_visible()
    assert platform.ReviewComment.objects.get(text="Read, not seen.").time == 47
    assert axe(page) == []
    assert sideways(page) == []


def test_a_film_that_does_not_arrive_gives_way_to_the_player_at_the_same_moment(
    open_browser: OpenBrowser, room: str, complaints: Complaints
) -> None:
    complaints.expected += ["film.mp4", "playlist.m3u8"]
    page = open_browser()
    for film in ("**/film.mp4", "**/playlist.m3u8"):  # the player's own frame gets it
        page.route(film, lambda route: route.abort() if route.request.frame == page.main_frame else route.continue_())
    page.goto(f"{room}#c-{platform.ReviewComment.objects.get(text__startswith='As bright').pk}")
    ask = in_frame(page)
    until(lambda: ask("currentTime") == 34, "the moment was lost")
    expect(page.locator("[data-clock]")).to_have_text("0:34")


def test_the_length_that_only_the_player_knows_gives_the_markers_their_places(
    open_browser: OpenBrowser, room: str, platform_gives: Gives
) -> None:
    platform_gives(**NO_FILE, length=None)
    page = open_browser()
    page.goto(room)
    expect(page.locator("[data-length-clock]")).to_have_text("1:12")

    def places() -> list[float]:
        boxes = [one.bounding_box() for one in page.locator("#markers .marker:visible").all()]
        return [box["x"] for box in boxes if box]

    until(lambda: len(places()) > 4, "the markers are laid out in the frame after the length came")
    assert places() == sorted(places()) and places()[-1] > places()[0] + 400


def test_a_step_is_one_frame_of_this_film(open_browser: OpenBrowser, room: str) -> None:
    page = open_browser()
    page.goto(f"{room}?t=20")
    until(lambda: page.evaluate(f"{VIDEO}.readyState") > 1)
    length = frame_length()
    assert abs(length - 1 / 30) > 0.001, "a film of 30 frames a second would prove nothing"
    begin = shown(page)

    def stands_at(frames: int) -> Callable[[], bool]:
        return lambda: abs(shown(page) - begin - frames * length) < length / 4

    for key, wanted in ((".", 1), (".", 2), (".", 3), (",", 2), (",", 1), (",", 0), (",", -1)):
        page.keyboard.press(key)
        until(stands_at(wanted), f"{key} to {wanted}")
    for _ in range(5):
        page.keyboard.press(".")  # faster than the picture follows: none is lost
    until(stands_at(4), "a step was lost")


def frame_length() -> float:
    """Seconds a frame of the film lasts, as the file says: the duration of a fragment's samples over the track's scale."""
    data = FILM.read_bytes()
    scale = struct.unpack_from(">I", data, data.index(b"mdhd") + 16)[0]
    duration = struct.unpack_from(">I", data, data.index(b"tfhd") + 12)[0]
    return float(duration / scale)


def shown(page: Page) -> float:
    """When the frame that is on the screen begins, by where the picture stands."""
    length = frame_length()
    return float(page.evaluate(CLOCK) // length * length)


def clock_at(page: Page, seconds: float, within: float = 0.3) -> None:
    """Wait until the picture is there."""
    until(lambda: abs(page.evaluate(CLOCK) - seconds) < within, f"not at {seconds}")


def test_speed_captions_sound_and_place_are_kept_for_the_next_visit(open_browser: OpenBrowser, room: str) -> None:
    page = open_browser()
    page.goto(f"{room}?t=20")
    until(lambda: page.evaluate(f"{VIDEO}.readyState") > 1)
    showing = f"[...{VIDEO}.textTracks].filter(track => track.mode === 'showing').map(track => track.language)"
    assert page.evaluate(showing) == []
    page.locator("#speed").select_option("1.5")
    expect(page.locator("#speed")).to_have_class("select select--set")
    assert page.evaluate(f"{VIDEO}.playbackRate") == 1.5
    page.get_by_role("button", name="Captions").click()
    assert len(page.evaluate(showing)) == 1
    page.locator("summary", has_text="Player settings").click()
    page.locator("[data-caption-language]").select_option("es")
    assert page.evaluate(showing) == ["es"]
    page.get_by_role("button", name="+1 s").click()
    clock_at(page, 21)
    page.locator("[data-volume]").fill("40")
    page.keyboard.press("Escape")
    page.goto(room)
    clock_at(page, 21)
    assert page.evaluate(showing) == ["es"]
    assert page.evaluate(f"[{VIDEO}.playbackRate, {VIDEO}.volume]") == [1.5, 0.4]
    expect(page.get_by_role("button", name="Captions")).to_have_attribute("aria-pressed", "true")
    page.set_viewport_size(PHONE)
    expect(page.locator("[data-speed-badge]")).to_have_text("1.5×")
    expect(page.locator("[data-speed-badge]")).to_be_visible()
    page.locator("#speed ~ details summary, summary", has_text="Player settings").first.click()
    page.locator(".settings [data-speed]").select_option("1")
    expect(page.locator("[data-speed-badge]")).to_be_hidden()
    assert page.evaluate(f"{VIDEO}.playbackRate") == 1


def test_a_range_is_drawn_looped_and_written_and_a_comment_loops_from_before_to_after(
    open_browser: OpenBrowser, room: str
) -> None:
    page = open_browser()
    page.goto(f"{room}?t=12")
    until(lambda: page.evaluate(f"{VIDEO}.readyState") > 1)
    page.get_by_role("button", name="In", exact=True).click()
    page.get_by_role("button", name="Forward 5 seconds").click()
    page.get_by_role("button", name="Out", exact=True).click()
    expect(page.locator("b[data-range]")).to_have_text("0:12–0:17")
    drawn, bar = page.locator("[data-span]").bounding_box(), page.locator(".bar-lane").bounding_box()
    assert drawn and bar and abs(drawn["width"] / bar["width"] - 5 / 72) < 0.01
    expect(page.locator("#text")).to_have_value("0:12-0:17 ")
    expect(page.locator("#at")).to_have_value("0:12")
    page.get_by_role("button", name="Loop", exact=True).first.click()
    page.evaluate(f"{CLOCK} = 16.6")
    page.get_by_role("button", name="Play", exact=True).click()
    clock_at(page, 12, within=1)
    page.get_by_role("button", name="Pause").click()
    page.locator("#text").press_sequentially("is too long")
    page.locator("#name").fill("Ana")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(page.locator("#threads [data-mine] .timecode")).to_have_text("0:12–0:17")
    expect(page.locator("[data-span]")).to_be_hidden()
    # Around a comment: two seconds before to three after.
    page.locator("#threads > li", has_text="As bright as at").get_by_role("button", name="Loop").click()
    expect(page.locator("b[data-range]")).to_have_text("0:32–0:37")
    until(lambda: 32 <= page.evaluate(CLOCK) < 34 and not page.evaluate(f"{VIDEO}.paused"), "it does not loop there")


def test_the_bar_shows_what_is_loaded_what_was_watched_and_the_time_under_the_pointer(
    open_browser: OpenBrowser, room: str
) -> None:
    page = open_browser()
    page.goto(f"{room}?t=30")
    until(lambda: page.locator("[data-buffered] rect").count() > 0, "nothing is drawn as loaded")
    assert page.locator("[data-seen] rect").count() == 0
    expect(page.locator("[data-watched]")).to_be_hidden()
    page.get_by_role("button", name="Play", exact=True).click()
    until(lambda: page.locator("[data-seen] rect").count() == 1, "nothing is drawn as watched")
    expect(page.locator("[data-watched]")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.locator("[data-watched-next]").click()  # the first second never watched
    clock_at(page, 0)
    hovered = page.locator("[data-hover]")
    expect(hovered).to_be_hidden()
    bar = page.locator("[data-seek]").bounding_box()
    assert bar
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    expect(hovered).to_have_text("0:36")
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] - 300)
    expect(hovered).to_be_hidden()
    page.mouse.click(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    clock_at(page, 36, within=1.1)


def test_a_browser_that_does_not_tell_frames_apart_says_what_a_step_is(open_browser: OpenBrowser, room: str) -> None:
    page = open_browser()
    page.add_init_script("delete HTMLVideoElement.prototype.requestVideoFrameCallback")
    page.goto(f"{room}?t=20")
    until(lambda: page.evaluate(f"{VIDEO}.readyState") > 1)
    page.locator("summary", has_text="Player settings").click()
    expect(page.locator("[data-frame-guess]")).to_have_text("This browser cannot detect frames: one step is 1/30 s.")
    page.get_by_role("button", name="Next frame").click()
    clock_at(page, 20 + 1.5 / 30, within=0.001)
    page.get_by_role("button", name="Previous frame").click()
    clock_at(page, 20 + 0.5 / 30, within=0.001)


def test_rate_of_the_film_is_measured_while_it_plays_and_offered_for_markers(
    open_browser: OpenBrowser, room: str
) -> None:
    page = open_browser()
    page.goto(room)
    rate = page.locator('[name="fps"]')
    expect(rate).to_have_value("25")
    page.locator("[data-do=play]").last.click()
    expect(rate).to_have_value("30", timeout=30_000)  # of 15: every frame of the film is one of the timeline
    expect(page.locator("[data-film-rate]")).to_contain_text("15 frames a second")
    page.reload()
    expect(rate).to_have_value("30")
    expect(page.locator("[data-film-rate]")).to_contain_text("15 frames a second")


def test_range_is_written_once_and_kept_for_who_edits(open_browser: OpenBrowser, room: str) -> None:
    page = open_browser()
    page.goto(f"{room}?t=30")
    page.locator("#text").fill("0:30-0:33 Too loud here.")
    page.locator("#name").fill("Ana Prado")
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    mine = page.locator("#threads [data-mine]")
    expect(mine.locator(".timecode")).to_have_text("0:30–0:33")
    assert mine.locator(".comment__text").inner_text() == "Too loud here."
    mine.locator("[data-edit]").click()
    expect(page.locator("[data-edit-form] textarea")).to_have_value("0:30-0:33 Too loud here.")
