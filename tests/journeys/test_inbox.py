"""The inbox in a real browser: several at once by keyboard, nothing typed lost, a phone."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from dashboard.sandbox.models import ReviewComment
from dashboard.sandbox.models import ReviewLink as PlatformLink
from tests.journeys.conftest import PHONE, Complaints, FindingsOf, OpenBrowser, Speak, sideways, wait_until

INBOX = "/dashboard/review-links/inbox/"
COMMENTS = 30


@pytest.fixture
def thirty(cast: dict[str, Any]) -> str:
    """A video with thirty open comments, as many as the platform takes, and its only link. Returns the video's id."""
    video, now = cast["videos"]["plain"], timezone.now()
    PlatformLink.objects.create(video_id=video, name="Cut 1", expires_at=now + timedelta(days=3))
    ReviewComment.objects.bulk_create(
        ReviewComment(
            video_id=video, token=uuid.uuid4(), text=f"Comment number {place}.", user_name="Ana Prado", time=place // 4,
            created_at=now - timedelta(minutes=90 - place), updated_at=now - timedelta(minutes=90 - place),
        )
        for place in range(COMMENTS)
    )  # fmt: skip
    return str(video)


def open_inbox(page: Page, video: str, query: str = "") -> None:
    """The inbox of one video, whose comments have been read."""

    def has_read() -> bool:
        page.goto(f"/dashboard/review-links/videos/{video}/")
        return page.locator("article.thread").count() > 0

    wait_until(page, has_read, "its comments are read")
    page.goto(f"{INBOX}?video={video}{query}")


def opened(page: Page) -> str:
    return page.locator("#thread").get_attribute("data-item") or ""


def statuses(video: str) -> list[str]:
    return list(ReviewComment.objects.filter(video_id=video, reply_to=None).values_list("status", flat=True))


BRING_ANEW = """() => {
    const row = document.querySelector("[data-row]:has(:checked)");
    const anew = row.outerHTML.replace("<li ", '<li hx-swap-oob="true" ');
    htmx.swap("#inbox-opener", anew, { swapStyle: "none" }, {});
}"""
"""An answer brings one of the selected rows anew, without its tick, just before a key is pressed."""


def test_several_are_chosen_resolved_and_undone_by_keyboard_and_the_list_keeps_its_order(
    desk: OpenBrowser, thirty: str
) -> None:
    page = desk()
    open_inbox(page, thirty)
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    order = page.locator("[data-row]").evaluate_all("rows => rows.map(row => row.dataset.row)")
    expect(page.locator("[data-bulk]")).to_be_hidden()
    for key in ("x", "j", "x", "j", "x"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Resolve 3")).to_be_visible()
    page.evaluate(BRING_ANEW)
    page.keyboard.press("e")
    expect(page.locator("#toasts")).to_contain_text("Resolved 3 comments.")
    assert statuses(thirty).count("resolved") == 3
    assert page.locator("[data-row]").evaluate_all("rows => rows.map(row => row.dataset.row)") == order
    expect(page.locator(".inbox-row .badge.is-resolved")).to_have_count(3)
    expect(page.locator("#count-inbox")).to_contain_text("unanswered")
    page.keyboard.press("z")
    expect(page.locator("#toasts")).to_contain_text("Reopened 3 comments.")
    wait_until(page, lambda: statuses(thirty).count("resolved") == 0, "undone on the platform")
    page.keyboard.press("u")
    expect(page.locator("#toasts")).to_contain_text("Marked 1 as unread.")
    expect(page.locator(".inbox-row--unread[aria-current=true]")).to_have_count(1)
    for _held in range(3):
        page.keyboard.down("e")
    page.keyboard.up("e")
    wait_until(page, lambda: statuses(thirty).count("resolved") == 1, "a key that is held down resolves one")
    expect(page.locator("#inbox-undo form")).to_have_count(2)  # with that of the mark
    page.keyboard.press("e")
    wait_until(page, lambda: statuses(thirty).count("resolved") == 2, "the next press resolves the next one")
    expect(page.locator("#inbox-undo form")).to_have_count(3)
    page.keyboard.press("z")
    page.keyboard.press("z")
    wait_until(page, lambda: statuses(thirty).count("resolved") == 0, "two presses undo both")


def test_what_is_typed_survives_another_row_a_reload_a_refusal_and_the_end_of_the_session(
    desk: OpenBrowser, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    open_inbox(page, cast["videos"]["reviewed"])
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    box = page.locator("#answer-text")
    page.keyboard.press("r")
    expect(box).to_be_focused()
    page.keyboard.type("Use the <other> take.")
    page.keyboard.press("Escape")
    first = opened(page)
    page.keyboard.press("j")
    wait_until(page, lambda: opened(page) != first, "another row opens")
    expect(box).to_have_value("")
    page.keyboard.press("k")
    wait_until(page, lambda: opened(page) == first, "back at the first row")
    expect(box).to_have_value("Use the <other> take.")
    page.reload()
    expect(box).to_have_value("Use the <other> take.")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.locator(".field__error").first).to_contain_text("it cannot be sent")
    expect(box).to_have_value("Use the <other> take.")
    expect(box).to_be_focused()  # else its next letters were keys of the row
    box.fill("Use the other take.")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page).to_have_url(re.compile("/sign-in/"))
    page.get_by_label("API token").fill(cast["tokens"]["owner"])
    page.locator("form[action^='/sign-in/'] button[type=submit]").first.click()
    expect(page.get_by_text("You were signed out before it was sent")).to_be_visible()
    expect(box).to_have_value("Use the other take.")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Reply posted.")
    assert ReviewComment.objects.filter(text="Use the other take.").count() == 1
    expect(box).to_have_value("")


