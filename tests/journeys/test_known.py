"""Pages drawn from what is known, in a real browser: they show what is newer by themselves, and disturb nobody who types."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.platform_api.request import Request
from dashboard.sandbox import models as platform
from dashboard.upstream.budget import Budget
from tests.forgetting import make_old
from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser, sideways

pytestmark = pytest.mark.usefixtures("side_by_side")
TESTS = "/dashboard/ab-tests/"
FOUND = "Changed on the platform"


def rename() -> str:
    """Rename a test on the platform, behind the dashboard's back; its title before."""
    test = platform.Comparison.objects.order_by("pk").first()
    assert test is not None
    before, test.name = test.name, FOUND
    test.save()
    return str(before)


@pytest.fixture
def side_by_side(settings: Settings) -> None:
    """Reads run beside pages, as in production."""
    settings.READ_SIDE_BY_SIDE = True


@pytest.fixture
def known(desk: OpenBrowser) -> Page:
    """A browser for which the tests were read an hour ago."""
    page = desk()
    page.goto(TESTS)
    expect(page.locator("#known")).to_have_count(0)
    make_old()
    return page


def test_page_shows_what_is_newer_by_itself_and_stays_where_it_was(known: Page, axe: FindingsOf) -> None:
    known.set_viewport_size({"width": 1280, "height": 320})
    before = rename()
    known.goto(TESTS)
    expect(known.get_by_role("link", name=before)).to_be_visible()
    expect(known.locator("#known")).to_contain_text("Last updated 1 h ago. Updating…")
    assert axe(known) + sideways(known) == []
    known.evaluate("() => window.scrollTo(0, 120)")
    expect(known.get_by_role("link", name=FOUND)).to_be_visible()
    expect(known.locator("#known")).to_have_count(0)
    assert known.evaluate("() => window.scrollY") == 120


def test_page_on_which_somebody_types_offers_what_is_newer(known: Page, axe: FindingsOf) -> None:
    before = rename()
    known.goto(TESTS)
    search = known.get_by_role("searchbox").first
    search.fill("typed")
    expect(known.locator("#known")).to_contain_text("There is newer data.")
    assert axe(known) + sideways(known) == []
    known.wait_for_timeout(1500)
    expect(search).to_have_value("typed")
    expect(known.get_by_role("link", name=before)).to_be_visible()
    known.locator("#known").get_by_role("link", name="Show").press("Enter")
    expect(known.get_by_role("link", name=FOUND)).to_be_visible()


def test_page_of_an_account_that_pauses_says_until_when_and_shows_what_is_newer_by_itself(
    known: Page, axe: FindingsOf, settings: Settings
) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 1000
    before = rename()
    Budget(Account.objects.get().token).slow_down(Request("playlists.list", "GET", ("playlists",)), 8)
    known.set_viewport_size(PHONE)
    known.goto(TESTS)
    expect(known.get_by_role("link", name=before)).to_be_visible()
    expect(known.locator("#known")).to_contain_text("Too many requests. Updates automatically after ")
    assert axe(known) + sideways(known) == []
    expect(known.get_by_role("link", name=FOUND)).to_be_visible(timeout=20_000)
    expect(known.locator("#known")).to_have_count(0)
