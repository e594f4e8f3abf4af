"""Drawings on a frame: shapes in coordinates of the picture, so that they fit it at any size.

A drawing comes as JSON: `{"size": [1920, 1080], "shapes": [{"kind": "arrow", "colour": "yellow", "points": [x, y, x,
y]}]}`. `size` is the picture's, for its proportions. Coordinates are whole numbers from 0 to `GRID`, from the upper left
corner: an arrow and a box have two points, a number one, a pen line at least two. Nothing else is taken.

They are drawn here as SVG, and said in words for who cannot see them: “Arrow, from the centre down, yellow”. Browsers draw
and say the same while somebody draws (`js/review_portal/shapes.js`).
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

GRID: Final = 10_000
SHAPES_MOST: Final = 40
PEN_POINTS_MOST: Final = 400
CHARACTERS_MOST: Final = 60_000
"""Of the JSON: more than the other bounds leave room for."""
SIZE_MOST: Final = 20_000
PROPORTION_MOST: Final = 10
COLOURS: Final = ("white", "yellow", "red", "green", "blue")
POINTS: Final = {"pen": (2, PEN_POINTS_MOST), "arrow": (2, 2), "rect": (2, 2), "ellipse": (2, 2), "number": (1, 1)}
"""By kind, how many points it has at least and at most."""
_ADDRESS_END: Final = r"\s*https?://\S+/d/%s$"


class BadDrawing(ValueError):
    """What came is no drawing. `too_large`: it would be one if it were smaller."""

    def __init__(self, *, too_large: bool = False) -> None:
        super().__init__("too large" if too_large else "no drawing")
        self.too_large = too_large


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape; `points` are x and y by turns."""

    kind: str
    colour: str
    points: tuple[int, ...]

    def to_kept(self) -> dict[str, Any]:
        return {"kind": self.kind, "colour": self.colour, "points": list(self.points)}


@dataclass(frozen=True, slots=True)
class Sketch:
    """The shapes, in the order in which they were drawn, over a picture of `width` to `height`."""

    width: int
    height: int
    shapes: tuple[Shape, ...]

    def to_kept(self) -> dict[str, Any]:
        """As it came, and as it is stored and exported."""
        return {"size": [self.width, self.height], "shapes": [shape.to_kept() for shape in self.shapes]}

    @classmethod
    def from_kept(cls, fields: Mapping[str, Any]) -> Self:
        """From what `to_kept` gave. What was never stored so raises `BadDrawing`."""
        if set(fields) != {"size", "shapes"} or not isinstance(fields["shapes"], list):
            raise BadDrawing
        size = _parse_numbers(fields["size"], 1, SIZE_MOST)
        if len(size) != 2 or max(size) > PROPORTION_MOST * min(size) or not fields["shapes"]:
            raise BadDrawing
        if len(fields["shapes"]) > SHAPES_MOST:
            raise BadDrawing(too_large=True)
        return cls(size[0], size[1], tuple(map(_parse_shape, fields["shapes"])))


def parse_sketch(typed: str) -> Sketch:
    """The drawing that a form brings. Raises `BadDrawing`."""
    if len(typed) > CHARACTERS_MOST:
        raise BadDrawing(too_large=True)
    try:
        fields = json.loads(typed)
    except (ValueError, RecursionError) as error:
        raise BadDrawing from error
    if not isinstance(fields, dict):
        raise BadDrawing
    return Sketch.from_kept(fields)


def _parse_shape(fields: Any) -> Shape:
    if not isinstance(fields, dict) or set(fields) != {"kind", "colour", "points"}:
        raise BadDrawing
    kind, colour = fields["kind"], fields["colour"]
    if not isinstance(kind, str) or kind not in POINTS or colour not in COLOURS:
        raise BadDrawing
    points = _parse_numbers(fields["points"], 0, GRID)
    least, most = POINTS[kind]
    if kind == "pen" and len(points) > 2 * most:
        raise BadDrawing(too_large=True)
    if len(points) % 2 or not least <= len(points) // 2 <= most:
        raise BadDrawing
    return Shape(kind, colour, points)


