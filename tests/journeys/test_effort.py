"""What the common results cost a person: taps or clicks, key presses and seconds, counted as they are done and bounded.

Words typed are counted apart: they are what the person came to say. `pytest -n 0 -s tests/journeys/test_effort.py` prints a
line for each; with EFFORT_FILE it is also appended there, as JSON.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.notices.models import Subscription
from dashboard.sandbox.models import ReviewComment
from review_portal.models import Comment, CommentDrawing, Decision
from tests.journeys.conftest import PHONE, OpenBrowser, wait_until
from tests.journeys.test_inbox import COMMENTS, INBOX, open_inbox, opened, statuses, thirty
from tests.journeys.test_review_cuts import cuts
from tests.journeys.test_review_draw import touch
from tests.journeys.test_review_transcript import ROWS
from tests.notices.conftest import MAILBOX, work

__all__ = ["cuts", "thirty"]
ON_A_PHONE: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


@dataclass
class Effort:
    """Counts what one person does. Everything goes through it: what it did not see was not done."""

    task: str
    taps: int = 0
    keys: int = 0
    characters: int = 0
    began_at: float = field(default_factory=time.monotonic)

    def tap(self, control: Locator) -> None:
        """One tap on a phone."""
        self.taps += 1
        control.tap()

    def click(self, control: Locator) -> None:
        """One click of a mouse."""
        self.taps += 1
        control.click()

    def press(self, page: Page, keys: str) -> None:
        """One key, or keys held together."""
        self.keys += 1
        page.keyboard.press(keys)

    def type(self, page: Page, words: str) -> None:
        """The person's own words, where the focus is."""
        self.characters += len(words)
        page.keyboard.type(words)


