"""Traffic: bytes of one or several videos, GB and GiB by name, what the month comes to, what it costs."""

import csv
import io
from collections.abc import Callable
from datetime import date, timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.analytics.models import TrafficPrice
from dashboard.platform_api.request import Request
from tests.answering import answer_with, days_of
from tests.forgetting import forget
from tests.pages import read_file

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

Seen = Callable[..., str]
WEEK = "start=2026-11-01&end=2026-11-07&zone=UTC"
GIGA = 10**9


@pytest.fixture
def flat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every video has 2 GB a day."""

    def traffic(request: Request) -> Any:
        start, end = days_of(request)
        days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
        return {"data": [{"t": day.isoformat(), "b": 2 * GIGA} for day in days]}

    answer_with(monkeypatch, traffic, "analytics.traffic")
    forget()


def test_total_average_and_both_units_are_named(seen: Seen, cast: dict[str, Any], flat: None) -> None:
    text = seen(f"traffic/?{WEEK}&video={cast['videos']['plain']}")
    assert "14.0 GB" in text and "13.0 GiB" in text
    assert "2.00 GB" in text and "1 GB is 1,000,000,000 bytes." in text


def test_several_videos_have_a_total_a_line_each_and_their_shares(
    seen: Seen, owner: Client, cast: dict[str, Any]
) -> None:
    videos = [cast["videos"]["plain"], cast["videos"]["with_subtitles"]]
    query = f"{WEEK}&video={videos[0]}&video={videos[1]}"
    text = seen(f"traffic/?{query}")
    assert "Share by video" in text and "Traffic by video" in text
    rows = list(
        csv.DictReader(
            io.StringIO(owner.get(f"/dashboard/analytics/shares.csv?{query}").content.decode().removeprefix("\ufeff"))
        )
    )
    assert len(rows) == 2
    assert sum(float(row["Share of total"]) for row in rows) == pytest.approx(1, abs=1e-5)
    total = list(
        csv.DictReader(
            io.StringIO(owner.get(f"/dashboard/analytics/traffic.csv?{query}").content.decode().removeprefix("\ufeff"))
        )
    )
    name = "Traffic of 2 chosen videos"
    assert sum(int(row[name]) for row in total) == sum(int(row[name]) for row in rows) > 0
    for name in ("traffic", "videos", "shares"):
        assert owner.get(f"/dashboard/analytics/{name}.svg?{query}").status_code == 200


def test_sum_of_some_videos_is_named_as_theirs_in_page_file_and_forecast(
    seen: Seen, owner: Client, cast: dict[str, Any], flat: None, at_noon: object
) -> None:
    query = f"range=28d&zone=UTC&video={cast['videos']['plain']}&video={cast['videos']['with_subtitles']}"
    text = seen(f"traffic/?{query}")
    assert ">Traffic of 2 chosen videos<" in text and ">Traffic</span>" not in text
    assert "108 GB of 2 chosen videos in this period" in text
    assert "By Nov 30, 2 chosen videos" in text and "Traffic per day of 2 chosen videos" in text
    assert "Traffic of 2 chosen videos" in read_file(owner, f"/dashboard/analytics/traffic.csv?{query}")[0]
    assert "of 2 chosen videos" in owner.get(f"/dashboard/analytics/traffic.svg?{query}").content.decode()


def test_a_video_can_be_taken_out_and_more_than_eight_are_refused(seen: Seen, cast: dict[str, Any]) -> None:
    one, two = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    text = seen(f"traffic/?{WEEK}&video={one}&video={two}")
    assert "take out" in text
    many = "&".join(f"video={n:08x}-0000-4000-8000-000000000000" for n in range(9))
    seen(f"traffic/?{WEEK}&{many}", status=404)


def test_month_is_projected_with_a_range_and_how_often_such_ranges_held(
    seen: Seen, cast: dict[str, Any], flat: None, at_noon: object
) -> None:
    text = seen(f"traffic/?range=28d&zone=UTC&video={cast['videos']['plain']}")
    assert "By Nov 30, 1 chosen video" in text and "60.0 GB" in text
    assert "Between 60.0 GB and 60.0 GB. Such ranges held in 11 of 11 earlier months." in text
    assert "38.0 GB so far this month." in text and "four of five" not in text
    assert "By Nov 30" not in seen(f"traffic/?start=2026-08-01&end=2026-08-31&zone=UTC&video={cast['videos']['plain']}")


def test_month_of_videos_that_came_out_of_nothing_cannot_be_told(
    seen: Seen, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, at_noon: object
) -> None:
    def traffic(request: Request) -> Any:
        start, end = days_of(request)
        days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
        rows = [{"t": day.isoformat(), "b": 5 * GIGA if day > date(2026, 11, 10) else 1000} for day in days]
        return {"data": rows}

    answer_with(monkeypatch, traffic, "analytics.traffic")
    forget()
    text = seen(f"traffic/?range=28d&zone=UTC&video={cast['videos']['plain']}")
    assert "The days differ too much for a useful range." in text


def test_month_of_a_short_history_cannot_be_told(
    seen: Seen, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, at_noon: object
) -> None:
    def traffic(request: Request) -> Any:
        _start, end = days_of(request)
        days = [date(2026, 10, 20) + timedelta(days=n) for n in range((end - date(2026, 10, 20)).days + 1)]
        return {"data": [{"t": day.isoformat(), "b": 2 * GIGA} for day in days]}

    answer_with(monkeypatch, traffic, "analytics.traffic")
    forget()
    text = seen(f"traffic/?range=28d&zone=UTC&video={cast['videos']['plain']}")
    assert "Cannot tell yet" in text
    assert "A forecast for the days that are left needs 61 days of numbers; there are 31." in text


def test_the_own_price_is_kept_for_the_account_and_shown_as_cost(
    seen: Seen, owner: Client, cast: dict[str, Any], flat: None
) -> None:
    address = f"/dashboard/analytics/traffic/price/?{WEEK}&video={cast['videos']['plain']}"
    answer = owner.post(address, {"per_gigabyte": "0,15", "currency": "BRL"})
    assert answer.status_code == 302 and "start=2026-11-01" in answer["Location"]
    text = seen(f"traffic/?{WEEK}&video={cast['videos']['plain']}")
    assert "R$2.10" in text and "R$0.15 per GB" in text
    assert TrafficPrice.objects.get().currency == "BRL"
    owner.post(address, {"per_gigabyte": "", "currency": "BRL"})
    assert not TrafficPrice.objects.exists()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("cheap", "Write the price as a number"),
        ("-1", "zero or more"),
        ("1e999", "Write"),
        ("0.1234567", "at most 6 decimals"),
    ],
)
def test_a_price_that_is_none_is_said_at_the_field_with_what_was_typed(
    owner: Client, typed: str, sentence: str
) -> None:
    answer = owner.post("/dashboard/analytics/traffic/price/", {"per_gigabyte": typed, "currency": "BRL"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert sentence in text and f'value="{typed}"' in text
    assert not TrafficPrice.objects.exists()


def test_one_video_that_fails_leaves_the_others(seen: Seen, cast: dict[str, Any], faults: ModuleType) -> None:
    one, two = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    faults.set("analytics.traffic", status=500, times=1)
    text = seen(f"traffic/?{WEEK}&video={one}&video={two}")
    assert "The platform has trouble of its own." in text
    assert 'id="panel-traffic"' in text


def test_when_all_fail_the_page_says_so_and_stands(seen: Seen, cast: dict[str, Any], faults: ModuleType) -> None:
    faults.set("analytics.traffic", status=403)
    text = seen(f"traffic/?{WEEK}&video={cast['videos']['plain']}")
    assert "This account may not do that." in text and "chart__svg" not in text


@pytest.fixture
def weekly(monkeypatch: pytest.MonkeyPatch) -> list[tuple[date, date]]:
    """Every video has as many GB a day as the weekday's number, Monday 1; the list tells the days that were asked for."""
    asked: list[tuple[date, date]] = []

    def traffic(request: Request) -> Any:
        start, end = days_of(request)
        asked.append((start, end))
        days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
        return {"data": [{"t": day.isoformat(), "b": day.isoweekday() * GIGA} for day in days]}

    answer_with(monkeypatch, traffic, "analytics.traffic")
    forget()
    return asked


