"""What all panels of analytics share: their context, their kinds, a chart with its files.

A panel knows nothing of its page. The same kinds are used by the overview (brief), their own pages, the exported files, and a
panel that loads itself because its answer was late.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Final
from uuid import UUID

from django.utils.functional import Promise

from dashboard.analytics.pages import AnalyticsPanel
from dashboard.analytics.state import AnalyticsState
from dashboard.platform_api.analytics import Table
from dashboard.shared import metrics
from dashboard.shared.addresses import path_of
from dashboard.shared.charts.prepared import Chart, Exports
from dashboard.shared.csv import file_name
from dashboard.shared.hour_sums import HourSums
from dashboard.shared.metrics import NAMES, Metric
from dashboard.upstream.figures import FigureQuery

BY_BUCKET: Final = frozenset({"events", "region", "traffic", "videos"})
"""Panels whose files contain every day that is shown, also the current one."""

ONE_MEASURE: Final = frozenset({"ranking", "traffic", "consumers", "videos", "shares", "retention"})
"""Panels that count one thing, whatever metric the address has."""


@dataclass(frozen=True)
class PanelContext:
    """The account, state and page of a panel. A `brief` panel shows its first rows and a link to its own page."""

    account_id: UUID
    state: AnalyticsState
    page: str = "analytics:analytics"
    brief: bool = False

    def address(self, panel: str = "") -> str:
        """The page of this state, or one panel of it."""
        return f"{path_of(self.page)}?{self.state.query(panel=panel or None)}"


class PanelKind(ABC):
    """One panel of analytics: its title, its queries, and what it shows of their answers."""

    name: ClassVar[str]
    title: ClassVar[Promise]
    compares_buckets: ClassVar[bool] = False
    """Whether the panel compares bucket by bucket, and says itself which of them have numbers."""

    @abstractmethod
    def build_queries(self, state: AnalyticsState) -> dict[str, FigureQuery]:
        """The queries: "now", and with a comparison "past" and those of its days."""

    def prepare(self, panel_context: PanelContext) -> None:  # noqa: B027  (most panels need nothing)
        """Have what the panel shows beside its answers loaded while they are out."""

    @abstractmethod
    def build(
        self, panel_context: PanelContext, now: Table, past: Table | None, panel: AnalyticsPanel
    ) -> AnalyticsPanel:
        """`panel` with the figures of `now`, compared with `past`; unchanged if `now` does not have them."""


def add_chart(panel: AnalyticsPanel, panel_context: PanelContext, chart: Chart, body: str) -> AnalyticsPanel:
    """Add a chart and its downloads to a panel."""
    query = panel_context.state.query(page=None, sort=None)
    file = {extension: f"{path_of('analytics:file', panel.name, extension)}?{query}" for extension in ("csv", "svg")}
    exports = Exports(file["csv"], file["svg"], format_file_name(panel.name, panel_context.state), chart.foot)
    return replace(panel, chart=chart, body=body, exports=exports)


def format_file_name(name: str, state: AnalyticsState, extension: str = "png") -> str:
    """The file name of a panel: content, metric, videos, place, period, comparison and zone."""
    metric = "" if name in ONE_MEASURE else state.metric.value
    videos = f"{len(state.videos)}-videos" if len(state.videos) > 1 else state.video or ""
    parts = [name, metric, videos, state.country, state.region]
    period = state.selection.file_part(totals=name not in BY_BUCKET)
    return file_name("-".join(part for part in parts if part), period, extension)


def get_column(table: Table | HourSums, metric: Metric) -> str | None:
    """The column of a metric; an answer without any row has every column, all zero."""
    return metrics.find_column(table, metric) if table.rows else NAMES[metric][0]
