"""Downloads of analytics: a panel as CSV or SVG, and all panels of the overview as ZIP."""

import io
import zipfile
from collections.abc import Callable, Sequence

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.analytics import account_traffic, retention_pages, traffic_history, traffic_pages, video_comparison
from dashboard.analytics.date_bar import format_problem
from dashboard.analytics.pages import AnalyticsPanel
from dashboard.analytics.panel_kinds import PANEL_KINDS
from dashboard.analytics.panels import PanelContext, format_file_name
from dashboard.analytics.parameters import load_panels, parse_request
from dashboard.analytics.state import AnalyticsState, ParsedState, group_by_day
from dashboard.shared.charts.prepared import Chart
from dashboard.shared.csv import download
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.figures import get_full_timeout

BUNDLED = ("events", "browsers", "referrers", "ranking", "cities")


@require_safe
def file(request: OwnerRequest, name: str, extension: str) -> HttpResponse:
    """Download one panel, with the same numbers as the page of the same address."""
    parsed_state = parse_request(request)
    if parsed_state.state is None:
        return _respond_to_problems(parsed_state)
    chart, trouble = _build_chart(request, parsed_state.state, name)
    if chart is None:
        return HttpResponse(trouble, content_type="text/plain; charset=utf-8", status=502)
    state = retention_pages.remove_comparison(parsed_state.state) if name == "retention" else parsed_state.state
    target = format_file_name(name, state, extension)
    if extension == "csv":
        return download(chart.csv(), target)
    response = HttpResponse(chart.svg(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{target}"'
    return response


@require_safe
def bundle(request: OwnerRequest) -> HttpResponse:
    """Download all panels of the overview as ZIP; it lists those that could not be read."""
    parsed_state = parse_request(request)
    if parsed_state.state is None:
        return _respond_to_problems(parsed_state)
    state = parsed_state.state
    panel_context = PanelContext(request.account.pk, state, brief=True)
    files: dict[str, tuple[str, str]] = {}

    def write(panel: AnalyticsPanel) -> None:
        if panel.chart is not None:
            files[panel.name] = panel.chart.csv(), panel.chart.svg()

    panels = load_panels(request, panel_context, BUNDLED, patience=get_full_timeout(), draw=write).panels
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in [panel.name for panel in panels if panel.name in files]:
            for extension, text in zip(("csv", "svg"), files[name], strict=True):
                archive.writestr(format_file_name(name, state, extension), text)
        missing = [f"{panel.title}: {_format_reason(panel)}\n" for panel in panels if panel.chart is None]
        if missing:
            archive.writestr("missing.txt", "".join(missing))
    return download(target.getvalue(), format_file_name("analytics", state, "zip"), "application/zip")


def _respond_to_problems(parsed_state: ParsedState) -> HttpResponse:
    sentences = [format_problem(problem, parsed_state.typed) for problem in parsed_state.problems]
    return HttpResponse("\n".join(sentences), content_type="text/plain; charset=utf-8", status=400)


def _build_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    if name in PANEL_KINDS:
        if name == "days" or (name == "region" and not state.region):
            raise Http404
        panel_context = PanelContext(request.account.pk, state)
        panel = load_panels(request, panel_context, (name,), patience=get_full_timeout()).panels[0]
        return panel.chart, _format_reason(panel)
    read = SEVERAL.get(name)
    if read is None:
        raise Http404
    return read(request, group_by_day(state), name)


def _format_reason(panel: AnalyticsPanel) -> str:
    if panel.trouble:
        return f"{panel.trouble.sentence} {panel.trouble.next_step}"
    return _("The platform did not answer in time, or not with this figure. Try again in a minute.")


def _build_traffic_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    panel_context = PanelContext(request.account.pk, state, "analytics:traffic")
    if not state.videos:
        raise Http404
    video_answers = video_comparison.load_videos(
        request, panel_context, len(state.videos), traffic_pages.build_asks, patience=get_full_timeout()
    )
    content = traffic_pages.build_traffic(panel_context, video_answers, None)
    return _find_chart(content.panels, name), _format_problems(content.problems)


def _build_account_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    """Build a chart of the whole account, once every video is read."""
    progress = traffic_history.get_progress(request.account)
    if not progress.complete:
        return None, _("The traffic of the account is shown once all of its videos are read.")
    panel_context = PanelContext(request.account.pk, state, "analytics:traffic")
    return _find_chart(account_traffic.build_traffic(request.account, panel_context, progress, None).panels, name), ""


def _build_total_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    """Build the chart of the chosen videos, or the account's if none is chosen."""
    return (_build_traffic_chart if state.videos else _build_account_chart)(request, state, name)


def _build_retention_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    panel_context = PanelContext(request.account.pk, retention_pages.remove_comparison(state), "analytics:retention")
    video_answers = video_comparison.load_videos(
        request, panel_context, retention_pages.TOP, retention_pages.build_asks, patience=get_full_timeout()
    )
    content = retention_pages.build_retention(panel_context, video_answers)
    return _find_chart(content.panels, name), " ".join((_format_problems(content.problems), *content.notes)).strip()


def _format_problems(problems: Sequence[video_comparison.VideoProblem]) -> str:
    return " ".join(
        f"{problem.title}: {problem.trouble.sentence} {problem.trouble.next_step}".strip() for problem in problems
    )


def _find_chart(panels: tuple[AnalyticsPanel, ...], name: str) -> Chart | None:
    return next((panel.chart for panel in panels if panel.name == name), None)


SEVERAL: dict[str, Callable[[OwnerRequest, AnalyticsState, str], tuple[Chart | None, str]]] = {
    "traffic": _build_total_chart,
    "consumers": _build_account_chart,
    "videos": _build_traffic_chart,
    "shares": _build_traffic_chart,
    "retention": _build_retention_chart,
}
