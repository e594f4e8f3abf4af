"""Reviewers in the room: they watch, say it at the moment, see each other, and lose no word."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from dashboard.sandbox import models as platform
from review_portal import rules
from review_portal.models import ReviewLink
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways

OFFLINE = "ERR_INTERNET_DISCONNECTED"


@pytest.fixture
def enter(open_browser: OpenBrowser, link: str) -> Callable[..., Page]:
    """Opens the room in a browser of its own and waits until it is alive."""

    def entered(query: str = "", address: str = "", clock: bool = False, **options: Any) -> Page:
        page = open_browser(**options)
        if clock:  # seconds of waiting pass at once: `page.clock.fast_forward(5_000)`
            page.clock.install()
        page.goto((address or link) + query)
        page.locator("#threads, .closed__panel").first.wait_for()
        return page

    return entered


def write(page: Page, text: str, name: str = "Ana Prado") -> None:
    """Type a comment into the composer, with the name where it is asked for."""
    page.locator("#text").fill(text)
    if page.locator("#name").is_visible():
        page.locator("#name").fill(name)


def post(page: Page, text: str, name: str = "Ana Prado") -> None:
    """Write and send at once."""
    write(page, text, name)
    page.locator("#text").press("Control+Enter")
    page.locator("#outbox").get_by_role("button", name="Send now").click()
    expect(page.locator("#threads").get_by_text(text)).to_be_visible()


@pytest.mark.smoke
def test_two_reviewers_see_each_other_and_are_never_disturbed(enter: Callable[..., Page]) -> None:
    ana, bruno = enter(), enter(clock=True)
    bruno.clock.fast_forward(180_000)  # still for three minutes: five seconds are the promise all the same
    post(ana, "The logo is late.")
    bruno.clock.fast_forward(5_000)
    expect(bruno.locator("#threads").get_by_text("The logo is late.")).to_be_visible(timeout=6_000)
    expect(bruno.locator("[data-announce]")).to_have_text("1 new comment")
    bruno.locator("#threads article [data-reply]").first.click()
    box = bruno.locator(".reply-box textarea")
    box.fill("While I type")
    post(ana, "And the sound is early.")
    bruno.clock.fast_forward(5_000)
    pill = bruno.get_by_role("button", name="Show 1 new comment")
    expect(pill).to_be_visible()
    expect(bruno.locator("#threads").get_by_text("And the sound is early.")).to_have_count(0)
    expect(box).to_be_focused()
    expect(box).to_have_value("While I type")
    pill.click()
    expect(bruno.locator("#threads").get_by_text("And the sound is early.")).to_be_visible()
    expect(box).to_have_value("While I type")


def test_undo_takes_a_comment_back_into_the_box(enter: Callable[..., Page], link: str) -> None:
    page = enter()
    write(page, "Oops, wrong film.")
    page.get_by_role("button", name="Post comment").click()
    expect(page.locator("#outbox")).to_contain_text("Sends in")
    expect(page.locator("#text")).to_have_value("")
    page.locator("#outbox").get_by_role("button", name="Undo").click()
    expect(page.locator("#text")).to_have_value("Oops, wrong film.")
    assert not platform.ReviewComment.objects.filter(text="Oops, wrong film.").exists()


def test_a_held_comment_leaves_by_itself_and_once(enter: Callable[..., Page]) -> None:
    page = enter(clock=True)
    write(page, "Leaves by itself.")
    page.get_by_role("button", name="Post comment").dblclick()
    expect(page.locator("#outbox")).to_contain_text("Sends in")
    page.clock.run_for(6_000)
    expect(page.locator("#threads").get_by_text("Leaves by itself.")).to_be_visible(timeout=10_000)
    assert platform.ReviewComment.objects.filter(text="Leaves by itself.").count() == 1


def test_drafts_survive_a_reload_and_the_end_of_the_link(
    enter: Callable[..., Page], link: str, complaints: Complaints
) -> None:
    complaints.expected.append("410")
    page = enter("?t=12")
    page.locator("#text").fill("Half a thought")
    page.locator("#threads article [data-reply]").first.click()
    page.locator(".reply-box textarea").fill("Half an answer")
    page.reload()
    expect(page.locator("#text")).to_have_value("Half a thought")
    expect(page.locator("#at")).to_have_value("0:12")
    expect(page.locator(".reply-box textarea")).to_have_value("Half an answer")
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    platform.ReviewLink.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    page.goto(link)
    expect(page.get_by_role("heading", name="This review link has closed")).to_be_visible()
    expect(page.locator("[data-drafts-list]")).to_contain_text("Half a thought")
    expect(page.locator("[data-drafts-list]")).to_contain_text("Half an answer")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save what I wrote").click()
    assert "Half a thought" in saved.value.path().read_text()


def test_a_room_that_is_switched_off_closes_by_itself_and_keeps_what_was_typed(
    enter: Callable[..., Page], complaints: Complaints
) -> None:
    complaints.expected.append("403")
    page = enter(clock=True)
    page.locator("#text").fill("Half a thought")
    said = page.locator("#threads article p").first.inner_text()
    for kept in (ReviewLink, platform.ReviewLink):
        kept.objects.update(status="inactive")
    page.clock.fast_forward(5_000)
    expect(page.get_by_role("heading", name="This review link was switched off")).to_be_visible()
    expect(page.locator("[data-drafts-list]")).to_contain_text("Half a thought")
    expect(page.get_by_text(said)).to_have_count(0)


def test_offline_it_waits_and_goes_out_when_the_connection_is_back(
    enter: Callable[..., Page], complaints: Complaints
) -> None:
    complaints.expected.append(OFFLINE)
    page = enter()
    page.context.set_offline(True)
    write(page, "From the tunnel.")
    page.get_by_role("button", name="Post comment").click()
    expect(page.locator("#outbox")).to_contain_text("Waiting for the connection")
    page.context.set_offline(False)
    expect(page.locator("#threads").get_by_text("From the tunnel.")).to_be_visible(timeout=10_000)
    assert platform.ReviewComment.objects.filter(text="From the tunnel.").count() == 1


def test_the_stamp_follows_the_picture_and_locks_at_the_first_character(enter: Callable[..., Page]) -> None:
    page = enter("?t=20")
    playing = page.locator("[data-do=play]", has_text="Pause")
    expect(page.locator("#at")).to_have_value("0:20")
    page.get_by_role("button", name="Forward 5 seconds").click()
    expect(page.locator("#at")).to_have_value("0:25")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(playing).to_be_visible()
    page.locator("#text").press_sequentially("a > b")
    expect(playing).to_have_count(0)  # typing paused it
    expect(page.locator("[data-lock]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#assist")).to_contain_text("“>” cannot be sent (character 3).")
    expect(page.locator("#text")).to_have_value("a > b")  # nothing changes by itself
    page.locator("[data-fix]").first.click()
    expect(page.locator("#text")).to_have_value("a › b")
    page.locator("#at").fill("0:51")
    page.get_by_role("button", name="One second later").click()
    expect(page.locator("#at")).to_have_value("0:52")
    expect(page.locator("[data-transport] [data-clock]")).to_have_text("0:52")  # the picture is where the comment is
    expect(page.locator(".marker--draft")).to_have_attribute("data-t", "52")
    page.locator("#text").fill("")
    expect(page.locator(".marker--draft")).to_have_count(0)
    page.locator("summary", has_text="Player settings").click()
    page.get_by_label("Pause the video while I type").uncheck()
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("#text").press_sequentially("on and on")
    expect(playing).to_be_visible()


def test_a_typed_time_takes_the_picture_there_in_each_form_that_the_server_reads(enter: Callable[..., Page]) -> None:
    page = enter()
    for typed in ("0:41", "52", "0m41s", "52 s", "1M2", "00:00:41:12", "00:01:02;24"):
        second = rules.parse_clock(typed)
        assert second
        page.locator("#at").fill(typed)
        page.locator("#at").press("Tab")
        expect(page.locator("[data-seek]"), typed).to_have_value(str(second))


def test_the_counter_and_the_name_are_judged_while_they_are_typed(enter: Callable[..., Page]) -> None:
    page = enter()
    count, wrong = page.locator("#count"), page.locator("#name-error")
    expect(page.locator("#name")).to_be_hidden()  # asked with the first words
    page.locator("#text").fill("x" * 399)
    expect(page.locator("#name")).to_be_visible()
    expect(count).to_be_hidden()
    page.locator("#text").fill("x" * 400)
    expect(count).to_have_text("400 of 500")
    page.locator("#text").fill("x" * 499 + "🎬")  # two for whoever counts in units of 16 bits
    expect(count).to_have_text("501 of 500")
    expect(count).to_have_class(re.compile("--over"))
    page.locator("#name").fill("Ana D'Ávila")
    expect(wrong).to_have_text("Remove “'” from your name (character 6).")
    expect(page.locator("#name")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Use “Ana DÁvila”").click()
    expect(page.locator("#name")).to_have_value("Ana DÁvila")
    expect(page.locator("#name")).to_be_focused()
    expect(wrong).to_be_hidden()
    expect(page.locator("[data-fix-name]").first).to_be_hidden()
    page.locator("#name").fill("Ana/D'Ávila")
    page.get_by_role("button", name="Use “Ana DÁvila”").click()
    page.locator("#name").fill("Ana D Ávila_2.@-")
    expect(wrong).to_be_hidden()
    expect(page.locator("#name")).not_to_have_attribute("aria-invalid", "true")


def test_markers_show_what_they_stand_for_and_groups_let_choose(enter: Callable[..., Page]) -> None:
    page = enter()
    peek = page.locator("[data-peek]")
    page.locator("#markers [data-t='46']").hover()
    expect(peek).to_contain_text("Could we see the cup a beat earlier?")
    page.locator("h1").hover()
    expect(peek).to_be_hidden()
    group = page.locator(".marker--group.is-open").first
    expect(group).to_have_attribute("aria-expanded", "false")
    group.click()
    expect(group).to_have_attribute("aria-expanded", "true")
    choices = peek.locator("a")
    assert choices.count() == int(group.inner_text().split()[0])
    choices.nth(1).click()
    expect(page.locator(".thread--active")).to_be_focused()
    expect(page).to_have_url(re.compile("#c-"))
    expect(peek).to_be_hidden()


def test_a_full_video_takes_replies_only(enter: Callable[..., Page], cast: dict[str, Any]) -> None:
    page = enter(address=f"/{cast['review_links']['full']}")
    expect(page.locator("#composer")).to_contain_text("All comments of this video are used.")
    assert page.locator("#text").count() == 0
    expect(page.locator("#threads article [data-reply]").first).to_be_visible()


def test_filters_and_search_keep_the_picture_and_live_in_the_address(enter: Callable[..., Page]) -> None:
    page = enter()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("window.still = true")
    page.locator("#chips [data-show=open]").click()
    page.wait_for_url("**?show=open")
    expect(page.locator("#threads .is-resolved")).to_have_count(0)
    page.go_back()
    expect(page.locator("#chips [data-show=all]")).to_have_attribute("aria-current", "true")
    page.locator("#q").fill("nobody ever wrote this")
    expect(page.locator("#empty")).to_contain_text("No comment matches")
    page.get_by_role("link", name="Show all comments").click()
    page.locator("#by").select_option("Jonas Weber")
    page.wait_for_url("**?by=Jonas*")
    page.locator("#sort").select_option("newest")
    page.wait_for_url("**sort=newest*")
    page.locator("#threads article [data-copy]").first.click()
    expect(page.locator("#toasts")).to_contain_text("Link copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"\?t=\d+#c-[0-9a-f-]{36}$", copied)
    assert page.evaluate("window.still") is True


def test_it_fits_a_phone_and_stays_above_its_keyboard(enter: Callable[..., Page], speak: Speak) -> None:
    page = enter(viewport=PHONE, has_touch=True)
    for language in ("pt-br", "es", "en"):
        speak(page, language)
        page.reload()
        assert sideways(page) == [], language
    expect(page.locator("#name")).to_be_hidden()  # at rest the composer is one line
    expect(page.get_by_role("button", name="Post comment")).to_be_hidden()
    page.locator("#text").tap()
    expect(page.locator("#name")).to_be_visible()
    page.locator("#threads > li").last.scroll_into_view_if_needed()
    page.set_viewport_size({"width": 390, "height": 460})
    for part in ("#text", ".stage video"):
        box = page.locator(part).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= 460, part
    page.set_viewport_size({"width": 320, "height": 640})
    post(page, "From a phone.")
    assert sideways(page) == []
    page.locator(".transport summary").tap()
    menu = page.locator(".settings").bounding_box()
    assert menu and menu["x"] >= 0 and menu["x"] + menu["width"] <= 320 and menu["y"] >= 0
    for control in ("Speed", "In", "Out", "+1 s", "Next frame"):
        expect(page.locator(".settings").get_by_text(control, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("[data-do=full]").tap()
    expect(page.locator(":root:fullscreen .stage")).to_be_visible()
    page.locator(".transport summary").tap()
    menu = page.locator(".settings").bounding_box()
    assert menu and menu["y"] >= 0 and menu["y"] + menu["height"] <= 640


def test_everything_works_without_javascript(enter: Callable[..., Page], complaints: Complaints) -> None:
    complaints.expected.append("422")
    page = enter("?t=42", java_script_enabled=False, viewport=PHONE)
    expect(page.locator("video")).to_have_attribute("controls", "")
    expect(page.locator("#at")).to_have_value("0:42")
    expect(page.get_by_role("button", name="Draw")).to_have_count(0)
    expect(page.locator("#threads").get_by_role("button", name="Loop")).to_have_count(
        0
    )  # offers nothing that cannot work
    page.locator("#markers a").first.click()
    expect(page).to_have_url(re.compile("#c-"))
    page.locator("#at").fill("0:14")
    write(page, "No script at all, <b>.")
    page.get_by_role("button", name="Post comment").click()
    expect(page.locator("#text-error")).to_contain_text("Write “‹” instead of “<” (character 19)")
    expect(page.locator("#at")).to_have_value("0:14")
    page.locator("#text").fill("No script at all.")
    page.get_by_role("button", name="Post comment").click()
    mine = page.locator("#threads [data-mine]")
    expect(mine).to_contain_text("No script at all.")
    expect(mine.locator(".timecode")).to_have_text("0:14")
    mine.get_by_role("link", name="Edit").click()
    page.locator("#edit textarea").fill("Still no script.")
    page.get_by_role("button", name="Save changes").click()
    expect(mine).to_contain_text("Still no script.")
    mine.get_by_role("link", name="Reply").click()
    page.locator("#reply textarea").fill("Answering myself.")
    page.get_by_role("button", name="Post reply").click()
    expect(page.locator(".replies")).to_contain_text(["Answering myself."])
    thread = page.locator("#threads article[data-mine]")
    thread.get_by_role("button", name="Resolve", exact=True).click()
    folded = page.locator("#threads details[data-mine]")
    folded.locator("summary").first.click()
    folded.get_by_role("button", name="Reopen").click()
    expect(thread).to_have_count(1)
    page.locator("#chips").get_by_role("link", name="Mine").click()
    expect(page.locator("#threads > li")).to_have_count(1)
    page.locator("#q").fill("answering")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#threads > li")).to_have_count(1)
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    assert "Still no script." in saved.value.path().read_text()
    page.locator("summary", has_text="Export").click()
    thread.get_by_role("link", name="Withdraw").first.click()
    page.get_by_role("button", name="Withdraw comment").click()
    expect(page.locator("#threads details[data-mine]")).to_contain_text("Withdrawn by its writer.")


def test_axe_finds_nothing_in_any_state(
    enter: Callable[..., Page], cast: dict[str, Any], axe: FindingsOf, complaints: Complaints
) -> None:
    complaints.expected += ["410", "403"]
    links = cast["review_links"]
    page = enter(f"?t=20&by={quote('Jonas Weber')}")  # few threads, and everything that can stand open
    page.locator("#threads article [data-reply]").first.click()
    page.locator("#threads details summary").first.click()
    write(page, "a > b")
    assert axe(page) == []
    page.get_by_role("button", name="Shortcuts").click()
    assert axe(page) == []
    for name in ("view_only", "hidden_resolved", "expired", "inactive"):
        page.goto(f"/{links[name]}")
        assert axe(page) == [], name
    page.goto(f"/{links['open']}/finish")
    assert axe(page) == []
