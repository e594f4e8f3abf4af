"""Why a figure changed: the page of the parts, and their file."""

from dataclasses import replace
from functools import partial
from typing import Final

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.analytics import change_steps, why_pages
from dashboard.analytics.change_steps import WhyContent
from dashboard.analytics.chooser import get_titles
from dashboard.analytics.date_bar import begin_date_bar
from dashboard.analytics.pages import AnalyticsPage, AnalyticsPanel
from dashboard.analytics.panels import PanelContext, format_file_name
from dashboard.analytics.parameters import get_panel_name, load_panels
from dashboard.analytics.state import SORTS, AnalyticsState
from dashboard.analytics.views import with_state
from dashboard.analytics.why_pages import SPLITS
from dashboard.analytics.why_subject import Scope, WhySubject, load_beside
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import csv
from dashboard.shared.addresses import path_of
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import Metric
from dashboard.upstream.figures import build_video_query, get_full_timeout, trouble

RANKED: Final = (Metric.VIEWS, Metric.PLAYS)
"""What a ranking tells of each video."""


@require_safe
def why_first(request: OwnerRequest) -> HttpResponse:
    """Lead to the first split of the same days."""
    query = request.META["QUERY_STRING"]
    return redirect(f"{path_of('analytics:why', next(iter(SPLITS)))}{'?' if query else ''}{query}")


@with_state
def why(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The parts of the change, by one split."""
    state = clean_state(state, split)
    bar = begin_date_bar(request, state, RANKED if split == "videos" else tuple(Metric), grains=False)
    subject = load_subject(request, state, split, "analytics:why")
    content = why_pages.build_content(subject, split, state)
    title, tabs = _format_title(split, state), why_pages.build_tabs(state, split)
    page = AnalyticsPage(title, subject.name, tabs, bar(), subject.address, "")
    return render_parts(request, page, subject.panel, content)


def render_parts(
    request: OwnerRequest, page: AnalyticsPage, panel: AnalyticsPanel, content: WhyContent
) -> HttpResponse:
    """The page of the parts, or for a panel that loads itself the parts alone."""
    if get_panel_name(request):
        return render(request, "analytics/_why_panel.html", {"panel": panel, "content": content})
    return render(request, "analytics/why.html", {"page": page, "panel": panel, "content": content})


@with_state
def why_file(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The same parts as CSV; without a comparison, the page, which says why there are none."""
    state = clean_state(state, split)
    subject = load_subject(request, state, split, "analytics:why")
    difference = why_pages.split_subject(subject, split, state) if subject.is_known else None
    if difference is None:
        return redirect(f"{path_of('analytics:why', split)}?{state.query()}")
    heads, rows = change_steps.build_table(difference, why_pages.format_label_title(split, state))
    return csv.download(csv.written(heads, rows), format_file_name(f"why-{split}", state, "csv"))


def clean_state(state: AnalyticsState, split: str) -> AnalyticsState:
    """The state with the totals of the days: what is compared. Of one video only browsers and days are told, of a folder and
    of a search videos.

    Raises Http404 for an unknown split.
    """
    if split not in SPLITS:
        raise Http404
    state = replace(
        state,
        selection=replace(state.selection, granularity=Granularity.TOTAL),
        videos=state.videos[:1] if split in ("browsers", "days") else (),
        cause="",
        sort=SORTS[0],
        find="",
    )
    if split == "videos":
        state = replace(state, metric=state.metric if state.metric in RANKED else Metric.PLAYS)
    else:
        state = replace(state, folder="", directly=False, search="")
    if split not in ("countries", "days") or state.videos or state.site:
        state = replace(state, country="", region="", city="")
    if split != "days" or state.videos:
        state = replace(state, city="", site="")
    if split == "days" and not (state.region or state.city):
        state = replace(state, country="")  # the days of a whole country are not told
    return state


def load_subject(request: OwnerRequest, state: AnalyticsState, split: str, page: str) -> WhySubject:
    """What a page of a split is about. Raises `Missing` for a video of another account, Http404 for a folder of one."""
    panel_name = SPLITS[split]
    more = {f"video {video}": build_video_query(video) for video in state.videos}
    load = partial(load_panels, request, PanelContext(request.account.pk, state), (panel_name,), more)
    patience = get_full_timeout() if get_panel_name(request) else None
    panel_data, scope = load_beside(request, state, patience, load)
    name = (scope and scope.name) or why_pages.format_place(state)
    if state.videos:
        name = get_titles(state.videos, panel_data.answers)[state.videos[0]]
    address = f"{path_of(page, split)}?"
    panel = replace(
        panel_data.panels[0], retry=f"{address}{state.query()}", fragment=f"{address}{state.query(panel=panel_name)}"
    )
    return WhySubject(
        panel if scope is None else _add_scope(panel, scope),
        panel_data.of(panel_name),
        name or _("All videos of %(account)s.") % {"account": request.account.name},
        request.build_absolute_uri(f"{address}{state.query()}"),
        request.account.pk,
        scope,
    )


def _add_scope(panel: AnalyticsPanel, scope: Scope) -> AnalyticsPanel:
    """The panel, which cannot be split while its videos are late or in trouble."""
    if scope.answer.late:
        return replace(panel, late=True)
    return replace(panel, trouble=trouble(scope.answer)) if scope.answer.error else panel


def _format_title(split: str, state: AnalyticsState) -> str:
    if split == "cities":
        return _("Why did the number of cities with viewers change?")
    if split == "sites":
        return _("Why did the number of sites that sent viewers change?")
    return {
        Metric.VIEWS: _("Why did views change?"),
        Metric.PLAYS: _("Why did plays change?"),
        Metric.VIEWERS: _("Why did unique viewers change?"),
        Metric.PLAYERS: _("Why did the number of people who played change?"),
    }[state.metric]
