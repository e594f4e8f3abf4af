"""Ordered bars: what makes up a whole, largest first, with a tick where each stood before."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.shared.charts.drawing import INK, INK_3, Shape, in_file, on_page, path, plain, rect
from dashboard.shared.charts.figures import Numbers, count, format_value, get_numbers, percent
from dashboard.shared.charts.lines import Measure
from dashboard.shared.charts.prepared import EDGE_SPACE, WIDTH, Cell, Chart, Column, Raw, Words, sheet, text

LENGTH = 1000
THICK = 14
PICTURED = 30
"""A picture shows at most so many bars and says how many there are; table and file have all."""


class Bar(NamedTuple):
    """One part. `past` is None without comparison, `extra` are further text columns of table and file.

    `key`: the label as the platform gives it, "" where it gives none; it is the same in every language.
    """

    label: str
    value: float
    past: float | None = None
    extra: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True)
class DrawnBar:
    """A bar ready for the page."""

    label: str
    share: str
    value: str
    change: str
    up: bool
    down: bool
    shapes: SafeString


@dataclass(frozen=True)
class BarChart(Chart):
    """Parts of a whole, already ordered. `compared` says whether `past` means something."""

    name: str
    title: str
    note: str
    measure: Measure
    label_title: str
    bars: tuple[Bar, ...]
    compared: bool
    foot: str
    extra_titles: tuple[str, ...] = ()
    absent: str = ""
    """What is said of a bar whose number before is not known; "no data" where empty."""

    @cached_property
    def total(self) -> float:
        return sum(bar.value for bar in self.bars)

    @cached_property
    def past_total(self) -> float | None:
        return sum(bar.past or 0 for bar in self.bars) if self.compared else None

    def drawn(self, limit: int | None = None) -> tuple[DrawnBar, ...]:
        """The first `limit` bars for the page; what is left over is added up under "Other"."""
        bars = self.bars
        if limit is not None and len(bars) > limit:
            rest = bars[limit - 1 :]
            past = sum(bar.past or 0 for bar in rest) if self.compared else None
            bars = (*bars[: limit - 1], Bar(_("Other"), sum(bar.value for bar in rest), past))
        top, numbers = max((max(bar.value, bar.past or 0) for bar in bars), default=0), get_numbers()
        return tuple(self._drawn(bar, top, numbers) for bar in bars)

    def _drawn(self, bar: Bar, top: float, numbers: Numbers) -> DrawnBar:
        return DrawnBar(
            label=bar.label,
            share=numbers.percent(self._share(bar)),
            value=numbers.format_value(bar.value, self.measure.unit),
            change=numbers.change(bar.value, bar.past),
            up=bar.past is not None and bar.value > bar.past,
            down=bar.past is not None and bar.value < bar.past,
            shapes=on_page(bar_shapes(bar, top)),
        )

    def columns(self) -> tuple[Column, ...]:
        measure = str(self.measure.title)
        own = [
            Column(self.label_title),
            *(Column(title) for title in self.extra_titles),
            Column(measure, numeric=True),
            Column(_("Share of total"), numeric=True),
        ]
        if self.compared:
            own += [
                Column(_("Before"), numeric=True, head=_("%(measure)s, compared") % {"measure": measure}),
                Column(_("Change"), numeric=True),
            ]
        return tuple(own)

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return self._rows

    @cached_property
    def _rows(self) -> tuple[tuple[Cell, ...], ...]:
        numbers = get_numbers()
        return tuple(self._row(bar, numbers) for bar in self.bars)

    def file_rows(self) -> Iterable[Sequence[Raw]]:
        return map(self._raw_row, self.bars)

    def _raw_row(self, bar: Bar) -> list[Raw]:
        compared = [bar.past, round(bar.value / bar.past - 1, 6) if bar.past else None] if self.compared else []
        return [bar.label, *bar.extra, bar.value, round(self._share(bar), 6), *compared]

    def _row(self, bar: Bar, numbers: Numbers) -> tuple[Cell, ...]:
        unit = self.measure.unit
        words = [bar.label, *bar.extra, numbers.format_value(bar.value, unit), numbers.percent(self._share(bar))]
        if self.compared:
            past = self.absent or _("no data") if bar.past is None else numbers.format_value(bar.past, unit)
            words += [past, numbers.change(bar.value, bar.past)]
        return tuple(map(Cell, self._raw_row(bar), words))

    def _share(self, bar: Bar) -> float:
        return bar.value / self.total if self.total else 0.0

    def sentence(self) -> str:
        if not self.bars:
            return _("No data for these days.")
        if not self.total:
            return _("Nothing was counted in these days.")
        first = self.bars[0]
        share = percent(first.value / self.total)
        values = {
            "amount": self.measure.words(self.total),
            "label": first.label,
            "share": share,
            "value": format_value(first.value, self.measure.unit),
        }
        if len(self.bars) == 1:
            return _("%(amount)s, all from %(label)s.") % values
        return _("%(amount)s. First is %(label)s with %(share)s (%(value)s).") % values

    def svg(self) -> str:
        bars = self.bars[:PICTURED]
        top = max((max(bar.value, bar.past or 0) for bar in bars), default=0)
        left, right = 330.0, WIDTH - EDGE_SPACE - 230.0
        parts, numbers = [], get_numbers()
        for index, bar in enumerate(bars):
            y = 12 + 30 * index
            share = numbers.percent(self._share(bar))
            parts.append(text(left - 14, y + 14, _shorten(bar.label), anchor="end"))
            parts.append(_scale_shapes(bar_shapes(bar, top), left, y + 2, right - left))
            parts.append(text(right + 70, y + 14, share, fill=INK, anchor="end", bold=True))
            parts.append(text(right + 152, y + 14, numbers.format_value(bar.value, self.measure.unit), anchor="end"))
            parts.append(text(right + 228, y + 14, numbers.change(bar.value, bar.past), anchor="end", fill=INK_3))
        note = self.note
        if len(self.bars) > PICTURED:
            note = _("The first %(shown)s of %(count)s.") % {"shown": PICTURED, "count": count(len(self.bars))}
        return sheet(Words(self.title, note, self.sentence(), self.foot), "".join(parts), 30 * len(bars) + 24)


def bar_shapes(bar: Bar, top: float) -> Sequence[Shape]:
    """A bar of LENGTH by THICK units: track, value, and a tick at the value before."""
    shapes = [rect("bar__track", 0, 0, LENGTH, THICK)]
    if top > 0:
        shapes.append(rect("bar__value", 0, 0, bar.value / top * LENGTH, THICK))
        if bar.past is not None:
            shapes.append(path("bar__past", f"M{plain(bar.past / top * LENGTH)} -2v{THICK + 4}"))
    return shapes


def _scale_shapes(content: Sequence[Shape], x: float, y: float, width: float) -> str:
    return f'<g transform="translate({x:.0f} {y:.0f}) scale({width / LENGTH:.4f} 1)">{in_file(content)}</g>'


def _shorten(label: str, letters: int = 38) -> str:
    return label if len(label) <= letters else f"{label[: letters - 1]}…"
