"""Views that export and print the comments of a link, as the page filters and orders them."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.upstream.parallel import page_patience
from review_portal import export_files, pages, sync
from review_portal.access import READABLE, load_visit
from review_portal.exports import EXTENSIONS
from review_portal.models import ReviewLink
from review_portal.threads import select_threads


@require_safe
def export(request: HttpRequest, link_id: uuid.UUID, extension: str) -> HttpResponse:
    """A file; an invalid timeline shows the export form again."""
    if extension not in EXTENSIONS:
        raise Http404
    visit = load_visit(request, link_id, READABLE, _read_news)
    if isinstance(visit, HttpResponse):
        return visit
    timeline = export_files.parse_timeline(request)
    if timeline.problem:
        base, query = f"/{visit.link.pk}/export", export_files.build_query(visit.choice)
        menu = export_files.build_menu(request, base, query, printed=f"/{visit.link.pk}/print")
        head, back = (
            pages.build_head(visit.link, visit.shown, visit.now),
            f"/{visit.link.pk}{pages.build_query(visit.choice)}",
        )
        context = {"link": visit.link, "menu": menu, "head": head, "back": back}
        return render(request, "review_portal/export.html", context, status=422)
    whole = sync.is_complete(visit.link)
    decisions = export_files.list_decisions(visit.link)
    cut = export_files.find_cut(visit.link)
    about = export_files.ExportSubject(
        visit.shown.title, visit.link.name, visit.shown.length, whole=whole, decisions=decisions, cut=cut
    )
    file = export_files.render_file(extension, select_threads(visit.threads, visit.choice), about, timeline, visit.now)
    return export_files.build_download(file, timeline)


@require_safe
def print_list(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The list for paper, or to save as PDF."""
    visit = load_visit(request, link_id, READABLE, _read_news)
    if isinstance(visit, HttpResponse):
        return visit
    threads = select_threads(visit.threads, visit.choice)
    lines = [export_files.build_line(thread, visit.shown.last_second, visit.now) for thread in threads]
    context = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "lines": lines,
        "cut": export_files.find_cut(visit.link),
        "drawn": any(line.drawing for line in lines),
        "decisions": export_files.list_decisions(visit.link),
        "summary": export_files.format_summary(visit.threads, threads, whole=sync.is_complete(visit.link)),
        "back": f"/{visit.link.pk}{pages.build_query(visit.choice)}",
    }
    return render(request, "review_portal/print.html", context)


def _read_news(request: HttpRequest, link: ReviewLink) -> None:
    sync.merge_in_background(link, page_patience())
