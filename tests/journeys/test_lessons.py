"""Where viewers leave, over a large library: by keyboard, on a phone, without script, while it is read and after."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from dashboard.sandbox.seed.large import LibrarySize, seed_large
from tests.analytics.lesson_library import LESSONS, read_everything
from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser, Speak, sideways

SIZE = LibrarySize(videos=150, folders=60, cards=0, sub_accounts=0)


@pytest.fixture
def large(cast: dict[str, object]) -> None:
    """Lessons in courses in the owner's account, with what is said in them."""
    seed_large(timezone.now(), SIZE)


@pytest.fixture
def read(large: None, desk: OpenBrowser) -> OpenBrowser:
    """Everything is read and compared."""
    desk().goto(LESSONS)
    read_everything()
    return desk


def test_first_reading_is_followed_to_the_ranking(large: None, desk: OpenBrowser, axe: FindingsOf) -> None:
    page = desk()
    page.goto(LESSONS)
    expect(page.get_by_role("heading", name="Reading retention")).to_be_visible()
    assert axe(page) + sideways(page) == []
    read_everything()
    link = page.get_by_role("link", name="Show the ranking")
    expect(link).to_be_visible(timeout=30_000)
    link.press("Enter")
    expect(page.get_by_role("heading", name="Most minutes lost first")).to_be_visible()
    expect(page.locator(".lesson")).to_have_count(10)


def test_lesson_is_found_by_folder_and_played_from_its_moment_by_keyboard(read: OpenBrowser) -> None:
    page = read()
    page.goto(LESSONS)
    folder = page.get_by_label("Folder and its subfolders")
    folder.focus()
    page.keyboard.type("Course 0001")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Show")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?folder=[0-9a-f-]{36}"))
    first = page.locator(".lesson").first
    expect(first).to_contain_text("Course 0001: ")
    expect(first.locator(".lesson__line [lang=pt-BR]")).to_be_visible()
    table = first.get_by_text("Show as a table")
    table.press("Enter")
    expect(first.get_by_role("row")).to_have_count(12)
    play = first.get_by_role("link", name=re.compile("^Play from .*: .*lesson"))
    address = play.get_attribute("href") or ""
    play.press("Enter")
    expect(page.locator(f"video source[src$='#t={address.rpartition('=')[2]}']")).to_be_attached()


def check_page(page: Page, axe: FindingsOf) -> None:
    expect(page.locator(".lesson").first).to_be_visible()
    assert axe(page) + sideways(page) == []


def test_page_is_whole_on_a_phone_in_every_language(read: OpenBrowser, axe: FindingsOf, speak: Speak) -> None:
    page = read(viewport=PHONE)
    for language, title in (
        ("pt-br", "Onde o público sai"),
        ("es", "Dónde se va el público"),
        ("en", "Where viewers leave"),
    ):
        speak(page, language)
        page.goto(LESSONS)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        check_page(page, axe)
