"""Over random answers of the platform: drawing, table, file, picture and sentence of every kind of chart say one number.

The picture as PNG is the drawing as SVG, painted by the browser (`tests/journeys/test_analytics.py` looks at its pixels).
"""

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from xml.etree import ElementTree

import pytest
from django.http import QueryDict
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.analytics import charts as prepare
from dashboard.analytics import panels, traffic_pages, video_comparison
from dashboard.analytics.panels import AnalyticsPanel, PanelContext
from dashboard.analytics.rules import parse_places
from dashboard.analytics.state import AnalyticsState, parse_state
from dashboard.analytics.video_comparison import VideoAnswers
from dashboard.platform_api.analytics import Analytics, Table
from dashboard.referrals.models import ReferralDay
from dashboard.referrals.pages import build_history_chart
from dashboard.shared.charts import drawing, plot
from dashboard.shared.charts.bars import PICTURED, BarChart
from dashboard.shared.charts.bubbles import BubbleMap
from dashboard.shared.charts.prepared import Chart
from dashboard.upstream.figures import FigureAnswer

NOW = datetime(2026, 11, 20, 15, 30, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"
FIRST, DAYS = date(2026, 11, 1), 7
few = settings(max_examples=25 if settings().derandomize else 1000, deadline=None)
number = st.integers(0, 10**6)
name = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=20).filter(str.strip)


def state(more: str = "compare=previous") -> AnalyticsState:
    found = parse_state(QueryDict(f"start=2026-11-01&end=2026-11-07&zone=UTC&{more}"), now=NOW, zone="UTC").state
    assert found is not None
    return found


def panel_context(more: str = "compare=previous") -> PanelContext:
    return PanelContext(UUID(int=1), state(more))


def table(rows: list[dict[str, Any]]) -> Table:
    found = Analytics.from_json({"data": rows}).table  # type: ignore[dict-item]  # plain JSON
    assert found is not None
    return found


def day(offset: int) -> str:
    return (FIRST + timedelta(days=offset)).isoformat()


def file_of(chart: Chart) -> list[list[str]]:
    text = chart.csv()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:])))[1:]


def agree(chart: Chart, picture: Callable[[str], None] | None = None) -> list[list[str]]:
    """What holds for every kind. Returns the rows of the file."""
    body = ElementTree.fromstring(f"<tbody>{chart.table_body()}</tbody>")
    shown = [[cell.text or "" for cell in row] for row in body]
    written = file_of(chart)
    assert len(shown) == len(written) == len(chart.rows())
    in_table = [column for column in chart.columns() if not column.file_only]
    for texts, raws in zip(shown, written, strict=True):
        raws = [raw for raw, column in zip(raws, chart.columns(), strict=True) if not column.file_only]
        for text, raw, column in zip(texts, raws, in_table, strict=True):
            if column.numeric:
                assert says(text, raw), f"{text!r} in the table, {raw!r} in the file"
    made = ElementTree.fromstring(chart.svg())
    assert made.findtext(f"{SVG}title") == chart.title
    assert made.findtext(f"{SVG}desc") == chart.sentence()
    drawn = ElementTree.fromstring(f"<g>{draw_chart(chart)}</g>")
    kept = {(element.tag.removeprefix(SVG), place(element)) for element in made.iter()}
    assert {(element.tag, place(element)) for element in drawn.iter() if element.tag in {"path", "circle"}} <= kept
    return written


def draw_chart(chart: Chart) -> str:
    """The shapes of the page."""
    if isinstance(chart, BarChart):  # beyond so many bars the page adds up and the picture ends
        return "".join(str(bar.shapes) for bar in chart.drawn()) if len(chart.bars) <= PICTURED else ""
    return str(chart.drawing())  # type: ignore[attr-defined]  # every kind but bars has one


def place(element: ElementTree.Element) -> tuple[str, ...]:
    return tuple(element.get(key, "") for key in ("d", "cx", "cy", "r"))


BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def says(text: str, raw: str) -> bool:
    """Whether a number for people is the file's, to the decimals that it has."""
    if not raw:
        return text in {"", "new", "no data", "not in the earlier list"}
    value = float(raw)
    if text.endswith("%"):
        value *= 100
    number, _space, unit = text.partition(" ")
    if unit in BYTES:
        value, text = value / BYTES[unit], number
    digits = text.rstrip("%").replace(",", "").replace("−", "-").replace("+", "")
    if digits == "":
        return value == 0
    decimals = len(digits.partition(".")[2])
    return bool(abs(float(digits) - value) <= 0.5 * 10.0**-decimals * 1.0001)


