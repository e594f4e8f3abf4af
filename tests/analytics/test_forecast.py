"""The forecast of a month: exact where days repeat, and as often right as it says, over days of every manner.

The README's table of simulations has a row for each test here that measures something.
"""

import random
import re
from collections.abc import Callable
from datetime import date, timedelta
from math import exp, sqrt
from pathlib import Path

import pytest

from dashboard.analytics import forecast
from dashboard.analytics.forecast import History

FIRST = date(2026, 1, 1)
Days = Callable[[random.Random, int], list[float]]


def independent(dice: random.Random, count: int) -> list[float]:
    return [max(0.0, dice.gauss(100, 30)) for _ in range(count)]


def resembling(dice: random.Random, count: int) -> list[float]:
    """Each day is 0.9 times as far from the mean as the day before, as a logarithm."""
    found, state = [], 0.0
    for _ in range(count):
        state = 0.9 * state + dice.gauss(0, 0.3 * sqrt(1 - 0.81))
        found.append(100 * exp(state))
    return found


def growing(dice: random.Random, count: int) -> list[float]:
    return [exp(0.02 * at) * max(0.01, dice.gauss(1, 0.2)) for at in range(count)]


def weekly(dice: random.Random, count: int) -> list[float]:
    return [max(0.0, dice.gauss(100 if at % 7 < 5 else 20, 10)) for at in range(count)]


SIMULATIONS: dict[str, Days] = {
    "independent days": independent,
    "days that resemble the day before (0.9)": resembling,
    "growth of 2 % a day": growing,
    "a weekly pattern": weekly,
}
RUNS, LENGTH, AHEAD = 200, 200, 21


def coverage(days: Days) -> float:
    """In how many of the runs the sum of the days ahead lay in the range."""
    dice, held = random.Random(5), 0
    for _ in range(RUNS):
        values = days(dice, LENGTH + AHEAD)
        found = History(values[:LENGTH], FIRST).interval(LENGTH, AHEAD)
        assert found is not None
        held += found.low <= sum(values[LENGTH:]) <= found.high
    return held / RUNS


@pytest.mark.parametrize("name", SIMULATIONS)
def test_range_holds_about_four_times_of_five_and_the_table_says_how_often(name: str) -> None:
    measured = coverage(SIMULATIONS[name])
    assert 0.72 <= measured <= 0.92
    statistics = (Path(__file__).parents[2] / "docs/statistics.md").read_text()
    row = re.search(
        rf"^\| traffic of the month, {re.escape(name)}: ranges that held \| ([\d.]+) % \|", statistics, re.M
    )
    assert row, "every sentence about a forecast has its row"
    assert float(row.group(1)) == pytest.approx(measured * 100, abs=0.06)


def by_day(values: list[float], today: date) -> dict[date, float]:
    return {today - timedelta(days=len(values) - at): value for at, value in enumerate(values)}


def test_month_of_equal_days_is_projected_exactly() -> None:
    today = date(2026, 11, 20)
    found = forecast.project_month(by_day([10.0] * 100, today), date(2026, 8, 12), today, date(2026, 11, 30))
    assert found is not None
    assert (found.so_far, found.days_left) == (190, 11)
    assert (found.likely, found.low, found.high) == pytest.approx((300, 300, 300))


def test_weekdays_of_the_days_that_are_left_count() -> None:
    today = date(2026, 11, 20)  # a Friday: three Saturdays and Sundays of eleven days are left
    start = date(2026, 6, 1)
    values = {
        start + timedelta(days=at): 10.0 if (start + timedelta(days=at)).weekday() < 5 else 0.0 for at in range(172)
    }
    found = forecast.project_month(values, start, today, date(2026, 11, 30))
    assert found is not None and found.likely == pytest.approx(140 + 70)


def test_growth_is_carried_on() -> None:
    today = date(2026, 11, 20)
    values = [1.02**at for at in range(150)]
    found = forecast.project_month(by_day(values, today), today - timedelta(days=150), today, date(2026, 11, 30))
    assert found is not None
    rest = sum(1.02**at for at in range(150, 161))
    assert found.likely - found.so_far == pytest.approx(rest, rel=0.05)


def test_too_little_history_gives_no_projection() -> None:
    today, last = date(2026, 11, 20), date(2026, 11, 30)
    needed = forecast.BASE_DAYS + forecast.LEAST_BLOCKS * 11
    for count in (0, 6, 28, needed - 1):
        start = today - timedelta(days=count)
        assert forecast.project_month(by_day([10.0] * count, today), start, today, last) is None
    start = today - timedelta(days=needed)
    assert forecast.project_month(by_day([10.0] * needed, today), start, today, last) is not None


def test_no_traffic_at_all_is_projected_as_none() -> None:
    today = date(2026, 11, 20)
    found = forecast.project_month({}, today - timedelta(days=200), today, date(2026, 11, 30))
    assert found is not None and (found.likely, found.low, found.high) == (0, 0, 0)


def test_earlier_months_are_forecast_with_only_what_was_known_then() -> None:
    today = date(2026, 11, 20)
    values = [10.0] * 400
    calm = forecast.project_month(by_day(values, today), today - timedelta(days=400), today, date(2026, 11, 30))
    assert calm is not None and calm.held == calm.months == 11
    values[-31:-21] = [90.0] * 10  # the end of October, which nothing announced
    jump = forecast.project_month(by_day(values, today), today - timedelta(days=400), today, date(2026, 11, 30))
    assert jump is not None and (jump.held, jump.months) == (10, 11)
