"""Overview, videos, folders and search in a real browser: by keyboard, without script, on a phone, in three languages."""

import re
from types import ModuleType
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from dashboard.sandbox.models import Folder
from dashboard.upstream import budget
from dashboard.videos import library_queries
from dashboard.videos.tasks import read_library
from tests.journeys.conftest import PHONE, FindingsOf, OpenBrowser, Speak, sideways

VIDEOS = "/dashboard/videos/"
FOLDERS = "/dashboard/folders/"
MANY = 10_000


def focused(page: Page) -> str:
    """The words of what has the focus."""
    return str(
        page.evaluate("document.activeElement.innerText || document.activeElement.getAttribute('aria-label') || ''")
    )


def test_several_videos_go_to_a_funnel_and_to_the_subtitles_by_keyboard(
    desk: OpenBrowser, cast: dict[str, Any], faults: ModuleType
) -> None:
    page = desk()
    page.goto(VIDEOS)
    words = page.get_by_label("Title contains")
    words.focus()
    faults.set("videos.list", status=500)
    page.keyboard.type("alti")
    expect(page.locator("#library")).to_contain_text("The platform has trouble of its own.")
    faults.clear()
    page.keyboard.type("tude")
    expect(page).to_have_url(re.compile(r"\?q=altitude$"))
    expect(page.locator("[data-choose-count]")).to_have_text("Choose videos to work on several at once.")
    assert page.evaluate("document.activeElement.name") == "q", "the list came, the caret stayed"
    table = page.get_by_role("link", name="Table")
    expect(table).to_have_attribute("href", re.compile("q=altitude"))
    table.press("Enter")
    expect(page).to_have_url(re.compile(r"q=altitude&view=table|view=table&q=altitude"))
    chosen = page.get_by_role("checkbox", name=re.compile("^Choose (?!.*this page)"))
    titles = [str(box.locator("xpath=ancestor::tr//th").inner_text()) for box in chosen.all()[:2]]
    for box in chosen.all()[:2]:
        box.press("Space")
    expect(page.locator("[data-choose-count]")).to_have_text("2 videos chosen")
    page.get_by_role("button", name="Add to a funnel").press("Enter")
    expect(page.get_by_text("2 videos are chosen. Choose the funnel they come onto.")).to_be_visible()
    page.locator(f'a[href^="/dashboard/funnels/{cast["funnels"]["main"]}/add/"]').press("Enter")
    for title in titles:
        expect(page.locator(".library__item", has_text=title).first).to_be_visible()
    page.go_back()
    page.go_back()
    expect(page.locator("[data-choose-count]")).to_have_text("2 videos chosen")
    page.get_by_role("button", name="Plan subtitles").press("Enter")
    page.wait_for_url(re.compile("/dashboard/subtitles/"))
    for title in titles:
        expect(page.get_by_role("main")).to_contain_text(title)
    assert page.url.count("video=") == 2


def test_ten_thousand_folders_twelve_levels_deep_are_walked_by_keyboard(
    desk: OpenBrowser, cast: dict[str, Any]
) -> None:
    deepest = _many(cast)
    page = desk()
    page.goto(FOLDERS)
    tree = page.get_by_role("tree")
    expect(tree.get_by_role("treeitem").first).to_have_attribute("tabindex", "0")
    assert tree.locator("[tabindex='0']").count() == 1, "the tree is one stop of the Tab key"
    tree.locator("[tabindex='0']").focus()
    page.keyboard.press("End")
    assert "more folders" in focused(page)
    page.keyboard.press("Enter")
    expect(tree.locator("[aria-level='1'][aria-posinset='201']")).to_be_visible()
    expect(tree.locator("[aria-level='1'][aria-posinset='101']")).to_be_focused()
    for key in ("End", "Enter", "Home"):
        page.keyboard.press(key)
    expect(tree.locator("[data-tree-more]")).to_have_count(0)
    expect(tree.locator("[aria-level='1'][aria-posinset='1']")).to_be_focused()  # who goes on is not called back
    page.keyboard.type("Level 0")
    assert focused(page).startswith("Level 0")
    for level in range(1, 12):
        page.keyboard.press("ArrowRight")
        expect(tree.get_by_role("treeitem", name=f"Level {level} ")).to_be_visible()
        page.keyboard.press("ArrowRight")
        assert focused(page).startswith(f"Level {level}\n")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"folder={deepest}"))
    expect(page.get_by_role("navigation", name="Path to this folder")).to_contain_text("Level 10")
    assert sideways(page) == [], "twelve levels fit on a small phone"
    current = page.get_by_role("treeitem", name="Level 11")
    expect(current).to_have_attribute("aria-level", "12")
    current.focus()
    page.keyboard.press("ArrowLeft")
    assert focused(page).startswith("Level 10\n")
    page.keyboard.press("ArrowLeft")
    expect(current).to_be_hidden()


