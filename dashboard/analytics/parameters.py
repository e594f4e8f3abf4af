"""Parses requests of analytics and loads their panels."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

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
    draw: Callable[[AnalyticsPanel], object] | None = None,
) -> PanelData:
    """Reads and builds the panels `names`. `more` are further questions, kept under their names.

    Each panel is built, and given to `draw`, as soon as its own answers are there: those of the others may be out for long.
    """
    alone = list_requested_panels(request, tuple(names))
    asks = {name: PANEL_KINDS[name].build_queries(panel_context.state) for name in alone}
    builder = _PanelBuilder(panel_context, asks, draw)
    for name in alone:
        PANEL_KINDS[name].prepare(panel_context)
    queries = {f"{name} {which}": query for name in alone for which, query in asks[name].items()}
    answers = read_figures(
        request,
        {**queries, **(more or {})},
        patience=get_full_timeout() if get_panel_name(request) else patience,
        each=builder.add,
    )
    data = PanelData((), answers)
    return replace(data, panels=tuple(builder.get(name, data.of(name)) for name in alone))


class _PanelBuilder:
    """Builds the panels of a page as their answers come."""

    def __init__(
        self,
        panel_context: PanelContext,
        asks: Mapping[str, Collection[str]],
        draw: Callable[[AnalyticsPanel], object] | None,
    ) -> None:
        self._panel_context = panel_context
        self._asks, self._draw = asks, draw
        self._answers: dict[str, dict[str, FigureAnswer]] = {}
        self._panels: dict[str, AnalyticsPanel] = {}

    def add(self, name: str, answer: FigureAnswer) -> None:
        """One answer; with the last one of a panel, the panel is built."""
        panel, _space, which = name.partition(" ")
        if panel not in self._asks:
            return
        answers = self._answers.setdefault(panel, {})
        answers[which] = answer
        if answers.keys() == set(self._asks[panel]):
            self.get(panel, answers)

    def get(self, name: str, answers: Answers) -> AnalyticsPanel:
        """A panel, of these answers where it is not built yet."""
        if name not in self._panels:
            self._panels[name] = build_panel(name, self._panel_context, answers)
            if self._draw is not None:
                self._draw(self._panels[name])
        return self._panels[name]


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