def heights(chart: Any, look: str) -> list[int]:
    """The heights of the vertices of a line."""
    found: list[int] = []
    for shape in chart.plot.shapes:
        if shape.look == look:
            numbers = [int(n) for n in re.findall(r"-?\d+", shape.attributes[0][1].replace("h0", ""))]
            y = numbers[1]
            found += [y, *(y := y + step for step in numbers[3::2])]
    return found


browser_rows = st.lists(
    st.fixed_dictionaries({"browser": name, "date": st.integers(0, DAYS - 1).map(day), "view": number}),
    min_size=1,
    max_size=30,
)
earlier_rows = st.lists(
    st.fixed_dictionaries({"browser": name, "date": st.integers(-DAYS, -1).map(day), "view": number}), max_size=30
)


@given(browser_rows, earlier_rows)
@few
def test_a_line(now: list[dict[str, Any]], past: list[dict[str, Any]]) -> None:
    chart = prepare.build_line_chart(state(), "view", table(now), Analytics.from_json({"data": past}).table, ())  # type: ignore[dict-item]
    assert chart is not None
    rows = agree(chart)
    sums, before = by_day(now, 0), by_day(past, -DAYS)
    assert [row[1] for row in rows] == texts(sums) and [row[3] for row in rows] == texts(before)
    assert [row[5] for row in rows] == ["no data" if value is None else "" for value in sums]
    said, total = chart.sentence(), sum(value or 0 for value in sums)
    known = sum(value is not None for value in sums)
    assert f"{total:,} view" in said and (f"in {known} of 7 days" in said) == (known < DAYS)
    pairs = [(a, b) for a, b in zip(sums, before, strict=True) if a is not None and b is not None]
    if len(pairs) < DAYS:
        over = f"Over the {len(pairs)} of 7 days with numbers on both sides"
        assert (over if pairs else "Not compared") in said
    if pairs and sum(a for a, _ in pairs) != sum(b for _, b in pairs) > 0:
        assert f"({sum(b for _, b in pairs):,} view" in said
    assert any(key.kind == "gap" for key in chart.plot.legend) == (known < DAYS)
    top = plot.ticks(max(value or 0 for value in sums + before), whole=True)[-1]
    for values, look in ((sums, "line"), (before, "line line--past")):
        drawn = [drawing.HEIGHT * (1 - value / top) for value in values if value is not None]
        assert heights(chart, look) == pytest.approx(drawn, abs=0.51)


def by_day(rows: list[dict[str, Any]], first: int) -> list[int | None]:
    """The sums of a week that begins at `first`: zero between two days with rows, unknown before and after them."""
    days = [day(first + n) for n in range(DAYS)]
    there = sorted(row["date"] for row in rows)
    sums = [sum(row["view"] for row in rows if row["date"] == one) for one in days]
    return [value if there and there[0] <= one <= there[-1] else None for one, value in zip(days, sums, strict=True)]


def texts(values: list[int | None]) -> list[str]:
    return ["" if value is None else str(value) for value in values]


