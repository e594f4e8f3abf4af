"""The prepared charts of a test: variants with their ranges, the play rate by day, retention."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from dashboard.ab_tests.queries import Study, Variant
from dashboard.ab_tests.rules import CountBasis, Readout
from dashboard.activity import recorder
from dashboard.activity.recorder import Event
from dashboard.shared import metrics, retention
from dashboard.shared.charts import figures, interval
from dashboard.shared.charts.drawing import INK, INK_3
from dashboard.shared.charts.figures import Unit
from dashboard.shared.charts.interval import Scale, interval_shapes
from dashboard.shared.charts.lines import CurvesChart, Place
from dashboard.shared.charts.plot import Series
from dashboard.shared.charts.prepared import EDGE_SPACE, WIDTH, Cell, Chart, Column, Words, sheet, stretched, text
from dashboard.shared.charts.retention import VideoCurve, build_curves_chart


@dataclass(frozen=True)
class VariantsChart(Chart):
    """The variants side by side: counts, and the rate with its always-valid range."""

    name: str
    title: str
    note: str
    variants: tuple[Variant, ...]
    readout: Readout
    finding: str
    foot: str

    @cached_property
    def scale(self) -> Scale | None:
        """One scale for all rates, from just below the lowest to just above the highest range."""
        ranges = [bounds for bounds in self.readout.ranges if bounds is not None]
        if not ranges:
            return None
        low, high = min(bounds.low for bounds in ranges), max(bounds.high for bounds in ranges)
        return interval.build_scale(low, high, with_zero=False)

    def columns(self) -> tuple[Column, ...]:
        return (
            Column(_("Variant")),
            Column(_("Video")),
            Column(_("People") if self.readout.basis is CountBasis.PEOPLE else _("Page loads"), numeric=True),
            Column(_("Plays"), numeric=True),
            Column(_("Play rate"), numeric=True),
            Column(_("From"), numeric=True, head=_("Range from")),
            Column(_("To"), numeric=True, head=_("Range to")),
        )

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(self._row(index, variant) for index, variant in enumerate(self.variants))

    def _row(self, index: int, variant: Variant) -> tuple[Cell, ...]:
        arm, bounds = variant.counted.arm, self.readout.ranges[index]
        return (
            Cell(variant.letter, variant.letter),
            Cell(variant.title, variant.title),
            _build_count_cell(arm.loads if arm else None),
            _build_count_cell(arm.played if arm else None),
            _build_share_cell(variant.counted.rate),
            _build_share_cell(bounds.low if bounds else None),
            _build_share_cell(bounds.high if bounds else None),
        )

    def sentence(self) -> str:
        return self.finding

    def svg(self) -> str:
        parts, left, right = [], 360.0, WIDTH - EDGE_SPACE - 180.0
        for index, variant in enumerate(self.variants):
            y, bounds = 20 + 52 * index, self.readout.ranges[index]
            parts.append(text(EDGE_SPACE, y + 20, variant.name[:44], fill=INK, bold=True))
            if bounds is not None and self.scale is not None and variant.counted.rate is not None:
                shapes = interval_shapes(
                    self.scale, variant.counted.rate, wide=(bounds.low, bounds.high), place=index, with_zero=False
                )
                parts.append(stretched(shapes, left, y, right - left, 34, (interval.WIDTH, interval.HEIGHT)))
            rate = variant.counted.rate
            parts.append(
                text(right + 100, y + 20, "" if rate is None else figures.percent(rate), anchor="end", bold=True)
            )
        bottom = 20 + 52 * len(self.variants)
        if self.scale is not None:
            for step in self.scale.steps:
                x = left + (right - left) * self.scale.at(step) / interval.WIDTH
                parts.append(text(x, bottom + 14, figures.percent(step, 1), size=12, fill=INK_3, anchor="middle"))
        return sheet(Words(self.title, self.note, self.finding, self.foot), "".join(parts), bottom + 30)


def _build_count_cell(value: int | None) -> Cell:
    return Cell(None, "") if value is None else Cell(value, figures.count(value))


def _build_share_cell(value: float | None) -> Cell:
    return Cell(None, "") if value is None else Cell(round(value, 6), figures.percent(value))


def format_foot(study: Study) -> str:
    """Format the counted days and the time zone."""
    run = study.run
    values = {"days": figures.period(run.counted.start, run.counted.end), "zone": run.selection.zone.key}
    if run.whole is None:
        return _("%(days)s, %(zone)s") % values
    return _("%(days)s, whole days, %(zone)s") % values


def build_rates_chart(study: Study, events: Sequence[Event]) -> CurvesChart | None:
    """Build the chart of each variant's play rate by day, with changes of the test marked. None with less than two days."""
    buckets = tuple(bucket for bucket in study.run.selection.buckets() if bucket.whole)
    known = {day for variant in study.variants for day in variant.rates}
    if sum(bucket.day in known for bucket in buckets) < 2:
        return None
    series = tuple(
        Series(variant.name, tuple(variant.rates.get(bucket.day) for bucket in buckets), place)
        for place, variant in enumerate(study.variants)
    )
    return CurvesChart(
        "rates",
        _("Play rate by day"),
        note=_("Single days jump by chance; the verdict uses all days together."),
        unit=Unit.SHARE,
        place_title=_("Day"),
        places=tuple(
            Place(bucket.key, figures.day(bucket.day, weekday=True), figures.day(bucket.day)) for bucket in buckets
        ),
        series=series,
        finding=_format_rates_finding(study),
        foot=format_foot(study),
        marks=recorder.marked(events, buckets),
    )


def _format_rates_finding(study: Study) -> str:
    known = [variant for variant in study.variants if variant.counted.rate is not None]
    rates_in_words = ", ".join(f"{variant.letter} {figures.percent(variant.counted.rate or 0)}" for variant in known)
    return _("All days together: %(rates)s.") % {"rates": rates_in_words}


def list_video_curves(study: Study) -> list[VideoCurve]:
    """List the retention curves of the variants that have one."""
    video_curves = []
    for variant in study.variants:
        table = variant.retention.value.table if variant.retention.value is not None else None
        points = metrics.parse_retention(table) if table is not None else None
        if points:
            counted, players = variant.counted, variant.counted.players
            if counted.basis is CountBasis.PEOPLE and counted.arm is not None:
                players = counted.arm.played
            video_curves.append(VideoCurve(variant.name, retention.build_curve(points), players or None))
    return video_curves


def build_retention_chart(study: Study) -> CurvesChart | None:
    """Build the retention chart of all variants with simultaneous bands. None without a curve."""
    video_curves = list_video_curves(study)
    if not video_curves:
        return None
    return build_curves_chart(video_curves, title=_("Retention"), foot=format_foot(study), alpha=study.readout.alpha)
