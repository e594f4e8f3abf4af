"""Every shape in which analytics may come, and what is not understood."""

from typing import Any

import httpx
import pytest

from dashboard.platform_api.analytics import Analytics, Row, Table, table_of
from dashboard.platform_api.values import JSON
from tests.platform_api.conftest import Answering
from tests.platform_api.operations import OPERATIONS

QUERIES = [name for name in OPERATIONS if name.startswith("analytics.")]


def read(value: Any) -> list[tuple[str, str | None, dict[str, float]]]:
    table = table_of(value)
    assert table is not None
    return [(row.label, row.at, dict(row.metrics)) for row in table.rows]


DAY, NEXT = "2026-01-05", "2026-01-06"


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        pytest.param(
            {"views_data": {DAY: {"play": 3, "unique_play": "2"}, f"{DAY}T05:00:00": {"play": 1}}},
            [
                (DAY, DAY, {"play": 3, "unique_play": 2}),
                (f"{DAY}T05:00:00", f"{DAY}T05:00:00", {"play": 1}),
            ],
            id="buckets by date",
        ),
        pytest.param(
            {"views": 9, "unique_views": 7, "plays": 4, "unique_plays": "3"},
            [("", None, {"views": 9, "unique_views": 7, "plays": 4, "unique_plays": 3})],
            id="flat totals",
        ),
        pytest.param(
            {"retention": {"0": 100, "5": 95.5}},
            [("0", None, {"retention": 100}), ("5", None, {"retention": 95.5})],
            id="retention by second",
        ),
        pytest.param(
            {"retention": [100, "95"]},
            [("0", None, {"retention": 100}), ("1", None, {"retention": 95})],
            id="retention in an array",
        ),
        pytest.param(
            {"points": [{"retention": 100}, {"retention": 90}]},
            [("0", None, {"retention": 100}), ("1", None, {"retention": 90})],
            id="points without position",
        ),
        pytest.param(
            {"points": [{"second": 0, "retention": 100}, {"time": 5, "retention": 90}]},
            [("0", None, {"retention": 100}), ("5", None, {"retention": 90})],
            id="points with position",
        ),
        pytest.param(
            {"points": [{"t": 0, "retention": 100}, {"t": 5, "retention": 90}]},
            [("0", None, {"retention": 100}), ("5", None, {"retention": 90})],
            id="points at a t that is no date",
        ),
        pytest.param(
            {"videos": [{"video_external_id": "ext", "engagement": 51.5, "duration": 63}]},
            [("ext", None, {"engagement": 51.5, "duration": 63})],
            id="engagement by video",
        ),
        pytest.param(
            {"data": [{"t": DAY, "b": 1024}, {"t": NEXT, "b": 0}]},
            [(DAY, DAY, {"b": 1024}), (NEXT, NEXT, {"b": 0})],
            id="traffic by day",
        ),
        pytest.param(
            {"total_consumed": 5, "average_daily_consumption": 2.5},
            [("", None, {"total_consumed": 5, "average_daily_consumption": 2.5})],
            id="traffic totals",
        ),
        pytest.param(
            [{"browser": "Chrome", "plays": 3}, {"browser": "Firefox", "plays": 1}],
            [("Chrome", None, {"plays": 3}), ("Firefox", None, {"plays": 1})],
            id="bare array",
        ),
        *[
            pytest.param({key: [{"name": "Chrome", "n": 3}]}, [("Chrome", None, {"n": 3})], id=f"array in {key}")
            for key in ("data", "items", "results", "browsers")
        ],
        pytest.param(
            {"data": {"views_data": {DAY: {"play": 3}}}}, [(DAY, DAY, {"play": 3})], id="a wrapper in a wrapper"
        ),
        pytest.param(
            {"Chrome": {"plays": 3}, "Firefox": {"plays": 1}},
            [("Chrome", None, {"plays": 3}), ("Firefox", None, {"plays": 1})],
            id="objects by label",
        ),
        pytest.param(
            {"Chrome": 3, "Firefox": "1"},
            [("Chrome", None, {"value": 3}), ("Firefox", None, {"value": 1})],
            id="numbers by label",
        ),
        pytest.param({DAY: 3, NEXT: 1}, [(DAY, DAY, {"value": 3}), (NEXT, NEXT, {"value": 1})], id="numbers by date"),
        pytest.param(
            {DAY: {"Chrome": {"plays": 3}}, NEXT: {"Chrome": {"plays": 1}}},
            [("Chrome", DAY, {"plays": 3}), ("Chrome", NEXT, {"plays": 1})],
            id="labels in dates",
        ),
        pytest.param(
            {"Chrome": {DAY: {"plays": 3}, NEXT: {"plays": 1}}},
            [("Chrome", DAY, {"plays": 3}), ("Chrome", NEXT, {"plays": 1})],
            id="dates in labels",
        ),
        pytest.param(
            {"Chrome": {DAY: 3, NEXT: 1}},
            [("Chrome", DAY, {"value": 3}), ("Chrome", NEXT, {"value": 1})],
            id="numbers by date in labels",
        ),
        pytest.param(
            {DAY: [{"referrer": "a.example", "views": 3}]}, [("a.example", DAY, {"views": 3})], id="arrays by date"
        ),
        pytest.param(
            {"Chrome": [{"date": DAY, "plays": 3}]}, [("Chrome", DAY, {"plays": 3})], id="arrays of dates by label"
        ),
        pytest.param(
            [{"date": DAY, "hour": 5, "browser": "Chrome", "plays": 1}],
            [("Chrome", f"{DAY}T05:00", {"plays": 1})],
            id="an hour beside its date",
        ),
        pytest.param(
            [{"hour": f"{DAY}T05", "plays": 1}], [(f"{DAY}T05", f"{DAY}T05", {"plays": 1})], id="an hour alone"
        ),
        pytest.param(
            [{"timestamp": 1767571200, "plays": 1}],
            [("2026-01-05T00:00:00+00:00", "2026-01-05T00:00:00+00:00", {"plays": 1})],
            id="an epoch",
        ),
        pytest.param(
            [{"label": "x", "metrics": {"plays": 1, "views": 2}}],
            [("x", None, {"plays": 1, "views": 2})],
            id="metrics in an object of their own",
        ),
        pytest.param([{"video_id": "v1", "title": "Intro", "plays": 1}], [("Intro", None, {"plays": 1})], id="ranking"),
        pytest.param(
            {"referral_link": "https://a.example/?r=1", "pending_estimate": "10.50", "balance": 3},
            [("https://a.example/?r=1", None, {"pending_estimate": 10.5, "balance": 3})],
            id="referrals",
        ),
        *[
            pytest.param(value, [("Chrome", None, {"plays": 3}), ("Firefox", None, {"plays": 1})], id=name)
            for name, value in {
                "columns by name": {"browser": ["Chrome", "Firefox"], "plays": [3, 1]},
                "datasets": {"labels": ["Chrome", "Firefox"], "datasets": [{"label": "plays", "data": [3, 1]}]},
                "rows apart": {"columns": ["browser", "plays"], "rows": [["Chrome", 3], ["Firefox", 1]]},
                "rows with a head": [["browser", "plays"], ["Chrome", 3], ["Firefox", "1"]],
                "an unknown name": {"whatever": [{"key": "Chrome", "plays": 3}, {"key": "Firefox", "plays": 1}]},
            }.items()
        ],
        *[
            pytest.param(value, [("Chrome", None, {"value": 3}), ("Firefox", None, {"value": 1})], id=name)
            for name, value in {
                "labels and values": {"labels": ["Chrome", "Firefox"], "values": [3, 1], "total": 4},
                "pairs": [["Chrome", 3], ["Firefox", 1]],
                "numbers by label under a name": {"browsers": {"Chrome": 3, "Firefox": 1}},
            }.items()
        ],
        pytest.param(
            {"labels": [DAY, NEXT], "values": [3, 1]},
            [(DAY, DAY, {"value": 3}), (NEXT, NEXT, {"value": 1})],
            id="days and values",
        ),
        pytest.param(
            {"São Paulo": {"region": "SP", "views": 11}}, [("São Paulo", None, {"views": 11})], id="cities by name"
        ),
        pytest.param([{"region": "SP", "views": 11}], [("SP", None, {"views": 11})], id="a region as a whole"),
        pytest.param(
            {"ranking": [{"video_id": "v1", "plays": 3}, {"video_id": "v2", "plays": 1}]},
            [("v1", None, {"plays": 3}), ("v2", None, {"plays": 1})],
            id="a ranking without titles",
        ),
        pytest.param(
            [{"browser": "Chrome", "days": {DAY: 3}}], [("Chrome", DAY, {"value": 3})], id="days inside of a row"
        ),
        pytest.param([], [], id="empty array"),
        pytest.param({}, [], id="empty object"),
        pytest.param({"data": []}, [], id="empty wrapper"),
        pytest.param({"views_data": {}}, [], id="no buckets"),
    ],
)
def test_a_shape_is_understood(value: Any, rows: list[tuple[str, str | None, dict[str, float]]]) -> None:
    assert read(value) == rows