@pytest.mark.parametrize(
    ("days", "first"),
    [
        ("start=2026-11-03&end=2026-11-12&zone=UTC", "2025-11-04"),
        ("start=2024-02-25&end=2024-03-05&zone=UTC", "2023-02-26"),
        ("start=2025-02-24&end=2025-03-05&zone=Asia/Tokyo", "2024-02-26"),
    ],
    ids=["a plain year", "over a leap day", "after a leap year"],
)
def test_last_year_is_compared_weekday_by_weekday_in_page_and_files(
    seen: Seen, owner: Client, cast: dict[str, Any], weekly: object, days: str, first: str
) -> None:
    one, two = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    query = f"{days}&compare=last-year&video={one}&video={two}"
    rows = read_file(owner, f"/dashboard/analytics/traffic.csv?{query}")
    assert len(rows) == 10 and rows[0]["Compared with"] == first
    for row in rows:
        day, before = date.fromisoformat(row["Day"]), date.fromisoformat(row["Compared with"])
        assert (day - before).days == 364 and day.weekday() == before.weekday()
        name = "Traffic of 2 chosen videos"
        assert int(row[name]) == int(row[f"{name}, compared"]) == 2 * day.isoweekday() * GIGA
        assert float(row["Change"]) == 0
    assert all(
        row[name] == row[f"{name}, compared"] for row in read_file(owner, f"/dashboard/analytics/shares.csv?{query}")
    )
    assert "exactly as before" in seen(f"traffic/?{query}")


def test_a_comparison_that_lies_far_back_is_asked_for_apart(
    seen: Seen, cast: dict[str, Any], weekly: list[tuple[date, date]], at_noon: object
) -> None:
    video = f"video={cast['videos']['plain']}"
    seen(f"traffic/?{WEEK}&compare=last-year&{video}")
    assert [(start.year, end.year) for start, end in weekly] == [(2025, 2026)], "a year back is one question"
    weekly.clear()
    seen(f"traffic/?{WEEK}&compare=chosen&against=2024-03-04&{video}")
    assert weekly == [(date(2024, 3, 4), date(2024, 3, 10))], "the days of the range are known already"
