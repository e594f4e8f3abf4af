"""What a request of analytics asks for, checked: the state of its address, its panels, its videos."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import Http404
from django.utils import timezone

from dashboard.analytics.pages import Panel
from dashboard.analytics.panels import KINDS, Answers, Desk, built
from dashboard.analytics.state import Asked, UnknownVideo, asked
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.figures import Ask, Got, read, whole_patience


def asked_by(request: OwnerRequest) -> Asked:
    """The state of an address, or what is wrong with it. Raises Http404 for a video that cannot be one."""
    try:
        return asked(request.GET, now=timezone.now(), zone=formats.zone_name())
    except UnknownVideo as unknown:
        raise Http404 from unknown


@dataclass(frozen=True)
class Brought:
    """The panels of a page in order, and the answers they were made of, by panel and question."""

    panels: tuple[Panel, ...]
    answers: Mapping[str, Got]

    def of(self, panel: str) -> Answers:
        return {name.split(" ", 1)[1]: got for name, got in self.answers.items() if name.split(" ", 1)[0] == panel}


def brought(
    request: OwnerRequest,
    desk: Desk,
    names: Iterable[str],
    more: Mapping[str, Ask] | None = None,
    *,
    patience: float | None = None,
) -> Brought:
    """Reads and builds the panels `names`. `more` are further questions, kept under their names."""
    alone = only(request, tuple(names))
    asks = {f"{name} {which}": question for name in alone for which, question in KINDS[name].asks(desk.state).items()}
    answers = read(request, {**asks, **(more or {})}, patience=whole_patience() if fragment(request) else patience)
    by_panel = Brought((), answers)
    return Brought(tuple(built(name, desk, by_panel.of(name)) for name in alone), answers)


def fragment(request: OwnerRequest) -> str:
    """The panel that fetches itself, if this is such a request."""
    return request.GET.get("panel", "") if request.htmx else ""


def only(request: OwnerRequest, names: tuple[str, ...]) -> tuple[str, ...]:
    """All panels of the page, or the one that was asked for."""
    panel_name = fragment(request)
    if not panel_name:
        return names
    if panel_name not in names:
        raise Http404
    return (panel_name,)
