"""One prepared object per chart: the drawing, the table, the file and the sentence say the same numbers."""

import csv as reader
import gzip
import io
import re
from xml.etree import ElementTree

import pytest
from django.utils import translation
from django.utils.translation import ngettext_lazy
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.shared import formats
from dashboard.shared.charts import bubbles, drawing, figures, interval, plot
from dashboard.shared.charts.bars import LENGTH, Bar, BarChart
from dashboard.shared.charts.bubbles import BubbleMap, City
from dashboard.shared.charts.drawing import Shape, build_sparkline, on_page
from dashboard.shared.charts.figures import Unit
from dashboard.shared.charts.lines import CurvesChart, Measure, Place, Point, TimeChart
from dashboard.shared.charts.plot import Mark, Series
from dashboard.shared.charts.prepared import TWIN_ROWS, Chart
from tests.counted_calls import count_calls

EVENTS = Measure("Events", ngettext_lazy("%(shown)s event", "%(shown)s events", "number"))
counts = st.integers(0, 10**7)
hostile = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=30)


def time_chart(values: list[int | None], past: list[int] | None = None, *, whole: int | None = None) -> TimeChart:
    whole = len(values) if whole is None else whole
    points = tuple(
        Point(
            key=f"d{index}",
            label=f"Day {index}",
            short=str(index),
            value=value,
            whole=index < whole,
            past_key=f"p{index}" if past else "",
            past_label=f"Past {index}" if past else "",
            past=past[index] if past else None,
        )
        for index, value in enumerate(values)
    )
    return TimeChart(
        "events-per-day", "Events per day", "", EVENTS, "Day", points, "now", "before" if past else "", "2026, UTC"
    )


def file_rows(chart: Chart) -> list[dict[str, str]]:
    text = chart.csv()
    assert text.startswith("\ufeff")
    return list(reader.DictReader(io.StringIO(text[1:])))


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def table_rows(chart: Chart) -> list[list[str]]:
    body = parsed(f"<tbody>{chart.table_body()}</tbody>")
    return [[cell.text or "" for cell in row] for row in body]


def vertices(data: str) -> list[tuple[int, int]]:
    """The absolute points of a path made of M and relative l steps."""
    points: list[tuple[int, int]] = []
    for stretch in re.findall(r"M[^M]+", data):
        numbers = [int(number) for number in re.findall(r"-?\d+", stretch.replace("h0", ""))]
        x, y = numbers[:2]
        points.append((x, y))
        for step_x, step_y in zip(numbers[2::2], numbers[3::2], strict=True):
            x, y = x + step_x, y + step_y
            points.append((x, y))
    return points


def drawn_line(chart: TimeChart | CurvesChart, look: str) -> list[tuple[int, int]]:
    return [point for shape in chart.plot.shapes if shape.look == look for point in vertices(shape.attributes[0][1])]


series = st.integers(1, 60).flatmap(
    lambda size: st.tuples(
        st.lists(counts, min_size=size, max_size=size), st.lists(counts, min_size=size, max_size=size)
    )
)


@given(series)
def test_a_line_says_the_same_in_drawing_table_file_and_sentence(pair: tuple[list[int], list[int]]) -> None:
    now, past = pair
    chart = time_chart(list(now), past)
    rows = file_rows(chart)
    assert [int(row["Events"]) for row in rows] == now
    assert [int(row["Events, compared"]) for row in rows] == past
    table = table_rows(chart)
    assert [int(row[1].replace(",", "")) for row in table] == now
    assert [int(row[3].replace(",", "")) for row in table] == past
    top = plot.ticks(max(now + past), whole=True)[-1]
    for values, look in ((now, "line"), (past, "line line--past")):
        drawn = drawn_line(chart, look)
        assert [x for x, _ in drawn] == [drawing.across(index, len(values)) for index in range(len(values))]
        heights = [drawing.HEIGHT * (1 - value / top) for value in values]
        assert [y for _, y in drawn] == pytest.approx(heights, abs=0.51)
    sentence = chart.sentence()
    assert f"{sum(now):,} event" in sentence
    if sum(past) and sum(past) != sum(now):
        assert f"({sum(past):,} event" in sentence
        assert ("more than" in sentence) == (sum(now) > sum(past))
    picture = parsed(chart.svg())
    assert picture.findtext("{http://www.w3.org/2000/svg}desc") == sentence


