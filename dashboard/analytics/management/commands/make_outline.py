"""Makes the land outline of the map of cities: `uv run manage.py make_outline`.

The shapes are Natural Earth's 1:110 million land, which is in the public domain, as the npm package `world-atlas`
carries them. The package is fetched by its name with the ordinary npm client, or read from a folder where it is
installed (`--package`). Antarctica and specks are left out, coordinates become whole numbers and steps relative, and the
result is committed: the product itself never needs npm.
"""

import gzip
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.shared.charts.bubbles import MAP_HEIGHT, MAP_WIDTH, SOUTH, x_of, y_of

PACKAGE: Final = "world-atlas@2"
MEMBER: Final = "land-110m.json"
TARGET: Final = Path("static/img/world.svg")
SPECK: Final = 14
"""Islands smaller than this many square units would be a dot nobody sees."""

FLAT: Final = 3.5
"""Corners of less than this many square units are left out: less than a pixel on a wide screen."""

MOST_BYTES: Final = 6_000
SOURCE: Final = "Land: Natural Earth, 1:110 million, public domain. Made by manage.py make_outline."

Ring = list[tuple[int, int]]
Degrees = list[tuple[float, float]]


class Command(BaseCommand):
    help = "Makes static/img/world.svg from the land outlines of Natural Earth."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--package", type=Path, help="folder of an installed world-atlas, instead of fetching it")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path | None = options["package"]
        topology = json.loads((folder / MEMBER).read_text() if folder else fetched())
        drawing = drawn(topology)
        size = len(gzip.compress(drawing.encode(), 9))
        if size > MOST_BYTES:
            raise CommandError(f"{size} bytes compressed are more than the {MOST_BYTES} the map may cost")
        (settings.BASE_DIR / TARGET).write_text(drawing)
        self.stdout.write(f"{TARGET}: {len(drawing)} bytes, {size} compressed")


def fetched() -> str:
    """The file out of the package, as the npm client brings it."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", PACKAGE, "--silent", "--pack-destination", folder]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (fixed words)
        except (OSError, subprocess.CalledProcessError) as error:
            raise CommandError(f"npm could not fetch {PACKAGE}: {error}") from error
        archive = next(Path(folder).glob("*.tgz"))
        with tarfile.open(archive) as package:
            member = package.extractfile(f"package/{MEMBER}")
            if member is None:
                raise CommandError(f"{PACKAGE} holds no {MEMBER}")
            return member.read().decode()


def drawn(topology: dict[str, Any]) -> str:
    """The outline as a small SVG file whose symbol the pages use."""
    rings = sorted(kept_rings(topology), key=lambda ring: -abs(area(ring)))
    data = "".join(path(ring) for ring in rings)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {MAP_WIDTH} {MAP_HEIGHT}"><!-- {SOURCE} -->'
        f'<path id="land" d="{data}"/></svg>\n'
    )


def kept_rings(topology: dict[str, Any]) -> Iterator[Ring]:
    """The outer and inner rings of the land that are worth drawing, in units of the map."""
    arcs = decoded(topology)
    for geometry in topology["objects"]["land"]["geometries"]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        for ring in (ring for polygon in polygons for ring in polygon):
            degrees = [point for index in ring for point in one_way(arcs, index)]
            if max(latitude for _, latitude in degrees) < SOUTH:
                continue
            for part in within_the_map(degrees):
                units = snapped(part)
                if len(units) > 3 and abs(area(units)) >= SPECK:
                    yield units


def within_the_map(ring: Degrees) -> Iterator[Degrees]:
    """A ring as it lies on the map: one that crosses the date line comes back as a part at either edge."""
    unrolled = [ring[0]]
    for longitude, latitude in ring[1:]:
        turns = round((unrolled[-1][0] - longitude) / 360)
        unrolled.append((longitude + 360 * turns, latitude))
    for turn in (-360, 0, 360):
        moved = [(longitude + turn, latitude) for longitude, latitude in unrolled]
        if part := clipped(clipped(moved, 180, keep_below=True), -180, keep_below=False):
            yield part


def clipped(ring: Degrees, edge: float, *, keep_below: bool) -> Degrees:
    """The part of a ring on one side of a meridian."""
    points: Degrees = []
    for before, at in zip([ring[-1], *ring[:-1]] if ring else [], ring, strict=True):
        inside, was_inside = (at[0] <= edge) == keep_below, (before[0] <= edge) == keep_below
        if inside != was_inside:
            part = (edge - before[0]) / (at[0] - before[0])
            points.append((edge, before[1] + part * (at[1] - before[1])))
        if inside:
            points.append(at)
    return points


def decoded(topology: dict[str, Any]) -> list[Degrees]:
    """TopoJSON's arcs are running sums of whole steps."""
    (scale_x, scale_y), (left, top) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for steps in topology["arcs"]:
        x = y = 0
        arc = []
        for step_x, step_y in steps:
            x, y = x + step_x, y + step_y
            arc.append((x * scale_x + left, y * scale_y + top))
        arcs.append(arc)
    return arcs


def one_way(arcs: list[Degrees], index: int) -> Degrees:
    """An arc without its last point, which the next arc begins with; a negative index means backwards."""
    arc = arcs[index] if index >= 0 else arcs[~index][::-1]
    return arc[:-1]


def snapped(degrees: Degrees) -> Ring:
    """Whole units, without the corners whose triangle with their neighbours is too small to be seen."""
    units: Ring = []
    for longitude, latitude in degrees:
        point = (round(x_of(longitude)), round(y_of(latitude)))
        if not units or units[-1] != point:
            units.append(point)
    while len(units) > 3:
        corners = [corner(units[index - 1], at, units[(index + 1) % len(units)]) for index, at in enumerate(units)]
        flattest = min(range(len(units)), key=corners.__getitem__)
        if corners[flattest] >= FLAT:
            break
        del units[flattest]
    return units


def corner(before: tuple[int, int], at: tuple[int, int], after: tuple[int, int]) -> float:
    """The area of the triangle that a corner stands on."""
    return abs((at[0] - before[0]) * (after[1] - before[1]) - (at[1] - before[1]) * (after[0] - before[0])) / 2


def area(ring: Ring) -> float:
    """The signed area of a ring."""
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def path(ring: Ring) -> str:
    """A closed ring in relative steps, a minus sign standing for the space."""
    (x, y), *rest = ring
    steps = []
    for next_x, next_y in rest:
        steps.append(f"{next_x - x}{'' if next_y < y else ' '}{next_y - y}")
        x, y = next_x, next_y
    return f"M{ring[0][0]} {ring[0][1]}l{' '.join(steps)}z".replace(" -", "-")