def test_a_city_has_its_place() -> None:
    value: list[JSON] = [
        {
            "city": "São Paulo",
            "region": "SP",
            "country": "BR",
            "latitude": "-23.55",
            "longitude": -46.63,
            "views": 12,
            "note": "kept",
        }
    ]
    assert table_of(value) == Table(
        ("views",),
        (Row("São Paulo", None, {"views": 12.0}, -23.55, -46.63, "BR", "SP", "São Paulo", {"note": "kept"}),),
    )


def test_a_place_in_an_object_of_its_own_is_found() -> None:
    table = table_of([{"name": "Lima", "location": {"lat": -12, "lng": -77, "country_code": "PE"}, "views": 1}])
    assert table is not None
    (row,) = table.rows
    assert (row.latitude, row.longitude, row.country, dict(row.metrics)) == (-12.0, -77.0, "PE", {"views": 1.0})


def test_part_of_a_place_with_two_keys_is_the_one_that_is_told() -> None:
    rows: JSON = [
        {"city": "Lima", "country": None, "country_code": "PE", "lat": -12, "latitude": None, "views": 1},
        {"city": "Lima", "country": "Peru", "country_code": "PE", "lat": -12, "latitude": -11, "views": 1},
    ]
    table = table_of(rows)
    assert table is not None
    assert [(row.country, row.latitude) for row in table.rows] == [("PE", -12.0), ("Peru", -11.0)]


