"""Views of drawings: the still page of one, and the tools that script fetches when somebody begins to draw."""

import json
import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from review_portal import first_view, pages
from review_portal.access import READABLE, load_visit
from review_portal.context import Visit
from review_portal.drawing_words import build_phrases
from review_portal.models import CommentDrawing
from review_portal.still_page import build_still_page


@require_safe
def still(request: HttpRequest, link_id: uuid.UUID, short: str) -> HttpResponse:
    """The page of one drawing: who drew it, when, and the words. What the link does not show is not found."""
    visit = load_visit(request, link_id, READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    drawing = CommentDrawing.objects.filter(link__video_id=visit.link.video_id, short=short).first()
    if drawing is None:
        raise Http404
    thread = first_view.load_thread(visit.reading, drawing.comment_id) if drawing.comment_id else None
    is_alone = drawing.comment_id is None and drawing.link_id == visit.link.pk
    if thread is None and not is_alone:
        raise Http404
    context = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "page": build_still_page(visit, drawing, thread),
    }
    return render(request, "review_portal/still.html", context)


@require_safe
def tools(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The tools, and the words that script says while somebody draws: a part of the room, fetched when it is needed."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    return render(request, "review_portal/_drawing_tools.html", _build_tools(visit))


def _build_tools(visit: Visit) -> dict[str, object]:
    names = {
        "pen": _("Pen"), "arrow": _("Arrow"), "rect": _("Rectangle"), "ellipse": _("Ellipse"),
        "number": _("Number"),
    }  # fmt: skip
    colours = {"white": _("White"), "yellow": _("Yellow"), "red": _("Red"), "green": _("Green"), "blue": _("Blue")}
    return {
        "tools": [(kind, name, kind[0].upper()) for kind, name in names.items()],
        "inks": [(colour, name, number) for number, (colour, name) in enumerate(colours.items(), 1)],
        "phrases": json.dumps(build_phrases(), ensure_ascii=False),
        "fixed": _("The frame is fixed while something is drawn on it. Delete the shapes to choose another."),
        "no_frame": _(
            "You can't draw here: the platform's player does not give this page its picture. "
            "You can comment at any second."
        ),
    }