@given(st.lists(counts, min_size=2, max_size=40), st.integers(1, 39))
def test_what_is_not_complete_is_drawn_and_marked_and_counted_nowhere(now: list[int], cut: int) -> None:
    whole = min(cut, len(now) - 1)
    chart = time_chart(list(now), list(now), whole=whole)
    assert chart.totals.compared is not None
    assert chart.totals.now == sum(now[:whole]) == chart.totals.compared.past
    assert len(table_rows(chart)) == len(now)
    assert all(row[0].endswith(", incomplete") == (index >= whole) for index, row in enumerate(table_rows(chart)))
    assert len(drawn_line(chart, "line")) == whole
    assert len(drawn_line(chart, "line line--today")) == len(now) - whole + 1
    assert "Today is still filling up" in chart.sentence()
    assert any(key.kind == "hatch" for key in chart.plot.legend)


def test_hours_to_come_are_empty_and_not_zero() -> None:
    chart = time_chart([5, 7, None, None], whole=0)
    assert [row["Events"] for row in file_rows(chart)] == ["5", "7", "", ""]
    assert chart.totals.partial and chart.sentence() == "12 events so far today."
    assert len(drawn_line(chart, "line line--today")) == 2


@given(st.lists(st.tuples(hostile, counts, counts), min_size=1, max_size=30))
def test_bars_say_the_same_in_drawing_table_file_and_sentence(parts: list[tuple[str, int, int]]) -> None:
    parts.sort(key=lambda part: -part[1])
    chart = BarChart(
        "browsers", "Browsers", "", EVENTS, "Browser", tuple(Bar(*part) for part in parts), compared=True, foot=""
    )
    rows = file_rows(chart)
    assert [int(row["Events"]) for row in rows] == [value for _, value, _ in parts]
    assert [row["Browser"].removeprefix("'") for row in rows] == [label.removeprefix("'") for label, _, _ in parts]
    total = sum(value for _, value, _ in parts)
    top = max(max(value, past) for _, value, past in parts)
    for (label, value, past), bar, table in zip(parts, chart.drawn(), table_rows(chart), strict=True):
        assert (bar.label, bar.value, table[1]) == (label, f"{value:,}", f"{value:,}")
        if top:
            width = float(re.findall(r'bar__value" width="([\d.]+)"', bar.shapes)[0])
            tick = float(re.findall(r'd="M([\d.]+) -2', bar.shapes)[0])
            assert width == pytest.approx(value / top * LENGTH, abs=0.06)
            assert tick == pytest.approx(past / top * LENGTH, abs=0.06)
    assert (f"{total:,} event" in chart.sentence()) == bool(total)
    assert sum(float(row["Share of total"]) for row in rows) == pytest.approx(1 if total else 0, abs=1e-4)
    parsed(chart.svg())


def test_bars_beyond_the_limit_are_added_up_under_other() -> None:
    bars = tuple(Bar(str(index), 10 - index, 1) for index in range(10))
    chart = BarChart("b", "B", "", EVENTS, "Browser", bars, compared=True, foot="")
    drawn = chart.drawn(4)
    assert [bar.label for bar in drawn] == ["0", "1", "2", "Other"]
    assert drawn[-1].value == str(7 + 6 + 5 + 4 + 3 + 2 + 1)
    assert len(chart.rows()) == 10


@pytest.mark.parametrize(("absent", "words"), [("", "no data"), ("not in the earlier list", "not in the earlier list")])
def test_a_bar_whose_number_before_is_not_known_says_so_and_is_empty_in_the_file(absent: str, words: str) -> None:
    bars = (Bar("Known", 30, 20), Bar("New", 10, 0), Bar("Unknown", 10, None))
    chart = BarChart("b", "B", "", EVENTS, "Video", bars, compared=True, foot="", absent=absent)
    assert [row[3:] for row in table_rows(chart)] == [["20", "+50.0%"], ["0", "new"], [words, ""]]
    columns = ("Events, compared", "Change")
    assert [[row[name] for name in columns] for row in file_rows(chart)] == [["20", "0.5"], ["0", ""], ["", ""]]


cities = st.builds(
    City,
    hostile,
    st.just("SP"),
    st.just("BR"),
    st.integers(1, 10**6),
    st.integers(0, 10**6),
    st.none() | st.floats(-90, 90),
    st.floats(-180, 180),
)


