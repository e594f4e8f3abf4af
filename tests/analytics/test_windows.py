"""What is printed is what was computed: the shown days, the compared days, and days that have no numbers."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from tests.analytics.conftest import Answers
from tests.pages import read_file

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

Seen = Callable[..., str]


def plain(text: str) -> str:
    """The words of a page on one line, thin spaces as spaces."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text)).replace("\u2009", " "))


def days_between(start: str, end: str) -> list[date]:
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def views_on(day: date) -> int:
    return 1_000 + day.toordinal() % 97


def daily(begins: str = "2000-01-01", ends: str = "2100-01-01", asked: list[tuple[str, str]] | None = None) -> Any:
    """Answers of every operation by day, with rows only from `begins` to `ends`."""

    def answer(operation: str, query: dict[str, Any]) -> Any:
        start, end = query["start_date"], query["end_date"]
        if asked is not None and operation == "analytics.browser":
            asked.append((start, end))
        known = [day for day in days_between(start, end) if begins <= day.isoformat() <= ends]
        if operation == "analytics.browser":
            return {"data": [{"browser": "Chrome", "date": f"{day}", "view": views_on(day)} for day in known]}
        total = sum(views_on(day) for day in known)
        names = {
            "referrer": "example.com",
            "city": "Recife",
            "title": "Welcome",
            "video_id": "7d9f2f0c-3a54-4d5e-9c2b-1f0e6a8b1c11",
            "play": total,
        }
        return {"data": [{**names, "view": total}] if known else []}

    return answer


def test_comparison_printed_on_every_panel_is_the_one_that_was_added_up(
    seen: Seen, owner: Client, answers: Answers, at_noon: datetime
) -> None:
    asked: list[tuple[str, str]] = []
    answers(daily(asked=asked))
    text = plain(seen("?range=28d&zone=UTC"))
    assert set(asked) == {("2026-10-24", "2026-11-20"), ("2026-09-26", "2026-10-22")}
    assert "Oct 24 – Nov 19, 2026 against Sep 26 – Oct 22, 2026" in text
    assert "Oct 23" not in text.split("Show as a table")[0], "no label names a day that is not added up"
    rows = read_file(owner, "/dashboard/analytics/events.csv?range=28d&zone=UTC")
    compared = [row for row in rows if row["Compared with"]]
    assert (compared[0]["Compared with"], compared[-1]["Compared with"]) == ("2026-09-26", "2026-10-22")
    past = sum(views_on(day) for day in days_between("2026-09-26", "2026-10-22"))
    assert sum(int(row["Views, compared"]) for row in compared) == past
    assert f"({past:,} views)" in text and f"from {past:,}" in text
    for name in ("events", "browsers", "referrers", "ranking"):
        picture = plain(owner.get(f"/dashboard/analytics/{name}.svg?range=28d&zone=UTC").content.decode())
        assert "Oct 24 – Nov 19, 2026 against Sep 26 – Oct 22, 2026, UTC" in picture, name
    name = owner.get("/dashboard/analytics/referrers.csv?range=28d&zone=UTC")["Content-Disposition"]
    assert "2026-10-24_2026-11-19_vs_2026-09-26_2026-10-22" in name


@pytest.mark.parametrize(
    ("path", "operation"),
    [("referrers/", "analytics.referrer"), ("cities/", "analytics.city"), ("ranking/", "analytics.ranking")],
)
@pytest.mark.parametrize(
    ("compare", "past"),
    [("", ("2026-09-26", "2026-10-22")), ("&compare=last-year", ("2025-10-25", "2025-11-20")), ("&compare=none", None)],
)
def test_list_asks_the_platform_for_the_counted_days_and_for_those_it_compares_with(
    seen: Seen,
    answers: Answers,
    at_noon: datetime,
    path: str,
    operation: str,
    compare: str,
    past: tuple[str, str] | None,
) -> None:
    asked = set()

    def answer(name: str, query: dict[str, Any]) -> Any:
        if name == operation:
            asked.add((query["start_date"], query["end_date"]))
        return daily()(name, query)

    answers(answer)
    seen(f"{path}?range=28d&zone=UTC{compare}")
    assert asked == {("2026-10-24", "2026-11-19")} | ({past} if past else set())


