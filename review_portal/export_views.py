"""The comments of a link as files and on paper: what the page shows, in its order."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.upstream.parallel import page_patience
from review_portal import export_files, pages, sync
from review_portal.access import READABLE, arrive
from review_portal.exports import EXTENSIONS
from review_portal.models import ReviewLink
from review_portal.threads import chosen


@require_safe
def export(request: HttpRequest, link_id: uuid.UUID, extension: str) -> HttpResponse:
    """A file. A timeline that cannot be is asked for again."""
    if extension not in EXTENSIONS:
        raise Http404
    here = arrive(request, link_id, READABLE, _read_news)
    if isinstance(here, HttpResponse):
        return here
    timeline = export_files.timeline_of(request)
    if timeline.problem:
        base, query = f"/{here.link.pk}/export", export_files.query_of(here.choice)
        menu = export_files.menu(request, base, query, printed=f"/{here.link.pk}/print")
        head, back = pages.head(here.link, here.shown, here.now), f"/{here.link.pk}{pages.query(here.choice)}"
        context = {"link": here.link, "menu": menu, "head": head, "back": back}
        return render(request, "review_portal/export.html", context, status=422)
    whole = sync.is_whole(here.link)
    decisions = export_files.decisions_of(here.link)
    about = export_files.About(here.shown.title, here.link.name, here.shown.length, whole=whole, decisions=decisions)
    file = export_files.as_file(extension, chosen(here.threads, here.choice), about, timeline, here.now)
    return export_files.handed_over(file, timeline)


@require_safe
def print_list(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The list for paper, or to save as PDF."""
    here = arrive(request, link_id, READABLE, _read_news)
    if isinstance(here, HttpResponse):
        return here
    shown = chosen(here.threads, here.choice)
    lines = [export_files.line(thread, here.shown.last_second, here.now) for thread in shown]
    context = {
        "link": here.link,
        "head": pages.head(here.link, here.shown, here.now),
        "lines": lines,
        "decisions": export_files.decisions_of(here.link),
        "summary": export_files.summary(here.threads, shown, whole=sync.is_whole(here.link)),
        "back": f"/{here.link.pk}{pages.query(here.choice)}",
    }
    return render(request, "review_portal/print.html", context)


def _read_news(request: HttpRequest, link: ReviewLink) -> None:
    sync.bring_news(link, page_patience())
