"""The comments of a link as files and on paper: what the page shows, in its order."""

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
    """A file. A timeline that cannot be is asked for again."""
    if extension not in EXTENSIONS:
        raise Http404
    here = load_visit(request, link_id, READABLE, _read_news)
    if isinstance(here, HttpResponse):
        return here
    timeline = export_files.parse_timeline(request)
    if timeline.problem:
        base, query = f"/{here.link.pk}/export", export_files.build_query(here.choice)
        menu = export_files.build_menu(request, base, query, printed=f"/{here.link.pk}/print")
        head, back = (
            pages.build_head(here.link, here.shown, here.now),
            f"/{here.link.pk}{pages.build_query(here.choice)}",
        )
        context = {"link": here.link, "menu": menu, "head": head, "back": back}
        return render(request, "review_portal/export.html", context, status=422)
    whole = sync.is_complete(here.link)
    decisions = export_files.list_decisions(here.link)
    about = export_files.ExportSubject(
        here.shown.title, here.link.name, here.shown.length, whole=whole, decisions=decisions
    )
    file = export_files.render_file(extension, select_threads(here.threads, here.choice), about, timeline, here.now)
    return export_files.build_download(file, timeline)


@require_safe
def print_list(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The list for paper, or to save as PDF."""
    here = load_visit(request, link_id, READABLE, _read_news)
    if isinstance(here, HttpResponse):
        return here
    shown = select_threads(here.threads, here.choice)
    lines = [export_files.build_line(thread, here.shown.last_second, here.now) for thread in shown]
    context = {
        "link": here.link,
        "head": pages.build_head(here.link, here.shown, here.now),
        "lines": lines,
        "decisions": export_files.list_decisions(here.link),
        "summary": export_files.format_summary(here.threads, shown, whole=sync.is_complete(here.link)),
        "back": f"/{here.link.pk}{pages.build_query(here.choice)}",
    }
    return render(request, "review_portal/print.html", context)


def _read_news(request: HttpRequest, link: ReviewLink) -> None:
    sync.merge_in_background(link, page_patience())
