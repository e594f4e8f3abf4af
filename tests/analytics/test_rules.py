"""Figures of single pages: places, ranking, referrers as hostile text, traffic and its projection."""

import random
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.analytics import rules
from dashboard.platform_api.records.analytics import Analytics, Table


def table(value: object) -> Table:
    found = Analytics.from_json(value).table  # type: ignore[arg-type]  # any JSON
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "host", "path", "href"),
    [
        ("https://www.example.com/a?b=1", "www.example.com", "/a?b=1", "https://www.example.com/a?b=1"),
        ("example.com", "example.com", "", "https://example.com"),
        ("http://example.com:8080/x", "example.com:8080", "/x", "http://example.com:8080/x"),
        ("javascript:alert(1)", "javascript:alert(1)", "", ""),
        ("data:text/html,<script>", "data:text/html,<script>", "", ""),
        ("https://user@example.com/", "https://user@example.com/", "", ""),
        ("https://еxample.com/", "https://еxample.com/", "", ""),  # a Cyrillic е
        ('https://example.com/"><img src=x>', 'https://example.com/"><img src=x>', "", ""),
        ("=HYPERLINK(1)", "=HYPERLINK(1)", "", ""),
        ("https://example.com/a\u202egpj.exe", "example.com", "/agpj.exe", "https://example.com/agpj.exe"),
        ("", "", "", ""),
    ],
)
def test_a_referrer_is_a_link_only_when_it_is_a_plain_web_address(text: str, host: str, path: str, href: str) -> None:
    assert rules.referrer(text) == rules.Referrer(host, path, href)


@given(st.text(max_size=300))
def test_no_referrer_becomes_anything_but_an_http_link(text: str) -> None:
    href = rules.referrer(text).href
    assert href == "" or href.startswith(("http://", "https://"))
    assert not set(href) & set("<>\"'\\ \n\t")


def test_cities_of_one_name_in_two_countries_are_two_cities() -> None:
    rows = table(
        [
            {"city": "San José", "country": "CR", "latitude": 9.9, "longitude": -84, "view": 5},
            {"city": "San José", "country": "US", "latitude": 37.3, "longitude": -121.9, "view": 7},
            {"city": "San José", "country": "CR", "view": 2},
        ]
    ).rows
    found = rules.places(rows, (), "view")
    assert [(place.country, place.now) for place in found] == [("CR", 7), ("US", 7)]
    assert all(place.latitude is not None for place in found)
    assert rules.grouped(found, "country") == (("CR", 7, 0), ("US", 7, 0))


def test_a_ranking_is_ordered_by_plays_and_its_rate_is_of_its_own_columns() -> None:
    now = table(
        {
            "data": [
                {"title": "A", "video_id": "1", "view": 10, "play": 4, "unique_view": 8, "unique_play": 2},
                {"title": "B", "video_id": "2", "view": 9, "play": 6},
            ]
        }
    )
    past = table({"data": [{"title": "renamed", "video_id": "1", "view": 1, "play": 8}]})
    first, second = rules.ranked(now, past)
    assert (first.title, first.rate, first.past_plays) == ("B", 6 / 9, None)
    assert not first.listed, "not on the earlier list, which is not the same as never played"
    assert (second.title, second.rate, second.past_plays, second.listed) == ("A", 4 / 10, 8, True)
    assert rules.ranked(now, None)[0].past_plays is None


def days_of(values: list[float], today: date) -> dict[date, float]:
    return {today - timedelta(days=len(values) - index): value for index, value in enumerate(values)}


def test_a_month_of_equal_days_is_projected_exactly() -> None:
    today = date(2026, 11, 20)
    found = rules.projected(days_of([10.0] * 40, today), today, date(2026, 11, 30))
    assert found is not None
    assert (found.so_far, found.likely, found.low, found.high, found.days_left) == (190, 300, 300, 300, 11)


def test_uneven_days_give_a_range_around_the_likely_end_that_is_never_below_what_is_used() -> None:
    today = date(2026, 11, 20)
    found = rules.projected(days_of([0.0, 100.0] * 20, today), today, date(2026, 11, 30))
    assert found is not None
    assert found.so_far <= found.low < found.likely < found.high


def test_less_than_a_week_is_no_basis_for_a_projection() -> None:
    today = date(2026, 11, 20)
    assert rules.projected(days_of([10.0] * 6, today), today, date(2026, 11, 30)) is None
    assert rules.projected({}, today, date(2026, 11, 30)) is None
    assert rules.projected(days_of([10.0] * 7, today), today, date(2026, 11, 30)) is not None


def test_eighty_per_cent_of_random_months_end_within_the_range() -> None:
    dice = random.Random(4)
    today, last, hits = date(2026, 11, 10), date(2026, 11, 30), 0
    for _ in range(400):
        history = [max(0.0, dice.gauss(100, 30)) for _ in range(40)]
        rest = sum(max(0.0, dice.gauss(100, 30)) for _ in range(21))
        by_day = days_of(history, today)
        found = rules.projected(by_day, today, last)
        assert found is not None
        hits += found.low <= found.so_far + rest <= found.high
    assert 0.72 <= hits / 400 <= 0.9


@pytest.mark.parametrize("answer", [{"data": [{"t": "2026-11-19", "b": 5}]}, [{"date": "2026-11-19", "bytes": "5"}]])
def test_traffic_is_bytes_by_day(answer: object) -> None:
    assert rules.daily_bytes(table(answer), ZoneInfo("UTC")) == {date(2026, 11, 19): 5}
