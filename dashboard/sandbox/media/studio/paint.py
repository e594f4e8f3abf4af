"""Painting with Pillow: gradients, hills, glows and letters, drawn large and scaled down so that edges are smooth.

A `Layer` is a picture with an alpha channel that a scene lays over its background at fractions of a pixel: at 15
pictures a second, whole-pixel steps of a slow pan would be seen as a tremble.
"""

import math
import random
from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFont

WIDTH, HEIGHT = 640, 360
SIZE = (WIDTH, HEIGHT)
SMOOTH = 3  # shapes are drawn this many times larger, then reduced

Point = tuple[float, float]
Stop = tuple[float, str]


def rgb(colour: str) -> tuple[int, int, int]:
    """`#rrggbb` as three numbers from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, other: str, share: float) -> str:
    """The colour `share` of the way from one to the other."""
    pairs = zip(rgb(first), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def gradient(size: tuple[int, int], stops: Sequence[Stop]) -> Image.Image:
    """A vertical gradient through `stops`, each a height from 0 (top) to 1 and a colour."""
    column = Image.new("RGB", (1, size[1]))
    for y in range(size[1]):
        at = y / max(1, size[1] - 1)
        below = next((n for n, stop in enumerate(stops) if stop[0] >= at), len(stops) - 1)
        low, high = stops[max(0, below - 1)], stops[below]
        span = high[0] - low[0]
        column.putpixel((0, y), rgb(mix(low[1], high[1], (at - low[0]) / span if span else 1)))
    return column.resize(size)


def ridge(width: int, base: float, height: float, seed: int, rough: int = 4) -> list[Point]:
    """The line of a chain of hills: `width` wide, swinging by `height` around `base`, always the same for a seed."""
    chance = random.Random(seed)
    waves = [
        (height / (n + 1) ** 0.8, chance.uniform(0.6, 1.4) * (n + 1), chance.uniform(0, 6.28)) for n in range(rough)
    ]
    return [(x, base + sum(a * math.sin(f * x / 150 + p) for a, f, p in waves) / 1.8) for x in range(0, width + 8, 8)]


class Layer:
    """A picture with transparency that can be laid anywhere, between pixels too."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def over(self, picture: Image.Image, x: float = 0.0, y: float = 0.0, opacity: float = 1.0) -> None:
        """Lay it over `picture` with its upper left corner at x, y."""
        left, top = math.floor(x), math.floor(y)
        piece = self.image
        if (x, y) != (left, top):
            grown = (piece.width + 1, piece.height + 1)
            shift = (1, 0, left - x, 0, 1, top - y)
            piece = piece.transform(grown, Image.Transform.AFFINE, shift, Image.Resampling.BILINEAR)
        if opacity < 1:
            piece = piece.copy()
            piece.putalpha(piece.getchannel("A").point([round(n * opacity) for n in range(256)]))
        picture.paste(piece, (left, top), piece)


def shape(size: tuple[int, int], points: Sequence[Point], fill: str | Sequence[Stop]) -> Layer:
    """A filled polygon, in one colour or a vertical gradient over the whole `size`."""
    mask = Image.new("L", (size[0] * SMOOTH, size[1] * SMOOTH), 0)
    ImageDraw.Draw(mask).polygon([(x * SMOOTH, y * SMOOTH) for x, y in points], fill=255)
    colours = [(0.0, fill), (1.0, fill)] if isinstance(fill, str) else fill
    image = gradient(size, colours)
    image.putalpha(mask.resize(size, Image.Resampling.BOX))
    return Layer(image)


def hills(width: int, line: Sequence[Point], top: str, bottom: str) -> Layer:
    """Everything below a ridge line, lighter towards the foot as in haze."""
    outline = [*line, (width + 8.0, HEIGHT + 4.0), (0.0, HEIGHT + 4.0)]
    start = min(y for _, y in line) / HEIGHT
    return shape((width, HEIGHT), outline, [(0.0, top), (start, top), (1.0, bottom)])


@cache
def _soft_disc(radius: int, power: float) -> Image.Image:
    disc = ImageChops.invert(Image.radial_gradient("L")).resize((radius * 2, radius * 2), Image.Resampling.BICUBIC)
    edge = round(255 * (1 - math.sqrt(0.5)))  # Pillow's gradient ends in the corners, a disc must end at the sides
    return disc.point([round(255 * (max(0, n - edge) / (255 - edge)) ** power) for n in range(256)])


