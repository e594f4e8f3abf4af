"""Ticks: a top that is round, three to six lines, and labels that stand at equal steps."""

from math import ceil, floor, log10
from typing import Final

ROUND: Final = (1, 2, 2.5, 5, 10)
NOTHING: Final = 1e-6
"""Less than this is zero: no unit of ours can show it."""

LINES: Final = (5, 4, 6, 3)
"""How many steps to prefer, best first."""


def ticks(highest: float, *, whole: bool) -> tuple[float, ...]:
    """Values from zero to a round top that is not below `highest`. `whole`: people cannot be halved."""
    if highest <= NOTHING:
        return (0.0, 1.0)
    best: tuple[float, int, float] | None = None
    for rank, lines in enumerate(LINES):
        step = _round_up(highest / lines)
        if whole:
            step = max(1.0, float(ceil(step)))
        waste = step * ceil(highest / step - 1e-9) / highest
        count = max(1, ceil(highest / step - 1e-9))
        if count > max(LINES) or (count < min(LINES) and not whole):
            continue
        offer = (round(waste, 3), rank, step)
        best = min(best, offer) if best else offer
    step = best[2] if best else max(1.0, _round_up(highest / 4))
    return tuple(round(step * index, 10) for index in range(ceil(highest / step - 1e-9) + 1))


def _round_up(value: float) -> float:
    power = 10.0 ** floor(log10(value))
    return next(digit * power for digit in ROUND if digit * power >= value * (1 - 1e-9))


def marks(count: int, most: int = 6) -> tuple[int, ...]:
    """Which of `count` points carry a label: equal steps from the first on, and the last where there is room for it."""
    if count <= 1:
        return (0,) * count
    step = ceil((count - 1) / most)
    marks = list(range(0, count, step))
    if marks[-1] != count - 1:
        if count - 1 - marks[-1] < step * 0.6 and len(marks) > 1:
            marks.pop()
        marks.append(count - 1)
    return tuple(marks)


NICE_SECONDS: Final = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600)


def second_step(length: float, most: int = 6) -> int:
    """A step in seconds that people count by, so that a film of `length` seconds has at most `most` of them."""
    return next((step for step in NICE_SECONDS if length / step <= most), max(1, ceil(length / most / 3600)) * 3600)
