"""A difference between two totals split into parts that add up to it exactly, as it is printed. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

MOST: Final = 7
"""Parts that are named; the others are one part together."""


@dataclass(frozen=True)
class Side:
    """One label with its numbers in both periods. `address`: where it leads, "" nowhere; `note`: what it says of itself."""

    label: str
    now: float
    past: float
    address: str = ""
    note: str = ""


@dataclass(frozen=True)
class Part:
    """What one label added to the difference, in printed units. `count`: how many labels it stands for."""

    label: str
    change: int
    now: int
    past: int
    address: str = ""
    note: str = ""
    count: int = 1


@dataclass(frozen=True)
class SplitChange:
    """The difference of two totals: `parts` in order of size, and `rest`, which is None where every label is named.

    The changes of all parts add up to `now - past`.
    """

    now: int
    past: int
    parts: tuple[Part, ...]
    rest: Part | None

    @property
    def change(self) -> int:
        return self.now - self.past

    @property
    def all_parts(self) -> tuple[Part, ...]:
        return self.parts if self.rest is None else (*self.parts, self.rest)


def split_change(sides: Iterable[Side], most: int = MOST, *, base: float = 0.0) -> SplitChange:
    """Split the difference of the sums of `sides`, to both of which `base` is added. Labels that did not change are no part.

    Numbers are rounded to whole units; what rounding leaves over goes to the largest part.
    """
    listed = list(sides)
    now, past = round(base + sum(side.now for side in listed)), round(base + sum(side.past for side in listed))
    parts = [
        Part(side.label, round(side.now - side.past), round(side.now), round(side.past), side.address, side.note)
        for side in listed
        if side.now != side.past
    ]
    parts.sort(key=lambda part: (-abs(part.change), part.label))
    left_over = now - past - sum(part.change for part in parts)
    if left_over:
        largest = parts[0] if parts else Part("", 0, now, past)
        parts[:1] = [replace(largest, change=largest.change + left_over)]
    named, others = parts[:most], [part for part in parts[most:] if part.change]
    return SplitChange(now, past, tuple(part for part in named if part.change), _join(others))


def _join(parts: Sequence[Part]) -> Part | None:
    if not parts:
        return None
    return Part(
        "",
        sum(part.change for part in parts),
        sum(part.now for part in parts),
        sum(part.past for part in parts),
        count=len(parts),
    )
