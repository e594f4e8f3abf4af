"""The hours of the week: how much there is on average at each hour of each weekday."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from math import ceil

from babel import Locale, dates
from django.utils.functional import cached_property
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard.shared.charts import drawing
from dashboard.shared.charts.figures import change, count
from dashboard.shared.charts.lines import TimeChart
from dashboard.shared.charts.prepared import EDGE_SPACE, WIDTH, Cell, Chart, Column, Words, sheet, text

WEEKDAYS, HOURS = 7, 24
LEVELS = 5
"""Shades of a number that is not zero."""
ROW = 26.0
NAMES = 110.0
"""The height of an hour and the width of its name, in a picture."""


@dataclass(frozen=True)
class Slot:
    """An hour of a weekday, Monday first: its averages; None where no such hour has numbers."""

    now: float | None
    past: float | None = None


@dataclass(frozen=True)
class WeekChart(Chart):
    """`slots` by hour, then by weekday. `by_day`: the same numbers day by day. `by_hour`: each hour, for the file."""

    name: str
    title: str
    note: str
    slots: tuple[tuple[Slot, ...], ...]
    by_day: TimeChart
    by_hour: Callable[[], TimeChart]
    foot: str

    @property
    def compared(self) -> bool:
        """Whether there is a period before."""
        return bool(self.by_day.past_name)

    @cached_property
    def most(self) -> float:
        """The largest average."""
        return max((slot.now or 0.0 for row in self.slots for slot in row), default=0.0)

    def columns(self) -> tuple[Column, ...]:
        days = tuple(Column(name, numeric=True) for name in weekdays())
        more = (Column(_("Change"), numeric=True),) if self.compared else ()
        return (Column(_("Hour")), *days, Column(_("All days"), numeric=True), *more)

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(
            (Cell(hour, f"{hour:02}:00"), *(_build_cell(slot.now) for slot in row), *self._whole(row))
            for hour, row in enumerate(self.slots)
        )

    def _whole(self, row: tuple[Slot, ...]) -> tuple[Cell, ...]:
        """The average over all days of an hour, and how it has changed."""
        now, past = _calculate_mean([slot.now for slot in row]), _calculate_mean([slot.past for slot in row])
        moved = change(now, past) if now is not None else ""
        return (_build_cell(now), Cell(None, moved)) if self.compared else (_build_cell(now),)

    def table_body(self) -> SafeString:
        """The rows of the grid, each average with its shade."""
        lines = []
        for row, slots in zip(self.rows(), self.slots, strict=True):
            shades = [*(self._level(slot.now) for slot in slots), *[0] * (len(row) - 1 - len(slots))]
            cells = "".join(
                f"<td class=s{shade}>{escape(cell.text)}" if shade else f"<td>{escape(cell.text)}"
                for cell, shade in zip(row[1:], shades, strict=True)
            )
            lines.append(f"<tr><th scope=row>{row[0].text}{cells}")  # HTML ends cells and rows by itself
        return mark_safe("".join(lines))  # noqa: S308  (every word is escaped)

    def _level(self, value: float | None) -> int:
        return ceil(LEVELS * value / self.most) if value and self.most else 0

    def sentence(self) -> str:
        known = [
            (slot.now, hour, weekday)
            for hour, row in enumerate(self.slots)
            for weekday, slot in enumerate(row)
            if slot.now is not None
        ]
        parts = [self.by_day.total_sentence()]
        if known and self.most:
            value, hour, weekday = max(known, key=lambda cell: cell[0])
            least, low_hour, low_weekday = min(known, key=lambda cell: cell[0])
            parts.append(
                _(
                    "Most on %(day)s at %(hour)s (%(value)s an hour on average), least on %(low_day)s at %(low_hour)s (%(low)s)."
                )
                % {
                    "day": weekdays(wide=True)[weekday],
                    "hour": f"{hour:02}:00",
                    "value": _format_average(value),
                    "low_day": weekdays(wide=True)[low_weekday],
                    "low_hour": f"{low_hour:02}:00",
                    "low": _format_average(least),
                }
            )
        if self.by_day.unfinished is not None:
            parts.append(_("Today is still filling up and is not counted."))
        return " ".join(parts)

    def csv(self) -> str:
        """Each hour of the period, one a line."""
        return self.by_hour().csv()

    def svg(self) -> str:
        width = (WIDTH - 2 * EDGE_SPACE - NAMES) / WEEKDAYS
        parts = [
            text(EDGE_SPACE + NAMES + width * (day + 0.5), 30, name, anchor="middle")
            for day, name in enumerate(weekdays())
        ]
        for hour, row in enumerate(self.slots):
            top = 40 + ROW * hour
            parts.append(text(EDGE_SPACE, top + 18, f"{hour:02}:00", size=13))
            for day, slot in enumerate(row):
                left = EDGE_SPACE + NAMES + width * day
                shade = self._level(slot.now) / LEVELS * 0.6
                place = f'x="{drawing.plain(left)}" y="{drawing.plain(top)}" width="{drawing.plain(width - 2)}"'
                parts.append(
                    f'<rect {place} height="{drawing.plain(ROW - 2)}" fill="{drawing.SERIES[0]}" opacity="{shade:.2f}"/>'
                )
                parts.append(
                    text(
                        left + width / 2,
                        top + 18,
                        _build_cell(slot.now).text,
                        size=13,
                        fill=drawing.INK,
                        anchor="middle",
                    )
                )
        return sheet(Words(self.title, self.note, self.sentence(), self.foot), "".join(parts), 40 + ROW * HOURS)


def weekdays(*, wide: bool = False) -> tuple[str, ...]:
    """The names of the days from Monday on, the reader's way."""
    return _weekdays(get_language() or "en", "wide" if wide else "abbreviated")


@lru_cache(maxsize=16)
def _weekdays(language: str, width: str) -> tuple[str, ...]:
    names = dates.get_day_names(width, locale=Locale.parse(language.replace("-", "_"), sep="_"))  # type: ignore[arg-type]
    return tuple(str(names[day]) for day in range(WEEKDAYS))


def _calculate_mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _format_average(value: float) -> str:
    return count(value, 1 if 0 < value < 10 else 0)


def _build_cell(value: float | None) -> Cell:
    return Cell(None, _("no data")) if value is None else Cell(value, _format_average(value))