@given(st.lists(cities, min_size=1, max_size=40), st.booleans())
def test_a_map_says_the_same_in_bubbles_table_file_and_sentence(places: list[City], close: bool) -> None:
    places.sort(key=lambda city: -city.value)
    chart = BubbleMap("cities", "Cities", "", EVENTS, tuple(places), compared=True, foot="", close=close)
    rows = file_rows(chart)
    assert [int(row["Events"]) for row in rows] == [city.value for city in places]
    assert f"{sum(city.value for city in places):,} event" in chart.sentence()
    located = [city for city in places if city.latitude is not None]
    assert len(chart.shapes) == len(located) == len(places) - chart.hidden
    box = chart.box
    for shape, city in zip(chart.shapes, located, strict=True):
        at = {name: float(value) for name, value in shape.attributes}
        assert box.x - 0.6 <= at["cx"] <= box.x + box.width + 0.6
        assert box.y - 0.6 <= at["cy"] <= box.y + box.height + 0.6
        # The area follows the number, down to a bubble that can still be seen.
        seen = max(
            (city.value / located[0].value) * (bubbles.LARGEST * box.width) ** 2, (bubbles.SMALLEST * box.width) ** 2
        )
        assert at["r"] ** 2 == pytest.approx(seen, rel=0.05, abs=0.6)
        assert shape.title == f"{city.name}, {city.value:,}"
    parsed(chart.svg())


def test_control_characters_in_names_leave_a_readable_picture() -> None:
    bars = (Bar("a\x00\x1b[31m\x0b", 1), Bar("\ud800b", 1))
    chart = BarChart("b", "T\x08", "", EVENTS, "Browser", bars, compared=False, foot="")
    parsed(chart.svg())


def test_many_cities_are_all_in_the_file_and_only_the_largest_on_the_map() -> None:
    places = tuple(City(str(n), "", "BR", 1000 - n, None, n % 80, n % 170) for n in range(900))
    chart = BubbleMap("cities", "Cities", "", EVENTS, places, compared=False, foot="")
    assert len(chart.shapes) == bubbles.DRAWN
    assert len(file_rows(chart)) == 900


@given(st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), min_size=1, max_size=6))
def test_curves_say_the_same_in_drawing_table_and_file(shares: list[list[float]]) -> None:
    chart = CurvesChart(
        "retention",
        "Retention",
        "",
        Unit.SHARE,
        "Second",
        tuple(Place(second, figures.clock(second), "") for second in range(5)),
        tuple(Series(f"V{place}", tuple(values), place) for place, values in enumerate(shares)),
        "finding",
        "",
        highest=1.0,
    )
    for place, values in enumerate(shares):
        assert [float(row[f"V{place}"]) for row in file_rows(chart)] == pytest.approx(values, abs=1e-6)
        assert [row[place + 1] for row in table_rows(chart)] == [figures.percent(value) for value in values]
        look = "line" if place == 0 else f"line line--{place + 1}"
        assert [y for _, y in drawn_line(chart, look)] == pytest.approx(
            [drawing.HEIGHT * (1 - value) for value in values], abs=0.51
        )
    parsed(chart.svg())


bounds = st.floats(-0.9, 0.9, allow_subnormal=False)


@given(bounds, bounds, bounds)
def test_a_drawn_range_excludes_zero_exactly_when_the_numbers_do(one: float, two: float, estimate: float) -> None:
    low, high = sorted((one, two))
    scale = interval.build_scale(min(low, estimate), max(high, estimate))
    shapes = interval.interval_shapes(scale, estimate, wide=(low, high))
    zero = int(re.findall(r"M(-?\d+)", shapes[0].attributes[0][1])[0])
    start, end = (int(number) for number in re.findall(r"M(-?\d+) \d+H(-?\d+)", shapes[1].attributes[0][1])[0])
    assert (start > zero or end < zero) == (low > 0 or high < 0)
    assert scale.low <= min(low, 0) + 1e-9 and max(high, 0) - 1e-9 <= scale.high


def test_ten_thousand_points_are_one_path_that_keeps_every_peak() -> None:
    values = [(index * 7919) % 1000 for index in range(10_000)]
    values[4321], values[8765] = 5000, 0
    chart = time_chart(list(values))
    lines = [shape for shape in chart.plot.shapes if shape.look == "line"]
    assert len(lines) == 1
    points = drawn_line(chart, "line")
    assert len(points) <= 4 * drawing.PIXELS
    assert (drawing.across(4321, 10_000), 0) in points
    assert points == sorted(points)
    assert len(gzip.compress(lines[0].attributes[0][1].encode())) < 12_000


