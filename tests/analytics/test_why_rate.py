"""Why the play rate changed: by the rates and by the shares of its parts, which add up exactly to the difference."""

import csv
import io
import re
from collections.abc import Callable
from datetime import date, timedelta
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.analytics.changes import Effect, RateSide, split_rate
from dashboard.analytics.why import build_scale, split_effects, sum_effects
from dashboard.sandbox.models import Video
from tests.analytics.test_why import needs_pages, numbers
from tests.pages import one_line

WHY = "/dashboard/analytics/why/rate/"
DAYS = "start=2026-11-01&end=2026-11-14&zone=UTC"
COUNTS = st.none() | st.integers(0, 10**7).map(float)
SIDES = st.lists(st.builds(RateSide, st.text(max_size=3), COUNTS, COUNTS, COUNTS, COUNTS), max_size=30)


@given(SIDES)
def test_effects_add_up_to_the_change_of_the_rate(sides: list[RateSide]) -> None:
    change = split_rate(sides)
    views, past_views = sum(side.views or 0 for side in sides), sum(side.past_views or 0 for side in sides)
    assert (change is None) == (not views or not past_views)
    if change is not None:
        assert change.now == sum(side.plays or 0 for side in sides) / views
        assert sum(row.size for row in change.effects) == pytest.approx(
            change.now - change.past, rel=1e-9, abs=1e-9 * max(change.now, change.past, 1)
        )


@given(SIDES)
def test_printed_parts_add_up_exactly_to_the_printed_rates_the_largest_first(sides: list[RateSide]) -> None:
    change = split_rate(sides)
    if change is not None:
        difference = split_effects(change, build_scale(change))
        assert sum(part.change for part in difference.all_parts) == difference.now - difference.past
        others = [abs(part.change) for part in difference.parts[1:]]
        assert others == sorted(others, reverse=True)


@given(SIDES)
def test_sums_of_both_effects_add_up_exactly_to_the_printed_difference(sides: list[RateSide]) -> None:
    change = split_rate(sides)
    if change is not None:
        scale = build_scale(change)
        difference = split_effects(change, scale)
        assert sum(sum_effects(change, difference, scale).values()) == difference.now - difference.past


@given(*([st.integers(1, 10**6).flatmap(lambda views: st.tuples(st.integers(0, views), st.just(views)))] * 2))
@example((393, 870), (396, 1111))
def test_one_part_has_all_of_the_views_so_its_share_changed_nothing(
    now: tuple[int, int], past: tuple[int, int]
) -> None:
    change = split_rate([RateSide("Chrome", *now, *past)])
    assert change is not None
    scale = build_scale(change)
    assert sum_effects(change, split_effects(change, scale), scale)[Effect.SHARE] == 0


@pytest.mark.parametrize(
    ("sides", "effects"),
    [
        ([("A", 60, 100, 50, 100), ("B", 10, 100, 10, 100)], {("A", Effect.RATE): 0.05}),
        (  # every rate is as before, and half of the views went from B to A
            [("A", 75, 150, 50, 100), ("B", 5, 50, 10, 100)],
            {("A", Effect.SHARE): 0.25 * (0.5 - 0.35), ("B", Effect.SHARE): -0.25 * (0.1 - 0.35)},
        ),
        (  # a part without views before has no rate then: all it did, it did by its share
            [("A", 50, 100, 50, 100), ("New", 90, 100, 0, 0)],
            {("A", Effect.SHARE): -0.5 * (0.5 - 0.6), ("New", Effect.SHARE): 0.5 * (0.9 - 0.6)},
        ),
    ],
)
def test_rate_and_share_of_views_are_told_apart(
    sides: list[tuple[Any, ...]], effects: dict[tuple[str, Effect], float]
) -> None:
    change = split_rate(RateSide(*side) for side in sides)
    assert change is not None
    found = {(row.side.label, row.effect): row.size for row in change.effects if abs(row.size) > 1e-12}
    assert found == pytest.approx(effects)