@given(browser_rows, earlier_rows)
@few
def test_bars(now: list[dict[str, Any]], past: list[dict[str, Any]]) -> None:
    before = Analytics.from_json({"data": past}).table  # type: ignore[dict-item]  # plain JSON
    chart = prepare.build_bar_chart(state(), "browsers", "Browsers", "Browser", "view", table(now), before)
    rows = agree(chart)
    assert sum(int(row[1]) for row in rows) == sum(row["view"] for row in now)
    assert sum(int(row[3]) for row in rows) == sum(row["view"] for row in past)
    values = [int(row[1]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert [bar.value for bar in chart.drawn(len(values))] == [f"{value:,}" for value in values]
    texts = [element.text or "" for element in ElementTree.fromstring(chart.svg()).iter(f"{SVG}text")]
    assert all(f"{value:,}" in texts for value in values[:30]), "the numbers of the picture"


city_rows = st.lists(
    st.fixed_dictionaries(
        {
            "city": name,
            "country": st.sampled_from(["BR", "PT", "US"]),
            "latitude": st.floats(-60, 75),
            "longitude": st.floats(-179, 179),
            "view": st.integers(1, 10**6),
        }
    ),
    min_size=1,
    max_size=20,
    unique_by=lambda row: row["city"],
)


@given(city_rows)
@few
def test_a_map(rows: list[dict[str, Any]]) -> None:
    places = parse_places(table(rows).rows, (), "view")
    chart = prepare.build_city_map(state("compare=none"), "view", places, compared=False)
    written = agree(chart)
    assert sum(int(row[3]) for row in written) == sum(row["view"] for row in rows)
    assert f"{sum(row['view'] for row in rows):,} view" in chart.sentence()
    assert isinstance(chart, BubbleMap)
    spoken = [f"{row[0].text}, {row[3].text}" for row in chart.rows()]
    assert [shape.title for shape in chart.shapes] == spoken, "what the keyboard and the pointer read"


videos = st.lists(st.lists(number, min_size=DAYS, max_size=DAYS), min_size=1, max_size=5)


@given(videos)
@few
def test_traffic_of_several_videos(bytes_of: list[list[int]]) -> None:
    titles = {str(UUID(int=n)): f"Film {n}" for n in range(len(bytes_of))}
    answers = {
        video: FigureAnswer(
            Analytics.from_json({"data": [{"t": day(n), "b": size} for n, size in enumerate(sizes)]}), NOW
        )
        for video, sizes in zip(titles, bytes_of, strict=True)
    }
    page = traffic_pages.build_traffic(panel_context("compare=none"), VideoAnswers(titles, answers), None)
    charts = {panel.name: panel.chart for panel in page.panels}
    total = charts["traffic"]
    assert total is not None
    assert [int(row[1]) for row in agree(total)] == [sum(sizes) for sizes in zip(*bytes_of, strict=True)]
    if len(bytes_of) > 1:
        lines, shares = charts["videos"], charts["shares"]
        assert lines is not None and shares is not None
        assert [[float(cell) for cell in row[1:-1]] for row in agree(lines)] == [
            list(map(float, sizes)) for sizes in zip(*bytes_of, strict=True)
        ]
        assert sorted(int(row[1]) for row in agree(shares)) == sorted(map(sum, bytes_of))
        assert f"({page.panels[2].content[0].cells[1]})" in lines.sentence()  # type: ignore[index]  # rows of shares
    assert sum(map(sum, bytes_of)) == 0 or page.figures[0].value in total.sentence()


falling = st.lists(st.floats(0, 100), min_size=2, max_size=20).map(lambda values: sorted(values, reverse=True))


@given(st.lists(st.tuples(falling, st.integers(20, 10**4)), min_size=1, max_size=4))
@few
def test_retention_with_its_bands(films: list[tuple[list[float], int]]) -> None:
    titles = {str(UUID(int=n)): f"Film {n}" for n in range(len(films))}
    answers = {}
    for video, (shares, people) in zip(titles, films, strict=True):
        points = {str(second): share for second, share in enumerate([100.0, *shares])}
        answers[video] = FigureAnswer(Analytics.from_json({"retention": points}), NOW)  # type: ignore[dict-item]  # plain JSON
        answers[f"{video} people"] = FigureAnswer(
            Analytics.from_json({"views_data": {day(0): {"unique_play": people}}}), NOW
        )
    chart = (
        video_comparison.build_retention(panel_context("compare=none"), VideoAnswers(titles, answers)).panels[0].chart
    )
    assert chart is not None
    rows = agree(chart)
    for index, (shares, _people) in enumerate(films):
        told = [float(row[index + 1]) for row in rows if row[index + 1]]
        assert told[: len(shares) + 1] == pytest.approx([1.0, *(share / 100 for share in shares)], abs=1e-6)
    bands = [shape for shape in chart.plot.shapes if "area--band" in shape.look]  # type: ignore[attr-defined]
    assert len(bands) == len(films)


money = st.decimals(0, 10**6, places=2)


@given(st.lists(st.tuples(money, money, money), min_size=2, max_size=20))
@few
def test_the_history_of_referrals(days: list[tuple[Decimal, Decimal, Decimal]]) -> None:
    kept = [
        ReferralDay(day=FIRST + timedelta(days=3 * n), received=a, balance=b, pending=c, currency="BRL")
        for n, (a, b, c) in enumerate(days)
    ]
    chart = build_history_chart(kept)
    assert chart is not None
    assert [[float(cell) for cell in row[1:]] for row in agree(chart)] == [[float(x) for x in row] for row in days]


@given(
    st.lists(
        st.fixed_dictionaries({"video_id": st.uuids().map(str), "title": name, "view": number, "play": number}),
        min_size=1,
        max_size=20,
    )
)
@few
def test_the_ranking(rows: list[dict[str, Any]]) -> None:
    kind = panels.PANEL_KINDS["ranking"]
    panel = kind.build(panel_context("compare=none"), table(rows), None, AnalyticsPanel("ranking", "Ranking"))
    assert panel.chart is not None
    written = agree(panel.chart)
    plays = sorted((row["play"] for row in rows), reverse=True)
    assert [int(row[1]) for row in written] == plays
    assert [row.cells[2] for row in panel.content.rows] == [f"{play:,}" for play in plays][:50]  # type: ignore[attr-defined]
