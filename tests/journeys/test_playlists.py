"""Deleting a playlist in a real browser: its name typed, ten seconds to undo, and a kept copy."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from dashboard.writes.models import Write
from tests.due import run_due
from tests.journeys.conftest import Complaints, FindingsOf, OpenBrowser, sideways

ADDRESS = "/dashboard/playlists/"


def held(page: Page, playlist: str) -> str:
    """Type the name on the page that asks for it, and press Enter; gives the name."""
    page.goto(f"{ADDRESS}{playlist}/delete/")
    name = page.locator("h1").inner_text().split("“")[1].rstrip("”?")
    page.get_by_label("Type the name").press_sequentially(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    return name


@pytest.mark.smoke
def test_by_keyboard_alone_it_asks_for_the_name_waits_and_is_undone(
    desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any], complaints: Complaints
) -> None:
    complaints.expected.append("422")
    page = desk()
    page.goto(f"{ADDRESS}{cast['playlists']['own']}/")
    name = page.locator("h1").inner_text()
    page.get_by_role("link", name="Delete playlist").press("Enter")
    page.get_by_role("button", name="Show the request").press("Enter")
    expect(page.locator("#dry-run")).to_be_focused()
    expect(page.locator("#dry-run")).to_contain_text("DELETE http")
    expect(page.locator("#dry-run")).not_to_contain_text(cast["tokens"]["owner"])
    page.get_by_text("The same for a shell, as curl").press("Enter")
    expect(page.get_by_text("curl -X DELETE")).to_be_visible()
    page.get_by_label("Type the name").fill("another name")
    page.keyboard.press("Enter")
    expect(page.locator("[data-error-summary]")).to_be_focused()
    expect(page.get_by_label("Type the name")).to_have_value("another name")
    assert axe(page) + sideways(page) == []
    page.get_by_label("Type the name").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_text("was not deleted.")).to_be_visible()


def test_when_its_time_is_over_the_page_shows_that_it_was_sent_and_what_it_contained_is_kept(
    desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any]
) -> None:
    page = desk()
    page.clock.install()
    held(page, cast["playlists"]["own"])
    contained = page.locator(".contents li").all_inner_texts()
    assert len(contained) > 1
    run_due(10.5)
    page.clock.run_for(12_000)
    expect(page.get_by_text("was deleted. Its videos are still there")).to_be_visible()
    assert page.locator(".contents li").all_inner_texts() == contained
    page.goto(ADDRESS)
    expect(page.get_by_role("region", name="Deletions").get_by_text("Deleted", exact=True)).to_be_visible()
    assert axe(page) + sideways(page) == []


def test_what_is_gone_already_and_what_belongs_to_another_account_is_said_rightly(
    desk: OpenBrowser, cast: dict[str, Any]
) -> None:
    """The platform answers 400 to the first and 500 to the second (section 7)."""
    page = desk()
    for whose, sentence in (
        (str(uuid4()), "The platform does not have this playlist any more."),
        (cast["playlists"]["other_account"], "This playlist belongs to another account."),
    ):
        held(page, cast["playlists"]["own"])
        Write.objects.filter(state="held").update(request={"playlist_id": whose})
        page.get_by_role("button", name="Delete now").click()
        expect(page.get_by_text("Not deleted", exact=True)).to_be_visible()
        expect(page.get_by_text(sentence)).to_contain_text("Nothing was deleted.")
