"""Retention of one and of several videos: bands, the first second apart, curves of any shape."""

import csv
import io
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from tests.analytics.conftest import Answers

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

Seen = Callable[..., str]
WEEK = "start=2026-11-01&end=2026-11-07&zone=UTC"


def test_one_video_tells_when_half_have_left(seen: Seen, cast: dict[str, Any], answers: Answers) -> None:
    def answer(operation: str, query: Any) -> Any:
        if operation.endswith("retention"):
            return {"retention": {"0": 100, "10": 80, "20": 45, "30": 20}}
        return {"views_data": {"2026-11-02": {"unique_view": 900, "unique_play": 400}}}

    answers(answer)
    text = seen(f"retention/?{WEEK}&video={cast['videos']['plain']}")
    assert "Half of the players have left by 0:20; 20% watch to the end." in text
    assert "area--band" in text and "Where viewers leave" in text


def test_two_videos_are_compared_with_bands_and_the_file_holds_every_second(
    seen: Seen, owner: Client, cast: dict[str, Any]
) -> None:
    query = f"{WEEK}&video={cast['videos']['with_ai_content']}&video={cast['videos']['with_subtitles']}"
    text = seen(f"retention/?{query}")
    assert text.count("area--band") == 2
    body = owner.get(f"/dashboard/analytics/retention.csv?{query}").content.decode().removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(body)))
    assert rows[0]["Second"] == "0" and len(rows) > 50


def test_without_people_there_are_no_bands_and_the_page_says_why(
    seen: Seen, cast: dict[str, Any], answers: Answers
) -> None:
    answers({"points": [{"retention": 100}, {"retention": 60}, {"retention": 50}]})
    query = f"{WEEK}&video={cast['videos']['plain']}&video={cast['videos']['with_subtitles']}"
    text = seen(f"retention/?{query}")
    assert "area--band" not in text
    assert "How many people watched is not known" in text


def test_a_curve_that_rises_is_plain_because_people_rewound(seen: Seen, cast: dict[str, Any], answers: Answers) -> None:
    def answer(operation: str, query: Any) -> Any:
        if operation.endswith("retention"):
            return {"retention": {"0": 100, "5": 60, "10": 75}}
        return {"views_data": {"2026-11-02": {"unique_view": 900, "unique_play": 400}}}

    answers(answer)
    query = f"{WEEK}&video={cast['videos']['plain']}&video={cast['videos']['with_subtitles']}"
    text = seen(f"retention/?{query}")
    assert "because people rewind" in text and "area--band" not in text


def test_nobody_watched_is_said_and_an_unknown_shape_is_shown(
    seen: Seen, cast: dict[str, Any], answers: Answers
) -> None:
    answers({"retention": {}})
    assert "no plays in these days" in seen(f"retention/?{WEEK}&video={cast['videos']['plain']}")
    answers({"engagement": "high"})
    assert "The answer as it came" in seen(f"retention/?{WEEK}&video={cast['videos']['plain']}")


def test_a_video_that_fails_is_named(seen: Seen, cast: dict[str, Any], faults: ModuleType) -> None:
    faults.set("analytics.retention", status=500)
    assert "The platform has trouble of its own." in seen(f"retention/?{WEEK}&video={cast['videos']['plain']}")
