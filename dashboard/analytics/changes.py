"""How a number changed: the parts of its difference, of a rate or of traffic, and the steps from the first total to the second."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import floor, log10
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.analytics.charts import format_days
from dashboard.shared import formats
from dashboard.shared.change_parts import Part, SplitChange
from dashboard.shared.charts.figures import Change, change, count
from dashboard.shared.csv import Cell
from dashboard.shared.ranges import Days

WIDTH: Final = 1000.0
TICKS: Final = 4


@dataclass(frozen=True)
class Scale:
    """How the whole numbers of a `SplitChange` are printed: one of them is `step` bytes or counts.

    `format_part` prints differences where they have a unit of their own. `is_share`: of a rate no percentage is told, which
    would be read as points.
    """

    step: float
    format: Callable[[float], str]
    format_part: Callable[[float], str] | None = None
    is_share: bool = False

    def format_size(self, value: float) -> str:
        """A difference without its sign: 61.2 GB, 1.9 points."""
        return (self.format_part or self.format)(abs(value))

    def format_signed(self, value: float) -> str:
        """A difference: +61.2 GB, −9.6 GB."""
        sign = "+" if value > 0 else "−" if value < 0 else ""
        return f"{sign}{self.format_size(value)}"

    def format_share(self, difference: SplitChange) -> str:
        """By which share the unrounded total changed, as it stands beside the figure; "" of a rate."""
        return "" if self.is_share else change(difference.exact_now, difference.exact_past)


COUNTS: Final = Scale(1, count)


def build_byte_scale(size: float, largest: float = 0.0) -> Scale:
    """Three digits of `size` bytes, in the one unit that fits the `largest` amount: printed parts add up."""
    name, of_unit = formats.fit_unit(max(abs(size), largest))
    power = floor(log10(abs(size) / of_unit)) if size else 0
    digits = min(max(2 - power, 0), round(log10(of_unit)))  # never less than a byte
    parts = 10**digits
    return Scale(of_unit / parts, lambda value: f"{count(value / parts, digits)} {name}")


def build_bytes_change(now: float, past: float) -> Change:
    """By how many bytes a total changed, as the page that splits the change says it."""
    scale = build_byte_scale(now - past, max(now, past))
    return Change(scale.format_size(round((now - past) / scale.step)), now > past, now < past)


class ChangeStep(NamedTuple):
    """One part with its bar, which goes from `start` to `end` in a plot that is 1,000 wide.

    `sides`: its numbers before and now, or what is said in their place.
    """

    label: str
    address: str
    sides: tuple[str, ...]
    value: str
    is_up: bool
    x: str
    width: str
    start: str
    end: str


@dataclass(frozen=True)
class WhyContent:
    """templates/analytics/_why.html. Without `steps`, `unknown` says why the change cannot be split, or nothing changed.

    `first` and `last`: the days, the total and the place of both totals. `change`: the difference; `moved`: with its share.
    """

    finding: str = ""
    note: str = ""
    steps: tuple[ChangeStep, ...] = ()
    first: tuple[str, str, str] = ("", "", "")
    last: tuple[str, str, str] = ("", "", "")
    change: str = ""
    moved: str = ""
    ticks: tuple[tuple[str, str], ...] = ()
    label_title: str = ""
    note_title: str = ""
    is_equal: bool = False
    unknown: str = ""
    csv: str = ""


def build_steps_content(
    difference: SplitChange,
    label_title: str,
    days: tuple[Days, Days],
    scale: Scale = COUNTS,
    note_title: str = "",
    *,
    note: str = "",
    csv: str = "",
) -> WhyContent:
    """The difference as steps. `days` are those of the second total and of the first. `csv`: the file.

    With a `note_title` the table has the notes of the parts in place of their numbers before and now.
    """
    if not difference.change and not difference.parts:
        return WhyContent(note=note, is_equal=True)
    bounds, level, steps = _find_bounds(difference), difference.past, []
    for part in difference.all_parts:
        start, end = _place(level, *bounds), _place(level + part.change, *bounds)
        level += part.change
        steps.append(
            ChangeStep(
                label=format_part_label(part),
                address=part.address,
                sides=(part.note,) if note_title else (scale.format(part.past), scale.format(part.now)),
                value=scale.format_signed(part.change),
                is_up=part.change > 0,
                x=f"{min(start, end):.1f}",
                width=f"{abs(end - start):.1f}",
                start=f"{start:.1f}",
                end=f"{end:.1f}",
            )
        )
    change = scale.format_signed(difference.change)
    return WhyContent(
        finding=_format_finding(difference, scale),
        steps=tuple(steps),
        first=(format_days(days[1]), scale.format(difference.past), f"{_place(difference.past, *bounds):.1f}"),
        last=(format_days(days[0]), scale.format(difference.now), f"{_place(level, *bounds):.1f}"),
        change=change,
        moved=", ".join(filter(None, (change, scale.format_share(difference)))),
        ticks=_build_ticks(*bounds, scale),
        label_title=label_title,
        note_title=note_title,
        note=note,
        csv=csv,
    )


def build_table(difference: SplitChange, label_title: str) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file."""
    heads = [label_title, _("Before"), _("Now"), _("Change")]
    rows: list[list[Cell]] = [
        [format_part_label(part), part.past, part.now, part.change] for part in difference.all_parts
    ]
    return heads, [*rows, [_("Together"), difference.past, difference.now, difference.change]]