def test_others_are_counted_by_browser_and_not_by_effect() -> None:
    sides = [RateSide(f"Browser {n}", 40 + n * n, 100 + n, 30, 90 - n) for n in range(9)]
    change = split_rate(sides)
    assert change is not None and len(change.effects) == 18
    difference = split_effects(change, build_scale(change))
    named, words = {part.label for part in difference.parts}, {Effect.RATE: "play rate", Effect.SHARE: "share of views"}
    others = {row.side for row in change.effects if f"{row.side.label}: {words[row.effect]}" not in named}
    assert difference.rest is not None and difference.rest.labels == len(others) < 18 - len(named)


@needs_pages
@pytest.mark.parametrize("split", ["browsers", "referrers", "countries", "videos"])
def test_parts_of_every_split_add_up_and_lead_to_their_page(owner: Client, split: str) -> None:
    page = one_line(owner.get(f"{WHY}{split}/?{DAYS}").content.decode())
    parts, before, now = numbers(page)
    assert parts and before + sum(parts) == now
    assert "Why did the play rate change?" in page and " points</span>" in page
    labels = re.findall(r'parts__name">(.*?)</span>', page)[1:-1]
    links = [re.match(r'<a href="([^"]+)"', label) for label in labels if not label.startswith("Other")]
    assert links and all(links)
    for link in links[:2]:
        assert link and owner.get(link[1].replace("&amp;", "&")).status_code == 200


@needs_pages
def test_rate_that_fell_in_no_video_fell_by_where_the_views_were(owner: Client, answers: Callable[[Any], None]) -> None:
    def rank(operation: str, query: dict[str, Any]) -> Any:
        views = {"Good": 100, "Poor": 300} if query["start_date"].startswith("2026-11") else {"Good": 200, "Poor": 200}
        rows = [
            {"video_id": title, "title": title, "view": count, "play": count * (0.5 if title == "Good" else 0.1)}
            for title, count in views.items()
        ]
        return {"data": rows}

    answers(rank)
    page = one_line(owner.get(f"{WHY}videos/?{DAYS}").content.decode())
    assert "Fell by 10.0 points." in page and numbers(page)[1:] == (300, 200)
    assert "Play rates themselves changed it by 0.0 points, shares of the views by −10.0 points." in page
    assert "Good: share of views" in page and "50.0% before, 25.0% now" in page and ": play rate" not in page
    text = owner.get(f"{WHY}videos.csv?{DAYS}").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert sum(float(row["By its share of views, points"]) for row in rows) == pytest.approx(-10)


def rank_videos(rows: int) -> Callable[[str, dict[str, Any]], Any]:
    """Two rankings of so many videos each; "New" is in the later one alone, "Gone" in the earlier one."""

    def rank(operation: str, query: dict[str, Any]) -> Any:
        is_now = query["start_date"].startswith("2026-11")
        titles = {n: f"Film {n}" for n in range(2, rows + 1)} | ({0: "New"} if is_now else {1: "Gone"})
        return {
            "data": [
                {"video_id": f"{n:08}-0000-4000-8000-000000000000", "title": title, "view": 40, "play": 30 - n}
                for n, title in titles.items()
            ]
        }

    return rank


@needs_pages
def test_videos_that_the_rankings_name_by_id_alone_have_their_titles(
    owner: Client, answers: Callable[[Any], None], cast: dict[str, Any]
) -> None:
    video = cast["videos"]["with_subtitles"]
    title = Video.objects.get(pk=video).title

    def rank(operation: str, query: dict[str, Any]) -> Any:
        is_now = query["start_date"].startswith("2026-11")
        return {"data": [{"video_id": str(video), "view": 40, "play": 30 if is_now else 20}]}

    answers(rank)
    owner.get("/dashboard/videos/")  # the titles are known from the list
    page = one_line(owner.get(f"{WHY}videos/?{DAYS}").content.decode())
    assert f"{title}: play rate" in unescape(page) and f"{video}: play rate" not in page
    assert unescape(owner.get(f"{WHY}videos.csv?{DAYS}").content.decode()).count(title) == 1