def test_what_is_typed_while_a_reply_is_on_its_way_stays(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    open_inbox(page, cast["videos"]["reviewed"])
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    first, box = opened(page), page.locator("#answer-text")
    under_way: list[Route] = []
    page.route(re.compile("/answer/"), lambda route: under_way.append(route))
    box.click()
    page.keyboard.type("Done.")
    page.keyboard.press("Control+Enter")
    wait_until(page, lambda: len(under_way) == 1, "the reply is on its way")
    page.keyboard.type(" Here, see")
    under_way[0].continue_()
    expect(page.locator("#toasts")).to_contain_text("Reply posted.")
    expect(box).to_have_value("Here, see")
    expect(box).to_be_focused()
    page.keyboard.press("Control+Enter")
    wait_until(page, lambda: len(under_way) == 2, "the second reply is on its way")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    wait_until(page, lambda: opened(page) != first, "another row opens meanwhile")
    second = opened(page)
    under_way[1].continue_()
    wait_until(page, lambda: ReviewComment.objects.filter(text="Here, see").exists(), "it arrives")
    expect(page.locator("#toasts .toast")).to_have_count(2)
    assert opened(page) == second
    assert second in page.url
    page.keyboard.press("k")
    wait_until(page, lambda: opened(page) == first, "back at the first row")
    expect(box).to_have_value("")
    assert ReviewComment.objects.filter(text="Done.").count() == 1


def test_the_video_plays_beside_the_comment_and_times_seek_it(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    open_inbox(page, cast["videos"]["reviewed"], "&show=all")
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    video = page.locator("#thread video")
    page.locator("#thread [data-seek]").click()
    second = int(page.locator("#thread [data-film]").get_attribute("data-start") or 0)
    wait_until(page, lambda: abs(video.evaluate("film => film.currentTime") - second) < 1, "it stands at the moment")
    video.evaluate("film => { window.sameFilm = film; }")
    first = opened(page)
    page.keyboard.press("j")
    wait_until(page, lambda: opened(page) != first, "the next row opens")
    wait_until(page, lambda: page.locator("#thread video").evaluate("film => film === window.sameFilm"), "one film")
    page.keyboard.press(" ")
    wait_until(page, lambda: not page.locator("#thread video").evaluate("film => film.paused"), "it plays")
    page.keyboard.press(" ")
    wait_until(page, lambda: page.locator("#thread video").evaluate("film => film.paused"), "it stops")


def test_a_saved_reply_is_made_and_inserted(desk: OpenBrowser, cast: dict[str, Any]) -> None:
    page = desk()
    open_inbox(page, cast["videos"]["reviewed"])
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    page.locator("#answer-text").fill("Fixed in the next cut.")
    page.locator("#thread summary", has_text="Saved replies").click()
    page.get_by_role("button", name="Save this text as a reply").click()
    expect(page.locator("#toasts")).to_contain_text("Saved.")
    expect(page.locator("#answer-text")).to_have_value("Fixed in the next cut.")
    page.locator("#answer-text").fill("Hi Priya.")
    page.locator("#thread summary", has_text="Saved replies").click()
    page.get_by_role("button", name="Fixed in the next cut.").click()
    expect(page.locator("#answer-text")).to_have_value("Hi Priya. Fixed in the next cut.")
    expect(page.locator("#answer-text")).to_be_focused()


@pytest.mark.smoke
def test_on_a_phone_the_thread_has_its_own_page_and_back_leads_to_its_row(
    desk: OpenBrowser, cast: dict[str, Any]
) -> None:
    page = desk(viewport=PHONE, has_touch=True)
    open_inbox(page, cast["videos"]["reviewed"])
    expect(page.locator("#thread")).to_be_hidden()
    row = page.locator("[data-row]").nth(3)
    key = row.get_attribute("data-row")
    row.locator(".inbox-row__link").tap()
    expect(page).to_have_url(re.compile(f"{INBOX}{key}/"))
    expect(page.locator("[data-picks]")).to_be_hidden()
    page.locator("#thread .inbox__steps a").first.tap()
    expect(page).to_have_url(re.compile(f"#row-{key}$"))
    expect(page.locator(f"#row-{key}")).to_be_in_viewport()
    page.locator(f"#open-{key}").tap()
    page.locator("#answer-text").fill("Lowered.")
    page.get_by_role("button", name="Reply and resolve").tap()
    wait_until(page, lambda: opened(page) not in ("", key), "the next row opens")
    expect(page).not_to_have_url(re.compile(str(key)))
    assert ReviewComment.objects.get(pk=str(key)).status == "resolved"


def test_every_page_of_the_inbox_fits_a_phone_and_axe_finds_nothing(
    desk: OpenBrowser, cast: dict[str, Any], axe: FindingsOf, speak: Speak
) -> None:
    page = desk(has_touch=True)
    open_inbox(page, cast["videos"]["reviewed"])
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    found = [f"open {finding}" for finding in axe(page)]
    first = page.locator(".inbox-row__link").first.get_attribute("href")
    speak(page, "es")  # its words are the longest
    for address in (INBOX, f"{INBOX}?show=decisions", f"{INBOX}?q=nothing+like+it", first, f"{INBOX}answers/"):
        page.set_viewport_size(PHONE)
        page.goto(address or INBOX)
        found += [f"{address} scrolls sideways at {width}" for width in sideways(page)]
        for menu in page.locator("main details.menu > summary").all():
            if menu.is_visible():
                menu.click()
        found += [f"{address} {finding}" for finding in axe(page)]
    assert not found, "\n".join(found)
