"""Overview, the list of videos, folders and search in a real browser: by keyboard, without script, on a phone."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from dashboard.runs import sending
from dashboard.runs.models import Run
from dashboard.sandbox.models import Folder
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


@pytest.fixture
def whole(desk: OpenBrowser) -> Page:
    """The owner's desk on the list, whose library the worker has read."""
    page = desk()
    page.goto(VIDEOS)
    while read_library.call():
        pass
    page.reload()
    return page


def count_of(page: Page) -> int:
    """How many videos match."""
    return int(page.locator("#match-title b").inner_text().replace(",", ""))


def test_query_is_typed_with_suggestions_by_keyboard(whole: Page, axe: FindingsOf) -> None:
    page = whole
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Search and filter")
    expect(field).to_be_focused()
    page.keyboard.type("missing:f")
    expect(page.locator("#query-options [role=option]").first).to_contain_text("missing:fr")
    page.keyboard.press("Escape")
    expect(page.locator("#query-options")).to_be_hidden()
    page.keyboard.type("r has:s")
    option = page.get_by_role("option", name=re.compile("has:subtitles"))
    expect(option).to_be_visible()
    expect(page.locator("[data-query-count]")).to_have_text(re.compile("suggestion"))
    assert axe(page) == []
    said = int(str(option.locator("small").inner_text()).split()[0])
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == option.get_attribute("id")
    page.keyboard.press("Tab")
    expect(field).to_have_value("missing:fr has:subtitles ")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?q=missing%3Afr\+has%3Asubtitles$"))
    expect(page.locator(".chip--set")).to_have_count(2)
    assert count_of(page) == said, "as many as the suggestion said"


def test_comma_after_a_completed_value_adds_another_one(whole: Page) -> None:
    page = whole
    field = page.get_by_role("combobox", name="Search and filter")
    option = page.locator("[data-query] [role=option]").first
    field.press_sequentially("missing:fre")
    expect(option).to_have_attribute("data-text", "missing:fr")
    page.keyboard.press("Tab")
    expect(field).to_have_value("missing:fr ")
    page.keyboard.type(",")
    expect(field).to_have_value("missing:fr,")
    page.keyboard.type("spa")
    expect(option).to_have_attribute("data-text", "missing:fr,es")
    page.keyboard.press("Tab")
    expect(field).to_have_value("missing:fr,es ")
    page.keyboard.type("coffee ,")
    expect(field).to_have_value("missing:fr,es coffee ,")


def test_chip_narrows_and_is_removed_and_the_form_says_the_same(whole: Page) -> None:
    page = whole
    chip = page.locator(".query__more .chip").first
    said = int(str(chip.locator(".chip__count").inner_text()))
    chip.click()
    expect(page.locator(".chip--set")).to_have_count(1)
    assert count_of(page) == said
    page.locator(".chip__remove").click()
    expect(page.locator(".chip--set")).to_have_count(0)
    page.get_by_text("Choose filters in a form").click()
    page.get_by_label("Missing subtitles").select_option("de")
    page.get_by_label("Words in the title").fill("a")
    page.locator(".query__fields").get_by_role("button", name="Search").click()
    expect(page.get_by_role("combobox", name="Search and filter")).to_have_value("a missing:de")


def test_mistake_is_repaired_by_one_press(whole: Page, axe: FindingsOf) -> None:
    page = whole
    field = page.get_by_role("combobox", name="Search and filter")
    field.fill("has:quiz")
    field.press("Enter")
    expect(page.locator(".chip--set")).to_have_count(1)
    rows = page.locator("[data-choose] tbody tr").count()
    field = page.get_by_role("combobox", name="Search and filter")
    field.fill("has:quiz missng:fr")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Did you mean “missing”?")
    expect(page.locator(".query__wrong")).to_have_text("missng:fr")
    assert page.locator("[data-choose] tbody tr").count() == rows, "the last list stays"
    expect(page.get_by_role("combobox", name="Search and filter")).to_have_value("has:quiz missng:fr")
    assert axe(page) + sideways(page) == []
    page.get_by_role("link", name="Change to missing:fr").press("Enter")
    expect(page.locator(".chip--set")).to_have_count(2)


def test_view_is_saved_by_name_and_opened_again(whole: Page) -> None:
    page = whole
    page.goto(f"{VIDEOS}?q=missing:fr")
    count = count_of(page)
    page.keyboard.press("s")
    page.get_by_label("Name of the view").fill("French to do")
    page.get_by_role("button", name="Save view").click()
    tab = page.get_by_role("navigation", name="Saved views").get_by_role("link", name=re.compile("French to do"))
    expect(tab).to_have_attribute("aria-current", "page")
    expect(tab).to_contain_text(str(count))
    expect(page).to_have_title(re.compile("^French to do, "))
    page.get_by_role("link", name="Edit view").click()
    page.get_by_role("button", name="Delete view").click()
    expect(page.get_by_role("navigation", name="Saved views").get_by_role("link")).to_have_count(1)