@needs_pages
def test_what_a_ranking_does_not_list_is_not_zero(owner: Client, answers: Callable[[Any], None]) -> None:
    answers(rank_videos(5))
    page = one_line(owner.get(f"{WHY}videos/?{DAYS}").content.decode())
    assert "20.0% before, not listed now" in page and "not listed before, 20.0% now" in page
    assert not re.search(r"\b0\.0% (before|now)", page)
    assert "one that only one of the two rankings lists is 0 in the other" in page
    text = owner.get(f"{WHY}videos.csv?{DAYS}").content.decode("utf-8-sig")
    rows = {row["Video"]: row for row in csv.DictReader(io.StringIO(text))}
    heads = ("Plays before", "Views before", "Plays now", "Views now")
    assert [rows["Gone"][head] for head in heads] == ["29", "40", "", ""]
    assert [rows["New"][head] for head in heads] == ["", "", "30", "40"]


@needs_pages
@pytest.mark.parametrize(("rows", "may_be_cut"), [(4, False), (5, True), (6, False)])
def test_ranking_that_may_be_cut_says_what_the_rates_are_of(
    owner: Client, answers: Callable[[Any], None], rows: int, may_be_cut: bool
) -> None:
    answers(rank_videos(rows))
    page = one_line(owner.get(f"{WHY}videos/?{DAYS}").content.decode())
    assert ("both rates are of the videos that are listed" in page) is may_be_cut


@needs_pages
def test_the_play_rate_of_the_overview_leads_to_its_parts(owner: Client, answers: Callable[[Any], None]) -> None:
    def answer(_operation: str, query: dict[str, Any]) -> dict[str, Any]:
        start, end = (date.fromisoformat(str(query[name])[:10]) for name in ("start_date", "end_date"))
        days = [start + timedelta(days=number) for number in range((end - start).days + 1)]
        plays = {day: 421 if day.isoformat() >= "2026-11-01" else 396 for day in days}
        return {
            "data": [{"date": day.isoformat(), "browser": "Chrome", "view": 1000, "play": plays[day]} for day in days]
        }

    answers(answer)
    page = one_line(owner.get(f"/dashboard/analytics/?{DAYS}").content.decode())
    stat = page.split(">Play rate<")[1].split("</div>")[0]
    assert f'href="{WHY}browsers/?' in stat
    now, past = (float(share) for share in re.findall(r"([\d.]+)%", stat)[:2])
    points = re.search(r"([\d.]+) points", stat)
    assert points and float(points[1]) == round(abs(now - past), 1), "as somebody subtracts what is printed"


@needs_pages
@pytest.mark.parametrize("answer", [{"data": []}, {"data": [{"browser": "Chrome", "view": 3}]}])
def test_without_a_rate_in_both_periods_it_says_so(
    owner: Client, answers: Callable[[Any], None], answer: dict[str, Any]
) -> None:
    answers(answer)
    page = one_line(owner.get(f"{WHY}browsers/?{DAYS}").content.decode())
    assert "Can't tell" in page and 'class="parts"' not in page
    assert owner.get(f"{WHY}browsers.csv?{DAYS}")["Location"].startswith(f"{WHY}browsers/?")


@needs_pages
def test_without_a_comparison_and_with_an_unknown_split(owner: Client, faults: ModuleType) -> None:
    page = one_line(owner.get(f"{WHY}browsers/?{DAYS}&compare=none").content.decode())
    assert "Choose a period to compare with in the date bar." in page
    assert owner.get(f"{WHY}days/?{DAYS}").status_code == 404
    faults.set("analytics.referrer", status=401)
    assert owner.get(f"{WHY}referrers/?{DAYS}").status_code in (302, 401)
