"""The scenes under the sky: dawn, the valley road, the cherries, the drying patio, and night with the end card."""

import math
import random

from PIL import Image

from dashboard.sandbox.media.studio.paint import (
    HEIGHT,
    SIZE,
    WIDTH,
    Layer,
    Point,
    curve,
    disc,
    ease,
    glow,
    gradient,
    hills,
    ridge,
    shape,
    stroke,
    wordmark,
    words,
)

SECONDS = 9  # every scene lasts as long


class Dawn:
    """The sun comes up behind five chains of hills; the name of the farm appears and goes."""

    def __init__(self) -> None:
        stops = [(0.0, "#274a63"), (0.4, "#7d8a95"), (0.62, "#f0b98c"), (1.0, "#f6d7a8")]
        self.sky = gradient(SIZE, stops)
        tones = [("#c98f78", "#d9b49a"), ("#8e6f76", "#b39a97"), ("#4f5c6d", "#7c8588"), ("#27474f", "#3f6061")]
        tones.append(("#12333a", "#0d2629"))
        width = WIDTH + 90
        self.chains = [
            hills(width, ridge(width, 172 + n * 40, 24 + n * 3, 31 + n * 7, 5), *tone) for n, tone in enumerate(tones)
        ]
        self.sun, self.shine = disc(23, "#fff4dc"), glow(165, "#ffdca6", 0.9)
        self.name = wordmark(0.43, "#fdf6e9")

    def __call__(self, t: float) -> Image.Image:
        picture = self.sky.copy()
        x, y = 436 + t * 1.2, 196 - 104 * ease(t / (SECONDS + 2))
        self.shine.over(picture, x - 165, y - 165)
        self.sun.over(picture, x - 24, y - 24)
        for n, chain in enumerate(self.chains):
            chain.over(picture, -t * (0.6 + n * 0.9) - 12, 0)
        visible = ease((t - 2.6) / 1.4) * (1 - ease((t - 7.4) / 1.1))
        if visible:
            self.name.over(picture, 165, 176, visible)
        return picture


class Valley:
    """Green hills in mist; a small truck follows the road down to the farm."""

    def __init__(self) -> None:
        self.sky = gradient(SIZE, [(0.0, "#7fb0b4"), (0.5, "#bcd8cd"), (1.0, "#eef3dc")])
        tones = [("#8fb8a8", "#b9d3bf"), ("#5d9585", "#8cb8a0"), ("#367463", "#578f74"), ("#1c4f45", "#2f6a52")]
        width = WIDTH + 70
        self.lines = [ridge(width, 138 + n * 50 + (n == 3) * 26, 26 + n * 2, 5 + n * 11, 4) for n in range(4)]
        self.chains = [hills(width, line, *tone) for line, tone in zip(self.lines, tones, strict=True)]
        self.mist = glow(220, "#ffffff", 0.5, 1.4)
        self.road = [(x, y + 26 + 9 * math.sin(x / 70)) for x, y in self.lines[2]]
        self.track = stroke((width, HEIGHT), [self.road], 5, "#d9c39a")
        self.truck = self._truck()

    def _truck(self) -> Layer:
        picture = Image.new("RGBA", (34, 24))
        parts = [
            ([(2, 5), (20, 5), (20, 16), (2, 16)], "#f2e6cf"),
            ([(20, 8), (27, 8), (31, 12), (31, 16), (20, 16)], "#c8452f"),
        ]
        for points, colour in parts:
            shape((34, 24), points, colour).over(picture)
        for x in (5, 21):
            disc(3.2, "#1d2426").over(picture, x, 12)
        return Layer(picture)

    def __call__(self, t: float) -> Image.Image:
        picture = self.sky.copy()
        for n, chain in enumerate(self.chains):
            shift = -t * (0.5 + n * 0.8)
            if n == 3:
                self.track.over(picture, -t * 2.1, 0)
                place = (60 + t * 58) / 8
                here, after = self.road[int(place)], self.road[int(place) + 1]
                y = here[1] + (after[1] - here[1]) * (place % 1)
                self.truck.over(picture, 60 + t * 58 - t * 2.1 - 16, y - 17)
            chain.over(picture, shift, 0)
            if n in (1, 2):
                self.mist.over(picture, 40 + n * 190 + t * 5, 30 + n * 40, 0.75)
        return picture


