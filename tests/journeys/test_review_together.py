"""Two browsers at one moment: decisions, cuts that their owner moves, and a comment that two carry over."""

from typing import Any
from uuid import UUID

from playwright.sync_api import Page, expect

from dashboard.sandbox import models as platform
from review_portal.models import CutCheck, Decision
from tests.journeys.conftest import OpenBrowser, wait_until
from tests.journeys.test_review_cuts import STATE, cuts

__all__ = ["cuts"]
INBOX = "/dashboard/review-links/inbox/?show=decisions"
ROUND, CHANGES = "You want to review the next cut.", "Approve with changes"
SEND = "form => form.requestSubmit()"
"""A press that does not wait for what it leads to."""


def fill_decision(page: Page, verdict: str, note: str, name: str) -> None:
    page.get_by_role("radio", name=verdict).check()
    page.get_by_label("What must change").fill(note)
    page.get_by_label("Your name").fill(name)


def test_two_reviewers_decide_at_once_and_their_owner_sees_each_once(
    open_browser: OpenBrowser, desk: OpenBrowser, link: str
) -> None:
    pages = {"Ana Prado": open_browser(), "Jonas Weber": open_browser()}
    for name, page in pages.items():
        page.goto(f"{link}/finish")
        fill_decision(page, ROUND, f"{name} wants more.", name)
    for page in pages.values():
        page.locator("[data-decision]").evaluate(SEND)
    for name, page in pages.items():
        expect(page.get_by_role("heading", name="You asked for another round")).to_be_visible()
        page.goto(f"{link}/finish")
        for other in pages:
            expect(page.locator(".decisions > li", has_text=other)).to_have_count(1)
        expect(page.locator(".decisions")).to_contain_text(f"{name} (you)")
    owner = desk()
    owner.goto(INBOX)
    for name in pages:
        expect(owner.locator("[data-row]", has_text=f"{name} wants more.")).to_have_count(1)
    assert sorted(Decision.objects.values_list("name", flat=True)) == sorted(pages)


def test_one_reviewer_decides_in_two_tabs_and_the_last_decision_counts_once(
    open_browser: OpenBrowser, desk: OpenBrowser, link: str
) -> None:
    first = open_browser()
    first.goto(f"{link}/finish")
    fill_decision(first, CHANGES, "Lower the wordmark.", "Ana Prado")
    first.get_by_role("button", name="Send decision").click()
    first.get_by_role("link", name="Change decision").click()
    second = first.context.new_page()
    second.goto(first.url)
    fill_decision(first, CHANGES, "From the first tab.", "Ana Prado")
    fill_decision(second, ROUND, "From the second tab.", "Ana Prado")
    first.locator("[data-decision]").evaluate(SEND)
    expect(first.get_by_role("heading", name="You approved this video with changes")).to_be_visible()
    second.locator("[data-decision]").evaluate(SEND)
    expect(second.get_by_role("heading", name="You asked for another round")).to_be_visible()
    first.reload()
    expect(first.get_by_role("heading", name="You asked for another round")).to_be_visible()
    expect(first.locator(".decisions > li", has_text="Ana Prado")).to_have_count(1)
    owner = desk()
    owner.goto(INBOX)
    expect(owner.locator("[data-row]", has_text="Ana Prado")).to_have_count(1)
    expect(owner.locator("[data-row]", has_text="Ana Prado")).to_contain_text("From the second tab.")


def test_comment_of_the_cut_before_that_two_carry_over_at_once_is_added_once(
    open_browser: OpenBrowser, cuts: tuple[str, str]
) -> None:
    _before, after = cuts
    pages = {"Ana Prado": open_browser(), "Jonas Weber": open_browser()}
    for name, page in pages.items():
        page.goto(f"{after}/from-cut")
        page.locator(".check").first.get_by_text("Not fixed", exact=True).click()
        page.get_by_label("Your name").fill(name)
    for page in pages.values():
        page.locator("[data-checks]").evaluate(SEND)
    for page in pages.values():
        expect(page.locator(".check").first).to_contain_text("Not fixed")
        expect(page.get_by_text("3 comments, 1 checked")).to_be_visible()
        expect(page.get_by_text("Your answers are saved.")).to_be_visible()
    carried = platform.ReviewComment.objects.filter(video__review_links=UUID(after[1:]), text__contains="in cut 1")
    wait_until(page, lambda: carried.count() == 1, "it is added")
    assert CutCheck.objects.count() == 1


def test_cuts_that_their_owner_moves_disturb_nobody_and_take_no_answer_about_another_cut(
    open_browser: OpenBrowser, desk: OpenBrowser, cuts: tuple[str, str], complaints: Any
) -> None:
    """A room, a comparison and a list are open while the owner puts this cut before the other one."""
    complaints.expected.append("409")
    _before, after = cuts
    room, compared, listed = open_browser(), open_browser(), open_browser()
    room.goto(after)
    compared.goto(f"{after}/compare")
    listed.goto(f"{after}/from-cut")
    room.locator("#text").fill("Half a sentence")
    expect(compared.locator("[data-in-step-word]")).to_have_text("In step")
    for page in (compared, listed):
        page.locator(".check").first.get_by_text("Not fixed", exact=True).click()
        page.get_by_label("Your name").fill("Ana Prado")
    owner = desk()
    owner.goto(f"/dashboard/review-links{after}/")
    owner.get_by_role("button", name="Earlier").first.click()
    expect(owner.locator(".cut-list > li[aria-current]")).to_contain_text("1")
    compared.keyboard.press("Escape")
    compared.locator("main").focus()
    compared.keyboard.press(" ")
    wait_until(compared, lambda: compared.evaluate(STATE)[1] > 0.5, "both still play")
    for page in (compared, listed):
        page.locator("[data-save]").click()
        expect(page.get_by_role("alert").filter(has_text="The owner changed the order of the cuts")).to_be_visible()
        page.wait_for_load_state()
    assert not CutCheck.objects.exists()
    expect(room.locator("#text")).to_have_value("Half a sentence")
    room.locator("#name").fill("Jonas Weber")
    room.locator("#text").press("Control+Enter")
    expect(room.locator("#outbox")).to_contain_text("Half a sentence")
    room.reload()
    expect(room.get_by_role("link", name="Open cut 2")).to_be_visible()
    expect(room.locator("#threads")).to_contain_text("Half a sentence")
    owner.get_by_role("button", name="Later").first.click()
    expect(owner.locator(".cut-list > li[aria-current]")).to_contain_text("2")
    listed.goto(f"{after}/from-cut")
    expect(listed.locator(".check").first.get_by_label("Not fixed", exact=True)).to_be_checked()
    listed.get_by_label("Your name").fill("Ana Prado")
    listed.locator("[data-save]").click()
    expect(listed.get_by_text("Your answers are saved.")).to_be_visible()
    listed.goto(f"{after}/from-cut")
    assert CutCheck.objects.count() == 1 and listed.evaluate("localStorage.length") >= 0
