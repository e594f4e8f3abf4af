"""Why a figure changed: parts that add up exactly to the difference that is printed, and a sentence where nobody can tell."""

import csv
import io
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from dashboard.shared.change_parts import Side, split_change
from tests.pages import one_line

WHY = "/dashboard/analytics/why/"
DAYS = "start=2026-11-01&end=2026-11-14&zone=UTC"
COUNTS = st.floats(0, 1e9, allow_nan=False)
SIDES = st.lists(st.builds(Side, st.text(max_size=4), COUNTS, COUNTS), max_size=30)


@given(SIDES, st.integers(1, 8))
def test_parts_add_up_exactly_to_the_difference_of_the_printed_totals(sides: list[Side], most: int) -> None:
    difference = split_change(sides, most)
    assert sum(part.change for part in difference.all_parts) == difference.now - difference.past
    assert len(difference.parts) <= most and all(part.change for part in difference.parts)


@given(SIDES)
def test_parts_are_ordered_by_size_and_none_of_the_others_is_larger(sides: list[Side]) -> None:
    whole = [Side(side.label, round(side.now), round(side.past)) for side in sides]
    difference = split_change(whole, 3)
    sizes = [abs(part.change) for part in difference.parts]
    changes = sorted((abs(side.now - side.past) for side in whole), reverse=True)
    assert sizes == sorted(sizes, reverse=True) == [change for change in changes[:3] if change]


@pytest.mark.parametrize(("labels", "named", "rest"), [(7, 7, None), (8, 7, 1), (12, 7, 5)])
def test_more_than_seven_parts_are_joined_into_one(labels: int, named: int, rest: int | None) -> None:
    difference = split_change([Side(str(n), 10 + n, 5) for n in range(labels)])
    assert len(difference.parts) == named
    assert (difference.rest.labels if difference.rest else None) == rest


def test_what_rounding_leaves_over_goes_to_the_largest_part() -> None:
    difference = split_change([Side("a", 10.4, 0), Side("b", 0.4, 0), Side("c", 0.4, 0)])
    assert difference.now == 11 and [part.change for part in difference.parts] == [11]


def test_small_parts_are_joined_before_they_are_rounded() -> None:
    difference = split_change([Side("a", 10, 0), *(Side(str(n), 0.4, 0) for n in range(10))], 1)
    assert [part.change for part in difference.all_parts] == [10, 4]


needs_pages = pytest.mark.django_db(databases=["default", "sandbox"])


def numbers(page: str) -> tuple[list[int], int, int]:
    """The printed parts, and the printed totals before and now."""
    values = re.findall(r'parts__value">([^<]+)<', page)
    whole = [int(re.sub(r"[^\d-]", "", value.replace("−", "-"))) for value in values]
    return whole[1:-1], whole[0], whole[-1]


@needs_pages
@pytest.mark.parametrize(
    "split",
    [
        "browsers/?", "referrers/?", "countries/?", "countries/?country=BR&", "countries/?country=BR&region=Bahia&",
        "videos/?", "days/?", "days/?site=%28direct%29&", "days/?country=BR&region=Bahia&city=Salvador&",
        "days/?country=BR&region=Bahia&",
    ],
)  # fmt: skip
def test_the_printed_parts_of_every_split_add_up_to_the_printed_totals(owner: Client, split: str) -> None:
    page = one_line(owner.get(f"{WHY}{split}{DAYS}").content.decode())
    parts, before, now = numbers(page)
    assert parts and before + sum(parts) == now
    assert "The parts add up exactly to the difference." in page and "Show as a table" in page
    labels = re.findall(r'parts__name">(.*?)</span>', page)[1:-1]
    links = [re.match(r'<a href="([^"]+)"', label) for label in labels if not re.match(r"Other \(|unknown", label)]
    assert links and (all(links) or split == "browsers/?"), "each part leads to its page; a browser has none of its own"
    assert all(owner.get(link[1].replace("&amp;", "&")).status_code == 200 for link in links[:2] if link)


@needs_pages
def test_days_of_a_city_are_those_of_its_row(owner: Client) -> None:
    place = "country=BR&region=Bahia"
    row = one_line(owner.get(f"/dashboard/analytics/cities/?{DAYS}&{place}").content.decode())
    count = re.search(r'row">Salvador <span[^>]*>[^<]*</span></th><td class="number">([\d,]+)<', row)
    page = one_line(owner.get(f"{WHY}days/?{DAYS}&{place}&city=Salvador").content.decode())
    assert count and numbers(page)[2] == int(count[1].replace(",", ""))
    assert "Salvador, Bahia, Brazil" in page and "By browser" not in page


