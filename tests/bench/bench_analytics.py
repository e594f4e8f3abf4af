"""How analytics grows: ten times the rows may cost at most ten times the time; and what one chart and the overview cost."""

import gc
import gzip
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils.module_loading import import_string

from dashboard.analytics import charts, tables
from dashboard.analytics.panels import get_column
from dashboard.analytics.rules import parse_places
from dashboard.analytics.state import AnalyticsState
from dashboard.platform_api.analytics import Analytics, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.charts.drawing import on_page
from dashboard.shared.charts.lines import TimeChart
from dashboard.shared.metrics import Metric
from dashboard.shared.ranges import Compare, Days, build_selection
from tests.analytics.conftest import FIGURES
from tests.answering import answer_with
from tests.bench.figure import Figure, cpu
from tests.forgetting import forget

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
END = date(2026, 11, 19)
_answer: dict[str, Any] = {}
"""What the platform answers to questions about figures."""


def figures() -> list[Figure]:
    """Ratios of ten times the rows, milliseconds and bytes of one chart, bytes of the overview."""
    growing: list[tuple[str, Callable[[int], Callable[[], object]], int]] = [
        ("cities, 5,000 to 50,000", _cities, 5_000),
        ("referrers, 1,000 to 10,000", _referrers, 1_000),
        ("3 years by day, 110 to 1,096 days", _days, 110),
        ("30 days by hour, 3 to 30 days", _hours, 3),
    ]
    patch = pytest.MonkeyPatch()
    answer_with(patch, lambda _request: _answer, *FIGURES)
    found = [Figure(f"{name}: time", _ratio(act, few), 10, "ratio") for name, act, few in growing]
    patch.undo()
    forget()
    state = _state(1_000, Granularity.DAY)
    chart = _line(state, _dated(state))
    shapes = on_page(chart.plot.shapes)
    found.append(Figure("chart of 1,000 points, compressed", len(gzip.compress(shapes.encode(), 9)), 2_000, "bytes"))
    found.append(Figure("chart of 1,000 points", cpu(lambda: on_page(_fresh(chart).plot.shapes), 20), 2, "ms"))
    found.append(Figure("overview, compressed", _overview(), 15_000, "bytes"))
    return found


def _ratio(make: Callable[[int], Callable[[], object]], few: int) -> float:
    """Ten times the rows against once, over answers that are read already; without the collector, as `timeit` does."""
    small, large = make(few), make(few * 10)
    gc.disable()
    try:
        return cpu(large, 8) / cpu(small, 16)
    finally:
        gc.enable()


def _state(days: int, grain: Granularity) -> AnalyticsState:
    zone = ZoneInfo("America/Sao_Paulo")
    run = Days(END - timedelta(days=days - 1), END)
    return AnalyticsState(build_selection(run, now=NOW, zone=zone, granularity=grain, compare=Compare.NONE))


def _table(rows: list[dict[str, Any]]) -> Table:
    found = Analytics.from_json({"data": rows}).table  # type: ignore[dict-item]  # plain JSON
    assert found is not None
    return found


def _cities(count: int) -> Callable[[], object]:
    rows = [
        {"city": f"City {n}", "country": "BR", "latitude": n % 80, "longitude": n % 170, "view": count - n}
        for n in range(count)
    ]
    table, state = _table(rows), _state(28, Granularity.TOTAL)

    def page() -> object:
        chart = charts.build_city_map(state, "view", parse_places(table.rows, (), "view"), compared=False)
        return chart.drawing(), tables.build_cities_table(chart, state, brief=False)

    return page


def _referrers(count: int) -> Callable[[], object]:
    table = _table([{"referrer": f"https://site{n}.example/page", "view": count - n} for n in range(count)])
    state = _state(28, Granularity.TOTAL)

    def page() -> object:
        chart = charts.build_bar_chart(state, "referrers", "Referrers", "Site", "view", table, None)
        return tables.build_referrers_table(chart, state, brief=False)

    return page


def _dated(state: AnalyticsState) -> Table:
    return _table(_dated_rows(state))


def _dated_rows(state: AnalyticsState) -> list[dict[str, Any]]:
    keys = [bucket.key for bucket in state.selection.buckets()]
    return [{"browser": "Chrome", "date": key, "view": 900 + (n * 37) % 211} for n, key in enumerate(keys)]


def _line(state: AnalyticsState, table: Table) -> TimeChart:
    chart = charts.build_line_chart(state, get_column(table, Metric.VIEWS) or "", table, None, ())
    assert chart is not None
    return chart


def _page(state: AnalyticsState) -> Callable[[], object]:
    """The page of browsers with its line, bars and table twins, over an answer of one row a bucket."""
    answer = {"data": _dated_rows(state)}
    address = f"/dashboard/analytics/browsers/?{state.query()}"
    client = signed_in()

    def page() -> object:
        _answer.update(answer)  # to what this page asks the first time: then it is known
        response = client.get(address)
        assert response.status_code == 200
        return response

    return page


def _days(count: int) -> Callable[[], object]:
    return _page(_state(min(count, 1_096), Granularity.DAY))


def _hours(count: int) -> Callable[[], object]:
    return _page(_state(count, Granularity.HOUR))


def _fresh(chart: TimeChart) -> TimeChart:
    """The same chart, nothing of it worked out yet."""
    return TimeChart(**{name: getattr(chart, name) for name in TimeChart.__dataclass_fields__})


def signed_in() -> Client:
    """The demo's owner, in a browser."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    client = Client()
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    return client


def _overview() -> float:
    return float(len(gzip.compress(signed_in().get("/dashboard/analytics/?zone=UTC").content, 9)))