def test_metric_that_is_no_number_is_kept_beside_those_that_are() -> None:
    table = table_of([{"name": "a", "views": 1, "plays": "many", "note": "n"}, {"name": "b", "views": 2, "plays": 3}])
    assert table is not None
    assert [(dict(row.metrics), dict(row.extra)) for row in table.rows] == [
        ({"views": 1.0}, {"plays": "many", "note": "n"}),
        ({"views": 2.0, "plays": 3.0}, {}),
    ]


@pytest.mark.parametrize(("latitude", "longitude"), [(91, 181), ("north", None), (True, [])])
def test_a_place_that_is_nowhere_is_unknown(latitude: Any, longitude: Any) -> None:
    table = table_of([{"city": "X", "latitude": latitude, "longitude": longitude, "views": 1}])
    assert table is not None
    assert (table.rows[0].latitude, table.rows[0].longitude) == (None, None)


def test_totals_beside_the_rows_are_kept_apart() -> None:
    table = table_of({"data": [{"t": DAY, "b": 1024}], "total_consumed": 1024, "page": "x"})
    assert table is not None
    assert (len(table.rows), dict(table.totals)) == (1, {"total_consumed": 1024.0})


def test_columns_are_every_metric_in_the_order_of_their_appearance() -> None:
    table = table_of([{"name": "a", "plays": 1}, {"name": "b", "views": 2, "plays": 3}])
    assert table is not None
    assert table.columns == ("plays", "views")


def test_identifiers_are_no_metrics_and_are_kept() -> None:
    table = table_of([{"id": 7, "video_id": 8, "name": "a", "title": "A", "plays": 1}])
    assert table is not None
    assert table.columns == ("plays",)
    assert dict(table.rows[0].extra) == {"id": 7, "video_id": 8, "title": "A"}


def test_the_key_of_an_object_with_a_name_of_its_own_is_kept() -> None:
    table = table_of({"v1": {"title": "Intro", "plays": 1}, "v2": {"title": "Outro", "plays": 2}})
    assert table is not None
    assert [(row.label, row.extra["key"]) for row in table.rows] == [("Intro", "v1"), ("Outro", "v2")]


@pytest.mark.parametrize("value", [None, 7, "x", True, {"ok": "no"}, [{"a": "b"}], ["x"], [None], {"data": "soon"}])
def test_what_has_no_number_in_it_is_not_understood_and_kept(value: Any) -> None:
    assert Analytics.from_json(value) == Analytics(value, None)


@pytest.mark.parametrize("name", QUERIES)
def test_every_query_keeps_the_answer_as_it_came(name: str, answering: Answering) -> None:
    value = {"data": [{"label": "x", "plays": 1}], "unknown": {"deep": [None]}}
    found = OPERATIONS[name].call(answering(httpx.Response(200, json=value)))
    assert isinstance(found, Analytics)
    assert found.raw == value
    assert found.table is not None


@pytest.mark.parametrize("value", [[3, 1], {"plays": 3}, [{"date": DAY, "plays": 3}], [{"plays": 3}, {"plays": 1}]])
def test_numbers_without_names_are_named_by_nothing(value: Any) -> None:
    table = table_of(value)
    assert table is not None
    assert not table.is_named
