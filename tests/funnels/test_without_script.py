"""The board of a funnel without script."""

from typing import Any

import pytest
from django.test import Client

from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NAME = "From cherry to cup"


@pytest.fixture
def board(owner: Client, cast: dict[str, Any]) -> PlainBrowser:
    return PlainBrowser(owner).open(f"/dashboard/funnels/{cast['funnels']['main']}/")


def test_cards_are_moved_added_and_sent(board: PlainBrowser) -> None:
    page = board.fill(f"Across, {NAME}", "420").check(f"Entry: {NAME}").press("Add videos")
    page.tick(
        next(one for one in page.all("input") if one.attrs.get("name") == "video" and "disabled" not in one.attrs)
    )
    page.press("Add chosen videos")
    assert "1 new video, 1 card moved, another entry" in page.text
    assert "comes into the funnel at" in page.press("Review and send").text
    assert "No changes" in page.press("Send funnel").text


def test_ticked_videos_stay_over_searches_and_pages_until_they_are_added(board: PlainBrowser) -> None:
    page = (
        board.open("add/")
        .check("Launch teaser, 15 seconds")
        .fill("Title, folder or id", "vertical 9x16")
        .press("Search")
    )
    assert "checked" in page.field("Launch teaser, 15 seconds").attrs
    page.check("Vertical: what altitude tastes like").fill("Title, folder or id", "").press("Search").press("Next")
    assert sum("checked" in one.attrs for one in page.all("input")) == 2
    page.press("Add chosen videos")
    assert "2 videos came onto the board. They are not sent yet." in page.text