@needs_pages
def test_more_or_fewer_cities_and_sites_are_counted_by_country_and_by_site(
    owner: Client, answers: Callable[[Any], None]
) -> None:
    def count(operation: str, query: dict[str, Any]) -> Any:
        is_now = query["start_date"].startswith("2026-11")
        if query.get("granularity") == "day":
            days = (f"{query['start_date'][:8]}{n:02}" for n in range(1, 32))
            return {"data": [{"browser": "Chrome", "date": day, "view": 9} for day in days]}
        if operation == "analytics.city":
            names = {"Recife": "BR", "Porto": "PT", "Braga": "PT"} if is_now else {"Olinda": "BR", "Lima": "PE"}
            return {"data": [{"city": city, "country": code, "view": 2} for city, code in names.items()]}
        sites = (
            ["https://a.example/1", "https://a.example/2"] if is_now else ["https://b.example/", "https://a.example/1"]
        )
        return {"data": [{"referrer": site, "view": 3} for site in sites]}

    answers(count)
    page = one_line(owner.get(f"{WHY}cities/?{DAYS}").content.decode())
    assert numbers(page) == ([2, -1], 2, 3) and "Portugal" in page and "Brazil" not in page.split('class="parts"')[1]
    page = one_line(owner.get(f"{WHY}sites/?{DAYS}").content.decode())
    assert "The total is the same. The largest change is a.example: +1." in page and numbers(page) == ([1, -1], 2, 2)


@needs_pages
def test_site_that_was_counted_without_days_cannot_be_told(owner: Client, answers: Callable[[Any], None]) -> None:
    def count(operation: str, query: dict[str, Any]) -> Any:
        days = (f"{query['start_date'][:8]}{n:02}" for n in range(1, 32))
        is_site = operation == "analytics.referrer"
        return {
            "data": [{"referrer": "(direct)", "view": 3}] if is_site else [{"date": day, "view": 9} for day in days]
        }

    answers(count)
    page = one_line(owner.get(f"{WHY}days/?{DAYS}&site=%28direct%29").content.decode())
    assert 'class="parts"' not in page
    assert "contain these numbers, so the change" in page


@needs_pages
def test_a_video_that_is_ranked_no_more_took_away_what_it_had(owner: Client, answers: Callable[[Any], None]) -> None:
    def rank(_operation: str, query: dict[str, Any]) -> Any:
        plays = {"Kept": 30, "New": 5} if query["start_date"].startswith("2026-11") else {"Kept": 20, "Gone": 40}
        return {"data": [{"video_id": title, "title": title, "plays": count} for title, count in plays.items()]}

    answers(rank)
    page = one_line(owner.get(f"{WHY}videos/?{DAYS}&metric=plays").content.decode())
    assert numbers(page) == ([-40, 10, 5], 60, 35)
    assert "Fell by 25" in page and "is 0 in the other" in page


@needs_pages
def test_the_file_has_the_same_parts(owner: Client) -> None:
    page = one_line(owner.get(f"{WHY}browsers/?{DAYS}").content.decode())
    text = owner.get(f"{WHY}browsers.csv?{DAYS}").content.decode().removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["Change"]) for row in rows[:-1]] == numbers(page)[0]
    assert int(rows[-1]["Change"]) == sum(numbers(page)[0])


@needs_pages
def test_the_overview_leads_to_it_and_a_country_leads_to_its_cities(owner: Client) -> None:
    overview = owner.get(f"/dashboard/analytics/?{DAYS}").content.decode()
    assert "Why did it change?" in overview and f"{WHY}browsers/?" in overview
    countries = owner.get(f"{WHY}countries/?{DAYS}").content.decode()
    assert re.search(r'href="/dashboard/analytics/cities/\?[^"]*country=[A-Z]{2}', countries)


@needs_pages
def test_without_a_comparison_it_cannot_tell_and_says_what_to_do(owner: Client) -> None:
    page = one_line(owner.get(f"{WHY}browsers/?{DAYS}&compare=none").content.decode())
    assert "Can't tell" in page and "Choose a period to compare with in the date bar." in page
    assert owner.get(f"{WHY}browsers.csv?{DAYS}&compare=none").status_code == 302


@needs_pages
def test_the_address_without_a_split_leads_to_the_first_one(owner: Client) -> None:
    assert owner.get(f"{WHY}?{DAYS}")["Location"] == f"{WHY}browsers/?{DAYS}"
    assert owner.get(f"{WHY}nobody/?{DAYS}").status_code == 404


@needs_pages
@pytest.mark.parametrize("status", [500, 403, 429])
def test_a_platform_that_fails_takes_the_parts_away_and_says_so(owner: Client, faults: ModuleType, status: int) -> None:
    faults.set("analytics.browser", status=status)
    page = owner.get(f"{WHY}browsers/?{DAYS}").content.decode()
    assert ('class="parts"' not in page and "Can't tell" not in page and 'class="trouble' in page) or "notice" in page


@needs_pages
def test_figures_that_are_late_come_by_themselves(owner: Client, late: Callable[..., None]) -> None:
    late("analytics.browser")
    page = owner.get(f"{WHY}browsers/?{DAYS}").content.decode()
    assert 'hx-trigger="load"' in page and "Still loading." in page
    fragment = page.split("<main")[1].split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    part = owner.get(fragment, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and 'id="panel-why"' in part
