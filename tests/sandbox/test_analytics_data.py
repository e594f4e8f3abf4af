"""The demo's numbers: repeatable, alive, and in agreement with each other at every granularity."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from dashboard.sandbox import reports
from dashboard.sandbox.audience import METRICS, REFERRERS, Account, AudienceVideo, Period, all_cities, views_on
from tests.counted_calls import count_calls

NOW = datetime(2026, 11, 20, 14, 25, tzinfo=UTC)
FIRST = date(2025, 10, 16)
WEEK = Period(date(2026, 11, 9), date(2026, 11, 15))
YEAR = Period(date(2025, 11, 21), date(2026, 11, 20))


def clip(number: int, **changes: Any) -> AudienceVideo:
    first = FIRST + timedelta(days=number * 9)
    return replace(AudienceVideo(f"v{number}", f"e{number}", f"Video {number}", first, 60.0 + 40 * number), **changes)


ACCOUNT = Account("serra", FIRST, NOW, tuple(clip(n) for n in range(40)))


def summed(rows: Iterable[dict[str, Any]], *keys: str) -> dict[tuple[Any, ...], Counter[str]]:
    """Metrics of rows added up by some of their keys; `day` is the day of `date`."""
    sums: dict[tuple[Any, ...], Counter[str]] = {}
    for row in rows:
        label = tuple(row["date"][:10] if key == "day" else row[key] for key in keys)
        sums.setdefault(label, Counter()).update({metric: row[metric] for metric in METRICS})
    return {label: +sums[label] for label in sums}


def report(kind: str, period: Period, granularity: str) -> list[dict[str, Any]]:
    if kind == "browser":
        return reports.browsers(ACCOUNT, period, granularity)["data"]
    if kind == "referrer":
        return reports.referrers(ACCOUNT, period, granularity)["data"]
    return reports.cities(ACCOUNT, period, granularity, "BR", "Minas Gerais")["data"]


def test_same_question_gets_the_same_bytes() -> None:
    again = Account("serra", FIRST, NOW, tuple(clip(n) for n in range(40)))
    assert json.dumps(reports.cities(ACCOUNT, WEEK, "total")) == json.dumps(reports.cities(again, WEEK, "total"))


def test_each_load_of_a_test_draws_one_of_its_variants_and_people_count_in_each_that_they_saw() -> None:
    days = Period(date(2026, 6, 1), date(2026, 11, 1))
    tested = [clip(n, shape="636f6d70-1", tests=((days.start, days.end),), play_rate=0.4) for n in (1, 2)]
    account = replace(ACCOUNT, videos=(*tested, *(clip(n) for n in range(3, 40))))
    first, second = (list(reports.general(account, video, days)["views_data"].values()) for video in tested)
    squares = [(a["view"] - b["view"]) ** 2 / (a["view"] + b["view"]) for a, b in zip(first, second, strict=True)]
    assert 0.7 < sum(squares) / len(squares) < 1.4, "days scatter as much as draws with equal chance do"
    for variant in (first, second):
        loads, people, plays = (sum(day[name] for day in variant) for name in ("view", "unique_view", "play"))
        assert people / loads == pytest.approx(0.8, abs=0.01) and plays / loads == pytest.approx(0.4, abs=0.01)
    again = replace(account, videos=tuple(account.videos))
    assert list(reports.general(again, tested[0], days)["views_data"].values()) == first, "the same for the same clock"


def test_another_account_gets_other_numbers() -> None:
    other = replace(ACCOUNT, id="pedra")
    assert reports.browsers(ACCOUNT, WEEK, "total") != reports.browsers(other, WEEK, "total")


def test_what_was_counted_on_a_day_does_not_change_when_time_goes_on() -> None:
    later = replace(ACCOUNT, now=NOW + timedelta(days=90))
    assert reports.referrers(ACCOUNT, WEEK, "hour") == reports.referrers(later, WEEK, "hour")


@pytest.mark.parametrize("kind", ["browser", "referrer", "city"])
@pytest.mark.parametrize("period", [WEEK, Period(NOW.date(), NOW.date()), Period(date(2026, 11, 18), NOW.date())])
def test_hours_add_up_to_days_and_days_to_the_total(kind: str, period: Period) -> None:
    hours, days, total = (report(kind, period, granularity) for granularity in ("hour", "day", "total"))
    assert summed(hours, kind, "day") == summed(days, kind, "day")
    assert summed(days, kind) == summed(total, kind)
    assert total


def test_browsers_cities_referrers_and_videos_count_the_same_in_every_count() -> None:
    everywhere = [
        reports.browsers(ACCOUNT, WEEK, "total")["data"],
        reports.referrers(ACCOUNT, WEEK, "total")["data"],
        reports.cities(ACCOUNT, WEEK, "total")["data"],
        reports.ranking(ACCOUNT, WEEK)["data"],
    ]
    for metric in METRICS:
        assert len({sum(row[metric] for row in rows) for rows in everywhere}) == 1, metric
    assert sum(row["view"] for row in everywhere[0]) == sum(views_on(ACCOUNT, d) for d in WEEK.days())


@pytest.mark.parametrize("number", [0, 5, 23])
def test_a_video_has_the_same_counts_in_all_of_its_reports(number: int) -> None:
    video = ACCOUNT.videos[number]
    rows = reports.browsers(ACCOUNT, WEEK, "day", video)["data"]
    seen = reports.general(ACCOUNT, video, WEEK)["views_data"]
    ranked = next(row for row in reports.ranking(ACCOUNT, WEEK)["data"] if row["video_id"] == video.id)
    for metric in METRICS:
        by_day = {day: bucket[metric] for day, bucket in seen.items()}
        assert by_day == {day: sum(row[metric] for row in rows if row["date"] == day) for day in seen}
        assert ranked[metric] == sum(by_day.values())


def test_no_hour_has_more_plays_than_views_or_more_unique_ones_than_all() -> None:
    for row in reports.browsers(ACCOUNT, Period(date(2026, 10, 1), NOW.date()), "hour")["data"]:
        assert 0 <= row["unique_play"] <= row["unique_view"] <= row["view"]
        assert row["unique_play"] <= row["play"] <= row["view"]


def test_a_video_has_the_browsers_of_its_own_viewers() -> None:
    seen = reports.general(ACCOUNT, ACCOUNT.videos[5], WEEK)["views_data"]
    rows = reports.browsers(ACCOUNT, WEEK, "total", ACCOUNT.videos[5])["data"]
    assert sum(row["view"] for row in rows) == sum(bucket["view"] for bucket in seen.values())


def test_views_come_by_the_hour_for_up_to_two_days_and_by_the_day_beyond() -> None:
    two = reports.general(ACCOUNT, ACCOUNT.videos[0], Period(date(2026, 11, 10), date(2026, 11, 11)))["views_data"]
    three = reports.general(ACCOUNT, ACCOUNT.videos[0], Period(date(2026, 11, 10), date(2026, 11, 12)))["views_data"]
    assert len(two) == 48
    assert list(three) == ["2026-11-10", "2026-11-11", "2026-11-12"]
    assert sum(b["view"] for b in two.values()) == three["2026-11-10"]["view"] + three["2026-11-11"]["view"]


def test_today_ends_now() -> None:
    hours = reports.general(ACCOUNT, ACCOUNT.videos[0], Period(NOW.date(), NOW.date()))["views_data"]
    assert max(hours) == "2026-11-20T14:00:00.000Z"


def test_nothing_is_counted_before_the_first_day_or_after_today() -> None:
    early, late = Period(date(2024, 1, 1), date(2024, 2, 1)), Period(date(2027, 1, 1), date(2027, 2, 1))
    for period in (early, late):
        assert reports.browsers(ACCOUNT, period, "day") == {"data": []}
        assert reports.browsers(ACCOUNT, period, "total") == {"data": []}
        assert reports.general(ACCOUNT, ACCOUNT.videos[0], period) == {"views_data": {}}
        assert reports.traffic(ACCOUNT, ACCOUNT.videos[0], period)["average_daily_consumption"] == 0


def test_account_without_videos_has_no_views() -> None:
    empty = replace(ACCOUNT, videos=())
    assert reports.cities(empty, YEAR, "total") == {"data": []}
    assert reports.ranking(empty, YEAR) == {"data": []}


def test_an_unpublished_video_is_seen_by_nobody() -> None:
    draft = clip(3, pull=0.0)
    account = replace(ACCOUNT, videos=(clip(0), draft))
    assert all(bucket["view"] == 0 for bucket in reports.general(account, draft, WEEK)["views_data"].values())


def test_weekends_are_stronger_than_tuesdays_and_the_year_grows() -> None:
    by_weekday: Counter[int] = Counter()
    for day in Period(date(2026, 6, 1), date(2026, 10, 18)).days():
        by_weekday[day.weekday()] += views_on(ACCOUNT, day)
    assert by_weekday[5] > 1.15 * by_weekday[1]
    now, then = (sum(views_on(ACCOUNT, FIRST + timedelta(days=n)) for n in range(s, s + 28)) for s in (370, 5))
    assert now > 1.6 * then


def test_there_are_twelve_browsers_forty_referrers_and_three_hundred_cities() -> None:
    assert len(reports.browsers(ACCOUNT, YEAR, "total")["data"]) == 12
    assert len({row["referrer"] for row in reports.referrers(ACCOUNT, YEAR, "total")["data"]}) == 40
    assert len(reports.cities(ACCOUNT, YEAR, "total")["data"]) == 300


def test_cities_lie_on_five_continents_where_the_map_expects_them() -> None:
    places = {city.name: city for city in all_cities()}
    assert (places["São Paulo"].latitude, places["São Paulo"].longitude) == (-23.55, -46.63)
    countries = [places[name].country for name in ("Lisboa", "Luanda", "Tokyo", "Sydney", "Toronto")]
    assert countries == ["PT", "AO", "JP", "AU", "CA"]
    assert len({(city.latitude, city.longitude) for city in all_cities()}) == 300
    assert all(
        -55 < city.latitude < 66 and -180 < city.longitude < 180 and len(city.country) == 2 for city in all_cities()
    )


def test_country_and_region_narrow_the_cities_whatever_their_case() -> None:
    rows = reports.cities(ACCOUNT, WEEK, "day", "br", "são paulo")["data"]
    assert {(row["country"], row["region"]) for row in rows} == {("BR", "São Paulo")}
    assert reports.cities(ACCOUNT, WEEK, "day", "br", "Nowhere") == {"data": []}


def test_some_referrers_are_hostile() -> None:
    names = "\n".join(name for name, _, _ in REFERRERS)
    for sign in ("=HYPERLINK(", "<script>", "javascript:", "@SUM", "\n+", "\n-", "\u202e", "onerror="):
        assert sign in names
    assert max(len(name) for name, _, _ in REFERRERS) > 2000


def test_retention_starts_full_and_never_rises() -> None:
    for video in ACCOUNT.videos:
        curve = reports.retention(ACCOUNT, video, YEAR)["retention"]
        values = list(curve.values())
        assert values[0] == 100
        assert values == sorted(values, reverse=True)
        assert 5 < values[-1] < 75
        assert int(list(curve)[-1]) == int(video.length)
        assert len(curve) <= 122


def test_a_better_opening_keeps_more_viewers() -> None:
    dull, good = clip(1, play_rate=0.28), clip(1, play_rate=0.36)
    at_ten = [reports.retention(replace(ACCOUNT, videos=(v,)), v, WEEK)["retention"]["10"] for v in (dull, good)]
    assert at_ten[1] > at_ten[0] + 2


def variants(*rates: float) -> list[tuple[int, int]]:
    """Unique viewers and unique plays of two variants during three weeks."""
    start, end = date(2026, 10, 20), date(2026, 11, 10)
    tested = [clip(30 + n, play_rate=rate, tests=((start, end),)) for n, rate in enumerate(rates)]
    account = replace(ACCOUNT, videos=(*ACCOUNT.videos[:30], *tested))
    found = [reports.general(account, video, Period(start, end))["views_data"].values() for video in tested]
    return [(sum(b["unique_view"] for b in seen), sum(b["unique_play"] for b in seen)) for seen in found]


def z_score(one: tuple[int, int], two: tuple[int, int]) -> float:
    rate = (one[1] + two[1]) / (one[0] + two[0])
    return (two[1] / two[0] - one[1] / one[0]) / math.sqrt(rate * (1 - rate) * (1 / one[0] + 1 / two[0]))


def test_variants_of_a_running_test_share_the_traffic_evenly() -> None:
    one, two = variants(0.30, 0.36)
    assert abs(one[0] - two[0]) / math.sqrt(one[0] + two[0]) < 2.5
    assert one[0] > 1500


def test_variants_show_the_difference_they_were_given() -> None:
    assert abs(z_score(*variants(0.31, 0.31))) < 1.5
    assert z_score(*variants(0.26, 0.335)) > 4


def test_traffic_covers_every_day_and_its_average_is_the_total_over_them() -> None:
    answer = reports.traffic(ACCOUNT, ACCOUNT.videos[2], WEEK)
    assert [row["t"] for row in answer["data"]] == [day.isoformat() for day in WEEK.days()]
    assert answer["total_consumed"] == sum(row["b"] for row in answer["data"]) > 10_000_000
    assert answer["average_daily_consumption"] == round(answer["total_consumed"] / 7)


def test_ranking_is_ordered_by_plays_and_names_the_videos() -> None:
    rows = reports.ranking(ACCOUNT, WEEK)["data"]
    assert [row["play"] for row in rows] == sorted((row["play"] for row in rows), reverse=True)
    assert (rows[0]["title"], rows[0]["video_external_id"]) == (
        f"Video {rows[0]['video_id'][1:]}",
        f"e{rows[0]['video_id'][1:]}",
    )


def test_a_year_by_day_is_told_with_less_than_700_calls_a_day() -> None:
    questions = (
        lambda: reports.browsers(ACCOUNT, YEAR, "day"),
        lambda: reports.cities(ACCOUNT, YEAR, "day", "BR", "São Paulo"),
        lambda: reports.cities(ACCOUNT, YEAR, "total"),
        lambda: reports.general(ACCOUNT, ACCOUNT.videos[0], YEAR),
        lambda: reports.ranking(ACCOUNT, YEAR),
    )
    for question in questions:
        assert count_calls(question) < 700 * 365
