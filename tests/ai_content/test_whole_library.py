"""Filters and counts of AI content speak of the library, not of the page that is shown."""

from typing import Any

import pytest
from django.test import Client

from dashboard.ai_content.library import PER_PAGE
from dashboard.sandbox.models import Video
from dashboard.videos import tasks
from tests.answering import change_answers
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HERE = "/dashboard/ai-content/"


@pytest.fixture
def looked_up(owner: Client) -> None:
    """The worker has read the list and the record of every video."""
    tasks.read_library.call()


def shown(owner: Client, query: str = "") -> Any:
    return owner.get(f"{HERE}?{query}").context


def chips(page: Any) -> dict[str, str]:
    return {name: count for _value, name, count, _address in page["chips"]}


def all_rows(owner: Client, query: str) -> list[Any]:
    """The rows of all pages."""
    rows: list[Any] = []
    number = 1
    while True:
        page = shown(owner, f"{query}&page={number}")
        rows += page["rows"]
        if not page["next"]:
            return rows
        number += 1


@pytest.mark.usefixtures("looked_up")
def test_chips_count_what_their_pages_list(owner: Client) -> None:
    counts = chips(shown(owner))
    assert counts["All"] == str(len(all_rows(owner, ""))) == "75"
    for words, show in (("With gaps", "gaps"), ("Without AI content", "none")):
        rows = all_rows(owner, f"show={show}")
        assert counts[words] == str(len(rows))
        assert all(row.gaps if show == "gaps" else row.empty for row in rows)
        assert chips(shown(owner, f"show={show}")) == counts


@pytest.mark.usefixtures("looked_up")
def test_a_title_narrows_the_counts_too(owner: Client) -> None:
    count = Video.objects.filter(title__icontains="lesson").count()
    assert len(all_rows(owner, "title=lesson&show=none")) + len(all_rows(owner, "title=lesson&show=gaps")) <= count
    assert chips(shown(owner, "title=lesson&show=none"))["All"] == str(count)


def test_counts_that_are_not_known_are_not_said(owner: Client) -> None:
    assert chips(shown(owner)) == {"All": "75", "With gaps": "", "Without AI content": ""}


def test_videos_that_nobody_has_looked_at_are_listed_last_and_said(owner: Client, cast: dict[str, Any]) -> None:
    forget()
    owner.get(f"/dashboard/videos/{cast['videos']['with_ai_content']}/")
    page = shown(owner, "show=gaps")
    assert page["progress"] == "AI content was checked for 1 of 75 videos. The other videos are at the end of the list."
    assert chips(page)["With gaps"].endswith("+")
    assert chips(page)["All"] == "75"
    assert page["next"], "those that are not known may have gaps"
    assert len(page["rows"]) <= PER_PAGE


def test_videos_whose_content_the_api_does_not_tell_are_not_counted_as_checked(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(monkeypatch, lambda video: {**video, "config": {}, "ai_url": None}, "videos.get")
    tasks.read_library.call()
    for show in ("gaps", "none"):
        page = shown(owner, f"show={show}")
        assert (
            page["progress"]
            == "AI content was checked for 0 of 75 videos. The other videos are at the end of the list."
        )
        assert chips(page) == {"All": "75", "With gaps": "0+", "Without AI content": "0+"}
        assert len(page["rows"]) == PER_PAGE and all(row.note for row in page["rows"])