@pytest.mark.parametrize(
    ("zone", "start", "end"),
    [
        ("Europe/Lisbon", "2026-10-26", "2026-10-27"),
        ("Europe/London", "2026-10-26", "2026-10-27"),
        ("Europe/London", "2026-03-29", "2026-03-30"),
        ("America/Sao_Paulo", "2026-10-26", "2026-10-27"),
        ("Asia/Kolkata", "2026-10-26", "2026-10-27"),
        ("Australia/Lord_Howe", "2026-10-05", "2026-10-06"),
        ("UTC", "2026-10-26", "2026-10-27"),
    ],
)
def test_hours_compared_over_a_change_of_clocks_are_all_read(
    owner: Client, answers: Answers, at_noon: datetime, zone: str, start: str, end: str
) -> None:
    def hourly(operation: str, query: dict[str, Any]) -> Any:
        moments = [
            datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
            for day in days_between(query["start_date"], query["end_date"])
            for hour in range(24)
        ]
        return {"data": [{"browser": "A", "date": f"{at:%Y-%m-%dT%H:00:00Z}", "view": at.hour + 100} for at in moments]}

    answers(hourly)
    rows = read_file(owner, f"/dashboard/analytics/events.csv?start={start}&end={end}&zone={zone}&granularity=hour")
    place = ZoneInfo(zone)
    for kind, key in (("Views", "Hour"), ("Views, compared", "Compared with")):
        for row in rows:
            if not row[key]:
                continue
            here = datetime.fromisoformat(row[key])
            halves = [here.replace(minute=minute, tzinfo=place, fold=fold) for minute in (0, 30) for fold in (0, 1)]
            moments = {half.astimezone(UTC) for half in halves}
            true = sum(
                at.hour + 100
                for at in moments
                if at.minute == 0 and at.astimezone(place).replace(tzinfo=None, minute=0) == here
            )
            assert int(row[kind]) == true, (row, kind)


def test_days_before_an_accounts_numbers_begin_are_no_data_everywhere(
    seen: Seen, owner: Client, answers: Answers, at_noon: datetime
) -> None:
    answers(daily(begins="2026-10-21"))
    query = "range=28d&zone=UTC"
    text = plain(seen(f"?{query}"))
    rows = read_file(owner, f"/dashboard/analytics/events.csv?{query}")
    empty = [row for row in rows if row["Compared with"] and row["Views, compared"] == ""]
    assert len(empty) == 25 and all(row["Change"] == "" for row in empty)
    now = sum(views_on(day) for day in days_between("2026-11-18", "2026-11-19"))
    past = sum(views_on(day) for day in days_between("2026-10-21", "2026-10-22"))
    assert "Over the 2 of 27 days with numbers on both sides" in text
    assert f"{now:,} views" in text and f"({past:,} views)" in text
    assert "over 2 of 27 days" in text
    assert not re.search(r"\bnew\b", text) and "no data" in text
    assert "(0)" not in text and not re.search(r"\d{3,}(\.\d)?%", text.replace("100.0%", "")), (
        "a share may be all of it"
    )
    for name in ("browsers", "referrers", "cities", "ranking"):
        file = read_file(owner, f"/dashboard/analytics/{name}.csv?{query}")
        assert file and "Change" not in file[0], name
        assert "Only 2 of 27 days have numbers on both sides" in plain(seen(f"?{query}&panel={name}", **HTMX)), name


HTMX = {"HX-Request": "true"}


def test_days_at_the_end_that_the_answer_does_not_cover_are_no_data(
    seen: Seen, owner: Client, answers: Answers, at_noon: datetime
) -> None:
    answers(daily(ends="2026-11-17"))
    query = "range=7d&zone=UTC"
    text = plain(seen(f"?{query}"))
    rows = read_file(owner, f"/dashboard/analytics/events.csv?{query}")
    assert [row["Views"] == "" for row in rows] == [False] * 4 + [True] * 3
    assert [row["Note"] for row in rows] == [""] * 4 + ["no data"] * 2 + ["incomplete, no data"]
    total = sum(views_on(day) for day in days_between("2026-11-14", "2026-11-17"))
    assert f"{total:,} views in 4 of 6 days; the other days have no data" in text
    assert "(0)" not in text


def test_a_day_without_a_row_between_days_with_rows_is_zero(seen: Seen, owner: Client, answers: Answers) -> None:
    rows = [{"browser": "A", "date": f"2026-11-0{n}", "view": n} for n in (1, 2, 5, 7)]
    answers({"data": rows})
    week = "start=2026-11-01&end=2026-11-07&zone=UTC&compare=none"
    assert [row["Views"] for row in read_file(owner, f"/dashboard/analytics/events.csv?{week}")] == [
        "1",
        "2",
        "0",
        "0",
        "5",
        "0",
        "7",
    ]
    assert "15 views in this period." in plain(seen(f"?{week}"))


