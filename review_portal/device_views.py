"""View to continue as the same reviewer on another device: one page for both devices, with and without script."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from dashboard.shared.proxies import address_of
from dashboard.shared.rate_limit import caller_of, network_of, wait_for, wait_for_all
from review_portal import device_codes, device_pages, reviewers
from review_portal.access import load_visit
from review_portal.context import Visit
from review_portal.device_codes import Refusal
from review_portal.models import Passage

STATUS_OF = {Refusal.UNKNOWN: 422, Refusal.USED: 410, Refusal.OVER: 410, Refusal.TOO_OFTEN: 429}


@require_http_methods(["GET", "HEAD", "POST"])
def device(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Show a code (`do=show`), look whose a typed or scanned one is, and with `do=go` go on as that person."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    do, typed = request.POST.get("do", ""), request.POST.get("code", request.GET.get("code", ""))
    if do == "show":
        return _show(visit)
    if not typed and not do:
        return _render_page(visit)
    passage = _find_passage(visit, typed)
    if isinstance(passage, Refusal):
        return _render_page(visit, refusal=passage, typed=typed)
    return _go(visit, passage) if do == "go" else _render_page(visit, passage=passage, typed=typed)


def _find_passage(visit: Visit, typed: str) -> Passage | Refusal:
    """Look up a code. Tries are limited per address and network: wrong codes of one person never lock out others."""
    address = address_of(visit.request)
    if wait_for_all(
        (f"review-codes:{caller_of(address)}", device_codes.TRIES_PER_ADDRESS),
        (f"review-codes-of:{network_of(address)}", device_codes.TRIES_PER_NETWORK),
    ):
        return Refusal.TOO_OFTEN
    return device_codes.find_passage(visit.link, typed, visit.now)


def _show(visit: Visit) -> HttpResponse:
    if visit.reviewer is None:
        return _render_page(visit)
    limit, seconds = device_codes.CODES_PER_REVIEWER
    if wait_for(f"review-code:{visit.reviewer.pk}", limit=limit, seconds=seconds):
        return _render_page(visit, refusal=Refusal.TOO_OFTEN)
    return _render_page(visit, code=device_codes.create_code(visit.reviewer, visit.now))


def _go(visit: Visit, passage: Passage) -> HttpResponse:
    if not device_codes.use_passage(passage, visit.now):
        return _render_page(visit, refusal=Refusal.USED)
    response = redirect(f"/{visit.link.pk}?device=new#talk")
    reviewers.set_cookie(response, passage.reviewer)
    return response


def _render_page(
    visit: Visit, *, code: str = "", passage: Passage | None = None, refusal: Refusal | None = None, typed: str = ""
) -> HttpResponse:
    page = device_pages.page(visit, code=code, passage=passage, refusal=refusal, typed=typed)
    status = STATUS_OF[refusal] if refusal else 200
    response = render(visit.request, "review_portal/device.html", {"link": visit.link, "page": page}, status=status)
    response.headers["Referrer-Policy"] = "same-origin"  # "no-referrer" would take the origin from the form's own post
    if refusal == Refusal.TOO_OFTEN:
        response.headers["Retry-After"] = str(device_codes.TRIES_PER_NETWORK[1])
    return response
