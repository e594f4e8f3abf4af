"""A sparkline: the shape of a series, without words. The numbers stand beside it."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from dashboard.shared.charts import paths
from dashboard.shared.charts.shapes import on_page, path


def build_sparkline(values: Sequence[float | None]) -> SafeString:
    """The content of an SVG with the view box of a plot. Empty below two known values: a dot has no shape."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return SafeString("")
    # Zero is the floor: a sparkline that starts at its minimum turns noise into drama.
    runs = paths.runs(values, max(known) or 1, paths.places(len(values)))
    return on_page([path("line", paths.line(runs))])
