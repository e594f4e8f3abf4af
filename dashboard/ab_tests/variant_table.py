"""The variants side by side for their table: counts, and the rate with its range."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.ab_tests import messages
from dashboard.ab_tests.charts import VariantsChart
from dashboard.ab_tests.queries import Study
from dashboard.shared.charts.drawing import on_page
from dashboard.shared.charts.figures import count, percent
from dashboard.shared.charts.interval import interval_shapes


@dataclass(frozen=True)
class VariantRow:
    """One variant side by side with the others."""

    letter: str
    place: int
    video_id: str
    title: str
    poster: str
    address: str
    loads: str
    played: str
    rate: str
    shapes: SafeString
    spoken: str
    winner: bool
    trouble: str


def format_scale(chart: VariantsChart | None) -> tuple[str, str]:
    """Format the two ends of the scale on which all rates are drawn."""
    if chart is None or chart.scale is None:
        return ("", "")
    return percent(chart.scale.low, 1), percent(chart.scale.high, 1)


def build_variant_row(study: Study, chart: VariantsChart | None, index: int) -> VariantRow:
    """One variant as its row shows it."""
    variant, readout = study.variants[index], study.readout
    arm, bounds = variant.counted.arm, readout.ranges[index]
    shapes, spoken = SafeString(), ""
    if chart is not None and chart.scale is not None and bounds is not None and variant.counted.rate is not None:
        pair = (bounds.low, bounds.high)
        shapes = on_page(interval_shapes(chart.scale, variant.counted.rate, wide=pair, place=index, with_zero=False))
        spoken = _("%(low)s to %(high)s") % {"low": percent(bounds.low), "high": percent(bounds.high)}
    return VariantRow(
        variant.letter,
        index % 8 + 1,
        video_id=variant.video_id,
        title=variant.title or variant.video_id,
        poster=(variant.video.thumbnail or "") if variant.video else "",
        address=reverse("analytics:browsers") + f"?video={variant.video_id}",
        loads=count(arm.loads) if arm else "",
        played=count(arm.played) if arm else "",
        rate=percent(variant.counted.rate) if variant.counted.rate is not None else "",
        shapes=shapes,
        spoken=spoken,
        winner=study.comparison.winner == variant.video_id,
        trouble=messages.format_variant_trouble(study, variant),
    )
