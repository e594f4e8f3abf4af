"""Generate AI content of a video, watch its job end without a reload, delete its quiz, and bring that back from its version."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.sandbox.clock import Frozen
from tests.forgetting import forget
from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser, sideways

DELETE_QUIZ = re.compile("Delete.*Quiz")


def generate(page: Page, video: str) -> None:
    page.goto(f"/dashboard/ai-content/{video}/")
    page.get_by_role("link", name="Generate AI content").click()
    expect(page.get_by_text("This uses AI credits of")).to_be_visible()
    page.get_by_label("Language").last.select_option("en")
    page.get_by_role("button", name="Generate").click()
    expect(page.get_by_text("eBook, Mind map, Quiz")).to_be_visible()


def delete_quiz(page: Page) -> None:
    page.get_by_role("link", name=DELETE_QUIZ).click()
    expect(page.get_by_role("checkbox", name="Quiz")).to_be_checked()
    expect(page.get_by_role("checkbox", name="eBook")).not_to_be_checked()
    page.get_by_role("button", name="Delete AI content").click()
    expect(page.get_by_text("Not in this language.")).to_have_count(1)


@pytest.mark.parametrize("screen", [None, PHONE])
def test_content_is_generated_deleted_and_restored(
    desk: OpenBrowser, cast: dict[str, Any], axe: FindingsOf, clock: Frozen, screen: Any
) -> None:
    page = desk(**({"viewport": screen} if screen else {}))
    generate(page, cast["videos"]["plain"])
    assert axe(page) + sideways(page) == []
    page.evaluate("window.loadedOnce = true")
    clock.travel(60)
    forget()
    expect(page.get_by_text("Finished")).to_be_visible()
    assert page.evaluate("loadedOnce"), "the page was never loaded again"
    clock.travel(60)
    forget()
    page.get_by_role("link", name="Open content").click()
    delete_quiz(page)
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="Versions").first.click()
    page.get_by_role("row").nth(2).get_by_role("link").first.click()
    page.get_by_role("button", name="Restore into the draft").click()
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("link", name=DELETE_QUIZ)).to_be_visible()