def test_an_answer_without_any_row_is_no_data_and_not_zero(seen: Seen, owner: Client, answers: Answers) -> None:
    answers([])
    query = "start=2026-11-01&end=2026-11-07&zone=UTC"
    text = plain(seen(f"?{query}"))
    assert "No data for these days." in text and "0 views" not in text
    assert {row["Views"] for row in read_file(owner, f"/dashboard/analytics/events.csv?{query}")} == {""}
    picture = plain(owner.get(f"/dashboard/analytics/events.svg?{query}").content.decode())
    assert "No data for these days." in picture


def test_a_picture_marks_days_without_data(owner: Client, answers: Answers, at_noon: datetime) -> None:
    answers(daily(begins="2026-11-10"))
    picture = owner.get("/dashboard/analytics/events.svg?range=28d&zone=UTC&compare=none").content.decode()
    assert ">No data</text>" in picture and ">Today, incomplete</text>" in picture


@pytest.mark.parametrize("path", ["referrers/", "cities/", "ranking/"])
def test_list_of_today_alone_asks_for_nothing_to_compare_it_with(
    seen: Seen, answers: Answers, at_noon: datetime, path: str
) -> None:
    asked = set()

    def answer(name: str, query: dict[str, Any]) -> Any:
        if name != "analytics.browser":
            asked.add((query["start_date"], query["end_date"]))
        return daily()(name, query)

    answers(answer)
    seen(f"{path}?start=2026-11-20&end=2026-11-20&zone=UTC")
    assert asked == {("2026-11-20", "2026-11-20")}


def test_today_alone_is_called_so_far_and_never_whole_days(seen: Seen, answers: Answers, at_noon: datetime) -> None:
    answers(daily())
    text = seen("?start=2026-11-20&end=2026-11-20&zone=UTC&granularity=day")
    assert "Key figures of whole days" not in text and 'aria-label="Key figures of today so far"' in text
    assert "whole days, UTC" not in plain(text)
    assert "views so far today." in plain(text)


def test_play_rate_is_the_rate_of_the_columns_beside_it(seen: Seen, owner: Client, answers: Answers) -> None:
    counts = {"view": 5_190, "play": 1_817, "unique_view": 4_000, "unique_play": 1_348}
    days = [{"browser": "A", "date": f"2026-11-0{n}", **counts} for n in range(1, 8)]
    answers(lambda operation, query: {"data": days if operation == "analytics.browser" else [{"title": "A", **counts}]})
    week = "start=2026-11-01&end=2026-11-07&zone=UTC&compare=none"
    text = plain(seen(f"?{week}"))
    assert "Play rate 35.0%" in text and "12,719 plays of 36,330 views" in text and "33.7%" not in text
    assert "5,190 1,817 35.0%" in plain(seen(f"ranking/?{week}"))
    answers({"data": [{"title": "A", "play": 1_817, "unique_view": 4_000, "unique_play": 1_348}]})
    assert "33.7% of unique viewers" in plain(seen(f"ranking/?{week}")), "a rate of people says so in its row"


def test_video_that_the_earlier_ranking_does_not_list_is_neither_new_nor_zero(
    seen: Seen, owner: Client, answers: Answers
) -> None:
    def answer(operation: str, query: dict[str, Any]) -> Any:
        if operation == "analytics.browser":
            days = days_between(query["start_date"], query["end_date"])
            return {"data": [{"browser": "A", "date": f"{day}", "view": 5} for day in days]}
        listed = ("B",) if query["start_date"] < "2026-11-01" else ("A", "B")
        return {"data": [{"title": title, "video_id": title, "play": 9} for title in listed]}

    answers(answer)
    week = "start=2026-11-01&end=2026-11-07&zone=UTC"
    rows = {row["Video"]: row for row in read_file(owner, f"/dashboard/analytics/ranking.csv?{week}")}
    assert (rows["A"]["Plays, compared"], rows["A"]["Change"]) == ("", "")
    assert rows["B"]["Plays, compared"] == "9"
    text = seen(f"ranking/?{week}")
    assert text.count("not in the earlier list") == 1 and ">new<" not in text


def test_ranking_opens_no_page_of_an_identifier_that_is_none(seen: Seen, answers: Answers) -> None:
    answers({"data": [{"title": "A", "video_id": "../1", "play": 9}]})
    text = seen("ranking/?start=2026-11-01&end=2026-11-07&zone=UTC&compare=none")
    assert "analytics/spark" not in text and "video=.." not in text
