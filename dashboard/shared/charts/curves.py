"""Several lines over the same points: retention by second with bands, traffic of several videos by day."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.shared.charts.figures import Unit, format_value
from dashboard.shared.charts.plot import Mark, Plot, Series, Tick, build_plot
from dashboard.shared.charts.prepared import Cell, Chart, Column
from dashboard.shared.charts.shapes import on_page
from dashboard.shared.charts.sheet import Words, plot_sheet


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
            (Cell(place.key, place.label), *(_cell(value, self.unit) for value in values))
            for place, values in zip(self.places, lines, strict=True)
        )
        if not self.notes:
            return rows
        return tuple((*row, Cell(note or None, note)) for row, note in zip(rows, self.notes, strict=True))

    def sentence(self) -> str:
        return self.finding

    def svg(self) -> str:
        return plot_sheet(Words(self.title, self.note, self.finding, self.foot), self.plot)


def _cell(value: float | None, unit: Unit) -> Cell:
    return Cell(None, "") if value is None else Cell(round(value, 6), format_value(value, unit))
