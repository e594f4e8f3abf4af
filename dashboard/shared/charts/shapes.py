"""What a drawing is made of, in two skins: classes on the page, plain attributes in a file of its own."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from django.utils.safestring import SafeString, mark_safe


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