class Cherries:
    """A branch of ripe coffee cherries moves in the wind."""

    def __init__(self) -> None:
        ground = gradient(SIZE, [(0.0, "#2f6b4a"), (0.55, "#4c8a55"), (1.0, "#1f4a38")])
        chance = random.Random(4)
        for _ in range(16):
            radius = chance.randint(18, 60)
            colour = chance.choice(["#8fc07a", "#d8d98a", "#6da765", "#f0dc9c"])
            glow(radius, colour, 0.34, 0.9).over(ground, chance.randint(-40, 620), chance.randint(-40, 330))
        self.ground = ground
        self.branch = stroke(SIZE, [curve((-10, 96), (180, 40), (380, 190), (660, 120), 30)], 9, "#5b4330")
        self.leaf, self.leaf_2 = self._leaf("#2c6e43", "#3f8a52"), self._leaf("#1f5636", "#2f7446")
        self.fruit = [self._cherry(c) for c in ("#b3202c", "#cf3a33", "#8f1626", "#d8793a")]

    @staticmethod
    def _leaf(dark: str, light: str) -> Layer:
        size = (150, 70)
        edge = [*curve((4, 40), (40, -6), (110, 4), (146, 34)), *curve((146, 34), (110, 62), (44, 74), (4, 40))]
        picture = Image.new("RGBA", size)
        shape(size, edge, [(0.0, light), (1.0, dark)]).over(picture)
        stroke(size, [curve((6, 40), (50, 30), (100, 30), (142, 34))], 1.6, "#8cbf84").over(picture, 0, 0, 0.6)
        return Layer(picture)

    @staticmethod
    def _cherry(colour: str) -> Layer:
        picture = Image.new("RGBA", (60, 60))
        disc(25, colour).over(picture, 4, 4)
        glow(16, "#ffffff", 0.55, 1.6).over(picture, 8, 6)
        return Layer(picture)

    def __call__(self, t: float) -> Image.Image:
        picture = self.ground.copy()
        sway = 7 * math.sin(t * 1.4)
        for n, (x, y) in enumerate([(30, 8), (250, 30), (470, 52)]):
            self.leaf_2.over(picture, x + sway * 0.5, y + sway * (0.3 + n * 0.1))
        self.branch.over(picture, sway * 0.5, 0)
        places = [
            (96, 88),
            (136, 104),
            (116, 132),
            (300, 132),
            (340, 118),
            (322, 160),
            (362, 152),
            (520, 134),
            (556, 150),
        ]
        for n, (x, y) in enumerate(places):
            self.fruit[(n * 5) % 4].over(picture, x + sway * (0.6 + y / 300), y + 3 * math.sin(t * 1.4 + n))
        for n, (x, y) in enumerate([(150, 60), (390, 92), (-50, 96)]):
            self.leaf.over(picture, x + sway * 1.2, y + sway * (0.2 + n * 0.2))
        return picture