def _format_finding(difference: SplitChange, scale: Scale) -> str:
    values = {
        "change": scale.format_size(difference.change),
        "share": scale.format_share(difference),
        "largest": format_part_label(difference.parts[0]) if difference.parts else "",
        "part": scale.format_signed(difference.parts[0].change) if difference.parts else "",
    }
    if not difference.change:
        return _("The total is the same. The largest change is %(largest)s: %(part)s.") % values
    if scale.is_share and difference.change > 0:
        return _("Rose by %(change)s. The largest part is %(largest)s: %(part)s.") % values
    if scale.is_share:
        return _("Fell by %(change)s. The largest part is %(largest)s: %(part)s.") % values
    if difference.change > 0:
        return _("Rose by %(change)s (%(share)s). The largest part is %(largest)s: %(part)s.") % values
    return _("Fell by %(change)s (%(share)s). The largest part is %(largest)s: %(part)s.") % values


def format_part_label(part: Part) -> str:
    """A part by its label; the parts without one by their number."""
    if part.labels == 1 and part.label:
        return part.label
    return ngettext("Other (%(count)s)", "Other (%(count)s)", part.labels) % {"count": count(part.labels)}


def _find_bounds(difference: SplitChange) -> tuple[float, float]:
    """The lowest and highest point of the steps, with some room. The axis does not start at zero."""
    level, levels = difference.past, [difference.past, difference.now]
    for part in difference.all_parts:
        level += part.change
        levels.append(level)
    room = max((max(levels) - min(levels)) * 0.08, 1.0)
    return min(levels) - room, max(levels) + room


def _place(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) * WIDTH


