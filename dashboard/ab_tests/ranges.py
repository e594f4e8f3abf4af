"""Drawings of the ranges of a read-out, with every number as text: the difference and the lift."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.ab_tests import rules
from dashboard.ab_tests.queries import Study
from dashboard.ab_tests.rules import VariantPair
from dashboard.ab_tests.statistics import Interval
from dashboard.shared.charts import interval
from dashboard.shared.charts.drawing import on_page
from dashboard.shared.charts.figures import count, signed
from dashboard.shared.charts.plot import Tick


@dataclass(frozen=True)
class RangePlot:
    """One range on its scale, with every number as text."""

    title: str
    words: str
    shapes: SafeString
    spoken: str
    ticks: tuple[Tick, ...]
    sub: str = ""


@dataclass(frozen=True)
class RangeUnit:
    """How a difference or a lift is written: its decimals at a tick, and its unit."""

    unit: str = ""

    def number(self, share: float, digits: int) -> str:
        return signed(share * 100, digits) + self.unit

    def tick(self, on: interval.Scale, step: float) -> str:
        return (signed(step * 100, _count_step_digits(on)) + self.unit) if step else count(0)


POINTS, PERCENT = RangeUnit(), RangeUnit("%")


def build_plots(study: Study) -> tuple[RangePlot, ...]:
    """Every difference on one scale: bars below each other are compared by their length and place. Of two variants the lift
    stands below, with a scale of its own."""
    pairs = study.readout.pairs
    on = _build_scale([pair.difference for pair in pairs])
    plots = [_plot_difference(study, pair, on) for pair in pairs]
    if len(pairs) == 1 and pairs[0].lift.high != inf:
        plots.append(_plot_lift(study, pairs[0], _build_scale([pairs[0].lift])))
    return tuple(plots)


def _build_scale(ranges: Sequence[Interval]) -> interval.Scale:
    return interval.build_scale(min(bounds.low for bounds in ranges), max(bounds.high for bounds in ranges))


def _plot_difference(study: Study, pair: VariantPair, on: interval.Scale) -> RangePlot:
    contrast, letters = pair.contrast, get_letters(study, pair)
    words = format_difference(pair.difference)
    sub = "" if len(study.variants) == rules.VARIANTS_MIN else _("Lift: %(range)s") % {"range": format_lift(pair.lift)}
    title = _("Difference in play rate, %(second)s minus %(first)s") % letters
    return _build_plot(title, words, pair.difference, (contrast.best, contrast.difference), on, POINTS, sub)


def _plot_lift(study: Study, pair: VariantPair, on: interval.Scale) -> RangePlot:
    contrast = pair.contrast
    title = _("Lift over %(first)s") % get_letters(study, pair)
    values = contrast.best / contrast.first, contrast.difference / contrast.first
    return _build_plot(title, format_lift(pair.lift), pair.lift, values, on, PERCENT)


def _build_plot(
    title: str,
    words: str,
    bounds: Interval,
    values: tuple[float, float],
    on: interval.Scale,
    measure: RangeUnit,
    sub: str = "",
) -> RangePlot:
    best, measured = values
    shapes = interval.interval_shapes(on, best, wide=(bounds.low, bounds.high), measured=measured)
    digits = count_digits(bounds)
    spoken = _("%(range)s. Best estimate %(best)s, measured so far %(measured)s.") % {
        "range": words,
        "best": measure.number(best, digits),
        "measured": measure.number(measured, digits),
    }
    marks = interval.ticks(on, {step: measure.tick(on, step) for step in on.steps})
    return RangePlot(title, words, shapes=on_page(shapes), spoken=spoken, ticks=marks, sub=sub)


def get_letters(study: Study, pair: VariantPair) -> dict[str, str]:
    """The letters of both variants."""
    return {"first": study.variants[pair.first].letter, "second": study.variants[pair.second].letter}


def format_difference(bounds: Interval) -> str:
    """−0.2 to +4.6 points."""
    return _("%(low)s to %(high)s points") % format_bounds(bounds)


def format_bounds(bounds: Interval) -> dict[str, str]:
    """Both ends of a range in points."""
    digits = count_digits(bounds)
    return {"low": POINTS.number(bounds.low, digits), "high": POINTS.number(bounds.high, digits)}


def format_lift(bounds: Interval) -> str:
    """−0.6% to +14.8%; a lift whose end is not known yet says so."""
    if bounds.high == inf:
        low = PERCENT.number(bounds.low, 0)
        return _("%(low)s or more") % {"low": low} if bounds.low > 0 else _("not known yet")
    digits = count_digits(bounds)
    values = {"low": PERCENT.number(bounds.low, digits), "high": PERCENT.number(bounds.high, digits)}
    return _("%(low)s to %(high)s") % values


def count_digits(bounds: Interval) -> int:
    """The number of decimals needed so that a bound beside zero is not written as zero."""
    for digits in (1, 2, 3):
        if all(bound == 0 or round(bound * 100, digits) != 0 for bound in (bounds.low, bounds.high)):
            return digits
    return 4


def _count_step_digits(on: interval.Scale) -> int:
    step = (on.steps[1] - on.steps[0]) * 100
    return next((digits for digits in range(4) if abs(step - round(step, digits)) < 1e-9), 4)


def format_relative(difference: float, rate: float) -> str:
    """A difference relative to a rate: (+3.2%)."""
    return f"({signed(difference / rate * 100)}%)" if rate else ""


def format_points(share: float, digits: int = 1) -> str:
    """A difference of rates in percentage points."""
    return _("%(value)s points") % {"value": signed(share * 100, digits)}
