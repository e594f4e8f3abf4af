"""Retention curves as one chart, with the bands inside which they may differ by chance, and a drop-off table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.shared import retention
from dashboard.shared.charts.drawing import WIDTH
from dashboard.shared.charts.figures import Unit, clock, percent, signed
from dashboard.shared.charts.lines import CurvesChart, Place
from dashboard.shared.charts.plot import Mark, Series, Tick, percent_of, second_step
from dashboard.shared.retention import Curve, CurveComparison

DROP_PARTS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class VideoCurve:
    """One film: what it is called, its curve, and how many people started it where that is known."""

    name: str
    curve: Curve
    people: int | None


@dataclass(frozen=True)
class DropOff:
    """Where viewers of one film leave: shares at the quarters, when half are gone, the steepest stretch."""

    name: str
    quarters: tuple[str, ...]
    half: str
    steepest: str


def build_curves_chart(films: Sequence[VideoCurve], *, title: str, foot: str, alpha: float = 0.05) -> CurvesChart:
    """The curves of films on one chart. Raises ValueError without any curve."""
    comparison = retention.compare([film.curve for film in films], [film.people for film in films], alpha)
    if not comparison.seconds:
        raise ValueError("there is no curve to draw")
    length = comparison.seconds[-1] or 1.0
    return CurvesChart(
        name="retention",
        title=title,
        note=_format_note(comparison),
        unit=Unit.SHARE,
        place_title=_("Second"),
        places=tuple(Place(_plain(second), clock(second), clock(second)) for second in comparison.seconds),
        series=tuple(_build_series(index, film.name, comparison) for index, film in enumerate(films)),
        finding=_format_finding(films, comparison),
        foot=foot,
        marks=_build_marks(comparison),
        at=tuple(second / length for second in comparison.seconds),
        x_ticks=_build_ticks(length),
        highest=max(1.0, *(share for shares in comparison.shares for share in shares if share is not None)),
    )


def _plain(second: float) -> float:
    return int(second) if float(second).is_integer() else second


def _build_series(index: int, name: str, comparison: CurveComparison) -> Series:
    values = comparison.shares[index]
    if not comparison.half_widths:
        return Series(name, values, index)
    half = comparison.half_widths[index]
    low = tuple(None if share is None else max(0.0, share - half) for share in values)
    high = tuple(None if share is None else min(1.0, share + half) for share in values)
    return Series(name, values, index, low=low, high=high)


def _build_ticks(length: float) -> tuple[Tick, ...]:
    step = second_step(length)
    seconds = [second for second in range(0, int(length) + 1, step) if length - second >= step * 0.5] + [length]
    return tuple(Tick(percent_of(round(second / length * WIDTH)), clock(second)) for second in seconds)


def _build_marks(comparison: CurveComparison) -> tuple[Mark, ...]:
    if not comparison.partings:
        return ()
    first = min(parting.at for parting in comparison.partings)
    return (Mark(comparison.seconds.index(first), _("Apart since %(second)s") % {"second": clock(first)}),)


def _format_note(comparison: CurveComparison) -> str:
    if comparison.half_widths:
        return _("Share of players still watching. Where the bands overlap, the difference may be chance or rounding.")
    return _("Share of players still watching.")


def _format_finding(films: Sequence[VideoCurve], comparison: CurveComparison) -> str:
    if len(films) == 1:
        return _format_alone(films[0])
    if not comparison.half_widths:
        if all(film.curve.falling for film in films):
            return _("How many people watched is not known, so it cannot be said whether the curves differ by chance.")
        return _(
            "Shares rise in places because people rewind, so it cannot be said whether the curves differ by chance."
        )
    parts = [_format_untold(films, pair) for pair in comparison.untold]
    if not comparison.partings and len(parts) < len(films) * (len(films) - 1) // 2:
        parts.insert(0, _("No real difference between the curves can be shown."))
    for parting in sorted(comparison.partings, key=lambda parting: parting.at):
        ahead, behind = (parting.second, parting.first) if parting.gap > 0 else (parting.first, parting.second)
        values = {
            "ahead": films[ahead].name,
            "behind": films[behind].name,
            "second": clock(parting.at),
            "gap": signed(abs(parting.gap) * 100),
        }
        parts.append(
            _("%(ahead)s keeps more viewers than %(behind)s from %(second)s on (%(gap)s points there).") % values
        )
    return " ".join(parts)


def _format_untold(films: Sequence[VideoCurve], pair: tuple[int, int]) -> str:
    values = {"first": films[pair[0]].name, "second": films[pair[1]].name}
    return _("%(first)s and %(second)s can't be compared: they were measured at different seconds.") % values


def _format_alone(film: VideoCurve) -> str:
    end = percent(film.curve.shares[-1], 0)
    half = film.curve.half_gone
    if half is None:
        return _("%(share)s of the players watch to the end.") % {"share": end}
    values = {"share": end, "second": clock(half)}
    return _("Half of the players have left by %(second)s; %(share)s watch to the end.") % values


def list_drop_offs(films: Sequence[VideoCurve]) -> tuple[DropOff, ...]:
    """The drop-off table, one row per film that has a curve."""
    return tuple(_build_drop_off(film) for film in films if film.curve.seconds)


def _build_drop_off(film: VideoCurve) -> DropOff:
    curve, length = film.curve, film.curve.seconds[-1]
    quarters = tuple(percent(curve.at(length * part) or 0.0) for part in DROP_PARTS)
    falls = [
        ((curve.shares[index] - curve.shares[index + 1]) / ((after - before) or 1), before, after)
        for index, (before, after) in enumerate(zip(curve.seconds, curve.seconds[1:], strict=False))
    ]
    steepest = max(falls, default=None)
    return DropOff(
        film.name,
        quarters,
        clock(curve.half_gone) if curve.half_gone is not None else _("not reached"),
        f"{clock(steepest[1])}–{clock(steepest[2])}" if steepest and steepest[0] > 0 else "",
    )
