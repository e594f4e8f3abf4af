"""The scenes under a roof: the roaster, the cup, the interview."""

import math
import random

from PIL import Image

from dashboard.sandbox.media.studio.paint import (
    HEIGHT,
    SIZE,
    Layer,
    curve,
    disc,
    ease,
    glow,
    gradient,
    shape,
    stroke,
    words,
)


class Roaster:
    """Beans turn in the drum behind its glass while the gauge climbs."""

    def __init__(self) -> None:
        self.ground = gradient(SIZE, [(0.0, "#241a17"), (0.7, "#3a2a22"), (1.0, "#15100e")])
        glow(300, "#d9822e", 0.55, 1.8).over(self.ground, 0, -110)
        disc(142, "#5d4a3c").over(self.ground, 156, 36)
        disc(130, "#1a1210").over(self.ground, 168, 48)
        chance = random.Random(8)
        self.beans = [
            (chance.uniform(0, 6.28), 122 * math.sqrt(chance.random()), chance.randint(0, 2)) for _ in range(54)
        ]
        self.bean = [self._bean(colour) for colour in ("#7a4a2a", "#5f361d", "#8f5a32")]
        self.heat, self.rim = glow(150, "#ff9a3c", 0.35, 1.5), disc(31, "#d9c7a8")
        self.dial = disc(52, "#efe6d2")

    @staticmethod
    def _bean(colour: str) -> Layer:
        size = (26, 20)
        edge = [(13 + 11 * math.cos(n / 5), 10 + 8 * math.sin(n / 5)) for n in range(32)]
        picture = Image.new("RGBA", size)
        shape(size, edge, colour).over(picture)
        stroke(size, [curve((3, 10), (9, 6), (16, 14), (23, 9))], 1.5, "#2a170d").over(picture)
        return Layer(picture)

    def __call__(self, t: float) -> Image.Image:
        picture = self.ground.copy()
        for angle, radius, kind in self.beans:
            turned = angle + t * 0.9
            self.bean[kind].over(picture, 299 + radius * math.cos(turned) - 13, 179 + radius * math.sin(turned) - 10)
        self.heat.over(picture, 149, 60, 0.8 + 0.2 * math.sin(t * 2))
        arms = [
            [(299, 179), (299 + 120 * math.cos(t * 0.9 + n * 2.094), 179 + 120 * math.sin(t * 0.9 + n * 2.094))]
            for n in range(3)
        ]
        stroke(SIZE, arms, 6, "#b39f84").over(picture)
        self.dial.over(picture, 496, 60)
        swing = 2.4 + 1.5 * ease(t / 9)
        needle = [(549, 113), (549 + 40 * math.cos(swing), 113 + 40 * math.sin(swing))]
        stroke(SIZE, [needle], 3, "#b3202c").over(picture)
        disc(5, "#3a2a22").over(picture, 543, 107)
        words(f"{178 + int(t * 3)} C", 20, "#f0dcc0").over(picture, 524, 180)
        return picture


class Cup:
    """A cup on a dark table; steam rises in the light of the morning."""

    def __init__(self) -> None:
        ground = gradient(
            SIZE, [(0.0, "#5c6f66"), (0.67, "#c7b393"), (0.68, "#6d5144"), (0.69, "#3a2a24"), (1.0, "#2b1e1a")]
        )
        glow(190, "#fff0cf", 0.6, 1.5).over(ground, -40, -90)
        body = [
            (224, 160),
            *curve((400, 160), (400, 214), (376, 256), (344, 276)),
            *curve((280, 276), (248, 256), (224, 214), (224, 160)),
        ]
        stroke(SIZE, [curve((396, 178), (450, 168), (452, 236), (384, 234))], 13, "#f1e6d6").over(ground)
        shape(SIZE, body, [(0.45, "#f6ecdf"), (0.8, "#d9c6ad")]).over(ground)
        self._oval(ground, 312, 161, 88, 17, "#e0cfb8")
        self._oval(ground, 312, 163, 76, 13, "#3b2118")
        self._oval(ground, 312, 280, 150, 9, "#1d1411")
        self.ground = ground
        self.glint = glow(30, "#c58f5c", 0.5, 1.2)

    @staticmethod
    def _oval(picture: Image.Image, x: float, y: float, wide: float, high: float, colour: str) -> None:
        edge = [(x + wide * math.cos(n / 20), y + high * math.sin(n / 20)) for n in range(126)]
        shape(SIZE, edge, colour).over(picture)

    def __call__(self, t: float) -> Image.Image:
        picture = self.ground.copy()
        self.glint.image = self.glint.image.resize((60, 16)) if self.glint.image.height != 16 else self.glint.image
        self.glint.over(picture, 300 + 14 * math.sin(t * 0.8), 155, 0.7)
        for n, x in enumerate((280, 314, 348)):
            plume = [(x + (8 + k * 0.9) * math.sin(k * 0.42 - t * 1.5 + n * 1.9), 152 - k * 6.4) for k in range(19)]
            stroke(SIZE, [plume], 5, "#ffffff").over(picture, 0, 0, 0.16)
            stroke(SIZE, [plume[2:13]], 9, "#ffffff").over(picture, 0, 0, 0.10)
        return picture