def _parse_numbers(values: Any, least: int, most: int) -> tuple[int, ...]:
    if not isinstance(values, list) or not all(type(value) is int and least <= value <= most for value in values):
        raise BadDrawing
    return tuple(values)


def strip_address(text: str, short: str) -> str:
    """A comment's words without the address of its drawing at their end, which the platform's own page needs."""
    return re.sub(_ADDRESS_END % re.escape(short), "", text) if short in text else text


def build_phrases() -> dict[str, Any]:
    """Sentences by kind of shape, and what fills their places. Places go by rows, directions clockwise from the right."""
    return {
        "pen": _("Pen line, {place}, {colour}"),
        "arrow": _("Arrow, {start} {direction}, {colour}"),
        "rect": _("Rectangle, {place}, {width}% wide, {height}% high, {colour}"),
        "ellipse": _("Ellipse, {place}, {width}% wide, {height}% high, {colour}"),
        "number": _("Number {n}, {place}, {colour}"),
        "places": _list_places(),
        "starts": _list_starts(),
        "directions": _list_directions(),
        "colours": {
            "white": pgettext("colour of a drawing", "white"),
            "yellow": pgettext("colour of a drawing", "yellow"),
            "red": pgettext("colour of a drawing", "red"),
            "green": pgettext("colour of a drawing", "green"),
            "blue": pgettext("colour of a drawing", "blue"),
        },
    }


def _list_places() -> list[str]:
    return [
        _("in the upper left"), _("at the top"), _("in the upper right"),
        _("on the left"), _("in the centre"), _("on the right"),
        _("in the lower left"), _("at the bottom"), _("in the lower right"),
    ]  # fmt: skip


def _list_starts() -> list[str]:
    return [
        _("from the upper left"), _("from the top"), _("from the upper right"),
        _("from the left"), _("from the centre"), _("from the right"),
        _("from the lower left"), _("from the bottom"), _("from the lower right"),
    ]  # fmt: skip


def _list_directions() -> list[str]:
    return [
        pgettext("direction of an arrow", "to the right"), pgettext("direction of an arrow", "down to the right"),
        pgettext("direction of an arrow", "down"), pgettext("direction of an arrow", "down to the left"),
        pgettext("direction of an arrow", "to the left"), pgettext("direction of an arrow", "up to the left"),
        pgettext("direction of an arrow", "up"), pgettext("direction of an arrow", "up to the right"),
    ]  # fmt: skip


def describe_shapes(sketch: Sketch) -> list[str]:
    """Each shape in words. Numbers count themselves."""
    phrases, number, sentences = build_phrases(), 0, []
    for shape in sketch.shapes:
        number += shape.kind == "number"
        sentences.append(_describe(shape, number, phrases, sketch))
    return sentences


def describe_sketch(sketch: Sketch) -> str:
    """The whole drawing in one line: the name of its still."""
    return _("Drawing: {shapes}").format(shapes="; ".join(describe_shapes(sketch)))


def _describe(shape: Shape, number: int, phrases: dict[str, Any], sketch: Sketch) -> str:
    xs, ys = shape.points[::2], shape.points[1::2]
    values = {
        "place": phrases["places"][_find_ninth((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)],
        "start": phrases["starts"][_find_ninth(xs[0], ys[0])],
        "direction": phrases["directions"][_find_direction(xs[-1] - xs[0], ys[-1] - ys[0], sketch)],
        "width": _percent(max(xs) - min(xs)),
        "height": _percent(max(ys) - min(ys)),
        "n": number,
        "colour": phrases["colours"][shape.colour],
    }
    return str(phrases[shape.kind]).format(**values)


def _find_ninth(x: int, y: int) -> int:
    """Which of nine fields of the picture, by rows."""
    return min(2, y * 3 // GRID) * 3 + min(2, x * 3 // GRID)


def _find_direction(across: int, down: int, sketch: Sketch) -> int:
    """Which of eight directions as people see it, clockwise from the right."""
    angle = math.atan2(down * sketch.height, across * sketch.width)
    return math.floor(angle / (math.pi / 4) + 0.5) % 8


def _percent(length: int) -> int:
    return (length * 100 + GRID // 2) // GRID


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
