"""Long lists on paper: they begin beneath their head and go on over the edge of each sheet, cut between rows."""

import io
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from dashboard.platform_api.vocabulary import TestStatus
from dashboard.sandbox.models import Comparison, Video
from tests.journeys.conftest import OpenBrowser

LISTS = ("ab-tests/", "videos/", "folders/", "activity/", "analytics/ranking/", "subtitles/", "custom-fields/")
HEAD = "Sheet"


@pytest.fixture
def paper(desk: OpenBrowser, cast: dict[str, Any]) -> Page:
    """The owner's desk, with sixty more A/B tests than the demo has."""
    organization = Video.objects.get(pk=cast["videos"]["plain"]).organization
    names = [f"{HEAD}{number:02}" for number in range(60)]
    Comparison.objects.bulk_create(
        Comparison(name=name, organization=organization, status=TestStatus.DRAFT) for name in names
    )
    return desk()


def sheets(page: Page) -> list[str]:
    """The text of each sheet of the page that is open."""
    page.wait_for_load_state("networkidle")
    return [sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages]


def test_a_long_list_of_tests_begins_on_the_first_sheet_and_loses_no_row(paper: Page) -> None:
    paper.goto("/dashboard/ab-tests/")
    expect(paper.get_by_text(f"{HEAD}59")).to_be_visible()
    printed = sheets(paper)
    assert len(printed) > 1 and HEAD in printed[0]
    assert all("".join(printed).count(f"{HEAD}{number:02}") == 1 for number in range(60))


@pytest.mark.parametrize("path", LISTS)
def test_no_sheet_but_the_last_is_nearly_empty(paper: Page, path: str) -> None:
    paper.goto(f"/dashboard/{path}")
    lengths = [len("".join(text.split())) for text in sheets(paper)]
    assert all(length > max(lengths) * 0.4 for length in lengths[:-1]), lengths
