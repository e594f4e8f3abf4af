"""A difference between two totals split into parts that add up to it exactly, as it is printed. Pure."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

MOST: Final = 7
"""Parts that are named; the others are one part together."""


class Side(NamedTuple):
    """One label with its numbers in both periods. `address`: where it leads, "" nowhere; `note`: what it says of itself.

    `subject`: what it is a side of, where one thing has more than one; None where each is a thing of its own.
    """

    label: str
    now: float
    past: float
    address: str = ""
    note: str = ""
    subject: Hashable = None


class Part(NamedTuple):
    """What one label added to the difference, in printed units. `labels`: how many it stands for, each subject once."""

    label: str
    change: int
    now: int
    past: int
    address: str = ""
    note: str = ""
    labels: int = 1


@dataclass(frozen=True)
class SplitChange:
    """The difference of two totals: `parts` in order of size, and `rest`, which is None where every label is named.

    The changes of all parts add up to `now - past`, which is the difference of the unrounded totals, rounded once.
    """

    now: int
    past: int
    parts: tuple[Part, ...]
    rest: Part | None
    exact_now: float
    exact_past: float

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
    exact_now, exact_past = base + sum(side.now for side in listed), base + sum(side.past for side in listed)
    past = round(exact_past)
    now = past + round(exact_now - exact_past)
    changes = [(round(side.now - side.past), side) for side in listed if side.now != side.past]
    changes.sort(key=lambda pair: (-abs(pair[0]), pair[1].label))
    parts = [
        Part(side.label, size, now=round(side.now), past=round(side.past), address=side.address, note=side.note)
        for size, side in changes[:most]
    ]
    rest = _join([side for _size, side in changes[most:]])
    left_over = now - past - sum(part.change for part in parts) - (rest.change if rest else 0)
    if left_over:
        largest = parts[0] if parts else Part("", 0, now, past)
        parts[:1] = [largest._replace(change=largest.change + left_over)]
    return SplitChange(
        now,
        past,
        parts=tuple(part for part in parts if part.change),
        rest=rest,
        exact_now=exact_now,
        exact_past=exact_past,
    )


def _join(others: Sequence[Side]) -> Part | None:
    """One part of all of them, rounded once: hundreds of small parts would add up to what none of them is."""
    now, past = sum(side.now for side in others), sum(side.past for side in others)
    if not any(round(side.now - side.past) for side in others) and not round(now - past):
        return None
    subjects = {number if side.subject is None else side.subject for number, side in enumerate(others)}
    return Part("", round(now - past), round(now), round(past), labels=len(subjects))
