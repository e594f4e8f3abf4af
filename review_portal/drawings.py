"""Drawings on a frame: shapes in coordinates of the picture, so that they fit it at any size.

A drawing comes as JSON: `{"size": [1920, 1080], "shapes": [{"kind": "arrow", "colour": "yellow", "points": [x, y, x, y]}]}`.
`size` is the picture's, for its proportions. Coordinates are whole numbers from 0 to `GRID`, from the upper left corner: an
arrow and a box have two points, a number one, a pen line at least two. Nothing else is taken.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

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
