"""In a real browser, on platforms that show no lives, funnels and playlists: the three documented writes by id."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.sandbox import faults
from dashboard.sandbox.faults import Shape
from dashboard.sandbox.models import FunnelVideo, Live, Playlist
from tests.due import run_due
from tests.journeys.conftest import FindingsOf, OpenBrowser, sideways

HERE = "/dashboard"
ABSENT = frozenset(
    {"lives.get", "lives.list", "public_files.live", "funnels.get", "funnels.list", "playlists.get", "playlists.list"}
)


@pytest.fixture(autouse=True)
def without_reads() -> Iterator[None]:
    """A platform without those reads, which answers the others in the shape that is hardest to read.

    The same writes in every shape, without a browser: tests/sandbox/test_writes_in_every_manner.py.
    """
    faults.use_manner(without=ABSENT, shape=Shape.STRINGS)
    yield
    faults.use_manner()


def open_by_id(page: Page, kind: str, name: str, thing: str) -> None:
    """From the list that there is none of, by its id."""
    page.goto(f"{HERE}/{kind}/")
    page.get_by_label(f"Open a {name} by its id").fill(thing)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(thing)


def test_by_keyboard_alone_each_is_done_and_nothing_is_claimed(
    desk: OpenBrowser, axe: FindingsOf, cast: dict[str, Any]
) -> None:
    page = desk()
    start_a_live(page, cast["lives"]["scheduled"], axe)
    delete_a_playlist(page, cast["playlists"]["own"], axe)
    fill_a_funnel(page, cast["funnels"]["main"], cast["videos"]["with_ai_content"], axe)


def start_a_live(page: Page, live: str, axe: FindingsOf) -> None:
    open_by_id(page, "lives", "live", live)
    expect(page.get_by_text("This platform does not show this live")).to_be_visible()
    page.get_by_role("link", name="Start early").press("Enter")
    expect(page.get_by_text("Whether the live is scheduled is not known.")).to_be_visible()
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Start live").press("Enter")
    expect(page.get_by_role("status").first).to_have_text("Start accepted")
    assert axe(page) + sideways(page) == []
    assert Live.objects.get(pk=live).scheduled_at is None


def delete_a_playlist(page: Page, playlist: str, axe: FindingsOf) -> None:
    open_by_id(page, "playlists", "playlist", playlist)
    expect(page.get_by_text("its name and its videos are not known")).to_be_visible()
    page.get_by_role("link", name="Delete playlist").press("Enter")
    page.get_by_label("Type the id of the playlist").fill(playlist)
    assert axe(page) + sideways(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_text("There is no copy of its contents")).to_be_visible()
    run_due(10.5)
    expect(page.get_by_text("was deleted. Its videos are still there.")).to_be_visible()
    assert not Playlist.objects.filter(pk=playlist).exists()


def fill_a_funnel(page: Page, funnel: str, video: str, axe: FindingsOf) -> None:
    open_by_id(page, "funnels", "funnel", funnel)
    expect(page.get_by_text("This platform does not show what is in this funnel.")).to_be_visible()
    page.get_by_role("button", name="Add videos").press("Enter")
    page.get_by_label("Ids of videos").fill(video)
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Add chosen videos").press("Enter")
    page.locator(f'input[name="entry"][value="{video}"]').check()
    page.locator(f'input[name="x-{video}"]').fill("320")
    assert axe(page) + sideways(page) == []
    page.get_by_role("button", name="Review and send").press("Enter")
    expect(page.get_by_text("The funnel’s folder is not known")).to_be_visible()
    page.get_by_role("button", name="Send funnel").press("Enter")
    expect(page.get_by_text("As last sent from here")).to_be_visible()
    there = FunnelVideo.objects.get(funnel_id=funnel, video_id=video)
    assert (there.x, there.is_first) == (320, True)
