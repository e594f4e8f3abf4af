"""Figures of single pages: places, ranking, referrers as hostile text, traffic and its projection."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.analytics import rules
from dashboard.platform_api.analytics import Analytics, Table


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
    assert rules.parse_referrer(text) == rules.Referrer(host, path, href)


@given(st.text(max_size=300))
def test_no_referrer_becomes_anything_but_an_http_link(text: str) -> None:
    href = rules.parse_referrer(text).href
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
    found = rules.parse_places(rows, (), "view")
    assert [(place.country, place.now) for place in found] == [("CR", 7), ("US", 7)]
    assert all(place.latitude is not None for place in found)
    assert rules.group_places(found, "country") == (("CR", 7, 0), ("US", 7, 0))


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
    first, second = rules.parse_ranking(now, past)
    assert (first.title, first.rate, first.past_plays) == ("B", 6 / 9, None)
    assert not first.listed, "not on the earlier list, which is not the same as never played"
    assert (second.title, second.rate, second.past_plays, second.listed) == ("A", 4 / 10, 8, True)
    assert rules.parse_ranking(now, None)[0].past_plays is None


def test_places_are_ordered_by_now_then_before_then_name_and_both_periods_add_up() -> None:
    now = table(
        [
            {"city": "Recife", "region": "PE", "country": "BR", "view": 3},
            {"city": "Natal", "region": "RN", "country": "BR", "latitude": -5.8, "view": 9},
            {"note": "no number"},
            {"city": "Belém", "view": 3},
            {"city": "Natal", "region": "RN", "country": "BR", "latitude": -5.8, "longitude": -35.2, "view": 1},
            {"city": "Natal", "region": "RN", "country": "BR", "latitude": 1, "longitude": 2, "view": 1},
            {"city": "Acre", "view": 3},
        ]
    ).rows
    past = table(
        [
            {"city": "Recife", "region": "PE", "country": "BR", "view": 4},
            {"city": "Recife", "region": "PE", "country": "BR", "view": 4},
        ]
    ).rows
    places = rules.parse_places(now, past, "view")
    assert [(place.city, place.region, place.country, place.now, place.past) for place in places] == [
        ("Natal", "RN", "BR", 11, 0),
        ("Recife", "PE", "BR", 3, 8),
        ("Acre", "", "", 3, 0),
        ("Belém", "", "", 3, 0),
    ]
    assert (places[0].latitude, places[0].longitude) == (-5.8, -35.2), "of the first row that says both"
    assert (places[1].latitude, places[1].longitude) == (None, None)


def test_a_row_about_a_whole_region_or_country_is_no_city() -> None:
    rows = table([{"country": "BR", "view": 2}, {"region": "PE", "country": "BR", "view": 3}]).rows
    assert [place.city for place in rules.parse_places(rows, (), "view")] == ["", ""]


def test_regions_and_countries_add_up_their_cities_largest_first() -> None:
    rows = (("a", "N", 1.0, 9.0), ("b", "S", 2.0, 1.0), ("c", "S", 3.0, 2.0), ("d", "O", 1.0, 0.0))
    cities = [rules.PlaceFigures(city, region, "BR", None, None, now, past) for city, region, now, past in rows]
    assert rules.group_places(cities, "region") == (("S", 5, 3), ("N", 1, 9), ("O", 1, 0))
    assert rules.group_places(cities, "country") == (("BR", 7, 12),)


def test_a_ranking_without_plays_is_ordered_by_views_and_then_by_title() -> None:
    now = table({"data": [{"title": title, "view": views} for title, views in (("C", 1), ("B", 5), ("D", 5))]})
    assert [video.title for video in rules.parse_ranking(now, None)] == ["B", "D", "C"]
    plays = table({"data": [{"title": "none", "play": 0}, {"title": "untold", "view": 3}, {"title": "one", "play": 1}]})
    assert [video.title for video in rules.parse_ranking(plays, None)] == ["one", "untold", "none"]


@pytest.mark.parametrize(
    ("row", "rate", "of_people"),
    [
        ({"view": 10, "play": 4, "unique_view": 8, "unique_play": 2}, 0.4, False),
        ({"play": 4, "unique_view": 8, "unique_play": 2}, 0.25, True),
        ({"view": 10, "unique_view": 8, "unique_play": 2}, 0.25, True),
        ({"view": 10}, None, True),
        ({"view": 0, "play": 0}, None, False),
        ({"unique_view": 8}, None, True),
    ],
)
def test_a_rate_is_of_plays_or_where_they_are_not_told_of_people(
    row: dict[str, int], rate: float | None, of_people: bool
) -> None:
    (video,) = rules.parse_ranking(table({"data": [{"title": "A", "video_id": "v1", **row}]}), None)
    assert (video.video_id, video.views, video.rate, video.of_people) == ("v1", row.get("view"), rate, of_people)


@pytest.mark.parametrize(
    ("answer", "days"),
    [
        ([{"date": "2026-11-06", "b": 5}, {"date": "2026-11-07", "b": 6}], {6: 5, 7: 6}),
        ([{"date": "2026-11-07T01:00:00Z", "bytes": 5}, {"date": "2026-11-07T04:00:00Z", "bytes": 6}], {7: 11}),
        ([], {}),
        ([{"date": "2026-11-06", "note": 5}], None),
        ([{"city": "Recife", "b": 5}], None),
    ],
    ids=["days", "hours", "empty", "no bytes", "no days"],
)
def test_bytes_are_summed_by_the_day_that_the_platform_names(
    answer: list[object], days: dict[int, float] | None
) -> None:
    found = rules.parse_daily_bytes(table(answer), ZoneInfo("America/Recife"))
    assert found == (None if days is None else {date(2026, 11, day): total for day, total in days.items()})


@pytest.mark.parametrize(
    ("answer", "total"),
    [
        ({"total_consumed": 9}, 9),
        ({"data": [{"total": 7}]}, 7),
        ({"data": [{"total": 7}, {"total": 8}]}, None),
        ({"data": [{"view": 7}]}, None),
    ],
)
def test_a_total_is_that_of_the_whole_answer_or_of_its_only_row(answer: object, total: float | None) -> None:
    assert rules.parse_total_bytes(table(answer)) == total
