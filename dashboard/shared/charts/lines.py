"""Lines: a figure over time with what it is compared with, and several lines over the same points."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.functional import Promise, cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.shared.charts.drawing import on_page
from dashboard.shared.charts.figures import Numbers, Unit, change, count, format_value, get_numbers
from dashboard.shared.charts.plot import PAST, Mark, Plot, Series, Tick, build_plot
from dashboard.shared.charts.prepared import Cell, Chart, Column, Words, plot_sheet


@dataclass(frozen=True)
class Measure:
    """What is counted: a heading, and an amount in words (an `ngettext_lazy` over `number` that shows `shown`)."""

    title: str | Promise
    amount: str | Promise
    unit: Unit = Unit.COUNT

    def words(self, value: float) -> str:
        """41,377 events."""
        return str(self.amount % {"number": round(value), "shown": format_value(value, self.unit)})


@dataclass(frozen=True)
class Point:
    """One bucket. `key` is ISO, `label` for people; `value` and `past` are None where there is no data.

    `begun` is false for an hour that is still to come: it has no value either, and nothing is missing.
    """

    key: str
    label: str
    short: str
    value: float | None
    whole: bool = True
    past_key: str = ""
    past_label: str = ""
    past: float | None = None
    begun: bool = True

    @property
    def missing(self) -> bool:
        """Whether there should be a value and the platform has none."""
        return self.begun and self.value is None

    @property
    def note(self) -> str:
        """What has to be known about the bucket: that it is incomplete, that it has no data."""
        words = (_("incomplete") if not self.whole else "", _("no data") if self.missing else "")
        return ", ".join(word for word in words if word)


@dataclass(frozen=True)
class ComparedTotals:
    """Sums over the buckets that have numbers on both sides: `pairs` of the `buckets` that are compared."""

    now: float
    past: float
    pairs: int
    buckets: int

    @property
    def complete(self) -> bool:
        return self.pairs == self.buckets


@dataclass(frozen=True)
class Totals:
    """Sums over the whole buckets that have numbers: `known` of `buckets`; `now` is None where none has.

    `compared` is None without comparison; `partial` where only unfinished buckets exist.
    """

    now: float | None
    known: int
    buckets: int
    compared: ComparedTotals | None
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
    unpaired: int = 0
    """Compared buckets that meet none of the points: an hour that the shown days skip."""

    @cached_property
    def totals(self) -> Totals:
        """What the chart adds up to."""
        whole = [point for point in self.points if point.whole]
        counted = whole or [point for point in self.points if point.begun]
        known = [point.value for point in counted if point.value is not None]
        compared = self._compared(whole) if self.past_name and whole else None
        total = sum(known) if known else None
        return Totals(total, len(known), len(counted), compared=compared, partial=not whole and bool(self.points))

    def _compared(self, whole: Sequence[Point]) -> ComparedTotals:
        pairs = [(point.value, point.past) for point in whole if point.value is not None and point.past is not None]
        now, past = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
        return ComparedTotals(now, past, len(pairs), len(whole) + self.unpaired)

    @property
    def hourly(self) -> bool:
        """Whether the buckets are hours."""
        return bool(self.points) and "T" in self.points[0].key

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
        return build_plot(
            series,
            [point.short for point in self.points],
            self.measure.unit,
            marks=self.marks,
            unfinished=self.unfinished,
            unfinished_text=_("Today, incomplete"),
            missing=[index for index, point in enumerate(self.points) if point.missing],
            missing_text=_("No data"),
        )

    def drawing(self) -> SafeString:
        """The shapes for the page, inside an SVG of a plot's size."""
        return on_page(self.plot.shapes)

    def columns(self) -> tuple[Column, ...]:
        measure, note = str(self.measure.title), Column(_("Note"), file_only=True)
        own = (Column(self.bucket_title), Column(measure, numeric=True))
        if not self.past_name:
            return (*own, note)
        return (
            *own,
            Column(_("Compared with")),
            Column(measure, numeric=True, head=_("%(measure)s, compared") % {"measure": measure}),
            Column(_("Change"), numeric=True),
            note,
        )

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return self._rows

    @cached_property
    def _rows(self) -> tuple[tuple[Cell, ...], ...]:
        compared, unfinished, numbers = bool(self.past_name), _("incomplete"), get_numbers()
        build_value_cell = partial(_build_value_cell, unit=self.measure.unit, numbers=numbers)
        rows = []
        for point in self.points:
            label = point.label if point.whole else f"{point.label}, {unfinished}"
            row = [Cell(point.key, label), build_value_cell(point.value, missing=point.missing)]
            if compared:
                past = build_value_cell(point.past, missing=bool(point.past_key))
                row += [Cell(point.past_key or None, point.past_label), past, _build_change_cell(point, numbers)]
            rows.append((*row, Cell(point.note or None, point.note)))
        return tuple(rows)

    def sentence(self) -> str:
        whole = [point for point in self.points if point.whole and point.value is not None]
        parts = [self.total_sentence()]
        values = {point.value for point in whole}
        if len(values) > 1:
            most = max(whole, key=lambda point: point.value or 0)
            least = min(whole, key=lambda point: point.value or 0)
            unit = self.measure.unit
            parts.append(
                _("Most on %(day)s (%(value)s), least on %(low_day)s (%(low)s).")
                % {
                    "day": most.label,
                    "value": format_value(most.value or 0, unit),
                    "low_day": least.label,
                    "low": format_value(least.value or 0, unit),
                }
            )
        if self.unfinished is not None and whole:
            parts.append(_("Today is still filling up and is not counted."))
        return " ".join(parts)

    def total_sentence(self) -> str:
        """What it adds up to, and how that compares."""
        totals = self.totals
        if totals.now is None:
            return _("No data for these days.")
        amount = self.measure.words(totals.now)
        if totals.partial:
            return _("%(amount)s so far today.") % {"amount": amount}
        if totals.compared is not None and totals.compared.complete:
            return self._change_sentence(totals.compared)
        parts = [_("%(amount)s in this period.") % {"amount": amount}]
        if totals.known < totals.buckets:
            parts = [self._known_sentence(amount, totals)]
        if totals.compared is not None:
            parts.append(self._pairs_sentence(totals.compared))
        return " ".join(parts)

    def _known_sentence(self, amount: str, totals: Totals) -> str:
        values = {"amount": amount, "known": count(totals.known), "count": count(totals.buckets)}
        if self.hourly:
            return _("%(amount)s in %(known)s of %(count)s hours; the other hours have no data.") % values
        return _("%(amount)s in %(known)s of %(count)s days; the other days have no data.") % values

    def _change_sentence(self, compared: ComparedTotals) -> str:
        amount, past = self.measure.words(compared.now), self.measure.words(compared.past)
        if compared.past == 0:
            return _("%(amount)s in this period, none in the one it is compared with.") % {"amount": amount}
        share = change(compared.now, compared.past).lstrip("+−")
        values = {"amount": amount, "share": share, "past": past}
        if compared.now > compared.past:
            return _("%(amount)s in this period, %(share)s more than before (%(past)s).") % values
        if compared.now < compared.past:
            return _("%(amount)s in this period, %(share)s less than before (%(past)s).") % values
        return _("%(amount)s in this period, exactly as before.") % values

    def _pairs_sentence(self, compared: ComparedTotals) -> str:
        """The comparison where not every bucket has numbers on both sides: over how many it is made comes first."""
        if not compared.pairs:
            return _("Not compared: no day has numbers on both sides.")
        values = {
            "days": format_pairs(compared, hourly=self.hourly),
            "amount": self.measure.words(compared.now),
            "past": self.measure.words(compared.past),
            "share": change(compared.now, compared.past).lstrip("+−"),
        }
        if compared.past and compared.now > compared.past:
            return _("%(days)s: %(amount)s, %(share)s more than before (%(past)s).") % values
        if compared.past and compared.now < compared.past:
            return _("%(days)s: %(amount)s, %(share)s less than before (%(past)s).") % values
        return _("%(days)s: %(amount)s, before %(past)s.") % values

    def svg(self) -> str:
        return plot_sheet(Words(self.title, self.note, self.sentence(), self.foot), self.plot)


