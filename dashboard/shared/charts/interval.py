"""Ranges on one scale: a broad bar for the range that holds, a thin one inside it, a tick at the estimate.

What the drawing says about zero is exact: a range that excludes zero never touches the dashed line, one that includes it
always reaches it, whatever rounding does to the coordinates.
"""

from dataclasses import dataclass
from math import ceil, floor, log10

from dashboard.shared.charts.drawing import Shape, path
from dashboard.shared.charts.plot import Tick

WIDTH = 10_000
HEIGHT = 280


@dataclass(frozen=True)
class Scale:
    """A round scale in the unit of the values; `steps` are its ticks."""

    low: float
    high: float
    steps: tuple[float, ...]

    def at(self, value: float) -> int:
        return round((value - self.low) / (self.high - self.low) * WIDTH)


def build_scale(low: float, high: float, *, with_zero: bool = True, least: int = 4) -> Scale:
    """The smallest round scale of at least `least` steps around a range, widened to zero where zero matters."""
    if with_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    reach = (high - low) or 1e-6
    power = 10.0 ** floor(log10(reach / least))
    step = next(digit * power for digit in (1, 2, 2.5, 5, 10) if digit * power >= reach / least * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    if last - first < 2:
        last = first + 2
    return Scale(first * step, last * step, tuple(round(step * index, 12) for index in range(first, last + 1)))


@dataclass(frozen=True)
class Bounds:
    """A range and whether it lies wholly beside zero; made by `placed`."""

    start: int
    end: int


def placed(low: float, high: float, on: Scale) -> Bounds:
    """A range in coordinates, rounded so that it never changes sides of zero."""
    zero, start, end = on.at(0.0), on.at(low), on.at(high)
    if low > 0:
        start = max(start, zero + 1)
        end = max(end, start)
    elif high < 0:
        end = min(end, zero - 1)
        start = min(start, end)
    else:
        start, end = min(start, zero), max(end, zero)
    return Bounds(start, end)


def interval_shapes(
    on: Scale,
    estimate: float,
    *,
    wide: tuple[float, float] | None,
    narrow: tuple[float, float] | None = None,
    place: int = 0,
    with_zero: bool = True,
    measured: float | None = None,
) -> list[Shape]:
    """The shapes of one range; `place` counts the series whose colour it takes. `measured` is a second, thin mark."""
    middle = HEIGHT // 2
    shapes = []
    if with_zero:
        shapes.append(path("interval__zero", f"M{on.at(0.0)} 0V{HEIGHT}"))
    for look, bounds in (("interval__wide", wide), ("interval__narrow", narrow)):
        if bounds is not None:
            spot = placed(*bounds, on) if with_zero else Bounds(on.at(bounds[0]), on.at(bounds[1]))
            shapes.append(path(f"{look} series-{place + 1}", f"M{spot.start} {middle}H{spot.end}"))
    if measured is not None:
        shapes.append(path("mark-line", f"M{on.at(measured)} 30V{HEIGHT - 30}"))
    shapes.append(path("interval__point", f"M{on.at(estimate)} 30V{HEIGHT - 30}"))
    return shapes


def ticks(on: Scale, words: dict[float, str]) -> tuple[Tick, ...]:
    """The scale's ticks with their words, by value."""
    span = on.high - on.low
    return tuple(
        Tick(f"{(value - on.low) / span * 100:.2f}".rstrip("0").rstrip(".") + "%", words[value]) for value in on.steps
    )
