"""The files beside the pages: a panel as CSV or SVG, and all panels of the overview in one archive."""

import io
import zipfile
from collections.abc import Callable, Sequence

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.analytics import account_traffic, retention, traffic, traffic_history, video_comparison
from dashboard.analytics.date_bar import problem_sentence
from dashboard.analytics.pages import Panel
from dashboard.analytics.panels import KINDS, Desk, picture_name
from dashboard.analytics.parameters import asked_by, brought
from dashboard.analytics.state import Asked, State, by_day
from dashboard.shared.charts.prepared import Chart
from dashboard.shared.csv import download
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.figures import whole_patience

BUNDLED = ("events", "browsers", "referrers", "ranking", "cities")


@require_safe
def file(request: OwnerRequest, name: str, extension: str) -> HttpResponse:
    """One panel as a file: exactly what the page of the same address shows."""
    parsed_state = asked_by(request)
    if parsed_state.state is None:
        return _wrong(parsed_state)
    chart, trouble = _chart(request, parsed_state.state, name)
    if chart is None:
        return HttpResponse(trouble, content_type="text/plain; charset=utf-8", status=502)
    state = retention.uncompared(parsed_state.state) if name == "retention" else parsed_state.state
    target = picture_name(name, state, extension)
    if extension == "csv":
        return download(chart.csv(), target)
    response = HttpResponse(chart.svg(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{target}"'
    return response


@require_safe
def bundle(request: OwnerRequest) -> HttpResponse:
    """Every panel of the overview, table and picture, in one archive; what could not be read is named inside."""
    parsed_state = asked_by(request)
    if parsed_state.state is None:
        return _wrong(parsed_state)
    state = parsed_state.state
    desk = Desk(request.account.pk, state, brief=True)
    panels = brought(request, desk, BUNDLED, patience=whole_patience()).panels
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        missing = []
        for panel in panels:
            if panel.chart is None:
                missing.append(f"{panel.title}: {_why(panel)}")
                continue
            archive.writestr(picture_name(panel.name, state, "csv"), panel.chart.csv())
            archive.writestr(picture_name(panel.name, state, "svg"), panel.chart.svg())
        if missing:
            archive.writestr("missing.txt", "\n".join(missing) + "\n")
    return download(target.getvalue(), picture_name("analytics", state, "zip"), "application/zip")


def _wrong(parsed_state: Asked) -> HttpResponse:
    sentences = [problem_sentence(problem, parsed_state.typed) for problem in parsed_state.problems]
    return HttpResponse("\n".join(sentences), content_type="text/plain; charset=utf-8", status=400)


def _chart(request: OwnerRequest, state: State, name: str) -> tuple[Chart | None, str]:
    if name in KINDS:
        if name == "region" and not state.region:
            raise Http404
        desk = Desk(request.account.pk, state)
        panel = brought(request, desk, (name,), patience=whole_patience()).panels[0]
        return panel.chart, _why(panel)
    read = SEVERAL.get(name)
    if read is None:
        raise Http404
    return read(request, by_day(state), name)


def _why(panel: Panel) -> str:
    if panel.trouble:
        return f"{panel.trouble.sentence} {panel.trouble.next_step}"
    return _("The platform did not answer in time, or not with this figure. Try again in a minute.")


def _traffic(request: OwnerRequest, state: State, name: str) -> tuple[Chart | None, str]:
    desk = Desk(request.account.pk, state, "analytics:traffic")
    video_answers = video_comparison.several(request, desk, traffic.TOP, traffic.asks, patience=whole_patience())
    content = traffic.page(desk, video_answers, None)
    return _named(content.panels, name), _said(content.problems)


def _account(request: OwnerRequest, state: State, name: str) -> tuple[Chart | None, str]:
    """A file about all videos of the account; without a choice its total, once every video is read."""
    progress = traffic_history.progress(request.account)
    if not progress.complete:
        return None, _("The traffic of the account is shown once all of its videos are read.")
    desk = Desk(request.account.pk, state, "analytics:traffic")
    return _named(account_traffic.page(request.account, desk, progress, None).panels, name), ""


def _traffic_total(request: OwnerRequest, state: State, name: str) -> tuple[Chart | None, str]:
    """What the page of the same address shows: the account's total where it is known and no video is chosen."""
    if not state.videos and traffic_history.progress(request.account).complete:
        return _account(request, state, name)
    return _traffic(request, state, name)


def _retention(request: OwnerRequest, state: State, name: str) -> tuple[Chart | None, str]:
    desk = Desk(request.account.pk, retention.uncompared(state), "analytics:retention")
    video_answers = video_comparison.several(request, desk, retention.TOP, retention.asks, patience=whole_patience())
    content = retention.page(desk, video_answers)
    return _named(content.panels, name), " ".join((_said(content.problems), *content.notes)).strip()


def _said(problems: Sequence[video_comparison.Problem]) -> str:
    return " ".join(
        f"{problem.title}: {problem.trouble.sentence} {problem.trouble.next_step}".strip() for problem in problems
    )


def _named(panels: tuple[Panel, ...], name: str) -> Chart | None:
    return next((panel.chart for panel in panels if panel.name == name), None)


SEVERAL: dict[str, Callable[[OwnerRequest, State, str], tuple[Chart | None, str]]] = {
    "traffic": _traffic_total,
    "consumers": _account,
    "videos": _traffic,
    "shares": _traffic,
    "retention": _retention,
}
