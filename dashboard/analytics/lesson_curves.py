"""A video's curve beside its typical one, with the gap between: drawn small, and told as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dashboard.analytics.losses import SHARES, STEPS
from dashboard.shared.charts import paths
from dashboard.shared.charts.figures import percent
from dashboard.shared.charts.plot import percent_of
from dashboard.shared.formats import clock

TABLE_STEP: Final = STEPS // 10
BEFORE: Final = 0.75
"""From this part of the width on, the time of the moment is written before its line."""


@dataclass(frozen=True)
class CurveRow:
    """One row of the table: a time, and how many are still watching."""

    at: str
    own: str
    usual: str


@dataclass(frozen=True)
class LessonCurve:
    """templates/analytics/_lesson_curve.html: path data in a drawing of 10,000 by 2,000, and the words around it."""

    own: str
    usual: str
    gap: str
    mark: str
    flag: str
    flag_at: str
    is_flag_before: bool
    y: tuple[str, ...]
    x: tuple[tuple[str, str], ...]
    rows: tuple[CurveRow, ...]


def build_lesson_curve(curve: Sequence[int], typical: Sequence[float], length: float, moment: float) -> LessonCurve:
    """Draw both curves of a video that is `length` seconds long, with a line at its moment."""
    own, usual = ([share / SHARES for share in shares] for shares in (curve, typical))
    top = max(1.0, *own, *usual)
    xs = paths.places(STEPS + 1)
    lower = [min(pair) for pair in zip(own, usual, strict=True)]
    own_line, usual_line, lower_line = (paths.runs(values, top, xs) for values in (own, usual, lower))
    at = round(moment / length * paths.WIDTH)
    steps = range(0, STEPS + 1, TABLE_STEP)
    return LessonCurve(
        own=paths.line(own_line),
        usual=paths.line(usual_line),
        gap=paths.band(usual_line[0], lower_line[0]),
        mark=f"M{at} 0V{paths.HEIGHT}",
        flag=clock(moment),
        flag_at=percent_of(at),
        is_flag_before=moment > length * BEFORE,
        y=(percent(top, 0), percent(top / 2, 0), "0"),
        x=tuple((clock(length * part), percent_of(round(part * paths.WIDTH))) for part in (0.0, 0.5, 1.0)),
        rows=tuple(
            CurveRow(clock(length * step / STEPS), percent(own[step], 0), percent(usual[step], 0)) for step in steps
        ),
    )
