"""Browsers, cities, referrers, ranking: one page each, sorted, paged, opened level by level."""

import re
from collections.abc import Callable
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from tests.analytics.conftest import Answers
from tests.pages import one_line, read_file

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

Seen = Callable[..., str]
WEEK = "start=2026-11-01&end=2026-11-07&zone=UTC"


def test_one_video_has_browsers_of_its_own_under_its_title(seen: Seen, owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["with_subtitles"]
    text = seen(f"browsers/?{WEEK}&video={video}")
    assert "From cherry to cup" in text
    of_one = read_file(owner, f"/dashboard/analytics/browsers.csv?{WEEK}&video={video}")
    of_all = read_file(owner, f"/dashboard/analytics/browsers.csv?{WEEK}")
    assert 0 < sum(int(row["Views"]) for row in of_one) < sum(int(row["Views"]) for row in of_all)


@pytest.mark.parametrize("path", ["browsers/", "traffic/", "retention/"])
@pytest.mark.parametrize("role", ["other_account", "of_sub_account"])
def test_a_video_of_another_account_is_not_found(seen: Seen, cast: dict[str, Any], path: str, role: str) -> None:
    text = seen(f"{path}?{WEEK}&video={cast['videos'][role]}", status=404)
    assert "figure__finding" not in text


def test_a_video_is_found_by_its_title(seen: Seen) -> None:
    text = seen(f"browsers/?{WEEK}&find=cherry")
    options = re.findall(r"<option value=\"[0-9a-f-]{36}\">([^<]+)", text)
    assert options and all("cherry" in title for title in options)
    assert "No video has “zzz” in its title." in seen(f"browsers/?{WEEK}&find=zzz")


def test_total_has_no_line_and_the_same_bars(seen: Seen, owner: Client) -> None:
    text = seen(f"browsers/?{WEEK}&granularity=total")
    assert "chart__svg" not in text and "bar__value" in text
    by_day = read_file(owner, f"/dashboard/analytics/browsers.csv?{WEEK}")
    assert read_file(owner, f"/dashboard/analytics/browsers.csv?{WEEK}&granularity=total") == by_day


def test_the_world_opens_into_countries_regions_and_cities(seen: Seen) -> None:
    world = seen(f"cities/?{WEEK}")
    assert "country=BR" in world and ">Brazil</a>" in world
    country = seen(f"cities/?{WEEK}&country=BR")
    assert "region=" in country and 'aria-current="page">Brazil' in country
    assert "Lisboa" not in country
    box = re.search(r'class="world" viewBox="([\d.]+) ([\d.]+) ([\d.]+)', country)
    assert box and float(box.group(3)) < 1500, "the map comes closer"
    region = seen(f"cities/?{WEEK}&country=BR&region=Minas+Gerais&granularity=day")
    assert "Minas Gerais: Views per day" in region and "Belo Horizonte" in region


def test_days_of_cities_are_asked_for_only_with_a_region(seen: Seen, faults: ModuleType) -> None:
    text = seen(f"cities/?{WEEK}&granularity=day")
    assert "Days and hours can be shown for one region at a time" in text
    assert "São Paulo" in text and "region is required" not in text
    seen(f"region.csv?{WEEK}", status=404)


def test_a_place_that_is_typed_is_only_text(seen: Seen) -> None:
    text = seen(f"cities/?{WEEK}&country=%3Cscript%3E&region=%22%3E")
    assert "<script>" not in text.replace('<script type="module"', "").replace("<script src", "")
    assert "Nothing was counted" in text or "could not" in text or "The platform says" in text


def test_five_thousand_cities_are_a_page_a_map_and_a_whole_file(seen: Seen, owner: Client, answers: Answers) -> None:
    many = [
        {
            "city": f"City {n}",
            "country": "BR",
            "region": "SP",
            "latitude": n % 80,
            "longitude": n % 170,
            "view": 6_000 - n,
        }
        for n in range(5_000)
    ]
    answers({"data": many})
    text = seen(f"cities/?{WEEK}&compare=none")
    assert text.count("world__bubble") == 300
    assert "4,700 cities are in the table only." in text
    assert "1 to 50 of 5,000" in text and len(text) < 200_000
    assert "4,951 to 5,000 of 5,000" in seen(f"cities/?{WEEK}&compare=none&page=99999")
    assert len(read_file(owner, f"/dashboard/analytics/cities.csv?{WEEK}&compare=none")) == 5_000


def test_a_referrer_is_text_that_neither_runs_nor_opens_nor_calculates(
    seen: Seen, owner: Client, answers: Answers
) -> None:
    hostile = [
        "javascript:alert(1)",
        '"><script>alert(1)</script>',
        '=HYPERLINK("//evil")',
        "@SUM(A1)",
        "https://example.com/a",
    ]
    answers({"data": [{"referrer": text, "view": 5 - n} for n, text in enumerate(hostile)]})
    text = seen(f"referrers/?{WEEK}&compare=none")
    assert "<script>alert" not in text and 'href="javascript' not in text
    assert 'href="https://example.com/a" rel="noreferrer noopener nofollow"' in text
    cells = [row["Site"] for row in read_file(owner, f"/dashboard/analytics/referrers.csv?{WEEK}&compare=none")]
    assert cells[2:4] == ['\'=HYPERLINK("//evil")', "'@SUM(A1)"]


def test_a_table_is_sorted_by_its_heads(seen: Seen) -> None:
    by_name = seen(f"referrers/?{WEEK}&sort=name")
    hosts = [unescape(host) for host in re.findall(r'class="referrer">(?:<a [^>]*>)?([^<]+)', one_line(by_name))]
    assert hosts == sorted(hosts, key=str.casefold) and len(hosts) == 40
    assert 'aria-sort="ascending"' in by_name
    assert 'aria-sort="descending"' in seen(f"referrers/?{WEEK}")
    seen(f"referrers/?{WEEK}&sort=drop+table")


def test_the_ranking_leads_to_each_video_and_draws_its_line_when_it_is_seen(seen: Seen, owner: Client) -> None:
    text = seen(f"ranking/?{WEEK}")
    spark = re.search(r'hx-get="(/dashboard/analytics/spark/[^"]+)" hx-trigger="revealed"', text)
    assert spark
    drawn = owner.get(spark.group(1).replace("&amp;", "&")).content.decode()
    assert 'class="spark"' in drawn and 'class="line"' in drawn
    assert "browsers/?" in text and "1 to 50 of" in text


def test_a_line_of_another_accounts_video_is_not_found(seen: Seen, cast: dict[str, Any]) -> None:
    seen(f"spark/{cast['videos']['other_account']}/?{WEEK}", status=404)


def test_a_ranking_without_plays_is_by_views(seen: Seen, answers: Answers) -> None:
    answers({"data": [{"title": "A", "views": 3}, {"title": "B", "views": 9}]})
    text = seen(f"ranking/?{WEEK}&compare=none")
    assert text.index(">B<") < text.index(">A<") if ">B<" in text else text.index("</span> B") < text.index("</span> A")
    assert "A view is a page that loaded the player." in text
