"""Why traffic rose, over a large library in a real browser: by keyboard, on a phone, without script."""

import re
from uuid import UUID

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from dashboard.accounts.models import Account
from dashboard.accounts.sessions import SessionStore
from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser, sideways
from tests.kept_traffic import keep_traffic
from tests.snapshots import Snapshots

TRAFFIC = "/dashboard/analytics/traffic/?range=28d&zone=UTC"


@pytest.fixture
def large(desk: OpenBrowser, platform_states: Snapshots) -> OpenBrowser:
    """Opens the desk of an account whose large library is known: a thousand videos."""
    platform_states.use("large")

    def opened(**options: object) -> Page:
        page = desk(**options)
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
        session = SessionStore(cookies[settings.SESSION_COOKIE_NAME])
        account = Account.objects.get(pk=UUID(session["account"]))
        keep_traffic(account)
        return page

    return opened


def parts_of(page: Page) -> list[int]:
    """The printed numbers in tenths, the totals first and last."""
    values = page.locator(".parts__value").all_inner_texts()
    digits = [re.sub(r"[^\d−.,]", "", value).replace("−", "-") for value in values]
    return [int(re.sub(r"[.,]", "", value)) for value in digits]


def test_why_traffic_rose_is_found_by_keyboard_down_to_a_lesson(large: OpenBrowser, axe: FindingsOf) -> None:
    page = large()
    page.goto(TRAFFIC)
    page.locator(".stat .change__why").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Why did traffic change?")).to_be_visible()
    first, *parts, last = parts_of(page)
    assert first + sum(parts) == last
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="By folder").press("Enter")
    expect(page.get_by_role("link", name="By folder")).to_have_attribute("aria-current", "page")
    first, *parts, last = parts_of(page)
    assert first + sum(parts) == last
    course = page.locator(".parts__name a", has_text="Course").first
    name = course.inner_text()
    course.press("Enter")
    expect(page.locator(".page-head__meta")).to_contain_text(name)
    page.locator(".parts__name a").first.press("Enter")
    expect(page.get_by_role("link", name="By video")).to_have_attribute("aria-current", "page")
    lesson = page.locator("#why-videos tbody th a").first
    title = lesson.inner_text()
    lesson.press("Enter")
    expect(page.locator(".page-head__meta")).to_contain_text(title)
    expect(page.locator(".parts")).to_be_visible()


def test_on_a_phone_the_parts_and_their_table_fit(large: OpenBrowser, axe: FindingsOf) -> None:
    page = large(viewport=PHONE, has_touch=True)
    page.goto("/dashboard/analytics/why/traffic/causes/?range=28d&zone=UTC")
    assert axe(page) + sideways(page) == []
    box = page.locator(".parts__name a").first.bounding_box()
    assert box is not None and box["height"] >= 44
    page.get_by_text("Show as a table").tap()
    expect(page.get_by_role("columnheader", name="Cause", exact=True)).to_be_visible()
    page.locator(".parts__name a").first.tap()
    expect(page.locator("#why-videos tbody tr").first).to_be_visible()
    assert sideways(page) == []


def test_why_the_play_rate_moved_is_found_by_keyboard_and_adds_up(desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    stat = page.locator(".stat", has_text="Play rate")
    for days in ("28d", "7d", "90d"):  # the demo's rate may have stayed the same in one of them
        page.goto(f"/dashboard/analytics/?range={days}&zone=UTC")
        expect(stat).to_be_visible()
        if stat.locator(".change__why").count():
            break
    stat.locator(".change__why").press("Enter")
    expect(page.get_by_role("heading", name="Why did the play rate change?")).to_be_visible()
    for tab in ("By video", "By country"):
        page.get_by_role("link", name=tab).press("Enter")
        expect(page.get_by_role("link", name=tab)).to_have_attribute("aria-current", "page")
        first, *parts, last = parts_of(page)
        assert parts and first + sum(parts) == last
    assert axe(page) + sideways(page) == []