def test_a_chart_of_1000_points_is_drawn_with_15_calls_a_point_and_has_2_kb_compressed() -> None:
    values: list[int | None] = [1200 + int(300 * ((index % 7) / 7)) + index % 11 for index in range(1000)]
    chart = time_chart(values)
    assert len(gzip.compress(on_page(chart.plot.shapes).encode(), 9)) <= 2_000
    assert count_calls(lambda: on_page(time_chart(values).plot.shapes)) <= 15 * len(values)


def test_a_long_table_twin_is_thinned_and_its_file_is_whole() -> None:
    chart = time_chart(list(range(5000)))
    assert len(file_rows(chart)) == 5000
    assert len(table_rows(chart)) <= TWIN_ROWS
    assert chart.every == 5


def test_what_happened_together_is_read_together_and_turns_inwards_past_the_middle() -> None:
    chart = time_chart([1, 2, 3, 4, 5])
    chart = TimeChart(
        **{**chart.__dict__, "marks": (Mark(4, "test started"), Mark(1, "link made"), Mark(4, "name changed"))}
    )
    assert [(flag.text, flag.before) for flag in chart.plot.flags] == [
        ("link made", False),
        ("test started, name changed", True),
    ]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([0, 0, 0], "0 events in this period."),
        ([1], "1 event in this period."),
        ([2, 2], "4 events in this period."),
        ([1, 3], "4 events in this period. Most on Day 1 (3), least on Day 0 (1)."),
    ],
)
def test_short_and_flat_series_have_plain_sentences(values: list[int | None], sentence: str) -> None:
    chart = time_chart(values)
    assert chart.sentence() == sentence
    parsed(chart.svg())


@given(st.floats(0, 1e12), st.booleans())
def test_ticks_start_at_zero_reach_the_highest_and_are_three_to_six_lines_or_so(highest: float, whole: bool) -> None:
    found = plot.ticks(highest, whole=whole)
    assert found[0] == 0 and found[-1] >= highest * (1 - 1e-9) - plot.NOTHING and 2 <= len(found) <= 7
    if whole:
        assert all(float(tick).is_integer() for tick in found)
    if highest > 6:
        assert found[-1] <= highest * 2.1


@given(st.integers(1, 5000))
def test_labels_stand_at_equal_steps_from_the_first_to_the_last_point(count: int) -> None:
    found = plot.list_labelled(count)
    assert found[0] == 0 and found[-1] == count - 1 and len(found) <= 8
    assert len(set(found)) == len(found)


@given(st.floats(-1e12, 1e12, allow_nan=False), st.sampled_from(["en", "pt-br", "es"]))
@settings(max_examples=60)
def test_numbers_are_written_as_babel_writes_them(value: float, language: str) -> None:
    value = round(value, 1)
    with translation.override(language):
        assert figures.count(value, 1) == formats.number(value, 1)


def test_sparklines_need_two_points_and_have_zero_as_their_floor() -> None:
    assert build_sparkline([5]) == ""
    assert 'd="M0 1000l10000-1000"' in build_sparkline([5, 10])


def test_a_legend_of_many_names_goes_on_in_the_next_line_and_is_never_cut() -> None:
    names = [f"Lesson {n}. What altitude does to a bean" for n in range(8)]
    chart = CurvesChart(
        "videos", "T", "", Unit.COUNT, "Day", (Place("a", "a", "a"), Place("b", "b", "b")),
        tuple(Series(name, (1.0, 2.0), place) for place, name in enumerate(names)), "finding", "",
    )  # fmt: skip
    words = {element.text: element for element in parsed(chart.svg()).iter("{http://www.w3.org/2000/svg}text")}
    ends = [float(words[name].get("x", "0")) + 7 * len(name) for name in names]
    assert max(ends) <= 1200 and len({words[name].get("y") for name in names}) > 1
    alone = parsed(time_chart([1, 2, 3]).svg())
    assert float(parsed(chart.svg()).get("height", "0")) > float(alone.get("height", "0"))


@pytest.mark.parametrize("value", ["12.5", 'a "b" & <c>', "it's", "two\nlines"])
def test_an_attribute_of_a_drawing_is_what_was_put_in_whatever_it_holds(value: str) -> None:
    (drawn,) = parsed(f"<svg>{on_page([Shape('circle', 'world__bubble', (('data-at', value),))])}</svg>")
    assert drawn.attrib == {"class": "world__bubble", "data-at": value}