def glow(radius: int, colour: str, strength: float = 1.0, power: float = 2.2) -> Layer:
    """A disc of light that fades towards its edge."""
    image = Image.new("RGB", (radius * 2, radius * 2), colour)
    image.putalpha(_soft_disc(radius, power).point([round(n * strength) for n in range(256)]))
    return Layer(image)


def disc(radius: float, colour: str) -> Layer:
    """A round spot with a clean edge."""
    side = math.ceil(radius * 2) + 2
    centre = side / 2
    circle = [(centre + radius * math.cos(n / 24), centre + radius * math.sin(n / 24)) for n in range(151)]
    return shape((side, side), circle, colour)


def curve(start: Point, first: Point, second: Point, end: Point, steps: int = 14) -> list[Point]:
    """Points along a cubic Bézier curve."""
    points = []
    for n in range(steps + 1):
        t = n / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append(
            tuple(a * p + b * q + c * r + d * s for p, q, r, s in zip(start, first, second, end, strict=True))
        )
    return [(x, y) for x, y in points]


def stroke(size: tuple[int, int], lines: Sequence[Sequence[Point]], width: float, colour: str) -> Layer:
    """Round-ended lines."""
    mask = Image.new("L", (size[0] * SMOOTH, size[1] * SMOOTH), 0)
    pen, half = ImageDraw.Draw(mask), width * SMOOTH / 2
    for line in lines:
        large = [(x * SMOOTH, y * SMOOTH) for x, y in line]
        pen.line(large, fill=255, width=round(half * 2), joint="curve")
        for x, y in (large[0], large[-1]):
            pen.ellipse((x - half, y - half, x + half, y + half), fill=255)
    image = Image.new("RGB", size, colour)
    image.putalpha(mask.resize(size, Image.Resampling.BOX))
    return Layer(image)


def _letter(sign: str) -> list[list[Point]]:
    bowl = [(8.0, 74.0), (8.0, 4.0), *curve((26, 4), (48, 4), (48, 40), (26, 40)), (8.0, 40.0)]
    upper = curve((44, 10), (36, 2), (8, 2), (8, 20))
    lower = [*curve((8, 20), (8, 38), (46, 34), (46, 58)), *curve((46, 58), (46, 82), (12, 78), (4, 66))]
    signs: dict[str, list[list[Point]]] = {
        "S": [[*upper, *lower]],
        "E": [[(42, 4), (8, 4), (8, 74), (42, 74)], [(8, 38), (36, 38)]],
        "R": [bowl, [(26, 40), (46, 74)]],
        "A": [[(2, 74), (26, 3), (50, 74)], [(11, 50), (41, 50)]],
        "L": [[(8, 3), (8, 74), (40, 74)]],
        "T": [[(2, 4), (48, 4)], [(25, 4), (25, 74)]],
        " ": [],
    }
    return signs[sign]


@cache
def wordmark(scale: float, colour: str) -> Layer:
    """SERRA ALTA in open, single-line letters."""
    lines: list[list[Point]] = []
    for place, sign in enumerate("SERRA ALTA"):
        left = place * 76 - (30 if place > 5 else 0)
        lines += [[((x + left + 4) * scale, (y + 4) * scale) for x, y in line] for line in _letter(sign)]
    return stroke((math.ceil(720 * scale), math.ceil(86 * scale)), lines, 5 * scale, colour)


@cache
def words(text: str, size: int, colour: str, spacing: float = 0.0) -> Layer:
    """Plain ASCII text in Pillow's own face, so that no font file is needed; `spacing` pixels between the letters."""
    font = ImageFont.load_default(size * SMOOTH)
    advances = [font.getlength(sign) + spacing * SMOOTH for sign in text]
    mask = Image.new("L", (math.ceil(sum(advances)) + SMOOTH * 2, size * SMOOTH * 3 // 2), 0)
    pen, x = ImageDraw.Draw(mask), 0.0
    for sign, advance in zip(text, advances, strict=True):
        pen.text((x, 0), sign, fill=255, font=font)
        x += advance
    small = (mask.width // SMOOTH, mask.height // SMOOTH)
    image = Image.new("RGB", small, colour)
    image.putalpha(mask.resize(small, Image.Resampling.BOX))
    return Layer(image)


def ease(t: float) -> float:
    """Slow at both ends; 0 to 1."""
    t = min(1.0, max(0.0, t))
    return t * t * (3 - 2 * t)