@pytest.mark.smoke
def test_rows_are_selected_by_keys_and_go_where_something_is_done_with_them(whole: Page) -> None:
    page = whole
    words = page.locator("[data-choose-count]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(words).to_have_text("1 selected")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    expect(words).to_have_text("3 selected")
    page.keyboard.press("Escape")
    expect(words).to_have_text("Select videos to act on several at once.")
    page.keyboard.press("a")
    expect(words).to_have_text("40 selected")
    page.keyboard.press("Escape")
    boxes = page.locator("input[name=video]")
    for n in (3, 4):
        boxes.nth(n).check()
    page.get_by_text("More actions").click()
    page.get_by_role("button", name="Add to funnel").click()
    expect(page.get_by_role("main")).to_contain_text("For 2 videos.")
    page.go_back()
    expect(words).to_have_text("2 selected")
    page.get_by_role("button", name="Create subtitles").press("Enter")
    page.wait_for_url(re.compile("/dashboard/runs/check/"))
    assert page.url.count("video=") == 2
    expect(page.get_by_role("main")).to_contain_text("2 videos")


def test_selected_videos_are_added_to_a_funnel_after_a_check(whole: Page, axe: FindingsOf) -> None:
    page = whole
    page.goto(f"{VIDEOS}?q=-in:funnel%20status:ready")
    for n in (0, 1):
        page.locator("tbody input[name=video]").nth(n).check()
    page.get_by_text("More actions").click()
    page.get_by_role("button", name="Add to funnel").click()
    page.get_by_label("Funnel").select_option(index=0)
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Check videos").press("Enter")
    expect(page.get_by_role("heading", name="2 of 2 videos can be sent.")).to_be_visible()
    expect(page.get_by_text("The videos move to the folder of the funnel.")).to_be_visible()
    page.get_by_text("Show the first request").click()
    expect(page.get_by_role("region", name="Request")).to_contain_text("/funnels/add_videos")
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Start run with 2 videos").press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^Add to funnel “"))).to_be_visible()
    run = Run.objects.get()
    sending.advance(run)
    expect(page.get_by_text("2 of 2").first).to_be_visible()
    assert axe(page) == []


def test_all_that_match_are_selected_as_a_query(whole: Page, axe: FindingsOf) -> None:
    page = whole
    page.goto(f"{VIDEOS}?q=missing:fr")
    count = count_of(page)
    page.keyboard.press("Shift+A")
    expect(page.locator(".bulk-bar")).to_contain_text(f"All {count} that match are selected")
    assert page.locator("input[name=query]").input_value() == "missing:fr"
    assert axe(page) + sideways(page) == []
    expect(page.locator("tbody input[name=video]:enabled")).to_have_count(0)  # a single one cannot be left out unseen
    page.keyboard.press("Escape")
    expect(page.locator("[data-choose-count]")).to_be_visible()
    expect(page.locator("tbody input[name=video]:enabled").first).not_to_be_checked()


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


@pytest.mark.smoke
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


def test_a_palette_that_is_opened_again_at_once_keeps_what_is_typed(desk: OpenBrowser) -> None:
    page = desk()
    page.goto(FOLDERS)
    field = page.get_by_role("combobox", name="Search videos, folders")
    page.keyboard.press("Control+k")
    page.keyboard.type("cereza")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    expect(field).to_have_value("")
    page.keyboard.type("lanca")
    page.locator("[data-palette]").dispatch_event("close")  # what a busy browser says late of the first closing
    expect(page.get_by_role("option", name="Lançamento 2026")).to_be_visible()
    expect(field).to_have_value("lanca")


def pages(cast: dict[str, Any]) -> list[str]:
    return [
        "/dashboard/",
        VIDEOS,
        f"{VIDEOS}?q=status:failed&columns=chat&columns=size",
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
    assert axe(page) + sideways(page) == [], "palette over the list"


def test_the_longer_languages_fit_on_a_small_phone(desk: OpenBrowser, speak: Speak, cast: dict[str, Any]) -> None:
    page = desk()
    for language, addresses, said in (("pt-br", pages(cast)[:5], "Vídeos"), ("es", pages(cast)[:2], "Carpetas")):
        speak(page, language)
        for address in addresses:
            page.goto(address)
            assert sideways(page) == [], f"{language} {address}"
        expect(page.get_by_role("navigation").first).to_contain_text(said)


def test_reading_of_the_library_says_how_far_it_is_and_what_was_found(
    desk: OpenBrowser, axe: FindingsOf, subtitles_alone: None, read_a_run: Callable[[int], None]
) -> None:
    read_a_run(40)
    page = desk(viewport=PHONE)
    page.goto(f"{VIDEOS}?q=missing:de&columns=none")
    reading = page.locator("#progress")
    expect(reading).to_contain_text("Your library is being read.")
    expect(page.locator("#library")).to_contain_text("None found so far")
    assert axe(page) + sideways(page) == []
    read_library.call()
    expect(reading).to_contain_text("40 of 75 videos read.")
    assert axe(page) + sideways(page) == []
    read_library.call()
    expect(reading).to_contain_text("75 of 75 videos read.")
    reading.get_by_role("link", name="Refresh the list").press("Enter")
    expect(page.locator("#progress")).to_have_count(0)
    expect(page.locator("#match-title")).not_to_contain_text("so far")
    assert count_of(page) > 0
    page.goto(f"{VIDEOS}?q=missing:de")
    rows = page.locator("[data-choose] tbody tr")
    heights = rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)")
    assert len(heights) == 40 and sum(heights) < 6_500, "title and a line or two of facts: one screen has five videos"
    assert axe(page) + sideways(page) == []
