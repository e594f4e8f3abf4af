"""Reading a link: the room, the part that a poll replaces, the finished review, captions."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.platform_api import errors
from dashboard.shared.http import unchanged
from dashboard.shared.proxies import address_of
from dashboard.shared.rate_limit import network_of, wait_for
from review_portal import answers, asked_forms, captions, finished, markup, mirror, outbox, rules
from review_portal.models import ReviewLink
from review_portal.rules import LinkState
from review_portal.visits import Visit, version_of, visit


def find(request: HttpRequest, link_id: uuid.UUID) -> ReviewLink:
    """The link of the address. Raises `ReviewLink.DoesNotExist`, and the `PlatformError` of a read that failed.

    A link nobody here has seen costs a call to the platform: one network may ask for so many, then it is unknown.
    """
    link = ReviewLink.objects.filter(pk=link_id).first()
    if link is not None:
        return link
    limit, seconds = rules.LOOKUPS_PER_NETWORK
    if wait_for(f"review-lookup:{network_of(address_of(request))}", limit=limit, seconds=seconds):
        raise ReviewLink.DoesNotExist
    return mirror.find(link_id)


def arrive(request: HttpRequest, link_id: uuid.UUID) -> Visit | HttpResponse:
    """The reader at the link, or the page that says why there is none."""
    try:
        link = find(request, link_id)
    except ReviewLink.DoesNotExist:
        return answers.unknown(request)
    except errors.PlatformError:
        return answers.away(request)
    return visit(request, link)


@require_safe
def room(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The page. It opens from the copy; only a link whose comments were never read is read first, once."""
    here = arrive(request, link_id)
    if isinstance(here, HttpResponse):
        return here
    if here.link.merged_at is None or "fresh" in request.GET:
        mirror.merge(here.link)
    state = rules.state_of(here.link, here.now)
    if state == LinkState.OPEN:
        return answers.room(here, forms=asked_forms.of(here))
    if state == LinkState.EXPIRED and "read" in request.GET:
        return answers.reading(here)
    return answers.closed(here, state)


def poll(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """What a poll asks for: 204 while nothing is new, else the part that changes.

    Whoever polls also does what is due: sends what was held long enough, reads the platform when nobody did for a while.
    """
    try:
        link = ReviewLink.objects.defer("video").get(pk=link_id)
    except ReviewLink.DoesNotExist:
        raise Http404 from None
    outbox.deliver_due(link)
    mirror.merge(link)
    here = visit(request, link)
    closed = rules.state_of(link, here.now) != LinkState.OPEN
    seen = request.GET.get("v", "")
    if seen == here.token and not closed:
        return unchanged()
    return answers.live(here, version_of(request.GET.get("since", "") or seen), polls=not closed)


def permalink(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """The lasting address of one comment: leads to its place in the room."""
    here = arrive(request, link_id)
    if isinstance(here, HttpResponse):
        return here
    entry = next((e for t in here.threads for e in t.entries if e.comment_id == comment_id), None)
    if entry is None:
        raise Http404
    return redirect(f"/{link_id}?t={entry.time}#{markup.anchor(entry)}")


@require_safe
def finish(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """My notes, what is open, what I never watched."""
    here = arrive(request, link_id)
    if isinstance(here, HttpResponse):
        return here
    if rules.state_of(here.link, here.now) == LinkState.INACTIVE:
        return answers.closed(here, LinkState.INACTIVE)
    context = {"link": here.link, "page": finished.page(here), "on_its_way": here.on_its_way}
    return render(request, "review_portal/finish.html", context)


@require_safe
def subtitles(request: HttpRequest, link_id: uuid.UUID, lang: str) -> HttpResponse:
    """A subtitle file that the platform keeps on another host."""
    link = ReviewLink.objects.filter(pk=link_id).first()
    if link is None or rules.state_of(link, timezone.now()) != LinkState.OPEN:
        raise Http404
    try:
        text = captions.read(link, lang)
    except (KeyError, errors.PlatformError):
        raise Http404 from None
    response = HttpResponse(text, content_type="text/vtt; charset=utf-8")
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


@require_safe
def spelled(request: HttpRequest, address: str) -> HttpResponse:
    """A link written with capitals or a slash at the end: the same link."""
    query = request.META.get("QUERY_STRING", "")
    lower = address.lower().rstrip("/")
    return redirect(f"/{lower}{'?' + query if query else ''}", permanent=True)
