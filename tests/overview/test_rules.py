"""The figures of the overview, out of answers in any shape."""

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dashboard.overview import rules
from dashboard.platform_api.analytics import Table, table_of
from dashboard.shared.ranges import Days

WEEKS = rules.get_weeks(datetime(2026, 11, 20, 3, 0, tzinfo=UTC))


def table(value: Any) -> Table:
    found = table_of(value)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 11, 20, 3, 0, tzinfo=UTC),
        datetime(2026, 11, 19, 22, 0, tzinfo=ZoneInfo("America/Recife")),
        datetime(2026, 11, 20, 23, 59, tzinfo=UTC),
    ],
)
def test_the_week_is_seven_whole_days_and_today_counts_in_neither(at: datetime) -> None:
    weeks = rules.get_weeks(at)
    assert weeks.now == Days(date(2026, 11, 13), date(2026, 11, 19))
    assert weeks.before == Days(date(2026, 11, 6), date(2026, 11, 12))
    assert len(weeks.both) == 14


def test_plays_are_summed_by_week_over_every_browser_and_edges_count_once() -> None:
    rows = [
        {"browser": "A", "date": "2026-11-05", "play": 1000},
        {"browser": "A", "date": "2026-11-06", "play": 1},
        {"browser": "A", "date": "2026-11-12", "play": 2},
        {"browser": "A", "date": "2026-11-13", "play": 10},
        {"browser": "B", "date": "2026-11-13", "play": 5},
        {"browser": "A", "date": "2026-11-19", "play": 20},
        {"browser": "A", "date": "2026-11-20", "play": 1000},
    ]
    (plays,) = rules.build_figures(table({"data": rows}), WEEKS)
    assert (plays.column, plays.now, plays.before) == ("play", 35, 3)
    assert len(plays.course) == 14 and plays.course[7] == 15


def test_a_week_without_all_of_its_days_is_compared_with_nothing() -> None:
    rows = [{"browser": "A", "date": f"2026-11-{day}", "play": 1} for day in ("12", "13", "17")]
    (plays,) = rules.build_figures(table({"data": rows}), WEEKS)
    assert (plays.now, plays.before, plays.known) == (2, None, 5)
    assert (
        plays.course[:6] == (None,) * 6
        and plays.course[6:12] == (1, 1, 0, 0, 0, 1)
        and plays.course[12:] == (None,) * 2
    )


def test_plays_stand_before_views_and_other_figures_are_left_to_analytics() -> None:
    rows = [{"browser": "A", "date": "2026-11-13", "bounce": 9, "view": 3, "play": 1}]
    assert [figure.column for figure in rules.build_figures(table({"data": rows}), WEEKS)] == ["play", "view"]


def test_where_neither_is_known_the_platforms_first_figure_keeps_its_name() -> None:
    (figure,) = rules.build_figures(table({"data": [{"browser": "A", "date": "2026-11-13", "hits": 3}]}), WEEKS)
    assert figure.column == "hits"


def test_rows_without_days_give_a_sum_and_no_comparison() -> None:
    (plays,) = rules.build_figures(table({"data": [{"browser": "A", "play": 3}, {"browser": "B", "play": 4}]}), WEEKS)
    assert (plays.now, plays.before, plays.course) == (7, None, ())


def test_an_answer_that_is_no_table_gives_no_figures() -> None:
    assert rules.build_figures(None, WEEKS) == ()
    assert rules.count_rows_with_viewers(None) is None


def test_cities_without_anybody_do_not_count() -> None:
    assert rules.count_rows_with_viewers(table({"data": [{"city": "A", "view": 2}, {"city": "B", "view": 0}]})) == 1


def test_the_ranking_is_by_plays_and_knows_the_week_before() -> None:
    now = table({"data": [{"title": "A", "video_id": "a", "play": 1}, {"title": "B", "video_id": "b", "play": 9}]})
    before = table({"data": [{"title": "B again", "video_id": "b", "play": 6}]})
    found = rules.rank_videos(now, before)
    assert [(one.title, one.now, one.before) for one in found] == [("B", 9, 6), ("A", 1, None)], "a list has an end"
    assert [one.before for one in rules.rank_videos(now, None)] == [None, None]