def format_pairs(compared: ComparedTotals, *, hourly: bool) -> str:
    """Over how many of the days or hours a comparison is made."""
    values = {"pairs": count(compared.pairs), "count": count(compared.buckets)}
    if hourly:
        return _("Over the %(pairs)s of %(count)s hours with numbers on both sides") % values
    return _("Over the %(pairs)s of %(count)s days with numbers on both sides") % values


def _build_value_cell(value: float | None, unit: Unit, numbers: Numbers, *, missing: bool) -> Cell:
    if value is None:
        return Cell(None, _("no data") if missing else "")
    return Cell(value, numbers.format_value(value, unit))


def _build_change_cell(point: Point, numbers: Numbers) -> Cell:
    if point.value is None or point.past is None:
        return Cell(None, "")
    raw = None if point.past == 0 else round(point.value / point.past - 1, 6)
    return Cell(raw, numbers.change(point.value, point.past))


@dataclass(frozen=True)
class Place:
    """One point of the horizontal axis: what the file writes, what the table says, what stands below the chart."""

    key: str | float
    label: str
    short: str


@dataclass(frozen=True)
class CurvesChart(Chart):
    """Lines of one unit. `finding` is the sentence: what several lines say together is known to whoever compares them."""

    name: str
    title: str
    note: str
    unit: Unit
    place_title: str
    places: tuple[Place, ...]
    series: tuple[Series, ...]
    finding: str
    foot: str
    marks: tuple[Mark, ...] = ()
    at: tuple[float, ...] = ()
    x_ticks: tuple[Tick, ...] = ()
    highest: float | None = None
    unfinished: int | None = None
    unfinished_text: str = ""
    missing: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    """What the file says about each place, such as that its day is incomplete. Empty: no such column."""

    @cached_property
    def plot(self) -> Plot:
        """The drawing and the words around it."""
        return build_plot(
            self.series,
            [place.short for place in self.places],
            self.unit,
            marks=self.marks,
            highest=self.highest,
            at=self.at,
            x_ticks=self.x_ticks,
            unfinished=self.unfinished,
            unfinished_text=self.unfinished_text,
            missing=self.missing,
            missing_text=_("No data"),
        )

    def drawing(self) -> SafeString:
        """The shapes for the page, inside an SVG of a plot's size."""
        return on_page(self.plot.shapes)

    def columns(self) -> tuple[Column, ...]:
        note = (Column(_("Note"), file_only=True),) if self.notes else ()
        return (Column(self.place_title), *(Column(line.name, numeric=True) for line in self.series), *note)

    def positions(self) -> Sequence[float]:
        return self.at

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return self._rows

    @cached_property
    def _rows(self) -> tuple[tuple[Cell, ...], ...]:
        lines = zip(*(line.values for line in self.series), strict=True) if self.series else ()
        rows = tuple(
            (Cell(place.key, place.label), *(_build_cell(value, self.unit) for value in values))
            for place, values in zip(self.places, lines, strict=True)
        )
        if not self.notes:
            return rows
        return tuple((*row, Cell(note or None, note)) for row, note in zip(rows, self.notes, strict=True))

    def sentence(self) -> str:
        return self.finding

    def svg(self) -> str:
        return plot_sheet(Words(self.title, self.note, self.finding, self.foot), self.plot)


def _build_cell(value: float | None, unit: Unit) -> Cell:
    return Cell(None, "") if value is None else Cell(round(value, 6), format_value(value, unit))
