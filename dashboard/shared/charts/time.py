"""A figure over time, with what it is compared with: days or hours, the unfinished one marked and left out of totals."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from dashboard.shared.charts.figures import Unit, change, percent, shown
from dashboard.shared.charts.plot import PAST, Mark, Plot, Series, laid_out
from dashboard.shared.charts.prepared import Cell, Chart, Column
from dashboard.shared.charts.shapes import on_page
from dashboard.shared.charts.sheet import Words, plot_sheet


@dataclass(frozen=True)
class Measure:
    """What is counted: a heading, and an amount in words (an `ngettext_lazy` over `number` that shows `shown`)."""

    title: str | Promise
    amount: str | Promise
    unit: Unit = Unit.COUNT

    def words(self, value: float) -> str:
        """41,377 events."""
        return str(self.amount % {"number": round(value), "shown": shown(value, self.unit)})


@dataclass(frozen=True)
class Point:
    """One bucket. `key` is ISO, `label` for people; `value` is None where nothing can be known yet."""

    key: str
    label: str
    short: str
    value: float | None
    whole: bool = True
    past_key: str = ""
    past_label: str = ""
    past: float | None = None


@dataclass(frozen=True)
class Totals:
    """Sums over the whole buckets. `past` is None without comparison; `partial` where only an unfinished bucket exists."""

    now: float
    past: float | None
    partial: bool


@dataclass(frozen=True)
class TimeChart(Chart):
    """One measure over the buckets of a range."""

    name: str
    title: str
    note: str
    measure: Measure
    bucket_title: str
    points: tuple[Point, ...]
    now_name: str
    past_name: str
    foot: str
    marks: tuple[Mark, ...] = ()

    @cached_property
    def totals(self) -> Totals:
        """What the chart adds up to."""
        whole = [point for point in self.points if point.whole]
        counted = whole or list(self.points)
        past = sum(point.past or 0 for point in whole) if self.past_name and whole else None
        return Totals(sum(point.value or 0 for point in counted), past, not whole and bool(self.points))

    @property
    def unfinished(self) -> int | None:
        """The first bucket that is not whole."""
        return next((index for index, point in enumerate(self.points) if not point.whole), None)

    @cached_property
    def plot(self) -> Plot:
        """The drawing and the words around it."""
        series = [Series(self.now_name, tuple(point.value for point in self.points))]
        if self.past_name:
            series.append(Series(self.past_name, tuple(point.past for point in self.points), PAST))
        return laid_out(
            series,
            [point.short for point in self.points],
            self.measure.unit,
            marks=self.marks,
            unfinished=self.unfinished,
            unfinished_text=_("Today, incomplete"),
        )

    def drawing(self) -> SafeString:
        """The shapes for the page, inside an SVG of a plot's size."""
        return mark_safe(on_page(self.plot.shapes))  # noqa: S308  (numbers only)

    def columns(self) -> tuple[Column, ...]:
        measure = str(self.measure.title)
        own = (Column(self.bucket_title), Column(measure, numeric=True))
        if not self.past_name:
            return own
        return (
            *own,
            Column(_("Compared with")),
            Column(measure, numeric=True, head=_("%(measure)s, compared") % {"measure": measure}),
            Column(_("Change"), numeric=True),
        )

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return self._rows

    @cached_property
    def _rows(self) -> tuple[tuple[Cell, ...], ...]:
        unit, compared, unfinished = self.measure.unit, bool(self.past_name), _("incomplete")
        rows = []
        for point in self.points:
            label = point.label if point.whole else f"{point.label}, {unfinished}"
            row = [Cell(point.key, label), _value(point.value, unit)]
            if compared:
                row += [Cell(point.past_key or None, point.past_label), _value(point.past, unit), _change(point)]
            rows.append(tuple(row))
        return tuple(rows)

    def sentence(self) -> str:
        whole = [point for point in self.points if point.whole and point.value is not None]
        parts = [self._total_sentence()]
        values = {point.value for point in whole}
        if len(values) > 1:
            most = max(whole, key=lambda point: point.value or 0)
            least = min(whole, key=lambda point: point.value or 0)
            unit = self.measure.unit
            parts.append(
                _("Most on %(day)s (%(value)s), least on %(low_day)s (%(low)s).")
                % {
                    "day": most.label,
                    "value": shown(most.value or 0, unit),
                    "low_day": least.label,
                    "low": shown(least.value or 0, unit),
                }
            )
        if self.unfinished is not None and whole:
            parts.append(_("Today is still filling up and is not counted."))
        return " ".join(parts)

    def _total_sentence(self) -> str:
        totals = self.totals
        amount = self.measure.words(totals.now)
        if totals.partial:
            return _("%(amount)s so far today.") % {"amount": amount}
        if totals.past is None:
            return _("%(amount)s in this period.") % {"amount": amount}
        past = self.measure.words(totals.past)
        if totals.past == 0:
            return _("%(amount)s in this period, none in the one it is compared with.") % {"amount": amount}
        share = totals.now / totals.past - 1
        values = {"amount": amount, "share": percent(abs(share)), "past": past}
        if share > 0:
            return _("%(amount)s in this period, %(share)s more than before (%(past)s).") % values
        if share < 0:
            return _("%(amount)s in this period, %(share)s less than before (%(past)s).") % values
        return _("%(amount)s in this period, exactly as before.") % values

    def svg(self) -> str:
        return plot_sheet(Words(self.title, self.note, self.sentence(), self.foot), self.plot)


def _value(value: float | None, unit: Unit) -> Cell:
    return Cell(None, "") if value is None else Cell(value, shown(value, unit))


def _change(point: Point) -> Cell:
    if point.value is None or point.past is None:
        return Cell(None, "")
    raw = None if point.past == 0 else round(point.value / point.past - 1, 6)
    return Cell(raw, change(point.value, point.past))
