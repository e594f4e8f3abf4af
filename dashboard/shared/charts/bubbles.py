"""A map with a bubble per city, its area by the number it stands for, always beside its table.

The projection is equidistant and true at 28.5 degrees north and south.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

from django.conf import settings
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.shared.charts.drawing import Shape, in_file, on_page, path, plain
from dashboard.shared.charts.figures import Numbers, count, format_value, get_numbers
from dashboard.shared.charts.lines import Measure
from dashboard.shared.charts.prepared import EDGE_SPACE, WIDTH, Cell, Chart, Column, Raw, Words, sheet

NORTH: Final = 84.0
SOUTH: Final = -57.0
ACROSS: Final = 5.6
"""Units per degree of longitude."""

DOWN: Final = ACROSS / 0.8788
"""Units per degree of latitude: stretched by 1/cos(28.5°), so that the middle latitudes keep their shape."""

MAP_WIDTH: Final = round(360 * ACROSS)
MAP_HEIGHT: Final = round((NORTH - SOUTH) * DOWN)


def x_of(longitude: float) -> float:
    return (longitude + 180) * ACROSS


def y_of(latitude: float) -> float:
    return (NORTH - max(SOUTH, min(NORTH, latitude))) * DOWN


DRAWN = 300
"""More bubbles than this hide each other; the table and the file have every city."""

LARGEST = 0.031
SMALLEST = 0.0025
"""Radius of the largest and of the smallest bubble, as shares of what the map shows in width."""

CLOSEST = 150.0
"""The map is never narrower than this many units: about 27 degrees, where the outline still looks like a coast."""


CLOSE_RATIO = 0.75
"""Height to width of a map that shows one country: few are as flat as the world."""


class City(NamedTuple):
    """One place and its number. Without coordinates it stands in the table only.

    `key`: its name as the platform gives it, "" where it gives none; it is the same in every language.
    """

    name: str
    region: str
    country: str
    value: float
    past: float | None
    latitude: float | None
    longitude: float | None
    country_code: str = ""
    key: str = ""


@dataclass(frozen=True)
class Box:
    """The part of the map that is shown, in its units."""

    x: float
    y: float
    width: float
    height: float

    @property
    def view(self) -> str:
        return " ".join(plain(value) for value in (self.x, self.y, self.width, self.height))


WORLD = Box(0, 0, MAP_WIDTH, MAP_HEIGHT)


@dataclass(frozen=True)
class BubbleMap(Chart):
    """Cities, largest first. With `close` the map shows their surroundings instead of the world."""

    name: str
    title: str
    note: str
    measure: Measure
    cities: tuple[City, ...]
    compared: bool
    foot: str
    close: bool = False
    limit: int = DRAWN

    @cached_property
    def located(self) -> tuple[City, ...]:
        """The cities that can be drawn, largest first."""
        known = [
            city for city in self.cities if city.latitude is not None and city.longitude is not None and city.value > 0
        ]
        return tuple(known[: self.limit])

    @cached_property
    def box(self) -> Box:
        """What the map shows."""
        if not self.close or not self.located:
            return WORLD
        xs = [x_of(city.longitude or 0) for city in self.located]
        ys = [y_of(city.latitude or 0) for city in self.located]
        width = max((max(xs) - min(xs)) * 1.4, (max(ys) - min(ys)) * 1.4 / CLOSE_RATIO, CLOSEST)
        width = min(width, WORLD.width)
        height = min(width * CLOSE_RATIO, WORLD.height)
        x, y = (max(xs) + min(xs) - width) / 2, (max(ys) + min(ys) - height) / 2
        return Box(_inside(x, width, WORLD.width), _inside(y, height, WORLD.height), width, height)

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """One circle per located city, the large ones below the small ones."""
        top, numbers, width = max((city.value for city in self.located), default=0), get_numbers(), self.box.width
        return tuple(self._bubble(city, top, numbers, width) for city in self.located)

    def _bubble(self, city: City, top: float, numbers: Numbers, width: float) -> Shape:
        radius = max(width * LARGEST * sqrt(city.value / top), width * SMALLEST)
        x, y = x_of(city.longitude or 0), y_of(city.latitude or 0)
        title = f"{city.name}, {numbers.format_value(city.value, self.measure.unit)}"
        return Shape("circle", "world__bubble", (("cx", plain(x)), ("cy", plain(y)), ("r", plain(radius))), title)

    def drawing(self) -> SafeString:
        """The bubbles for the page; the land below them is a file of its own."""
        return on_page(self.shapes)

    def columns(self) -> tuple[Column, ...]:
        measure = str(self.measure.title)
        own = [Column(_("City")), Column(_("Region")), Column(_("Country")), Column(measure, numeric=True)]
        if self.compared:
            own += [
                Column(_("Before"), numeric=True, head=_("%(measure)s, compared") % {"measure": measure}),
                Column(_("Change"), numeric=True),
            ]
        return (*own, Column(_("Latitude"), numeric=True), Column(_("Longitude"), numeric=True))

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return self._rows

    @cached_property
    def _rows(self) -> tuple[tuple[Cell, ...], ...]:
        numbers = get_numbers()
        return tuple(self._row(city, numbers) for city in self.cities)

    def file_rows(self) -> Iterable[Sequence[Raw]]:
        return map(self._raw_row, self.cities)

    def _raw_row(self, city: City) -> list[Raw]:
        past = city.past or 0
        compared = [past, round(city.value / past - 1, 6) if past else None] if self.compared else []
        return [city.name, city.region, city.country, city.value, *compared, city.latitude, city.longitude]

    def _row(self, city: City, numbers: Numbers) -> tuple[Cell, ...]:
        words = [city.name, city.region, city.country, numbers.format_value(city.value, self.measure.unit)]
        if self.compared:
            past = city.past or 0
            words += [numbers.format_value(past, self.measure.unit), numbers.change(city.value, past)]
        words += ["" if degrees is None else f"{degrees:.2f}" for degrees in (city.latitude, city.longitude)]
        return tuple(map(Cell, self._raw_row(city), words))

    def sentence(self) -> str:
        total = sum(city.value for city in self.cities)
        if not self.cities:
            return _("No data for these days.")
        if not total:
            return _("Nothing was counted in these days.")
        first = self.cities[0]
        values = {
            "amount": self.measure.words(total),
            "count": count(len(self.cities)),
            "city": first.name,
            "value": format_value(first.value, self.measure.unit),
        }
        if len(self.cities) == 1:
            return _("%(amount)s, all from %(city)s.") % values
        return _("%(amount)s from %(count)s cities. Most from %(city)s (%(value)s).") % values

    @property
    def hidden(self) -> int:
        """How many cities are in the table and not on the map."""
        return len(self.cities) - len(self.located)

    def svg(self) -> str:
        width = WIDTH - 2 * EDGE_SPACE
        height = width * self.box.height / self.box.width
        land = in_file([path("world__land", land_path())])
        body = (
            f'<svg x="{EDGE_SPACE}" y="12" width="{width}" height="{plain(height)}" viewBox="{self.box.view}">'
            f"{land}{in_file(self.shapes)}</svg>"
        )
        return sheet(Words(self.title, self.note, self.sentence(), self.foot), body, height + 24)


def _inside(start: float, length: float, whole: float) -> float:
    return min(max(0.0, start), whole - length)


@lru_cache(maxsize=1)
def land_path() -> str:
    """The outline's path data, from the file that `manage.py make_outline` made."""
    match = re.search(r' d="([^"]+)"', (settings.BASE_DIR / "static/img/world.svg").read_text())
    return match.group(1) if match else ""
