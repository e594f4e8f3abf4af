"""Files of A/B tests: a chart as CSV or SVG, and the list of all tests."""

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.ab_tests import charts, pages
from dashboard.ab_tests.detail import list_events
from dashboard.ab_tests.queries import load_comparison, load_study
from dashboard.ab_tests.standings import KeptStanding, kept_standings
from dashboard.shared import csv
from dashboard.shared.charts.prepared import Chart
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.figures import get_full_timeout


@require_safe
def file(request: OwnerRequest, comparison_id: str, name: str, extension: str) -> HttpResponse:
    """Download a chart of a test as CSV or SVG, with the same numbers as its page."""
    if extension not in {"csv", "svg"}:
        raise Http404
    study = load_study(request, load_comparison(request, comparison_id), patience=get_full_timeout())
    chart: Chart | None = None
    if not study.draft and name == "variants":
        chart = pages.build_variants_chart(study)
    elif not study.draft:
        chart = (
            charts.build_rates_chart(study, list_events(request, study))
            if name == "rates"
            else charts.build_retention_chart(study)
        )
    if chart is None:
        sentence = _("This test has no numbers for a chart yet.")
        return HttpResponse(sentence, content_type="text/plain; charset=utf-8", status=404)
    target = pages.format_file_name(study, name, extension)
    if extension == "csv":
        return csv.download(chart.csv(), target)
    response = HttpResponse(chart.svg(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{target}"'
    return response


@require_safe
def tests(request: OwnerRequest) -> HttpResponse:
    """Download all tests of the account as CSV."""
    comparisons = clients.platform(request).comparisons.list().comparisons
    heads = [
        _("Name"),
        _("Identifier"),
        _("State"),
        _("Variants"),
        _("Created on"),
        _("Started on"),
        _("Ended on"),
        _("Winner"),
        _("Evidence"),
        _("Range"),
        _("Days left"),
        _("Evidence read on"),
    ]
    standings = kept_standings(request.account.pk, comparisons)
    rows = [
        (
            test.name,
            test.id,
            test.status,
            "; ".join(variant.title or variant.video_id for variant in test.videos) if test.are_videos_told else None,
            test.created_at.isoformat() if test.created_at else None,
            test.started_at.isoformat() if test.started_at else None,
            test.finished_at.isoformat() if test.finished_at else None,
            test.winner or None,
            *_build_evidence_cells(standings.get(test.id)),
        )
        for test in comparisons
    ]
    return csv.download(csv.written(heads, rows), csv.file_name("ab-tests"))


def _build_evidence_cells(latest: KeptStanding | None) -> tuple[str | None, ...]:
    """The evidence as the list shows it; empty where none is known."""
    if latest is None:
        return (None,) * 4
    standing = latest.standing
    left = ", ".join(part for part in (standing.left, standing.left_sub) if part)
    return standing.word, standing.difference or None, left or None, latest.at.isoformat(timespec="seconds")
