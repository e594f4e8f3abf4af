"""Axes, lines, bands and marks, laid out once for the page and for the file."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from dashboard.shared.charts import drawing
from dashboard.shared.charts.drawing import Shape, path, series_looks
from dashboard.shared.charts.figures import Unit, axis

ROUND: Final = (1, 2, 2.5, 5, 10)
NOTHING: Final = 1e-6
"""Less than this is zero: no unit of ours can show it."""

LINES: Final = (5, 4, 6, 3)
"""How many steps to prefer, best first."""


def ticks(highest: float, *, whole: bool) -> tuple[float, ...]:
    """Values from zero to a round top that is not below `highest`. `whole`: people cannot be halved."""
    if highest <= NOTHING:
        return (0.0, 1.0)
    best: tuple[float, int, float] | None = None
    for rank, lines in enumerate(LINES):
        step = _round_up(highest / lines)
        if whole:
            step = max(1.0, float(ceil(step)))
        waste = step * ceil(highest / step - 1e-9) / highest
        count = max(1, ceil(highest / step - 1e-9))
        if count > max(LINES) or (count < min(LINES) and not whole):
            continue
        offer = (round(waste, 3), rank, step)
        best = min(best, offer) if best else offer
    step = best[2] if best else max(1.0, _round_up(highest / 4))
    return tuple(round(step * index, 10) for index in range(ceil(highest / step - 1e-9) + 1))


def _round_up(value: float) -> float:
    power = 10.0 ** floor(log10(value))
    return next(digit * power for digit in ROUND if digit * power >= value * (1 - 1e-9))


def list_labelled(count: int, most: int = 6) -> tuple[int, ...]:
    """Which of `count` points carry a label: equal steps from the first on, and the last where there is room for it."""
    if count <= 1:
        return (0,) * count
    step = ceil((count - 1) / most)
    list_labelled = list(range(0, count, step))
    if list_labelled[-1] != count - 1:
        if count - 1 - list_labelled[-1] < step * 0.6 and len(list_labelled) > 1:
            list_labelled.pop()
        list_labelled.append(count - 1)
    return tuple(list_labelled)


NICE_SECONDS: Final = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600)


def second_step(length: float, most: int = 6) -> int:
    """A step in seconds that people count by, so that a film of `length` seconds has at most `most` of them."""
    return next((step for step in NICE_SECONDS if length / step <= most), max(1, ceil(length / most / 3600)) * 3600)


PAST = -1
"""The place of the series that is compared with: drawn first, in grey."""

HATCH_STEP = 110
HATCH_SLOPE = 0.75


@dataclass(frozen=True)
class Series:
    """One line. `place` counts from 0 and decides colour and dash; PAST is the comparison. Low and high make a band."""

    name: str
    values: tuple[float | None, ...]
    place: int = 0
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Mark:
    """Something that happened at a point: its index, and in words what."""

    index: int
    text: str


@dataclass(frozen=True)
class Tick:
    """A word at a place of an axis, in percent of its length."""

    at: str
    text: str


@dataclass(frozen=True)
class Flag:
    """The word of a mark; it stands before its line in the second half, so that it never leaves the chart."""

    at: str
    text: str
    before: bool


@dataclass(frozen=True)
class Key:
    """One entry of the legend. `kind` is "line", "hatch" or "gap"."""

    look: str
    text: str
    kind: str = "line"


@dataclass(frozen=True)
class Plot:
    """A drawing and the words around it. `y` runs from the top down."""

    shapes: tuple[Shape, ...]
    y: tuple[str, ...]
    x: tuple[Tick, ...]
    flags: tuple[Flag, ...]
    legend: tuple[Key, ...]


def build_plot(
    series: Sequence[Series],
    labels: Sequence[str],
    unit: Unit,
    *,
    marks: Sequence[Mark] = (),
    unfinished: int | None = None,
    unfinished_text: str = "",
    missing: Sequence[int] = (),
    missing_text: str = "",
    highest: float | None = None,
    at: Sequence[float] = (),
    x_ticks: Sequence[Tick] = (),
) -> Plot:
    """Lays lines out. `unfinished` is the first point that is not complete; `highest` fixes the top of the scale.

    `missing` are the points without data: they are shaded, so that a gap is not taken for zero.

    Points stand at equal distances, or `at` parts of the width (0 to 1), then with `x_ticks` of their own.
    """
    xs = [round(part * drawing.WIDTH) for part in at] or drawing.places(len(labels))
    top_value = highest if highest is not None else _get_highest(series)
    steps = ticks(top_value, whole=unit is Unit.COUNT)
    top = steps[-1]
    shapes = [_build_grid(len(steps)), path("chart__zero", f"M0 {drawing.HEIGHT}H{drawing.WIDTH}")]
    if unfinished is not None:
        shapes.insert(1, _build_hatch(unfinished, xs))
    if missing:
        shapes.insert(1, path("chart__gap", _build_gaps(missing, xs)))
    for line in series:
        shapes += _build_band(line, top, xs)
    ordered = sorted(series, key=lambda line: line.place != PAST)
    for line in ordered:
        shapes += _build_line(line, top, xs, unfinished, filled=sum(line.place != PAST for line in series) == 1)
    merged = _merge(marks)
    shapes += [path("mark-line", f"M{xs[mark.index]} 0V{drawing.HEIGHT}") for mark in merged]
    legend = [Key(_get_look(line), line.name) for line in sorted(series, key=lambda line: line.place == PAST)]
    if unfinished is not None and unfinished_text:
        legend.append(Key("hatch__line", unfinished_text, "hatch"))
    if missing and missing_text:
        legend.append(Key("chart__gap", missing_text, "gap"))
    step = steps[1] - steps[0]
    return Plot(
        shapes=tuple(shape for shape in shapes if shape.attributes[0][1]),
        y=tuple(axis(value, step, top, unit) for value in reversed(steps)),
        x=tuple(x_ticks) or tuple(Tick(percent_of(xs[index]), labels[index]) for index in list_labelled(len(labels))),
        flags=tuple(Flag(percent_of(xs[mark.index]), mark.text, xs[mark.index] * 2 > drawing.WIDTH) for mark in merged),
        legend=tuple(legend),
    )


def _get_highest(series: Sequence[Series]) -> float:
    values = (value for line in series for values in (line.values, line.high) for value in values if value is not None)
    return max(values, default=0.0)


def _get_look(line: Series) -> str:
    return "line line--past" if line.place == PAST else series_looks(line.place)[0]


def _build_grid(lines: int) -> Shape:
    gap = drawing.HEIGHT / (lines - 1)
    return path("chart__grid", "".join(f"M0 {round(gap * index)}H{drawing.WIDTH}" for index in range(lines - 1)))


def _build_hatch(unfinished: int, xs: Sequence[int]) -> Shape:
    """Slanted lines over what is not complete, from the last complete point to the end."""
    left = xs[max(0, unfinished - 1)] if len(xs) > 1 else 0
    width = drawing.WIDTH - left
    rise = round(width * HATCH_SLOPE)
    parts = []
    for foot in range(HATCH_STEP, drawing.HEIGHT + rise, HATCH_STEP):
        start = max(0.0, (foot - drawing.HEIGHT) / rise)
        end = min(1.0, foot / rise)
        if end > start:
            parts.append(
                f"M{round(left + width * start)} {round(foot - rise * start)}"
                f"l{round(width * (end - start))}-{round(rise * (end - start))}"
            )
    return path("hatch__line", "".join(parts))


def _build_gaps(missing: Sequence[int], xs: Sequence[int]) -> str:
    """One shaded box per stretch of points without data, half a step wider on each side."""
    half = round(drawing.WIDTH / max(len(xs) - 1, 1) / 2)
    parts, start = [], missing[0]
    for index, following in zip(missing, [*missing[1:], -1], strict=True):
        if following != index + 1:
            left, right = max(0, xs[start] - half), min(drawing.WIDTH, xs[index] + half)
            parts.append(f"M{left} 0H{right}V{drawing.HEIGHT}H{left}Z")
            start = following
    return "".join(parts)


def _build_line(line: Series, top: float, xs: Sequence[int], unfinished: int | None, *, filled: bool) -> list[Shape]:
    if line.place == PAST:
        return [path("line line--past", drawing.line(drawing.runs(line.values, top, xs)))]
    look, area_look = series_looks(line.place)
    whole = line.values if unfinished is None else line.values[:unfinished]
    runs = drawing.runs(whole, top, xs[: len(whole)])
    shapes = [path(area_look, drawing.area(runs))] if filled and line.place == 0 and not line.high else []
    shapes.append(path(look, drawing.line(runs)))
    if unfinished is not None:
        start = max(0, unfinished - 1)
        shapes.append(path(f"{look} line--today", drawing.line(drawing.runs(line.values[start:], top, xs[start:]))))
    return shapes


def _build_band(line: Series, top: float, xs: Sequence[int]) -> list[Shape]:
    if not line.high:
        return []
    upper, lower = drawing.runs(line.high, top, xs), drawing.runs(line.low, top, xs)
    return [
        path(f"{series_looks(line.place)[1]} area--band", drawing.band(*pair))
        for pair in zip(upper, lower, strict=True)
    ]


def _merge(marks: Sequence[Mark]) -> list[Mark]:
    """One mark per point; what happened together is read together."""
    words: dict[int, list[str]] = {}
    for mark in sorted(marks, key=lambda mark: mark.index):
        words.setdefault(mark.index, []).append(mark.text)
    return [Mark(index, ", ".join(texts)) for index, texts in words.items()]


def percent_of(x: int) -> str:
    """A horizontal place in percent of the width."""
    return f"{x / drawing.WIDTH * 100:.2f}".rstrip("0").rstrip(".") + "%"