def _build_ticks(low: float, high: float, scale: Scale) -> tuple[tuple[str, str], ...]:
    """Round numbers inside the bounds, with their place in percent."""
    step = 10 ** floor(log10((high - low) / TICKS)) if high > low else 1
    step = next(factor * step for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= TICKS + 1)
    step = max(step, 1)
    first = -(-low // step) * step
    values: Sequence[float] = [first + step * n for n in range(TICKS + 2) if first + step * n <= high]
    return tuple((scale.format(value), f"{_place(value, low, high) / 10:.1f}%") for value in values if value >= 0)


class RateSide(NamedTuple):
    """One part's plays and views in both periods, None where nobody knows them. `address`: where it leads, "" nowhere."""

    label: str
    plays: float | None
    views: float | None
    past_plays: float | None
    past_views: float | None
    address: str = ""

    @property
    def rate(self) -> float | None:
        """Plays of each view; None without views, and where one of both is not known."""
        return _divide(self.plays, self.views)

    @property
    def past_rate(self) -> float | None:
        return _divide(self.past_plays, self.past_views)


def _divide(plays: float | None, views: float | None) -> float | None:
    return plays / views if plays is not None and views else None


class Effect(StrEnum):
    """How a part changed the rate of all."""

    RATE = "rate"
    SHARE = "share"


class RateEffect(NamedTuple):
    """What one part added to the change of the rate by one effect; 0.01 is a point. Shares are of all views."""

    side: RateSide
    effect: Effect
    size: float
    share: float
    past_share: float


class RateChange(NamedTuple):
    """The rates of both periods, and the effects that add up to their difference."""

    now: float
    past: float
    effects: tuple[RateEffect, ...]

    def sum_effect(self, effect: Effect) -> float:
        """What all parts added by one effect."""
        return sum(row.size for row in self.effects if row.effect is effect)


def split_rate(sides: Iterable[RateSide]) -> RateChange | None:
    """Split the change of the rate of all sides; None where one period has no views, and so no rate.

    The totals are of what is known.
    """
    listed = list(sides)
    views, past_views = sum(side.views or 0 for side in listed), sum(side.past_views or 0 for side in listed)
    if not views or not past_views:
        return None
    now = sum(side.plays or 0 for side in listed) / views
    past = sum(side.past_plays or 0 for side in listed) / past_views
    effects = []
    for side in listed:
        share, past_share = (side.views or 0) / views, (side.past_views or 0) / past_views
        by_rate = 0.0
        if side.rate is not None and side.past_rate is not None:
            by_rate = (side.rate - side.past_rate) * (share + past_share) / 2
        # What the part contributes to the total rate, beyond the mean rate that any view in its place would have had.
        added = (side.plays or 0) / views - (side.past_plays or 0) / past_views
        whole = added - (share - past_share) * (now + past) / 2
        for effect, size in ((Effect.RATE, by_rate), (Effect.SHARE, whole - by_rate)):
            if size:
                effects.append(RateEffect(side, effect, size, share=share, past_share=past_share))
    return RateChange(now, past, tuple(effects))


class Cause(StrEnum):
    """What changed the traffic of a video, as the address names it."""

    NEW = "new"
    MORE_PLAYS = "more-plays"
    FEWER_PLAYS = "fewer-plays"
    LONGER = "longer"
    SHORTER = "shorter"
    GONE = "gone"
    UNKNOWN = "unknown"
    """Its plays are not known in both periods."""


class VideoChange(NamedTuple):
    """One video's bytes and plays in both periods. Plays are None where nobody knows them.

    `is_new`: created after the earlier period. `is_gone`: the platform has it no more.
    """

    video_id: str
    title: str
    now: float
    past: float
    plays: float | None = None
    past_plays: float | None = None
    folder_id: str = ""
    is_new: bool = False
    is_gone: bool = False

    @property
    def change(self) -> float:
        return self.now - self.past

    def split(self) -> dict[Cause, float]:
        """What each cause added to the traffic of this video, in bytes; together its `change`. Causes of nothing are left out."""
        if self.is_new:
            parts = {Cause.NEW: self.change}
        elif self.is_gone and self.change < 0:
            parts = {Cause.GONE: self.change}
        elif (by_plays := self._measure_plays()) is None:
            parts = {Cause.UNKNOWN: self.change}
        else:
            by_length = self.change - by_plays
            parts = {
                Cause.MORE_PLAYS if by_plays > 0 else Cause.FEWER_PLAYS: by_plays,
                Cause.LONGER if by_length > 0 else Cause.SHORTER: by_length,
            }
        return {cause: size for cause, size in parts.items() if size}

    def _measure_plays(self) -> float | None:
        """What the plays changed, in bytes; None where it cannot be told."""
        if self.plays is None or self.past_plays is None:
            return None
        if (not self.plays and self.now) or (not self.past_plays and self.past):
            return None  # players that only load send bytes too: of bytes without a play there is no size of a play
        if not self.plays or not self.past_plays:
            return self.change
        sizes = self.now / self.plays + self.past / self.past_plays
        return (self.plays - self.past_plays) * sizes / 2


@dataclass(frozen=True)
class CauseSum:
    """What one cause added to the traffic of several videos."""

    cause: Cause
    change: float
    videos: int


def sum_causes(videos: Iterable[VideoChange]) -> list[CauseSum]:
    """The causes of the videos' changes, each with how many videos it changed."""
    sums: dict[Cause, list[float]] = {}
    for video in videos:
        for cause, size in video.split().items():
            sums.setdefault(cause, []).append(size)
    return [CauseSum(cause, sum(sizes), len(sizes)) for cause, sizes in sums.items()]
