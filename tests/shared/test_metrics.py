"""Analytics answers of any shape: what is understood adds up, what is not says so, and nothing raises."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.platform_api.analytics import Analytics, Row, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import metrics
from dashboard.shared.metrics import LocalMoment, Metric
from dashboard.shared.ranges import Days

UTC = ZoneInfo("UTC")
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
DAY, HOUR = Granularity.DAY, Granularity.HOUR


def table(value: object) -> Table:
    found = Analytics.from_json(value).table  # type: ignore[arg-type]  # any JSON
    assert found is not None
    return found


@pytest.mark.parametrize(
    "answer",
    [
        {
            "data": [
                {"browser": "Chrome", "date": "2026-11-19", "view": 3},
                {"browser": "Safari", "date": "2026-11-19", "view": 2},
            ]
        },
        [
            {"browser": "Chrome", "day": "2026-11-19", "views": 3},
            {"browser": "Safari", "day": "2026-11-19", "views": "2"},
        ],
        {"2026-11-19": {"Chrome": {"view": 3}, "Safari": {"view": 2}}},
        {"Chrome": {"2026-11-19": {"view": 3}}, "Safari": {"2026-11-19": {"view": 2}}},
        {
            "results": [
                {"name": "Chrome", "t": "2026-11-19", "view": 3},
                {"name": "Safari", "t": "2026-11-19", "view": 2},
            ]
        },
    ],
)
def test_every_known_shape_adds_up_to_the_same_by_day_and_by_label(answer: object) -> None:
    found = table(answer)
    column = metrics.find_column(found, Metric.VIEWS)
    assert column in {"view", "views"}
    assert metrics.sum_over_time(found.rows, column or "", UTC, DAY) == {(date(2026, 11, 19), None): 5}
    labels = metrics.sum_by_label(found.rows, column or "", zone=UTC, granularity=DAY)
    assert labels == {"Chrome": 3, "Safari": 2}


def test_a_table_with_known_names_never_takes_another_column_for_a_missing_one() -> None:
    found = table({"data": [{"browser": "Chrome", "view": 3}]})
    assert metrics.find_column(found, Metric.PLAYS) is None
    assert metrics.find_column(table([{"browser": "Chrome", "hits": 3}]), Metric.PLAYS) == "hits"
    assert metrics.find_column(table([{"browser": "Chrome", "play_rate": 3}]), Metric.VIEWS) is None


@pytest.mark.parametrize(
    ("at", "granularity", "expected"),
    [
        ("2026-11-19", DAY, LocalMoment(date(2026, 11, 19), None)),
        ("2026-11-19T23:00:00.000Z", DAY, LocalMoment(date(2026, 11, 19), None)),
        ("2026-11-19T02:00:00Z", HOUR, LocalMoment(date(2026, 11, 18), 23)),
        ("2026-11-19 02:00", HOUR, LocalMoment(date(2026, 11, 18), 23)),
        ("2026-11-19T02:00:00-03:00", HOUR, LocalMoment(date(2026, 11, 19), 2)),
        ("2026-11-19T02:00:00+0530", HOUR, LocalMoment(date(2026, 11, 18), 17)),
        ("2026-11-19T13", HOUR, LocalMoment(date(2026, 11, 19), 10)),
        ("2026-11-19T24", HOUR, None),
        ("2026-11-19", HOUR, LocalMoment(date(2026, 11, 19), None)),
        ("2026-02-30", DAY, None),
        ("yesterday", DAY, None),
        ("", DAY, None),
        (None, DAY, None),
        ("0001-01-01T00:00:00+14:00", HOUR, None),
    ],
)
def test_moments_are_read_and_hours_moved_into_the_readers_zone(
    at: str | None, granularity: Granularity, expected: LocalMoment | None
) -> None:
    assert metrics.parse_moment(at, SAO_PAULO, granularity) == expected


@given(st.text(), st.sampled_from([DAY, HOUR]))
def test_no_text_is_a_moment_that_raises(text: str, granularity: Granularity) -> None:
    metrics.parse_moment(text, SAO_PAULO, granularity)


def test_rows_outside_of_the_days_do_not_count_and_rows_without_a_day_do() -> None:
    rows = [Row("a", "2026-11-19", {"view": 1}), Row("a", "2026-11-20", {"view": 10}), Row("a", None, {"view": 100})]
    days = Days(date(2026, 11, 1), date(2026, 11, 19))
    assert metrics.sum_by_label(rows, "view", days=days, zone=UTC, granularity=DAY) == {"a": 101}


def test_sums_of_columns_leave_out_rows_of_other_days_and_count_a_missing_number_as_none() -> None:
    rows = [
        Row("a", "2026-11-19", {"view": 1, "play": 2}),
        Row("b", "2026-11-20", {"view": 10, "play": 20}),
        Row("c", None, {"view": 100}),
    ]
    days = Days(date(2026, 11, 1), date(2026, 11, 19))
    assert metrics.sum_columns(rows, ("play", "view"), days=days, zone=UTC, granularity=DAY) == (2, 101)


def test_an_answer_without_days_is_no_line_and_one_without_rows_is_a_line_of_zeros() -> None:
    assert metrics.sum_over_time([Row("a", None, {"view": 1})], "view", UTC, DAY) is None
    assert metrics.sum_over_time([], "view", UTC, DAY) == {}


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.just("2026-11-19") | st.just("view"), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_values)
def test_no_answer_raises(value: object) -> None:
    found = Analytics.from_json(value).table  # type: ignore[arg-type]  # any JSON
    if found is None:
        return
    for metric in Metric:
        column = metrics.find_column(found, metric) or ""
        metrics.sum_over_time(found.rows, column, SAO_PAULO, HOUR)
        metrics.sum_by_label(found.rows, column, zone=SAO_PAULO, granularity=DAY)
    metrics.parse_retention(found)
    metrics.count_players(found)


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ({"retention": {"0": 100, "5": 95.5}}, {0: 100, 5: 95.5}),
        ({"points": [{"retention": 100}, {"retention": 90}]}, {0: 100, 1: 90}),
        ({"data": [{"time": "0:00", "retention": 100}, {"time": "1:05", "retention": 50}]}, {0: 100, 65: 50}),
        ([], {}),
    ],
)
def test_retention_is_read_from_every_known_shape(answer: object, points: dict[float, float]) -> None:
    assert metrics.parse_retention(table(answer)) == points


def test_an_answer_without_retention_has_no_curve() -> None:
    assert metrics.parse_retention(table({"data": [{"browser": "Chrome", "view": 3}]})) is None


def test_an_answer_covers_from_its_first_to_its_last_day_and_one_without_rows_says_when_all_the_same() -> None:
    days = [Row("a", f"2026-11-{day:02}", {"view": 1}) for day in (9, 2, 5)]
    covered = metrics.Covered((date(2026, 11, 2), None), (date(2026, 11, 9), None))
    assert metrics.get_coverage(days, UTC, DAY) == (True, covered)
    assert metrics.get_coverage([], UTC, DAY) == (True, None)
    assert metrics.get_coverage([Row("a", None, {"view": 1})], UTC, DAY) == (False, None)