def test_only_the_most_watched_are_shown_and_nobody_with_nothing() -> None:
    rows = [{"title": str(n), "play": n} for n in range(9)]
    assert [one.now for one in rules.rank_videos(table({"data": rows}), None)] == [8, 7, 6, 5, 4]
    assert rules.rank_videos(table({"data": [{"title": "A", "play": 0}]}), None) == ()


def test_traffic_is_the_platforms_total_or_the_sum_of_its_days() -> None:
    days = [{"t": "2026-11-13", "b": 5}, {"t": "2026-11-14", "b": 7}]
    assert rules.sum_traffic(table({"data": days, "total_consumed": 13})) == 13
    assert rules.sum_traffic(table({"data": days})) == 12
    assert rules.sum_traffic(None) is None


def test_a_row_that_lacks_a_figure_adds_nothing_to_it() -> None:
    rows = [{"date": "2026-11-13", "play": 3}, {"date": "2026-11-13", "view": 9}, {"date": "2026-11-14", "view": 1}]
    plays, views = rules.build_figures(table({"data": rows}), WEEKS)
    assert (plays.column, plays.now, views.column, views.now) == ("play", 3, "view", 10)
    undated = [{"browser": "A", "play": 3}, {"browser": "B", "view": 4}]
    assert [(figure.column, figure.now) for figure in rules.build_figures(table({"data": undated}), WEEKS)] == [
        ("play", 3),
        ("view", 4),
    ]


def test_of_unknown_figures_the_first_one_is_shown_alone() -> None:
    rows = [{"browser": "A", "date": "2026-11-13", "hits": 3, "bounce": 9}]
    assert [figure.column for figure in rules.build_figures(table({"data": rows}), WEEKS)] == ["hits"]


def test_two_weeks_without_a_row_are_zero_with_no_known_day() -> None:
    (plays,) = rules.build_figures(table({"data": [{"date": "2026-10-01", "play": 3}]}), WEEKS)
    assert (plays.now, plays.before, plays.known, plays.course) == (0, None, 0, (None,) * 14)


@pytest.mark.parametrize(
    ("at", "day"),
    [("2026-11-13", 13), ("2026-11-13T05:00:00Z", 13), ("Friday", None), (None, None)],
)
def test_a_row_is_about_the_day_that_its_moment_begins_with(at: str | None, day: int | None) -> None:
    (row,) = table({"data": [{"city": "A", "view": 1}]}).rows
    assert rules.get_day(row._replace(at=at)) == (None if day is None else date(2026, 11, day))


def test_a_city_with_one_viewer_counts() -> None:
    assert rules.count_rows_with_viewers(table({"data": [{"city": "A", "view": 1}]})) == 1


@pytest.mark.parametrize(
    ("rows", "column"),
    [
        ([{"title": "A", "hits": 2, "view": 3, "play": 1}], "play"),
        ([{"title": "A", "hits": 2, "view": 3}], "view"),
        ([{"title": "A", "hits": 2}], "hits"),
        ([], None),
    ],
)
def test_a_ranking_is_by_plays_else_views_else_the_first_figure(rows: list[dict[str, Any]], column: str | None) -> None:
    assert rules.find_ranking_column(table({"data": rows})) == column


def test_a_video_of_the_ranking_is_known_by_its_id_under_either_name_or_else_its_title() -> None:
    rows = [
        {"title": "A", "video_id": "a", "play": 3},
        {"title": "B", "id": "b", "play": 2},
        {"title": "C", "play": 1},
        {"title": "D", "view": 1},
    ]
    now, before = table({"data": rows}), table({"data": [{"title": "C", "play": 5}, {"title": "B", "id": "b"}]})
    found = rules.rank_videos(now, before)
    assert [(video.video_id, video.title, video.before) for video in found] == [
        ("a", "A", None),
        ("b", "B", 0),
        ("", "C", 5),
    ]
