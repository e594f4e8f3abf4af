"""Views that read a link: the room, polls, permalinks, the finished review, captions."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from dashboard.platform_api import errors
from dashboard.shared.http import unchanged
from dashboard.upstream.parallel import page_patience
from review_portal import captions, first_view, frames, inline_forms, markup, pages, responses, summary, sync, viewings
from review_portal.access import READABLE, is_up_to_date, load_visit
from review_portal.context import parse_version
from review_portal.models import ReviewLink
from review_portal.rules import LinkState


@require_safe
def room(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The page. It opens from the copy; a link whose comments were never read waits for them as long as any page does."""
    visit = load_visit(request, link_id, READABLE, _read_first)
    if isinstance(visit, HttpResponse):
        return visit
    if visit.state == LinkState.OPEN:
        return responses.render_room(visit, forms=inline_forms.render_open_forms(visit))
    return responses.render_reading(visit) if "read" in request.GET else responses.render_closed(visit, visit.state)


def _read_first(request: HttpRequest, link: ReviewLink) -> None:
    if link.merged_at is None or "fresh" in request.GET:
        sync.merge_in_background(link, page_patience())


def poll(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """What a poll asks for: 204 while nothing is new, else the part that changes.

    Whoever polls also has the platform read when nobody did for a while, and does not wait for it.
    """
    token = request.GET.get("v", "")
    if is_up_to_date(link_id, token):
        return viewings.add_people(request, link_id, unchanged())
    visit = load_visit(request, link_id, READABLE, _read_what_is_new)
    if isinstance(visit, HttpResponse):
        return visit
    closed = visit.state != LinkState.OPEN
    if token == visit.token and not closed:
        return viewings.add_people(request, link_id, unchanged())
    response = responses.render_live(visit, parse_version(request.GET.get("after", "") or token), polls=not closed)
    return response if closed else viewings.add_people(request, link_id, response)


def _read_what_is_new(request: HttpRequest, link: ReviewLink) -> None:
    sync.merge_in_background(link)


def permalink(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """The lasting address of one comment: leads to its place in the room."""
    visit = load_visit(request, link_id, READABLE, _read_first)
    if isinstance(visit, HttpResponse):
        return visit
    thread = first_view.load_thread(visit.reading, comment_id)
    if thread is None:
        raise Http404
    entry = next(entry for entry in thread.entries if entry.comment_id == comment_id)
    whole = f"&thread={entry.reply_to}" if entry.reply_to else ""
    at = frames.format_middle(entry.frame) if entry.frame else entry.time
    return redirect(f"/{link_id}?t={at}{whole}#{markup.get_anchor(entry)}")


@require_safe
def replies(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Replies of a thread that a first view left out: `rest` of them, beginning with number `from`."""
    visit = load_visit(request, link_id, READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    begun, count = (parse_version(request.GET.get(name, "")) for name in ("from", "rest"))
    thread = first_view.load_thread(visit.reading, comment_id) if count else None
    if thread is None or thread.first.comment_id != comment_id:
        raise Http404
    context = {"replies": markup.render_replies(thread, begun, begun + count, pages.build_surroundings(visit))}
    return render(request, "review_portal/_rest.html", context)


@require_safe
def finish(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """My notes, what is open, what I never watched. Opened as the very first page, it waits for the comments as the room."""
    visit = load_visit(request, link_id, READABLE, _read_first)
    if isinstance(visit, HttpResponse):
        return visit
    context = {"link": visit.link, "page": summary.build_page(visit), "on_its_way": visit.on_its_way}
    return render(request, "review_portal/finish.html", context)


@require_safe
def subtitles(request: HttpRequest, link_id: uuid.UUID, lang: str) -> HttpResponse:
    """A subtitle file that the platform keeps on another host."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    try:
        text = captions.read_captions(visit.link, lang)
    except (KeyError, errors.CallError):
        raise Http404 from None
    response = HttpResponse(text, content_type="text/vtt; charset=utf-8")
    response.headers["Cache-Control"] = "private, max-age=600"
    return response