class Interview:
    """The farmer speaks by the window; his name stands in the lower third."""

    def __init__(self) -> None:
        ground = gradient(SIZE, [(0.0, "#8ea3a6"), (1.0, "#546a70")])
        shape((150, 176), [(0, 0), (150, 0), (150, 176), (0, 176)], [(0.0, "#e8efe4"), (1.0, "#bcd0b8")]).over(
            ground, 432, 40
        )
        stroke((150, 176), [[(75, 0), (75, 176)], [(0, 84), (150, 84)]], 5, "#71878b").over(ground, 432, 40)
        glow(170, "#fff6dd", 0.45, 1.5).over(ground, 340, -40)
        self.ground = ground
        self.person = self._person()
        self.plate = shape((250, 52), [(0, 0), (250, 0), (250, 52), (0, 52)], "#10262c")
        self.edge = shape((4, 52), [(0, 0), (4, 0), (4, 52), (0, 52)], "#e0a24a")
        self.name, self.role = (
            words("JOAQUIM PRADO", 19, "#fdf6e9", 1.4),
            words("SERRA ALTA, 1 200 M", 13, "#c9d6d8", 1.2),
        )

    @staticmethod
    def _person() -> Layer:
        size = (280, 330)
        picture = Image.new("RGBA", size)
        shoulders = [
            *curve((6, 330), (10, 236), (70, 214), (128, 210)),
            *curve((128, 210), (196, 212), (262, 240), (272, 330)),
        ]
        shape(size, shoulders, [(0.6, "#2f6470"), (1.0, "#1d4550")]).over(picture)
        shape(size, [(104, 170), (158, 170), (166, 222), (131, 240), (96, 222)], "#8f5f45").over(picture)
        face = [(131 + 54 * math.cos(n / 20), 132 + 64 * math.sin(n / 20)) for n in range(126)]
        shape(size, face, [(0.1, "#c28a66"), (0.6, "#a8734f")]).over(picture)
        beard = curve((80, 146), (86, 226), (176, 226), (182, 146))
        shape(size, [*beard, *curve((182, 146), (160, 176), (104, 176), (80, 146))], "#d9d4cc").over(picture)
        brim = [*curve((38, 96), (70, 66), (194, 66), (226, 96)), *curve((226, 96), (180, 112), (84, 112), (38, 96))]
        shape(size, curve((80, 90), (84, 16), (180, 16), (184, 90)), "#c9a55e").over(picture)
        shape(size, brim, "#dcbb74").over(picture)
        stroke(size, [curve((80, 84), (110, 94), (152, 94), (184, 84))], 7, "#7a4a2a").over(picture)
        for x in (110, 152):
            disc(4, "#2a1d1a").over(picture, x - 5, 120)
        return Layer(picture)

    def __call__(self, t: float) -> Image.Image:
        picture = self.ground.copy()
        self.person.over(picture, 96 + 2.5 * math.sin(t * 0.9), 34 + 1.5 * math.sin(t * 1.7))
        come = ease((t - 1.2) / 0.8) * (1 - ease((t - 7.2) / 0.7))
        if come:
            x = 34 - 26 * (1 - come)
            self.plate.over(picture, x, HEIGHT - 100, come * 0.86)
            self.edge.over(picture, x, HEIGHT - 100, come)
            self.name.over(picture, x + 16, HEIGHT - 94, come)
            self.role.over(picture, x + 16, HEIGHT - 69, come)
        return picture
