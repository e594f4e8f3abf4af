"""Lines and areas as SVG path data: whole numbers, relative steps, and never more points than pixels can show."""

from collections.abc import Sequence
from typing import Final

WIDTH: Final = 10_000
HEIGHT: Final = 2_000
"""The drawing is 1000 by 200 units, counted in tenths so that every coordinate is a whole number."""

PIXELS: Final = 1_000
"""Wider than a chart is ever drawn: what is reduced to this many columns looks the same."""

Vertex = tuple[int, int]


def across(index: int, count: int) -> int:
    """The horizontal place of a point among `count`: first at the start, last at the end, a single one in the middle."""
    return WIDTH // 2 if count < 2 else round(index * WIDTH / (count - 1))


def down(value: float, top: float) -> int:
    """The vertical place of a value: zero at the bottom, `top` at the upper edge."""
    return round(HEIGHT - value / top * HEIGHT) if top else HEIGHT


def places(count: int) -> list[int]:
    """The horizontal places of `count` points at equal distances."""
    return [across(index, count) for index in range(count)]


def runs(values: Sequence[float | None], top: float, xs: Sequence[int]) -> list[list[Vertex]]:
    """The unbroken stretches of a series as vertices; `xs` are the horizontal places of its values."""
    factor = HEIGHT / top if top else 0.0
    runs: list[list[Vertex]] = []
    current: list[Vertex] = []
    for x, value in zip(xs, values, strict=True):
        if value is None:
            if current:
                runs.append(current)
                current = []
        else:
            current.append((x, round(HEIGHT - value * factor)))
    if current:
        runs.append(current)
    return [thinned(run) for run in runs]


def thinned(run: list[Vertex]) -> list[Vertex]:
    """The same line for the eye: per pixel column the first, the lowest, the highest and the last vertex, in order."""
    if len(run) <= 2 * PIXELS:
        return run
    vertices: list[Vertex] = []
    column: list[Vertex] = []
    at = -1
    for vertex in run:
        pixel = vertex[0] * PIXELS // (WIDTH + 1)
        if pixel != at and column:
            _add_column(vertices, column)
            column = []
        at = pixel
        column.append(vertex)
    _add_column(vertices, column)
    return vertices


def _add_column(vertices: list[Vertex], column: list[Vertex]) -> None:
    """Appends the vertices of one pixel column that can be seen."""
    if len(column) <= 2:
        vertices += column
        return
    low = min(range(len(column)), key=lambda index: column[index][1])
    high = max(range(len(column)), key=lambda index: column[index][1])
    ends = sorted({0, low, high, len(column) - 1})
    vertices += [column[index] for index in ends]


def line(stretches: Sequence[Sequence[Vertex]]) -> str:
    """Path data of a line, one stretch after the other. A stretch of one point becomes a dot."""
    return "".join(_stretch(stretch, "h0") for stretch in stretches)


def area(stretches: Sequence[Sequence[Vertex]]) -> str:
    """Path data of what lies between a line and zero. Single points have no area."""
    return "".join(f"{_stretch(stretch, '')}V{HEIGHT}H{stretch[0][0]}Z" for stretch in stretches if len(stretch) > 1)


def band(upper: Sequence[Vertex], lower: Sequence[Vertex]) -> str:
    """Path data of the area between two lines over the same points."""
    if len(upper) < 2:
        return ""
    back = list(reversed(lower))
    first = back[0]
    return f"{_stretch(upper, '')}L{first[0]} {first[1]}{_steps(back)}Z"


def _stretch(stretch: Sequence[Vertex], dot: str) -> str:
    first = stretch[0]
    return f"M{first[0]} {first[1]}{_steps(stretch) or dot}"


def _steps(stretch: Sequence[Vertex]) -> str:
    """The relative steps between vertices: `l370 136 371-86`, a minus sign standing for the space."""
    parts: list[str] = []
    x, y = stretch[0]
    for next_x, next_y in stretch[1:]:
        step_y = next_y - y
        parts.append(f"{next_x - x}{'' if step_y < 0 else ' '}{step_y}")
        x, y = next_x, next_y
    if not parts:
        return ""
    return "l" + " ".join(parts)
