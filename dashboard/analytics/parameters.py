"""Parses requests of analytics and loads their panels."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import Http404
from django.utils import timezone

from dashboard.analytics.pages import AnalyticsPanel
from dashboard.analytics.panel_kinds import PANEL_KINDS, Answers, build_panel
from dashboard.analytics.panels import PanelContext
from dashboard.analytics.state import ParsedState, UnknownVideo, parse_state
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.figures import FigureAnswer, FigureQuery, get_full_timeout, read_figures


def parse_request(request: OwnerRequest) -> ParsedState:
    """Parse the address: its state, or its problems. Raises Http404 for an impossible video id."""
    try:
        return parse_state(request.GET, now=timezone.now(), zone=formats.zone_name())
    except UnknownVideo as unknown:
        raise Http404 from unknown


@dataclass(frozen=True)
class PanelData:
    """The panels of a page in order, and their answers by panel and query."""

    panels: tuple[AnalyticsPanel, ...]
    answers: Mapping[str, FigureAnswer]

    def of(self, panel: str) -> Answers:
        return {name.split(" ", 1)[1]: got for name, got in self.answers.items() if name.split(" ", 1)[0] == panel}


def load_panels(
    request: OwnerRequest,
    panel_context: PanelContext,
    names: Iterable[str],
    more: Mapping[str, FigureQuery] | None = None,
    *,
    patience: float | None = None,
) -> PanelData:
    """Reads and builds the panels `names`. `more` are further questions, kept under their names."""
    alone = list_requested_panels(request, tuple(names))
    asks = {
        f"{name} {which}": question
        for name in alone
        for which, question in PANEL_KINDS[name].build_queries(panel_context.state).items()
    }
    answers = read_figures(
        request, {**asks, **(more or {})}, patience=get_full_timeout() if get_panel_name(request) else patience
    )
    by_panel = PanelData((), answers)
    return PanelData(tuple(build_panel(name, panel_context, by_panel.of(name)) for name in alone), answers)


def get_panel_name(request: OwnerRequest) -> str:
    """The name of the panel that loads itself by this request; empty for a whole page."""
    return request.GET.get("panel", "") if request.htmx else ""


def list_requested_panels(request: OwnerRequest, names: tuple[str, ...]) -> tuple[str, ...]:
    """The panels of the page, or the requested one. Raises Http404 for an unknown one."""
    panel_name = get_panel_name(request)
    if not panel_name:
        return names
    if panel_name not in names:
        raise Http404
    return (panel_name,)