def _many(cast: dict[str, Any]) -> UUID:
    """Ten thousand folders: 250 in the root, twelve one below the other, the rest below one shelf; the deepest."""
    root, now = Folder.objects.get(pk=cast["folders"]["root"]), timezone.now()
    same = {"organization": root.organization, "user": root.user, "created_at": now, "updated_at": now}
    chain = [
        Folder(id=UUID(int=n + 1), name=f"Level {n}", parent_id=UUID(int=n) if n else None, **same) for n in range(12)
    ]
    first = Folder(name="Shelf 00000", **same)
    shelves = [Folder(name=f"Shelf {n:05}", parent=None if n < 250 else first, **same) for n in range(1, MANY - 12)]
    Folder.objects.bulk_create([*chain, first, *shelves])
    return chain[-1].pk


def test_anything_is_found_from_anywhere_by_keyboard(desk: OpenBrowser) -> None:
    page = desk()
    page.goto(FOLDERS)
    page.get_by_role("link", name="Show inactive folders").focus()
    for keys in ("Control+k", "Meta+k", "/"):
        page.keyboard.press(keys)
        field = page.get_by_role("combobox", name="Search videos, folders")
        expect(field).to_be_focused()
        expect(page.locator("#found [role=option]").first).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Escape")
        expect(field).to_be_hidden()
        assert "inactive" in focused(page), "the focus is where it was"
    page.keyboard.press("Control+k")
    page.keyboard.type("lanca")
    folder = page.get_by_role("option", name="Lançamento 2026")
    expect(folder).to_be_visible()
    for _step in range(20):
        if folder.get_attribute("aria-selected") == "true":
            break
        page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == folder.get_attribute("id")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lançamento 2026")).to_be_visible()


def test_everything_works_without_script(desk: OpenBrowser) -> None:
    page = desk(java_script_enabled=False)
    page.goto("/dashboard/")
    page.get_by_role("link", name="Show their traffic").click()
    expect(page.get_by_text("of traffic by these")).to_be_visible()
    page.get_by_role("link", name="Search or jump to").click()
    page.get_by_label("What are you looking for?").fill("lanca")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("link", name="Lançamento 2026").click()
    page.get_by_role("navigation", name="Tree").get_by_role("link", name="Redes sociais").click()
    page.get_by_label("Name contains").fill("curso")
    page.get_by_role("main").get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="folders")).to_be_visible()
    page.goto(f"{VIDEOS}?view=table")
    page.get_by_role("combobox", name="Status").select_option(label="Ready")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("link", name="Show the subtitles of these videos").click()
    expect(page.get_by_role("main")).to_contain_text("pt-BR")
    for box in page.get_by_role("checkbox", name=re.compile("^Choose ")).all()[:2]:
        box.check()
    page.get_by_role("button", name="Plan subtitles").click()
    assert page.url.count("video=") == 2
    page.goto(VIDEOS)
    page.locator(".card-video__title").nth(12).click()
    expect(page.get_by_role("heading", name="Embed code")).to_be_visible()


def pages(cast: dict[str, Any]) -> list[str]:
    return [
        "/dashboard/",
        VIDEOS,
        f"{VIDEOS}?view=table&status=FAILED&columns=folder&columns=size",
        f"{VIDEOS}{cast['videos']['with_subtitles']}/",
        f"{FOLDERS}?folder={cast['folders']['nested']}&inactive=1",
        "/dashboard/search/?q=curso",
    ]


def test_nobody_is_shut_out(desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any]) -> None:
    page = desk()
    for address in pages(cast)[:1] + pages(cast)[2:]:
        page.goto(address)
        assert axe(page) + sideways(page) == [], address
    page.goto(VIDEOS)
    page.keyboard.press("Control+k")
    expect(page.locator("#found [role=option]").first).to_be_visible()
    assert axe(page) + sideways(page) == [], "palette over the grid"


def test_the_longer_languages_fit_on_a_small_phone(desk: OpenBrowser, speak: Speak, cast: dict[str, Any]) -> None:
    page = desk()
    for language, addresses, said in (("pt-br", pages(cast)[:5], "Vídeos"), ("es", pages(cast)[:2], "Carpetas")):
        speak(page, language)
        for address in addresses:
            page.goto(address)
            assert sideways(page) == [], f"{language} {address}"
        expect(page.get_by_role("navigation").first).to_contain_text(said)


def test_search_for_gaps_says_how_far_it_is_and_shows_what_was_found(
    desk: OpenBrowser, axe: FindingsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "UNLIMITED", 40)
    monkeypatch.setattr(library_queries, "FACTS", library_queries.FACTS[:1])  # subtitles alone
    page = desk(viewport=PHONE)
    page.goto(f"{VIDEOS}?view=table&columns=none")
    page.get_by_label("Missing subtitles in").select_option("de")
    looked = page.locator("#looked")
    expect(looked).to_contain_text("The subtitles of 0 of 75 videos have been looked up.")
    expect(page.locator("#library")).to_contain_text("None found so far")
    assert axe(page) + sideways(page) == []
    read_library.call()
    expect(looked).to_contain_text("The subtitles of 40 of 75 videos have been looked up.")
    assert axe(page) + sideways(page) == []
    read_library.call()
    expect(looked).to_contain_text("The subtitles of 75 of 75 videos have been looked up.")
    looked.get_by_role("link", name="Refresh the list").press("Enter")
    expect(looked.get_by_role("link", name="Refresh the list")).to_have_count(0)
    expect(page.locator("#library .library-state")).not_to_contain_text("0 videos")
