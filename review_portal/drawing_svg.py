"""Drawings as SVG, drawn here: what `js/review_portal/shape_paths.js` draws in the browser."""

import math
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from review_portal.drawings import GRID, Shape, Sketch

WIDTH: Final = 1600
"""Units of the view's width; its height follows the picture's proportions."""
HEAD: Final = 62
"""Length of an arrow's head, as long as the arrow allows."""
DOT: Final = 34


def get_height(sketch: Sketch) -> int:
    """Units of the view's height."""
    return max(1, math.floor(WIDTH * sketch.height / sketch.width + 0.5))


def render_sketch(sketch: Sketch) -> SafeString:
    """The drawing as an `svg` element without a name: whoever shows it says it in words."""
    height, number, groups = get_height(sketch), 0, []
    for shape in sketch.shapes:
        number += shape.kind == "number"
        groups.append((_render_shape(shape, number, height),))
    shapes = format_html_join("", "{}", groups)
    template = '<svg class="drawing" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>'
    return format_html(template, WIDTH, height, shapes)


def _render_shape(shape: Shape, number: int, height: int) -> SafeString:
    if shape.kind == "number":
        x, y = _place(shape.points, height)[0]
        return format_html(
            '<g class="stroke is-{}"><circle class="stroke__dot" cx="{}" cy="{}" r="{}"/>'
            '<text class="stroke__number" x="{}" y="{}">{}</text></g>',
            shape.colour, x, y, DOT, x, y + 15, number,
        )  # fmt: skip
    path = build_path(shape, height)
    template = '<g class="stroke is-{}"><path class="stroke__halo" d="{}"/><path class="stroke__line" d="{}"/></g>'
    return format_html(template, shape.colour, path, path)


def build_path(shape: Shape, height: int) -> str:
    """The outline of any shape but a number."""
    points = _place(shape.points, height)
    (x1, y1), (x2, y2) = points[0], points[-1]
    if shape.kind == "rect":
        return f"M{x1} {y1}H{x2}V{y2}H{x1}Z"
    if shape.kind == "ellipse":
        rx, ry = abs(x2 - x1) / 2, abs(y2 - y1) / 2
        left, middle = min(x1, x2), (y1 + y2) / 2
        return f"M{left} {middle:g}a{rx:g} {ry:g} 0 1 0 {2 * rx:g} 0a{rx:g} {ry:g} 0 1 0 {-2 * rx:g} 0Z"
    line = "M" + "L".join(f"{x} {y}" for x, y in points)
    return line + _build_head(x1, y1, x2, y2) if shape.kind == "arrow" else line


def _build_head(x1: int, y1: int, x2: int, y2: int) -> str:
    """Two strokes back from the tip, half a right angle from the line each."""
    length = min(HEAD, math.hypot(x2 - x1, y2 - y1))
    back = math.atan2(y1 - y2, x1 - x2)
    (ax, ay), (bx, by) = (
        (_whole(x2 + length * math.cos(back + turn)), _whole(y2 + length * math.sin(back + turn)))
        for turn in (math.pi / 4, -math.pi / 4)
    )
    return f"M{ax} {ay}L{x2} {y2}L{bx} {by}"


def _place(points: tuple[int, ...], height: int) -> list[tuple[int, int]]:
    pairs = zip(points[::2], points[1::2], strict=True)
    return [(_whole(x * WIDTH / GRID), _whole(y * height / GRID)) for x, y in pairs]


def _whole(value: float) -> int:
    """Rounded as JavaScript rounds."""
    return math.floor(value + 0.5)
