"""Drawings in words, for who cannot see them: “Arrow, from the centre down, yellow”.

The same phrases go to the browser, which says them while somebody draws (`js/review_portal/shape_words.js`).
"""

import math
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from review_portal.drawings import GRID, Shape, Sketch


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
