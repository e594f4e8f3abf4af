"""Why the play rate changed: the page of the parts, and their file."""

from dataclasses import replace

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from dashboard.analytics import rate_why_pages
from dashboard.analytics.date_bar import begin_date_bar
from dashboard.analytics.pages import AnalyticsPage
from dashboard.analytics.panels import format_file_name
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.views import with_state
from dashboard.analytics.why_views import clean_state, load_subject, render_parts
from dashboard.shared import csv
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import Metric


@with_state
def rate_why(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """The parts of the change, by one split."""
    state = _clean_state(state, split)
    bar = begin_date_bar(request, state, (), grains=False)
    subject = load_subject(request, state, split, "analytics:rate_why")
    content = rate_why_pages.build_content(subject, split, state)
    tabs = rate_why_pages.build_tabs(state, split)
    page = AnalyticsPage(_("Why did the play rate change?"), subject.name, tabs, bar(), subject.address, "")
    return render_parts(request, page, subject.panel, content)


@with_state
def rate_why_file(request: OwnerRequest, state: AnalyticsState, split: str) -> HttpResponse:
    """Every part as CSV; where nothing can be compared, the page, which says why."""
    state = _clean_state(state, split)
    subject = load_subject(request, state, split, "analytics:rate_why")
    change = rate_why_pages.load_change(subject, split, state)
    if change is None:
        return redirect(rate_why_pages.build_address(split, state))
    heads, rows = rate_why_pages.build_file(change, split, state)
    return csv.download(csv.written(heads, rows), format_file_name(f"why-rate-{split}", state, "csv"))


def _clean_state(state: AnalyticsState, split: str) -> AnalyticsState:
    """What of the address counts here. Raises Http404 for an unknown split."""
    if split not in rate_why_pages.SPLITS:
        raise Http404
    return replace(clean_state(state, split), metric=Metric.VIEWS, country="", region="")
