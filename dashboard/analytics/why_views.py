"""Why a figure changed: the page of the parts, and their file."""

from dataclasses import replace

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.analytics import change_steps, why_pages
from dashboard.analytics.chooser import get_titles
from dashboard.analytics.date_bar import build_date_bar
from dashboard.analytics.pages import AnalyticsPage, AnalyticsPanel
from dashboard.analytics.panels import PanelContext, format_file_name
from dashboard.analytics.parameters import get_panel_name, load_panels
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.views import with_state
from dashboard.analytics.why_pages import SPLITS
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import csv
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import Metric
from dashboard.upstream.figures import build_video_query


@require_safe
def why_first(request: OwnerRequest) -> HttpResponse:
    """Lead to the first split of the same days."""
    query = request.META["QUERY_STRING"]
    return redirect(f"{reverse('analytics:why', args=[next(iter(SPLITS))])}{'?' if query else ''}{query}")


@with_state
def why(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The parts of the change, by one split."""
    state = _in_total(state, split)
    panel, subject = _load_panel(request, state, split)
    content = why_pages.build_content(panel, split, state)
    if get_panel_name(request):
        return render(request, "analytics/_why_panel.html", {"panel": panel, "content": content})
    address = reverse("analytics:why", args=[split])
    page = AnalyticsPage(
        _format_title(split, state),
        subject,
        why_pages.build_tabs(state, split),
        build_date_bar(state, metrics=split != "videos", grains=False),
        request.build_absolute_uri(f"{address}?{state.query()}"),
        "",
    )
    return render(request, "analytics/why.html", {"page": page, "panel": panel, "content": content})


@with_state
def why_file(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The same parts as CSV; without a comparison, the page, which says why there are none."""
    state = _in_total(state, split)
    panel, _subject = _load_panel(request, state, split)
    difference = why_pages.split_panel(panel)
    if difference is None:
        return redirect(f"{reverse('analytics:why', args=[split])}?{state.query()}")
    heads, rows = change_steps.build_table(difference, why_pages.format_label_title(split))
    return csv.download(csv.written(heads, rows), format_file_name(f"why-{split}", state, "csv"))


def _in_total(state: AnalyticsState, split: str) -> AnalyticsState:
    """The state with the totals of the days: what is compared. Only browsers are told of one video."""
    selection = replace(state.selection, granularity=Granularity.TOTAL)
    videos = state.videos[:1] if split == "browsers" else ()
    return replace(
        state, selection=selection, videos=videos, country="", region="", cause="", folder="", directly=False
    )


def _load_panel(request: OwnerRequest, state: AnalyticsState, split: str) -> tuple[AnalyticsPanel, str]:
    """The panel whose figures are split, and whose they are.

    Raises Http404 for an unknown split, `Missing` for a video of another account.
    """
    if split not in SPLITS:
        raise Http404
    name = SPLITS[split]
    more = {f"video {video}": build_video_query(video) for video in state.videos}
    panel_data = load_panels(request, PanelContext(request.account.pk, state), (name,), more)
    titles = get_titles(state.videos, panel_data.answers)
    subject = (
        titles[state.videos[0]] if state.videos else _("All videos of %(account)s.") % {"account": request.account.name}
    )
    address = f"{reverse('analytics:why', args=[split])}?"
    panel = replace(
        panel_data.panels[0], retry=f"{address}{state.query()}", fragment=f"{address}{state.query(panel=name)}"
    )
    return panel, subject


def _format_title(split: str, state: AnalyticsState) -> str:
    metric = Metric.PLAYS if split == "videos" else state.metric
    return {
        Metric.VIEWS: _("Why did views change?"),
        Metric.PLAYS: _("Why did plays change?"),
        Metric.VIEWERS: _("Why did unique viewers change?"),
        Metric.PLAYERS: _("Why did the number of people who played change?"),
    }[metric]
