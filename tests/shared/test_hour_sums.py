"""Sums by hour in a light form: the same as of the rows, in every zone, joined, and kept as bytes."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from dashboard.platform_api.analytics import Analytics, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.metrics import HourSums, get_covered, sum_over_time


def table_of(hours: int, start: str = "2026-10-15T00:00") -> Table:
    begin = datetime.fromisoformat(start)
    rows = [
        {"browser": browser, "date": (begin + timedelta(hours=hour)).isoformat() + ".000Z", "view": hour % 7 + more}
        for hour in range(hours)
        for more, browser in enumerate(("Chrome", "Safari"))
    ]
    table = Analytics.from_json({"data": rows}).table  # type: ignore[dict-item]  # plain JSON
    assert table is not None
    return table


@pytest.mark.parametrize("zone", ["UTC", "America/Sao_Paulo", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"])
def test_sums_by_local_hour_are_those_of_the_rows(zone: str) -> None:
    table, place = table_of(24 * 30), ZoneInfo(zone)  # the clocks of Berlin change in between
    sums = HourSums.of(table)
    expected = sum_over_time(table.rows, "view", place, Granularity.HOUR)
    assert expected is not None
    assert sums.in_zone("view", place) == expected
    assert sums.covered(place) == get_covered(expected)


def test_sums_are_the_same_after_they_were_kept() -> None:
    sums = HourSums.of(table_of(50))
    assert HourSums.loaded(sums.dumped()) == sums
    with pytest.raises(ValueError, match="Extra data"):
        HourSums.loaded(b"{}x")


def test_parts_are_joined_and_a_column_that_one_lacks_is_zero_there() -> None:
    first, second = HourSums.of(table_of(24)), HourSums.of(table_of(24, "2026-10-16T00:00"))
    joined = HourSums.joined([first, HourSums.of(Table((), ())), second])
    assert joined == HourSums.of(table_of(24)).joined([first, second]) and len(joined.at) == 48
    bare = HourSums((0,), {"play": (3.0,)})
    assert HourSums.joined([bare, HourSums((60,), {})]).sums == {"play": (3.0, 0.0)}


def test_rows_without_a_time_are_no_hours() -> None:
    table = Analytics.from_json({"data": [{"browser": "Chrome", "view": 4}]}).table
    assert HourSums.of(table).in_zone("view", ZoneInfo("UTC")) is None
    assert HourSums.of(Table((), ())).in_zone("view", ZoneInfo("UTC")) == {}
