"""Views of the transcript: the part beside the video, and every line for paper."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from review_portal import responses, transcript_pages
from review_portal.access import load_visit
from review_portal.context import Visit


@require_safe
def transcript(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The part that script asks for; everybody else is led to the room that shows it. `?print=` has every line for paper."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    if "print" in request.GET:
        return _render_sheet(visit)
    if responses.wants_part(request):
        return responses.render_transcript(visit)
    return _redirect_to_room(visit)


def _render_sheet(visit: Visit) -> HttpResponse:
    page = transcript_pages.build_transcript_sheet(visit)
    if page is None:
        return _redirect_to_room(visit)
    return render(visit.request, "review_portal/transcript_print.html", {"link": visit.link, "page": page})


def _redirect_to_room(visit: Visit) -> HttpResponse:
    query = visit.request.GET.copy()
    query.pop("print", None)
    query["tab"] = "transcript"
    return redirect(f"/{visit.link.pk}?{query.urlencode()}#transcript")
