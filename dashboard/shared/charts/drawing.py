"""What a drawing is made of: lines and areas as path data, and shapes in two skins.

Path data has whole numbers, relative steps, and never more points than pixels can show. Shapes have classes on the page and
plain attributes in a file of its own.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString, mark_safe

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


class Shape(NamedTuple):
    """One SVG element. `look` is its class on the page, and the key of its attributes in a file."""

    tag: str
    look: str
    attributes: tuple[tuple[str, str], ...]
    title: str = ""


# The light theme's tokens in sRGB: a file leaves the product and cannot ask its stylesheets.
INK: Final = "#10222a"
INK_2: Final = "#3d4c53"
INK_3: Final = "#55636a"
LINE: Final = "#dbe1e2"
EDGE: Final = "#808d93"
SERIES: Final = ("#00707e", "#97437e", "#8a5a00", "#4b5fb5", "#3f7d3a", "#7a4a2e", "#00707e", "#97437e")
PAST: Final = "#768288"
TRACK: Final = "#e8eced"
LAND: Final = "#dde3e5"
PAPER: Final = "#ffffff"

_STROKE: Final = {"fill": "none", "vector-effect": "non-scaling-stroke"}
_LINE: Final = {**_STROKE, "stroke-width": "2", "stroke-linejoin": "round", "stroke-linecap": "round"}
_DASHES: Final = ("", "7 3", "2 4", "10 3 2 3", "1 3", "12 4", "4 2 1 2", "16 3 3 3")


def series_looks(index: int) -> tuple[str, str]:
    """The classes of the line and the area of the series at `index`; after eight they begin again."""
    index %= len(SERIES)
    return ("line", "area") if index == 0 else (f"line line--{index + 1}", f"area area--{index + 1}")


def _in_file() -> dict[str, dict[str, str]]:
    looks: dict[str, dict[str, str]] = {
        "chart__grid": {**_STROKE, "stroke": LINE, "stroke-width": "1"},
        "chart__zero": {**_STROKE, "stroke": EDGE, "stroke-width": "1"},
        "line line--past": {**_LINE, "stroke": PAST, "stroke-width": "1.5", "stroke-dasharray": "3 4"},
        "mark-line": {**_STROKE, "stroke": INK_3, "stroke-width": "1", "stroke-dasharray": "2 3"},
        "unfinished": {"fill": INK_3, "fill-opacity": "0.12"},
        "chart__gap": {"fill": INK_3, "fill-opacity": "0.12"},
        "hatch__line": {**_STROKE, "stroke": INK_3, "stroke-width": "1", "stroke-opacity": "0.45"},
        "bar__track": {"fill": TRACK},
        "bar__value": {"fill": SERIES[0]},
        "bar__past": {**_STROKE, "stroke": INK, "stroke-width": "2"},
        "interval__zero": {**_STROKE, "stroke": INK_3, "stroke-width": "1", "stroke-dasharray": "3 3"},
        "interval__point": {**_STROKE, "stroke": INK, "stroke-width": "3"},
        "world__land": {"fill": LAND, "stroke": PAPER, "stroke-width": "1"},
        "world__bubble": {"fill": SERIES[0], "fill-opacity": "0.35", "stroke": SERIES[0], "stroke-width": "1.2"},
    }
    for index, colour in enumerate(SERIES):
        line, area = series_looks(index)
        looks[line] = {**_LINE, "stroke": colour, **({"stroke-dasharray": _DASHES[index]} if index else {})}
        looks[f"{line} line--today"] = {**_LINE, "stroke": colour, "stroke-dasharray": "2 5"}
        looks[area] = {"fill": colour, "fill-opacity": "0.1"}
        looks[f"{area} area--band"] = {"fill": colour, "fill-opacity": "0.16"}
        looks[f"interval__wide series-{index + 1}"] = {
            **_STROKE,
            "stroke": colour,
            "stroke-width": "8",
            "stroke-opacity": "0.45",
        }
        looks[f"interval__narrow series-{index + 1}"] = {**_STROKE, "stroke": colour, "stroke-width": "3"}
    return looks


FILE_LOOKS: Final = _in_file()


def on_page(shapes: Sequence[Shape]) -> SafeString:
    """The shapes with classes, for a drawing inside a page."""
    return mark_safe("".join(_element(shape, f' class="{shape.look}"') for shape in shapes))  # noqa: S308  (escaped)


def in_file(shapes: Sequence[Shape]) -> str:
    """The shapes with every attribute they need, for a file that stands alone."""
    return "".join(_element(shape, _format_look(shape.look)) for shape in shapes)


@cache
def _format_look(look: str) -> str:
    return "".join(f' {name}="{value}"' for name, value in FILE_LOOKS[look].items())


def _element(shape: Shape, skin: str) -> str:
    attributes = "".join([f" {name}={_quoted(value)}" for name, value in shape.attributes])
    if shape.title:
        return f"<{shape.tag}{skin}{attributes}><title>{escaped(shape.title)}</title></{shape.tag}>"
    return f"<{shape.tag}{skin}{attributes}/>"


_MARKUP: Final = re.compile("[&<>\"'\t\n\r]")


def _quoted(value: str) -> str:
    """An attribute's value in quotes. Most are coordinates, and a map has a thousand."""
    return quoteattr(value) if _MARKUP.search(value) else f'"{value}"'


_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(words: str) -> str:
    """Words as XML takes them: markup escaped, characters that XML cannot hold left out."""
    return escape(_NOT_XML.sub("", words))


def path(look: str, data: str) -> Shape:
    return Shape("path", look, (("d", data),))


def rect(look: str, x: float, y: float, width: float, height: float) -> Shape:
    numbers = (("x", x), ("y", y), ("width", width), ("height", height))
    return Shape(
        "rect", look, tuple((name, plain(value)) for name, value in numbers if value or name in {"width", "height"})
    )


def plain(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def build_sparkline(values: Sequence[float | None]) -> SafeString:
    """The content of an SVG with the view box of a plot. Empty below two known values: a dot has no shape."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return SafeString("")
    # Zero is the floor: a sparkline that starts at its minimum turns noise into drama.
    stretches = runs(values, max(known) or 1, places(len(values)))
    return on_page([path("line", line(stretches))])
