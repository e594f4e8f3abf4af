"""Figures of single pages: places, ranking, referrers as hostile text, traffic and its projection."""

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
