"""What all panels of analytics share: the address of a view, the files beside a chart, the column of a metric."""

import dataclasses
from datetime import UTC, datetime
from typing import cast
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from django_htmx.middleware import HtmxDetails

from dashboard.analytics.date_bar import begin_date_bar
from dashboard.analytics.panels import AnalyticsPanel, PanelContext, add_chart, format_file_name, get_column
from dashboard.analytics.state import AnalyticsState, parse_state
from dashboard.platform_api.analytics import Row, Table
from dashboard.shared.charts.prepared import Cell, Chart, Column
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import Metric
from dashboard.upstream import parallel
from tests import forgetting

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ACCOUNT = UUID("3f2b6c1e-1111-4222-8333-444455556666")
ONE, TWO = "0198a3a0-0000-4000-8000-000000000001", "0198a3a0-0000-4000-8000-000000000002"
OVER = "start=2026-11-01&end=2026-11-07&compare=none"
"""Days that are over."""
RUNNING = "start=2026-11-18&end=2026-11-20&compare=none"
"""The last of these days is today."""


@dataclasses.dataclass(frozen=True)
class Drawn(Chart):
    """A chart without a point."""

    name: str = "drawn"
    title: str = "Drawn"
    foot: str = "1 to 7 November, UTC"

    def columns(self) -> tuple[Column, ...]:
        return ()

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return ()

    def sentence(self) -> str:
        return ""

    def svg(self) -> str:
        return ""


def state_of(query: str) -> AnalyticsState:
    state = parse_state(QueryDict(query), now=NOW, zone="UTC").state
    assert state is not None
    return state


def query_of(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


def test_a_panel_has_the_address_of_its_page_and_one_of_its_own() -> None:
    panel_context = PanelContext(ACCOUNT, state_of(f"{OVER}&metric=plays&page=3"), page="analytics:cities")
    whole, alone = panel_context.address(), panel_context.address("region")
    assert urlsplit(whole).path == urlsplit(alone).path == "/dashboard/analytics/cities/"
    assert query_of(whole)["page"] == ["3"] and "panel" not in query_of(whole)
    assert query_of(alone) == query_of(whole) | {"panel": ["region"]}


def test_the_files_of_a_chart_are_of_the_same_view_and_of_all_its_pages_in_one_order() -> None:
    state = state_of(f"{OVER}&metric=plays&country=BR&video={ONE}&page=3&sort=name")
    drawn = Drawn()
    panel = add_chart(AnalyticsPanel("cities", "Places"), PanelContext(ACCOUNT, state), drawn, "analytics/_cities.html")
    assert (panel.chart, panel.body, panel.title) == (drawn, "analytics/_cities.html", "Places")
    assert panel.exports is not None
    for extension, address in (("csv", panel.exports.csv), ("svg", panel.exports.svg)):
        assert urlsplit(address).path == f"/dashboard/analytics/cities.{extension}"
        assert state_of(urlsplit(address).query) == dataclasses.replace(state, page=1, sort="value")
        assert not {"page", "sort"} & set(query_of(address))
    assert panel.exports.period == drawn.foot
    assert panel.exports.picture_name == f"cities-plays-{ONE}-br_2026-11-01_2026-11-07_UTC.png"


@pytest.mark.parametrize(
    ("panel", "query", "name"),
    [
        ("browsers", OVER, "browsers-views_2026-11-01_2026-11-07_UTC"),
        ("browsers", f"{OVER}&metric=viewers", "browsers-viewers_2026-11-01_2026-11-07_UTC"),
        ("ranking", f"{OVER}&metric=viewers", "ranking_2026-11-01_2026-11-07_UTC"),
        ("traffic", f"{OVER}&video={ONE}", f"traffic-{ONE}_2026-11-01_2026-11-07_UTC"),
        ("traffic", f"{OVER}&video={ONE}&video={TWO}", "traffic-2-videos_2026-11-01_2026-11-07_UTC"),
        (
            "cities",
            f"{OVER}&country=BR&region=Minas+Gerais",
            "cities-views-br-minas-gerais_2026-11-01_2026-11-07_UTC",
        ),
        ("cities", RUNNING, "cities-views_2026-11-18_2026-11-19_UTC"),  # sums leave today out
        ("events", RUNNING, "events-views_2026-11-18_2026-11-20_UTC"),  # days are shown one by one
        (
            "cities",
            "start=2026-11-01&end=2026-11-07&compare=previous",
            "cities-views_2026-11-01_2026-11-07_vs_2026-10-25_2026-10-31_UTC",
        ),
    ],
)
def test_a_file_is_named_by_what_it_shows(panel: str, query: str, name: str) -> None:
    assert format_file_name(panel, state_of(query)) == f"{name}.png"
    assert format_file_name(panel, state_of(query), "csv") == f"{name}.csv"


ROWS = (Row("", None, {}),)


@pytest.mark.parametrize(
    ("columns", "metric", "column"),
    [
        (("views", "plays"), Metric.PLAYS, "plays"),
        (("views",), Metric.PLAYS, None),
    ],
)
def test_the_column_of_a_metric_is_one_that_the_answer_has(
    columns: tuple[str, ...], metric: Metric, column: str | None
) -> None:
    assert get_column(Table(columns, ROWS), metric) == column


@pytest.mark.parametrize(
    ("metric", "column"),
    [
        (Metric.VIEWS, "view"),
        (Metric.PLAYS, "play"),
        (Metric.VIEWERS, "unique_view"),
        (Metric.PLAYERS, "unique_play"),
    ],
)
def test_an_answer_without_rows_has_the_column_of_every_metric(metric: Metric, column: str) -> None:
    assert get_column(Table((), ()), metric) == column


@pytest.mark.parametrize(("headers", "is_drawn"), [({}, True), ({"HX-Request": "true"}, False)])
def test_the_date_bar_of_a_page_is_drawn_while_its_reads_are_out_and_not_for_a_panel_alone(
    headers: dict[str, str], is_drawn: bool
) -> None:
    request = RequestFactory().get("/", headers=headers)
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]  # as its middleware does
    here = parallel.begin_visit()
    bring = begin_date_bar(cast(OwnerRequest, request), state_of(OVER))
    here.prepare()
    forgetting.forget_visit()
    bar = bring()
    assert ("drawn" in bar.__dict__) == is_drawn
    assert 'class="date-bar"' in bar.drawn and bring() is bar