@pytest.fixture
def count(
    request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> Iterator[Callable[..., Effort]]:
    """Begins to count a task; what it took is printed and kept when it has ended."""
    efforts: list[Effort] = []

    def begin(task: str) -> Effort:
        efforts.append(Effort(task))
        return efforts[-1]

    yield begin
    for effort in efforts:
        row = {
            "task": effort.task, "taps": effort.taps, "keys": effort.keys, "characters": effort.characters,
            "seconds": round(time.monotonic() - effort.began_at, 1),
        }  # fmt: skip
        record_property(effort.task, row)
        line = "\n{task}: {taps} taps, {keys} key presses, {characters} characters, {seconds} s"
        sys.stdout.write(line.format(**row))
        if path := os.environ.get("EFFORT_FILE"):
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


Count = Callable[..., Effort]


def enter(page: Page, address: str) -> None:
    """The room with everything read and the film there: what is counted begins here."""
    page.goto(address)
    page.locator("#threads article").first.wait_for()
    wait_until(page, lambda: page.evaluate("document.querySelector('video').readyState > 1"), "the film")


def test_first_comment_on_a_phone_takes_four_taps_and_the_words(
    open_browser: OpenBrowser, link: str, count: Count
) -> None:
    page = open_browser(**ON_A_PHONE)
    enter(page, f"{link}?fresh=1")
    effort = count("First comment on a phone")
    effort.tap(page.locator(".stage__play"))
    effort.tap(page.locator("#text"))
    effort.type(page, "The logo is late.")
    effort.tap(page.locator("#name"))
    effort.type(page, "Ana Prado")
    effort.tap(page.get_by_role("button", name="Post comment"))
    page.locator("#threads").get_by_text("The logo is late.").wait_for(state="attached")  # after the hold, by itself
    assert (effort.taps, effort.keys) == (4, 0)
    assert ReviewComment.objects.filter(text="The logo is late.").count() == 1


def wait_for_next(page: Page, before: str) -> None:
    wait_until(page, lambda: opened(page) not in ("", before), "the next row opens")


def test_thirty_comments_are_gone_through_in_fewer_than_45_key_presses(
    desk: OpenBrowser, thirty: str, count: Count
) -> None:
    page = desk()
    open_inbox(page, thirty)
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    effort = count("Triage of 30 comments, 5 of them answered")
    for place in range(COMMENTS):
        here = opened(page)
        if place % 5 == 4 and place < COMMENTS - 1:
            effort.press(page, "r")
            effort.type(page, f"Done, {place}.")
            effort.press(page, "Shift+Control+Enter")
        else:
            effort.press(page, "e")
        if place < COMMENTS - 1:
            wait_for_next(page, here)
    wait_until(page, lambda: set(statuses(thirty)) == {"resolved"}, "everything is resolved")
    assert ReviewComment.objects.filter(video_id=thirty, text__startswith="Done, ").count() == 5
    assert effort.keys < 45 and effort.taps == 0
    page.goto(f"{INBOX}?video={thirty}")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()


def test_one_comment_is_answered_and_resolved_by_two_key_presses_and_the_words(
    desk: OpenBrowser, thirty: str, count: Count
) -> None:
    page = desk()
    open_inbox(page, thirty)
    wait_until(page, lambda: opened(page), "the first row opens by itself")
    here = opened(page)
    effort = count("Answer and resolve one comment")
    effort.press(page, "r")
    effort.type(page, "Done in the next cut.")
    effort.press(page, "Shift+Control+Enter")
    wait_for_next(page, here)
    comment = ReviewComment.objects.get(pk=here)
    wait_until(page, lambda: ReviewComment.objects.get(pk=here).status == "resolved", "it is resolved")
    assert ReviewComment.objects.get(reply_to=comment).text == "Done in the next cut."
    assert (effort.taps, effort.keys) == (0, 2)


def test_approval_with_a_note_takes_five_taps_and_the_words_on_a_phone(
    open_browser: OpenBrowser, link: str, count: Count
) -> None:
    page = open_browser(**ON_A_PHONE)
    enter(page, link)
    effort = count("Approve with a note on a phone, as somebody new")
    effort.tap(page.get_by_role("link", name="Finish review"))
    effort.tap(page.locator(".decision__choice", has=page.get_by_role("radio", name="Approve with changes")))
    effort.tap(page.get_by_label("What must change"))
    effort.type(page, "Lower the wordmark.")
    effort.tap(page.get_by_label("Your name"))
    effort.type(page, "Ana Prado")
    effort.tap(page.get_by_role("button", name="Send decision"))
    expect(page.get_by_role("heading", name="You approved this video with changes")).to_be_visible()
    assert (effort.taps, effort.keys) == (5, 0)
    assert Decision.objects.get().note == "Lower the wordmark."


def test_comment_on_a_sentence_takes_four_clicks_and_the_words(
    open_browser: OpenBrowser, link: str, count: Count
) -> None:
    page = open_browser()
    enter(page, link)
    effort = count("Comment on a sentence of the transcript, as somebody new")
    effort.click(page.get_by_role("link", name="Transcript"))
    effort.click(page.locator(f"{ROWS}[data-n='5'] [data-quote]"))
    expect(page.locator("#text")).to_be_focused()
    effort.type(page, "Say it slower.")
    effort.click(page.locator("#name"))
    effort.type(page, "Ana Prado")
    effort.click(page.get_by_role("button", name="Post comment"))
    wait_until(page, Comment.objects.filter(reviewer__name="Ana Prado").exists, "the comment is sent after the hold")
    text = Comment.objects.get(reviewer__name="Ana Prado").text
    assert text.startswith("0:22-0:") and "Say it slower." in text
    assert (effort.taps, effort.keys) == (4, 0)


def test_arrow_is_drawn_and_posted_by_five_key_presses_and_the_words(
    open_browser: OpenBrowser, link: str, count: Count
) -> None:
    page = open_browser()
    enter(page, f"{link}?t=42")
    effort = count("Draw an arrow and post, by keyboard, as somebody new")
    effort.press(page, "d")
    expect(page.locator(".stage[role=group]")).to_be_focused()
    effort.press(page, "Enter")
    effort.press(page, "Escape")
    expect(page.locator("#text")).to_be_focused()
    effort.type(page, "Lower it to the arrow.")
    effort.press(page, "Tab")
    expect(page.locator("#name")).to_be_focused()
    effort.type(page, "Ana Prado")
    effort.press(page, "Control+Enter")
    wait_until(page, CommentDrawing.objects.exists, "the drawing is sent with its comment")
    assert (effort.taps, effort.keys) == (0, 5)


def test_arrow_is_drawn_and_posted_by_five_touches_and_the_words_on_a_phone(
    open_browser: OpenBrowser, link: str, count: Count
) -> None:
    page = open_browser(**ON_A_PHONE)
    enter(page, f"{link}?t=42")
    effort = count("Draw an arrow and post, on a phone, as somebody new")
    effort.tap(page.get_by_role("button", name="Draw", exact=True))
    expect(page.locator(".draw-bar")).to_be_visible()
    touch(page, [(0.5, 0.5), (0.5, 0.7), (0.5, 0.85)])
    effort.taps += 1
    effort.tap(page.get_by_role("button", name="Done"))
    expect(page.locator("#text")).to_be_focused()
    effort.type(page, "Lower it to the arrow.")
    effort.tap(page.locator("#name"))
    effort.type(page, "Ana Prado")
    effort.tap(page.get_by_role("button", name="Post comment"))
    wait_until(page, CommentDrawing.objects.exists, "the drawing is sent with its comment")
    assert ReviewComment.objects.filter(text__startswith="Lower it to the arrow.").count() == 1
    assert (effort.taps, effort.keys) == (5, 0)


def test_two_cuts_play_beside_each_other_after_two_clicks(
    open_browser: OpenBrowser, cuts: tuple[str, str], count: Count
) -> None:
    page = open_browser()
    enter(page, cuts[1])
    effort = count("Compare two cuts, until both play in step")
    effort.click(page.get_by_role("link", name="Compare with cut 1"))
    page.wait_for_url("**/compare*")
    wait_until(
        page,
        lambda: page.evaluate("[...document.querySelectorAll('.pane video')].every(video => video.readyState > 2)"),
        "both films are there",
    )
    effort.press(page, "Space")
    expect(page.locator("[data-in-step-word]")).to_contain_text("In step")
    wait_until(
        page,
        lambda: page.evaluate("[...document.querySelectorAll('.pane video')].every(video => video.currentTime > 0.5)"),
        "both play",
    )
    assert effort.taps + effort.keys == 2


def test_what_was_open_on_the_cut_before_is_answered_by_one_key_for_each_and_a_click(
    open_browser: OpenBrowser, cuts: tuple[str, str], count: Count
) -> None:
    page = open_browser()
    enter(page, cuts[1])
    effort = count("Answer what was open on the cut before, 3 comments, as somebody new")
    effort.click(page.get_by_role("link", name="From cut 1"))
    page.locator("[data-save]").wait_for()
    for key in ("y", "Shift+Y", "y"):
        effort.press(page, key)
    effort.click(page.get_by_label("Your name"))
    effort.type(page, "Jonas Weber")
    effort.press(page, "Enter")
    expect(page.get_by_text("Your answers are saved.")).to_be_visible()
    assert (effort.taps, effort.keys) == (2, 4)


def test_answers_are_heard_of_by_mail_after_five_taps_and_the_address(
    open_browser: OpenBrowser, desk: OpenBrowser, link: str, cast: dict[str, Any], count: Count
) -> None:
    page = open_browser(**ON_A_PHONE)
    enter(page, link)
    page.locator("#text").fill("Hold the cup one beat longer.")
    page.locator("#name").fill("Ana Prado")
    page.get_by_role("button", name="Post comment").tap()
    work(6)
    summary = page.locator("#email-offer summary")
    expect(summary).to_be_visible()
    effort = count("Hear of answers by mail, after a comment, with the confirmation")
    effort.tap(summary)
    effort.tap(page.locator("#email-offer #address"))
    effort.type(page, "ana@example.com")
    effort.tap(page.locator("#email-offer").get_by_role("button", name="Get answers by e-mail"))
    expect(page.locator("#email")).to_contain_text("Press the button in the e-mail to a…@example.com")
    work()
    mailbox = desk(has_touch=True)
    mailbox.goto(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")
    mailbox.goto(MAILBOX)
    effort.tap(mailbox.frame_locator("iframe").get_by_role("link", name="Confirm address"))
    effort.tap(mailbox.get_by_role("button", name="Confirm address"))
    expect(mailbox.locator("h1")).to_have_text("Your address is confirmed")
    assert Subscription.objects.get().is_on
    assert (effort.taps, effort.keys) == (5, 0)