class Patio:
    """Beans dry in long rows in front of the hills; someone rakes from left to right."""

    def __init__(self) -> None:
        picture = gradient(SIZE, [(0.0, "#8cc0d6"), (0.36, "#e6efdf"), (0.37, "#c98f62"), (1.0, "#d9a878")])
        for n, tone in enumerate([("#6f9aa0", "#a8c4b8"), ("#3f7563", "#6d9a76")]):
            line = ridge(WIDTH, 104 + n * 16, 16, 71 + n * 9)
            chain = [*line, (WIDTH + 8.0, 132.0), (0.0, 132.0)]
            shape(SIZE, chain, [(0.2, tone[0]), (0.4, tone[1])]).over(picture)
        for n in range(-9, 10):
            foot, head = 320 + n * 96, 320 + n * 22
            row: list[Point] = [(head - 4, 140), (head + 4, 140), (foot + 26, HEIGHT), (foot - 26, HEIGHT)]
            shape(SIZE, row, [(0.35, "#9c5a38"), (1.0, "#6b3a26")]).over(picture, 0, 0, 0.85)
        self.ground = picture
        self.body = self._body()

    @staticmethod
    def _body() -> Layer:
        size = (90, 150)
        picture = Image.new("RGBA", size)
        for points, colour in (
            ([(30, 96), (38, 148), (28, 148), (18, 96)], "#2b3f57"),
            ([(34, 96), (54, 148), (64, 148), (46, 94)], "#34496a"),
            ([(18, 44), (46, 42), (50, 100), (16, 100)], "#e9e2d0"),
        ):
            shape(size, points, colour).over(picture)
        disc(12, "#9c6a4d").over(picture, 20, 18)
        shape(size, curve((8, 26), (14, 6), (52, 6), (58, 26)), "#d9b25a").over(picture)
        stroke(size, [[(36, 54), (60, 76), (74, 70)]], 8, "#9c6a4d").over(picture)
        return Layer(picture)

    def __call__(self, t: float) -> Image.Image:
        picture = self.ground.copy()
        pull = 16 * math.sin(t * 2.2)
        x = 70 + t * 40
        rake = [(x + 52, 178), (x + 128 + pull, 300)]
        head = [(rake[1][0] - 24, rake[1][1] + 6), (rake[1][0] + 24, rake[1][1] - 6)]
        stroke(SIZE, [rake], 3.5, "#e8d3a4").over(picture)
        stroke(SIZE, [head], 7, "#e8d3a4").over(picture)
        self.body.over(picture, x, 128 + math.sin(t * 4.4))
        return picture


class Night:
    """Stars over the farm, one window with light, and the end card with the address."""

    def __init__(self) -> None:
        self.sky = gradient(SIZE, [(0.0, "#0b1830"), (0.6, "#1f3a5c"), (1.0, "#56678a")])
        chance = random.Random(12)
        self.stars = [(chance.uniform(0, WIDTH), chance.uniform(0, 190), chance.uniform(0, 6.28)) for _ in range(46)]
        self.star, self.moon, self.shine = disc(1.3, "#f4f1e0"), disc(17, "#f6eecf"), glow(90, "#f6eecf", 0.5)
        self.chains = [
            hills(WIDTH + 40, ridge(WIDTH + 40, 214 + n * 40, 22, 41 + n * 13), *tone)
            for n, tone in enumerate([("#24405c", "#3c5a74"), ("#16304a", "#22435a"), ("#0a1a2a", "#10263a")])
        ]
        self.window, self.lamp = (
            shape((14, 12), [(1, 1), (13, 1), (13, 11), (1, 11)], "#ffd987"),
            glow(36, "#ffcf70", 0.7),
        )
        house: list[Point] = [(4, 28), (40, 6), (76, 28), (70, 28), (70, 56), (10, 56), (10, 28)]
        self.house = shape((80, 58), house, "#0b1622")
        self.name, self.address = wordmark(0.5, "#fdf6e9"), words("serra-alta.example", 17, "#dfe7ea", 1.2)

    def __call__(self, t: float) -> Image.Image:
        picture = self.sky.copy()
        for x, y, phase in self.stars:
            self.star.over(picture, x, y, 0.62 + 0.38 * math.sin(phase + int(t * 2) * 0.9))
        self.shine.over(picture, 30, 0)
        self.moon.over(picture, 102, 72)
        for n, chain in enumerate(self.chains):
            if n == 2:
                self.house.over(picture, 470, 236)
                self.lamp.over(picture, 470, 230)
                self.window.over(picture, 499, 262)
            chain.over(picture, -t * 0.9 * n - 8, 0)
        visible = ease((t - 2.2) / 1.2)
        if visible:
            self.name.over(picture, 142, 120, visible)
            self.address.over(picture, 240, 178, ease((t - 3.4) / 1.0))
        return picture
